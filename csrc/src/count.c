#include "baycarp/count.h"

#include <assert.h>

enum { BLOCK = 512 };

int64_t bc_code_rows(const int64_t *given, int64_t n, int32_t columns, const int32_t *states,
                     int32_t *codes) {
    for (int64_t row = 0; row < n; row++) {
        int wrong = 0;
        for (int32_t j = 0; j < columns; j++) {
            const int64_t code = given[row * columns + j];
            wrong |= (uint64_t)code >= (uint64_t)states[j];
            codes[row * columns + j] = (int32_t)code;
        }
        for (int32_t j = 0; wrong; j++)
            if ((uint64_t)given[row * columns + j] >= (uint64_t)states[j]) return row * columns + j;
    }
    return n * columns;
}

int64_t bc_code_column(const int64_t *given, int64_t n, int32_t states, int16_t *codes) {
    assert(states <= BC_NARROW);
    for (int64_t top = 0; top < n; top += BLOCK) {
        const int64_t end = n - top < BLOCK ? n : top + BLOCK;
        uint64_t wrong = 0;
        for (int64_t row = top; row < end; row++) {
            const uint64_t above = (uint64_t)given[row] + 1; /* 0..states if valid */
            wrong |= above | ((uint64_t)states - above);
            codes[row] = (int16_t)given[row];
        }
        if (wrong >> 32) /* both numbers of a valid row are at most 2^15 */
            for (int64_t row = top; row < end; row++)
                if ((uint64_t)given[row] + 1 > (uint64_t)states) return row;
    }
    return n;
}

/* Tables with 16-bit cell numbers, of which every machine multiplies eight at a time; and tables of few
   cells, counted in LANES separate arrays. */
enum { SMALL = UINT16_MAX, FEW = 256, LANES = 4 };

static void cells_small(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t top,
                        int32_t rows, int32_t size, uint16_t *restrict cell) {
    int16_t unseen[BLOCK] = {0};
    for (int32_t i = 0; i < rows; i++) cell[i] = 0;
    for (int32_t k = 0; k < members; k++) {
        const int16_t *restrict column = columns[k] + top;
        const uint32_t step = (uint32_t)stride[k]; /* unsigned: a code of -1 may overflow */
        for (int32_t i = 0; i < rows; i++) cell[i] = (uint16_t)(cell[i] + (uint16_t)column[i] * step);
        for (int32_t i = 0; i < rows; i++) unseen[i] |= column[i];
    }
    for (int32_t i = 0; i < rows; i++) {
        const uint16_t none = (uint16_t)(unseen[i] >> 15);
        cell[i] = (uint16_t)((cell[i] & ~none) | (size & none));
    }
}

static void cells_large(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t top,
                        int32_t rows, int32_t size, int32_t *restrict cell) {
    int16_t unseen[BLOCK] = {0};
    for (int32_t i = 0; i < rows; i++) cell[i] = 0;
    for (int32_t k = 0; k < members; k++) {
        const int16_t *restrict column = columns[k] + top;
        for (int32_t i = 0; i < rows; i++) cell[i] += column[i] * stride[k];
        for (int32_t i = 0; i < rows; i++) unseen[i] |= column[i];
    }
    for (int32_t i = 0; i < rows; i++) cell[i] = unseen[i] < 0 ? size : cell[i];
}

/* Separate arrays avoid dependent additions when consecutive rows fall into the same cell. */
static void count_few(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t n,
                      int32_t size, int64_t *counts) {
    int64_t lanes[LANES][FEW + 1] = {{0}};
    for (int64_t top = 0; top < n; top += BLOCK) {
        const int32_t rows = n - top < BLOCK ? (int32_t)(n - top) : BLOCK;
        uint16_t cell[BLOCK];
        int32_t i = 0;
        cells_small(columns, stride, members, top, rows, size, cell);
        for (; i + LANES <= rows; i += LANES)
            for (int32_t lane = 0; lane < LANES; lane++) lanes[lane][cell[i + lane]]++;
        for (; i < rows; i++) lanes[0][cell[i]]++;
    }
    for (int32_t lane = 0; lane < LANES; lane++)
        for (int32_t k = 0; k <= size; k++) counts[k] += lanes[lane][k];
}

void bc_count(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t n, int64_t size,
              int64_t *counts) {
    assert(members <= BC_MEMBERS && size <= INT32_MAX);
    if (size <= FEW) {
        count_few(columns, stride, members, n, (int32_t)size, counts);
        return;
    }
    for (int64_t top = 0; top < n; top += BLOCK) {
        const int32_t rows = n - top < BLOCK ? (int32_t)(n - top) : BLOCK;
        uint16_t small[BLOCK];
        int32_t large[BLOCK];
        if (size <= SMALL) {
            cells_small(columns, stride, members, top, rows, (int32_t)size, small);
            for (int32_t i = 0; i < rows; i++) counts[small[i]]++;
        } else {
            cells_large(columns, stride, members, top, rows, (int32_t)size, large);
            for (int32_t i = 0; i < rows; i++) counts[large[i]]++;
        }
    }
}

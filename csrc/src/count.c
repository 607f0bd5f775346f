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
            const uint64_t above = (uint64_t)given[row] + 1; /* 0..states where it is right */
            wrong |= above | ((uint64_t)states - above);
            codes[row] = (int16_t)given[row];
        }
        if (wrong >> 32) /* neither number of a right row, at most 2^15, has high bits */
            for (int64_t row = top; row < end; row++)
                if ((uint64_t)given[row] + 1 > (uint64_t)states) return row;
    }
    return n;
}

void bc_count(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t n, int64_t size,
              int64_t *counts) {
    assert(members <= BC_MEMBERS && size <= INT32_MAX);
    for (int64_t top = 0; top < n; top += BLOCK) {
        const int32_t rows = n - top < BLOCK ? (int32_t)(n - top) : BLOCK;
        int32_t cell[BLOCK];
        int16_t unseen[BLOCK];
        for (int32_t i = 0; i < rows; i++) cell[i] = unseen[i] = 0;
        for (int32_t k = 0; k < members; k++) {
            const int16_t *column = columns[k] + top;
            for (int32_t i = 0; i < rows; i++) cell[i] += column[i] * stride[k], unseen[i] |= column[i];
        }
        for (int32_t i = 0; i < rows; i++) counts[unseen[i] < 0 ? size : cell[i]]++;
    }
}

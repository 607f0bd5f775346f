/* The layout of rows in cells. */
#include "baycarp/similarity.h"

#include <math.h>

static double number(int numbers, const bc_cells *cells, int64_t row, int f) {
    if (f < cells->stem) return cells->stem_numbers[f * (int64_t)cells->stems + cells->stem_of[row]];
    return cells->numbers[row * (numbers - cells->stem) + f - cells->stem];
}

static void box(int numbers, const bc_cells *cells, int32_t c, int f, float *low, float *high) {
    *low = INFINITY, *high = -INFINITY;
    for (int64_t i = cells->starts[cells->cells[c]]; i < cells->starts[cells->cells[c + 1]]; i++) {
        float x = (float)number(numbers, cells, i, f);
        *low = x < *low ? x : *low;
        *high = x > *high ? x : *high;
    }
}

/* Numbers as bytes, and the boxes of the runs in them. */
static void pack_cell(int numbers, int slots, bc_cells *cells, int32_t c) {
    int32_t first = cells->cells[c], runs = cells->cells[c + 1] - first;
    const int64_t *starts = cells->starts + first;
    const int columns = numbers - cells->bytes_from;
    for (int f = 0; f < numbers; f++) {
        float *low = &cells->low[f * cells->count + c], *high = &cells->high[f * cells->count + c];
        box(numbers, cells, c, f, low, high);
        double step = bc_unit(*low, *high);
        for (int32_t r = 0; r < runs; r++) {
            int64_t n = starts[r + 1] - starts[r], at = numbers * first + f * runs + r;
            uint8_t *bytes = cells->bytes + (columns + slots) * starts[r], least = 255, most = 0;
            for (int64_t i = 0; i < n; i++) {
                const double x = number(numbers, cells, starts[r] + i, f);
                const uint8_t byte = (uint8_t)((x - (double)*low) / step + 0.5);
                if (f >= cells->bytes_from) bytes[(f - cells->bytes_from) * n + i] = byte;
                least = byte < least ? byte : least;
                most = byte > most ? byte : most;
            }
            cells->run_low[at] = least, cells->run_high[at] = most;
        }
    }
}

static void pack_slots(int columns, int slots, const bc_rows *rows, bc_cells *cells, int32_t c) {
    for (int j = 0; j < slots; j++) {
        uint32_t states = 0;
        for (int32_t r = cells->cells[c]; r < cells->cells[c + 1]; r++) {
            int64_t at = cells->starts[r], n = cells->starts[r + 1] - at;
            uint8_t *bytes = cells->bytes + (columns + slots) * at + (columns + j) * n;
            for (int64_t i = 0; i < n; i++) {
                bytes[i] = rows->codes[j * rows->stride + cells->order[at + i]];
                states |= UINT32_C(1) << bytes[i] % BC_STATES;
            }
        }
        cells->states[j * cells->count + c] = states;
    }
}

void bc_similar_pack(int numbers, int slots, int symbols, const bc_rows *rows, bc_cells *cells) {
    int stem = cells->stem;
    for (int64_t i = 0; i < cells->starts[cells->runs]; i++) {
        for (int f = 0; f < numbers - stem; f++)
            cells->numbers[i * (numbers - stem) + f] =
                rows->numbers[(stem + f) * rows->stride + cells->order[i]];
        for (int j = 0; j < symbols; j++)
            cells->symbols[i * symbols + j] = rows->symbols[j * rows->stride + cells->order[i]];
    }
    for (int32_t c = 0; c < cells->count; c++) {
        pack_cell(numbers, slots, cells, c);
        pack_slots(numbers - cells->bytes_from, slots, rows, cells, c);
    }
}

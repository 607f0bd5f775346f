/* The dispatched loops of similarity.c: bounds of rows and boxes, and similarities of rows. Every form gives
   the same bits: it adds the same floats in the same order, or integers. */
#ifndef BAYCARP_SIMD_SIMILARITY_H
#define BAYCARP_SIMD_SIMILARITY_H

#include "baycarp/similarity.h"

/* A lower bound of the loss of a row: of number f at distance d min(slope[f] * d, rise[f] + bend[f] * d,
   cap[f]), of slot i in state s slot[i][s]. */
typedef struct {
    int numbers, slots;
    float x[BC_NUMBERS]; /* the query's numbers */
    float slope[BC_NUMBERS], rise[BC_NUMBERS], bend[BC_NUMBERS], cap[BC_NUMBERS];
    float (*slot)[BC_STATES];
} bc_bound;

static inline float bc_loss(const bc_bound *b, int f, float d) {
    float first = b->slope[f] * d, second = b->rise[f] + b->bend[f] * d;
    float loss = first < second ? first : second;
    return loss < b->cap[f] ? loss : b->cap[f];
}

/* Writes the places of the rows 0..n-1 whose loss is at most `most`, and returns their number. */
int bc_rows_within_avx2(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                        float most, int *kept);
int bc_rows_within_avx512(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride,
                          int n, float most, int *kept);

/* Lower bounds of the losses of the numbers of boxes 0..n-1. */
void bc_box_loss_avx2(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                      float *loss);
void bc_box_loss_avx512(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                        float *loss);

/* The bound within a cell, in integer units rounded down. Numbers are in 256ths of the cell's bytes, the
   query clamped to the range of a byte, with the remainder in start and rise. The columns that differ within
   the cell: first those with a bound of two lines, then those of one; base is the loss of the other columns.
   Sums saturate at 65535. */
typedef struct {
    int bent, straight, slots;
    uint16_t base;
    uint8_t column[BC_NUMBERS];
    uint16_t x[BC_NUMBERS], slope[BC_NUMBERS], start[BC_NUMBERS], bend[BC_NUMBERS], rise[BC_NUMBERS],
        cap[BC_NUMBERS];
    uint16_t slot[BC_SLOTS][BC_STATES];
} bc_inner;

/* At most BC_RUN boxes in the units of a cell's bytes, column by column; or rows, with low = high and with
   the codes after the numbers. Memory after them may be read. */
typedef struct {
    const uint8_t *low, *high;
    const uint8_t *codes; /* NULL: boxes */
    int64_t stride;
    int count;
    uint16_t base; /* additional loss of all entries */
} bc_block;

/* Writes a lower bound of the loss of each entry; returns a bit for each whose bound is at most `most`. */
uint32_t bc_entries_within_avx2(const bc_inner *in, const bc_block *block, uint16_t most,
                                uint16_t loss[BC_RUN]);
uint32_t bc_entries_within_avx512(const bc_inner *in, const bc_block *block, uint16_t most,
                                  uint16_t loss[BC_RUN]);

static inline uint32_t bc_lanes(int count) {
    return count < 32 ? (UINT32_C(1) << count) - 1 : UINT32_MAX;
}

/* Rows within the bounds whose similarity is computed in a batch, column by column. */
#define BC_BATCH 128

typedef struct {
    int count;
    int first;              /* first number that is not in `begun`, */
    double begun[BC_BATCH]; /* the sum over the numbers before it */
    float numbers[BC_NUMBERS][BC_BATCH];
    uint8_t codes[BC_SLOTS][BC_BATCH];
    int64_t name[BC_BATCH];
    uint32_t symbols[BC_SYMBOLS][BC_BATCH];
} bc_batch;

/* The similarities of a batch, equal to those of the formula to the last bit. */
void bc_similarities_avx2(const bc_measure *m, const bc_query *q, const bc_batch *rows, double *sum);
void bc_similarities_avx512(const bc_measure *m, const bc_query *q, const bc_batch *rows, double *sum);

#endif

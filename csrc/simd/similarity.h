/* The loops of retrieval with a form for each instruction set: bounds of rows and boxes, and similarities of
   rows. Every form gives the same bits: it adds the same floats in the same order, or integers. Losses are
   shares of the total weight. */
#ifndef BAYCARP_SIMD_SIMILARITY_H
#define BAYCARP_SIMD_SIMILARITY_H

#include "baycarp/similarity.h"

#include <float.h>

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

/* The bound within a cell, in integer units, of some columns of a block: at a distance d of at most reach[k]
   the number in column[k] loses d * (slope[k] - curve[k] * d), farther ones no more. Numbers are in 256ths of
   the cell's bytes, the query clamped to the cell. First the curved columns, then the straight ones. Sums
   saturate at 65535. */
typedef struct {
    int bent, straight, slots;
    uint8_t column[BC_NUMBERS];
    uint16_t x[BC_NUMBERS], reach[BC_NUMBERS], slope[BC_NUMBERS], curve[BC_NUMBERS];
    uint16_t slot[BC_SLOTS][BC_STATES];
} bc_inner;

/* So that the product with 0 is 0. */
static inline float bc_finite(double x) {
    return (float)(x < FLT_MAX ? x : FLT_MAX);
}

/* The exponent of a loss, or a linear loss, by a distance of 1. Any two floats that differ lose the whole
   weight at the largest value, as at any larger one. */
static inline double bc_steepness(const bc_measure *m, int f) {
    const double steepness = (m->decay[f] > 0.0 ? m->decay[f] : 1.0) / m->max[f];
    return steepness < 1e60 ? steepness : 1e60;
}

#define BC_TOGETHER 8 /* columns are computed together, beyond the last one, too; divides BC_NUMBERS */

/* The loss by a number as a function of its distance d: slope * d - bend * d * d, within `error`, up to
   `reach`; beyond it up to `more` above that there, or 0 where that exceeds the limit anyway; x are the
   query's numbers. */
typedef struct {
    double x[BC_NUMBERS], slope[BC_NUMBERS], bend[BC_NUMBERS], reach[BC_NUMBERS], error[BC_NUMBERS],
        more[BC_NUMBERS];
} bc_parabolas;

/* The columns of a cell in its units, their losses by the distance of the query from the cell, and the
   errors. */
typedef struct {
    float low[BC_NUMBERS], high[BC_NUMBERS];
    double same[BC_NUMBERS], error[BC_NUMBERS], more[BC_NUMBERS];
    double x[BC_NUMBERS], reach[BC_NUMBERS], slope[BC_NUMBERS], curve[BC_NUMBERS];
} bc_columns;

/* At most BC_RUN boxes in the units of a cell's bytes, column by column; or rows, with low = high and with
   the codes after the numbers. Memory after them may be read. */
typedef struct {
    const uint8_t *low, *high;
    const uint8_t *codes;  /* NULL: boxes */
    const uint16_t *stems; /* the losses of BC_RUN stems; NULL: none */
    int64_t stride;
    int count;
    uint16_t base; /* the loss of all entries: by equal columns, and by the distance from the cell */
} bc_block;

/* A bit for each entry whose loss is at most `most`, and for each whose loss is less than `below`. */
typedef struct {
    uint32_t within, certain;
} bc_kept;

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

/* The first numbers of rows, column by column, and the share of each number in the total weight. */
typedef struct {
    int length;
    int64_t count;
    const float *numbers;
    const double *weight;
} bc_stems;

#define BC_NEAR 32 /* stems whose losses are computed at once */

typedef struct {
    /* Writes the places of the rows 0..n-1 whose loss is at most `most`, and returns their number. */
    int (*rows_within)(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                       float most, int *kept);
    /* Lower bounds of the losses of the numbers of boxes 0..n-1. */
    void (*box_loss)(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                     float *loss);
    /* Computes n columns, and more up to a multiple of BC_TOGETHER, from their least and largest numbers,
     * with so many units per loss of 1. */
    void (*columns)(const bc_parabolas *p, double unit, int n, bc_columns *columns);
    /* Writes the loss of each entry. */
    bc_kept (*entries_within)(const bc_inner *in, const bc_block *block, uint16_t most, uint16_t below,
                              uint16_t loss[BC_RUN]);
    /* Writes the losses of n <= BC_NEAR stems from one on, unless the first is computed already (not NAN),
       with the error of a float; and these losses in units, at most 65534. */
    void (*stem_losses)(const bc_measure *m, const bc_query *q, const bc_stems *stems, int from, int n,
                        float unit, float *loss, uint16_t *units);
    /* The similarities of a batch, equal to those of the formula to the last bit. */
    void (*similarities)(const bc_measure *m, const bc_query *q, const bc_batch *rows, double *similarity);
} bc_similarity_forms;

extern const bc_similarity_forms bc_similarity_base, bc_similarity_avx2, bc_similarity_avx512;

#endif

/* What similarity.c dispatches: which rows, and which boxes, may be near enough. Every form gives the same
   bits: it adds the same floats in the same order. */
#ifndef BAYCARP_SIMD_SIMILARITY_H
#define BAYCARP_SIMD_SIMILARITY_H

#include "baycarp/similarity.h"

/* Below the true loss of every row: of number f at distance d min(slope[f] * d, rise[f] + bend[f] * d,
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

/* The places of the rows 0..n-1 that lose at most `most`; returns how many. */
int bc_near_avx2(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                 float most, int *kept);
int bc_near_avx512(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                   float most, int *kept);

/* The same of a run whose columns are bytes, numbers first, and follow one another: the bound is in their
   units. */
int bc_near_bytes_avx2(const bc_bound *b, const uint8_t *bytes, int n, float most, int *kept);
int bc_near_bytes_avx512(const bc_bound *b, const uint8_t *bytes, int n, float most, int *kept);

/* What the numbers of the boxes 0..n-1 lose at least. */
void bc_far_avx2(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                 float *loss);
void bc_far_avx512(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                   float *loss);

#endif

/* The forms of bc_strengths, bc_beaten and bc_expected_strength, built from strength_form.h for one
   instruction set each. 16-bit lanes gain nothing from AVX-512, so it has no form. */
#ifndef BAYCARP_SIMD_STRENGTH_H
#define BAYCARP_SIMD_STRENGTH_H

#include "baycarp/strength.h"

int bc_strengths_base(const uint8_t *hole, const uint8_t *board, int n, int ahead,
                      const double *const *weights, int ranges, bc_standings *out);
int bc_strengths_avx2(const uint8_t *hole, const uint8_t *board, int n, int ahead,
                      const double *const *weights, int ranges, bc_standings *out);
double bc_beaten_base(const uint8_t *hole, const uint8_t *board, int n, const double *weights, double *met);
double bc_beaten_avx2(const uint8_t *hole, const uint8_t *board, int n, const double *weights, double *met);
void bc_expected_strength_base(const uint8_t *hole, const uint8_t *board, int n, double *mean,
                               double *square);
void bc_expected_strength_avx2(const uint8_t *hole, const uint8_t *board, int n, double *mean,
                               double *square);

#endif

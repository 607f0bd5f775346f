/* Strengths of all holdings on a board; showdown.h describes the method.

   Indexed by holding (card.h); a holding that shares a card with the board is blocked: NaN. weights[1326] are
   at least 0 and below 2^1000, or NULL for all equal. They are rounded to 40 bits below the largest on the
   board, so a smaller weight counts as 0; then every sum is exact. */
#ifndef BAYCARP_SWEEP_H
#define BAYCARP_SWEEP_H

#include <stdint.h>

#include "baycarp/simd.h"
#include "baycarp/stop.h"

/* hs[1326]: the share of the weighted range that each holding beats now, ties half, on a board of n = 3, 4 or
   5 cards. NaN also if the holding and the board block the range. */
void bc_sweep(enum bc_simd level, const uint8_t *board, int n, const double *weights, double *hs);

/* Strength now, and positive and negative potential with one card to come, against a uniform range, on a
   board of n = 3 or 4 cards. strength.h has the formulas. */
void bc_sweep_potential(enum bc_simd level, const uint8_t *board, int n, double *hs, double *ppot,
                        double *npot);

/* E[HS] and E[HS^2] of every holding: the means of its strength against the range, and of the square, over
   all completions of a board of n = 0, 3, 4 or 5 cards with a rival; NaN if there is none. Sums are exact:
   integers for a uniform range, otherwise of strengths and squares rounded to 40 bits (except on an empty
   board). */
void bc_sweep_expected(enum bc_simd level, const uint8_t *board, int n, const double *weights, bc_stop stop,
                       double *mean, double *square);

#endif

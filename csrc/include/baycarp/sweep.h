/* Every holding on a board at once.

   Rank all holdings, sort them, and walk up the order: the weight passed so far is what a holding beats. A
   holding's own cards block others, so the weight passed is also kept by card, and what a holding shares a
   card with is taken off again (a holding that shares both cards is the holding itself). One board costs a
   sort, not the product of two ranges.

   Indexed by holding (card.h); a holding that shares a card with the board is blocked: NaN. weights[1326] are
   at least 0 and below 2^1000, or NULL for all equal. They are rounded to 40 bits below the greatest on the
   board, so a smaller one counts as none; then every sum is exact. */
#ifndef BAYCARP_SWEEP_H
#define BAYCARP_SWEEP_H

#include <stdint.h>

/* hs[1326]: the share of the weighted range that each holding beats now, ties half, on a board of n = 3, 4 or
   5 cards. NaN also where nothing of the range is left beside the holding. */
void bc_sweep(const uint8_t *board, int n, const double *weights, double *hs);

/* Strength now, and positive and negative potential with one card to come, against all holdings alike; on a
   board of n = 3 or 4 cards. strength.h has the formulas. */
void bc_sweep_potential(const uint8_t *board, int n, double *hs, double *ppot, double *npot);

/* E[HS] and E[HS^2] of every holding over all ways to complete a board of n = 3, 4 or 5 cards, against all
   holdings alike. */
void bc_sweep_expected(const uint8_t *board, int n, double *mean, double *square);

#endif

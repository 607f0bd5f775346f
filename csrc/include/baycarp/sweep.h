/* Every holding on a board at once.

   Rank all holdings, sort them, and walk up the order: the weight passed so far is what a holding beats. A
   holding's own cards block others, so the weight passed is also kept by card, and what a holding shares a
   card with is taken off again (a holding that shares both cards is the holding itself). One board costs a
   sort, not the product of two ranges. Sums are in double: exact for integer and dyadic weights.

   Indexed by holding (card.h); a holding that shares a card with the board is blocked: NaN. */
#ifndef BAYCARP_SWEEP_H
#define BAYCARP_SWEEP_H

#include <stdint.h>

/* hs[1326]: the share of the weighted range that each holding beats now, ties half, on a board of n = 3, 4 or
   5 cards. weights[1326] >= 0, or NULL for all equal. NaN also where nothing of the range is left. */
void bc_sweep(const uint8_t *board, int n, const double *weights, double *hs);

/* Strength now, and positive and negative potential with one card to come, against all holdings alike; on a
   board of n = 3 or 4 cards. PPot = (behind -> ahead + behind -> tied / 2 + tied -> ahead / 2) / (behind +
   tied / 2), NPot mirrored (Billings et al. 2002), counted over holdings x next cards; 0 where nothing is
   behind, or ahead. */
void bc_sweep_potential(const uint8_t *board, int n, double *hs, double *ppot, double *npot);

/* E[HS] and E[HS^2] of every holding over all ways to complete a board of n = 3, 4 or 5 cards. */
void bc_sweep_expected(const uint8_t *board, int n, const double *weights, double *mean, double *square);

#endif

/* Hand strength, potential, expected strength and equity of a holding against a weighted range.

   Billings, Papp, Schaeffer and Szafron (1998), "Opponent modeling in poker"; Papp (1998), section 5.2.
   Each holding of the opponent is compared with ours now and on every board to come (a future); its weight
   counts once in each future:

       HS   = (now[A] + now[T] / 2) / (now[A] + now[T] + now[B])
       PPot = (then[B][A] + then[B][T] / 2 + then[T][A] / 2) / (total[B] + total[T] / 2)
       NPot = (then[A][B] + then[A][T] / 2 + then[T][B] / 2) / (total[A] + total[T] / 2)

   with A, T, B = ahead, tied, behind, and total[x] the sum of the row then[x]. Futures are counted in
   integers, and weights only added, in double: exact for integer or dyadic weights. */
#ifndef BAYCARP_STRENGTH_H
#define BAYCARP_STRENGTH_H

#include <stdbool.h>
#include <stdint.h>

#include "baycarp/simd.h"

enum bc_standing { BC_AHEAD, BC_TIED, BC_BEHIND };

typedef struct {
    double now[3];     /* weight of the holdings behind, tied with and ahead of ours */
    double then[3][3]; /* weight of their futures, by standing now and then */
} bc_standings;

/* Compare a holding with a range, now and `ahead` cards later.

   hole: two cards; board: n = 3..5 others; ahead: 0..5 - n, 0 leaves `then` empty; weights: BC_HOLDINGS
   numbers >= 0, or NULL for 1 each. Holdings that share a card with hole or board do not count. Returns
   whether any weight is not blocked. */
bool bc_strength(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, int ahead,
                 const double *weights, bc_standings *out);

/* The same against each of several ranges, for which the futures are counted once: an element of `out` each.
   Returns the number of ranges, or the place of the first whose weights are all blocked, where it ends. */
int bc_strengths(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, int ahead,
                 const double *const *weights, int ranges, bc_standings *out);

/* The values above; the potential of an empty event is 0. bc_hs requires a positive weight. */
double bc_hs(const bc_standings *standings);
double bc_ppot(const bc_standings *standings);
double bc_npot(const bc_standings *standings);

/* The weight that a holding beats at showdown, ties counted half, summed over all complete boards; met: the
   weight of the holdings beside it, over as many boards. n = 3..5; weights: BC_HOLDINGS numbers >= 0. */
double bc_beaten(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, const double *weights,
                 double *met);

/* Mean and mean square, over all complete boards, of the strength of a holding against a uniform range. */
void bc_expected_strength(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, double *mean,
                          double *square);

#endif

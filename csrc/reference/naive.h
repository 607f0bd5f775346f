/* strength.h by its definitions, holding by holding and board by board: the reference of the tests and
   benchmarks of the fast kernels. */
#ifndef BAYCARP_NAIVE_H
#define BAYCARP_NAIVE_H

#include "baycarp/strength.h"

/* bc_strength: every holding of the opponent, and beside each every future. Both hands are ranked in each,
   or, if `shared`, ours once for all holdings. */
bool bc_naive_strength(const uint8_t *hole, const uint8_t *board, int n, int ahead, const double *weights,
                       bool shared, bc_standings *out);

/* bc_expected_strength: every complete board, and on each every holding of the opponent. */
void bc_naive_expected_strength(const uint8_t *hole, const uint8_t *board, int n, double *mean,
                                double *square);

#endif

/* sweep.h and equity.h without their tricks: what tests hold the fast kernels against, and what benchmarks
   measure them by. */
#ifndef BAYCARP_NAIVE_SWEEP_H
#define BAYCARP_NAIVE_SWEEP_H

#include <stdint.h>

#include "baycarp/equity.h"

/* bc_sweep and bc_sweep_expected: on each board, of every holding the weight of all others below its rank,
   less the holdings that share a card with it, compared one by one. Weights are whole, or NULL for 1 each. */
void bc_naive_sweep(const uint8_t *board, int n, const double *weights, double *hs);
void bc_naive_sweep_expected(const uint8_t *board, int n, const double *weights, double *mean,
                             double *square);

/* bc_equity: for every holding of a every board, and on it every holding of b that is left, each ranked anew.
 */
void bc_naive_equity(const double *a, const double *b, const uint8_t *board, int n, bc_shares *sum);

#endif

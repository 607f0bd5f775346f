/* All-in equity of one range against another: every pair of holdings that share no card, on every board.

   A pair weighs a[i] * b[j]. On each complete board a few pairs are compared one by one, many by a walk over
   all holdings (showdown.h), for which b is rounded to 40 bits below its greatest weight. Sums are in double:
   exact for whole or dyadic weights, as long as none has more than 53 bits. */
#ifndef BAYCARP_EQUITY_H
#define BAYCARP_EQUITY_H

#include <stdint.h>

#include "baycarp/simd.h"
#include "baycarp/stop.h"

typedef struct {
    double won;   /* weight of the pairs that a wins, ties counted half, over all boards */
    double total; /* weight of all pairs, over all boards; 0 where the ranges leave no pair */
} bc_shares;

/* Add to `sum` every complete board that holds the n = 0..5 cards of `board`; if `lowest` is not -1, only
   those of which the lowest rank to come is this one, 0..12.

   So a long enumeration splits into 13 parts; with the first comes the total of all. a, b: BC_HOLDINGS
   numbers
   >= 0. */
void bc_equity(enum bc_simd level, const double *a, const double *b, const uint8_t *board, int n, int lowest,
               bc_stop stop, bc_shares *sum);

#endif

/* All-in equity of one range against another: every pair of holdings that share no card, on every board.

   The weight of a pair is a[i] * b[j]. On each complete board few pairs are compared one by one, many by a
   pass over all holdings (showdown.h), for which b is rounded to 40 bits below its largest weight. Sums are
   in double: exact for integer or dyadic weights if no sum has more than 53 bits. */
#ifndef BAYCARP_EQUITY_H
#define BAYCARP_EQUITY_H

#include <stdint.h>

#include "baycarp/simd.h"
#include "baycarp/stop.h"

typedef struct {
    double won;   /* weight of the pairs that a wins, ties counted half, over all boards */
    double total; /* weight of all pairs, over all boards; 0 without a compatible pair */
} bc_shares;

/* Add every completion of the n = 0..5 cards of `board` to `sum`; if `lowest` is not -1, only those with this
   lowest rank to come, 0..12, which splits a long enumeration into 13 parts. The first part adds the total of
   all parts. a, b: BC_HOLDINGS numbers >= 0. */
void bc_equity(enum bc_simd level, const double *a, const double *b, const uint8_t *board, int n, int lowest,
               bc_stop stop, bc_shares *sum);

#endif

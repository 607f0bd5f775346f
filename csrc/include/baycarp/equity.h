/* All-in equity of one range against another: every pair of holdings that share no card, on every board.

   A pair weighs a[i] * b[j]. On each complete board a few pairs are compared one by one, many by a sweep.
   Sums are in double: with whole or dyadic weights the total is exact, and so is what few pairs have won. */
#ifndef BAYCARP_EQUITY_H
#define BAYCARP_EQUITY_H

#include <stdint.h>

typedef struct {
    double won;   /* weight of the pairs that a wins, ties counted half, over all boards */
    double total; /* weight of all pairs, over all boards; 0 where the ranges leave no pair */
} bc_shares;

/* Add to `sum` every complete board that holds the n = 0..5 cards of `board` and others not below `lowest`.

   So a long enumeration splits into parts, one for each choice of its lowest cards. a, b: BC_HOLDINGS numbers
   >= 0. */
void bc_equity(const double *a, const double *b, const uint8_t *board, int n, int lowest, bc_shares *sum);

#endif

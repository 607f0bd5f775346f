/* The weight that every holding beats at showdown, summed over all final boards.

   Without a flush, a rank depends on the ranks of cards alone: on one board the 1,326 holdings form 91
   classes by their two ranks, of 16 (or 6) pairs of suits each. In ascending order of the classes, the
   cumulative weight is the weight that a class beats. The cumulative weight is also stored by card, to
   subtract the holdings that share a card; for the contiguous pairs of suits of a class this is a few vector
   additions. If the board has three cards of a suit, holdings that make a flush are not in their classes but
   ordered among them by their flush cards.

   Boards with the same ranks share the order. Suits whose swap does not change range and board are twins: of
   the boards that differ by swaps of twins only one is computed, weighted by their number. */
#ifndef BAYCARP_SHOWDOWN_H
#define BAYCARP_SHOWDOWN_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/simd.h"
#include "baycarp/stop.h"

enum bc_tally {
    BC_BEATEN,   /* sum: twice the weight beaten plus the weight tied */
    BC_MOMENTS,  /* also square: the sum of its squares */
    BC_STRENGTH, /* sum: the strength on a complete board; NaN without rivals */
    BC_STRENGTHS /* strength and its square, each rounded to 40 bits: sum of twice the strength, square of
                    four times its square; unmet: boards without rivals */
};

typedef struct {
    const double *weights; /* of the range, BC_HOLDINGS numbers >= 0 and below 2^1000; NULL for 1 each */
    const double *others;  /* of an opposing range; NULL for none */
    enum bc_tally tally;
    uint8_t board[5];
    int shown, to_come;
    int lowest;      /* only boards with this lowest rank to come; -1 = all */
    uint64_t out;    /* cards shown */
    uint64_t held;   /* other removed cards */
    uint8_t twin[4]; /* the first twin of each suit */
    bc_stop stop;

    double sum[BC_HOLDINGS], square[BC_HOLDINGS], unmet[BC_HOLDINGS]; /* without others */
    double won, met;                                                  /* with others */
} bc_showdowns;

/* A range on a board of n cards, `to_come` more to come; n + to_come is 3 to 5. Weights are rounded to 40
   bits below the largest unblocked one; then every sum, and twice it, is exact. Defaults: the tally
   BC_BEATEN, no others, no removed cards, no twins. */
void bc_showdowns_start(const uint8_t *board, int n, int to_come, const double *weights, bc_showdowns *s);

/* Find the twins: suits whose swap changes neither the known or removed cards nor any weights. */
void bc_showdowns_twins(bc_showdowns *s);

/* Compute the sums, undefined for blocked holdings; or, with others, the weight that they win over all boards
   and the weight of the compatible pairs. With twins only the total of the sums over swapped holdings is
   right; bc_showdowns_spread distributes it. */
void bc_showdowns_run(enum bc_simd level, bc_showdowns *s);
void bc_showdowns_spread(const bc_showdowns *s, double *sum);

#endif

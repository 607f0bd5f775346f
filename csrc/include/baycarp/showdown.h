/* What every holding beats at showdown, summed over all boards that may come.

   Off a flush a rank depends on ranks alone, so on one board the 1,326 holdings fall into 91 classes by their
   two ranks, of 16 (or 6) pairs of suits each. Put the classes in order and walk up: the weight passed so far
   is what a class beats. A holding's own cards block others, so the weight passed is also kept by card, and
   what shares a card with a holding is taken off again; the pairs of suits lie side by side, so that this is
   a few additions of vectors a class. Where the board holds three of a suit, the holdings that make a flush
   are left out of their classes and walked between them, by their flush cards.

   Boards with the same ranks share the order. Suits that may be swapped without any change to range and board
   are twins: of the boards that differ by a swap only one is walked, and counts as often as there are. */
#ifndef BAYCARP_SHOWDOWN_H
#define BAYCARP_SHOWDOWN_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/simd.h"
#include "baycarp/stop.h"

enum bc_tally {
    BC_BEATEN,   /* sum: twice the weight beaten plus the weight tied */
    BC_MOMENTS,  /* and square: of that, the sum of squares */
    BC_STRENGTH, /* sum: the strength on the board shown, none to come; NaN without rivals */
    BC_STRENGTHS /* strength and its square, each rounded to 40 bits: sum of twice the one, square of four
                    times the other; unmet: boards without rivals */
};

typedef struct {
    const double *weights; /* of the range, BC_HOLDINGS numbers >= 0 and below 2^1000; NULL for 1 each */
    const double *others;  /* of a range against it, as many; NULL for none */
    enum bc_tally tally;
    uint8_t board[5];
    int shown, to_come;
    int lowest;      /* only boards of which the lowest rank to come is this one; -1 = all */
    uint64_t out;    /* cards shown */
    uint64_t held;   /* others that cannot come */
    uint8_t twin[4]; /* the first suit that each may be swapped with */
    bc_stop stop;

    double sum[BC_HOLDINGS], square[BC_HOLDINGS], unmet[BC_HOLDINGS]; /* where there are no others */
    double won, met;                                                  /* where there are */
} bc_showdowns;

/* A range on a board of n cards, `to_come` more to come; n + to_come is 3 to 5. Weights are rounded to 40
   bits below the greatest that the board leaves; then every sum, and twice it, is exact. The tally is
   BC_BEATEN, there are no others, nothing is held, and no suits are twins. */
void bc_showdowns_start(const uint8_t *board, int n, int to_come, const double *weights, bc_showdowns *s);

/* Find the twins: suits whose swap changes neither the cards shown or held nor any weights. */
void bc_showdowns_twins(bc_showdowns *s);

/* Fill the sums, those of blocked holdings with anything; or, with others against the range, what they have
   won over all boards, and the weight of the pairs that can meet on one. Where there are twins, a sum is
   right only together with those of the holdings that swaps make of this one: bc_showdowns_spread makes each
   right. */
void bc_showdowns_run(enum bc_simd level, bc_showdowns *s);
void bc_showdowns_spread(const bc_showdowns *s, double *sum);

#endif

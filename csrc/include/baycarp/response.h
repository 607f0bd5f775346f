/* The best response to a fixed strategy on one street of heads-up fixed-limit poker, for all holdings at
   once.

   The opponent's reach of a holding is the product of its probabilities of the actions that led here. The
   value of a holding of the responder is the sum, over the opponent's holdings that share no card with it, of
   reach times chips won; nothing is divided. At the responder's decisions the value is the greatest of its
   actions' values, at the opponent's the sum over actions, each with its own reach.

   A street has at most 4 bets, so 10 decisions and 9 ends at which no player has folded:

     decision   0..4: bets made, nobody has checked; 5..9: the same after a check. Even ones: the first
   player's end        0..3: 1..4 bets called; 4: checked twice; 5..8: the same after a check

   Eight streets that differ in chips and policies, but not in cards, are computed side by side, in lanes:
   every level of instruction sets gives the same bits. After Johanson, Waugh, Bowling and Zinkevich (2011).
 */
#ifndef BAYCARP_RESPONSE_H
#define BAYCARP_RESPONSE_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/simd.h"
#include "baycarp/stop.h"

#define BC_STREET_LANES 8
#define BC_STREET_BETS 4
#define BC_STREET_ENDS 9
#define BC_STREET_ANSWERS 5  /* decisions of the opponent: decision / 2 */
#define BC_STREET_SCRATCH 11 /* rows of n lanes */

typedef struct {
    double lane[BC_STREET_LANES];
} bc_lanes;

/* The cards may be any deck of at most 52, the holdings any pairs of them, ranked by the caller. */
typedef struct {
    int n;                   /* holdings that the board does not block, at most BC_HOLDINGS, */
    const uint16_t *holding; /* their rows in the arrays of all holdings, */
    const uint8_t *cards;    /* [n][2] their cards, different ones below BC_DECK, */
    const uint16_t *rank;    /* their ranks, ascending; NULL: another street follows */
    const uint16_t *cell;    /* and the opponent's class of each, below `cells` */
    int cells;
    int holdings; /* rows of the arrays of all holdings */
    int groups;   /* of eight streets: */
    const double
        *policy; /* [groups][BC_STREET_ANSWERS][cells][3][BC_STREET_LANES]: fold, check or call, raise */
    const bc_lanes *paid;  /* [groups] chips of each player before the street */
    double bet;            /* chips; */
    int most;              /* bets of the street, 1 to BC_STREET_BETS */
    int first;             /* whether the responder acts first */
    int images;            /* boards that differ by suits, this one included: */
    const uint16_t *image; /* [images][n] the row of each holding there */
    bc_lanes *scratch;     /* [BC_STREET_SCRATCH][n] */
    bc_stop stop;
} bc_street;

/* The opponent's reach at the ends of the street: of reach[groups][holdings] in ends[groups * 9][holdings].
   Rows of blocked holdings are not read, and are 0 in `ends`. */
void bc_street_reach(enum bc_simd level, const bc_street *s, const bc_lanes *reach, bc_lanes *ends);

/* Add the values at the start of the street to value[groups][holdings], for every image of each of n boards
   with the same groups and holdings. `ends` has the values at the ends; NULL on the last street, where ends
   are showdowns. A group is valued on every board before the next, so that its reach and policies are in the
   cache. */
void bc_street_value(enum bc_simd level, const bc_street *boards, int n, const bc_lanes *reach,
                     const bc_lanes *ends, bc_lanes *value);

#endif

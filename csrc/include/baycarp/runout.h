/* Pot shares of known holdings over the cards to come, when the betting is over.

   Every holding is ranked once on each complete board; then each requested set of contenders shares a pot.
   A pot has BC_PORTIONS portions, divisible by any number of winners, so that sums are exact integers. */
#ifndef BAYCARP_RUNOUT_H
#define BAYCARP_RUNOUT_H

#include <stdint.h>

#include "baycarp/rng.h"
#include "baycarp/stop.h"

#define BC_PORTIONS 2520 /* the least common multiple of 1..10 */

typedef struct {
    const uint8_t *holes; /* two cards per player */
    int players;          /* 1..10 */
    uint8_t board[5];     /* the first `shown` cards are known */
    int shown;            /* 0..5 */
    uint64_t dead;        /* other removed cards */
    const uint16_t *sets; /* contenders, one bit per player, at least one */
    int count;            /* number of sets */
    bc_stop stop;
} bc_runout;

/* Over all boards: portions won, by set and player, count * players numbers. Returns the number of boards. */
int64_t bc_runout_exact(const bc_runout *run, int64_t *won);

/* Over `boards` sampled boards. */
void bc_runout_sampled(bc_rng *rng, const bc_runout *run, int64_t boards, int64_t *won);

#endif

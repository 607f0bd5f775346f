/* Winnings of known holdings when all betting is over: pot shares over the cards still to come.

   Every holding is ranked once on each complete board; then each requested set of contenders shares one
   pot. A pot has BC_PORTIONS portions, which any number of winners divide without rest, so that sums are
   whole and exact, whatever the order of the boards. */
#ifndef BAYCARP_RUNOUT_H
#define BAYCARP_RUNOUT_H

#include <stdint.h>

#include "baycarp/rng.h"
#include "baycarp/stop.h"

#define BC_PORTIONS 2520 /* the least common multiple of 1..10 */

typedef struct {
    const uint8_t *holes; /* two cards a player */
    int players;          /* 1..10 */
    uint8_t board[5];     /* its first `shown` cards lie on the table */
    int shown;            /* 0..5 */
    uint64_t dead;        /* cards that cannot come, besides those of the players and the board */
    const uint16_t *sets; /* contenders, one bit a player, at least one */
    int count;            /* number of sets */
    bc_stop stop;
} bc_runout;

/* Over all boards: portions won, by set and player, count * players numbers. Returns the number of boards. */
int64_t bc_runout_exact(const bc_runout *run, int64_t *won);

/* Over `boards` boards drawn from the cards that are left. */
void bc_runout_sampled(bc_rng *rng, const bc_runout *run, int64_t boards, int64_t *won);

#endif

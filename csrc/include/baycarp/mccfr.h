/* Monte Carlo counterfactual regret minimisation with external sampling (Lanctot, Waugh, Zinkevich and
   Bowling 2009), for a betting game of two players with buckets: no-limit hold'em inside an abstraction.

   A walk visits one deal for one player: it tries all actions of its own, and draws one action of the
   opponent at each of the opponent's nodes. An iteration is a walk for each player; tables are changed in
   place, so that an iteration learns from the one before.

   Cells. A cell is a float for (node, bucket, action), in this order. A player's strategy is proportional to
   the positive cells of the actions, and uniform where there are none: of regrets as of averages and of
   probabilities. */
#ifndef BAYCARP_MCCFR_H
#define BAYCARP_MCCFR_H

#include <stddef.h>
#include <stdint.h>

#include "baycarp/deals.h"
#include "baycarp/stop.h"

enum { BC_MCCFR_ACTIONS = 8, BC_MCCFR_DEPTH = 512 };

/* At most BC_MCCFR_ACTIONS actions a node, and BC_MCCFR_DEPTH nodes on a path. */
typedef struct {
    int nodes;
    const int32_t *edge;  /* nodes + 1 numbers: the edges of a node are edge[node] .. edge[node + 1] - 1 */
    const int32_t *child; /* by edge: a later node, or -1 - end */
    const uint8_t *actor, *street; /* by node */
    const float *chips;            /* by end: what the loser pays the winner */
    const int8_t *folded;          /* by end: the player that folded; -1 = showdown */
    const int64_t *cell;           /* by node: its first cell */
} bc_mccfr_game;

typedef struct {
    const bc_mccfr_game *game;
    int learns[2];     /* by player: whether it has walks */
    float *regret;     /* added to: weight times the sampled regret of every action */
    const float *play; /* the opponent's strategy: `regret` itself, where both players learn */
    float *average;    /* NULL, or added to: weight times the opponent's strategy where a walk visits it */
    int64_t step;      /* the weight of iteration i, counted from 0, is 1 + i / step: linear */
    uint64_t seed;
} bc_mccfr_run;

/* Iterations `first` to first + n - 1, one a deal. Returns how many were done: fewer after `stop`, and then
   the tables are those after that many. */
int64_t bc_mccfr_learn(const bc_mccfr_run *run, int64_t first, int64_t n, const bc_dealt *deals,
                       bc_stop stop);

/* What player 0 wins in the mean over all betting, by deal; player p follows strategy[p]. Returns how many
   deals were valued. */
int64_t bc_mccfr_values(const bc_mccfr_game *game, const float *const strategy[2], int64_t n,
                        const bc_dealt *deals, double *value, bc_stop stop);

#endif

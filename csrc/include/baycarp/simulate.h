/* Selective simulations: the value of a call and of a raise in limit hold'em after the flop.

   A trial deals every opponent still in a holding from its weight table, then the rest of the board, and
   plays the hand out twice: once from our call, once from our raise, with the same cards and the same
   uniforms. All later actions, including ours, are sampled from the triples of triple.h (Billings et al.
   1999, section 5; Peña 1999). The value of a fold is 0, that of a call or raise the chips won from this
   decision on.

   Our choices: opponents are dealt in random order, a holding with a dealt card is sampled again; inside a
   trial strength is against one random holding (bc_sweep), and potential is that of the current board. */
#ifndef BAYCARP_SIMULATE_H
#define BAYCARP_SIMULATE_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/game.h"
#include "baycarp/rng.h"
#include "baycarp/simd.h"
#include "baycarp/triple.h"

enum { BC_WORTH_CALL, BC_WORTH_RAISE, BC_WORTH_GAP, BC_WORTHS }; /* gap: raise minus call, paired */

/* About 700 KB. The caller fills the first part, bc_simulation_start the rest. */
typedef struct {
    bc_variant variant; /* limit */
    bc_state state;     /* hero is to act, on the flop or later */
    enum bc_simd level; /* of the sweeps */
    uint8_t hole[2], board[5];
    bc_rules rules[BC_SEATS];
    double weights[BC_SEATS][BC_HOLDINGS]; /* of the opponents in; replaced by cumulative sums at the start */
    double ppot[BC_HOLDINGS], npot[BC_HOLDINGS]; /* one card ahead of the current board */
    double worth[BC_WORTHS], squares[BC_WORTHS]; /* sums over the trials; chips */
    int64_t trials;
    int hero, shown; /* shown: 3, 4 or 5 cards of the board */
    bool can_raise;
    bc_rng rng;
    uint64_t ready;                    /* next cards with computed strengths */
    double now[BC_HOLDINGS];           /* strengths on the current board */
    double next[BC_DECK][BC_HOLDINGS]; /* one card later, computed at first use */
    double end[BC_HOLDINGS];           /* two cards later, computed for each trial that reaches it */
} bc_simulation;

void bc_simulation_start(bc_simulation *sim, uint64_t seed);

/* Simulate more trials. Calls with n and m give the same bits as one call with n + m. */
void bc_simulate(bc_simulation *sim, int trials);

#endif

/* Selective simulations: the worth of a call and of a raise in limit hold'em after the flop.

   A trial deals every opponent still in a holding from its weight table, then the rest of the board, and
   plays the hand out twice: once from our call, once from our raise, with the same cards and the same
   uniforms. All later actions, ours too, are drawn from the triples of triple.h (Billings et al. 1999,
   section 5; Peña 1999). A fold is worth 0; the other two are worth what is won from here on.

   Our own choices: opponents are dealt in random order, a holding that clashes is drawn again; inside a trial
   strength is against one random holding (bc_sweep), and potential is that of the board now. */
#ifndef BAYCARP_SIMULATE_H
#define BAYCARP_SIMULATE_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/game.h"
#include "baycarp/rng.h"
#include "baycarp/simd.h"
#include "baycarp/triple.h"

enum { BC_WORTH_CALL, BC_WORTH_RAISE, BC_WORTH_GAP, BC_WORTHS }; /* gap: raise minus call, paired */

/* About 700 KB; the caller owns it. The caller fills the first part, the rest by bc_simulation_start. */
typedef struct {
    bc_variant variant; /* limit */
    bc_state state;     /* hero is to act, on the flop or later */
    enum bc_simd level; /* of the sweeps */
    uint8_t hole[2], board[5];
    bc_rules rules[BC_SEATS];
    double weights[BC_SEATS][BC_HOLDINGS];       /* of the opponents in; summed up by the start */
    double ppot[BC_HOLDINGS], npot[BC_HOLDINGS]; /* one card ahead of the board now */
    double worth[BC_WORTHS], squares[BC_WORTHS]; /* sums over the trials; chips */
    int64_t trials;
    int hero, shown; /* shown: 3, 4 or 5 cards of the board */
    bool can_raise;
    bc_rng rng;
    uint64_t ready;                    /* next cards whose strengths are made */
    double now[BC_HOLDINGS];           /* strengths on the board now */
    double next[BC_DECK][BC_HOLDINGS]; /* and one card later, made when first needed */
    double end[BC_HOLDINGS];           /* and two cards later, made again for each trial that gets there */
} bc_simulation;

void bc_simulation_start(bc_simulation *sim, uint64_t seed);

/* Play more trials. Two calls of n and m give, bit for bit, what one call of n + m gives. */
void bc_simulate(bc_simulation *sim, int trials);

#endif

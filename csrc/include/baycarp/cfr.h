/* Counterfactual regret minimisation for a two-player betting game with private holdings and a public board:
   public chance sampling (Johanson, Bard, Lanctot, Gibson and Bowling 2012). One walk visits all betting on
   one board, with vectors over all holdings, so that showdowns and folds are exact, blockers included: a
   holding never meets one that shares a card with it.

   Betting. Every street has one betting tree, the same after every betting of the streets before: true of
   fixed limit with deep stacks. An entry is one way to reach a street. BC_CFR_LANES entries are a block,
   walked together, so that every loop runs over entries at equal work. The street before the flop has one
   entry, in lane 0. While a street has one block, leaf `c` of its lane `l` is entry l * leaves + c of the
   next street, in block e / BC_CFR_LANES and lane e % BC_CFR_LANES; from then on, leaf `c` of block `b` is
   block b * leaves + c with the same lanes. Lanes without an entry are never reached.

   Tables. A cell is a float for (street, block, node, action, bucket, lane), in this order, the streets one
   after another; the buckets are those of the node's actor. Actions are 0 fold, 1 check or call, 2 bet or
   raise.

   Best responses on the last street. A walk of the hero may choose, holding by holding, the action of the
   largest value on the last street instead of mixing by its strategy, and record the choices; a walk of the
   other player then replays them. With both, the other player learns against an opponent that plays a best
   response there: CFR-BR (Johanson, Bard, Burch and Bowling 2012). */
#ifndef BAYCARP_CFR_H
#define BAYCARP_CFR_H

#include <stddef.h>
#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/game.h"
#include "baycarp/simd.h"

enum { BC_CFR_LANES = 8, BC_BETTING_NODES = 16, BC_ACTIONS = 3 };

/* A child that is no node of the street. */
enum { BC_CFR_ILLEGAL = -1, BC_CFR_FOLD = -2, BC_CFR_LEAF = -3 /* BC_CFR_LEAF - c: leaf c */ };

typedef struct {
    int nodes, leaves, blocks, lanes; /* lanes: those with entries, of the only block */
    int buckets[2];                   /* by player */
    int8_t actor[BC_BETTING_NODES];   /* player 0 or 1; node 0 is the first */
    int8_t child[BC_BETTING_NODES][BC_ACTIONS];
    float folded[BC_BETTING_NODES];  /* by the node's actor since the street's entry */
    float matched[BC_BETTING_NODES]; /* by each player since the street's entry, by leaf */
    const float *entry;              /* by block and lane: by each player before the street */
    size_t first, block;             /* the street's first cell, and the cells of a block */
    size_t node[BC_BETTING_NODES];   /* the first cell of a node in its block */
} bc_betting;

typedef struct {
    int streets; /* 1..4; the leaves of the last are showdowns */
    bc_betting street[BC_STREETS];
} bc_betting_game;

/* Five board cards with the holdings beside them, in ascending order of their ranks. */
typedef struct {
    int count;
    uint8_t card[BC_HOLDINGS][2];
    uint16_t holding[BC_HOLDINGS];
    uint16_t tied[BC_HOLDINGS];                  /* the end of the group of equal ranks */
    uint16_t bucket[2][BC_STREETS][BC_HOLDINGS]; /* by player */
} bc_deal;

/* The cells of all streets; also sets `first`, `block` and `node` of every street. */
size_t bc_cfr_cells(bc_betting_game *game);

/* Floats of a walk's scratch memory. */
size_t bc_cfr_scratch(const bc_betting_game *game);

/* Choices of a walk: one a holding and lane of every node of the last street. */
size_t bc_cfr_choices(const bc_betting_game *game, const bc_deal *deal);

/* bucket[player][street * BC_HOLDINGS + holding], read for the holdings in play: those of `dealt`, a flag a
   holding (NULL = all), that the board does not block. */
void bc_cfr_deal(const uint8_t *board, const uint16_t *const bucket[2], int streets, const uint8_t *dealt,
                 bc_deal *deal);

/* Walk the betting on one board, both players following `strategy`. The mean over the opponent's holdings,
   each of weight `share`, is in the unit of the contributions.

   value[BC_HOLDINGS]: by holding of `hero`, what it wins in total; 0 for those not in play. Added to, unless
   NULL: regret, the counterfactual regret of every action of hero; average, the other player's probability of
   reaching a cell with it, except in the cells of a street whose actions are recorded or replayed. scratch:
   bc_cfr_scratch floats. choices: bc_cfr_choices bytes, NULL for BC_CFR_MIX. */
enum bc_cfr_last { BC_CFR_MIX, BC_CFR_RECORD, BC_CFR_REPLAY };

typedef struct {
    const bc_betting_game *game;
    const bc_deal *deal;
    const float *strategy;
    int hero;
    float share;
    float *regret, *average, *scratch;
    enum bc_cfr_last last;
    int8_t *choices;
} bc_cfr_walk;

void bc_cfr_visit(enum bc_simd level, const bc_cfr_walk *walk, float *value);

/* One step of learning, from the sums of walks with this hero.

   The hero's regrets: regret = discount * (regret + change), with discount[0] where that is negative,
   discount[1] elsewhere; its strategy: proportional to the positive regrets of a cell's actions, uniform
   without any. The other player's averages: average = keep * average + weight * reached. CFR+ (Tammelin 2014)
   has discounts 0 and 1, keep 1 and weight t; linear and discounted CFR (Brown and Sandholm 2019) have
   others. */
typedef struct {
    float discount[2], keep, weight;
} bc_cfr_step;

void bc_cfr_learn(const bc_betting_game *game, int hero, const bc_cfr_step *step, const float *change,
                  const float *reached, float *regret, float *average, float *strategy);

/* The policy of the sums: each node's actions in proportion to them, uniform where they are 0. */
void bc_cfr_policy(const bc_betting_game *game, const float *average, float *policy);

/* The hero's best actions: policy becomes 1 for the action with the largest sum, 0 for others; the first of
   equals. Where all sums are equal, as in cells never reached, it stays. */
void bc_cfr_greedy(const bc_betting_game *game, int hero, const float *sum, float *policy);

#endif

/* A spot with random ranges, whose streets have one bet of one size, for tests. */
#ifndef BAYCARP_TESTS_SPOT_GAME_H
#define BAYCARP_TESTS_SPOT_GAME_H

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "baycarp/rng.h"
#include "baycarp/spot.h"

enum { NODES = 64, MANY = 60 };

static bc_rng rng;
static uint8_t kind[NODES];
static int8_t player[NODES];
static int32_t first[NODES], count[NODES], work[3 * NODES];
static double payoff[NODES][2][3];
static uint8_t card[2][MANY][2];
static float weight[2][MANY];
static bc_spot_game game;

static int new_nodes(int number) {
    const int at = game.tree.nodes;
    game.tree.nodes += number;
    assert(game.tree.nodes <= NODES);
    return at;
}

static void set_leaf(int node, int is_fold, double pot, double in0, double in1, int loser) {
    kind[node] = is_fold ? BC_SPOT_END : BC_SPOT_SHOWDOWN;
    const double in[2] = {in0, in1}, all = pot + in0 + in1;
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 3; k++) {
            const double part = is_fold ? p != loser : (2 - k) / 2.0;
            payoff[node][p][k] = all * part - in[p];
        }
}

/* A street on which the first player checks or bets, the second one checks or bets or answers. */
static void set_street(int node, int streets, double pot, double paid, double bet) {
    const int root = node, actions = new_nodes(2);
    kind[root] = BC_SPOT_DECISION, player[root] = 0, first[root] = actions, count[root] = 2;
    const int after_check = new_nodes(2), after_bet = new_nodes(2), after_both = new_nodes(2);
    kind[actions] = BC_SPOT_DECISION, player[actions] = 1, first[actions] = after_check, count[actions] = 2;
    kind[actions + 1] = BC_SPOT_DECISION, player[actions + 1] = 1, first[actions + 1] = after_bet;
    count[actions + 1] = 2;
    kind[after_check + 1] = BC_SPOT_DECISION, player[after_check + 1] = 0,
                       first[after_check + 1] = after_both;
    count[after_check + 1] = 2;
    set_leaf(after_bet, 1, pot, paid + bet, paid, 1);
    set_leaf(after_both, 1, pot, paid, paid + bet, 0);
    const int on[3] = {after_check, after_bet + 1, after_both + 1};
    for (int k = 0; k < 3; k++) {
        const double in = paid + (k ? bet : 0);
        if (streets == 1 || k == 2) { /* the last line is all-in */
            set_leaf(on[k], 0, pot, in, in, 0);
            continue;
        }
        const int next = new_nodes(1);
        kind[on[k]] = BC_SPOT_DEAL, first[on[k]] = next, count[on[k]] = 1;
        set_street(next, streets - 1, pot, in, bet);
    }
}

/* All streets to come with one `bet`, or the last ones without betting. */
static void set_spot(int cards, int holdings, int streets) {
    uint64_t known = 0;
    memset(&game, 0, sizeof game);
    game.cards = cards, game.bits = 32, game.threads = 1;
    for (int i = 0; i < cards; i++) {
        do game.board[i] = (uint8_t)bc_rng_below(&rng, BC_DECK);
        while (known & bc_bit(game.board[i]));
        known |= bc_bit(game.board[i]);
    }
    for (int s = 0; s < 4; s++) game.suit[s] = (uint8_t)s;
    for (int p = 0; p < 2; p++) {
        uint8_t taken[BC_HOLDINGS] = {0};
        game.count[p] = holdings, game.card[p] = &card[p][0][0], game.weight[p] = weight[p];
        for (int i = 0; i < holdings;) {
            const int a = (int)bc_rng_below(&rng, BC_DECK), b = (int)bc_rng_below(&rng, BC_DECK);
            if (a == b || taken[bc_holding(a, b)]) continue;
            taken[bc_holding(a, b)] = 1;
            card[p][i][0] = (uint8_t)a, card[p][i][1] = (uint8_t)b;
            weight[p][i++] = (float)bc_rng_unit(&rng);
        }
    }
    game.tree = (bc_spot_tree){0, kind, player, first, count, &payoff[0][0][0]};
    set_street(new_nodes(1), streets, 100, 0, 60);
}

static bc_spot_solver *make(void) {
    const size_t bytes = bc_spot_bytes(&game, work);
    void *memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
    assert(memory);
    memset(memory, 0, bytes);
    return bc_spot_make(&game, work, memory);
}

#endif

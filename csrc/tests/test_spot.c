/* Spots against their definition, every pair of holdings and every card; a game with a known answer; the same
   bits at every level, for both sizes of numbers, and for several threads. */
#include "spot_game.h"

#include <math.h>

#include "baycarp/rank.h"

static void solve(enum bc_simd level, bc_spot_solver *s, int iterations) {
    const bc_spot_weights weights = {1.5, 0, 4, 0, 1};
    bc_spot_begin(s, iterations, &weights);
    bc_spot_run(level, s, 0, NULL);
}

static double value_of(enum bc_simd level, bc_spot_solver *s, int hero, enum bc_spot_mode mode) {
    bc_spot_begin_value(s, hero, mode, false);
    bc_spot_run(level, s, 0, NULL);
    return bc_spot_value(s);
}

/* Two holdings under uniform strategies, by definition: the mean chips of the first player. */
static double pair_value(int node, uint8_t *board, int dealt, int i, int j, int hero) {
    const int of = kind[node];
    uint64_t known =
        bc_bit(card[0][i][0]) | bc_bit(card[0][i][1]) | bc_bit(card[1][j][0]) | bc_bit(card[1][j][1]);
    for (int k = 0; k < dealt; k++) known |= bc_bit(board[k]);
    double sum = 0;
    if (of == BC_SPOT_DECISION) {
        for (int k = 0; k < count[node]; k++) sum += pair_value(first[node] + k, board, dealt, i, j, hero);
        return sum / count[node];
    }
    if (of == BC_SPOT_END) return payoff[node][hero][0];
    if (dealt < 5) {
        int cards = 0;
        for (int c = 0; c < BC_DECK; c++) {
            if (known & bc_bit(c)) continue;
            board[dealt] = (uint8_t)c;
            cards++;
            sum += pair_value(of == BC_SPOT_DEAL ? first[node] : node, board, dealt + 1, i, j, hero);
        }
        return sum / cards;
    }
    int rank[2];
    for (int p = 0; p < 2; p++) {
        uint8_t seven[7];
        memcpy(seven, board, 5);
        memcpy(seven + 5, p ? card[1][j] : card[0][i], 2);
        rank[p] = bc_rank_cards(seven, 7);
    }
    const int ahead = (rank[hero] > rank[1 - hero]) - (rank[hero] < rank[1 - hero]);
    return payoff[node][hero][1 - ahead];
}

/* The value at a node by pairs, with what is given instead if it is not NULL. */
static double naive_mean(int node, int hero, const double *chips, int taker) {
    double all = 0, mass = 0;
    uint8_t board[5];
    uint64_t known = 0;
    memcpy(board, game.board, 5);
    for (int k = 0; k < game.cards; k++) known |= bc_bit(board[k]);
    for (int i = 0; i < game.count[0]; i++)
        for (int j = 0; j < game.count[1]; j++) {
            const uint64_t a = bc_bit(card[0][i][0]) | bc_bit(card[0][i][1]);
            const uint64_t b = bc_bit(card[1][j][0]) | bc_bit(card[1][j][1]);
            if ((a & b) || ((a | b) & known)) continue;
            const double pair = (double)weight[0][i] * weight[1][j];
            mass += pair;
            const double given = chips ? chips[taker ? j : i] : 0;
            all += pair * (!chips          ? pair_value(node, board, game.cards, i, j, hero)
                           : hero == taker ? given
                                           : payoff[1][hero][0] - given);
        }
    return all / mass;
}

static double naive_value(int hero) {
    return naive_mean(0, hero, NULL, 0);
}

static double naive_gadget(int hero, int taker, const double *chips) {
    return (naive_mean(1, hero, chips, taker) + naive_mean(2, hero, NULL, 0)) / 2;
}

static void values_are_those_of_all_pairs(void) {
    for (int cards = 5; cards >= 3; cards--) {
        set_spot(cards, cards == 3 ? 4 : 8, 6 - cards < 2 ? 6 - cards : 2);
        if (cards == 3) set_spot(3, 4, 1);
        bc_spot_solver *s = make();
        if (bc_spot_mass(s) > 0)
            for (int hero = 0; hero < 2; hero++)
                assert(fabs(value_of(BC_BASE, s, hero, BC_SPOT_MEAN) - naive_value(hero)) < 1e-9);
        free(s);
    }
}

static void forms_have_the_same_bits(void) {
    for (int again = 0; again < 8; again++) {
        set_spot(again % 2 ? 4 : 5, MANY, again % 2 ? 2 : 1);
        game.bits = again & 2 ? 16 : 32;
        bc_spot_tables found[3];
        bc_spot_solver *s[3];
        for (int level = BC_BASE; level <= (int)bc_simd_best(); level++) {
            s[level] = make();
            solve((enum bc_simd)level, s[level], 7);
            found[level] = bc_spot_tables_of(s[level]);
            const size_t bytes = found[level].cells * (size_t)game.bits / 8;
            assert(!memcmp(found[0].regret, found[level].regret, bytes));
            assert(!memcmp(found[0].sum, found[level].sum, bytes));
            for (int hero = 0; hero < 2; hero++) {
                const double best = value_of((enum bc_simd)level, s[level], hero, BC_SPOT_FREE);
                const double mean = value_of((enum bc_simd)level, s[level], hero, BC_SPOT_MEAN);
                assert(best == value_of(BC_BASE, s[0], hero, BC_SPOT_FREE));
                assert(mean == value_of(BC_BASE, s[0], hero, BC_SPOT_MEAN) && best >= mean - 1e-9);
            }
        }
        for (int level = BC_BASE; level <= (int)bc_simd_best(); level++) free(s[level]);
    }
}

static void values_add_up_to_the_pot(void) {
    set_spot(4, MANY, 2);
    bc_spot_solver *s = make();
    solve(bc_simd_best(), s, 300);
    double mean = 0, best = 0;
    for (int hero = 0; hero < 2; hero++) {
        mean += value_of(bc_simd_best(), s, hero, BC_SPOT_MEAN);
        best += value_of(bc_simd_best(), s, hero, BC_SPOT_LOCKED);
    }
    assert(fabs(mean - 100) < 1e-9 && best >= 100 - 1e-9 && (best - 100) / 2 < 0.5);
    free(s);
}

/* Pot 1, bet 1: the second player has the best hand or nothing, half each; the first one beats nothing alone.
   Bluffs are a half of the value bets, and half of the bets are called: the first player has 1/4 of the pot.
 */
static void the_clairvoyance_game_is_solved(void) {
    static const uint8_t board[5] = {3, 5, 14, 28, 36}; /* 2s 3d 5h 9c Jc */
    static const uint8_t kings[2] = {44, 45}, aces[2] = {48, 49}, nothing[2] = {21, 26};
    memset(&game, 0, sizeof game);
    game.cards = 5, game.bits = 32, game.threads = 1, game.count[0] = 1, game.count[1] = 2;
    memcpy(game.board, board, 5);
    memcpy(card[0][0], kings, 2);
    memcpy(card[1][0], aces, 2);
    memcpy(card[1][1], nothing, 2);
    for (int p = 0; p < 2; p++) {
        game.card[p] = &card[p][0][0], game.weight[p] = weight[p];
        weight[p][0] = weight[p][1] = 1;
    }
    for (int i = 0; i < 4; i++) game.suit[i] = (uint8_t)i;
    game.tree = (bc_spot_tree){0, kind, player, first, count, &payoff[0][0][0]};
    const int root = new_nodes(1), choice = new_nodes(2), answer = new_nodes(2);
    kind[root] = BC_SPOT_DECISION, player[root] = 1, first[root] = choice, count[root] = 2;
    set_leaf(choice, 0, 1, 0, 0, 0);
    kind[choice + 1] = BC_SPOT_DECISION, player[choice + 1] = 0, first[choice + 1] = answer,
                  count[choice + 1] = 2;
    set_leaf(answer, 1, 1, 0, 1, 0);
    set_leaf(answer + 1, 0, 1, 1, 1, 0);
    bc_spot_solver *s = make();
    solve(BC_BASE, s, 4000);
    assert(fabs(value_of(BC_BASE, s, 0, BC_SPOT_MEAN) - 0.25) < 1e-3);
    const float *sums = bc_spot_tables_of(s).sum;
    const float *bets = sums + bc_spot_cell(s, root, 0), *calls = sums + bc_spot_cell(s, choice + 1, 0);
    int32_t listed[16];
    bc_spot_order(s, 0, 1, listed);
    for (int i = 0; i < 2; i++) {
        const double share = bets[16 + i] / (bets[i] + bets[16 + i]);
        assert(fabs(share - (listed[i] == 0 ? 1 : 0.5)) < 0.01);
    }
    assert(fabs(calls[16] / (calls[0] + calls[16]) - 0.5) < 0.01);
    free(s);
}

/* Suits that are interchangeable change nothing but the tables' size. */
static void merged_boards_have_the_values_of_all(void) {
    double found[2][2];
    size_t cells[2];
    for (int merged = 0; merged < 2; merged++) {
        set_spot(3, 1, 2);
        static const uint8_t flop[3] = {33, 30, 18}; /* Td 9h 6h */
        memcpy(game.board, flop, 3);
        for (int p = 0; p < 2; p++) {
            int n = 0;
            for (int a = 0; a < 4; a++)
                for (int b = 0; b < a; b++)
                    card[p][n][0] = (uint8_t)(48 - 8 * p + a), card[p][n++][1] = (uint8_t)(48 - 8 * p + b);
            for (int i = 0; i < n; i++) weight[p][i] = 1;
            game.count[p] = n;
        }
        if (merged) game.suit[3] = 0; /* clubs and spades */
        bc_spot_solver *s = make();
        solve(bc_simd_best(), s, 5);
        cells[merged] = bc_spot_tables_of(s).cells;
        for (int hero = 0; hero < 2; hero++)
            found[merged][hero] = value_of(bc_simd_best(), s, hero, BC_SPOT_LOCKED);
        free(s);
    }
    assert(cells[1] < cells[0] * 4 / 5);
    for (int hero = 0; hero < 2; hero++) assert(fabs(found[0][hero] - found[1][hero]) < 1e-4);
}

/* What is given, by pair: the second player takes it or plays on, half each; by definition and under a best
   response, at every level. */
static void the_gadget_has_the_values_of_all_pairs(void) {
    for (int cards = 5; cards >= 4; cards--)
        for (int taker = 0; taker < 2; taker++) {
            set_spot(cards, 12, 6 - cards);
            /* The tree moves down by two nodes: the choice, and what is given. */
            const int nodes = game.tree.nodes;
            for (int node = nodes - 1; node >= 0; node--) {
                kind[node + 2] = kind[node], player[node + 2] = player[node];
                first[node + 2] = first[node] + 2, count[node + 2] = count[node];
                memcpy(payoff[node + 2], payoff[node], sizeof payoff[node]);
            }
            new_nodes(2);
            kind[0] = BC_SPOT_DECISION, player[0] = (int8_t)taker, first[0] = 1, count[0] = 2;
            kind[1] = BC_SPOT_GIVEN, player[1] = (int8_t)taker, count[1] = 0;
            for (int p = 0; p < 2; p++)
                for (int k = 0; k < 3; k++) payoff[1][p][k] = 100;
            double chips[MANY];
            for (int i = 0; i < game.count[taker]; i++) chips[i] = 100 * bc_rng_unit(&rng);
            bc_spot_solver *s[3];
            for (int level = BC_BASE; level <= (int)bc_simd_best(); level++) {
                s[level] = make();
                bc_spot_set_given(s[level], 1, chips);
                double value[2];
                for (int hero = 0; hero < 2; hero++) {
                    value[hero] = value_of((enum bc_simd)level, s[level], hero, BC_SPOT_MEAN);
                    assert(fabs(value[hero] - naive_gadget(hero, taker, chips)) < 1e-9);
                }
                assert(fabs(value[0] + value[1] - 100) < 1e-9);
                solve((enum bc_simd)level, s[level], 200);
                const bc_spot_tables own = bc_spot_tables_of(s[level]), base = bc_spot_tables_of(s[0]);
                assert(!memcmp(own.sum, base.sum, own.cells * sizeof(float)));
                const double best = value_of((enum bc_simd)level, s[level], 0, BC_SPOT_FREE) +
                                    value_of((enum bc_simd)level, s[level], 1, BC_SPOT_FREE);
                assert(best >= 100 - 1e-9 && best < 101);
            }
            for (int level = BC_BASE; level <= (int)bc_simd_best(); level++) free(s[level]);
        }
}

int main(void) {
    bc_rng_seed(&rng, 41);
    values_are_those_of_all_pairs();
    forms_have_the_same_bits();
    values_add_up_to_the_pot();
    the_clairvoyance_game_is_solved();
    merged_boards_have_the_values_of_all();
    the_gadget_has_the_values_of_all_pairs();
    return 0;
}

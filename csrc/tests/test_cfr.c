/* Walks of all betting on a board against sums over all pairs of holdings, and what holds of any of them. */
#include "baycarp/cfr.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "baycarp/rank.h"
#include "baycarp/rng.h"

enum { BUCKETS = 7 };

static const uint8_t BOARD[] = {50, 45, 43, 20, 1};
static uint16_t bucket[BC_STREETS * BC_HOLDINGS];
static const uint16_t *const SAME[2] = {bucket, bucket};
static bc_deal deal;

/* Player 0 checks or bets; a check is answered by a check or a bet; a bet by fold, call or one raise. */
static const bc_betting STREET = {
    .nodes = 6,
    .leaves = 5,
    .lanes = 1,
    .buckets = {BUCKETS, BUCKETS},
    .actor = {0, 1, 1, 0, 0, 1},
    .child = {{-1, 1, 2}, {-1, -3, 3}, {-2, -4, 4}, {-2, -5, 5}, {-2, -6, -1}, {-2, -7, -1}},
    .folded = {0, 0, 0, 0, 2, 2},
    .matched = {0, 2, 2, 4, 4},
};

static float *random_strategy(bc_betting_game *game, bc_rng *rng) {
    const size_t cells = bc_cfr_cells(game);
    float *sums = malloc(cells * sizeof *sums), *strategy = malloc(cells * sizeof *strategy);
    for (size_t i = 0; i < cells; i++) sums[i] = (float)bc_rng_unit(rng);
    bc_cfr_policy(game, sums, strategy);
    free(sums);
    return strategy;
}

static void deal_all(bc_rng *rng) {
    for (int i = 0; i < BC_STREETS * BC_HOLDINGS; i++) bucket[i] = (uint16_t)bc_rng_below(rng, BUCKETS);
    bc_cfr_deal(BOARD, SAME, BC_STREETS, NULL, &deal);
    assert(deal.count == 1081);
}

/* What player 0 wins with two holdings, from a node on; sign of its showdown. */
static double play(const bc_betting_game *game, const float *strategy, int node, const int *hold, int sign) {
    const bc_betting *street = &game->street[0];
    const int actor = street->actor[node];
    const size_t cell =
        (size_t)node * BC_ACTIONS * BUCKETS * BC_CFR_LANES + bucket[hold[actor]] * BC_CFR_LANES;
    double won = 0;
    for (int a = 0; a < BC_ACTIONS; a++) {
        const int child = street->child[node][a];
        const double chance = strategy[cell + (size_t)(a * BUCKETS * BC_CFR_LANES)];
        if (child >= 0) won += chance * play(game, strategy, child, hold, sign);
        if (child == BC_CFR_FOLD)
            won += chance * (actor ? 1 : -1) * (street->folded[node] + street->entry[0]);
        if (child <= BC_CFR_LEAF)
            won += chance * sign * (street->matched[BC_CFR_LEAF - child] + street->entry[0]);
    }
    return won;
}

static void test_values_are_sums_over_pairs(void) {
    static const float entry[BC_CFR_LANES] = {3};
    bc_betting_game game = {.streets = 1, .street = {STREET}};
    bc_rng rng;
    bc_rng_seed(&rng, 5);
    game.street[0].blocks = 1;
    game.street[0].entry = entry;
    deal_all(&rng);
    float *strategy = random_strategy(&game, &rng),
          *scratch = malloc(bc_cfr_scratch(&game) * sizeof *scratch);
    static double expected[2][BC_HOLDINGS];
    memset(expected, 0, sizeof expected);
    for (int i = 0; i < deal.count; i++)
        for (int j = 0; j < deal.count; j++) {
            const uint8_t *a = deal.card[i], *b = deal.card[j];
            if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) continue;
            const uint8_t one[] = {a[0], a[1], 50, 45, 43, 20, 1}, two[] = {b[0], b[1], 50, 45, 43, 20, 1};
            const int x = bc_rank_cards(one, 7), y = bc_rank_cards(two, 7);
            const int hold[] = {deal.holding[i], deal.holding[j]};
            const double won = play(&game, strategy, 0, hold, (x > y) - (x < y));
            expected[0][hold[0]] += won / 990;
            expected[1][hold[1]] -= won / 990;
        }
    for (int hero = 0; hero < 2; hero++) {
        float value[BC_HOLDINGS];
        const bc_cfr_walk walk = {&game, &deal, strategy, hero,       1.0f / 990,
                                  NULL,  NULL,  scratch,  BC_CFR_MIX, NULL};
        bc_cfr_visit(BC_BASE, &walk, value);
        for (int h = 0; h < BC_HOLDINGS; h++) assert(fabs(value[h] - expected[hero][h]) < 2e-5);
    }
    free(strategy);
    free(scratch);
}

/* Four streets: the entries of the second are lanes of one block, those of the third fill four, and lanes of
   a block stay together after it. */
static bc_betting_game four_streets(void) {
    static float entry[4][20 * BC_CFR_LANES];
    bc_betting_game game = {.streets = 4, .street = {STREET, STREET, STREET, STREET}};
    const int blocks[] = {1, 1, 4, 20}, lanes[] = {1, 5, BC_CFR_LANES, BC_CFR_LANES};
    for (int s = 0; s < 4; s++) {
        game.street[s].blocks = blocks[s];
        game.street[s].lanes = lanes[s];
        game.street[s].entry = entry[s];
        for (int i = 0; i < blocks[s] * BC_CFR_LANES; i++) entry[s][i] = (float)(s + 1);
    }
    return game;
}

static void test_every_level_gives_the_same_bits_and_sums_to_zero(void) {
    bc_betting_game game = four_streets();
    bc_rng rng;
    bc_rng_seed(&rng, 6);
    deal_all(&rng);
    float *strategy = random_strategy(&game, &rng),
          *scratch = malloc(bc_cfr_scratch(&game) * sizeof *scratch);
    const size_t bytes = bc_cfr_cells(&game) * sizeof *scratch;
    float *first = malloc(2 * bytes), *other = malloc(2 * bytes), value[3][BC_HOLDINGS];
    double total[2] = {0, 0}, size = 0;
    for (int hero = 0; hero < 2; hero++)
        for (int level = BC_BASE; level <= (int)bc_simd_best(); level++) {
            float *to = level == BC_BASE ? first : other;
            memset(to, 0, 2 * bytes);
            const bc_cfr_walk walk = {&game,   &deal,      strategy, hero, 1, to, to + bytes / sizeof *to,
                                      scratch, BC_CFR_MIX, NULL};
            bc_cfr_visit((enum bc_simd)level, &walk, value[level]);
            assert(!memcmp(value[level], value[BC_BASE], sizeof value[level]));
            assert(!memcmp(to, first, 2 * bytes));
            for (int h = 0; level == BC_BASE && h < BC_HOLDINGS; h++) {
                total[hero] += value[level][h];
                size += fabs(value[level][h]);
            }
        }
    assert(size > 1 && fabs(total[0] + total[1]) < 1e-5 * size);
    free(strategy);
    free(scratch);
    free(first);
    free(other);
}

/* On the last street best responses win at least what the strategy wins, whatever is held; replayed, the
   other player loses what they win; and all levels record the same. */
static void test_best_responses_on_the_last_street(void) {
    bc_betting_game game = four_streets();
    bc_rng rng;
    bc_rng_seed(&rng, 9);
    deal_all(&rng);
    float *strategy = random_strategy(&game, &rng),
          *scratch = malloc(bc_cfr_scratch(&game) * sizeof *scratch);
    const size_t choices = bc_cfr_choices(&game, &deal);
    int8_t *chosen = calloc(2 * choices, 1);
    for (int hero = 0; hero < 2; hero++) {
        float mixed[BC_HOLDINGS], best[BC_HOLDINGS], other[BC_HOLDINGS];
        bc_cfr_walk walk = {&game, &deal, strategy, hero, 1, NULL, NULL, scratch, BC_CFR_MIX, NULL};
        bc_cfr_visit(BC_BASE, &walk, mixed);
        for (int level = BC_BASE; level <= (int)bc_simd_best(); level++) {
            walk.last = BC_CFR_RECORD;
            walk.choices = chosen + (level == BC_BASE ? 0 : choices);
            bc_cfr_visit((enum bc_simd)level, &walk, best);
            assert(!memcmp(walk.choices, chosen, choices));
        }
        double won = 0, lost = 0;
        for (int h = 0; h < BC_HOLDINGS; h++) {
            assert(best[h] > mixed[h] - 1e-3f);
            won += best[h];
        }
        walk.hero = 1 - hero;
        walk.last = BC_CFR_REPLAY;
        bc_cfr_visit(BC_BASE, &walk, other);
        for (int h = 0; h < BC_HOLDINGS; h++) lost -= other[h];
        assert(won > 1 && fabs(won - lost) < 1e-4 * won);
    }
    free(strategy);
    free(scratch);
    free(chosen);
}

/* Lanes that no betting leads to stay untouched. */
static void test_unused_lanes_are_not_reached(void) {
    bc_betting_game game = four_streets();
    bc_rng rng;
    bc_rng_seed(&rng, 7);
    deal_all(&rng);
    const size_t cells = bc_cfr_cells(&game);
    float *strategy = random_strategy(&game, &rng),
          *scratch = malloc(bc_cfr_scratch(&game) * sizeof *scratch);
    float *average = calloc(cells, sizeof *average), value[BC_HOLDINGS];
    const bc_cfr_walk walk = {&game, &deal, strategy, 0, 1, NULL, average, scratch, BC_CFR_MIX, NULL};
    bc_cfr_visit(BC_BASE, &walk, value);
    int reached[2] = {0, 0};
    for (size_t i = game.street[1].first; i < game.street[2].first; i++)
        if (average[i] != 0) reached[i % BC_CFR_LANES >= 5]++;
    assert(reached[0] && !reached[1]);
    free(strategy);
    free(scratch);
    free(average);
}

static void test_ties_and_dealt_holdings(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 8);
    deal_all(&rng);
    for (int i = 0, end = deal.tied[0]; i < deal.count; end = deal.tied[i]) {
        assert(end > i);
        const uint8_t *first = deal.card[i];
        const uint8_t of[] = {first[0], first[1], 50, 45, 43, 20, 1};
        for (int k = i; k < end; k++) {
            const uint8_t hand[] = {deal.card[k][0], deal.card[k][1], 50, 45, 43, 20, 1};
            assert(bc_rank_cards(hand, 7) == bc_rank_cards(of, 7) && deal.tied[k] == end);
        }
        if ((i = end) == deal.count) break;
    }
    uint8_t dealt[BC_HOLDINGS] = {0};
    dealt[bc_holding(51, 49)] = dealt[bc_holding(3, 2)] = dealt[bc_holding(51, 50)] = 1;
    bc_cfr_deal(BOARD, SAME, 1, dealt, &deal);
    assert(deal.count == 2 && deal.holding[1] == bc_holding(51, 49)); /* 50 is on the board */
}

static void test_learning(void) {
    static const float entry[BC_CFR_LANES] = {0};
    bc_betting_game game = {.streets = 1, .street = {STREET}};
    game.street[0].blocks = 1;
    game.street[0].entry = entry;
    const size_t cells = bc_cfr_cells(&game), plane = BUCKETS * BC_CFR_LANES;
    float *memory = calloc(5 * cells, sizeof *memory);
    float *change = memory, *reached = memory + cells, *regret = reached + cells, *average = regret + cells,
          *strategy = average + cells;
    const bc_cfr_step step = {{0.5f, 0.75f}, 0.25f, 2};
    change[1 * plane] = 3; /* player 0, first node: check */
    change[2 * plane] = 1;
    change[0] = -8;                     /* illegal */
    reached[3 * plane + 1 * plane] = 5; /* player 1, second node: check */
    average[3 * plane + 1 * plane] = 8;
    bc_cfr_learn(&game, 0, &step, change, reached, regret, average, strategy);
    assert(regret[plane] == 2.25f && regret[2 * plane] == 0.75f && regret[0] == -4);
    assert(strategy[plane] == 0.75f && strategy[2 * plane] == 0.25f && strategy[0] == 0);
    assert(average[4 * plane] == 12);
    memset(strategy, 0, cells * sizeof *strategy);
    strategy[plane + 1] = 0.5f;
    bc_cfr_greedy(&game, 0, change, strategy);
    assert(strategy[plane] == 1 && strategy[2 * plane] == 0 && strategy[plane + 1] == 0.5f);
    free(memory);
}

int main(void) {
    test_values_are_sums_over_pairs();
    test_every_level_gives_the_same_bits_and_sums_to_zero();
    test_best_responses_on_the_last_street();
    test_unused_lanes_are_not_reached();
    test_ties_and_dealt_holdings();
    test_learning();
    return 0;
}

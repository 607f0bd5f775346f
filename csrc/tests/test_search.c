/* The search against exact values: distributions of deals, the seed's example of a biased back-up, hands
   whose value is a sum written out, and properties of the tree. */
#include "baycarp/search.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/search_deal.h"
#include "baycarp/search_models.h"
#include "baycarp/search_trees.h"
#include "blinds.h"

enum { C2 = 0, D2 = 1, H3 = 6, C4 = 8, D7 = 21, S8 = 27, H9 = 30, CK = 44, DK = 45 };
enum { CA = 48, DA = 49, HA = 50, SA = 51 };
enum { ROOM = 60000, CLUSTERS = 2 };
static const uint8_t BOARD[5] = {SA, DA, CK, S8, H3};
static double weights[BC_SEATS * CLUSTERS * BC_HOLDINGS];
static bc_search_node nodes[ROOM];
static bc_strength_buckets buckets;

static void uniform_policy(const void *context, const bc_decision *query, double *chances) {
    (void)context;
    for (int i = 0; i < query->count; i++) chances[i] = 1.0 / query->count;
}

/* Calls with 0.9, folds with 0.1, never raises; checks. */
static void mostly_calls(const void *context, const bc_decision *query, double *chances) {
    (void)context;
    const bool priced = query->moves[0].kind == BC_FOLD;
    for (int i = 0; i < query->count; i++) chances[i] = 0;
    if (priced) chances[0] = 0.1;
    chances[priced] = priced ? 0.9 : 1;
}

static int one_bucket(void *context, const uint8_t *board, int cards, int holding) {
    (void)context, (void)board, (void)cards, (void)holding;
    return 0;
}

/* Blinds 1 and 2, bets 2 and 4; everybody calls up to `street`. */
static void seat(bc_search *s, int seats, int street, bool limit) {
    int64_t stacks[BC_SEATS];
    memset(s, 0, sizeof *s);
    s->variant = small_game(seats, limit);
    for (int i = 0; i < seats; i++) stacks[i] = 200;
    bc_state_start(&s->variant, stacks, &s->state);
    while (s->state.street < street) bc_state_apply(&s->variant, &s->state, BC_CALL, 0);
    for (int i = 0; i < BC_SEATS * CLUSTERS * BC_HOLDINGS; i++) weights[i] = 1;
    s->weights = weights, s->clusters = 1, s->policy = uniform_policy, s->bucket = one_bucket;
    s->nodes = nodes, s->capacity = ROOM, s->explore = 10;
}

static void cards(bc_search *s, int a, int b) {
    s->hole[0] = (uint8_t)a, s->hole[1] = (uint8_t)b;
    memcpy(s->board, BOARD, 5);
}

static double *only(const bc_search *s, int opponent) {
    double *row = weights + opponent * s->clusters * BC_HOLDINGS;
    memset(row, 0, sizeof(double) * (size_t)(s->clusters * BC_HOLDINGS));
    return row;
}

/* The joint distribution of deals without a clash. Player 1: A 1/2, B 1/2; player 2: A 0.8, C 0.2; A clashes
   with A alone: the pairs AC, BA, BC have 0.1, 0.4, 0.1 of 0.6. */
static void test_the_joint_of_holdings(void) {
    bc_search s;
    seat(&s, 3, 3, true);
    cards(&s, C2, D7);
    const int a = bc_holding(HA, DK), b = bc_holding(CA, H9), c = bc_holding(D2, C4);
    only(&s, 1)[a] = 0.5, weights[BC_HOLDINGS + b] = 0.5;
    only(&s, 2)[a] = 0.8, weights[2 * BC_HOLDINGS + c] = 0.2;
    bc_search_start(&s, 4);
    int pairs[2][2] = {{0}};
    const int n = 60000;
    for (int i = 0; i < n; i++) {
        bc_search_deal d;
        bc_search_deal_draw(&s, &d);
        const int first = bc_holding(d.hole[1][0], d.hole[1][1]),
                  second = bc_holding(d.hole[2][0], d.hole[2][1]);
        assert((first == a || first == b) && (second == a || second == c) && first != second);
        pairs[first == b][second == c]++;
    }
    const double expected[2][2] = {{0, 0.1 / 0.6}, {0.4 / 0.6, 0.1 / 0.6}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            const double p = expected[i][k];
            assert(fabs(pairs[i][k] - n * p) <= 4.5 * sqrt(n * p * (1 - p)));
        }
    assert(s.forced == 0);
}

/* Ranges that meet without a clash once in 10,000: Gibbs sampling deals them. */
static void test_rare_deals(void) {
    bc_search s;
    seat(&s, 3, 3, true);
    cards(&s, C2, D7);
    const int a = bc_holding(HA, DK), c = bc_holding(D2, C4);
    for (int i = 1; i < 3; i++) only(&s, i)[a] = 1, weights[i * BC_HOLDINGS + c] = 5e-5;
    bc_search_start(&s, 4);
    int first = 0;
    for (int i = 0; i < 2000; i++) {
        bc_search_deal d;
        bc_search_deal_draw(&s, &d);
        const int one = bc_holding(d.hole[1][0], d.hole[1][1]), two = bc_holding(d.hole[2][0], d.hole[2][1]);
        assert(one != two && (one == a || one == c) && (two == a || two == c));
        first += one == a;
    }
    assert(s.forced > 1500 && first > 0);
}

static void test_clusters_come_by_their_weight(void) {
    bc_search s;
    seat(&s, 2, 1, true);
    cards(&s, C2, D7);
    s.clusters = 2;
    double *row = only(&s, 1);
    row[bc_holding(HA, DK)] = 0.3, row[BC_HOLDINGS + bc_holding(HA, DK)] = 0.5;
    row[BC_HOLDINGS + bc_holding(DK, H9)] = 0.2;
    row[bc_holding(CK, H9)] = 9; /* blocked by the board */
    bc_search_start(&s, 8);
    int second = 0, nine = 0;
    const int n = 40000;
    for (int i = 0; i < n; i++) {
        bc_search_deal d;
        uint64_t seen = 0;
        bc_search_deal_draw(&s, &d);
        second += d.cluster[1] == 1, nine += d.hole[1][1] == H9;
        for (int k = 0; k < 2; k++) seen |= bc_bit(d.hole[k][0]) | bc_bit(d.hole[k][1]);
        for (int k = 0; k < 5; k++) seen |= bc_bit(d.board[k]);
        int count = 0;
        for (; seen; seen &= seen - 1) count++;
        assert(count == 9);
    }
    assert(abs(second - 7 * n / 10) < 4.5 * sqrt(n * 0.21) && abs(nine - n / 5) < 4.5 * sqrt(n * 0.16));
}

/* Section 3.6.1's example: a node with children of value 0 and 1 and chances 0.1 and 0.9, sampled twice. Here
   the node is hero's bet with the worse hand on the river: a fold wins 4 chips, which counts as 0, a call
   loses 4, which counts as 1. The mean of the node's value over seeds is 0.9; weighed by the chances it would
   be 0.972. */
static void test_back_up_is_unbiased(void) {
    for (int backup = BC_FREQUENCY; backup <= BC_MAXIMUM; backup++) {
        double sum = 0;
        int n = 0;
        for (int seed = 0; seed < 20000; seed++) {
            bc_search s;
            bc_search_value values[BC_SEARCH_MOVES];
            seat(&s, 2, 3, true);
            cards(&s, C2, D7);
            only(&s, 1)[bc_holding(HA, CA)] = 1;
            s.policy = mostly_calls, s.backup = (enum bc_backup)backup, s.explore = 1e9;
            bc_search_start(&s, (uint64_t)seed);
            bc_search_run(&s, 4);
            const int count = bc_search_values(&s, values);
            assert(count == 2 && values[0].visits == 2 && values[1].visits == 2);
            sum += (values[1].value - 4) / -8, n++;
        }
        assert(fabs(sum / n - 0.9) < 4 * sqrt(0.09 / n));
    }
}

/* The nuts against kings full, which calls with 0.9 and does not raise: on the river a bet is worth 4 + 0.9 *
   4, a check the pot of 4; the search bets. */
static void test_values_on_the_river(void) {
    for (int backup = BC_FREQUENCY; backup <= BC_MAXIMUM; backup++) {
        bc_search s;
        bc_search_value values[BC_SEARCH_MOVES];
        double chances[BC_SEARCH_MOVES];
        seat(&s, 2, 3, true);
        cards(&s, HA, CA);
        only(&s, 1)[bc_holding(DK, H9)] = 1;
        s.policy = mostly_calls, s.backup = (enum bc_backup)backup;
        bc_search_start(&s, 5);
        bc_search_run(&s, 20000);
        assert(bc_search_values(&s, values) == 2);
        assert(values[0].value == 4 && fabs(values[1].value - 7.6) < 5 * values[1].error);
        assert(values[0].visits + values[1].visits == 20000 && values[1].visits > values[0].visits);
        bc_search_softmax(&s, 0, chances);
        assert(chances[0] == 0 && chances[1] == 1);
        bc_search_softmax(&s, 2, chances);
        const double ratio = exp((values[1].value - 4) / 2);
        assert(fabs(chances[1] / chances[0] - ratio) < 1e-9 * ratio);
    }
}

static void test_inferior_moves_are_pruned(void) {
    bc_search s;
    bc_search_value values[BC_SEARCH_MOVES];
    seat(&s, 2, 3, true);
    bc_state_apply(&s.variant, &s.state, BC_RAISE, 4);
    cards(&s, C2, D7);
    only(&s, 0)[bc_holding(HA, CA)] = 1;
    s.prune = 3, s.explore = 100;
    bc_search_start(&s, 5);
    bc_search_run(&s, 3000);
    assert(bc_search_values(&s, values) == 3);
    assert(values[0].value == 0 && !values[0].pruned && values[1].value == -4 && values[1].pruned);
    assert(values[2].pruned && values[0].visits > 2500);
}

static void model(bc_search *s, bc_price_table *table, double *chances) {
    for (int i = 0; i < CLUSTERS * BC_STREETS * BC_PRICES * 2; i++) {
        const bool strong = i % 2;
        chances[3 * i] = strong ? 0.05 : 0.4, chances[3 * i + 1] = 0.45,
                    chances[3 * i + 2] = strong ? 0.5 : 0.15;
    }
    *table = (bc_price_table){CLUSTERS, 2, chances};
    buckets.level = bc_simd_best();
    buckets.shown = s->state.street ? s->state.street + 2 : 0;
    memcpy(buckets.board, s->board, 5);
    for (int i = 0; i < BC_HOLDINGS; i++) buckets.now[i] = i >= 600;
    for (int i = 0; i < BC_STREETS; i++) buckets.count[i] = 1, buckets.edges[i][0] = 0.5;
    bc_strength_buckets_start(&buckets);
    s->policy = bc_price_policy, s->policy_context = table;
    s->bucket = bc_strength_bucket, s->bucket_context = &buckets;
}

static void check_tree(const bc_search *s) {
    for (int32_t i = 0; i < s->used; i++) {
        const bc_search_node *node = &s->nodes[i];
        uint32_t below = 0;
        for (int32_t c = node->child; c >= 0; c = s->nodes[c].next) {
            assert(s->nodes[c].parent == i && c > i);
            below += s->nodes[c].visits;
        }
        assert(below == node->counted && below <= node->visits && node->visits > 0);
        assert(isfinite(node->value) && node->squares >= 0);
    }
}

/* Calls with n and m are one with n + m; a tree that is full stays full and right. */
static void test_it_repeats_in_bounded_memory(void) {
    static double chances[CLUSTERS * BC_STREETS * BC_PRICES * 2 * BC_KINDS];
    for (int limit = 0; limit < 2; limit++)
        for (int seats = 2; seats <= 9; seats += 7)
            for (int room = 1 + BC_SEARCH_MOVES; room <= ROOM; room *= 100) {
                bc_search_value once[BC_SEARCH_MOVES], twice[BC_SEARCH_MOVES];
                bc_search s;
                bc_price_table table;
                for (int k = 0; k < 2; k++) {
                    seat(&s, seats, 1, limit);
                    cards(&s, H9, DK);
                    s.capacity = room, s.sizes[0] = 0.5, s.sizes[1] = 1, s.size_count = 2;
                    s.backup = limit ? BC_MAXIMUM : BC_FREQUENCY;
                    model(&s, &table, chances);
                    bc_search_start(&s, 77);
                    bc_search_run(&s, k ? 100 : 1500);
                    if (k) bc_search_run(&s, 1400);
                    check_tree(&s);
                    assert(s.used <= room && s.iterations == 1500);
                    bc_search_values(&s, k ? twice : once);
                }
                for (int i = 0; i < s.count; i++)
                    assert(once[i].visits == twice[i].visits &&
                           (once[i].visits == 0 || once[i].value == twice[i].value));
            }
}

/* After a call of hero and a turn card the subtree goes on with its statistics. */
static void test_the_tree_is_kept(void) {
    static double chances[CLUSTERS * BC_STREETS * BC_PRICES * 2 * BC_KINDS];
    bc_search s;
    bc_price_table table;
    bc_search_value values[BC_SEARCH_MOVES];
    seat(&s, 2, 1, true);
    cards(&s, H9, DK);
    model(&s, &table, chances);
    bc_search_start(&s, 3);
    bc_search_run(&s, 20000);
    const bc_state then = s.state;
    const bc_move moves[2] = {{BC_CALL, 0}, {BC_CALL, 0}};
    for (int i = 0; i < 2; i++) bc_state_apply(&s.variant, &s.state, BC_CALL, 0);
    assert(s.state.street == 2 && s.state.to_act == s.hero);
    for (int i = 0; i < BC_SEATS * CLUSTERS * BC_HOLDINGS; i++) weights[i] = 1;
    assert(bc_search_continue(&s, &then, moves, 2, 9));
    const uint32_t before = s.nodes[0].visits;
    assert(before > 100 && s.iterations == 0 && s.nodes[0].owned);
    check_tree(&s);
    bc_search_run(&s, 500);
    check_tree(&s);
    assert(s.nodes[0].visits == before + 500);
    bc_search_values(&s, values);
    const bc_move unheard[1] = {{BC_RAISE, 77}};
    for (int i = 0; i < BC_SEATS * CLUSTERS * BC_HOLDINGS; i++) weights[i] = 1;
    assert(!bc_search_continue(&s, &s.state, unheard, 1, 9) && s.used == 1);
}

static void test_moves_of_no_limit(void) {
    bc_search s;
    bc_move moves[BC_SEARCH_MOVES];
    seat(&s, 2, 1, false);
    s.sizes[0] = 0.5, s.sizes[1] = 1, s.sizes[2] = 1000, s.size_count = 3;
    const int count = bc_search_moves(&s, &s.state, moves); /* a pot of 4, 198 behind */
    assert(count == 4 && moves[0].kind == BC_CALL && moves[1].amount == 2 && moves[2].amount == 4);
    assert(moves[3].amount == 198);
}

/* A tree that splits by the bucket, and one by the pot odds: chances as written out, raises shared. */
static void test_policies_of_trees(void) {
    const bc_node by_bucket[3] = {{0.5, BC_FEATURES, 1}, {0, -1, 0}, {0, -1, 1}}, leaf[1] = {{0, -1, 0}};
    const bc_node by_odds[3] = {{0.3, BC_F_POT_ODDS, 1}, {0, -1, 0}, {0, -1, 1}};
    double values[2 * BC_CHOICES], odds[2 * BC_CHOICES];
    for (int i = 0; i < BC_CHOICES; i++) {
        values[i] = i == 1 ? 0.91 : 0.01, values[BC_CHOICES + i] = i == 6 ? 0.91 : 0.01;
        odds[i] = i == 1 ? 0.91 : 0.01, odds[BC_CHOICES + i] = i == 0 ? 0.91 : 0.01;
    }
    bc_policy_tree trees[2 * BC_SITUATIONS];
    for (int i = 0; i < 2 * BC_SITUATIONS; i++) trees[i] = (bc_policy_tree){leaf, values};
    trees[BC_SITUATIONS + 2] = (bc_policy_tree){by_bucket, values};
    trees[BC_SITUATIONS + 3] = (bc_policy_tree){by_odds, odds};
    const bc_tree_policies policies = {2, trees};
    bc_search s;
    bc_past past;
    bc_texture texture;
    bc_move moves[BC_SEARCH_MOVES];
    double chances[BC_SEARCH_MOVES], sum = 0;
    seat(&s, 2, 1, false);
    s.sizes[0] = 0.5, s.sizes[1] = 1, s.size_count = 2;
    bc_past_start(&past);
    bc_texture_of(BOARD, 1, &texture);
    int count = bc_search_moves(&s, &s.state, moves); /* check, 2, pot 4, all-in 198 */
    bc_decision query = {&s.variant, &s.state, moves, count, 1, 1, &past, &texture};
    bc_tree_policy(&policies, &query, chances);
    for (int i = 0; i < count; i++) sum += chances[i];
    assert(count == 4 && fabs(sum - 1) < 1e-12);
    /* no fold; all raises have 0.98, of which least, pot and all-in have 1, 91 and 1 of 93 parts */
    assert(fabs(chances[0] - 0.01 / 0.99) < 1e-12 && fabs(chances[2] - 0.98 / 0.99 * 91 / 93) < 1e-12);
    query.bucket = 0;
    bc_tree_policy(&policies, &query, chances);
    assert(fabs(chances[0] - 0.91 / 0.99) < 1e-12 && chances[1] == chances[3]);
    bc_past_act(&s.variant, &s.state, &past, BC_RAISE, 198);
    bc_state_apply(&s.variant, &s.state, BC_RAISE, 198);
    query.count = bc_search_moves(&s, &s.state, moves);
    bc_tree_policy(&policies, &query, chances); /* odds 198 / 400: folds, and no raise is legal */
    assert(query.count == 2 && fabs(chances[0] - 0.91 / 0.92) < 1e-12);
}

/* Against a policy that reads features, the search goes through all streets, and repeats. */
static void test_search_with_trees(void) {
    const bc_node by_size[3] = {{2.5, BC_F_TO_CALL, 1}, {0, -1, 0}, {0, -1, 1}};
    double values[2 * BC_CHOICES];
    for (int i = 0; i < BC_CHOICES; i++)
        values[i] = i == 1 ? 0.7 : 0.3 / 9, values[BC_CHOICES + i] = i == 0 ? 0.7 : 0.3 / 9;
    bc_policy_tree trees[2 * BC_SITUATIONS];
    for (int i = 0; i < 2 * BC_SITUATIONS; i++) trees[i] = (bc_policy_tree){by_size, values};
    const bc_tree_policies policies = {2, trees};
    bc_search_value found[2][BC_SEARCH_MOVES];
    for (int street = 0; street < 4; street++)
        for (int k = 0; k < 2; k++) {
            bc_search s;
            bc_price_table table;
            static double chances[CLUSTERS * BC_STREETS * BC_PRICES * 2 * BC_KINDS];
            seat(&s, 2, street, false);
            cards(&s, H9, DK);
            model(&s, &table, chances);
            s.policy = bc_tree_policy, s.policy_context = &policies, s.featured = s.textured = true,
            s.self = 1;
            s.sizes[0] = 0.5, s.sizes[1] = 1, s.size_count = 2;
            bc_past_start(&s.past);
            bc_search_start(&s, 5);
            bc_search_run(&s, 3000);
            check_tree(&s);
            assert(bc_search_values(&s, found[k]) >= 4);
            for (int i = 0; k && i < s.count; i++) assert(found[0][i].visits == found[1][i].visits);
        }
}

static void test_outs(void) {
    const uint8_t flop[3] = {S8, D7, H3}; /* 8 7 3, three suits */
    const int C10 = 32, C9 = 28, D6 = 17;
    assert(bc_outs(flop, 3, bc_holding(C10, C9)) == 8 && bc_outs(flop, 3, bc_holding(HA, CK)) == 0);
    assert(bc_outs(flop, 3, bc_holding(C10, D6)) == 4);
    const uint8_t suited[3] = {D2, D7, S8};
    assert(bc_outs(suited, 3, bc_holding(DA, DK)) == 9);
    assert(bc_outs(suited, 3, bc_holding(29, D6 + 16)) == 9 + 3 * 2); /* 9d and 10d: 6 and jack */
    const uint8_t wheel[4] = {SA, D2, H3, C4};
    assert(bc_outs(wheel, 4, bc_holding(D7, DK)) == 0);     /* a five gives the board a straight of its own */
    assert(bc_outs(wheel, 4, bc_holding(D6 - 4, DK)) == 0); /* a straight is made */
}

static void test_buckets(void) {
    static double chances[CLUSTERS * BC_STREETS * BC_PRICES * 2 * BC_KINDS];
    bc_search s;
    bc_price_table table;
    seat(&s, 2, 1, true);
    cards(&s, H9, DK);
    model(&s, &table, chances);
    buckets.count[2] = buckets.count[3] = 2;
    for (int i = 2; i < 4; i++) buckets.edges[i][0] = 0.4, buckets.edges[i][1] = 0.9;
    for (int ranked = 0; ranked < 2; ranked++) {
        int below[3] = {0};
        buckets.ranked = ranked;
        bc_strength_buckets_start(&buckets);
        for (int cards = 4; cards <= 5; cards++)
            for (int holding = 0; holding < BC_HOLDINGS; holding++) { /* by table and one by one */
                buckets.shown = 3;
                const int kept = bc_strength_bucket(&buckets, BOARD, cards, holding);
                buckets.shown = 0;
                const int hi = (int)((1 + sqrt(1 + 8.0 * holding)) / 2), lo = holding - hi * (hi - 1) / 2;
                bool blocked = false;
                for (int i = 0; i < cards; i++) blocked |= BOARD[i] == hi || BOARD[i] == lo;
                if (blocked) continue;
                assert(kept == bc_strength_bucket(&buckets, BOARD, cards, holding));
                if (cards == 5) below[kept]++;
            }
        /* of the 1,081 on a river the ranks below 0.4 are 432 or 433 */
        if (ranked) assert(abs(below[0] - 432) <= 1 && abs(below[1] - 541) <= 1);
    }
    buckets.ranked = false;
}

/* Without a raise of the whole stack it is one only where a size is as large. */
static void test_sizes_alone(void) {
    bc_move moves[BC_SEARCH_MOVES];
    bc_search s;
    seat(&s, 2, 1, false);
    s.sizes[0] = 0.5, s.sizes[1] = 1, s.size_count = 2;
    const int all = bc_search_moves(&s, &s.state, moves);
    const int64_t most = bc_state_legal(&s.variant, &s.state).most;
    assert(moves[all - 1].amount == most);
    s.sized = true;
    const int few = bc_search_moves(&s, &s.state, moves);
    assert(few == all - 1 && moves[few - 1].amount < most);
    s.sizes[1] = 1e6;
    assert(bc_search_moves(&s, &s.state, moves) == few && moves[few - 1].amount == most);
}

static void report_speed(void) {
    static double chances[CLUSTERS * BC_STREETS * BC_PRICES * 2 * BC_KINDS];
    for (int street = 0; street < 4; street++) {
        bc_search s;
        bc_price_table table;
        seat(&s, 2, street, true);
        cards(&s, H9, DK);
        model(&s, &table, chances);
        bc_search_start(&s, 3);
        const clock_t began = clock();
        bc_search_run(&s, street ? 50000 : 5000);
        const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        printf("street %d, heads-up: %.0f iterations a second\n", street, (double)s.iterations / seconds);
    }
}

int main(void) {
    test_the_joint_of_holdings();
    test_rare_deals();
    test_clusters_come_by_their_weight();
    test_back_up_is_unbiased();
    test_values_on_the_river();
    test_inferior_moves_are_pruned();
    test_it_repeats_in_bounded_memory();
    test_the_tree_is_kept();
    test_moves_of_no_limit();
    test_policies_of_trees();
    test_search_with_trees();
    test_outs();
    test_buckets();
    test_sizes_alone();
    report_speed();
    puts("search: all tests passed");
    return 0;
}

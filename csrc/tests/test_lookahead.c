/* The look-ahead against values that are sums, and the policies and deals by hypotheses against their
   definitions. */
#include "baycarp/lookahead.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/search_deal.h"
#include "baycarp/rank.h"
#include "baycarp/search_styles.h"
#include "baycarp/sweep.h"
#include "blinds.h"

enum { D2 = 1, H3 = 6, S8 = 27, H9 = 30, CT = 32, CK = 44, DK = 45, DA = 49, SA = 51 };
enum { CELLS = 4096, STYLES = 2, ALL = STYLES + 1, POWERS = 2, LEVELS = 2 };
static const uint8_t BOARD[5] = {SA, DA, CK, S8, H3};
static double weights[BC_SEATS * BC_HOLDINGS];
static bc_look_cell cells[CELLS];

/* Calls and checks. */
static void calls(const void *context, const bc_decision *query, double *chances) {
    (void)context;
    for (int i = 0; i < query->count; i++) chances[i] = query->moves[i].kind == BC_CALL;
}

/* A bet makes it fold. */
static void folds(const void *context, const bc_decision *query, double *chances) {
    (void)context;
    for (int i = 0; i < query->count; i++) chances[i] = i == 0;
}

static void at_random(const void *context, const bc_decision *query, double *chances) {
    (void)context;
    for (int i = 0; i < query->count; i++) chances[i] = 1;
}

static int one_bucket(void *context, const uint8_t *board, int cards, int holding) {
    (void)context, (void)board, (void)cards, (void)holding;
    return 0;
}

static void begin(bc_search *s, bc_look *l, int seats, int street, bc_policy policy) {
    int64_t stacks[BC_SEATS];
    memset(s, 0, sizeof *s);
    memset(l, 0, sizeof *l);
    s->variant = small_game(seats, true);
    for (int i = 0; i < seats; i++) stacks[i] = 200;
    bc_state_start(&s->variant, stacks, &s->state);
    while (s->state.street < street) bc_state_apply(&s->variant, &s->state, BC_CALL, 0);
    for (int i = 0; i < BC_SEATS * BC_HOLDINGS; i++) weights[i] = 1;
    s->weights = weights, s->clusters = 1, s->policy = policy, s->bucket = one_bucket, s->featured = true;
    s->hole[0] = H9, s->hole[1] = CT;
    memcpy(s->board, BOARD, 5);
    bc_past_start(&s->past);
    l->search = s, l->cells = cells, l->capacity = CELLS;
}

/* The share of the pot of hero's holding on the whole board against random holdings. */
static double pot_share(const bc_search *s) {
    static double hs[BC_HOLDINGS];
    bc_sweep(BC_BASE, s->board, 5, NULL, hs);
    return hs[bc_holding(s->hole[0], s->hole[1])];
}

static void test_showdowns(void) {
    bc_search s;
    bc_look l;
    bc_look_value values[BC_SEARCH_MOVES];
    begin(&s, &l, 2, 3, calls);
    bc_look_start(&l, 1);
    bc_look_run(&l, 40000);
    const double share = pot_share(&s), pot = 4, bet = 4;
    assert(bc_look_values(&l, values) == 2);
    assert(fabs(values[0].value - share * pot) < 4 * values[0].error);
    assert(fabs(values[1].value - (share * (pot + 2 * bet) - bet)) < 4 * values[1].error);
    assert(values[1].error > 0 && values[1].error < 0.05);
    /* the same holdings for both: the difference is known three times better than one alone */
    const double each = hypot(values[0].error, values[1].error);
    assert(bc_look_difference(&l, 0, 1) < each && bc_look_difference(&l, 0, 0) == 0);
}

static void test_folds(void) {
    bc_search s;
    bc_look l;
    bc_look_value values[BC_SEARCH_MOVES];
    for (int seats = 2; seats <= BC_SEATS; seats += 4) {
        begin(&s, &l, seats, 1, folds);
        bc_look_start(&l, 1);
        bc_look_run(&l, 500);
        assert(bc_look_values(&l, values) == 2 && values[1].move.kind == BC_RAISE);
        assert(fabs(values[1].value - 2 * seats) < 1e-9);
    }
}

/* Runs in parts, a full table, and no playout at all. */
static void test_runs(void) {
    bc_search s;
    bc_look l;
    bc_look_value values[2][BC_SEARCH_MOVES];
    for (int street = 0; street < 4; street++) {
        for (int k = 0; k < 2; k++) {
            begin(&s, &l, 3, street, at_random);
            if (street == 1) l.capacity = 2;
            bc_look_start(&l, 9);
            bc_look_values(&l, values[k]);
            assert(isnan(values[k][1].value) && isinf(values[k][1].error));
            for (int i = 0; i < 10; i++) bc_look_run(&l, k ? 30 : i ? 0 : 300);
            assert(l.playouts == 300 && l.used <= l.capacity);
            bc_look_values(&l, values[k]);
        }
        for (int i = 0; i < s.count; i++) {
            assert(values[0][i].value == values[1][i].value && values[0][i].error == values[1][i].error);
            assert(values[0][i].move.kind != BC_FOLD || values[0][i].value == 0);
        }
    }
}

/* What was learned of coarse situations is where the next look-ahead begins, and it learns on. */
static void test_known(void) {
    static bc_look_cell learned[2][CELLS / 2];
    int64_t count[2] = {0};
    uint64_t visits[2] = {0};
    bc_search s;
    bc_look l;
    for (int k = 0; k < 2; k++) {
        begin(&s, &l, 3, 1, at_random);
        l.known = learned[0], l.known_count = count[0];
        bc_look_start(&l, 9);
        assert(bc_look_learned(&l, NULL) == count[0] && l.used == count[0]);
        bc_look_run(&l, 200);
        count[k] = bc_look_learned(&l, learned[k]);
        assert(0 < count[k] && count[k] < l.used);
        for (int64_t i = 0; i < count[k]; i++) {
            assert(0 < learned[k][i].key && learned[k][i].key < BC_LOOK_COARSE);
            for (int move = 0; move < BC_SEARCH_MOVES; move++) visits[k] += learned[k][i].visits[move];
        }
    }
    assert(count[1] >= count[0] && visits[1] > visits[0] + 400);
}

/* Tables by style, at two powers. */
static float preflop[BC_STYLE_PREFLOP * BC_KINDS * POWERS * LEVELS * STYLES];
static float later[BC_STYLE_LATER * BC_KINDS * POWERS * LEVELS * STYLES];
static uint8_t order[POWERS * LEVELS];
static double own[BC_STYLE_PREFLOP * BC_STYLE_CLASSES * BC_KINDS];
static double clusters[BC_SEATS * ALL], sums[BC_SEATS * ALL], powers[BC_SEATS * 2 * BC_KINDS * POWERS];
static double factor[BC_SEATS * BC_STYLE_SITUATIONS * BC_KINDS];
static double blindly[BC_SEATS * BC_STYLE_SITUATIONS * BC_KINDS];

static void fill(bc_styles *styles, bc_style_players *players) {
    memset(styles, 0, sizeof *styles);
    memset(players, 0, sizeof *players);
    styles->styles = STYLES, styles->powers = POWERS;
    for (int i = 0; i < LEVELS; i++) order[i] = (uint8_t)i, order[LEVELS + i] = (uint8_t)(LEVELS - 1 - i);
    for (int g = 0; g < BC_STYLE_GROUPS; g++) {
        styles->cells[g] = LEVELS, styles->bucket[g] = order;
        for (int i = 0; i < BC_STYLE_CLASSES; i++) styles->cell[g][i] = (uint8_t)(i % (LEVELS - g % LEVELS));
    }
    for (int i = 0; i < BC_STREETS; i++) {
        styles->buckets[i] = LEVELS, styles->table[i] = i ? later : preflop;
        styles->own[i] = own;
    }
    for (size_t i = 0; i < sizeof preflop / sizeof *preflop; i++) preflop[i] = (float)(i % 97 + 1) / 100;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) later[i] = (float)(i % 89 + 1) / 100;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) own[i] = (double)(i % 83 + 1) / 100;
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++) powers[i] = (double)(i % 5 + 1) / 10;
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) factor[i] = (double)(i % 7 + 1) / 4;
    for (size_t i = 0; i < sizeof blindly / sizeof *blindly; i++) blindly[i] = (double)(i % 79 + 1) / 100;
    for (int i = 0; i < BC_SEATS * ALL; i++) clusters[i] = 0.2 + i % ALL * 0.1;
    for (int i = 0; i < BC_SEATS * ALL; i++) sums[i] = clusters[i] + (i % ALL ? sums[i - 1] : 0);
    players->styles = styles, players->weights = clusters, players->sums = sums;
    players->powers = powers, players->factor = factor, players->blindly = blindly;
    for (int i = 0; i < BC_SEATS; i++) players->group[i] = -1;
}

/* The chance of a choice, by the definition: `situation` of its street, `all` of all streets. */
static double expected_chance(const bc_styles *styles, int seat, int street, int situation, int all, int kind,
                              int cell, int style) {
    double found[BC_KINDS], total = 0;
    for (int k = 0; k < BC_KINDS; k++) {
        found[k] = 0;
        for (int p = 0; p < POWERS; p++) {
            const int bucket = street ? cell : order[p * LEVELS + cell];
            const int row = ((situation * BC_KINDS + k) * POWERS + p) * LEVELS + bucket;
            found[k] += powers[((seat * 2 + (street > 0)) * BC_KINDS + k) * POWERS + p] *
                        (double)styles->table[street][row * STYLES + style];
        }
        found[k] *= factor[(seat * BC_STYLE_SITUATIONS + all) * BC_KINDS + k];
        total += found[k];
    }
    return found[kind] / total;
}

static void test_styles(void) {
    bc_styles styles;
    bc_style_players players;
    fill(&styles, &players);
    const bc_variant v = small_game(6, true);
    int64_t stacks[6] = {200, 200, 200, 200, 200, 200};
    bc_state state;
    bc_past past;
    bc_move moves[3] = {{BC_FOLD, 0}, {BC_CALL, 0}, {BC_RAISE, 4}};
    double chances[3];
    bc_state_start(&v, stacks, &state);
    bc_past_start(&past);
    /* first to act of six: the big blind, early, nobody is in, not in itself; five behind count as three */
    assert(bc_style_situation(&v, &state, -1) == ((1 * 4 + 1) * 2 + 0) * 2 + 0);
    bc_decision query = {&v, &state, moves, 3, 1, 5, &past, NULL};
    bc_style_policy(&players, &query, chances);
    const int seat = state.to_act, cell = styles.cell[1][5];
    for (int kind = 0; kind < 3; kind++)
        assert(fabs(chances[kind] - expected_chance(&styles, seat, 0, 20, 20, kind, cell, 1)) < 1e-9);
    query.cluster = STYLES;
    bc_style_policy(&players, &query, chances);
    for (int kind = 0; kind < 3; kind++)
        assert(chances[kind] == blindly[(seat * BC_STYLE_SITUATIONS + 20) * BC_KINDS + kind]);
    query.cluster = ALL;
    bc_style_policy(&players, &query, chances);
    for (int kind = 0; kind < 3; kind++)
        assert(chances[kind] == own[(20 * BC_STYLE_CLASSES + 5) * BC_KINDS + kind]);
    for (int i = 0; i < 6; i++) bc_state_apply(&v, &state, BC_CALL, 0);
    assert(state.street == 1);
    /* first on the flop, five opponents, not last, the raiser before is another: position 4 */
    past.aggressor[0] = 4;
    assert(bc_style_situation(&v, &state, 4) == ((0 * 3 + 2) * 2 + 0) * 3 + 1);
    bc_move free_moves[2] = {{BC_CALL, 0}, {BC_RAISE, 2}};
    query = (bc_decision){&v, &state, free_moves, 2, 0, 1, &past, NULL};
    bc_style_policy(&players, &query, chances);
    for (int i = 0; i < 2; i++) {
        const int all = BC_STYLE_PREFLOP + 13;
        assert(fabs(chances[i] - expected_chance(&styles, state.to_act, 1, 13, all, i + 1, 1, 0)) < 1e-9);
    }
}

/* Clusters given a holding and two acts, at many parts, are those of Bayes' rule. */
static void test_refine(void) {
    bc_styles styles;
    bc_style_players players;
    fill(&styles, &players);
    static uint8_t bucket[BC_HOLDINGS];
    bucket[700] = 1;
    players.count[3] = 2;
    for (int i = 0; i < 2; i++) players.acts[3][i] = (bc_seen_act){bucket, later + 8 * i};
    for (int holding = 700; holding < 702; holding++) {
        double expected[ALL], total = 0, found[ALL] = {0};
        for (int h = 0; h < ALL; h++) {
            expected[h] = clusters[3 * ALL + h];
            for (int i = 0; i < 2 && h < STYLES; i++)
                expected[h] *= (double)later[8 * i + bucket[holding] * STYLES + h];
            total += expected[h];
        }
        for (int i = 0; i < 10000; i++)
            found[bc_style_refine(&players, 3, holding, (i + 0.5) / 10000)] += 1e-4;
        for (int h = 0; h < ALL; h++) assert(fabs(found[h] - expected[h] / total) < 2e-4);
    }
    double prior[ALL] = {0}; /* without acts */
    for (int i = 0; i < 10000; i++) prior[bc_style_refine(&players, 1, 700, (i + 0.5) / 10000)] += 1e-4;
    for (int h = 0; h < ALL; h++) assert(fabs(prior[h] - (0.2 + 0.1 * h) / 0.9) < 2e-4);
}

static int first_cluster(const void *context, int seat, int holding, double unit) {
    (void)context, (void)seat, (void)holding, (void)unit;
    return 0;
}

/* Of three opponents two have any holding, and one prefers aces: how often it has a pair of them is what
   rejection of all clashes gives, whether even ranges are drawn last or like the others. */
static void test_even_ranges(void) {
    double share[2];
    for (int k = 0; k < 2; k++) {
        bc_search s;
        bc_look l;
        bc_search_deal deal;
        begin(&s, &l, 4, 0, calls);
        for (int i = 0; i < 4; i++) weights[BC_HOLDINGS + bc_holding(48 + i, 48 + (i + 1) % 4)] = 300;
        if (k) s.refine = first_cluster;
        bc_look_start(&l, 3);
        assert(s.hero != 1 && (s.even != 0) == (k == 1));
        int aces = 0;
        enum { DRAWS = 100000 };
        for (int i = 0; i < DRAWS; i++) {
            uint64_t used = 0;
            bc_search_deal_draw(&s, &deal);
            for (int seat = 0; seat < 4; seat++)
                for (int c = 0; c < 2; c++) used |= bc_bit(deal.hole[seat][c]);
            for (int c = 0; c < 5; c++) used |= bc_bit(deal.board[c]);
            int cards = 0;
            for (; used; used &= used - 1) cards++;
            assert(cards == 13);
            aces += deal.hole[1][0] >= 48 && deal.hole[1][1] >= 48;
        }
        share[k] = (double)aces / DRAWS;
    }
    assert(fabs(share[0] - share[1]) < 0.01 && share[0] > 0.3 && share[0] < 0.6);
}

/* Estimated potentials are near the exact ones. */
static void test_potentials(void) {
    static double hs[BC_HOLDINGS], ppot[BC_HOLDINGS], npot[BC_HOLDINGS];
    for (int n = 3; n <= 4; n++) {
        double off = 0;
        int count = 0;
        bc_sweep_potential(BC_BASE, BOARD, n, hs, ppot, npot);
        for (int i = 0; i < BC_HOLDINGS; i++) {
            if (isnan(hs[i])) continue;
            const double found = bc_potential_estimate(BOARD, n, i, hs[i]);
            off += fabs(found - ppot[i]);
            assert(fabs(found - ppot[i]) < 0.25);
            count++;
        }
        assert(off / count < 0.04);
    }
}

static void report_speed(void) {
    for (int seats = 2; seats <= 10; seats += 4) {
        bc_search s;
        bc_look l;
        begin(&s, &l, seats, 0, at_random);
        bc_look_start(&l, 3);
        const clock_t began = clock();
        bc_look_run(&l, 2000);
        const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
        printf("before the flop, %d seats: %.0f playouts a second\n", seats, 2000 / seconds);
    }
}

int main(void) {
    test_showdowns();
    test_folds();
    test_runs();
    test_known();
    test_styles();
    test_refine();
    test_even_ranges();
    test_potentials();
    report_speed();
    printf("lookahead: all tests passed\n");
    return 0;
}

/* The simulations against exact values. The source is included, because its deals are static. */
#include "../src/simulate.c"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "blinds.h"

static const bc_rules PUBLISHED = {.strong = 0.85, .good = 0.50, .bluff = 1};

/* Two blinds 1 and 2, bets 2 and 4, heads-up: the button calls, the big blind checks, and so on to `street`.
 */
static void seat(bc_simulation *sim, int seats, int street) {
    int64_t stacks[BC_SEATS];
    memset(sim, 0, sizeof *sim);
    sim->variant = small_game(seats, true);
    for (int i = 0; i < seats; i++) stacks[i] = 1000, sim->rules[i] = PUBLISHED;
    bc_state_start(&sim->variant, stacks, &sim->state);
    while (sim->state.street < street) bc_state_apply(&sim->variant, &sim->state, BC_CALL, 0);
    for (int i = 0; i < seats; i++)
        for (int k = 0; k < BC_HOLDINGS; k++) sim->weights[i][k] = 1;
}

static void cards(bc_simulation *sim, int a, int b, const uint8_t board[5]) {
    sim->hole[0] = (uint8_t)a, sim->hole[1] = (uint8_t)b;
    memcpy(sim->board, board, 5);
}

static void only(bc_simulation *sim, int opponent, int a, int b) {
    memset(sim->weights[opponent], 0, sizeof sim->weights[opponent]);
    sim->weights[opponent][bc_holding(a, b)] = 1;
}

enum { C2 = 0, H3 = 6, D7 = 21, S8 = 27, H9 = 30, CK = 44, DK = 45, CA = 48, DA = 49, HA = 50, SA = 51 };
static const uint8_t BOARD[5] = {SA, DA, CK, S8, H3}; /* aces and a king: HA CA is the nuts */

static void test_no_card_twice(bc_simulation *sim) {
    seat(sim, 10, 1);
    cards(sim, HA, CA, BOARD);
    for (int i = 1; i < 10; i++) /* all ranges are the same few holdings */
        for (int k = 0; k < BC_HOLDINGS; k++) sim->weights[i][k] = k < 200 ? 1 : 0.01;
    bc_simulation_start(sim, 5);
    for (int i = 0; i < 2000; i++) {
        trial t;
        uint64_t seen = 0;
        deal(sim, &t);
        for (int k = 0; k < 10; k++) seen |= bc_bit(t.hole[k][0]) | bc_bit(t.hole[k][1]);
        for (int k = 0; k < 5; k++) seen |= bc_bit(t.board[k]);
        int n = 0;
        for (; seen; seen &= seen - 1) n++;
        assert(n == 25);
        assert(t.board[0] == SA && t.board[1] == DA && t.board[2] == CK);
    }
}

static void test_holdings_come_by_weight(bc_simulation *sim) {
    seat(sim, 2, 3);
    cards(sim, HA, CA, BOARD);
    only(sim, 1, C2, D7);
    sim->weights[1][bc_holding(H9, CK)] = 50; /* blocked by the board */
    sim->weights[1][bc_holding(H9, DK)] = 3;
    bc_simulation_start(sim, 1);
    int kings = 0, n = 20000;
    for (int i = 0; i < n; i++) {
        trial t;
        deal(sim, &t);
        int holding = bc_holding(t.hole[1][0], t.hole[1][1]);
        assert(holding == bc_holding(C2, D7) || holding == bc_holding(H9, DK));
        kings += holding == bc_holding(H9, DK);
    }
    assert(abs(kings - 3 * n / 4) < 5 * sqrt(n * 3 / 16.0));
}

/* Last to act on the river, facing a bet of 4 into 4: a call wins 8 with the nuts and costs 4 without. */
static void test_a_call_that_ends_the_hand(bc_simulation *sim) {
    for (int nuts = 0; nuts < 2; nuts++) {
        seat(sim, 2, 3);
        bc_state_apply(&sim->variant, &sim->state, BC_RAISE, 4);
        if (nuts)
            cards(sim, HA, CA, BOARD);
        else
            cards(sim, C2, D7, BOARD);
        only(sim, 0, nuts ? C2 : HA, nuts ? D7 : CA);
        bc_simulation_start(sim, 9);
        bc_simulate(sim, 50);
        assert(sim->worth[BC_WORTH_CALL] == (nuts ? 8.0 : -4.0) * 50);
    }
}

/* The nuts against kings full, which by its rules calls every raise: a raise wins 4 more than a call. */
static void test_the_nuts_raise(bc_simulation *sim) {
    seat(sim, 2, 3);
    bc_state_apply(&sim->variant, &sim->state, BC_RAISE, 4);
    cards(sim, HA, CA, BOARD);
    only(sim, 0, DK, H9);
    bc_simulation_start(sim, 9);
    bc_simulate(sim, 200);
    assert(sim->worth[BC_WORTH_CALL] == 8.0 * 200);
    assert(sim->worth[BC_WORTH_RAISE] >= 12.0 * 200);
    assert(sim->worth[BC_WORTH_GAP] == sim->worth[BC_WORTH_RAISE] - sim->worth[BC_WORTH_CALL]);
}

/* The exact value on the river against one known holding: the tree of both players' triples. */
static double tree(bc_simulation *sim, const bc_state *state, const uint8_t hole[2][2]) {
    int hero = sim->hero;
    if (bc_state_over(state)) {
        if (!in(state, hero)) return (double)(sim->state.paid[hero] - state->paid[hero]);
        trial t;
        memcpy(t.board, sim->board, 5);
        memcpy(t.hole, hole, 4);
        return settle(sim, &t, state);
    }
    bc_legal legal = bc_state_legal(&sim->variant, state);
    bc_spot s = spot_of(sim, state, &legal);
    const bc_rules *rules = &sim->rules[state->to_act];
    double share[BC_RULES], triple[3], sum = 0;
    bc_rule_shares(&s, rules, sim->now[bc_holding(hole[state->to_act][0], hole[state->to_act][1])], 0, 0,
                   share);
    bc_triple(&s, rules, share, triple);
    for (int kind = 0; kind < 3; kind++) {
        if (triple[kind] == 0) continue;
        bc_state next = *state;
        bc_state_apply(&sim->variant, &next, kind, legal.least);
        sum += triple[kind] * tree(sim, &next, hole);
    }
    return sum;
}

static void test_the_mean_is_the_tree(bc_simulation *sim) {
    static const uint8_t holes[4][2][2] = {
        {{H9, S8 - 1}, {DK, D7}}, {{CA, 32}, {DK, D7}}, {{D7, 28}, {22, 23}}, {{S8 - 1, S8 - 2}, {H9, 29}}};
    for (int k = 0; k < 4; k++) {
        seat(sim, 2, 3);
        cards(sim, holes[k][0][0], holes[k][0][1], BOARD);
        only(sim, 1, holes[k][1][0], holes[k][1][1]);
        sim->rules[0].good = sim->rules[1].good = 0.7; /* more mixed actions */
        bc_simulation_start(sim, 77);
        int n = 40000;
        bc_simulate(sim, n);
        for (int kind = BC_CALL; kind <= BC_RAISE; kind++) {
            bc_state next = sim->state;
            bc_state_apply(&sim->variant, &next, kind, 4);
            double exact = tree(sim, &next, holes[k]), mean = sim->worth[kind - 1] / n;
            double error = sqrt((sim->squares[kind - 1] / n - mean * mean) / n);
            assert(fabs(mean - exact) <= 4 * error + 1e-9);
        }
    }
}

static void test_it_repeats(bc_simulation *sim, bc_simulation *again) {
    seat(sim, 6, 1);
    cards(sim, C2, D7, BOARD);
    seat(again, 6, 1);
    cards(again, C2, D7, BOARD);
    bc_simulation_start(sim, 3);
    bc_simulation_start(again, 3);
    bc_simulate(sim, 90);
    bc_simulate(again, 30);
    bc_simulate(again, 60);
    assert(sim->trials == 90 && again->trials == 90);
    for (int k = 0; k < BC_WORTHS; k++) {
        assert(sim->worth[k] == again->worth[k]);
        assert(sim->squares[k] == again->squares[k]);
    }
}

int main(void) {
    static bc_simulation one, two;
    test_no_card_twice(&one);
    test_holdings_come_by_weight(&one);
    test_a_call_that_ends_the_hand(&one);
    test_the_nuts_raise(&one);
    test_the_mean_is_the_tree(&one);
    test_it_repeats(&one, &two);
    puts("simulate: all tests passed");
    return 0;
}

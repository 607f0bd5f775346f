/* Invariants over random hands of every kind; `test_game million` plays a million of them. */
#include "baycarp/game.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const int64_t DEEP = (int64_t)1 << 40;

static bc_variant ring(int seats, bool limit, int64_t big) {
    bc_variant v = {.big_blind = big, .seats = (uint8_t)seats, .limit = limit};
    v.blinds[seats == 2 ? 1 : 0] = big / 2;
    v.blinds[seats == 2 ? 0 : 1] = big;
    v.first[0] = seats == 2 ? 1 : (uint8_t)(2 % seats);
    for (int i = 0; i < BC_STREETS; i++) {
        v.raise_sizes[i] = limit ? (i < 2 ? big : 2 * big) : 0;
        v.max_raises[i] = limit ? (i == 0 ? 3 : 4) : BC_NO_CAP;
    }
    return v;
}

static int between(bc_rng *rng, int least, int most) {
    return least + (int)bc_rng_below(rng, (uint32_t)(most - least + 1));
}

/* A game of any kind: blinds and first positions usual or odd, antes of every sort, caps or none. */
static bc_variant any_game(bc_rng *rng) {
    bc_variant v = ring(between(rng, 2, BC_SEATS), between(rng, 0, 1), between(rng, 2, 10));
    int antes = between(rng, 0, 3), ante = between(rng, 1, 10);
    if (between(rng, 0, 1)) {
        for (int i = 0; i < v.seats; i++) v.blinds[i] = between(rng, 0, 1) * between(rng, 0, 20);
        v.blinds[between(rng, 0, v.seats - 1)] = v.big_blind = between(rng, 20, 40);
        for (int i = 0; i < BC_STREETS; i++) v.first[i] = (uint8_t)between(rng, 0, v.seats - 1);
    }
    for (int i = 0; i < v.seats; i++) {
        if (antes == 1) v.antes[i] = ante;
        if (antes == 2) v.antes[i] = between(rng, 0, 10);
        if (v.antes[i] != v.antes[0]) v.dead_antes = true;
    }
    if (between(rng, 0, 3) == 0)
        for (int i = 0; i < BC_STREETS; i++) v.max_raises[i] = (uint8_t)between(rng, 0, 5);
    if (between(rng, 0, 3) == 0) v.big_blind = between(rng, 1, 40); /* a straddle, or no big blind */
    int none = between(rng, 0, 7);
    if (none <= 1) memset(v.blinds, 0, sizeof v.blinds);
    if (none == 0) v.first[0] = BC_NO_BETTING;
    v.pot_limit = !v.limit && between(rng, 0, 2) == 0;
    return v;
}

static void any_stacks(const bc_variant *v, bc_rng *rng, int64_t *stacks) {
    int depth = (int)v->big_blind * (1 << between(rng, 0, 7));
    bool deep = between(rng, 0, 7) == 0;
    for (int i = 0; i < v->seats; i++) stacks[i] = deep ? DEEP : between(rng, 1, depth);
}

/* Invariants of every state. */
static void check(const bc_variant *v, const bc_state *s, const int64_t *stacks) {
    bc_pot pots[BC_SEATS];
    int n = bc_state_pots(v, s, pots);
    int64_t in_pots = 0;
    for (int i = 0; i < v->seats; i++) {
        assert(s->stack[i] >= 0 && s->bet[i] >= 0 && s->bet[i] <= s->paid[i]);
        assert(s->stack[i] + s->paid[i] == stacks[i]);
    }
    for (int k = 0; k < n; k++) {
        assert(pots[k].chips > 0 && (pots[k].contenders & ~s->in) == 0 && pots[k].contenders != 0);
        if (k > 0) { /* each pot has fewer contenders */
            assert((pots[k].contenders & ~pots[k - 1].contenders) == 0);
            assert(pots[k].contenders != pots[k - 1].contenders);
        }
        in_pots += pots[k].chips;
    }
    assert(in_pots == bc_state_pot(v, s));
    bc_legal legal = bc_state_legal(v, s);
    if (bc_state_over(s)) {
        assert(legal.owed == 0 && legal.least == 0 && legal.most == 0);
        for (int kind = 0; kind < BC_KINDS; kind++) assert(!bc_state_can(v, s, kind, 1));
        return;
    }
    int seat = s->to_act;
    assert(s->in >> seat & 1 && s->stack[seat] > 0);
    assert(legal.owed <= s->stack[seat] && legal.least <= legal.most);
    assert(legal.most <= s->bet[seat] + s->stack[seat]);
    assert(legal.least == 0 || legal.least > s->level);
    assert(bc_state_can(v, s, BC_CALL, 0) && bc_state_can(v, s, BC_FOLD, 0));
    assert(!bc_state_can(v, s, BC_RAISE, legal.least - 1) && !bc_state_can(v, s, BC_RAISE, legal.most + 1));
}

static void check_payoffs(const bc_variant *v, const bc_state *s, bc_rng *rng) {
    uint16_t ranks[BC_SEATS];
    int64_t payoffs[BC_SEATS];
    int best = -1;
    for (int i = 0; i < v->seats; i++) {
        ranks[i] = (uint16_t)between(rng, 0, 4);
        if (s->in >> i & 1 && (best < 0 || ranks[i] > ranks[best])) best = i;
    }
    assert(bc_state_payoffs(v, s, ranks, payoffs));
    for (int i = 0; i < v->seats; i++) {
        assert(payoffs[i] >= -s->paid[i]);
        if (!(s->in >> i & 1)) assert(payoffs[i] == -s->paid[i]);
    }
    if (bc_state_pot(v, s) > 0) assert(payoffs[best] > -s->paid[best]); /* it wins a share of a pot */
}

/* One hand to its end; folds are rarer than calls, so that later streets are reached. Returns the actions
 * played. */
static int play(const bc_variant *v, bc_rng *rng) {
    int64_t stacks[BC_SEATS];
    any_stacks(v, rng, stacks);
    bc_state s;
    bc_state_start(v, stacks, &s);
    int actions = 0;
    for (; !bc_state_over(&s); actions++) {
        check(v, &s, stacks);
        bc_state before = s;
        int seat = s.to_act;
        if (between(rng, 0, 50) == 0) {
            bc_state_apply(v, &s, BC_FOLD, 0); /* free or not */
        } else if (bc_state_legal(v, &s).owed > 0 && between(rng, 0, 3)) {
            bc_state_apply(v, &s, BC_CALL, 0);
        } else {
            bc_state_random_act(v, &s, rng);
        }
        assert(s.street >= before.street && (s.in & ~before.in) == 0);
        for (int i = 0; i < v->seats; i++)
            assert(i == seat ? s.paid[i] >= before.paid[i] : s.paid[i] == before.paid[i]);
    }
    check(v, &s, stacks);
    assert((s.in & (s.in - 1)) == 0 || s.street == BC_STREETS - 1);
    check_payoffs(v, &s, rng);
    return actions;
}

static void test_random_hands(long hands) {
    bc_rng rng;
    bc_rng_seed(&rng, 20261121);
    long actions = 0;
    for (long i = 0; i < hands; i++) {
        bc_variant v = any_game(&rng);
        actions += play(&v, &rng);
    }
    printf("game: %ld random hands, %ld actions\n", hands, actions);
}

static void test_heads_up_order(void) {
    bc_variant v = ring(2, true, 10);
    int64_t stacks[] = {DEEP, DEEP};
    bc_state s;
    bc_state_start(&v, stacks, &s);
    assert(s.to_act == 1 && bc_state_legal(&v, &s).owed == 5 && bc_state_legal(&v, &s).least == 20);
    bc_state_apply(&v, &s, BC_CALL, 0);
    assert(s.to_act == 0 && s.street == 0); /* the option */
    bc_state_apply(&v, &s, BC_CALL, 0);
    assert(s.to_act == 0 && s.street == 1);
}

static void test_the_option_when_all_call(void) {
    bc_variant v = ring(3, true, 10);
    int64_t stacks[] = {DEEP, DEEP, DEEP};
    bc_state s;
    bc_state_start(&v, stacks, &s);
    assert(s.to_act == 2);
    bc_state_apply(&v, &s, BC_CALL, 0);
    bc_state_apply(&v, &s, BC_CALL, 0);
    assert(s.to_act == 1 && bc_state_can(&v, &s, BC_RAISE, 20) && bc_state_legal(&v, &s).owed == 0);
}

/* 100, 200 and 400 chips all-in: 300 for all three, 200 for two, 200 back to the deepest. */
static void test_side_pots(void) {
    bc_variant v = ring(3, false, 10);
    int64_t stacks[] = {100, 200, 400}, payoffs[BC_SEATS];
    bc_state s;
    bc_state_start(&v, stacks, &s);
    bc_state_apply(&v, &s, BC_RAISE, 400);
    bc_state_apply(&v, &s, BC_CALL, 0);
    bc_state_apply(&v, &s, BC_CALL, 0);
    assert(bc_state_over(&s) && s.street == 3);
    bc_pot pots[BC_SEATS];
    assert(bc_state_pots(&v, &s, pots) == 3);
    assert(pots[0].chips == 300 && pots[1].chips == 200 && pots[2].chips == 200);
    uint16_t ranks[] = {9, 5, 5};
    assert(bc_state_payoffs(&v, &s, ranks, payoffs));
    assert(payoffs[0] == 200 && payoffs[1] == -100 && payoffs[2] == -100);
}

/* The small blind of 5 folds, the big blind is all-in for 3: the 2 chips above 3 go to the last pot. */
static void test_chips_above_every_player_in(void) {
    bc_variant v = ring(3, false, 10);
    v.first[0] = 0;
    int64_t stacks[] = {100, 3, 100}, payoffs[BC_SEATS];
    bc_state s;
    bc_state_start(&v, stacks, &s);
    bc_state_apply(&v, &s, BC_FOLD, 0);
    bc_pot pots[BC_SEATS];
    assert(bc_state_pots(&v, &s, pots) == 1 && pots[0].chips == 8 && pots[0].contenders == 2);
    bc_state_apply(&v, &s, BC_CALL, 0);
    assert(bc_state_pots(&v, &s, pots) == 1 && pots[0].chips == 11 && pots[0].contenders == 6);
    uint16_t ranks[] = {9, 2, 2};
    assert(bc_state_payoffs(&v, &s, ranks, payoffs));
    assert(payoffs[0] == -5 && payoffs[1] == 3 && payoffs[2] == 2);
    v.dead_antes = true, v.antes[0] = 50; /* a variant other than the state's */
    assert(!bc_state_payoffs(&v, &s, ranks, payoffs));
}

/* Hands with cards: chips are conserved, and no player wins more than the pot. */
static void test_random_hands_with_cards(void) {
    bc_variant v = ring(6, true, 2);
    int64_t stacks[] = {DEEP, DEEP, DEEP, DEEP, DEEP, DEEP}, payoffs[BC_SEATS], pots = 0;
    bc_rng rng;
    bc_rng_seed(&rng, 7);
    for (int i = 0; i < 20000; i++) {
        int64_t sum = 0, won = 0, pot = bc_random_hand(&v, stacks, &rng, payoffs);
        for (int k = 0; k < v.seats; k++) {
            sum += payoffs[k];
            won += payoffs[k] > 0 ? payoffs[k] : 0;
        }
        assert(sum == 0 && won < pot);
        pots += pot;
    }
    assert(pots > 20000 * 3);
}

int main(int argc, char **argv) {
    test_heads_up_order();
    test_the_option_when_all_call();
    test_side_pots();
    test_chips_above_every_player_in();
    test_random_hands_with_cards();
    test_random_hands(argc > 1 && strcmp(argv[1], "million") == 0 ? 1000000 : 20000);
    return 0;
}

/* Payoffs by their definition: hands worked out on paper; and of random hands, those of game.h and of no
   broken rule. */
#include "naive_payoffs.h"

#include <assert.h>
#include <string.h>

static void check(const bc_variant *v, const bc_ledger *ledger, const uint16_t *ranks,
                  const int64_t *expected) {
    int64_t payoffs[BC_SEATS];
    bc_naive_payoffs(v, ledger, ranks, payoffs);
    for (int i = 0; i < v->seats; i++) assert(payoffs[i] == expected[i]);
}

/* 100, 200 and 400 chips: 300 for all three, 200 for two, 200 back to the deepest. */
static void test_side_pots(void) {
    bc_variant v = {.seats = 3};
    bc_ledger l = {.bet = {100, 200, 400}};
    check(&v, &l, (uint16_t[]){9, 5, 5}, (int64_t[]){200, -100, -100});
    check(&v, &l, (uint16_t[]){5, 9, 5}, (int64_t[]){-100, 300, -200});
    check(&v, &l, (uint16_t[]){5, 5, 9}, (int64_t[]){-100, -200, 300});
}

/* 5, 5 and 5 chips, and 4 or 5 of a folded player: 19 are 7, 6 and 6; 20 are 7, 7 and 6. */
static void test_odd_chips(void) {
    bc_variant v = {.seats = 4};
    bc_ledger l = {.bet = {4, 5, 5, 5}, .folded = {true}};
    check(&v, &l, (uint16_t[]){9, 3, 3, 3}, (int64_t[]){-4, 2, 1, 1});
    l.bet[0] = 5;
    check(&v, &l, (uint16_t[]){9, 3, 3, 3}, (int64_t[]){-5, 2, 2, 1});
}

/* A folded player's 5 chips, 2 of them beyond the 3 of both others. */
static void test_chips_above_every_player_in(void) {
    bc_variant v = {.seats = 3};
    bc_ledger l = {.bet = {5, 3, 3}, .folded = {true}};
    check(&v, &l, (uint16_t[]){9, 2, 1}, (int64_t[]){-5, 8, -3});
    l.folded[1] = true;
    check(&v, &l, (uint16_t[]){9, 2, 1}, (int64_t[]){-5, -3, 8});
}

/* A big blind's ante of 10 beside a bet of 10 each: dead money, or 10 chips that nobody matches. */
static void test_antes(void) {
    bc_variant v = {.seats = 2, .dead_antes = true};
    bc_ledger l = {.ante = {10, 0}, .bet = {10, 10}};
    check(&v, &l, (uint16_t[]){1, 2}, (int64_t[]){-20, 20});
    v.dead_antes = false;
    check(&v, &l, (uint16_t[]){1, 2}, (int64_t[]){-10, 10});
}

/* What is put in is what the variant and the acts cost, as far as the stack goes. */
static void test_the_ledger(void) {
    bc_variant v = {.seats = 3, .antes = {2, 2, 2}, .blinds = {5, 10, 0}};
    bc_ledger l;
    bc_ledger_open(&v, (int64_t[]){1, 6, 100}, &l);
    bc_ledger_act(&l, 2, BC_RAISE, 20);
    bc_ledger_act(&l, 1, BC_FOLD, 0);
    assert(memcmp(l.ante, (int64_t[BC_SEATS]){1, 2, 2}, sizeof l.ante) == 0);
    assert(memcmp(l.bet, (int64_t[BC_SEATS]){0, 4, 20}, sizeof l.bet) == 0);
    assert(!l.folded[0] && l.folded[1] && !l.folded[2]);
}

/* Broken rules. */

static bool no_side_pots(const bc_variant *v, const bc_state *s, const uint16_t *ranks, int64_t *payoffs) {
    int best = -1;
    for (int i = 0; i < v->seats; i++) {
        payoffs[i] = -s->paid[i];
        if (s->in >> i & 1 && (best < 0 || ranks[i] > ranks[best])) best = i;
    }
    payoffs[best] += bc_state_pot(v, s);
    return true;
}

static bool matched_antes(const bc_variant *v, const bc_state *s, const uint16_t *ranks, int64_t *payoffs) {
    bc_variant other = *v;
    other.dead_antes = !v->dead_antes;
    return bc_state_payoffs(&other, s, ranks, payoffs);
}

static bool bets_back_to_the_folded(const bc_variant *v, const bc_state *s, const uint16_t *ranks,
                                    int64_t *payoffs) {
    bc_state other = *s;
    int64_t most = 0;
    for (int i = 0; i < v->seats; i++)
        if (s->in >> i & 1 && s->paid[i] > most) most = s->paid[i];
    for (int i = 0; i < v->seats; i++)
        if (s->paid[i] > most) other.paid[i] = most;
    return bc_state_payoffs(v, &other, ranks, payoffs);
}

/* One chip of the first winner to the last one. */
static bool odd_chips_to_the_last(const bc_variant *v, const bc_state *s, const uint16_t *ranks,
                                  int64_t *payoffs) {
    bool sound = bc_state_payoffs(v, s, ranks, payoffs);
    int first = -1, last = -1;
    for (int i = v->seats - 1; i >= 0; i--)
        if (payoffs[i] > 0) first = i, last = last < 0 ? i : last;
    if (last > first && ranks[first] == ranks[last] && payoffs[first] == payoffs[last] + 1)
        payoffs[first]--, payoffs[last]++;
    return sound;
}

/* Random short-stacked hands of a game that a rule settles in another way. */
static int differing(bc_settle *settle, int hands) {
    bc_rng rng;
    bc_rng_seed(&rng, 7);
    int found = 0;
    for (int hand = 0; hand < hands; hand++) {
        bc_variant v = {.seats = 4, .big_blind = 4, .blinds = {2, 4}, .first = {hand % 4}};
        int64_t stacks[BC_SEATS], payoffs[BC_SEATS], expected[BC_SEATS], sum = 0;
        memset(v.max_raises, BC_NO_CAP, sizeof v.max_raises);
        for (int i = 0; i < v.seats; i++) {
            stacks[i] = 1 + bc_rng_below(&rng, 50);
            v.antes[i] = hand % 3 ? bc_rng_below(&rng, 4) : 0;
            v.dead_antes |= v.antes[i] != v.antes[0];
        }
        bc_naive_hand(&v, stacks, &rng, settle, payoffs, expected);
        for (int i = 0; i < v.seats; i++) sum += expected[i];
        assert(sum == 0);
        found += memcmp(payoffs, expected, (size_t)v.seats * sizeof *payoffs) != 0;
    }
    return found;
}

static void test_random_hands(void) {
    const int hands = 20000;
    assert(differing(bc_state_payoffs, hands) == 0);
    assert(differing(no_side_pots, hands) > 1000);
    assert(differing(matched_antes, hands) > 1000);
    assert(differing(bets_back_to_the_folded, hands) > 10);
    assert(differing(odd_chips_to_the_last, hands) > 10);
}

int main(void) {
    test_side_pots();
    test_odd_chips();
    test_chips_above_every_player_in();
    test_antes();
    test_the_ledger();
    test_random_hands();
    return 0;
}

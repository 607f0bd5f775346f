#include "naive_payoffs.h"

#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

void bc_ledger_open(const bc_variant *v, const int64_t *stacks, bc_ledger *ledger) {
    memset(ledger, 0, sizeof *ledger);
    for (int i = 0; i < v->seats; i++) {
        ledger->ante[i] = lesser(v->antes[i], stacks[i]);
        ledger->bet[i] = lesser(v->blinds[i], stacks[i] - ledger->ante[i]);
    }
}

void bc_ledger_act(bc_ledger *ledger, int seat, int kind, int64_t chips) {
    ledger->bet[seat] += chips;
    if (kind == BC_FOLD) ledger->folded[seat] = true;
}

/* Whether no other of the owners has a better hand. */
static bool wins(int seat, const bool *owns, const uint16_t *ranks) {
    if (!owns[seat]) return false;
    for (int i = 0; i < BC_SEATS; i++)
        if (owns[i] && i != seat && ranks[i] > ranks[seat]) return false;
    return true;
}

/* In equal parts to its winners; the rest to the first of them. */
static void pay(int64_t pot, const bool *owns, const uint16_t *ranks, int64_t *payoffs) {
    int winners = 0;
    for (int i = 0; i < BC_SEATS; i++) winners += wins(i, owns, ranks);
    int64_t rest = pot % winners;
    for (int i = 0; i < BC_SEATS; i++) {
        if (!wins(i, owns, ranks)) continue;
        payoffs[i] += pot / winners + (rest > 0);
        if (rest > 0) rest--;
    }
}

void bc_naive_payoffs(const bc_variant *v, const bc_ledger *ledger, const uint16_t *ranks, int64_t *payoffs) {
    bool owns[BC_SEATS] = {false}, touch[BC_SEATS];
    int64_t pot = 0, heap = 1;
    for (int i = 0; i < v->seats; i++) {
        owns[i] = !ledger->folded[i];
        payoffs[i] = -ledger->ante[i] - ledger->bet[i];
        if (v->dead_antes) pot += ledger->ante[i];
    }
    for (int64_t chip = 1; heap > 0; chip++) {
        bool owned = false;
        heap = 0;
        memset(touch, 0, sizeof touch);
        for (int i = 0; i < v->seats; i++) {
            if (ledger->bet[i] + (v->dead_antes ? 0 : ledger->ante[i]) < chip) continue;
            heap++;
            touch[i] = !ledger->folded[i];
            owned |= touch[i];
        }
        if (owned && memcmp(owns, touch, sizeof owns)) {
            pay(pot, owns, ranks, payoffs);
            memcpy(owns, touch, sizeof owns);
            pot = 0;
        }
        pot += heap;
    }
    pay(pot, owns, ranks, payoffs);
}

/* A fold is one act of ten where it is possible; half of the raises are by any amount, small ones likelier.
 */
static int64_t random_raise(const bc_legal *legal, bc_rng *rng) {
    int64_t above = legal->most - legal->least;
    if (bc_rng_below(rng, 2)) return bc_rng_below(rng, 2) ? legal->least : legal->most;
    return legal->least + bc_rng_below(rng, (uint32_t)lesser(above, 2 * legal->least) + 1);
}

static void random_act(const bc_variant *v, bc_state *s, bc_rng *rng, bc_ledger *ledger) {
    bc_legal legal = bc_state_legal(v, s);
    int seat = s->to_act, kind = legal.least > 0 && bc_rng_below(rng, 2) ? BC_RAISE : BC_CALL;
    if (legal.owed > 0 && bc_rng_below(rng, 10) == 0) kind = BC_FOLD;
    int64_t chips = bc_state_apply(v, s, kind, kind == BC_RAISE ? random_raise(&legal, rng) : 0);
    bc_ledger_act(ledger, seat, kind, chips);
}

/* The first cards of a shuffled deck. */
static void deal(bc_rng *rng, int count, uint8_t *deck) {
    for (int i = 0; i < BC_DECK; i++) deck[i] = (uint8_t)i;
    for (int i = 0; i < count; i++) {
        int j = i + (int)bc_rng_below(rng, (uint32_t)(BC_DECK - i));
        uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}

static uint16_t rank_of(const uint8_t *hole, const uint8_t *board) {
    uint8_t cards[7];
    memcpy(cards, hole, 2);
    memcpy(cards + 2, board, 5);
    return bc_rank_cards(cards, 7);
}

void bc_naive_hand(const bc_variant *v, const int64_t *stacks, bc_rng *rng, bc_settle *settle,
                   int64_t *payoffs, int64_t *expected) {
    uint8_t deck[BC_DECK], *board = deck + 2 * v->seats;
    uint16_t ranks[BC_SEATS] = {0};
    bc_ledger ledger;
    bc_state s;
    bc_state_start(v, stacks, &s);
    bc_ledger_open(v, stacks, &ledger);
    while (!bc_state_over(&s)) random_act(v, &s, rng, &ledger);
    deal(rng, 2 * v->seats + 5, deck);
    bc_state_ranks(v, &s, deck, board, ranks);
    settle(v, &s, ranks, payoffs);
    for (int i = 0; i < v->seats; i++) ranks[i] = rank_of(deck + 2 * i, board);
    bc_naive_payoffs(v, &ledger, ranks, expected);
}

#include "baycarp/equity.h"

#include <assert.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

typedef struct {
    bc_hand hand;
    uint64_t cards;
    double weight;
    uint16_t rank; /* on this board; 0 = blocked */
} holding;

typedef struct {
    int count;
    holding holdings[BC_HOLDINGS];
} side;

typedef struct {
    side a, b;
    uint64_t held; /* cards that one side holds for certain */
    bc_shares *sum;
} showdown;

/* Take in the holdings of weight > 0; returns the cards that all of them share. */
static uint64_t fill(const double *weights, uint64_t known, side *s) {
    uint64_t shared = ~(uint64_t)0;
    s->count = 0;
    for (int hi = 1, index = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, index++) {
            const uint64_t cards = bc_bit(hi) | bc_bit(lo);
            if (cards & known || !(weights[index] > 0)) continue;
            const bc_hand hand = bc_hand_add(bc_hand_card(hi), bc_hand_card(lo));
            s->holdings[s->count++] = (holding){hand, cards, weights[index], 0};
            shared &= cards;
        }
    return shared;
}

static void rank_all(side *s, bc_hand board, uint64_t cards) {
    for (holding *h = s->holdings; h < s->holdings + s->count; h++)
        h->rank = h->cards & cards ? 0 : bc_rank(bc_hand_add(board, h->hand));
}

static void compare_all(showdown *s, bc_hand board, uint64_t cards) {
    rank_all(&s->a, board, cards);
    rank_all(&s->b, board, cards);
    for (const holding *a = s->a.holdings; a < s->a.holdings + s->a.count; a++) {
        if (!a->rank) continue;
        double beaten = 0, tied = 0, met = 0;
        for (const holding *b = s->b.holdings; b < s->b.holdings + s->b.count; b++) {
            if (!b->rank || a->cards & b->cards) continue;
            met += b->weight;
            if (a->rank > b->rank) beaten += b->weight;
            if (a->rank == b->rank) tied += b->weight;
        }
        s->sum->won += a->weight * (beaten + tied / 2);
        s->sum->total += a->weight * met;
    }
}

static void complete(showdown *s, bc_hand board, uint64_t cards, int missing, int from) {
    if (missing == 0) {
        compare_all(s, board, cards);
        return;
    }
    for (int card = from; card < BC_DECK; card++) {
        if ((cards | s->held) & bc_bit(card)) continue;
        complete(s, bc_hand_add(board, bc_hand_card(card)), cards | bc_bit(card), missing - 1, card + 1);
    }
}

void bc_equity(const double *a, const double *b, const uint8_t *board, int n, int lowest, bc_shares *sum) {
    assert(0 <= n && n <= 5);
    showdown s = {.sum = sum};
    bc_hand hand = bc_hand_empty();
    uint64_t cards = 0;
    for (int i = 0; i < n; i++) {
        hand = bc_hand_add(hand, bc_hand_card(board[i]));
        cards |= bc_bit(board[i]);
    }
    const uint64_t shared_a = fill(a, cards, &s.a), shared_b = fill(b, cards, &s.b);
    if (!s.a.count || !s.b.count || shared_a & shared_b) return;
    s.held = shared_a | shared_b;
    complete(&s, hand, cards, 5 - n, lowest);
}

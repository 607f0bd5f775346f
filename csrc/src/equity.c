#include "baycarp/equity.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"
#include "baycarp/sweep.h"

/* A sweep of one board takes as long as some so many comparisons. */
#define FEW_PAIRS 16384

typedef struct {
    bc_hand hand;
    uint64_t cards;
    double weight;
    uint16_t rank; /* on this board; 0 = blocked */
    uint16_t index;
    uint8_t hi, lo;
} holding;

typedef struct {
    const double *weights;
    uint64_t shared; /* cards that all holdings have */
    int count;
    holding holdings[BC_HOLDINGS];
} side;

typedef struct {
    side a, b;
    bool few;
    uint64_t known, held; /* cards on the board; cards that a side holds for certain */
    uint8_t board[5];
    bc_shares *sum;
} showdown;

/* Take in the holdings of weight > 0 that the board leaves. */
static void fill(const double *weights, uint64_t known, side *s) {
    s->weights = weights;
    s->shared = ~(uint64_t)0;
    s->count = 0;
    for (int hi = 1, index = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, index++) {
            const uint64_t cards = bc_bit(hi) | bc_bit(lo);
            if (cards & known || !(weights[index] > 0)) continue;
            const bc_hand hand = bc_hand_add(bc_hand_card(hi), bc_hand_card(lo));
            s->holdings[s->count++] =
                (holding){hand, cards, weights[index], 0, (uint16_t)index, (uint8_t)hi, (uint8_t)lo};
            s->shared &= cards;
        }
}

static void rank_all(side *s, bc_hand board, uint64_t known) {
    for (holding *h = s->holdings; h < s->holdings + s->count; h++)
        h->rank = h->cards & known ? 0 : bc_rank(bc_hand_add(board, h->hand));
}

static void compare_pairs(showdown *s) {
    const bc_hand board = bc_hand_of(s->board, 5);
    rank_all(&s->a, board, s->known);
    rank_all(&s->b, board, s->known);
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

/* The strength of each holding of a, times the weight that it meets: all of b but what shares one of its
   cards, where the holding itself shares both. */
static void compare_by_sweep(showdown *s) {
    double hs[BC_HOLDINGS], all = 0, with[BC_DECK] = {0};
    bc_sweep(s->board, 5, s->b.weights, hs);
    for (const holding *b = s->b.holdings; b < s->b.holdings + s->b.count; b++) {
        if (b->cards & s->known) continue;
        all += b->weight;
        with[b->hi] += b->weight;
        with[b->lo] += b->weight;
    }
    for (const holding *a = s->a.holdings; a < s->a.holdings + s->a.count; a++) {
        if (isnan(hs[a->index])) continue;
        const double met = all - with[a->hi] - with[a->lo] + s->b.weights[a->index];
        s->sum->won += a->weight * met * hs[a->index];
        s->sum->total += a->weight * met;
    }
}

static void complete(showdown *s, int n, int lowest) {
    if (n == 5) {
        if (s->few)
            compare_pairs(s);
        else
            compare_by_sweep(s);
        return;
    }
    for (int card = lowest; card < BC_DECK; card++) {
        if ((s->known | s->held) & bc_bit(card)) continue;
        s->board[n] = (uint8_t)card;
        s->known |= bc_bit(card);
        complete(s, n + 1, card + 1);
        s->known &= ~bc_bit(card);
    }
}

void bc_equity(const double *a, const double *b, const uint8_t *board, int n, int lowest, bc_shares *sum) {
    assert(0 <= n && n <= 5);
    showdown s = {.sum = sum};
    for (int i = 0; i < n; i++) {
        s.board[i] = board[i];
        s.known |= bc_bit(board[i]);
    }
    fill(a, s.known, &s.a);
    fill(b, s.known, &s.b);
    if (!s.a.count || !s.b.count || s.a.shared & s.b.shared) return;
    s.held = s.a.shared | s.b.shared;
    s.few = s.a.count * s.b.count <= FEW_PAIRS;
    complete(&s, n, lowest);
}

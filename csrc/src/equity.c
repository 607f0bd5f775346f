#include "baycarp/equity.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"
#include "baycarp/showdown.h"

/* A walk over all holdings takes as long as some so many comparisons. */
#define FEW_PAIRS 512

typedef struct {
    bc_hand hand;
    uint64_t cards;
    double weight;
    uint16_t rank; /* on this board; 0 = blocked */
} holding;

typedef struct {
    uint64_t shared; /* cards that all holdings have */
    int count;
    holding holdings[BC_DECK];
} side;

/* Take in the holdings of weight > 0 that the board leaves. */
static void fill(const double *weights, uint64_t known, side *s) {
    s->shared = ~(uint64_t)0;
    s->count = 0;
    for (int hi = 1, index = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, index++) {
            const uint64_t cards = bc_bit(hi) | bc_bit(lo);
            if (cards & known || !(weights[index] > 0)) continue;
            const bc_hand hand = bc_hand_add(bc_hand_card(hi), bc_hand_card(lo));
            s->holdings[s->count++] = (holding){hand, cards, weights[index], 0};
            s->shared &= cards;
        }
}

/* Whether there are so few holdings that they may have a card in common, or be compared one by one. */
static bool narrow(const double *weights) {
    int count = 0;
    for (int i = 0; i < BC_HOLDINGS && count < BC_DECK; i++) count += weights[i] > 0;
    return count < BC_DECK;
}

/* Four sums, as one would wait for itself at every term. */
typedef struct {
    double part[4];
} sums;

static inline double all_of(const sums *s) {
    return (s->part[0] + s->part[1]) + (s->part[2] + s->part[3]);
}

/* The weight of the pairs that can meet. What shares one card with a holding of a is taken off the range of
   b, and the holding itself, which shares both, put back. */
static double meeting(const double *a, const bc_showdowns *b) {
    sums sum = {{0}};
    for (int hi = 1; hi < BC_DECK; a += hi++) {
        const double rest = b->all - b->by_card[hi], *weight = b->weight[hi];
        int lo = 0;
        for (; lo + 4 <= hi; lo += 4)
            for (int i = 0; i < 4; i++)
                sum.part[i] += a[lo + i] * (rest - b->by_card[lo + i] + weight[lo + i]);
        for (; lo < hi; lo++) sum.part[lo & 3] += a[lo] * (rest - b->by_card[lo] + weight[lo]);
    }
    return all_of(&sum);
}

/* Twice what a has won. */
static double won(const double *a, const double *beaten) {
    sums sum = {{0}};
    int i = 0;
    for (; i + 4 <= BC_HOLDINGS; i += 4)
        for (int k = 0; k < 4; k++) sum.part[k] += a[i + k] * beaten[i + k];
    for (; i < BC_HOLDINGS; i++) sum.part[i & 3] += a[i] * beaten[i];
    return all_of(&sum);
}

/* The weights of the holdings that the board leaves. */
static void leave(const double *weights, const uint8_t *board, int n, double *left) {
    memcpy(left, weights, BC_HOLDINGS * sizeof *left);
    for (int i = 0; i < n; i++)
        for (int card = 0; card < BC_DECK; card++)
            if (card != board[i]) left[bc_holding(card, board[i])] = 0;
}

/* Pairs one by one, board by board. */
typedef struct {
    side *a, *b;
    uint64_t out;
    double won;
} few;

static void rank_all(side *s, bc_hand board, uint64_t cards) {
    for (holding *h = s->holdings; h < s->holdings + s->count; h++)
        h->rank = h->cards & cards ? 0 : bc_rank(bc_hand_add(board, h->hand));
}

static void compare(few *f, bc_hand board, uint64_t cards) {
    rank_all(f->a, board, cards);
    rank_all(f->b, board, cards);
    for (const holding *a = f->a->holdings; a < f->a->holdings + f->a->count; a++) {
        double beaten = 0, tied = 0;
        if (!a->rank) continue;
        for (const holding *b = f->b->holdings; b < f->b->holdings + f->b->count; b++) {
            if (!b->rank || a->cards & b->cards) continue;
            if (a->rank > b->rank) beaten += b->weight;
            if (a->rank == b->rank) tied += b->weight;
        }
        f->won += a->weight * (beaten + tied / 2);
    }
}

static void complete(few *f, int to_come, int from, int to, bc_hand board, uint64_t cards) {
    if (!to_come) {
        compare(f, board, cards);
        return;
    }
    for (int card = from; card < to; card++)
        if (!(f->out & bc_bit(card)))
            complete(f, to_come - 1, card + 1, BC_DECK, bc_hand_add(board, bc_hand_card(card)),
                     cards | bc_bit(card));
}

static double pairs(const side *a, const side *b) {
    double sum = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (!(a->holdings[i].cards & b->holdings[j].cards))
                sum += a->holdings[i].weight * b->holdings[j].weight;
    return sum;
}

static double boards(int left, int to_come) {
    double ways = 1;
    for (int i = 0; i < to_come; i++) ways = ways * (left - i) / (i + 1);
    return ways;
}

void bc_equity(enum bc_simd level, const double *a, const double *b, const uint8_t *board, int n, int lowest,
               bc_shares *sum) {
    assert(0 <= n && n <= 5 && lowest < (n == 5 ? 0 : 13));
    bc_showdowns s;
    side ours = {0}, theirs = {0};
    bc_showdowns_start(board, n, 5 - n, b, &s);
    if (narrow(a)) fill(a, s.out, &ours);
    if (narrow(b)) fill(b, s.out, &theirs);
    s.lowest = lowest;
    s.held = ours.shared | theirs.shared;
    const double ways = lowest <= 0 ? boards(BC_DECK - 4 - n, 5 - n) : 0;
    if (narrow(a) && narrow(b) && ours.count * theirs.count <= FEW_PAIRS) {
        few f = {&ours, &theirs, s.out | s.held, 0};
        const int from = lowest < 0 ? 0 : 4 * lowest, to = lowest < 0 ? BC_DECK : from + 4;
        complete(&f, 5 - n, from, to, bc_hand_of(board, n), s.out);
        sum->won += f.won;
        sum->total += ways * pairs(&ours, &theirs);
    } else {
        double left[BC_HOLDINGS];
        leave(a, board, n, left);
        if (n < 4) bc_showdowns_twins(a, &s);
        bc_showdowns_run(level, &s);
        sum->won += won(left, s.sum) / 2;
        sum->total += ways * meeting(left, &s);
    }
}

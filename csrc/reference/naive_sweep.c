#include "naive_sweep.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

static uint64_t set_of(const uint8_t *cards, int n) {
    uint64_t set = 0;
    for (int i = 0; i < n; i++) set |= bc_bit(cards[i]);
    return set;
}

enum { RANKS = 10 << 12 }; /* of hands; none has 0 */

/* The rank of every holding on a board, 0 where it is blocked; the weight of those below each rank. */
typedef struct {
    uint16_t rank[BC_HOLDINGS];
    double weight[BC_HOLDINGS], below[RANKS + 1];
} standing;

static void list_standing(const uint8_t *board, int n, const double *weights, standing *s) {
    const uint64_t known = set_of(board, n);
    memset(s, 0, sizeof *s);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            if (known & (bc_bit(hi) | bc_bit(lo))) continue;
            uint8_t cards[7] = {(uint8_t)hi, (uint8_t)lo};
            memcpy(cards + 2, board, (size_t)n);
            const int i = bc_holding(hi, lo);
            s->rank[i] = bc_rank(bc_hand_of(cards, n + 2));
            s->weight[i] = weights ? weights[i] : 1;
            s->below[s->rank[i] + 1] += s->weight[i];
        }
    for (int rank = 0; rank < RANKS; rank++) s->below[rank + 1] += s->below[rank];
}

/* The weight that a holding beats, ties with and meets. */
typedef struct {
    double beaten, tied, met;
} result;

static void take_off(const standing *s, int ours, int theirs, result *r) {
    r->met -= s->weight[theirs];
    if (s->rank[theirs] < s->rank[ours]) r->beaten -= s->weight[theirs];
    if (s->rank[theirs] == s->rank[ours]) r->tied -= s->weight[theirs];
}

/* The strength of a holding: all others by rank, less those that share a card with it, one by one. NaN where
   it meets none. */
static double strength_of(const standing *s, int hi, int lo) {
    const int ours = bc_holding(hi, lo), rank = s->rank[ours];
    result r = {s->below[rank], s->below[rank + 1] - s->below[rank], s->below[RANKS]};
    take_off(s, ours, ours, &r);
    for (int card = 0; card < BC_DECK; card++) {
        if (card == hi || card == lo) continue;
        take_off(s, ours, card > hi ? bc_holding(card, hi) : bc_holding(hi, card), &r);
        take_off(s, ours, card > lo ? bc_holding(card, lo) : bc_holding(lo, card), &r);
    }
    return r.met > 0 ? (r.beaten + r.tied / 2) / r.met : NAN;
}

void bc_naive_sweep(const uint8_t *board, int n, const double *weights, double *hs) {
    assert(3 <= n && n <= 5);
    standing s;
    list_standing(board, n, weights, &s);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const int i = bc_holding(hi, lo);
            hs[i] = s.rank[i] ? strength_of(&s, hi, lo) : NAN;
        }
}

typedef struct {
    const double *weights;
    double coarse; /* adding it leaves no finer bits than 2^-40 */
    double sum[BC_HOLDINGS], squares[BC_HOLDINGS], met[BC_HOLDINGS];
} expectation;

static void expect(uint8_t *board, int n, int lowest, expectation *e) {
    if (n == 5) {
        double hs[BC_HOLDINGS];
        bc_naive_sweep(board, 5, e->weights, hs);
        for (int i = 0; i < BC_HOLDINGS; i++) {
            if (isnan(hs[i])) continue;
            e->sum[i] += hs[i] + e->coarse - e->coarse;
            e->squares[i] += hs[i] * hs[i] + e->coarse - e->coarse;
            e->met[i]++;
        }
    } else {
        for (int card = lowest; card < BC_DECK; card++) {
            if (set_of(board, n) & bc_bit(card)) continue;
            board[n] = (uint8_t)card;
            expect(board, n + 1, card + 1, e);
        }
    }
}

void bc_naive_sweep_expected(const uint8_t *board, int n, const double *weights, double *mean,
                             double *square) {
    assert(3 <= n && n <= 5);
    expectation e = {.weights = weights, .coarse = n < 5 ? 0x1.8p12 : 0};
    uint8_t full[5];
    memcpy(full, board, (size_t)n);
    expect(full, n, 0, &e);
    for (int i = 0; i < BC_HOLDINGS; i++) {
        mean[i] = e.sum[i] / e.met[i];
        square[i] = e.squares[i] / e.met[i];
    }
}

typedef struct {
    bc_hand hand;
    uint64_t cards;
    double weight;
} holding;

/* Those that these cards leave, of weight > 0. */
static int list(const double *weights, uint64_t known, holding *holdings) {
    int count = 0;
    for (int hi = 1, i = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, i++) {
            const uint64_t cards = bc_bit(hi) | bc_bit(lo);
            if (known & cards || weights[i] == 0) continue;
            holdings[count++] = (holding){bc_hand_add(bc_hand_card(hi), bc_hand_card(lo)), cards, weights[i]};
        }
    return count;
}

/* One holding of a, and those of b that it can meet. */
typedef struct {
    const holding *hero;
    holding rivals[BC_HOLDINGS];
    int count;
    bc_shares *sum;
} duel;

static void meet(const duel *d, bc_hand board, uint64_t known) {
    const uint16_t ours = bc_rank(bc_hand_add(board, d->hero->hand));
    double beaten = 0, tied = 0, met = 0;
    for (const holding *rival = d->rivals; rival < d->rivals + d->count; rival++) {
        if (known & rival->cards) continue;
        const uint16_t theirs = bc_rank(bc_hand_add(board, rival->hand));
        met += rival->weight;
        if (theirs < ours) beaten += rival->weight;
        if (theirs == ours) tied += rival->weight;
    }
    d->sum->won += d->hero->weight * (beaten + tied / 2);
    d->sum->total += d->hero->weight * met;
}

static void complete(const duel *d, int to_come, int lowest, bc_hand board, uint64_t known) {
    if (!to_come) meet(d, board, known);
    for (int card = lowest; to_come && card < BC_DECK; card++)
        if (!(known & bc_bit(card)))
            complete(d, to_come - 1, card + 1, bc_hand_add(board, bc_hand_card(card)), known | bc_bit(card));
}

void bc_naive_equity(const double *a, const double *b, const uint8_t *board, int n, bc_shares *sum) {
    const uint64_t known = set_of(board, n);
    holding heroes[BC_HOLDINGS];
    const int count = list(a, known, heroes);
    for (const holding *hero = heroes; hero < heroes + count; hero++) {
        duel d = {.hero = hero, .sum = sum};
        d.count = list(b, known | hero->cards, d.rivals);
        complete(&d, 5 - n, 0, bc_hand_of(board, n), known | hero->cards);
    }
}

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

/* The holdings that a board leaves, by their rank. */
typedef struct {
    int count;
    uint16_t holding[BC_HOLDINGS], rank[BC_HOLDINGS];
    uint8_t card[BC_HOLDINGS][2];
} live;

static void rank_all(const uint8_t *board, int n, live *all) {
    const bc_hand base = bc_hand_of(board, n);
    const uint64_t known = set_of(board, n);
    all->count = 0;
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            if (known & (bc_bit(hi) | bc_bit(lo))) continue;
            const int i = all->count++;
            all->holding[i] = (uint16_t)bc_holding(hi, lo);
            all->rank[i] = bc_rank(bc_hand_add(bc_hand_add(base, bc_hand_card(hi)), bc_hand_card(lo)));
            all->card[i][0] = (uint8_t)hi;
            all->card[i][1] = (uint8_t)lo;
        }
}

/* order[]: places by rising rank; two counting passes over bytes. */
static void sort_by_rank(int count, const uint16_t *rank, uint16_t *order) {
    uint16_t half[BC_HOLDINGS], from[2][257] = {{0}};
    for (int i = 0; i < count; i++) {
        from[0][(rank[i] & 255) + 1]++;
        from[1][(rank[i] >> 8) + 1]++;
    }
    for (int byte = 0; byte < 256; byte++) {
        from[0][byte + 1] = (uint16_t)(from[0][byte + 1] + from[0][byte]);
        from[1][byte + 1] = (uint16_t)(from[1][byte + 1] + from[1][byte]);
    }
    for (int i = 0; i < count; i++) half[from[0][rank[i] & 255]++] = (uint16_t)i;
    for (int i = 0; i < count; i++) order[from[1][rank[half[i]] >> 8]++] = half[i];
}

typedef struct {
    double all, by_card[BC_DECK];
} tally;

static void add(tally *sum, const uint8_t *card, double weight) {
    sum->all += weight;
    sum->by_card[card[0]] += weight;
    sum->by_card[card[1]] += weight;
}

/* What of it shares no card with the holding; once less the holding itself, if it is in there. */
static double apart(const tally *sum, const uint8_t *card) {
    return sum->all - sum->by_card[card[0]] - sum->by_card[card[1]];
}

/* By place; NaN where nobody is met. */
static void strengths(const live *all, const double *weights, double *hs) {
    uint16_t order[BC_HOLDINGS];
    double weight[BC_HOLDINGS];
    tally total = {0}, passed = {0};
    sort_by_rank(all->count, all->rank, order);
    for (int i = 0; i < all->count; i++) {
        weight[i] = weights ? weights[all->holding[i]] : 1;
        add(&total, all->card[i], weight[i]);
    }
    for (int from = 0, to; from < all->count; from = to) {
        const uint16_t rank = all->rank[order[from]];
        for (to = from; to < all->count && all->rank[order[to]] == rank; to++)
            hs[order[to]] = apart(&passed, all->card[order[to]]);
        for (int k = from; k < to; k++) add(&passed, all->card[order[k]], weight[order[k]]);
        for (int k = from; k < to; k++) {
            const int i = order[k];
            const double beaten = hs[i], matched = apart(&passed, all->card[i]) + weight[i];
            const double rivals = apart(&total, all->card[i]) + weight[i];
            hs[i] = rivals > 0 ? (beaten + matched) / (2 * rivals) : NAN;
        }
    }
}

void bc_naive_sweep(const uint8_t *board, int n, const double *weights, double *hs) {
    assert(3 <= n && n <= 5);
    live all;
    double at[BC_HOLDINGS];
    rank_all(board, n, &all);
    strengths(&all, weights, at);
    for (int i = 0; i < BC_HOLDINGS; i++) hs[i] = NAN;
    for (int i = 0; i < all.count; i++) hs[all.holding[i]] = at[i];
}

typedef struct {
    const double *weights;
    double coarse; /* adding it leaves no finer bits than 2^-40 */
    double sum[BC_HOLDINGS], squares[BC_HOLDINGS], met[BC_HOLDINGS];
} expectation;

static void expect(uint8_t *board, int n, int lowest, expectation *e) {
    if (n == 5) {
        live all;
        double hs[BC_HOLDINGS];
        rank_all(board, 5, &all);
        strengths(&all, e->weights, hs);
        for (int i = 0; i < all.count; i++) {
            if (isnan(hs[i])) continue;
            e->sum[all.holding[i]] += hs[i] + e->coarse - e->coarse;
            e->squares[all.holding[i]] += hs[i] * hs[i] + e->coarse - e->coarse;
            e->met[all.holding[i]]++;
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

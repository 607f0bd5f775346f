/* Part of potential_form.h: what flushes change where exactly three cards of a suit lie after the next card.

   Then only the holdings of two cards of that suit, at most 45, have a rank that their ranks alone do not
   give: the flushes. Changes were counted as if there were no flush (potential_ranks.h); here the pairs of a
   flush and a rival are counted anew, and the difference is added. Rivals without a flush have at most one
   card of the suit, so they are counted by pairs of ranks; a flush takes that card from some of them. */
#ifndef BAYCARP_SIMD_POTENTIAL_FLUSH_H
#define BAYCARP_SIMD_POTENTIAL_FLUSH_H

#include "potential_ranks.h"

enum { FLUSHES = 64 /* 45, rounded up to whole vectors */ };

/* Two cards of the suit, by lane: their ranks, their hand ranks and those without the flush. */
typedef struct {
    int count;
    int16_t hi[FLUSHES], lo[FLUSHES];
    int16_t now[FLUSHES], then[FLUSHES], plain_now[FLUSHES], plain_then[FLUSHES];
} flushes;

/* The differences of a flush, by the pair of ranks of its rival. */
typedef struct {
    int16_t rise[LANES], fall[LANES];
} differences;

/* The differences of all flushes, and of those with a card of each rank. */
typedef struct {
    differences all, with[RANKS];
} totals;

/* The holdings without a flush that the cards left over form, by pair of ranks; and by rank the cards left
   over of the other suits. */
typedef struct {
    int16_t pairs[LANES], off_suit[RANKS];
} ways;

static void list_ways(const pairs *p, int suit, uint64_t known, ways *w) {
    int left[RANKS], suited[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        left[rank] = __builtin_popcountll(~known >> 4 * rank & 15);
        suited[rank] = !(known & bc_bit(4 * rank + suit));
        w->off_suit[rank] = (int16_t)(left[rank] - suited[rank]);
    }
    memset(w->pairs, 0, sizeof w->pairs);
    for (int q = 0; q < PAIRS; q++) {
        const int hi = p->hi[q], lo = p->lo[q];
        w->pairs[q] = (int16_t)(hi == lo ? left[hi] * (left[hi] - 1) / 2
                                         : left[hi] * left[lo] - suited[hi] * suited[lo]);
    }
}

/* The flushes once a next card has come; `flushed`: they are flushes already. */
static void list_flushes(const pairs *p, const uint8_t *board, int n, int suit, int next, bool flushed,
                         flushes *f) {
    const uint64_t known = set_of(board, n) | bc_bit(next);
    const bc_hand now = bc_hand_of(board, n), then = bc_hand_add(now, bc_hand_card(next));
    memset(f, 0, sizeof *f); /* lanes beyond the count are read, and count nothing */
    for (int hi = 1; hi < RANKS; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const int a = 4 * hi + suit, b = 4 * lo + suit, pair = pair_of(hi, lo);
            if (known & (bc_bit(a) | bc_bit(b))) continue;
            const bc_hand held = bc_hand_add(bc_hand_card(a), bc_hand_card(b));
            const int i = f->count++;
            f->hi[i] = (int16_t)hi, f->lo[i] = (int16_t)lo;
            f->plain_now[i] = p->now[pair], f->plain_then[i] = p->then[bc_rank_of(next)][pair];
            f->then[i] = (int16_t)(bc_rank(bc_hand_add(then, held)) - 32768);
            f->now[i] = flushed ? (int16_t)(bc_rank(bc_hand_add(now, held)) - 32768) : f->plain_now[i];
        }
    for (int i = f->count; i < FLUSHES; i++) f->hi[i] = f->lo[i] = -1;
}

static inline int16_t standing(int16_t own, int16_t other) {
    return (int16_t)((own > other) - (own < other));
}

static inline int16_t above(int16_t delta) {
    return (int16_t)(delta > 0 ? delta : 0);
}

/* The differences of a flush to every pair of ranks; returns their sums over the holdings that it meets. */
static change differ(const pairs *p, const flushes *f, const ways *w, int own, int next_rank,
                     differences *d) {
    const int16_t now = f->now[own], then = f->then[own], plain_now = f->plain_now[own],
                  plain_then = f->plain_then[own], *theirs = p->then[next_rank];
    int16_t rise = 0, fall = 0; /* at most 2 * 1081 */
    for (int q = 0; q < LANES; q++) {
        const int16_t delta = (int16_t)(standing(then, theirs[q]) - standing(now, p->now[q]));
        const int16_t plain = (int16_t)(standing(plain_then, theirs[q]) - standing(plain_now, p->now[q]));
        d->rise[q] = (int16_t)(above(delta) - above(plain));
        d->fall[q] = (int16_t)(above((int16_t)-delta) - above((int16_t)-plain));
        rise = (int16_t)(rise + w->pairs[q] * d->rise[q]);
        fall = (int16_t)(fall + w->pairs[q] * d->fall[q]);
    }
    change sum = {rise, fall};
    for (int rank = 0; rank < RANKS; rank++) { /* less those that one of its own cards is in */
        const int16_t ranks[2] = {f->hi[own], f->lo[own]};
        for (int side = 0; side < 2; side++) {
            const int q = ranks[side] > rank ? pair_of(ranks[side], rank) : pair_of(rank, ranks[side]);
            sum.rise -= w->off_suit[rank] * d->rise[q];
            sum.fall -= w->off_suit[rank] * d->fall[q];
        }
    }
    return sum;
}

/* The differences of a flush to the other flushes. */
static change differ_among(const flushes *f, int own) {
    const int16_t hi = f->hi[own], lo = f->lo[own], now = f->now[own], then = f->then[own],
                  plain_now = f->plain_now[own], plain_then = f->plain_then[own];
    int16_t rise = 0, fall = 0;
    for (int i = 0; i < FLUSHES; i++) {
        const int16_t delta = (int16_t)(standing(then, f->then[i]) - standing(now, f->now[i]));
        const int16_t plain =
            (int16_t)(standing(plain_then, f->plain_then[i]) - standing(plain_now, f->plain_now[i]));
        const int16_t meets =
            (f->hi[i] >= 0) & (f->hi[i] != hi) & (f->hi[i] != lo) & (f->lo[i] != hi) & (f->lo[i] != lo);
        rise = (int16_t)(rise + meets * (above(delta) - above(plain)));
        fall = (int16_t)(fall + meets * (above((int16_t)-delta) - above((int16_t)-plain)));
    }
    return (change){rise, fall};
}

static inline void add_differences(const differences *d, int16_t times, differences *sum) {
    for (int q = 0; q < LANES; q++) {
        sum->rise[q] = (int16_t)(sum->rise[q] + times * d->rise[q]);
        sum->fall[q] = (int16_t)(sum->fall[q] + times * d->fall[q]);
    }
}

/* What a rival of two cards, at most one of the suit, gains and loses by the flushes that it meets. */
static inline change met(const totals *t, int suit, int a, int b) {
    const int hi = bc_rank_of(a > b ? a : b), lo = bc_rank_of(a > b ? b : a), q = pair_of(hi, lo);
    change c = {t->all.fall[q], t->all.rise[q]};
    if (bc_suit_of(a) != suit && bc_suit_of(b) != suit) return c;
    const differences *d = &t->with[bc_rank_of(bc_suit_of(a) == suit ? a : b)];
    return (change){c.rise - d->fall[q], c.fall - d->rise[q]};
}

/* Add the differences by the next cards of one rank: to the flushes, and to the totals for their rivals. Its
   own card does not come to a rival: that difference is subtracted at once. */
static void add_rank_of_flushes(const pairs *p, const uint8_t *board, int n, int suit, uint64_t next,
                                bool flushed, totals *sum, bc_changes *changes) {
    const int first = __builtin_ctzll(next), rank = bc_rank_of(first);
    const int16_t times = (int16_t)__builtin_popcountll(next);
    const uint64_t known = set_of(board, n);
    flushes f;
    totals t;
    ways w;
    memset(&t, 0, sizeof t);
    list_flushes(p, board, n, suit, first, flushed, &f);
    list_ways(p, suit, known | bc_bit(first), &w);
    for (int i = 0; i < f.count; i++) {
        differences d;
        const change others = differ(p, &f, &w, i, rank, &d), among = differ_among(&f, i);
        const int holding = bc_holding(4 * f.hi[i] + suit, 4 * f.lo[i] + suit);
        changes->rise[holding] += times * (others.rise + among.rise);
        changes->fall[holding] += times * (others.fall + among.fall);
        add_differences(&d, 1, &t.all);
        add_differences(&d, 1, &t.with[f.hi[i]]);
        add_differences(&d, 1, &t.with[f.lo[i]]);
    }
    for (int card = first; card < 4 * rank + 4; card++)
        for (int other = 0; next & bc_bit(card) && other < BC_DECK; other++) {
            if ((known | bc_bit(card)) & bc_bit(other)) continue;
            if (bc_suit_of(card) == suit && bc_suit_of(other) == suit) continue; /* no rival of pairs */
            const change c = met(&t, suit, card, other);
            changes->rise[bc_holding(card, other)] -= c.rise;
            changes->fall[bc_holding(card, other)] -= c.fall;
        }
    add_differences(&t.all, times, &sum->all);
    for (int own = 0; own < RANKS; own++) add_differences(&t.with[own], times, &sum->with[own]);
}

/* Add the differences by these next cards, after each of which exactly three of the suit lie there. */
static void add_flushes(const pairs *p, const uint8_t *board, int n, int suit, uint64_t next, bool flushed,
                        bc_changes *changes) {
    totals sum;
    memset(&sum, 0, sizeof sum);
    for (int rank = 0; rank < RANKS; rank++) {
        const uint64_t of_rank = next & (uint64_t)15 << 4 * rank;
        if (of_rank) add_rank_of_flushes(p, board, n, suit, of_rank, flushed, &sum, changes);
    }
    for (int a = 1; a < BC_DECK; a++)
        for (int b = 0; b < a; b++) {
            if (bc_suit_of(a) == suit && bc_suit_of(b) == suit) continue;
            const change c = met(&sum, suit, a, b);
            changes->rise[bc_holding(a, b)] += c.rise;
            changes->fall[bc_holding(a, b)] += c.fall;
        }
}

#endif

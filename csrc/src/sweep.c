#include "baycarp/sweep.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"
#include "baycarp/showdown.h"

/* The unblocked holdings in ascending order; their index is a place in the other arrays. */
typedef struct {
    int count;
    uint16_t holding[BC_HOLDINGS], rank[BC_HOLDINGS];
    uint8_t card[BC_HOLDINGS][2];
} live;

static uint64_t set_of(const uint8_t *cards, int n) {
    uint64_t set = 0;
    for (int i = 0; i < n; i++) set |= bc_bit(cards[i]);
    return set;
}

static void rank_all(const uint8_t *board, int n, live *all) {
    const bc_hand base = bc_hand_of(board, n);
    const uint64_t known = set_of(board, n);
    all->count = 0;
    for (int hi = 1; hi < BC_DECK; hi++) {
        if (known & bc_bit(hi)) continue;
        const bc_hand with = bc_hand_add(base, bc_hand_card(hi));
        for (int lo = 0; lo < hi; lo++) {
            if (known & bc_bit(lo)) continue;
            const int i = all->count++;
            all->holding[i] = (uint16_t)bc_holding(hi, lo);
            all->rank[i] = bc_rank(bc_hand_add(with, bc_hand_card(lo)));
            all->card[i][0] = (uint8_t)hi;
            all->card[i][1] = (uint8_t)lo;
        }
    }
}

/* order[]: places by ascending rank, stable; two counting passes over bytes. */
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

/* The holdings blocked by these cards. */
static void blank(uint64_t cards, double *array) {
    for (int card = 0; card < BC_DECK; card++)
        for (int i = 0; cards & bc_bit(card) && i < BC_DECK; i++)
            if (i != card) array[bc_holding(card, i)] = NAN;
}

void bc_sweep(enum bc_simd level, const uint8_t *board, int n, const double *weights, double *hs) {
    assert(3 <= n && n <= 5);
    bc_showdowns s;
    bc_showdowns_start(board, n, 0, weights, &s);
    s.tally = BC_STRENGTH;
    bc_showdowns_run(level, &s);
    memcpy(hs, s.sum, sizeof s.sum);
    blank(s.out, hs);
}

/* Potentials. The standing of a pair of holdings is 1 (ahead), 0 (tied) or -1 (behind), now and after the
   next card. Its increase, summed over pairs and cards, is twice PPot's numerator, its decrease twice NPot's.

   Holdings with equal ranks now and after the card form a class; there are some hundred classes. A holding is
   compared with the classes, and the few holdings that share a card with it are subtracted. No count exceeds
   twice the number of holdings, so 16-bit lanes are sufficient. */
typedef struct {
    int count;
    int16_t now[BC_HOLDINGS], then[BC_HOLDINGS], size[BC_HOLDINGS];
} classes;

/* One class against others: its gains and losses on the next card, and the numbers of holdings behind it,
   tied with it, and compared with it. */
typedef struct {
    int16_t rise, fall, ahead, tied, met;
} standing;

static standing compare(int16_t now, int16_t then, const classes *with) {
    int16_t rise = 0, fall = 0, ahead = 0, tied = 0, met = 0;
    for (int j = 0; j < with->count; j++) {
        const int16_t size = with->size[j];
        const int16_t before = (int16_t)((now > with->now[j]) - (now < with->now[j]));
        const int16_t change = (int16_t)((then > with->then[j]) - (then < with->then[j]) - before);
        rise = (int16_t)(rise + (change > 0 ? change : 0) * size);
        fall = (int16_t)(fall - (change < 0 ? change : 0) * size);
        ahead = (int16_t)(ahead + (before > 0 ? size : 0));
        tied = (int16_t)(tied + (before == 0 ? size : 0));
        met = (int16_t)(met + size);
    }
    return (standing){rise, fall, ahead, tied, met};
}

/* Add a holding to the list: to the last class if both ranks are equal, otherwise as a new class. */
static void add_to_classes(classes *list, int16_t now, int16_t then) {
    const int last = list->count - 1;
    if (last >= 0 && list->now[last] == now && list->then[last] == then) {
        list->size[last]++;
        return;
    }
    list->now[list->count] = now;
    list->then[list->count] = then;
    list->size[list->count++] = 1;
}

/* The holdings on the board with the next card, and their ranks without and with it: as signed numbers in the
   same order, which lanes compare faster. */
typedef struct {
    live all;
    uint16_t rank_now[BC_HOLDINGS];
    int16_t now[BC_HOLDINGS], then[BC_HOLDINGS];
} change;

static void look_ahead(const uint8_t *board, int n, const uint16_t *rank_now, change *next) {
    rank_all(board, n, &next->all);
    for (int i = 0; i < next->all.count; i++) {
        next->rank_now[i] = rank_now[next->all.holding[i]];
        next->now[i] = (int16_t)(next->rank_now[i] - 32768);
        next->then[i] = (int16_t)(next->all.rank[i] - 32768);
    }
}

/* All holdings by class, and the class of each place. */
static void classify(const change *next, classes *all_classes, uint16_t *class_of) {
    const int count = next->all.count;
    uint16_t by_then[BC_HOLDINGS], by_now[BC_HOLDINGS], rank[BC_HOLDINGS];
    sort_by_rank(count, next->all.rank, by_then);
    for (int k = 0; k < count; k++) rank[k] = next->rank_now[by_then[k]];
    sort_by_rank(count, rank, by_now);
    all_classes->count = 0;
    for (int k = 0; k < count; k++) {
        const int i = by_then[by_now[k]];
        add_to_classes(all_classes, next->now[i], next->then[i]);
        class_of[i] = (uint16_t)(all_classes->count - 1);
    }
}

/* By holding, over all next cards. */
typedef struct {
    int32_t rise[BC_HOLDINGS], fall[BC_HOLDINGS], ahead[BC_HOLDINGS], tied[BC_HOLDINGS], behind[BC_HOLDINGS];
} moves;

static void count_moves(const change *next, moves *sum) {
    const live *all = &next->all;
    classes all_classes, mates[BC_DECK];
    uint16_t class_of[BC_HOLDINGS];
    standing met[BC_HOLDINGS];
    classify(next, &all_classes, class_of);
    for (int c = 0; c < all_classes.count; c++)
        met[c] = compare(all_classes.now[c], all_classes.then[c], &all_classes);
    for (int card = 0; card < BC_DECK; card++) mates[card].count = 0;
    for (int i = 0; i < all->count; i++)
        for (int side = 0; side < 2; side++)
            add_to_classes(&mates[all->card[i][side]], next->now[i], next->then[i]);
    for (int i = 0; i < all->count; i++) {
        const standing of = met[class_of[i]];
        const standing hi = compare(next->now[i], next->then[i], &mates[all->card[i][0]]);
        const standing lo = compare(next->now[i], next->then[i], &mates[all->card[i][1]]);
        const int h = all->holding[i], ahead = of.ahead - hi.ahead - lo.ahead;
        const int tied =
            of.tied - hi.tied - lo.tied + 1; /* the holding itself, subtracted with both of its cards */
        sum->rise[h] += of.rise - hi.rise - lo.rise;
        sum->fall[h] += of.fall - hi.fall - lo.fall;
        sum->ahead[h] += ahead;
        sum->tied[h] += tied;
        sum->behind[h] += of.met - hi.met - lo.met + 1 - ahead - tied;
    }
}

void bc_sweep_potential(enum bc_simd level, const uint8_t *board, int n, double *hs, double *ppot,
                        double *npot) {
    assert(n == 3 || n == 4);
    live today;
    change next;
    moves sum = {{0}, {0}, {0}, {0}, {0}};
    uint16_t rank_now[BC_HOLDINGS];
    uint8_t later[5];
    bc_sweep(level, board, n, NULL, hs);
    rank_all(board, n, &today);
    for (int i = 0; i < today.count; i++) rank_now[today.holding[i]] = today.rank[i];
    memcpy(later, board, (size_t)n);
    for (int card = 0; card < BC_DECK; card++) {
        if (set_of(board, n) & bc_bit(card)) continue;
        later[n] = (uint8_t)card;
        look_ahead(later, n + 1, rank_now, &next);
        count_moves(&next, &sum);
    }
    for (int i = 0; i < today.count; i++) {
        const int h = today.holding[i];
        const double hope = 2.0 * sum.behind[h] + sum.tied[h], risk = 2.0 * sum.ahead[h] + sum.tied[h];
        ppot[h] = hope > 0 ? sum.rise[h] / hope : 0;
        npot[h] = risk > 0 ? sum.fall[h] / risk : 0;
    }
    blank(set_of(board, n), ppot);
    blank(set_of(board, n), npot);
}

/* The final boards that a holding does not block. */
static double boards_of(const bc_showdowns *s) {
    double boards = 1;
    for (int i = 0; i < s->to_come; i++) boards = boards * (BC_DECK - 2 - s->shown - i) / (i + 1);
    return boards;
}

/* Uniform range: 990 opposing holdings of weight 1 on every board, and integer sums. */
static void expect_plain(enum bc_simd level, bc_showdowns *s, double *mean, double *square) {
    const double boards = boards_of(s), most = 2 * 990;
    s->tally = BC_MOMENTS;
    bc_showdowns_run(level, s);
    bc_showdowns_spread(s, s->sum);
    bc_showdowns_spread(s, s->square);
    for (int i = 0; i < BC_HOLDINGS; i++) {
        mean[i] = s->sum[i] / (most * boards);
        square[i] = s->square[i] / (most * most * boards);
    }
}

static void expect_weighted(enum bc_simd level, bc_showdowns *s, double *mean, double *square) {
    const double boards = boards_of(s);
    s->tally = BC_STRENGTHS;
    bc_showdowns_run(level, s);
    bc_showdowns_spread(s, s->sum);
    bc_showdowns_spread(s, s->square);
    bc_showdowns_spread(s, s->unmet);
    for (int i = 0; i < BC_HOLDINGS; i++) {
        const double met = boards - s->unmet[i];
        mean[i] = s->sum[i] / (2 * met); /* 0 / 0 = NaN */
        square[i] = s->square[i] / (4 * met);
    }
}

void bc_sweep_expected(enum bc_simd level, const uint8_t *board, int n, const double *weights, bc_stop stop,
                       double *mean, double *square) {
    assert(n == 0 || (3 <= n && n <= 5));
    bc_showdowns s;
    bc_showdowns_start(board, n, 5 - n, weights, &s);
    s.stop = stop;
    if (n < 4) bc_showdowns_twins(&s);
    if (weights)
        expect_weighted(level, &s, mean, square);
    else
        expect_plain(level, &s, mean, square);
    blank(s.out, mean);
    blank(s.out, square);
}

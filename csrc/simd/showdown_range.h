/* The unblocked part of a range: by holding, by class of holdings, by card. Weights are integer multiples of
   a common unit, so that their sums are exact in any order. */
#include <math.h>

#include "baycarp/card.h"
#include "showdown_lanes.h"

enum { RANKS = 13, CLASSES = 91 };

/* The holdings of two ranks, by both suits; the first rank is the higher. In a pair each holding occurs
   twice, and the diagonal is unused. */
enum { BLOCK = 16, CELLS = CLASSES * BLOCK };

/* By card, and the total. */
typedef struct {
    double all;
    four by_card[RANKS];
} tally;

/* The weight of a class by card of its higher rank and of its lower one; equal in a pair. */
typedef struct {
    four high, low;
    double all;
} share;

typedef struct {
    choice left[RANKS]; /* the cards not on the board */
    tally sum;
    uint8_t high[CLASSES], low[CLASSES]; /* the ranks of a class */
    share shares[CLASSES];
    _Alignas(64) double weight[CELLS];
} range;

static inline int class_of(int x, int y) {
    return x * (x + 1) / 2 + y;
}

static inline int cell_of(int a, int b) {
    const int hi = a > b ? a : b, lo = a > b ? b : a;
    return BLOCK * class_of(hi >> 2, lo >> 2) + 4 * (hi & 3) + (lo & 3);
}

/* The cells of a card's holdings, by the other card. */
static inline void read_row(const double *cells, int card, four *row) {
    const int rank = bc_rank_of(card), suit = bc_suit_of(card);
    for (int y = 0; y <= rank; y++) row[y] = load(cells + BLOCK * class_of(rank, y) + 4 * suit);
    for (int x = rank + 1; x < RANKS; x++) row[x] = read_column(cells + BLOCK * class_of(x, rank) + suit);
}

static inline void write_row(double *cells, int card, const four *row) {
    const int rank = bc_rank_of(card), suit = bc_suit_of(card);
    for (int y = 0; y <= rank; y++) store(cells + BLOCK * class_of(rank, y) + 4 * suit, row[y]);
    for (int x = rank; x < RANKS; x++)
        for (int i = 0; i < 4; i++) cells[BLOCK * class_of(x, rank) + 4 * i + suit] = row[x][i];
}

/* The last cards of a row of an array by holding: those of the card's rank. */
static inline four last(const double *row, int card) {
    static const choice below[4] = {{0}, {-1}, {-1, -1}, {-1, -1, -1}};
    row += card & ~3;
    return only((four){row[0], row[1], row[2]}, below[card & 3]);
}

/* The unblocked part of the range, each holding of a pair once; returns the largest weight. */
static double fill_lower(range *r, const double *weights) {
    double unit_weights[BC_DECK];
    const double *row = weights ? weights : unit_weights;
    four most = {0};
    for (int card = 0; !weights && card < BC_DECK; card++) unit_weights[card] = 1;
    for (int hi = 0; hi < BC_DECK; row += weights ? hi : 0, hi++) {
        const int x = hi >> 2;
        const choice own = r->left[x][hi & 3] - (choice){0};
        double *cell = r->weight + BLOCK * class_of(x, 0) + 4 * (hi & 3);
        for (int y = 0; y < x; y++, cell += BLOCK) {
            const four weight = only(load(row + 4 * y), r->left[y] & own);
            most = greater(most, weight);
            store(cell, weight);
        }
        const four weight = only(last(row, hi), r->left[x] & own);
        most = greater(most, weight);
        store(cell, weight);
    }
    return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

/* Round the weights of a class, duplicate the holdings of a pair, and add them up. */
static inline void fill_class(range *r, int c, double unit, double coarse) {
    const int x = r->high[c], y = r->low[c];
    double *block = r->weight + BLOCK * c;
    four low = {0};
    for (int i = 0; i < BLOCK; i += 4) {
        const four weight = unit * load(block + i) + coarse - coarse;
        low += weight;
        store(block + i, weight);
    }
    share of = {sum_rows(block), low, sum_of(low)};
    if (x == y) {
        four column[4];
        for (int i = 0; i < 4; i++) column[i] = read_column(block + i);
        for (int i = 0; i < 4; i++) store(block + 4 * i, load(block + 4 * i) + column[i]);
        of.high += low;
        of.low = of.high;
    } else {
        r->sum.by_card[y] += low;
    }
    r->sum.by_card[x] += of.high;
    r->sum.all += of.all;
    r->shares[c] = of;
}

/* The range without the known cards, its largest weight scaled to 1 or slightly more if possible. Rounding
   makes differences of sums exact. Returns the unit of the weights. */
static double fill(range *r, const double *weights, uint64_t out) {
    for (int card = 0; card < BC_DECK; card++) r->left[card >> 2][card & 3] = -(int64_t)!(out & bc_bit(card));
    for (int x = 0, c = 0; x < RANKS; x++)
        for (int y = 0; y <= x; y++, c++) r->high[c] = (uint8_t)x, r->low[c] = (uint8_t)y;
    int exponent;
    frexp(fill_lower(r, weights), &exponent);
    const int up = exponent > -1022 ? 1 - exponent : 1023;
    const double unit = ldexp(1, up);
    const double coarse = ldexp(1.5, exponent + up + 11); /* adding it rounds to 40 bits below the largest */
    r->sum = (tally){0, {{0}}};
    for (int c = 0; c < CLASSES; c++) fill_class(r, c, unit, coarse);
    return 1 / unit;
}

/* The weights of the holdings of a card, by the other card and by its rank. */
typedef struct {
    four row[RANKS];
    double all[RANKS];
} taken;

static inline share *share_with(range *r, int rank, int other) {
    return &r->shares[other > rank ? class_of(other, rank) : class_of(rank, other)];
}

/* Remove the holdings of a card from the range. */
static void take(range *r, int card, taken *t) {
    const four none[RANKS] = {{0}};
    const int rank = card >> 2, suit = card & 3;
    r->left[rank][suit] = 0;
    read_row(r->weight, card, t->row);
    write_row(r->weight, card, none);
    r->sum.all -= r->sum.by_card[rank][suit];
    for (int z = 0; z < RANKS; z++) {
        share *of = share_with(r, rank, z);
        four *own = z > rank ? &of->low : &of->high, *other = z > rank ? &of->high : &of->low;
        t->all[z] = (*own)[suit];
        of->all -= t->all[z];
        (*own)[suit] = 0;
        *other -= t->row[z];
        r->sum.by_card[z] -= t->row[z];
    }
    share *pair = share_with(r, rank, rank);
    pair->low[suit] = 0;
    pair->high = pair->low;
}

static void give_back(range *r, int card, const taken *t) {
    const int rank = card >> 2, suit = card & 3;
    r->left[rank][suit] = -1;
    write_row(r->weight, card, t->row);
    r->sum.all += r->sum.by_card[rank][suit];
    for (int z = 0; z < RANKS; z++) {
        share *of = share_with(r, rank, z);
        four *own = z > rank ? &of->low : &of->high, *other = z > rank ? &of->high : &of->low;
        of->all += t->all[z];
        (*own)[suit] = t->all[z];
        *other += t->row[z];
        r->sum.by_card[z] += t->row[z];
    }
    share *pair = share_with(r, rank, rank);
    pair->low[suit] = t->all[rank];
    pair->high = pair->low;
}

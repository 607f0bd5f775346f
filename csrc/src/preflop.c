#include "baycarp/preflop.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

enum { RANKS = 13, SUITS = 4, TWO_SUITS = 6, SIDES = 2, LANES = 8 };

static inline int rank_pair(int hi, int lo) {
    const int high = bc_rank_of(hi);
    return high * (high + 1) / 2 + bc_rank_of(lo);
}

static inline const int32_t *lead_of(int first, int second) {
    return bc_preflop_lead[first * (first + 1) / 2 + second];
}

/* Holdings with the higher card first; the rank pair of the first is not below that of the second. */
static int32_t ordered(int first, int second, int s, int t, int u, int v) {
    const int32_t *add = lead_of(first, second);
    int32_t lead = add[BC_FREE];
    if (s == t) lead += add[BC_ST];
    if (u == v) lead += add[BC_UV] + (s == t ? add[BC_ST_UV] : 0);
    if (s == u) lead += add[BC_SU] + (s == t ? add[BC_STU] : 0) + (u == v ? add[BC_SUV] : 0);
    if (s == v) lead += add[BC_SV] + (s == t ? add[BC_STV] : 0);
    if (t == u) lead += add[BC_TU] + (u == v ? add[BC_TUV] : 0);
    if (t == v) lead += add[BC_TV];
    if (s == u && t == v) lead += add[BC_SU_TV];
    if (s == v && t == u) lead += add[BC_SV_TU] + (s == t ? add[BC_STUV] : 0);
    return lead;
}

static int32_t matchup(int a_hi, int a_lo, int b_hi, int b_lo) {
    const int a = rank_pair(a_hi, a_lo), b = rank_pair(b_hi, b_lo);
    const int s = bc_suit_of(a_hi), t = bc_suit_of(a_lo), u = bc_suit_of(b_hi), v = bc_suit_of(b_lo);
    return a >= b ? ordered(a, b, s, t, u, v) : -ordered(b, a, u, v, s, t);
}

int32_t bc_preflop_matchup(int a0, int a1, int b0, int b1) {
    assert(a0 != a1 && b0 != b1 && a0 != b0 && a0 != b1 && a1 != b0 && a1 != b1);
    return matchup(a0 > a1 ? a0 : a1, a0 > a1 ? a1 : a0, b0 > b1 ? b0 : b1, b0 > b1 ? b1 : b0);
}

/* The two ranges are interleaved, so that one pass over the table serves both. If both give equal weights to
   the holdings of a class, the table of classes is sufficient. Otherwise the pair of ranks is broken, and its
   matchups are computed by suits. */

/* Sums of weights of both ranges for one pair of ranks: the inputs of every equality of suits. */
typedef struct {
    double high[SIDES * SUITS], low[SIDES * SUITS], suited[SIDES * SUITS]; /* by suit of that card, of both */
    double even[SIDES * TWO_SUITS],
        odd[SIDES * TWO_SUITS]; /* sum and difference of the two orders of two suits */
    double all[SIDES], all_suited[SIDES];
} holdings;

typedef struct {
    holdings of[BC_RANK_PAIRS];
    bool broken[BC_RANK_PAIRS], any_broken;
    double by_class[SIDES][BC_CLASSES]; /* 0 if broken */
} ranges;

/* Weights are rounded so that their sums are exact: the weight that a holding meets is a difference of sums,
   in which a rounding error would count as weight. */
static void round_weights(const double *weights, double *weight) {
    double most[BC_DECK] = {0}, all = 0;
    int exponent;
    for (int hi = 1, i = 0; hi < BC_DECK; i += hi++)
        for (int lo = 0; lo < hi; lo++) most[lo] = weights[i + lo] > most[lo] ? weights[i + lo] : most[lo];
    for (int lo = 0; lo < BC_DECK; lo++) all = most[lo] > all ? most[lo] : all;
    frexp(all, &exponent);
    const double coarse = ldexp(1.5, exponent + 11); /* rounds to multiples of 2^(exponent - 41) */
    for (int i = 0; i < BC_HOLDINGS; i++) weight[i] = weights[i] + coarse - coarse;
}

/* Weights of one pair of ranks by both suits; in a pair the higher card has the higher suit. */
static void take_pair(const double *weight, int high, int low, double by_suits[SUITS][SUITS]) {
    for (int s = 0; s < SUITS; s++) {
        const double *row = weight + bc_holding(4 * high + s, 0) + 4 * low;
        for (int t = 0; t < SUITS; t++) by_suits[s][t] = high > low || t < s ? row[t] : 0;
    }
}

static bool same_by_suit(double by_suits[SUITS][SUITS], bool pair) {
    bool same = true;
    for (int s = 0; s < SUITS; s++)
        for (int t = 0; t < (pair ? s : SUITS); t++)
            same &= by_suits[s][t] == (s == t ? by_suits[0][0] : by_suits[1][0]);
    return same;
}

static void sum_up(double by_suits[SUITS][SUITS], int side, holdings *h) {
    for (int s = 0, k = TWO_SUITS * side; s < SUITS; s++) {
        const int at = SUITS * side + s;
        h->high[at] = by_suits[s][0] + by_suits[s][1] + by_suits[s][2] + by_suits[s][3];
        h->low[at] = by_suits[0][s] + by_suits[1][s] + by_suits[2][s] + by_suits[3][s];
        h->suited[at] = by_suits[s][s];
        h->all[side] += h->high[at];
        h->all_suited[side] += h->suited[at];
        for (int t = 0; t < s; t++, k++) {
            h->even[k] = by_suits[s][t] + by_suits[t][s];
            h->odd[k] = by_suits[s][t] - by_suits[t][s];
        }
    }
}

static void split(double weight[SIDES][BC_HOLDINGS], ranges *r) {
    r->any_broken = false;
    for (int high = 0, pair = 0; high < RANKS; high++)
        for (int low = 0; low <= high; low++, pair++) {
            const int offsuit = RANKS * (RANKS - 1 - low) + RANKS - 1 - high;
            const int suited = RANKS * (RANKS - 1 - high) + RANKS - 1 - low;
            double by_suits[SIDES][SUITS][SUITS];
            r->broken[pair] = false;
            r->of[pair].all[0] = r->of[pair].all[1] = r->of[pair].all_suited[0] = r->of[pair].all_suited[1] =
                0;
            for (int side = 0; side < SIDES; side++) {
                take_pair(weight[side], high, low, by_suits[side]);
                sum_up(by_suits[side], side, &r->of[pair]);
                r->broken[pair] |= !same_by_suit(by_suits[side], high == low);
            }
            for (int side = 0; side < SIDES; side++) {
                if (high > low) r->by_class[side][suited] = r->broken[pair] ? 0 : by_suits[side][0][0];
                r->by_class[side][offsuit] = r->broken[pair] ? 0 : by_suits[side][1][0];
            }
            r->any_broken |= r->broken[pair];
        }
}

/* The weight of all pairs that share no card. */
static double met(const double *a, const double *b) {
    double with[BC_DECK] = {0}, part[BC_DECK] = {0}, all = 0, sum = 0;
    for (int hi = 1, i = 0; hi < BC_DECK; i += hi++) {
        double row = 0;
        for (int lo = 0; lo < hi; lo++) with[lo] += b[i + lo];
        for (int lo = 0; lo < hi; lo++) row += b[i + lo];
        with[hi] += row;
        all += row;
    }
    for (int hi = 1, i = 0; hi < BC_DECK; i += hi++)
        for (int lo = 0; lo < hi; lo++) part[lo] += a[i + lo] * (all - with[hi] - with[lo] + b[i + lo]);
    for (int lo = 0; lo < BC_DECK; lo++) sum += part[lo];
    return sum;
}

static double lead_of_classes(const ranges *r) {
    const double *a = r->by_class[0], *b = r->by_class[1];
    double sum = 0;
    for (int c = 1; c < BC_CLASSES; c++) {
        if (!(a[c] > 0 || b[c] > 0)) continue;
        const int32_t *lead = bc_preflop_class_lead + c * (c - 1) / 2;
        double over_a[LANES] = {0},
               over_b[LANES] = {0}; /* separate sums, because the compiler may not reorder additions */
        int d = 0;
        for (; d + LANES <= c; d += LANES)
            for (int k = 0; k < LANES; k++) {
                over_a[k] += lead[d + k] * a[d + k];
                over_b[k] += lead[d + k] * b[d + k];
            }
        for (; d < c; d++) {
            over_a[0] += lead[d] * a[d];
            over_b[0] += lead[d] * b[d];
        }
        for (int k = 0; k < LANES; k++) sum += a[c] * over_b[k] - b[c] * over_a[k];
    }
    return sum;
}

/* Add the lead of each holding of the first rank pair over the holdings of the second, for both sides. */
static void lead_over(const int32_t *restrict add, const holdings *restrict second, holdings *restrict lead) {
    double x[BC_PATTERNS];
    for (int p = 0; p < BC_PATTERNS; p++) x[p] = add[p];
    const double even = (x[BC_SU_TV] + x[BC_SV_TU]) / 2, odd = (x[BC_SU_TV] - x[BC_SV_TU]) / 2;
    const double same = x[BC_STUV] + x[BC_SU_TV] + x[BC_SV_TU]; /* all four cards of one suit */
    for (int side = 0; side < SIDES; side++) {
        lead->all[side] += x[BC_FREE] * second->all[side] + x[BC_UV] * second->all_suited[side];
        lead->all_suited[side] += x[BC_ST] * second->all[side] + x[BC_ST_UV] * second->all_suited[side];
    }
    for (int s = 0; s < SIDES * SUITS; s++) {
        const double u = second->high[s], v = second->low[s], uv = second->suited[s];
        lead->high[s] += x[BC_SU] * u + x[BC_SV] * v + x[BC_SUV] * uv;
        lead->low[s] += x[BC_TU] * u + x[BC_TV] * v + x[BC_TUV] * uv;
        lead->suited[s] += x[BC_STU] * u + x[BC_STV] * v + same * uv;
    }
    for (int k = 0; k < SIDES * TWO_SUITS; k++) {
        lead->even[k] += even * second->even[k];
        lead->odd[k] += odd * second->odd[k];
    }
}

/* The sum over the holdings of one side of weight times lead. */
static double times(const holdings *first, int side, const holdings *lead) {
    const int other = 1 - side;
    double sum = first->all[side] * lead->all[other] + first->all_suited[side] * lead->all_suited[other];
    for (int s = 0; s < SUITS; s++) {
        const int here = SUITS * side + s, there = SUITS * other + s;
        sum += first->high[here] * lead->high[there] + first->low[here] * lead->low[there];
        sum += first->suited[here] * lead->suited[there];
    }
    for (int k = 0; k < TWO_SUITS; k++) {
        const int here = TWO_SUITS * side + k, there = TWO_SUITS * other + k;
        sum += first->even[here] * lead->even[there] + first->odd[here] * lead->odd[there];
    }
    return sum;
}

static bool empty(const holdings *h) {
    return !(h->all[0] > 0 || h->all[1] > 0);
}

/* All pairs of rank pairs of which at least one is broken. */
static double lead_of_holdings(const ranges *r) {
    double sum = 0;
    for (int first = 0; first < BC_RANK_PAIRS; first++) {
        if (empty(&r->of[first])) continue;
        holdings lead = {0};
        for (int second = 0; second < first; second++)
            if ((r->broken[first] || r->broken[second]) && !empty(&r->of[second]))
                lead_over(lead_of(first, second), &r->of[second], &lead);
        sum -= times(&r->of[first], 1, &lead);
        if (r->broken[first]) /* a pair with itself, for the first side only */
            lead_over(lead_of(first, first), &r->of[first], &lead);
        sum += times(&r->of[first], 0, &lead);
    }
    return sum;
}

bc_preflop_shares bc_preflop_equity(const double *a, const double *b) {
    double weight[SIDES][BC_HOLDINGS];
    ranges r;
    round_weights(a, weight[0]);
    round_weights(b, weight[1]);
    split(weight, &r);
    const double lead = lead_of_classes(&r) + (r.any_broken ? lead_of_holdings(&r) : 0);
    return (bc_preflop_shares){lead, met(weight[0], weight[1]) * BC_BOARDS};
}

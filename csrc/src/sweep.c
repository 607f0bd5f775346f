#include "baycarp/sweep.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/showdown.h"

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

/* All-in equity against the sum over all pairs and all boards, and against published counts. */
#include "baycarp/equity.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rng.h"
#include "naive_sweep.h"

/* Random integer weights; `sparse`: one holding in `sparse` has a weight, on average. */
static void draw(bc_rng *rng, uint32_t sparse, double *weights) {
    for (int i = 0; i < BC_HOLDINGS; i++)
        weights[i] = bc_rng_below(rng, sparse) ? 0 : (double)bc_rng_below(rng, 64);
}

static enum bc_simd level; /* each in turn */

static bc_shares of(const double *a, const double *b, const uint8_t *board, int n) {
    bc_shares sum = {0, 0};
    bc_equity(level, a, b, board, n, -1, NULL, &sum);
    return sum;
}

static bc_shares naive(const double *a, const double *b, const uint8_t *board, int n) {
    bc_shares sum = {0, 0};
    bc_naive_equity(a, b, board, n, &sum);
    return sum;
}

static void check(bc_shares found, bc_shares expected) {
    assert(found.total == expected.total && found.won == expected.won);
}

static void test_river(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 5);
    const uint8_t boards[][5] = {
        {41, 23, 0, 3, 50},  /* no made hand */
        {2, 6, 10, 14, 27},  /* four to a straight flush */
        {35, 39, 43, 47, 51} /* all tie */
    };
    for (int i = 0; i < 3; i++) {
        const uint32_t sparse[] = {1, 3, 500};
        for (int j = 0; j < 9; j++) {
            double a[BC_HOLDINGS], b[BC_HOLDINGS];
            draw(&rng, sparse[j / 3], a);
            draw(&rng, sparse[j % 3], b);
            check(of(a, b, boards[i], 5), naive(a, b, boards[i], 5));
        }
    }
}

/* Narrow ranges and wide ones, of any weights and of weights independent of suits. */
static void test_flop(void) {
    const uint8_t boards[][4] = {{41, 21, 0, 7}, {42, 22, 2, 6}, {40, 41, 42, 3}};
    bc_rng rng;
    bc_rng_seed(&rng, 3);
    double narrow[BC_HOLDINGS], wide[BC_HOLDINGS], by_rank[BC_HOLDINGS];
    draw(&rng, 100, narrow);
    draw(&rng, 3, wide);
    for (int hi = 1, i = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, i++) by_rank[i] = lo % 4 == hi % 4 ? hi / 4 : lo / 4 % 3;
    for (int i = 0; i < 3; i++) {
        check(of(narrow, narrow, boards[i], 3), naive(narrow, narrow, boards[i], 3));
        check(of(narrow, i ? by_rank : wide, boards[i], 3), naive(narrow, i ? by_rank : wide, boards[i], 3));
        if (i == (int)level) check(of(by_rank, wide, boards[i], 4), naive(by_rank, wide, boards[i], 4));
    }
}

/* A holding against few holdings and many, from either side. */
static void test_one_holding(void) {
    const uint8_t boards[][5] = {
        {41, 21, 0, 7, 30}, {42, 22, 2, 6, 10}, {42, 22, 3, 7, 14}, {40, 41, 42, 3, 43}};
    const uint32_t sparse[] = {1, 4, 200};
    bc_rng rng;
    bc_rng_seed(&rng, 6);
    for (int i = 0; i < 4; i++)
        for (int n = 3; n <= 5; n++) {
            double one[BC_HOLDINGS] = {0}, range[BC_HOLDINGS];
            draw(&rng, sparse[(i + n) % 3], range);
            one[bc_holding(50, i < 2 ? 18 : 13)] = 3;
            check(of(one, range, boards[i], n), naive(one, range, boards[i], n));
            check(of(range, one, boards[i], n), naive(range, one, boards[i], n));
        }
}

/* The lowest rank to come partitions the boards. */
static void test_parts(void) {
    const uint8_t board[] = {41, 21, 0};
    bc_rng rng;
    bc_rng_seed(&rng, 4);
    for (uint32_t sparse = 1; sparse <= 400; sparse += 399) {
        bc_shares parts = {0, 0};
        double a[BC_HOLDINGS], b[BC_HOLDINGS];
        draw(&rng, sparse, a);
        draw(&rng, sparse, b);
        for (int rank = 0; rank < 13; rank++) bc_equity(level, a, b, board, 3, rank, NULL, &parts);
        check(parts, of(a, b, board, 3));
    }
}

/* AhAd against KsKc: of 1,712,304 boards 1,388,072 won and 6,538 tied, as eval7 counts them. */
static void test_preflop(void) {
    double a[BC_HOLDINGS] = {0}, b[BC_HOLDINGS] = {0};
    a[bc_holding(50, 49)] = b[bc_holding(47, 44)] = 1;
    const bc_shares sum = of(a, b, NULL, 0);
    assert(sum.total == 1712304);
    assert(sum.won == 1388072 + 6538 / 2.0);
}

/* Two uniform ranges have equal shares, which tests every board. */
static void test_preflop_all(void) {
    double a[BC_HOLDINGS];
    for (int i = 0; i < BC_HOLDINGS; i++) a[i] = 1;
    const bc_shares sum = of(a, a, NULL, 0);
    assert(sum.total == 1326.0 * 1225 * 1712304 && sum.won == sum.total / 2);
}

/* Two ranges of the same holding, or of blocked holdings, have no compatible pair. */
static void test_no_pair(void) {
    double a[BC_HOLDINGS] = {0}, b[BC_HOLDINGS] = {0};
    const uint8_t board[] = {41, 21, 0};
    a[bc_holding(50, 49)] = b[bc_holding(50, 44)] = 1;
    check(of(a, b, board, 3), (bc_shares){0, 0});
    b[bc_holding(50, 44)] = 0, b[bc_holding(41, 40)] = 1;
    check(of(a, b, board, 3), (bc_shares){0, 0});
}

int main(void) {
    for (int l = BC_BASE; l <= (int)bc_simd_best(); l++) {
        level = (enum bc_simd)l;
        test_river();
        test_flop();
        test_one_holding();
        test_parts();
        test_no_pair();
    }
    test_preflop();
    test_preflop_all();
    return 0;
}

/* All holdings at once against each alone (strength.h, which its own test compares with the definition). */
#include "baycarp/sweep.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rng.h"
#include "baycarp/strength.h"
#include "deal.h"
#include "naive_sweep.h"

/* 3h 4c Jh */
static const uint8_t JACK_HIGH[] = {6, 8, 38};

static bool blocked(const uint8_t *hole, const uint8_t *board, int n) {
    for (int i = 0; i < n; i++)
        if (board[i] == hole[0] || board[i] == hole[1]) return true;
    return false;
}

static enum bc_simd level; /* each in turn */

static void check_sweep(const uint8_t *board, int n, const double *weights) {
    double hs[BC_HOLDINGS];
    bc_sweep(level, board, n, weights, hs);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const uint8_t hole[] = {(uint8_t)hi, (uint8_t)lo};
            const double found = hs[bc_holding(hi, lo)];
            bc_standings s;
            if (blocked(hole, board, n) || !bc_strength(bc_simd_best(), hole, board, n, 0, weights, &s))
                assert(isnan(found));
            else
                assert(found == bc_hs(&s));
        }
}

/* Integer weights, so both must be equal bit for bit; in narrow ranges some holdings have no rival. */
static void test_strength(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 1326);
    for (int spot = 0; spot < 12; spot++) {
        const uint32_t narrow[] = {1, 3, 600};
        uint8_t board[5];
        double weights[BC_HOLDINGS];
        deal(&rng, 4, board, 3 + spot % 3);
        for (int i = 0; i < BC_HOLDINGS; i++)
            weights[i] = bc_rng_below(&rng, narrow[spot / 3 % 3]) ? 0 : (double)bc_rng_below(&rng, 1 << 20);
        check_sweep(board, 3 + spot % 3, weights);
        check_sweep(board, 3 + spot % 3, NULL);
    }
}

static void test_ties(void) {
    const uint8_t royal[] = {35, 39, 43, 47, 51};
    double hs[BC_HOLDINGS];
    bc_sweep(level, royal, 5, NULL, hs);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const uint8_t hole[] = {(uint8_t)hi, (uint8_t)lo};
            assert(blocked(hole, royal, 5) ? isnan(hs[bc_holding(hi, lo)]) : hs[bc_holding(hi, lo)] == 0.5);
        }
}

/* Every holding of the range shares a card with AhKd: the range is blocked, for very different weights. */
static void test_nothing_is_left(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 2);
    for (int spot = 0; spot < 100; spot++) {
        double weights[BC_HOLDINGS] = {0}, hs[BC_HOLDINGS];
        for (int card = 0; card < BC_DECK; card++) {
            if (card != 50) weights[bc_holding(card, 50)] = bc_rng_unit(&rng) / 3;
            if (card != 45) weights[bc_holding(card, 45)] = bc_rng_unit(&rng) * 1e-6;
        }
        bc_sweep(level, JACK_HIGH, 3, weights, hs);
        assert(isnan(hs[bc_holding(50, 45)]));
        for (int i = 0; i < BC_HOLDINGS; i++) assert(isnan(hs[i]) || (0 <= hs[i] && hs[i] <= 1));
    }
    double none[BC_HOLDINGS] = {0}, hs[BC_HOLDINGS];
    bc_sweep(level, JACK_HIGH, 3, none, hs);
    for (int i = 0; i < BC_HOLDINGS; i++) assert(isnan(hs[i]));
}

/* Every `step`-th holding. */
static void check_potential(const uint8_t *board, int n, int step) {
    double hs[BC_HOLDINGS], ppot[BC_HOLDINGS], npot[BC_HOLDINGS];
    bc_sweep_potential(level, board, n, hs, ppot, npot);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const uint8_t hole[] = {(uint8_t)hi, (uint8_t)lo};
            const int h = bc_holding(hi, lo);
            bc_standings s;
            if (blocked(hole, board, n)) {
                assert(isnan(hs[h]) && isnan(ppot[h]) && isnan(npot[h]));
            } else if (h % step == 0) {
                bc_strength(bc_simd_best(), hole, board, n, 1, NULL, &s);
                assert(hs[h] == bc_hs(&s) && ppot[h] == bc_ppot(&s) && npot[h] == bc_npot(&s));
            }
        }
}

static void test_potential(void) {
    const uint8_t monotone[] = {2, 22, 38}, paired[] = {12, 13, 30}, quads[] = {12, 13, 14, 15},
                  royal[] = {35, 39, 43, 47};
    const uint8_t two_tone[] = {2, 22, 37}, two_pairs_of_suits[] = {2, 22, 37, 41},
                  three_suited[] = {2, 22, 38, 37}; /* a flush is made, or to come: all holdings */
    check_potential(JACK_HIGH, 3, 1);
    check_potential(monotone, 3, 5);
    check_potential(paired, 3, 5);
    check_potential(quads, 4, 3);
    check_potential(royal, 4, 3);
    check_potential(two_tone, 3, 1);
    check_potential(two_pairs_of_suits, 4, 1);
    check_potential(three_suited, 4, 1);
    bc_rng rng;
    bc_rng_seed(&rng, 53);
    for (int spot = 0; spot < 10; spot++) {
        uint8_t board[4];
        deal(&rng, 4, board, 3 + spot % 2);
        check_potential(board, 3 + spot % 2, 23);
    }
}

/* Papp (1998), sections 5.2 and 5.3: Ad Qc on 3h 4c Jh. */
static void test_worked_hand(void) {
    double hs[BC_HOLDINGS], ppot[BC_HOLDINGS], npot[BC_HOLDINGS];
    const int adqc = bc_holding(49, 40);
    bc_sweep_potential(level, JACK_HIGH, 3, hs, ppot, npot);
    assert(hs[adqc] == (628 + 9 / 2.0) / 1081);
    assert(fabs(ppot[adqc] - 0.1083) < 5e-5 && fabs(npot[adqc] - 0.1454) < 5e-5);
}

static void check_expected(const uint8_t *board, int n, const double *weights) {
    double mean[BC_HOLDINGS], square[BC_HOLDINGS], naive_mean[BC_HOLDINGS], naive_square[BC_HOLDINGS];
    bc_sweep_expected(level, board, n, weights, NULL, mean, square);
    bc_naive_sweep_expected(board, n, weights, naive_mean, naive_square);
    for (int i = 0; i < BC_HOLDINGS; i++) {
        assert(isnan(mean[i]) == isnan(naive_mean[i]) && isnan(square[i]) == isnan(naive_square[i]));
        const double off = weights ? 0 : 1e-12; /* a uniform range is exact */
        assert(isnan(mean[i]) || fabs(mean[i] - naive_mean[i]) <= off);
        assert(isnan(mean[i]) || fabs(square[i] - naive_square[i]) <= off);
    }
}

/* Also with twin suits, and with narrow ranges without a rival. */
static void test_expected(void) {
    const uint8_t boards[][5] = {
        {43, 21, 0, 35, 30}, /* rainbow */
        {30, 18, 2, 1, 9},   /* two-tone */
        {42, 30, 10, 50, 5}, /* monotone */
        {12, 13, 14, 15, 0}, /* trips, then quads */
    };
    bc_rng rng;
    bc_rng_seed(&rng, 5);
    for (int i = 0; i < 12; i++) {
        double some[BC_HOLDINGS], few[BC_HOLDINGS], by_rank[BC_HOLDINGS];
        for (int hi = 1, h = 0; hi < BC_DECK; hi++)
            for (int lo = 0; lo < hi; lo++, h++) {
                some[h] = bc_rng_below(&rng, 3) ? 0 : (double)bc_rng_below(&rng, 1 << 20);
                few[h] = bc_rng_below(&rng, 400) ? 0 : (double)bc_rng_below(&rng, 100);
                by_rank[h] = hi / 4 + 3 * (lo / 4) + (hi % 4 == lo % 4);
            }
        const double *weights[] = {NULL, some, few, by_rank};
        for (int k = 0; k < 4; k++)
            if (i % 3 || (k + i / 3 + (int)level) % 4 == 0)
                check_expected(boards[i / 3], 3 + i % 3, weights[k]);
    }
}

/* All 1,081 completions of the flop, as integers: AhKd on Qs 7d 2c. */
static void test_expected_exactly(void) {
    const uint8_t board[] = {43, 21, 0};
    const int ahkd = bc_holding(50, 45);
    double mean[BC_HOLDINGS], square[BC_HOLDINGS];
    bc_sweep_expected(level, board, 3, NULL, NULL, mean, square);
    bc_shares sum = {0, 0};
    double hero[BC_HOLDINGS] = {0}, all[BC_HOLDINGS];
    for (int i = 0; i < BC_HOLDINGS; i++) all[i] = 1;
    hero[ahkd] = 1;
    bc_naive_equity(hero, all, board, 3, &sum);
    assert(mean[ahkd] == sum.won / sum.total);
}

/* Every level gives the bits of the first. */
static void test_levels(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 7);
    for (int spot = 0; spot < 12; spot++) {
        uint8_t board[5];
        double weights[BC_HOLDINGS], first[3][BC_HOLDINGS], other[3][BC_HOLDINGS];
        deal(&rng, 4, board, 3 + spot % 3);
        for (int i = 0; i < BC_HOLDINGS; i++) weights[i] = bc_rng_unit(&rng);
        for (int l = BC_BASE; l <= (int)bc_simd_best(); l++) {
            double (*out)[BC_HOLDINGS] = l == BC_BASE ? first : other;
            bc_sweep((enum bc_simd)l, board, 3 + spot % 3, weights, out[0]);
            bc_sweep_expected((enum bc_simd)l, board, 3 + spot % 3, weights, NULL, out[1], out[2]);
            if (l != BC_BASE) assert(memcmp(first, other, sizeof first) == 0);
        }
    }
}

int main(void) {
    for (int l = BC_BASE; l <= (int)bc_simd_best(); l++) {
        level = (enum bc_simd)l;
        test_strength();
        test_ties();
        test_nothing_is_left();
        test_worked_hand();
        test_expected();
        test_expected_exactly();
    }
    test_potential();
    test_levels();
    return 0;
}

/* Strength, potential and expected strength by class, in every form, against the definitions (naive.h):
   counts of example hands, and random situations bit for bit. */
#include "baycarp/strength.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rng.h"
#include "deal.h"
#include "naive.h"
#include "worked_hands.h"

static enum bc_simd level; /* each of this processor in turn */

static void test_worked_hands(void) {
    bc_standings adqc, draw;
    assert(bc_strength(level, ADQC, JACK_HIGH, 3, 2, NULL, &adqc));
    assert(bc_strength(level, DRAW, NINE_HIGH, 3, 1, NULL, &draw));
    check_worked_hands(&adqc, &draw);
}

/* Integer weights and sixteenths of them, so every sum must be equal bit for bit. */
static void test_random_spots(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 1998);
    for (int spot = 0; spot < 240; spot++) {
        static const int streets[6][2] = {{3, 2}, {3, 1}, {3, 0}, {4, 1}, {4, 0}, {5, 0}}; /* board, ahead */
        const int n = streets[spot % 6][0], ahead = streets[spot % 6][1];
        uint8_t cards[7];
        double weights[BC_HOLDINGS];
        deal(&rng, 1 + spot / 6 % 4, cards, 2 + n);
        const uint32_t none = bc_rng_below(&rng, 4); /* from all holdings to a few */
        for (int i = 0; i < BC_HOLDINGS; i++)
            weights[i] = bc_rng_below(&rng, 1 + none * none * none) ? 0 : 1 + (double)bc_rng_below(&rng, 256);
        bc_standings found, expected;
        const bool met = bc_naive_strength(cards, cards + 2, n, ahead, weights, spot & 1, &expected);
        assert(bc_strength(level, cards, cards + 2, n, ahead, weights, &found) == met);
        assert(memcmp(&found, &expected, sizeof found) == 0);
    }
}

/* Any weights: the same bits in every form, within rounding of the definition. */
static void test_any_weights(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 2000);
    for (int spot = 0; spot < 24; spot++) {
        uint8_t cards[5];
        double weights[BC_HOLDINGS];
        deal(&rng, 1 + spot % 4, cards, 5);
        for (int i = 0; i < BC_HOLDINGS; i++)
            weights[i] = ldexp(bc_rng_unit(&rng), -(int)bc_rng_below(&rng, 80));
        bc_standings found, base, expected;
        bc_strength(level, cards, cards + 2, 3, 2, weights, &found);
        bc_strength(BC_BASE, cards, cards + 2, 3, 2, weights, &base);
        assert(memcmp(&found, &base, sizeof found) == 0);
        bc_naive_strength(cards, cards + 2, 3, 2, weights, true, &expected);
        for (int x = 0; x < 3; x++) {
            assert(fabs(found.now[x] - expected.now[x]) <= 1e-13 * expected.now[x]);
            for (int y = 0; y < 3; y++)
                assert(fabs(found.then[x][y] - expected.then[x][y]) <= 1e-13 * expected.then[x][y]);
        }
    }
}

static void test_expected_strength(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 1997);
    for (int spot = 0; spot < 60; spot++) {
        const int n = 3 + spot % 3;
        uint8_t cards[7];
        double mean, square, mean_naive, square_naive;
        deal(&rng, 1 + spot / 3 % 4, cards, 2 + n);
        bc_expected_strength(level, cards, cards + 2, n, &mean, &square);
        bc_naive_expected_strength(cards, cards + 2, n, &mean_naive, &square_naive);
        assert(mean == mean_naive && square == square_naive);
    }
}

static void test_only_live_holdings_count(void) {
    double weights[BC_HOLDINGS] = {0};
    bc_standings s;
    assert(!bc_strength(level, ADQC, JACK_HIGH, 3, 2, weights, &s));
    weights[bc_holding(49, 30)] = weights[bc_holding(6, 7)] =
        1; /* they hold a card of ours, one of the board */
    assert(!bc_strength(level, ADQC, JACK_HIGH, 3, 2, weights, &s));
    weights[bc_holding(36, 37)] = 0.25; /* jacks: ahead of us */
    assert(bc_strength(level, ADQC, JACK_HIGH, 3, 2, weights, &s));
    check_row(s.now, 0, 0, 0.25);
    assert(bc_hs(&s) == 0 && bc_npot(&s) == 0);
}

static void test_the_river_has_no_potential(void) {
    const uint8_t board[] = {6, 8, 38, 0, 4};
    bc_standings s;
    assert(bc_strength(level, ADQC, board, 5, 0, NULL, &s));
    assert(s.now[BC_AHEAD] + s.now[BC_TIED] + s.now[BC_BEHIND] == 990);
    assert(bc_ppot(&s) == 0 && bc_npot(&s) == 0);

    double mean, square;
    bc_expected_strength(level, ADQC, board, 5, &mean, &square);
    assert(mean == bc_hs(&s) && fabs(square - mean * mean) < 1e-15);
}

int main(void) {
    for (level = BC_BASE; level <= bc_simd_best(); level++) {
        test_worked_hands();
        test_random_spots();
        test_any_weights();
        test_only_live_holdings_count();
        test_the_river_has_no_potential();
        test_expected_strength();
    }
    return 0;
}

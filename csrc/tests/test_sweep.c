/* All holdings at once beside each by itself (strength.h, which its own test holds to the definition). */
#include "baycarp/sweep.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "baycarp/card.h"
#include "baycarp/rng.h"
#include "baycarp/strength.h"

/* 3h 4c Jh */
static const uint8_t JACK_HIGH[] = {6, 8, 38};

static void deal(bc_rng *rng, uint8_t *cards, int n) {
    uint64_t dealt = 0;
    for (int i = 0; i < n;) {
        const int card = (int)bc_rng_below(rng, BC_DECK);
        if (dealt & bc_bit(card)) continue;
        dealt |= bc_bit(card);
        cards[i++] = (uint8_t)card;
    }
}

static bool blocked(const uint8_t *hole, const uint8_t *board, int n) {
    for (int i = 0; i < n; i++)
        if (board[i] == hole[0] || board[i] == hole[1]) return true;
    return false;
}

static void check_sweep(const uint8_t *board, int n, const double *weights) {
    double hs[BC_HOLDINGS];
    bc_sweep(board, n, weights, hs);
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

/* Whole weights, so the two must be equal to the bit; narrow ranges leave some holdings nobody to meet. */
static void test_strength(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 1326);
    for (int spot = 0; spot < 90; spot++) {
        const uint32_t narrow[] = {1, 3, 600};
        uint8_t board[5];
        double weights[BC_HOLDINGS];
        deal(&rng, board, 3 + spot % 3);
        for (int i = 0; i < BC_HOLDINGS; i++)
            weights[i] = bc_rng_below(&rng, narrow[spot / 3 % 3]) ? 0 : (double)bc_rng_below(&rng, 1 << 20);
        check_sweep(board, 3 + spot % 3, weights);
        check_sweep(board, 3 + spot % 3, NULL);
    }
}

static void test_ties(void) {
    const uint8_t royal[] = {35, 39, 43, 47, 51};
    double hs[BC_HOLDINGS];
    bc_sweep(royal, 5, NULL, hs);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const uint8_t hole[] = {(uint8_t)hi, (uint8_t)lo};
            assert(blocked(hole, royal, 5) ? isnan(hs[bc_holding(hi, lo)]) : hs[bc_holding(hi, lo)] == 0.5);
        }
}

/* Every holding of the range shares a card with AhKd: nothing is left, however unlike the weights. */
static void test_nothing_is_left(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 2);
    for (int spot = 0; spot < 100; spot++) {
        double weights[BC_HOLDINGS] = {0}, hs[BC_HOLDINGS];
        for (int card = 0; card < BC_DECK; card++) {
            if (card != 50) weights[bc_holding(card, 50)] = bc_rng_unit(&rng) / 3;
            if (card != 45) weights[bc_holding(card, 45)] = bc_rng_unit(&rng) * 1e-6;
        }
        bc_sweep(JACK_HIGH, 3, weights, hs);
        assert(isnan(hs[bc_holding(50, 45)]));
        for (int i = 0; i < BC_HOLDINGS; i++) assert(isnan(hs[i]) || (0 <= hs[i] && hs[i] <= 1));
    }
    double none[BC_HOLDINGS] = {0}, hs[BC_HOLDINGS];
    bc_sweep(JACK_HIGH, 3, none, hs);
    for (int i = 0; i < BC_HOLDINGS; i++) assert(isnan(hs[i]));
}

/* Holding by holding; `step` leaves some out. */
static void check_potential(const uint8_t *board, int n, int step) {
    double hs[BC_HOLDINGS], ppot[BC_HOLDINGS], npot[BC_HOLDINGS];
    bc_sweep_potential(board, n, hs, ppot, npot);
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
    check_potential(JACK_HIGH, 3, 1);
    check_potential(monotone, 3, 5);
    check_potential(paired, 3, 5);
    check_potential(quads, 4, 3);
    check_potential(royal, 4, 3);
    bc_rng rng;
    bc_rng_seed(&rng, 53);
    for (int spot = 0; spot < 10; spot++) {
        uint8_t board[4];
        deal(&rng, board, 3 + spot % 2);
        check_potential(board, 3 + spot % 2, 23);
    }
}

/* Papp (1998), sections 5.2 and 5.3: Ad Qc on 3h 4c Jh. */
static void test_worked_hand(void) {
    double hs[BC_HOLDINGS], ppot[BC_HOLDINGS], npot[BC_HOLDINGS];
    const int adqc = bc_holding(49, 40);
    bc_sweep_potential(JACK_HIGH, 3, hs, ppot, npot);
    assert(hs[adqc] == (628 + 9 / 2.0) / 1081);
    assert(fabs(ppot[adqc] - 0.1083) < 5e-5 && fabs(npot[adqc] - 0.1454) < 5e-5);
}

static void test_expected(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 5);
    for (int n = 3; n <= 5; n++) {
        uint8_t board[5];
        double mean[BC_HOLDINGS], square[BC_HOLDINGS];
        deal(&rng, board, n);
        bc_sweep_expected(board, n, mean, square);
        for (int hi = 1; hi < BC_DECK; hi++)
            for (int lo = 0; lo < hi; lo++) {
                const uint8_t hole[] = {(uint8_t)hi, (uint8_t)lo};
                const int h = bc_holding(hi, lo);
                double m, s;
                assert(blocked(hole, board, n) == (isnan(mean[h]) && isnan(square[h])));
                if (isnan(mean[h]) || (n == 3 && h % 100)) continue;
                bc_expected_strength(bc_simd_best(), hole, board, n, &m, &s);
                assert(fabs(mean[h] - m) < 1e-12 && fabs(square[h] - s) < 1e-12);
            }
    }
}

int main(void) {
    test_strength();
    test_ties();
    test_nothing_is_left();
    test_potential();
    test_worked_hand();
    test_expected();
    return 0;
}

/* Sampled pot shares against exact ones, with fixed seeds. */
#include "baycarp/share.h"

#include <assert.h>
#include <math.h>

#include "baycarp/card.h"

static double mean_of(const uint8_t *hole, int players, uint64_t seed, int64_t deals, double *error) {
    bc_rng rng;
    double sum, square;
    bc_rng_seed(&rng, seed);
    bc_share(&rng, hole, players, deals, NULL, &sum, &square);
    const double mean = sum / (double)deals;
    *error = sqrt((square / (double)deals - mean * mean) / (double)(deals - 1));
    return mean;
}

/* Heads-up: AsAh, AsKs, 3c2d against any holding, over all 1,225 * 1,712,304 deals, from odds tables. */
static void test_heads_up(void) {
    const struct {
        uint8_t hole[2];
        double share;
    } known[] = {{{51, 50}, 0.852037}, {{51, 47}, 0.670446}, {{4, 1}, 0.323032}};
    for (int i = 0; i < 3; i++) {
        double error, mean = mean_of(known[i].hole, 2, 7, 200000, &error);
        assert(error < 0.0012 && fabs(mean - known[i].share) < 4 * error);
    }
}

/* By symmetry the mean share of one of `players` over all holdings is 1 / players, ties included. */
static void test_shares_add_up(void) {
    const int table[] = {2, 5, 10};
    for (int t = 0; t < 3; t++) {
        double total = 0, variance = 0;
        for (int hi = 1; hi < BC_DECK; hi++)
            for (int lo = 0; lo < hi; lo++) {
                const uint8_t hole[] = {(uint8_t)hi, (uint8_t)lo};
                double error;
                total += mean_of(hole, table[t], (uint64_t)bc_holding(hi, lo), 200, &error);
                variance += error * error;
            }
        assert(fabs(total / BC_HOLDINGS - 1.0 / table[t]) < 4 * sqrt(variance) / BC_HOLDINGS);
    }
}

static void test_repeats(void) {
    const uint8_t hole[] = {20, 3};
    double error, other;
    assert(mean_of(hole, 6, 1, 1000, &error) == mean_of(hole, 6, 1, 1000, &other) && error == other);
    assert(mean_of(hole, 6, 1, 1000, &error) != mean_of(hole, 6, 2, 1000, &error));
}

int main(void) {
    test_heads_up();
    test_shares_add_up();
    test_repeats();
    return 0;
}

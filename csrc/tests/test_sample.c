/* Sampled shares of ranges against exact ones, within their error. */
#include "baycarp/sample.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "baycarp/preflop.h"
#include "baycarp/runout.h"

enum { DEALS = 40000 };

static void add_up(const double *weights, double *sums) {
    double sum = 0;
    for (int i = 0; i < BC_HOLDINGS; i++) sums[i] = sum += weights[i];
}

/* Within five of its standard errors. */
static void check_mean(double sum, double square, double expected) {
    const double mean = sum / DEALS, error = sqrt((square / DEALS - mean * mean) / DEALS);
    assert(error > 0 && fabs(mean - expected) < 5 * error);
}

static void test_two_ranges(bc_rng *rng) {
    static double weights[2][BC_HOLDINGS], sums[2][BC_HOLDINGS];
    for (int i = 0; i < BC_HOLDINGS; i++) {
        weights[0][i] = bc_rng_below(rng, 3) ? 0 : bc_rng_below(rng, 16);
        weights[1][i] = bc_rng_below(rng, 9) ? 0 : bc_rng_below(rng, 16);
    }
    double sum[2] = {0}, square[2] = {0};
    for (int k = 0; k < 2; k++) add_up(weights[k], sums[k]);
    const bc_sample s = {.sums = sums[0], .players = 2};
    assert(bc_sample_equity(rng, &s, DEALS, sum, square) == DEALS);
    const bc_preflop_shares exact = bc_preflop_equity(weights[0], weights[1]);
    check_mean(sum[0], square[0], 0.5 + 0.5 * exact.lead / exact.total);
    assert(fabs(sum[0] + sum[1] - DEALS) < 1e-6);
}

/* Three known holdings on a flop: KsQs, 9h9d, Ac8c on Js9s2c. */
static void test_three_holdings(bc_rng *rng) {
    static double sums[3][BC_HOLDINGS];
    static const uint8_t holes[] = {47, 43, 30, 29, 48, 24};
    static const uint16_t all = 7;
    double sum[3] = {0}, square[3] = {0};
    int64_t won[3];
    for (int k = 0; k < 3; k++)
        for (int i = bc_holding(holes[2 * k], holes[2 * k + 1]); i < BC_HOLDINGS; i++) sums[k][i] = 2;
    const bc_sample s = {.sums = sums[0], .players = 3, .board = {39, 31, 0}, .shown = 3};
    const bc_runout run = {
        .holes = holes, .players = 3, .board = {39, 31, 0}, .shown = 3, .sets = &all, .count = 1};
    const int64_t boards = bc_runout_exact(&run, won);
    assert(bc_sample_equity(rng, &s, DEALS, sum, square) == DEALS);
    for (int k = 0; k < 3; k++)
        check_mean(sum[k], square[k], (double)won[k] / ((double)boards * BC_PORTIONS));
}

static void test_no_deal(bc_rng *rng) {
    static double sums[2][BC_HOLDINGS];
    double sum[2] = {0}, square[2] = {0};
    for (int k = 0; k < 2; k++)
        for (int i = 5; i < BC_HOLDINGS; i++) sums[k][i] = 1; /* the same holding */
    const bc_sample s = {.sums = sums[0], .players = 2};
    assert(bc_sample_equity(rng, &s, 10, sum, square) == 0 && sum[0] == 0);
}

int main(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 3);
    test_two_ranges(&rng);
    test_three_holdings(&rng);
    test_no_deal(&rng);
    puts("sample: ok");
    return 0;
}

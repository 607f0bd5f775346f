/* Each holding and hypothesis by itself, act by act, against the cells of the kernel. */
#include "baycarp/evidence.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "baycarp/card.h"
#include "baycarp/rng.h"

/* More than a block of hypotheses, and no multiple of 8. */
enum { HYPOTHESES = 131, BUCKETS = 7, ACTS = 6, STREETS = 4 };

static uint8_t bucket[STREETS][BC_HOLDINGS];
static float table[ACTS][BUCKETS * HYPOTHESES];
static double weights[HYPOTHESES];
static bc_seen_act acts[ACTS];

static void draw(bc_rng *rng) {
    for (int s = 0; s < STREETS; s++)
        for (int h = 0; h < BC_HOLDINGS; h++)
            bucket[s][h] = bc_rng_below(rng, 20) ? (uint8_t)bc_rng_below(rng, BUCKETS) : BC_UNBUCKETED;
    for (int i = 0; i < ACTS; i++) {
        for (int j = 0; j < BUCKETS * HYPOTHESES; j++) table[i][j] = (float)bc_rng_unit(rng);
        acts[i] = (bc_seen_act){bucket[i % STREETS], table[i]};
    }
    for (int k = 0; k < HYPOTHESES; k++) weights[k] = bc_rng_unit(rng);
}

static double product_of(int n, int k, int h) {
    double product = 1;
    for (int i = 0; i < n; i++) product *= table[i][acts[i].bucket[h] * HYPOTHESES + k];
    return product;
}

static bool is_out(int n, uint64_t dead, int hi, int lo) {
    bool out = ((bc_bit(hi) | bc_bit(lo)) & dead) != 0;
    for (int i = 0; i < n; i++) out |= acts[i].bucket[bc_holding(hi, lo)] == BC_UNBUCKETED;
    return out;
}

static void close_to(double found, double expected) {
    assert(fabs(found - expected) <= 1e-5 * expected);
}

static void check(int n, uint64_t dead) {
    double found[BC_HOLDINGS], mean[HYPOTHESES], expected[HYPOTHESES] = {0};
    int holdings = 0, last = -1;
    bc_evidence_by_holding(acts, n, HYPOTHESES, weights, 0.25, dead, found);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const int h = bc_holding(hi, lo);
            double sum = 0.25;
            if (is_out(n, dead, hi, lo)) {
                assert(found[h] == 0);
                continue;
            }
            holdings++, last = h;
            for (int k = 0; k < HYPOTHESES; k++) {
                sum += weights[k] * product_of(n, k, h);
                expected[k] += product_of(n, k, h);
            }
            close_to(found[h], sum);
        }
    assert(bc_evidence_by_hypothesis(acts, n, HYPOTHESES, -1, dead, mean) == holdings);
    for (int k = 0; k < HYPOTHESES; k++) close_to(mean[k], expected[k] / holdings);
    assert(bc_evidence_by_hypothesis(acts, n, HYPOTHESES, last, dead, mean) == 1);
    for (int k = 0; k < HYPOTHESES; k++) close_to(mean[k], product_of(n, k, last));
}

static void test_nobody_left(void) {
    double mean[HYPOTHESES];
    assert(bc_evidence_by_hypothesis(acts, 1, HYPOTHESES, -1, ~(uint64_t)0, mean) == 0 && mean[0] == 0);
}

static void test_labels(void) {
    double two[2][BC_HOLDINGS] = {{[3] = 0.5, [4] = 0.25, [5] = 0.125, [6] = 1}, {[0] = 2}}, sums[2][2];
    uint8_t label[BC_HOLDINGS] = {[3] = 1, [5] = 1, [6] = 2};
    bc_sum_by_label(&two[0][0], 2, label, 2, &sums[0][0]);
    assert(sums[0][0] == 0.25 && sums[0][1] == 0.625 && sums[1][0] == 2 && sums[1][1] == 0);
}

static void test_top_labels(void) {
    double by_holding[BC_HOLDINGS];
    uint8_t label[BC_HOLDINGS] = {[3] = 1, [5] = 1, [6] = 3};
    const double chances[3] = {0.25, 0.5, 0.25};
    assert(bc_weigh_top_labels(chances, 3, 1, label, 0, by_holding) == 1 << 1);
    for (int h = 0; h < BC_HOLDINGS; h++) assert(by_holding[h] == (h == 3 || h == 5));
    assert(bc_weigh_top_labels(chances, 3, 2, label, 0, by_holding) ==
           (1 << 1 | 1 << 0));                                               /* equals in order */
    for (int h = 0; h < BC_HOLDINGS; h++) assert(by_holding[h] == (h != 6)); /* of no known label */
    const uint64_t dead = bc_bit(0) | bc_bit(2); /* holding 3 has card 0, holding 5 card 2 */
    assert(bc_weigh_top_labels(chances, 3, 1, label, dead, by_holding) == (1 << 1 | 1 << 0));
    assert(by_holding[0] == 0 && by_holding[3] == 0 && by_holding[5] == 0 && by_holding[4] == 1);
    assert(bc_weigh_top_labels(chances, 3, 1, label, ~(uint64_t)0, by_holding) == 0);
}

static void test_strength_buckets(void) {
    double hs[BC_HOLDINGS] = {[1] = 0.5, [2] = 0.25, [3] = NAN, [4] = 0.25}, ppot[BC_HOLDINGS] = {0};
    const double edges[2] = {0.5, 0.625};
    uint8_t found[BC_HOLDINGS];
    ppot[1] = 0.25, ppot[2] = 0.5, ppot[4] = 0.125;
    bc_bucket_holdings(hs, ppot, edges, 2, 0.5, found);
    assert(found[0] == 0 && found[1] == 2 && found[2] == 2 + 3 && found[3] == BC_UNBUCKETED && found[4] == 0);
}

int main(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 5);
    for (int n = 0; n <= ACTS; n++) {
        draw(&rng);
        check(n, 0);
        check(n, bc_bit(0) | bc_bit(37) | bc_bit(51));
    }
    test_nobody_left();
    test_labels();
    test_top_labels();
    test_strength_buckets();
    return 0;
}

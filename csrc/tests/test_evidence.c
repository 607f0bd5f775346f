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
    double sum = 0, plain[BC_HOLDINGS];
    bc_evidence_by_holding(acts, n, HYPOTHESES, weights, 0, dead, plain);
    bc_evidence_by_holding(acts, n, HYPOTHESES, weights, 0.25, dead, found);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const int h = bc_holding(hi, lo);
            double weighed = 0;
            if (is_out(n, dead, hi, lo)) {
                assert(found[h] == 0);
                continue;
            }
            holdings++, last = h;
            for (int k = 0; k < HYPOTHESES; k++) {
                weighed += weights[k] * product_of(n, k, h);
                expected[k] += product_of(n, k, h);
            }
            close_to(plain[h], weighed);
            sum += weighed;
        }
    for (int h = 0; h < BC_HOLDINGS; h++)
        if (plain[h] > 0) close_to(found[h], 0.75 * plain[h] + 0.25 * sum / holdings);
    assert(bc_evidence_by_hypothesis(acts, n, HYPOTHESES, -1, dead, mean) == holdings);
    for (int k = 0; k < HYPOTHESES; k++) close_to(mean[k], expected[k] / holdings);
    assert(bc_evidence_by_hypothesis(acts, n, HYPOTHESES, last, dead, mean) == 1);
    for (int k = 0; k < HYPOTHESES; k++) close_to(mean[k], product_of(n, k, last));
}

/* The last act but one as an alternative to the last, after those before them. */
static void check_alternatives(int n, uint64_t dead) {
    static float both[2][BUCKETS * HYPOTHESES];
    double found[2], expected[2] = {0};
    int holdings = 0, last = -1;
    for (int a = 0; a < 2; a++)
        for (int j = 0; j < BUCKETS * HYPOTHESES; j++) both[a][j] = table[ACTS - 2 + a][j];
    const bc_alternatives tried = {acts[ACTS - 1].bucket, &both[0][0], 2, BUCKETS};
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const int h = bc_holding(hi, lo);
            if (is_out(n, dead, hi, lo) || tried.bucket[h] == BC_UNBUCKETED) continue;
            holdings++, last = h;
            for (int a = 0; a < 2; a++)
                for (int k = 0; k < HYPOTHESES; k++)
                    expected[a] +=
                        weights[k] * product_of(n, k, h) * both[a][tried.bucket[h] * HYPOTHESES + k];
        }
    assert(bc_evidence_alternatives(acts, n, tried, HYPOTHESES, weights, -1, dead, found) == holdings);
    for (int a = 0; a < 2; a++) close_to(found[a], expected[a] / holdings);
    assert(bc_evidence_alternatives(acts, n, tried, HYPOTHESES, weights, last, dead, found) == 1);
    for (int a = 0; a < 2; a++) {
        double one = 0;
        for (int k = 0; k < HYPOTHESES; k++)
            one += weights[k] * product_of(n, k, last) * both[a][tried.bucket[last] * HYPOTHESES + k];
        close_to(found[a], one);
    }
}

/* Two powers with buckets of their own, three cells; the first power is in buckets 0, 1, 1 of two. */
static void test_mixed_choices(void) {
    static float tables[BC_LIMIT_CHOICES][2][2][HYPOTHESES], found[BC_LIMIT_CHOICES][3][HYPOTHESES];
    const uint8_t of[2][3] = {{0, 1, 1}, {1, 1, 0}};
    const float shares[BC_LIMIT_CHOICES][2] = {{0.5f, 0.5f}, {0.25f, 0.75f}, {1, 0}};
    bc_rng rng;
    bc_rng_seed(&rng, 8);
    for (int i = 0; i < BC_LIMIT_CHOICES * 4 * HYPOTHESES; i++)
        (&tables[0][0][0][0])[i] = (float)bc_rng_unit(&rng);
    for (int choice = 0; choice < BC_LIMIT_CHOICES; choice++)
        for (int power = 0; power < 2; power++) tables[choice][power][1][7] = 0; /* cell 1 of hypothesis 7 */
    bc_mix_choices((bc_powers){&tables[0][0][0][0], 2, 2, HYPOTHESES}, &shares[0][0], &of[0][0], 3,
                   &found[0][0][0]);
    for (int cell = 0; cell < 3; cell++)
        for (int k = 0; k < HYPOTHESES; k++) {
            double each[BC_LIMIT_CHOICES], sum = 0;
            for (int choice = 0; choice < BC_LIMIT_CHOICES; choice++) {
                each[choice] = 0;
                for (int power = 0; power < 2; power++)
                    each[choice] += shares[choice][power] * tables[choice][power][of[power][cell]][k];
                sum += each[choice];
            }
            for (int choice = 0; choice < BC_LIMIT_CHOICES; choice++)
                close_to(found[choice][cell][k], sum > 0 ? each[choice] / sum : 0);
        }
    assert(found[0][1][7] == 0);
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
        check_alternatives(n, bc_bit(0) | bc_bit(37));
    }
    test_mixed_choices();
    test_nobody_left();
    test_labels();
    test_top_labels();
    test_strength_buckets();
    return 0;
}

/* The source of those loops that have the same text in every form: compilers make them as wide as the
   registers. */
#include "similarity.h"

#include "baycarp/exp_nonpositive.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* For a power of two the product with the inverse equals the quotient, bit for bit. */
static void divide(double *restrict s, int n, double by) {
    int exponent;
    double inverse = 1.0 / by;
    if (frexp(by, &exponent) == 0.5 && isfinite(inverse)) {
        for (int i = 0; i < n; i++) s[i] *= inverse;
    } else {
        for (int i = 0; i < n; i++) s[i] /= by;
    }
}

/* Add the weighted similarities of n <= BC_BATCH rows by one number. */
static void add_similarities(const bc_measure *m, const bc_query *q, int f, const float *x, int n,
                             double *restrict sum) {
    double s[BC_BATCH], at = q->numbers[f], weight = m->weight[f];
    double decay = m->decay[f] > 0.0 ? -m->decay[f] : 1.0;
    for (int i = 0; i < n; i++) s[i] = decay * fabs((double)x[i] - at);
    divide(s, n, m->max[f]);
    if (m->decay[f] > 0.0) {
        for (int i = 0; i < n; i++) s[i] = bc_exp_nonpositive(s[i]);
    } else {
        for (int i = 0; i < n; i++) s[i] = 1.0 - s[i] > 0.0 ? 1.0 - s[i] : 0.0;
    }
    for (int i = 0; i < n; i++) sum[i] += weight * s[i];
}

/* Columns from..from+BC_TOGETHER-1. A byte is off by half a step, the query by 1/512 of one, or by rounding a
   little more, and a parabola is steepest at its beginning. One that does not fit into units is replaced by
   its chord, which is below it. */
static void some_columns(const bc_parabolas *p, double unit, int from, bc_columns *restrict c) {
    const double most = UINT16_MAX;
    for (int i = from; i < from + BC_TOGETHER; i++) {
        const double low = c->low[i], high = c->high[i], x = p->x[i], below = low - x, above = x - high;
        const double apart = below > above ? below : above, off = apart > 0.0 ? apart : 0.0;
        const double beyond = off < p->reach[i] ? off : p->reach[i], reach = p->reach[i] - beyond;
        const double step = bc_unit(low, high), wide = step * 256.0, scale = 256.0 / step;
        const double slope = p->slope[i] - 2.0 * p->bend[i] * beyond;
        const double rise = slope * unit * wide, curve = p->bend[i] * unit * wide * wide;
        const double chord = (slope - p->bend[i] * reach) * unit * wide;
        const double into = x > low ? x < high ? x - low : high - low : 0.0;
        const int fits = rise <= most && curve <= most;
        c->same[i] = beyond * (p->slope[i] - p->bend[i] * beyond);
        c->error[i] = p->error[i] + (high > low ? 0.503 * step * slope : 0.0);
        c->more[i] =
            (off + (high - low) > p->reach[i] ? p->more[i] : 0.0) + (fits || !(high > low) ? 0.0 : INFINITY);
        c->x[i] = into * scale + 0.5;
        c->reach[i] = reach * scale < most ? reach * scale : most;
        c->slope[i] = fits ? rise : chord < most ? chord : most;
        c->curve[i] = fits ? curve + 0.5 : 0.0;
    }
}

static void columns(const bc_parabolas *p, double unit, int n, bc_columns *restrict c) {
    for (int i = 0; i < n; i += BC_TOGETHER) some_columns(p, unit, i, c);
}

/* e^x for x <= 0 with an error below 1e-6, as bc_exp_nonpositive. */
static inline float rough_exp(float x) {
    const float whole = 12582912.0f; /* 1.5 * 2^23 */
    const float shifted = x * 1.44269504f + whole, n = shifted - whole, r = x - n * 0.693147181f;
    float sum = 1.0f / 720.0f, power;
    uint32_t bits;
    sum = sum * r + 1.0f / 120.0f;
    sum = sum * r + 1.0f / 24.0f;
    sum = sum * r + 1.0f / 6.0f;
    sum = sum * r + 0.5f;
    sum = 1.0f + (r + r * r * sum);
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127) << 23;
    memcpy(&power, &bits, sizeof power);
    return x < -80.0f ? 0.0f : sum * power;
}

static void sum_stem_losses(const bc_measure *m, const bc_query *q, const bc_stems *stems, int from, int n,
                            float *restrict loss) {
    float sum[BC_NEAR] = {0}, apart[BC_NEAR] = {0};
    for (int f = 0; f < stems->length; f++) {
        const float *x = stems->numbers + f * stems->count + from;
        const float at = q->numbers[f], weight = (float)stems->weight[f];
        const double steepness = bc_steepness(m, f);
        for (int i = 0; i < n; i++) apart[i] = bc_finite(steepness * fabs((double)x[i] - (double)at));
        if (m->decay[f] > 0.0) {
            for (int i = 0; i < BC_NEAR; i++) sum[i] += weight * (1.0f - rough_exp(-apart[i]));
        } else {
            for (int i = 0; i < BC_NEAR; i++) sum[i] += weight * (apart[i] < 1.0f ? apart[i] : 1.0f);
        }
    }
    for (int i = 0; i < n; i++) loss[i] = sum[i];
}

static void stem_losses(const bc_measure *m, const bc_query *q, const bc_stems *stems, int from, int n,
                        float unit, float *restrict loss, uint16_t *restrict units) {
    float in_units[BC_NEAR] = {0};
    assert(n <= BC_NEAR);
    if (isnan(loss[0])) sum_stem_losses(m, q, stems, from, n, loss);
    for (int i = 0; i < n; i++) in_units[i] = loss[i] * unit;
    for (int i = 0; i < BC_NEAR; i++) in_units[i] = in_units[i] < 65534.0f ? in_units[i] : 65534.0f;
    for (int i = 0; i < n; i++) units[i] = (uint16_t)(int32_t)in_units[i];
}

static void similarities(const bc_measure *m, const bc_query *q, const bc_batch *rows, double *restrict sum) {
    int n = rows->count;
    for (int i = 0; i < n; i++) sum[i] = rows->begun[i];
    for (int f = rows->first; f < m->numbers; f++) add_similarities(m, q, f, rows->numbers[f], n, sum);
    for (int j = 0; j < m->slots; j++) {
        const double *table = q->tables + j * BC_STATES;
        double weight = m->weight[m->numbers + j];
        for (int i = 0; i < n; i++) sum[i] += weight * table[rows->codes[j][i] % BC_STATES];
    }
    for (int j = 0; j < m->symbols; j++) {
        double weight = m->weight[m->numbers + m->slots + j];
        for (int i = 0; i < n; i++) sum[i] += weight * bc_symbol(&q->vocabulary[j], rows->symbols[j][i]);
    }
    for (int i = 0; i < n; i++) sum[i] /= m->total;
}

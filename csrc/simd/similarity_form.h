/* The source of every form of bc_similarities: loops over a batch, of the width of the registers. */
#include "similarity.h"

#include "baycarp/exp_nonpositive.h"

#include <math.h>

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

void FORM(bc_similarities)(const bc_measure *m, const bc_query *q, const bc_batch *rows,
                           double *restrict sum) {
    double s[BC_BATCH];
    int n = rows->count;
    for (int i = 0; i < n; i++) sum[i] = rows->begun[i];
    for (int f = rows->first; f < m->numbers; f++) {
        const float *x = rows->numbers[f];
        double at = q->numbers[f], weight = m->weight[f];
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

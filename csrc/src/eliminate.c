#include "baycarp/eliminate.h"

#include <assert.h>
#include <string.h>

/* out[i] += scale * a[i] ... : the innermost loop, over the factors that it moves. */
static void add_row(double scale, const double *const *a, const int32_t *const *stride, int factors,
                    double *restrict out, int32_t by, int32_t n) {
    if (factors == 1 && by == 1) {
        const double *row = a[0];
        const int32_t step = *stride[0];
        if (step == 1)
            for (int32_t i = 0; i < n; i++) out[i] += scale * row[i];
        else
            for (int32_t i = 0; i < n; i++) out[i] += scale * row[(int64_t)i * step];
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        double product = scale;
        for (int k = 0; k < factors; k++) product *= a[k][(int64_t)i * *stride[k]];
        out[(int64_t)i * by] += product;
    }
}

/* One step: at[k] points at the first value of factor k. */
static void sum_product(const bc_step *step, const bc_factor *factor, const double **at, double *out) {
    const int inner = step->loops - 1;
    const int moving = step->settled[inner]; /* the factors from here on are moved by the innermost loop */
    const int32_t *stride[BC_FACTORS];
    int32_t index[BC_LOOPS];
    double settled[BC_LOOPS]; /* the product of all factors that the loops before d have settled */

    for (int k = moving; k < step->factors; k++) stride[k] = &factor[k].stride[inner];
    for (int d = 0; d <= inner; d++) index[d] = 0;
    memset(out, 0, (size_t)step->size * sizeof *out);
    for (int d = 0;;) {
        for (; d <= inner; d++) {
            double product = d ? settled[d - 1] : 1;
            for (int k = d ? step->settled[d - 1] : 0; k < step->settled[d]; k++) product *= *at[k];
            settled[d] = product;
        }
        add_row(settled[inner], at + moving, stride + moving, step->factors - moving, out,
                step->stride[inner], step->length[inner]);
        for (d = inner - 1; d >= 0; d--) {
            const int32_t move = ++index[d] < step->length[d] ? 1 : 1 - step->length[d];
            for (int k = step->settled[d]; k < step->factors; k++)
                at[k] += (int64_t)move * factor[k].stride[d];
            out += (int64_t)move * step->stride[d];
            if (move == 1) break;
            index[d] = 0;
        }
        if (d < 0) return;
        d++;
    }
}

double bc_eliminate(const bc_plan *plan, const int32_t *evidence, double *messages, double *out) {
    for (int32_t s = 0; s < plan->step_count; s++) {
        const bc_step *step = plan->steps + s;
        const bc_factor *factor = plan->factors + step->factors_from;
        const double *at[BC_FACTORS];
        assert(1 <= step->loops && step->loops <= BC_LOOPS && step->factors <= BC_FACTORS);
        for (int32_t k = 0; k < step->factors; k++) {
            const bc_slice *slice = plan->slices + factor[k].slices_from;
            at[k] = (factor[k].memory == BC_TABLES ? plan->tables : messages) + factor[k].first;
            for (int32_t i = 0; i < factor[k].slices; i++)
                at[k] += (int64_t)evidence[slice[i].observed] * slice[i].stride;
        }
        sum_product(step, factor, at, messages + step->first);
    }

    double probability = 0;
    for (int32_t a = 0; a < plan->answer_count; a++) {
        const double *weight = messages + plan->answers[a].first;
        const int64_t size = plan->answers[a].size;
        double sum = 0;
        for (int64_t i = 0; i < size; i++) sum += weight[i];
        for (int64_t i = 0; i < size; i++) *out++ = sum > 0 ? weight[i] / sum : 0;
        if (a == 0) probability = sum;
    }
    return probability;
}

void bc_eliminate_batch(const bc_plan *plan, const int32_t *evidence, int64_t n, double *messages,
                        double *out, double *probability) {
    int64_t width = 0;
    for (int32_t a = 0; a < plan->answer_count; a++) width += plan->answers[a].size;
    for (int64_t row = 0; row < n; row++)
        probability[row] = bc_eliminate(plan, evidence + row * plan->observed, messages, out + row * width);
}

#include "baycarp/explain.h"

#include <math.h>

/* One step: every cell of its loops, as an odometer; at[k] points to the value of factor k in the cell. */
static void max_sum(const bc_step *step, const bc_factor *factor, const double **at, double *out,
                    int32_t *best) {
    int32_t index[BC_LOOPS] = {0};
    int64_t to = 0;
    int over = -1; /* the loop that is maximised over */

    for (int d = 0; d < step->loops; d++)
        if (!step->stride[d] && step->length[d] > 1) over = d;
    for (int64_t i = 0; i < step->size; i++) out[i] = -INFINITY, best[i] = 0;
    for (int d = 0; d >= 0;) {
        double sum = 0;
        for (int32_t k = 0; k < step->factors; k++) sum += *at[k];
        if (sum > out[to]) out[to] = sum, best[to] = over < 0 ? 0 : index[over];
        for (d = step->loops - 1; d >= 0; d--) {
            const int32_t move = ++index[d] < step->length[d] ? 1 : 1 - step->length[d];
            for (int32_t k = 0; k < step->factors; k++) at[k] += (int64_t)move * factor[k].stride[d];
            to += (int64_t)move * step->stride[d];
            if (move == 1) break;
            index[d] = 0;
        }
    }
}

/* The best state of the maximised variable of a step, given its kept variables. */
static void read_off(const bc_step *step, const int32_t *variable, const int32_t *best, int32_t *states) {
    int64_t from = step->first;
    int32_t over = -1;
    for (int d = 0; d < step->loops; d++) {
        if (variable[d] < 0) continue;
        if (step->stride[d])
            from += (int64_t)step->stride[d] * states[variable[d]];
        else
            over = variable[d];
    }
    if (over >= 0) states[over] = best[from];
}

double bc_explain(const bc_explanation *explanation, bc_evidence evidence, double *messages, int32_t *best,
                  int32_t *states) {
    const bc_plan *plan = explanation->plan;
    int64_t doubles = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        const bc_step *step = plan->steps + s;
        const bc_factor *factor = plan->factors + step->factors_from;
        const double *at[BC_FACTORS];
        for (int32_t k = 0; k < step->factors; k++)
            at[k] = bc_factor_at(plan, factor + k, evidence, messages);
        max_sum(step, factor, at, messages + step->first, best + step->first);
        if (bc_ends(plan, step->size, &doubles)) return -INFINITY;
    }
    for (int32_t v = 0; v < explanation->variables; v++) states[v] = 0;
    for (int32_t s = plan->step_count - 1; s >= 0; s--)
        read_off(plan->steps + s, explanation->variable + (int64_t)s * BC_LOOPS, best, states);
    return messages[plan->message_size - 1];
}

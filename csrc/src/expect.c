#include "baycarp/expect.h"

/* counts[cell] += scale * message[cell] over the hidden members of one family, as an odometer. */
static void deposit(const bc_deposit *to, const double *message, double scale, double *counts) {
    const int last = to->loops - 1;
    int32_t index[BC_LOOPS] = {0};
    int64_t at = 0;

    for (int d = 0; d >= 0;) {
        const int32_t n = to->length[last];
        if (to->stride[last] == 1)
            for (int32_t i = 0; i < n; i++) counts[at + i] += scale * message[i];
        else
            for (int32_t i = 0; i < n; i++) counts[at + (int64_t)i * to->stride[last]] += scale * message[i];
        message += n;
        for (d = last - 1; d >= 0; d--) {
            at += to->stride[d];
            if (++index[d] < to->length[d]) break;
            at -= (int64_t)to->length[d] * to->stride[d];
            index[d] = 0;
        }
    }
}

/* The expected counts of one row, from its messages. */
static void count_row(const bc_family_plan *families, bc_evidence evidence, const double *messages,
                      double scale, double *counts) {
    for (int32_t k = 0; k < families->deposit_count; k++) {
        const bc_deposit *to = families->deposits + k;
        const bc_slice *slice = families->slices + to->slices_from;
        double *at = counts + to->first;
        for (int32_t i = 0; i < to->slices; i++)
            at += (int64_t)evidence.states[slice[i].observed] * slice[i].stride;
        deposit(to, messages + to->message, scale, at);
    }
}

void bc_expect(enum bc_simd level, const bc_family_plan *families, bc_evidence rows, const double *weight,
               int64_t n, double *messages, double *counts, double *probability) {
    const bc_plan *plan = families->plan;
    const bc_answer *answer = plan->answers;
    const int32_t together = bc_together(plan, n);
    int64_t doubles = 0;
    for (int64_t top = 0; top < n; top += together) {
        const int64_t end = n - top < together ? n : top + together;
        bc_messages(level, plan, bc_evidence_row(plan, rows, top), (int32_t)(end - top), messages);
        for (int64_t row = top; row < end; row++) {
            const double *own = messages + (row - top) * plan->message_size;
            double sum = 0;
            for (int64_t i = 0; i < answer->size; i++) sum += own[answer->first + i];
            probability[row] = sum >= BC_LEAST ? sum : 0;
            if (!(sum >= BC_LEAST)) continue;
            count_row(families, bc_evidence_row(plan, rows, row), own, weight[row] / sum, counts);
        }
        if (bc_ends(plan, (end - top) * (plan->message_size + 1), &doubles)) return;
    }
}

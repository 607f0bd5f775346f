/* A -> B with two and three states: the most probable pair, without and with evidence. */
#include "baycarp/explain.h"

#include <assert.h>
#include <math.h>

static const double A[2] = {0.45, 0.55}, B[2][3] = {{0.1, 0.6, 0.3}, {0.4, 0.3, 0.3}};

/* B is maximised over first, then A; B has soft evidence. */
static double explained(const double *soft, int32_t *states) {
    double tables[2 + 6], logs[3], messages[3];
    int32_t best[3];
    const bc_factor factors[] = {
        {.memory = BC_SOFT, .stride = {0, 1}},
        {.memory = BC_TABLES, .first = 2, .stride = {3, 1}},
        {.memory = BC_TABLES, .first = 0, .stride = {0, 1}},
        {.memory = BC_MESSAGES, .first = 0, .stride = {0, 1}},
    };
    const bc_step steps[] = {
        {.loops = 2, .factors = 2, .length = {2, 3}, .stride = {1, 0}, .size = 2},
        {.loops = 2, .factors_from = 2, .factors = 2, .length = {1, 2}, .first = 2, .size = 1},
    };
    static const int32_t variable[2 * BC_LOOPS] = {[0] = 0, [1] = 1, [BC_LOOPS] = -1, [BC_LOOPS + 1] = 0};
    const bc_plan plan = {
        .tables = tables, .steps = steps, .factors = factors, .step_count = 2, .soft = 3, .message_size = 3};
    const bc_explanation explanation = {&plan, variable, 2};
    for (int a = 0; a < 2; a++) tables[a] = log(A[a]);
    for (int i = 0; i < 6; i++) tables[2 + i] = log(B[i / 3][i % 3]);
    for (int b = 0; b < 3; b++) logs[b] = log(soft[b]);
    return bc_explain(&explanation, (bc_evidence){.soft = logs}, messages, best, states);
}

static void test_each_likelihood(void) {
    for (int mask = 0; mask < 8; mask++) {
        const double soft[3] = {mask & 1, mask & 2, mask & 4};
        double most = 0;
        int likeliest[2] = {0, 0};
        int32_t states[2];
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++)
                if (A[a] * B[a][b] * soft[b] > most)
                    most = A[a] * B[a][b] * soft[b], likeliest[0] = a, likeliest[1] = b;
        const double found = explained(soft, states);
        if (!mask) {
            assert(found == -INFINITY);
            continue;
        }
        assert(fabs(found - log(most)) < 1e-14);
        assert(states[0] == likeliest[0] && states[1] == likeliest[1]);
    }
}

int main(void) {
    test_each_likelihood();
    return 0;
}

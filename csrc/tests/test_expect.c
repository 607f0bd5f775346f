/* A -> B with two and three states; rows observe A, B, only a likelihood of B, or an impossible state. */
#include "baycarp/expect.h"

#include <assert.h>
#include <math.h>

#include "chain.h"

static const double *const A = TABLES, *const B = TABLES + 2;

/* B is observed: P(A, b) counts for A, and for column b of B's table. */
static void test_hidden_parent(void) {
    const bc_slice slices[] = {{0, 1}};
    const bc_factor factors[] = {
        {.memory = BC_TABLES, .first = 0, .stride = {0, 1}},
        {.memory = BC_TABLES, .first = 2, .slices = 1, .stride = {0, 3}},
    };
    const bc_step step = {.loops = 2, .factors = 2, .length = {1, 2}, .stride = {0, 1}, .size = 2};
    const bc_answer answer = {0, 2};
    bc_plan plan = one_step(TABLES, &step, factors, &answer);
    plan.slices = slices;
    plan.observed = 1;
    const bc_deposit deposits[] = {
        {.first = 0, .loops = 1, .length = {2}, .stride = {1}},
        {.first = 2, .slices = 1, .loops = 1, .length = {2}, .stride = {3}},
    };
    const bc_family_plan families = {&plan, deposits, slices, 2};
    const int32_t rows[] = {1, 2, 0};
    const double weight[] = {1, 2, 0.5};
    double messages[3 * 2], probability[3], counts[8] = {0}, expected[8] = {0};
    bc_expect(BC_BASE, &families, (bc_evidence){.states = rows}, weight, 3, messages, counts, probability);
    for (int row = 0; row < 3; row++) {
        const int b = rows[row];
        const double all = A[0] * B[b] + A[1] * B[3 + b];
        close_to(probability[row], all);
        for (int a = 0; a < 2; a++) {
            const double share = weight[row] * A[a] * B[3 * a + b] / all;
            expected[a] += share, expected[2 + 3 * a + b] += share;
        }
    }
    for (int i = 0; i < 8; i++) close_to(counts[i], expected[i]);
}

/* Only a likelihood of B is observed: both loops of B's table move. The second row is impossible, the third
   too unlikely for exact numbers: neither counts. */
static void test_soft(void) {
    const bc_factor factors[] = {
        {.memory = BC_TABLES, .first = 0, .stride = {1, 0}},
        {.memory = BC_SOFT, .first = 0, .stride = {0, 1}},
        {.memory = BC_TABLES, .first = 2, .stride = {3, 1}},
    };
    const bc_step step = {
        .loops = 2, .factors = 3, .settled = {0, 1}, .length = {2, 3}, .stride = {3, 1}, .size = 6};
    const bc_answer answer = {0, 6};
    bc_plan plan = one_step(TABLES, &step, factors, &answer);
    plan.soft = 3;
    const bc_deposit deposit = {.first = 2, .loops = 2, .length = {2, 3}, .stride = {3, 1}};
    const bc_family_plan families = {&plan, &deposit, 0, 1};
    const double soft[] = {0.5, 2, 0, 0, 0, 0, 0x1p-1000, 0, 0}, weight[] = {3, 1, 1};
    double messages[3 * 6], probability[3], counts[8] = {0}, all = 0;
    bc_expect(BC_BASE, &families, (bc_evidence){.soft = soft}, weight, 3, messages, counts, probability);
    for (int i = 0; i < 6; i++) all += A[i / 3] * B[i] * soft[i % 3];
    close_to(probability[0], all);
    assert(probability[1] == 0 && probability[2] == 0 && counts[0] == 0 && counts[1] == 0);
    for (int i = 0; i < 6; i++) close_to(counts[2 + i], 3 * A[i / 3] * B[i] * soft[i % 3] / all);
}

int main(void) {
    test_hidden_parent();
    test_soft();
    return 0;
}

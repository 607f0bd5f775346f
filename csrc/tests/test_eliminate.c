/* The chain A -> B -> C with two, three and two states, against explicit sums. */
#include "baycarp/eliminate.h"

#include <assert.h>
#include <math.h>

#include "chain.h"

static const double *const A = TABLES, *const B = TABLES + 2, *const C = TABLES + 8;

/* P(C | a) and P(a): one step with a sliced factor, and a scalar factor. */
static void test_forward(void) {
    const bc_slice slices[] = {{0, 1}, {0, 3}};
    const bc_factor factors[] = {
        {.memory = BC_TABLES, .first = 0, .slices_from = 0, .slices = 1},
        {.memory = BC_TABLES, .first = 2, .slices_from = 1, .slices = 1, .stride = {1, 0}},
        {.memory = BC_TABLES, .first = 8, .stride = {2, 1}},
    };
    const bc_step step = {
        .loops = 2, .factors = 3, .settled = {1, 2}, .length = {3, 2}, .stride = {0, 1}, .size = 2};
    const bc_answer answer = {0, 2};
    bc_plan plan = one_step(TABLES, &step, factors, &answer);
    plan.slices = slices;
    plan.observed = 1;
    const int32_t evidence[] = {0, 1};
    double messages[2 * 2], out[4], probability[2];
    bc_eliminate_batch(BC_BASE, &plan, (bc_evidence){.states = evidence}, 2, messages, out, probability);
    for (int a = 0; a < 2; a++) {
        close_to(probability[a], A[a]);
        for (int c = 0; c < 2; c++) {
            double sum = 0;
            for (int b = 0; b < 3; b++) sum += B[3 * a + b] * C[2 * b + c];
            close_to(out[2 * a + c], sum);
        }
    }
}

/* A batch is divided into blocks of interleaved messages: each row equals the result of a single run. */
static void test_batch(void) {
    enum { N = 2 * BC_TOGETHER + 5, NEAR_ONE = BC_NEAR - 1, NEAR_FEW = BC_NEAR / 3 };
    static const int64_t sizes[] = {6, NEAR_FEW, NEAR_ONE, BC_NEAR + 1};
    static double messages[BC_TOGETHER * NEAR_FEW];
    const bc_slice slice = {0, 1};
    const bc_factor factors[] = {
        {.memory = BC_TABLES, .first = 0, .stride = {1, 0}},
        {.memory = BC_TABLES, .first = 2, .stride = {3, 1}},
        {.memory = BC_MESSAGES, .first = 0, .stride = {1}},
        {.memory = BC_TABLES, .first = 8, .slices = 1, .stride = {2}},
    };
    const bc_step steps[] = {
        {.loops = 2, .factors = 2, .settled = {0, 1}, .length = {2, 3}, .stride = {0, 1}, .size = 3},
        {.loops = 2,
         .factors_from = 2,
         .factors = 2,
         .settled = {0, 2},
         .length = {3, 1},
         .stride = {1},
         .first = 3,
         .size = 3},
    };
    const bc_answer answer = {3, 3};
    int32_t states[N];
    for (int i = 0; i < N; i++) states[i] = i * i % 3 % 2;
    for (unsigned k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        const bc_plan plan = {.tables = TABLES,
                              .steps = steps,
                              .factors = factors,
                              .slices = &slice,
                              .answers = &answer,
                              .step_count = 2,
                              .answer_count = 1,
                              .observed = 1,
                              .message_size = sizes[k]};
        double out[3 * N], probability[N];
        const int64_t room = BC_NEAR / sizes[k], most = room < BC_TOGETHER ? room : BC_TOGETHER;
        assert(bc_together(&plan, N) == (most ? most : 1) && bc_together(&plan, 2) == (most > 1 ? 2 : 1));
        bc_eliminate_batch(BC_BASE, &plan, (bc_evidence){.states = states}, N, messages, out, probability);
        for (int i = 0; i < N; i++) {
            double alone[3];
            assert(bc_eliminate(BC_BASE, &plan, (bc_evidence){.states = states + i}, messages, alone) ==
                   probability[i]);
            for (int b = 0; b < 3; b++) assert(out[3 * i + b] == alone[b]);
        }
        close_to(probability[0] + probability[1], 1);
    }
}

/* P(A | c), then P(B | c): messages are factors, the innermost loop is summed out, strides are arbitrary. */
static void test_backward(void) {
    const bc_slice slices[] = {{0, 1}};
    const bc_factor factors[] = {
        /* to A: P(c|B), two values per state, times P(B|A) */
        {.memory = BC_TABLES, .first = 2, .stride = {3, 1}},
        {.memory = BC_TABLES, .first = 8, .slices_from = 0, .slices = 1, .stride = {0, 2}},
        /* A: the message times P(A) */
        {.memory = BC_MESSAGES, .first = 0, .stride = {0, 1}},
        {.memory = BC_TABLES, .first = 0, .stride = {0, 1}},
        /* B: A summed out in the innermost loop */
        {.memory = BC_TABLES, .first = 8, .slices_from = 0, .slices = 1, .stride = {2, 0}},
        {.memory = BC_TABLES, .first = 0, .stride = {0, 1}},
        {.memory = BC_TABLES, .first = 2, .stride = {1, 3}},
    };
    const bc_step steps[] = {
        {.loops = 2,
         .factors_from = 0,
         .factors = 2,
         .settled = {0, 0},
         .length = {2, 3},
         .stride = {1, 0},
         .first = 0,
         .size = 2},
        {.loops = 2,
         .factors_from = 2,
         .factors = 2,
         .settled = {0, 0},
         .length = {1, 2},
         .stride = {0, 1},
         .first = 2,
         .size = 2},
        {.loops = 2,
         .factors_from = 4,
         .factors = 3,
         .settled = {0, 1},
         .length = {3, 2},
         .stride = {1, 0},
         .first = 4,
         .size = 3},
    };
    const bc_answer answers[] = {{2, 2}, {4, 3}};
    const bc_plan plan = {.tables = TABLES,
                          .steps = steps,
                          .factors = factors,
                          .slices = slices,
                          .answers = answers,
                          .step_count = 3,
                          .answer_count = 2,
                          .observed = 1,
                          .message_size = 7};
    for (int32_t c = 0; c < 2; c++) {
        double joint[2][3], of_a[2] = {0}, of_b[3] = {0}, all = 0, messages[7], out[5];
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 3; b++) {
                joint[a][b] = A[a] * B[3 * a + b] * C[2 * b + c];
                of_a[a] += joint[a][b], of_b[b] += joint[a][b], all += joint[a][b];
            }
        close_to(bc_eliminate(BC_BASE, &plan, (bc_evidence){.states = &c}, messages, out), all);
        for (int a = 0; a < 2; a++) close_to(out[a], of_a[a] / all);
        for (int b = 0; b < 3; b++) close_to(out[2 + b], of_b[b] / all);
    }
}

/* A weight below BC_LEAST, of the second marginal alone: it is all 0, and the probability is. */
static void test_unlikely(void) {
    const double table[] = {0x1p-901, 0.5, 0.5};
    const bc_factor factors[] = {{.memory = BC_TABLES}, {.memory = BC_TABLES, .first = 1, .stride = {0, 1}}};
    const bc_step steps[] = {
        {.loops = 2, .factors_from = 1, .factors = 1, .length = {1, 2}, .stride = {0, 1}, .size = 2},
        {.loops = 2, .factors = 1, .settled = {1, 1}, .length = {1, 1}, .first = 2, .size = 1}};
    const bc_answer answers[] = {{0, 2}, {2, 1}};
    bc_plan plan = one_step(table, steps, factors, answers);
    plan.step_count = plan.answer_count = 2;
    plan.message_size = 3;
    double messages[3], out[3];
    assert(bc_eliminate(BC_BASE, &plan, (bc_evidence){0}, messages, out) == 0);
    assert(out[0] == 0.5 && out[1] == 0.5 && out[2] == 0);
}

/* P(b = 0 | a = 1) = 0: probability 0, and zeros rather than NaN. */
static void test_impossible(void) {
    const bc_slice slices[] = {{0, 3}, {1, 1}};
    const bc_factor factor = {.memory = BC_TABLES, .first = 2, .slices = 2};
    const bc_step step = {.loops = 2, .factors = 1, .settled = {1, 1}, .length = {1, 1}, .size = 1};
    const bc_answer answer = {0, 1};
    bc_plan plan = one_step(TABLES, &step, &factor, &answer);
    plan.slices = slices;
    plan.observed = 2;
    const int32_t evidence[] = {1, 0};
    double message, out;
    assert(bc_eliminate(BC_BASE, &plan, (bc_evidence){.states = evidence}, &message, &out) == 0);
    assert(out == 0);
}

/* Five loops with factors of every depth, once for each choice of the loops that are summed out. */
static void test_many_loops(void) {
    enum { LOOPS = 5, FACTORS = 6, CELLS = 3 * 2 * 2 * 70 * 5 };
    static const int32_t length[LOOPS] = {3, 2, 2, 70, 5};
    static const bc_factor factors[FACTORS] = {
        {.memory = BC_TABLES, .first = 3},
        {.memory = BC_TABLES, .first = 1, .stride = {2}},
        {.memory = BC_TABLES, .first = 0, .stride = {0, 4, 1}},
        {.memory = BC_TABLES, .first = 2, .stride = {7, 0, 3, 2}},
        {.memory = BC_TABLES, .first = 5, .stride = {0, 0, 0, 1}},
        {.memory = BC_TABLES, .first = 0, .stride = {1, 350, 0, 5, 1}},
    };
    static double table[1000], message[CELLS], out[CELLS], expected[CELLS];
    for (int i = 0; i < 1000; i++) table[i] = (i * 37 % 101) / 16.0;
    for (int kept = 0; kept < 1 << LOOPS; kept++) {
        bc_step step = {.loops = LOOPS, .factors = FACTORS, .settled = {1, 2, 2, 3, 5}, .size = 1};
        for (int d = LOOPS - 1; d >= 0; d--) {
            step.length[d] = length[d];
            step.stride[d] = kept >> d & 1 ? (int32_t)step.size : 0;
            if (kept >> d & 1) step.size *= length[d];
        }
        for (int i = 0; i < step.size; i++) expected[i] = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            int at[FACTORS], to = 0, rest = cell;
            double product = 1;
            for (int k = 0; k < FACTORS; k++) at[k] = (int)factors[k].first;
            for (int d = LOOPS - 1; d >= 0; rest /= length[d], d--) {
                for (int k = 0; k < FACTORS; k++) at[k] += rest % length[d] * factors[k].stride[d];
                to += rest % length[d] * step.stride[d];
            }
            for (int k = 0; k < FACTORS; k++) product *= table[at[k]];
            expected[to] += product;
        }
        const bc_answer answer = {0, step.size};
        bc_plan plan = one_step(table, &step, factors, &answer);
        bc_eliminate(BC_BASE, &plan, (bc_evidence){0}, message, out);
        for (int i = 0; i < step.size; i++) assert(fabs(message[i] - expected[i]) <= 1e-12 * expected[i]);
    }
}

/* Numbers times a contiguous vector, and numbers alone: three factors of increasing depth. */
static void test_scaled(int32_t columns) {
    const bc_factor factors[] = {{.memory = BC_TABLES, .first = 3},
                                 {.memory = BC_TABLES, .first = 5, .stride = {1}},
                                 {.memory = BC_TABLES, .first = 8, .stride = {0, 1}}};
    const bc_step step = {.loops = 2,
                          .factors = 3,
                          .settled = {1, 2},
                          .length = {1, columns},
                          .stride = {0, columns > 1},
                          .size = columns};
    bc_plan plan = one_step(TABLES, &step, factors, NULL);
    double message[6];
    for (enum bc_simd level = BC_BASE; level <= bc_simd_best(); level++) {
        bc_messages(level, &plan, (bc_evidence){0}, 1, message);
        for (int32_t j = 0; j < columns; j++) close_to(message[j], TABLES[3] * TABLES[5 + 0] * TABLES[8 + j]);
    }
}

/* Every level gives the bits of plain loops, for any number of columns, rows and matrices; rows are summed,
   or each is kept. */
static void test_levels_agree(int matrices, bool kept) {
    enum { ROWS = 70, COLUMNS = 41 };
    static double table[ROWS + ROWS * COLUMNS + 2], message[ROWS * COLUMNS + 1];
    for (int i = 0; i < ROWS + ROWS * COLUMNS + 2; i++) table[i] = (1 + i * 37 % 101) / 97.0;
    for (int32_t rows = 1; rows <= ROWS; rows += 3)
        for (int32_t columns = 1; columns <= COLUMNS; columns++) {
            const bc_factor factors[] = {{.memory = BC_TABLES, .stride = {1, 0}},
                                         {.memory = BC_TABLES, .first = ROWS, .stride = {COLUMNS, 1}},
                                         {.memory = BC_TABLES, .first = 1, .stride = {COLUMNS, 1}},
                                         {.memory = BC_TABLES, .first = 2, .stride = {0, 1}}};
            const int64_t size = kept ? (int64_t)rows * columns : columns;
            const bc_step step = {.loops = 2,
                                  .factors = 1 + matrices,
                                  .settled = {0, 1},
                                  .length = {rows, columns},
                                  .stride = {kept ? columns : 0, 1},
                                  .size = size};
            bc_plan plan = one_step(table, &step, factors, NULL);
            for (enum bc_simd level = BC_BASE; level <= bc_simd_best(); level++) {
                double sum[COLUMNS] = {0};
                message[size] = -1;
                bc_messages(level, &plan, (bc_evidence){0}, 1, message);
                assert(message[size] == -1);
                for (int i = 0; i < rows; i++)
                    for (int j = 0; j < columns; j++) {
                        double cell = table[i] * table[ROWS + i * COLUMNS + j];
                        if (matrices > 1) cell *= table[1 + i * COLUMNS + j];
                        if (matrices > 2) cell *= table[2 + j];
                        if (kept) assert(message[i * columns + j] == cell);
                        sum[j] += cell;
                    }
                for (int j = 0; !kept && j < columns; j++) assert(message[j] == sum[j]);
            }
        }
}

int main(void) {
    for (int matrices = 1; matrices <= 3; matrices++) {
        test_levels_agree(matrices, false);
        test_levels_agree(matrices, true);
    }
    test_many_loops();
    test_forward();
    test_backward();
    test_batch();
    test_scaled(1);
    test_scaled(6);
    test_impossible();
    test_unlikely();
    return 0;
}

/* Networks and counting: one table over two variables, by elimination, explanation, expected counts and plain
   loops; codes and counts by plain loops; the exponential beside the library's. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "baycarp/count.h"
#include "baycarp/exp_nonpositive.h"
#include "baycarp/expect.h"
#include "baycarp/explain.h"
#include "source.h"

enum { MOST = 5, ROWS = 40, COLUMNS = 3 };

/* A table of rows x columns numbers, and a plan whose message, its answer, is the table times the likelihoods
   of its rows. */
typedef struct {
    double table[MOST * MOST], logs[MOST * MOST], soft[2 * MOST], soft_logs[2 * MOST];
    int rows, columns;
    bc_factor factors[2];
    bc_step steps[1];
    bc_answer answers[1];
} net;

static void take_net(source *from, net *n) {
    n->rows = 1 + (int)take(from, MOST);
    n->columns = 1 + (int)take(from, MOST);
    for (int i = 0; i < n->rows * n->columns; i++) {
        n->table[i] = take_byte(from) / 255.0;
        n->logs[i] = log(n->table[i]);
    }
    for (int i = 0; i < 2 * n->rows; i++) {
        n->soft[i] = take_byte(from) / 255.0;
        n->soft_logs[i] = log(n->soft[i]);
    }
    const int32_t rows = n->rows, columns = n->columns;
    n->factors[0] = (bc_factor){.memory = BC_SOFT, .stride = {1, 0}};
    n->factors[1] = (bc_factor){.memory = BC_TABLES, .stride = {columns, 1}};
    n->steps[0] = (bc_step){.loops = 2,
                            .factors = 2,
                            .settled = {0, 1},
                            .length = {rows, columns},
                            .stride = {columns, 1},
                            .size = (int64_t)rows * columns};
    n->answers[0] = (bc_answer){0, (int64_t)rows * columns};
}

static bc_plan plan_of(const net *n, const double *tables, int answers) {
    return (bc_plan){.tables = tables,
                     .steps = n->steps,
                     .factors = n->factors,
                     .answers = n->answers,
                     .step_count = 1,
                     .answer_count = answers,
                     .soft = n->rows,
                     .message_size = n->steps[0].size};
}

/* Expected counts of two rows of evidence: weight * posterior, cell by cell. */
void target_expect(source *from) {
    net n = {0};
    take_net(from, &n);
    const bc_plan plan = plan_of(&n, n.table, 1);
    const bc_deposit deposit = {.loops = 2, .length = {n.rows, n.columns}, .stride = {n.columns, 1}};
    const bc_family_plan families = {.plan = &plan, .deposits = &deposit, .deposit_count = 1};
    const double weight[2] = {1 + take_byte(from), 0.5};
    double messages[2 * MOST * MOST], counts[MOST * MOST] = {0}, expected[MOST * MOST] = {0}, probability[2];
    const enum bc_simd level = (enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1);
    bc_expect(level, &families, (bc_evidence){.soft = n.soft}, weight, 2, messages, counts, probability);
    for (int64_t row = 0; row < 2; row++) {
        double sum = 0;
        for (int i = 0; i < n.rows * n.columns; i++) sum += n.soft[row * n.rows + i / n.columns] * n.table[i];
        assert(fabs(probability[row] - sum) <= 1e-12);
        for (int i = 0; i < n.rows * n.columns && sum > 0; i++)
            expected[i] += weight[row] * n.soft[row * n.rows + i / n.columns] * n.table[i] / sum;
    }
    for (int i = 0; i < n.rows * n.columns; i++) assert(fabs(counts[i] - expected[i]) <= 1e-9);
}

/* The best column for each row, then the best row: two steps, read off backwards. */
void target_explain(source *from) {
    net n = {0};
    take_net(from, &n);
    const bc_factor factors[] = {{.memory = BC_TABLES, .stride = {n.columns, 1}},
                                 {.memory = BC_MESSAGES, .stride = {0, 1}},
                                 {.memory = BC_SOFT, .stride = {0, 1}}};
    const bc_step steps[] = {
        {.loops = 2, .factors = 1, .length = {n.rows, n.columns}, .stride = {1, 0}, .size = n.rows},
        {.loops = 2, .factors_from = 1, .factors = 2, .length = {1, n.rows}, .first = n.rows, .size = 1}};
    const bc_plan plan = {.tables = n.logs,
                          .steps = steps,
                          .factors = factors,
                          .step_count = 2,
                          .soft = n.rows,
                          .message_size = n.rows + 1};
    int32_t variable[2 * BC_LOOPS], best[MOST + 1], states[2];
    for (int i = 0; i < 2 * BC_LOOPS; i++) variable[i] = -1;
    variable[0] = variable[BC_LOOPS + 1] = 0;
    variable[1] = 1;
    const bc_explanation explanation = {&plan, variable, 2};
    double messages[MOST + 1], most = -INFINITY;
    const double found = bc_explain(&explanation, (bc_evidence){.soft = n.soft_logs}, messages, best, states);
    for (int i = 0; i < n.rows * n.columns; i++) {
        const double here = n.soft_logs[i / n.columns] + n.logs[i];
        if (here > most) most = here;
    }
    assert(found == most || fabs(found - most) <= 1e-12);
    assert(0 <= states[0] && states[0] < n.rows && 0 <= states[1] && states[1] < n.columns);
    if (most > -INFINITY)
        assert(fabs(n.soft_logs[states[0]] + n.logs[states[0] * n.columns + states[1]] - most) <= 1e-12);
}

/* Codes in and out of range: the first wrong one is named, the right ones are counted by cell. */
void target_count(source *from) {
    const int n = (int)take(from, ROWS + 1), columns = 1 + (int)take(from, COLUMNS);
    int32_t states[COLUMNS], stride[COLUMNS], codes[ROWS * COLUMNS];
    int64_t given[ROWS * COLUMNS], size = 1, first = (int64_t)n * columns, wrong;
    int16_t narrow[COLUMNS][ROWS];
    const int16_t *at[COLUMNS];
    for (int k = columns - 1; k >= 0; k--) {
        states[k] = 1 + (int32_t)take(from, 40);
        stride[k] = (int32_t)size;
        size *= states[k];
        at[k] = narrow[k];
    }
    for (int i = 0; i < n * columns; i++) {
        given[i] = (int64_t)take(from, (uint32_t)states[i % columns] + 2) - 1;
        if (take_byte(from) == 7) given[i] = INT64_MIN + take_byte(from);
        if (first == (int64_t)n * columns && (given[i] < 0 || given[i] >= states[i % columns])) first = i;
    }
    wrong = bc_code_rows(given, n, columns, states, codes);
    assert(wrong == first);
    for (int64_t i = 0; i < wrong; i++) assert(codes[i] == given[i]);
    bool all = true;
    for (int k = 0; k < columns; k++) {
        int64_t column[ROWS], expected = n;
        for (int i = 0; i < n; i++) column[i] = given[i * columns + k];
        for (int i = n - 1; i >= 0; i--)
            if (column[i] < -1 || column[i] >= states[k]) expected = i;
        assert(bc_code_column(column, n, states[k], narrow[k]) == expected);
        all = all && expected == n;
    }
    static int64_t counts[40 * 40 * 40 + 1], plain[40 * 40 * 40];
    memset(counts, 0, sizeof counts);
    memset(plain, 0, sizeof plain);
    if (!all) return;
    bc_count(at, stride, columns, n, size, counts);
    for (int i = 0; i < n; i++) {
        int64_t cell = 0;
        bool shown = true;
        for (int k = 0; k < columns; k++) {
            shown = shown && given[i * columns + k] >= 0;
            cell += given[i * columns + k] * stride[k];
        }
        if (shown) plain[cell]++;
    }
    assert(memcmp(counts, plain, (size_t)size * sizeof *plain) == 0);
}

void target_exp_nonpositive(source *from) {
    const double x = -ldexp(take(from, 1 << 24), (int)take(from, 60) - 40);
    const double found = bc_exp_nonpositive(x);
    assert(0 <= found && found <= 1 && fabs(found - exp(x)) <= 1e-14);
}

#include "baycarp/eliminate.h"

#include "../simd/product.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum { CHUNK = 64 };

static void product_base(const double *weight, const double *const *a, const int64_t *down, int matrices,
                         int32_t rows, double *restrict out, int64_t apart, int32_t columns, int goes_on) {
    for (int32_t i = 0; i < rows; i++) {
        if (!goes_on && (i == 0 || apart)) memset(out + i * apart, 0, (size_t)columns * sizeof *out);
        for (int32_t j = 0; j < columns; j++) {
            double cell = weight[i] * a[0][i * down[0] + j];
            for (int m = 1; m < matrices; m++) cell *= a[m][i * down[m] + j];
            out[i * apart + j] += cell;
        }
    }
}

static bc_product *product_of(enum bc_simd level) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) return bc_product_avx512;
    if (level == BC_AVX2) return bc_product_avx2;
#endif
    return level == BC_BASE ? product_base : 0;
}

/* One row of cells: weight times the factors that depend on the column, from their first values. */
static void add_row(double weight, const bc_factor *factor, int factors, const double *const *at, int column,
                    double *out, int64_t across, int32_t columns) {
    if (factors == 1) {
        const double *a = at[0];
        const int64_t step = factor->stride[column];
        for (int32_t j = 0; j < columns; j++) out[j * across] += weight * a[j * step];
        return;
    }
    for (int32_t j = 0; j < columns; j++) {
        double cell = weight;
        for (int k = 0; k < factors; k++) cell *= at[k][(int64_t)j * factor[k].stride[column]];
        out[j * across] += cell;
    }
}

/* Whether the columns of the message, and of all factors that depend on them, are contiguous. */
static bool in_runs(const bc_step *step, const bc_factor *factor) {
    const int column = step->loops - 1, first = step->settled[column];
    bool all = step->stride[column] == 1 && first < step->factors;
    for (int k = first; k < step->factors; k++) all &= factor[k].stride[column] == 1;
    return all;
}

/* Whether only the rows are summed: each of the other loops has its own cells of the message. */
static bool sums_rows(const bc_step *step) {
    bool all = true;
    for (int d = 0; d < step->loops - 2; d++) all &= step->stride[d] || step->length[d] == 1;
    return all;
}

/* weight[i] = scale times the factors that depend on row top + i alone. */
static void weigh_rows(double *weight, double scale, const bc_factor *factor, const double *const *at,
                       int factors, int row, int32_t top, int32_t n) {
    for (int32_t i = 0; i < n; i++) weight[i] = scale;
    for (int k = 0; k < factors; k++)
        for (int32_t i = 0; i < n; i++) weight[i] *= at[k][(int64_t)(top + i) * factor[k].stride[row]];
}

/* Whether the rows have the same weights in every iteration of the outer loops. */
static bool same_row_weights(const bc_step *step, const bc_factor *factor) {
    const int row = step->loops - 2;
    bool all = step->length[row] <= CHUNK && step->settled[row] == step->settled[0];
    for (int k = step->settled[row]; k < step->settled[row + 1]; k++)
        for (int d = 0; d < row; d++) all &= !factor[k].stride[d];
    return all;
}

/* What is found out once for a run of a step. */
typedef struct {
    bool runs;    /* columns are contiguous */
    bool fresh;   /* only the rows are summed, in runs: the message need not be 0 before */
    bool same;    /* the rows have the same weights in every iteration of the outer loops */
    bool weighed; /* the weights are those of this iteration */
    double weight[CHUNK];
} pair;

/* The two innermost loops, rows and columns: at[k] points to the value of factor k in the first cell, scale
   is the product of the factors that depend on neither. */
static void add_cells(bc_product *product, const bc_step *step, const bc_factor *factor,
                      const double *const *at, double scale, double *out, pair *p) {
    const int column = step->loops - 1, row = column - 1;
    const int by_row = step->settled[row], by_column = step->settled[column];
    const int moved = step->factors - by_column; /* factors that depend on the column */
    const int32_t rows = step->length[row], columns = step->length[column];
    const int64_t down = step->stride[row], across = step->stride[column];
    const bc_factor *first = factor + by_column;
    int64_t strides[BC_FACTORS];
    for (int k = 0; k < moved; k++) strides[k] = first[k].stride[row];

    for (int32_t top = 0; top < rows; top += CHUNK) {
        const int32_t n = rows - top < CHUNK ? rows - top : CHUNK;
        const double *begin[BC_FACTORS];
        if (!p->weighed)
            weigh_rows(p->weight, scale, factor + by_row, at + by_row, by_column - by_row, row, top, n);
        p->weighed = p->same;
        for (int k = 0; k < moved; k++) begin[k] = at[by_column + k] + top * strides[k];
        if (p->runs) {
            product(p->weight, begin, strides, moved, n, out + top * down, down, columns,
                    !p->fresh || (top && !down));
            continue;
        }
        for (int32_t i = 0; i < n; i++) {
            double *to = out + (top + i) * down;
            if (moved)
                add_row(p->weight[i], first, moved, begin, column, to, across, columns);
            else
                for (int32_t j = 0; j < columns; j++) to[j * across] += p->weight[i];
            for (int k = 0; k < moved; k++) begin[k] += strides[k];
        }
    }
}

/* Special cases of a step. */
enum form {
    NUMBERS, /* product of numbers */
    SCALED,  /* product of numbers and a contiguous vector */
    PRODUCT, /* contiguous vector times a matrix */
    SUMS     /* general case */
};

static enum form form_of(const bc_step *step, const bc_factor *factor) {
    const int last = step->factors - 1;
    if (step->loops != 2 || step->stride[0]) return SUMS;
    if (step->size == 1 && step->length[0] == 1 && step->length[1] == 1) return NUMBERS;
    if (step->size != step->length[1] || step->stride[1] != 1) return SUMS;
    if (step->settled[1] != last || factor[last].stride[1] != 1) return SUMS;
    if (last == 1 && !step->settled[0] && factor->stride[0] == 1) return PRODUCT;
    return step->length[0] == 1 ? SCALED : SUMS;
}

/* One step: the loops outside the two innermost, as an odometer; at[k] points to factor k's first value. */
static void sum_product(bc_product *product, const bc_step *step, const bc_factor *factor, const double **at,
                        double *out) {
    const int outer = step->loops - 2;
    pair p; /* without its weights, which need not be 0 */
    p.runs = in_runs(step, factor);
    p.same = same_row_weights(step, factor);
    p.weighed = false;
    int32_t index[BC_LOOPS];
    double settled[BC_LOOPS]; /* product of the factors that depend only on loops before d */

    for (int d = 0; d < outer; d++) index[d] = 0;
    p.fresh = p.runs && sums_rows(step);
    if (!p.fresh) memset(out, 0, (size_t)step->size * sizeof *out);
    for (int d = 0;;) {
        for (; d <= outer; d++) {
            settled[d] = d ? settled[d - 1] : 1;
            for (int k = d ? step->settled[d - 1] : 0; k < step->settled[d]; k++) settled[d] *= *at[k];
        }
        add_cells(product, step, factor, at, settled[outer], out, &p);
        for (d = outer - 1; d >= 0; d--) {
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

/* One step for n rows of evidence; the messages of a row are contiguous. */
static void run_step(bc_product *product, const bc_plan *plan, const bc_step *step, bc_evidence rows,
                     int32_t n, double *messages) {
    const bc_factor *factor = plan->factors + step->factors_from;
    const enum form form = form_of(step, factor);
    const int last = step->factors - 1;
    const int64_t still = 0, down = form == PRODUCT ? factor[1].stride[0] : 0;
    assert(2 <= step->loops && step->loops <= BC_LOOPS && step->factors <= BC_FACTORS);
    for (int32_t row = 0; row < n; row++, messages += plan->message_size) {
        const bc_evidence evidence = bc_evidence_row(plan, rows, row);
        const double *at[BC_FACTORS];
        double *out = messages + step->first, scale = 1;
        for (int32_t k = 0; k <= last; k++) at[k] = bc_factor_at(plan, factor + k, evidence, messages);
        switch (form) {
        case NUMBERS:
            for (int k = 0; k <= last; k++) scale *= *at[k];
            *out = scale;
            break;
        case SCALED:
            for (int k = 0; k < last; k++) scale *= *at[k];
            product(&scale, at + last, &still, 1, 1, out, 0, step->length[1], 0);
            break;
        case PRODUCT:
            product(at[0], at + 1, &down, 1, step->length[0], out, 0, step->length[1], 0);
            break;
        case SUMS:
            sum_product(product, step, factor, at, out);
            break;
        }
    }
}

/* The probability of the evidence, and the marginals, from the messages; 0 if one is not exact. */
static double answer(const bc_plan *plan, const double *messages, double *out) {
    double probability = 0;
    bool exact = true;
    for (int32_t a = 0; a < plan->answer_count; a++) {
        const double *weight = messages + plan->answers[a].first;
        const int64_t size = plan->answers[a].size;
        double sum = 0;
        for (int64_t i = 0; i < size; i++) sum += weight[i];
        if (sum >= BC_LEAST)
            for (int64_t i = 0; i < size; i++) out[i] = weight[i] / sum;
        else {
            memset(out, 0, (size_t)size * sizeof *out);
            exact = false;
        }
        out += size;
        if (a == 0) probability = sum;
    }
    return exact ? probability : 0;
}

void bc_messages(enum bc_simd level, const bc_plan *plan, bc_evidence rows, int32_t n, double *messages) {
    bc_product *const product = product_of(level);
    int64_t doubles = 0;
    for (int32_t s = 0; s < plan->step_count; s++) {
        run_step(product, plan, plan->steps + s, rows, n, messages);
        if (bc_ends(plan, n * plan->steps[s].size, &doubles)) return;
    }
}

double bc_eliminate(enum bc_simd level, const bc_plan *plan, bc_evidence evidence, double *messages,
                    double *out) {
    bc_messages(level, plan, evidence, 1, messages);
    return answer(plan, messages, out);
}

void bc_eliminate_batch(enum bc_simd level, const bc_plan *plan, bc_evidence rows, int64_t n,
                        double *messages, double *out, double *probability) {
    const int32_t together = bc_together(plan, n);
    int64_t width = 0, doubles = 0;
    for (int32_t a = 0; a < plan->answer_count; a++) width += plan->answers[a].size;
    for (int64_t top = 0; top < n; top += together) {
        const int32_t left = n - top < together ? (int32_t)(n - top) : together;
        bc_messages(level, plan, bc_evidence_row(plan, rows, top), left, messages);
        for (int64_t row = top; row < top + left; row++)
            probability[row] = answer(plan, messages + (row - top) * plan->message_size, out + row * width);
        if (bc_ends(plan, left * (plan->message_size + 1), &doubles)) return;
    }
}

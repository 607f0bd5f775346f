#include "similarity_cell.h"

#include <math.h>
#include <string.h>

#define UNITS 8192 /* of the limit */
#define UNSET UINT16_MAX

void bc_cell_begin(bc_cell_bound *b, const bc_similarity_forms *forms, const bc_measure *m, const bc_query *q,
                   const bc_cells *cells, const double *weight, bc_similar_work work) {
    b->forms = forms, b->m = m, b->q = q, b->cells = cells, b->weight = weight, b->work = work;
    for (int32_t i = 0; cells->bytes_from && i < cells->stems; i++) work.loss[i] = NAN;
    b->rows = cells->bytes_from ? &b->fewer : &b->runs;
    b->runs.in.slots = 0, b->rows->in.slots = m->slots;
    for (int i = m->numbers; i % BC_TOGETHER; i++) {
        bc_parabolas *p = &b->parabolas;
        p->x[i] = p->slope[i] = p->bend[i] = p->reach[i] = p->error[i] = p->more[i] = 0.0;
        b->entered.low[i] = b->entered.high[i] = 0.0f;
    }
    b->curved = 0;
    for (int f = 0; f < m->numbers; f++) b->curved += m->decay[f] > 0.0;
    for (int f = 0, curved = 0, straight = b->curved; f < m->numbers; f++)
        b->columns[m->decay[f] > 0.0 ? curved++ : straight++] = (uint8_t)f;
}

/* The loss by one number, as a share of its weight, up to which a parabola is fitted: a tenth above the
   limit, so that farther rows are excluded in spite of the errors, or 0.6, for a small error. */
static double fitted_share(double limit, double weight) {
    const double least = 1e-5, share = 1.1 * limit / weight;
    return share > 0.6 ? 0.6 : share > least ? share : least;
}

/* Fit a parabola to each loss: to an exponential one at 0, at the distance of the largest loss that
   counts, and at half of it. The error is at most the largest third derivative, that at 0, over 6, times the
   product of the distances from these three, at most X^3 / (12 sqrt(3)) where X is the farthest. */
static void fit_parabolas(bc_cell_bound *b, double limit) {
    const bc_measure *m = b->m;
    bc_parabolas *p = &b->parabolas;
    for (int i = 0; i < m->numbers; i++) {
        const int f = b->columns[i], curved = i < b->curved;
        const double weight = b->weight[f], share = fitted_share(limit, weight);
        const double unit = bc_steepness(m, f);
        const double most = -log1p(-share), half = 1.0 - sqrt(1.0 - share), bend = unit * half / most;
        p->x[i] = b->q->numbers[f];
        p->slope[i] = curved ? weight * bend * (2.0 + half) : weight * unit;
        p->bend[i] = curved ? weight * 2.0 * bend * bend : 0.0;
        p->reach[i] = curved ? most / unit : 1.0 / unit;
        p->error[i] = curved ? weight * 0.0081 * most * most * most : 0.0;
        p->more[i] = curved && share < limit / weight ? weight * (1.0 - share) : 0.0;
    }
}

void bc_cell_fit(bc_cell_bound *b, double limit, float (*slot)[BC_STATES]) {
    fit_parabolas(b, limit);
    b->unit = UNITS / (limit < 1e-6 ? 1e-6 : limit < 1.0 ? limit : 1.0);
    for (int i = 0; i < b->m->slots; i++) {
        for (int state = 0; state < BC_STATES; state++)
            b->rows->in.slot[i][state] = bc_whole(slot[i][state] * b->unit);
    }
    if (b->cells->bytes_from)
        memset(b->work.units, UNSET & 255, (size_t)b->cells->stems * sizeof *b->work.units);
}

/* Rounding makes the loss in a column at most 2 units too high or 4 too low, that of the base, of a stem and
   of a slot at most 1 too low. */

uint16_t bc_cell_most(const bc_cell_bound *b, const bc_cell_part *of, double limit) {
    return bc_whole((limit + of->error) * b->unit + 1.0 + 2.0 * of->columns);
}

uint16_t bc_cell_certain(const bc_cell_bound *b, double limit) {
    const bc_cell_part *rows = b->rows;
    const double loss = limit - rows->error - rows->more;
    const double units = loss * b->unit - 4.0 * rows->columns - b->m->slots - 2.0;
    return units > 0.0 ? bc_whole(units) : 0;
}

/* Take the columns of the numbers from `first` on into a bound. */
static void add_columns(const bc_cell_bound *b, int first, bc_cell_part *to) {
    const bc_columns *c = &b->entered;
    bc_inner *in = &to->in;
    int k = 0;
    double same = 0.0;
    to->error = to->more = 0.0;
    in->bent = 0;
    for (int i = 0; i < b->m->numbers; i++) {
        const int f = b->columns[i];
        if (f < first) continue;
        same += c->same[i], to->error += c->error[i], to->more += c->more[i];
        if (!(c->high[i] > c->low[i])) continue;
        in->column[k] = (uint8_t)(f - first);
        in->x[k] = (uint16_t)(int)c->x[i], in->reach[k] = (uint16_t)(int)c->reach[i];
        in->slope[k] = (uint16_t)(int)c->slope[i], in->curve[k] = (uint16_t)(int)c->curve[i];
        k++;
        in->bent += i < b->curved;
    }
    to->columns = k, in->straight = k - in->bent;
    to->base = bc_whole(same * b->unit);
}

void bc_cell_enter(bc_cell_bound *b, int32_t cell) {
    const bc_cells *cells = b->cells;
    for (int i = 0; i < b->m->numbers; i++) {
        const int64_t at = b->columns[i] * (int64_t)cells->count + cell;
        b->entered.low[i] = cells->low[at], b->entered.high[i] = cells->high[at];
    }
    b->forms->columns(&b->parabolas, b->unit, b->m->numbers, &b->entered);
    add_columns(b, 0, &b->runs);
    if (cells->bytes_from) add_columns(b, cells->bytes_from, b->rows);
}

/* Near stems are computed together. */
void bc_cell_stems(const bc_cell_bound *b, int64_t from, int n, uint16_t loss[BC_RUN]) {
    const bc_cells *cells = b->cells;
    const bc_stems stems = {cells->stem, cells->stems, cells->stem_numbers, b->weight};
    const uint16_t *stem_of = cells->stem_of + from;
    uint16_t *units = b->work.units;
    int unset = 0;
    for (int i = 0; i < n; i++) {
        loss[i] = units[stem_of[i]];
        unset |= loss[i] == UNSET;
    }
    for (int i = 0; i < n && unset; i++) {
        const int32_t first = stem_of[i] - stem_of[i] % BC_NEAR, left = cells->stems - first;
        if (units[stem_of[i]] == UNSET)
            b->forms->stem_losses(b->m, b->q, &stems, first, left < BC_NEAR ? left : BC_NEAR, (float)b->unit,
                                  b->work.loss + first, units + first);
        loss[i] = units[stem_of[i]];
    }
}

#include "similarity_cell.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "baycarp/exp_nonpositive.h"

/* The error bound of float losses: 2^-24 for each of at most 80 additions and a few products, and 1e-6 for
   the exponentials of stems. Rows closer to the limit than this are neither excluded nor certain. */
#define MARGIN 1e-5

#define LINE 64 /* bytes that are loaded at once */

/* ---- A search: the query, and the largest loss of a row that can still enter the result ---- */

typedef struct {
    const bc_similarity_forms *forms;
    const bc_measure *m;
    const bc_query *q;
    bc_found *found;
    double weight[BC_NUMBERS + BC_SLOTS + BC_SYMBOLS]; /* shares of the total: losses are, too */
    double fitted_limit;                               /* the limit for which the bounds were computed */
    bc_bound bound;
    float slot[BC_SLOTS][BC_STATES];
    const bc_cells *cells; /* NULL: rows are scanned */
    bc_cell_bound inside;  /* the bound in the current cell, */
    uint16_t below;        /* and the loss below which a row in it needs no similarity */
    bc_batch waiting;      /* rows within the bounds */
} search;

static double limit(const search *s) {
    const bc_found *h = s->found;
    return 1.0 - (h->count == h->room ? h->similarity[0] : h->at_least) + MARGIN;
}

/* The loss by one number, as a share of its weight, up to which the bound is fitted: the limit, or 3/4. */
static double fitted_share(const search *s, int f) {
    const double share = s->fitted_limit / s->weight[f];
    return share > 0.75 ? 0.75 : share > MARGIN ? share : MARGIN;
}

/* Fit the bound to the current limit. An exponential loss is concave, so its chords are below it: two chords
   over intervals of equal length, up to a loss of the limit by one number alone, or of 3/4 of its weight. */
static void fit_bound(search *s) {
    const bc_measure *m = s->m;
    bc_bound *b = &s->bound;
    s->fitted_limit = limit(s);
    for (int f = 0; f < m->numbers; f++) {
        const double weight = s->weight[f];
        double share = 1.0, knee = 0.5, half = m->max[f] / 2.0;
        if (m->decay[f] > 0.0) {
            share = fitted_share(s, f);
            knee = 1.0 - sqrt(1.0 - share);
            half *= -log1p(-share) / m->decay[f];
        }
        b->slope[f] = bc_finite(weight * knee / half);
        b->bend[f] = bc_finite(weight * (share - knee) / half);
        b->rise[f] = (float)(weight * (2.0 * knee - share));
        b->cap[f] = (float)(weight * share);
    }
}

static const bc_similarity_forms *forms(enum bc_simd level) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) return &bc_similarity_avx512;
    if (level == BC_AVX2) return &bc_similarity_avx2;
#endif
    (void)level;
    return &bc_similarity_base;
}

static void begin(search *s, enum bc_simd level, const bc_measure *m, const bc_query *q, bc_found *found) {
    assert(0 <= m->numbers && m->numbers <= BC_NUMBERS);
    assert(0 <= m->slots && m->slots <= BC_SLOTS);
    assert(0 <= m->symbols && m->symbols <= BC_SYMBOLS);
    assert(m->total > 0.0);
    assert(found->room > 0 && found->count <= found->room);
    s->forms = forms(level), s->m = m, s->q = q, s->found = found;
    s->cells = NULL, s->waiting.count = s->waiting.first = 0;
    s->bound.numbers = m->numbers, s->bound.slots = m->slots, s->bound.slot = s->slot;
    for (int f = 0; f < m->numbers; f++) s->bound.x[f] = q->numbers[f];
    for (int i = 0; i < m->numbers + m->slots + m->symbols; i++) s->weight[i] = m->weight[i] / m->total;
    for (int i = 0; i < m->slots; i++) {
        for (int state = 0; state < BC_STATES; state++)
            s->slot[i][state] = (float)(s->weight[m->numbers + i] * (1.0 - q->tables[i * BC_STATES + state]));
    }
    fit_bound(s);
}

/* A lower bound of the loss of a cell's slots, with the states of slot i in the set sets[i * stride]. */
static float slots_at_least(const search *s, const uint32_t *sets, int64_t stride) {
    float sum = 0.0f;
    for (int i = 0; i < s->m->slots; i++) {
        float least = INFINITY;
        for (uint32_t left = sets[i * stride]; left; left &= left - 1) {
            float loss = s->slot[i][__builtin_ctz(left)];
            if (loss < least) least = loss;
        }
        sum += least;
    }
    return sum;
}

/* ---- Rows, run by run ---- */

/* Whether the symbols of a row alone lose more than the limit; they are far apart in memory. */
static int lost_by_symbols(const search *s, const uint32_t *symbols, int64_t stride) {
    const bc_measure *m = s->m;
    double loss = 0.0;
    for (int j = 0; j < m->symbols; j++)
        loss += s->weight[m->numbers + m->slots + j] *
                (1.0 - bc_symbol(&s->q->vocabulary[j], symbols[j * stride]));
    return loss > limit(s);
}

/* The similarity formula over the numbers of a stem. */
static double begin_sum(const search *s, int32_t stem) {
    const bc_measure *m = s->m;
    const float *x = s->cells->stem_numbers + stem;
    double sum = 0.0;
    for (int f = 0; f < s->cells->stem; f++, x += s->cells->stems) {
        double d = fabs((double)*x - (double)s->q->numbers[f]);
        if (m->decay[f] > 0.0) {
            sum += m->weight[f] * bc_exp_nonpositive(-m->decay[f] * d / m->max[f]);
        } else {
            double like = 1.0 - d / m->max[f];
            sum += m->weight[f] * (like > 0.0 ? like : 0.0);
        }
    }
    return sum;
}

/* Load the numbers of the waiting rows from the cells, by their places. */
static void gather_numbers(search *s) {
    const bc_cells *cells = s->cells;
    bc_batch *w = &s->waiting;
    const int rest = s->m->numbers - cells->stem, n = w->count;
    double *begun = s->inside.work.begun;
    for (int i = 0; i < n; i++) {
        const uint16_t stem = cells->stem_of[w->name[i]];
        if (isnan(begun[stem])) begun[stem] = begin_sum(s, stem);
        w->begun[i] = begun[stem];
    }
    for (int f = 0; f < rest; f++) {
        float *restrict x = w->numbers[cells->stem + f];
        for (int i = 0; i < n; i++) x[i] = cells->numbers[w->name[i] * rest + f];
    }
    for (int i = 0; i < n && !s->found->totals; i++) w->name[i] = cells->order[w->name[i]];
}

/* Score and offer the waiting rows. */
static void score_waiting(search *s) {
    double similarity[BC_BATCH];
    const bc_batch *w = &s->waiting;
    if (s->cells) gather_numbers(s);
    s->forms->similarities(s->m, s->q, w, similarity);
    if (s->found->totals)
        bc_similar_add(s->found, s->cells != NULL, similarity, w->name, w->count);
    else
        bc_similar_offer(s->found, similarity, w->name, w->count);
    s->waiting.count = 0;
}

/* Rows wait while the batch has room and the limit cannot change. */
static void score_if_due(search *s) {
    if (s->waiting.count > BC_BATCH - BC_RUN || s->found->count + s->waiting.count >= s->found->room)
        score_waiting(s);
}

/* Search the rows from..from+n-1, n <= BC_RUN; without names, rows are named by their place. */
static void scan_run(search *s, const bc_rows *rows, int64_t from, int n) {
    int kept[BC_RUN];
    bc_batch *w = &s->waiting;
    s->found->scored += n;
    if (limit(s) < 0.95 * s->fitted_limit) fit_bound(s);
    n = s->forms->rows_within(&s->bound, rows->numbers + from, rows->codes + from, rows->stride, n,
                              (float)limit(s), kept);
    for (int i = 0; i < n; i++) {
        int64_t at = from + kept[i];
        if (s->m->symbols && lost_by_symbols(s, rows->symbols + at, rows->stride)) continue;
        for (int f = 0; f < s->m->numbers; f++)
            w->numbers[f][w->count] = rows->numbers[f * rows->stride + at];
        for (int j = 0; j < s->m->slots; j++) w->codes[j][w->count] = rows->codes[j * rows->stride + at];
        for (int j = 0; j < s->m->symbols; j++)
            w->symbols[j][w->count] = rows->symbols[j * rows->stride + at];
        w->begun[w->count] = 0.0;
        w->name[w->count++] = rows->order ? rows->order[at] : at;
    }
    score_if_due(s);
}

void bc_similar_scan(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_rows *rows,
                     int64_t from, int64_t to, bc_found *found) {
    assert(0 <= from && from <= to && to <= rows->count);
    search s;
    begin(&s, level, m, q, found);
    for (; from < to; from += BC_RUN)
        scan_run(&s, rows, from, to - from < BC_RUN ? (int)(to - from) : BC_RUN);
    score_waiting(&s);
}

/* ---- Cells, run by run ---- */

/* Prefetch n objects of a size; they arrive while the rows wait in the batch. */
static inline void prefetch(const void *from, int64_t size, int64_t n) {
    const char *end = (const char *)from + size * n;
    for (const char *at = from; at < end; at += LINE) __builtin_prefetch(at);
    __builtin_prefetch(end - 1);
}

/* Prefetch what the scoring of n rows from a place on reads. */
static void prefetch_rows(const search *s, int64_t from, int64_t n) {
    const bc_cells *cells = s->cells;
    const bc_totals *totals = s->found->totals;
    const int rest = s->m->numbers - cells->stem;
    prefetch(cells->numbers + from * rest, rest * (int64_t)sizeof *cells->numbers, n);
    prefetch(cells->stem_of + from, sizeof *cells->stem_of, n);
    if (totals) {
        prefetch(totals->solution_in_cells + from, sizeof *totals->solution_in_cells, n);
        prefetch(totals->outcome_in_cells + from, sizeof *totals->outcome_in_cells, n);
    } else {
        prefetch(cells->order + from, sizeof *cells->order, n);
    }
}

/* Add rows of a run to the totals. */
static void add_rows(const search *s, int64_t from, uint32_t rows) {
    const bc_totals *t = s->found->totals;
    s->found->count += __builtin_popcount(rows);
    for (; rows; rows &= rows - 1) {
        const int64_t place = from + __builtin_ctz(rows);
        const int at = t->solution_in_cells[place];
        t->counts[at]++;
        t->outcomes[at] += t->outcome_in_cells[place];
    }
}

/* Search a run of the current cell for rows that lose at most `most` units. */
static void search_run(search *s, int64_t run, uint16_t most) {
    const bc_cells *cells = s->cells;
    const bc_inner *bound = &s->inside.rows->in;
    const int columns = s->m->numbers - cells->bytes_from, slots = s->m->slots, symbols = s->m->symbols;
    int64_t from = cells->starts[run], n = cells->starts[run + 1] - from;
    const uint8_t *bytes = cells->bytes + (columns + slots) * from, *codes = bytes + columns * n;
    uint16_t loss[BC_RUN], stems[BC_RUN] = {0};
    const bc_block rows = {
        bytes, bytes, codes, cells->bytes_from ? stems : NULL, n, (int)n, s->inside.rows->base};
    bc_batch *w = &s->waiting;
    s->found->scored += n;
    if (cells->bytes_from) bc_cell_stems(&s->inside, from, (int)n, stems);
    const bc_kept kept = s->forms->entries_within(bound, &rows, most, s->below, loss);
    if (kept.certain) add_rows(s, from, kept.certain);
    uint32_t within = kept.within & ~kept.certain;
    if (!within) return;
    const int first = __builtin_ctz(within);
    prefetch_rows(s, from + first, 32 - __builtin_clz(within) - first);
    for (; within; within &= within - 1) {
        const int i = __builtin_ctz(within);
        const uint32_t *row = symbols ? cells->symbols + (from + i) * symbols : NULL;
        if (symbols && lost_by_symbols(s, row, 1)) continue;
        for (int j = 0; j < slots; j++) w->codes[j][w->count] = codes[j * n + i];
        for (int j = 0; j < symbols; j++) w->symbols[j][w->count] = row[j];
        w->name[w->count++] = from + i;
    }
    score_if_due(s);
}

/* ---- Cells, best first: a heap with the least bound on top ---- */

static void sink_cell(const float *bound, int32_t *queue, int32_t i, int32_t n) {
    int32_t cell = queue[i];
    for (int32_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && bound[queue[c + 1]] < bound[queue[c]]) c++;
        if (bound[queue[c]] >= bound[cell]) break;
        queue[i] = queue[c];
    }
    queue[i] = cell;
}

/* Fit the bounds to the current limit. */
static void fit_bounds(search *s) {
    fit_bound(s);
    bc_cell_fit(&s->inside, s->fitted_limit, s->slot);
}

/* Recompute the bounds of the cells under the current limit and rebuild the queue of the cells within it;
   returns its size. */
static int32_t queue_cells(search *s, float *bound, int32_t *queue, int32_t n) {
    const bc_cells *cells = s->cells;
    fit_bounds(s);
    s->forms->box_loss(&s->bound, cells->low, cells->high, cells->count, cells->count, bound);
    float most = (float)s->fitted_limit;
    int32_t left = 0;
    for (int32_t i = 0; i < n; i++) {
        if (bound[queue[i]] <= most) queue[left++] = queue[i];
    }
    for (int32_t i = left / 2; i-- > 0;) sink_cell(bound, queue, i, left);
    return left;
}

/* Convert the bound to the units of a cell. Where no similarities are added, rows that are within the limit
   for certain need none. */
static void enter_cell(search *s, int32_t cell) {
    const bc_found *found = s->found;
    const int unweighed = found->totals && !found->totals->similarities && !s->m->symbols;
    bc_cell_enter(&s->inside, cell);
    s->below = unweighed ? bc_cell_certain(&s->inside, 1.0 - found->at_least - MARGIN) : 0;
}

/* The runs of a block of the current cell that are within the limit, by the loss of slots in addition. */
static uint32_t runs_within(const search *s, bc_block *block, float slots, uint16_t loss[BC_RUN]) {
    const bc_cell_bound *in = &s->inside;
    block->base = bc_whole(in->runs.base + floor(slots * in->unit));
    return s->forms->entries_within(&in->runs.in, block, bc_cell_most(in, &in->runs, limit(s)), 0, loss)
        .within;
}

/* Search the runs of a cell that are within the limit, a block of boxes at a time. */
static void search_cell(search *s, int32_t c, float slots) {
    const bc_cells *cells = s->cells;
    const bc_cell_bound *in = &s->inside;
    int64_t first = cells->cells[c], runs = cells->cells[c + 1] - first, at = s->m->numbers * first;
    uint16_t loss[BC_RUN];
    enter_cell(s, c);
    for (int64_t r = 0; r < runs; r += BC_RUN) {
        bc_block boxes = {cells->run_low + at + r, cells->run_high + at + r, NULL, NULL, runs, 0, 0};
        boxes.count = runs - r < BC_RUN ? (int)(runs - r) : BC_RUN;
        uint32_t within = runs_within(s, &boxes, slots, loss);
        for (; within; within &= within - 1) {
            if (limit(s) < 0.8 * s->fitted_limit) {
                fit_bounds(s);
                enter_cell(s, c);
                within &= runs_within(s, &boxes, slots, loss);
            }
            if (within && loss[__builtin_ctz(within)] <= bc_cell_most(in, &in->runs, limit(s)))
                search_run(s, first + r + __builtin_ctz(within), bc_cell_most(in, in->rows, limit(s)));
        }
    }
}

void bc_similar_cells(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_cells *cells,
                      bc_similar_work work, bc_found *found) {
    search s;
    float *bound = work.bound;
    int32_t *queue = work.queue;
    begin(&s, level, m, q, found);
    s.cells = cells, s.waiting.first = cells->stem;
    bc_cell_begin(&s.inside, s.forms, m, q, cells, s.weight, work);
    for (int32_t i = 0; i < cells->stems; i++) work.begun[i] = NAN;
    for (int32_t c = 0; c < cells->count; c++) queue[c] = c;
    int32_t n = queue_cells(&s, bound, queue, cells->count);
    double bounded = s.fitted_limit;
    while (n > 0 && bound[queue[0]] <= limit(&s)) {
        int32_t c = queue[0];
        queue[0] = queue[--n];
        if (n > 0) sink_cell(bound, queue, 0, n);
        float slots = slots_at_least(&s, cells->states + c, cells->count);
        if (bound[c] + slots <= limit(&s)) search_cell(&s, c, slots);
        if (limit(&s) < 0.8 * bounded) {
            n = queue_cells(&s, bound, queue, n);
            bounded = s.fitted_limit;
        }
    }
    score_waiting(&s);
}

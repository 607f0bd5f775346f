#define FORM(name) name##_base
#include "../simd/similarity_form.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* The error bound of float losses, as a share of the total weight: 2^-24 for each of at most 80 additions and
   a few products. Rows closer to the limit than this are not excluded. */
#define MARGIN 1e-5

#define LINE 64 /* bytes that are loaded at once */

/* ---- A search: the query, and the largest loss of a row that can still enter the result ---- */

typedef struct {
    enum bc_simd level;
    const bc_measure *m;
    const bc_query *q;
    bc_found *found;
    double fitted_limit; /* the limit for which the bound was computed */
    bc_bound bound;
    float slot[BC_SLOTS][BC_STATES];
    const bc_cells *cells; /* NULL: rows are scanned */
    double *begun;         /* sums of the stems; NAN: not computed yet */
    bc_inner inner;        /* the bound in the current cell, */
    double unit, slack;    /* units per loss of 1; the largest loss that the rounding to bytes adds */
    bc_batch waiting;      /* rows within the bounds */
} search;

static double limit(const search *s) {
    const bc_found *h = s->found;
    double least = h->count == h->room ? h->similarity[0] : h->at_least;
    return s->m->total * (1.0 - least + MARGIN);
}

/* Fit the bound to the current limit. An exponential loss is concave, so its chords are below it: two chords
   over intervals of equal length, up to a loss of the limit by one number alone, or of 3/4 of its weight. */
static void fit_bound(search *s) {
    const bc_measure *m = s->m;
    bc_bound *b = &s->bound;
    s->fitted_limit = limit(s);
    for (int f = 0; f < m->numbers; f++) {
        double share = 1.0, knee = 0.5, half = m->max[f] / 2.0;
        if (m->decay[f] > 0.0) {
            share = s->fitted_limit / m->weight[f];
            share = share > 0.75 ? 0.75 : share > MARGIN ? share : MARGIN;
            knee = 1.0 - sqrt(1.0 - share);
            half *= -log1p(-share) / m->decay[f];
        }
        b->slope[f] = (float)(m->weight[f] * knee / half);
        b->bend[f] = (float)(m->weight[f] * (share - knee) / half);
        b->rise[f] = (float)(m->weight[f] * (2.0 * knee - share));
        b->cap[f] = (float)(m->weight[f] * share);
    }
}

static void begin(search *s, enum bc_simd level, const bc_measure *m, const bc_query *q, bc_found *found) {
    assert(0 <= m->numbers && m->numbers <= BC_NUMBERS);
    assert(0 <= m->slots && m->slots <= BC_SLOTS);
    assert(0 <= m->symbols && m->symbols <= BC_SYMBOLS);
    assert(m->total > 0.0);
    assert(found->room > 0 && found->count <= found->room);
    s->level = level, s->m = m, s->q = q, s->found = found;
    s->cells = NULL, s->waiting.count = s->waiting.first = 0;
    s->bound.numbers = m->numbers, s->bound.slots = m->slots, s->bound.slot = s->slot;
    for (int f = 0; f < m->numbers; f++) s->bound.x[f] = q->numbers[f];
    for (int i = 0; i < m->slots; i++) {
        for (int state = 0; state < BC_STATES; state++)
            s->slot[i][state] = (float)(m->weight[m->numbers + i] * (1.0 - q->tables[i * BC_STATES + state]));
    }
    fit_bound(s);
}

/* ---- The bounds, dispatched ---- */

/* Adds the losses of the slots to `loss`, which has those of the numbers; writes the places of the rows whose
   loss is at most `most`, and returns their number. */
static int add_slot_losses(const bc_bound *b, float *loss, const uint8_t *codes, int64_t stride, int n,
                           float most, int *kept) {
    for (int s = 0; s < b->slots; s++, codes += stride) {
        for (int i = 0; i < n; i++) loss[i] += b->slot[s][codes[i] % BC_STATES];
    }
    int count = 0;
    for (int i = 0; i < n; i++) {
        kept[count] = i;
        count += loss[i] <= most;
    }
    return count;
}

static int rows_within_base(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride,
                            int n, float most, int *kept) {
    float loss[BC_RUN] = {0};
    for (int f = 0; f < b->numbers; f++, numbers += stride) {
        for (int i = 0; i < n; i++) loss[i] += bc_loss(b, f, fabsf(numbers[i] - b->x[f]));
    }
    return add_slot_losses(b, loss, codes, stride, n, most, kept);
}

static uint16_t less(uint16_t a, uint16_t b) {
    return a > b ? (uint16_t)(a - b) : 0;
}

static uint16_t times(uint16_t a, uint16_t b) {
    return (uint16_t)((uint32_t)a * b >> 16);
}

/* The losses of a block in one column: the minimum of the cap and two lines, which may be equal. */
static void add_number(const bc_inner *in, int f, const uint8_t *low, const uint8_t *high,
                       int32_t *restrict sum) {
    const uint16_t x = in->x[f], slope = in->slope[f], bend = in->bend[f], cap = in->cap[f];
    const uint16_t room = less(cap, in->start[f]), other = less(cap, in->rise[f]);
    uint16_t loss[BC_RUN];
    for (int i = 0; i < BC_RUN; i++) {
        uint16_t from = (uint16_t)(low[i] << 8), to = (uint16_t)(high[i] << 8);
        uint16_t apart = less(from, x) | less(x, to);
        uint16_t first = less(room, times(slope, apart)), second = less(other, times(bend, apart));
        loss[i] = (uint16_t)(cap - (first > second ? first : second));
    }
    for (int i = 0; i < BC_RUN; i++) sum[i] += loss[i];
}

static uint32_t entries_within_base(const bc_inner *in, const bc_block *b, uint16_t most,
                                    uint16_t loss[BC_RUN]) {
    int32_t sum[BC_RUN];
    uint32_t kept = 0;
    for (int i = 0; i < BC_RUN; i++) sum[i] = b->base;
    for (int k = 0; k < in->bent + in->straight; k++) {
        int64_t at = in->column[k] * b->stride;
        add_number(in, in->column[k], b->low + at, b->high + at, sum);
    }
    for (int s = 0; s < in->slots && b->codes; s++) {
        const uint8_t *codes = b->codes + s * b->stride;
        for (int i = 0; i < BC_RUN; i++) sum[i] += in->slot[s][codes[i] % BC_STATES];
    }
    for (int i = 0; i < BC_RUN; i++) {
        loss[i] = sum[i] < UINT16_MAX ? (uint16_t)sum[i] : UINT16_MAX;
        kept |= (uint32_t)(loss[i] <= most) << i;
    }
    return kept & bc_lanes(b->count);
}

static void box_loss_base(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                          float *restrict loss) {
    for (int64_t i = 0; i < n; i++) loss[i] = 0.0f;
    for (int f = 0; f < b->numbers; f++, low += stride, high += stride) {
        float x = b->x[f];
        for (int64_t i = 0; i < n; i++) {
            float below = low[i] - x, above = x - high[i], d = below > above ? below : above;
            loss[i] += bc_loss(b, f, d > 0.0f ? d : 0.0f);
        }
    }
}

/* The places of the rows from..from+n-1, n <= BC_RUN, that are within the limit; returns how many. */
static int rows_within(const search *s, const bc_rows *rows, int64_t from, int n, int *kept) {
    const float *numbers = rows->numbers + from;
    const uint8_t *codes = rows->codes + from;
    float most = (float)limit(s);
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512)
        return bc_rows_within_avx512(&s->bound, numbers, codes, rows->stride, n, most, kept);
    if (s->level == BC_AVX2)
        return bc_rows_within_avx2(&s->bound, numbers, codes, rows->stride, n, most, kept);
#endif
    return rows_within_base(&s->bound, numbers, codes, rows->stride, n, most, kept);
}

/* The entries of a block in the current cell that are within the limit, and lower bounds of their losses. */
static uint32_t entries_within(const search *s, const bc_block *block, uint16_t most, uint16_t loss[BC_RUN]) {
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512) return bc_entries_within_avx512(&s->inner, block, most, loss);
    if (s->level == BC_AVX2) return bc_entries_within_avx2(&s->inner, block, most, loss);
#endif
    return entries_within_base(&s->inner, block, most, loss);
}

static void similarities(const search *s, double *similarity) {
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512) {
        bc_similarities_avx512(s->m, s->q, &s->waiting, similarity);
        return;
    }
    if (s->level == BC_AVX2) {
        bc_similarities_avx2(s->m, s->q, &s->waiting, similarity);
        return;
    }
#endif
    bc_similarities_base(s->m, s->q, &s->waiting, similarity);
}

/* Lower bounds of the losses of the numbers of n boxes. */
static void box_loss(const search *s, const float *low, const float *high, int64_t stride, int64_t n,
                     float *loss) {
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512) {
        bc_box_loss_avx512(&s->bound, low, high, stride, n, loss);
        return;
    }
    if (s->level == BC_AVX2) {
        bc_box_loss_avx2(&s->bound, low, high, stride, n, loss);
        return;
    }
#endif
    box_loss_base(&s->bound, low, high, stride, n, loss);
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
        loss += m->weight[m->numbers + m->slots + j] *
                (1.0 - bc_symbol(&s->q->vocabulary[j], symbols[j * stride]));
    return loss > limit(s);
}

/* The similarity formula over the numbers of a stem. */
static double begin_sum(const search *s, int32_t stem) {
    const bc_measure *m = s->m;
    const float *x = s->cells->stem_numbers + stem * s->cells->stem;
    double sum = 0.0;
    for (int f = 0; f < s->cells->stem; f++) {
        double d = fabs((double)x[f] - (double)s->q->numbers[f]);
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
static void fetch(search *s) {
    const bc_cells *cells = s->cells;
    bc_batch *w = &s->waiting;
    const int rest = s->m->numbers - cells->stem, n = w->count;
    for (int i = 0; i < n; i++) {
        const uint16_t stem = cells->stem_of[w->name[i]];
        if (isnan(s->begun[stem])) s->begun[stem] = begin_sum(s, stem);
        w->begun[i] = s->begun[stem];
    }
    for (int f = 0; f < rest; f++) {
        float *restrict x = w->numbers[cells->stem + f];
        for (int i = 0; i < n; i++) x[i] = cells->numbers[w->name[i] * rest + f];
    }
    for (int i = 0; i < n && !s->found->totals; i++) w->name[i] = cells->order[w->name[i]];
}

/* Score and offer the waiting rows. */
static void settle(search *s) {
    double similarity[BC_BATCH];
    const bc_batch *w = &s->waiting;
    if (s->cells) fetch(s);
    similarities(s, similarity);
    if (s->found->totals)
        bc_similar_add(s->found, s->cells != NULL, similarity, w->name, w->count);
    else
        bc_similar_offer(s->found, similarity, w->name, w->count);
    s->waiting.count = 0;
}

/* Rows wait while the batch has room and the limit cannot change. */
static void settle_if_due(search *s) {
    if (s->waiting.count > BC_BATCH - BC_RUN || s->found->count + s->waiting.count >= s->found->room)
        settle(s);
}

/* Search the rows from..from+n-1, n <= BC_RUN; without names, rows are named by their place. */
static void scan(search *s, const bc_rows *rows, int64_t from, int n) {
    int kept[BC_RUN];
    bc_batch *w = &s->waiting;
    s->found->scored += n;
    if (limit(s) < 0.95 * s->fitted_limit) fit_bound(s);
    n = rows_within(s, rows, from, n, kept);
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
    settle_if_due(s);
}

void bc_similar_scan(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_rows *rows,
                     int64_t from, int64_t to, bc_found *found) {
    assert(0 <= from && from <= to && to <= rows->count);
    search s;
    begin(&s, level, m, q, found);
    for (; from < to; from += BC_RUN) scan(&s, rows, from, to - from < BC_RUN ? (int)(to - from) : BC_RUN);
    settle(&s);
}

/* ---- Inside a cell: integer units, and the limit in these units ---- */

#define UNITS 8192

/* Rounded down, for a lower bound. */
static uint16_t whole(double units) {
    return (uint16_t)(int)(units < UINT16_MAX ? units : UINT16_MAX);
}

/* The upper bound of a loss in units: rounded up. */
static uint16_t entry_limit(const search *s) {
    return whole((limit(s) + s->slack) * s->unit + 1.0);
}

/* A column in a cell's units. A byte is half a unit off, the query 1/512 of one, or by rounding a little
   more, and no line of the bound is steeper than its first. */
static void enter_column(search *s, int f, float low, float high) {
    const bc_bound *b = &s->bound;
    bc_inner *in = &s->inner;
    double step = bc_unit(low, high), x = ((double)b->x[f] - (double)low) / step;
    double there = x < 0.0 ? 0.0 : x > 255.0 ? 255.0 : x, beyond = fabs(x - there) * step;
    in->x[f] = (uint16_t)(256.0 * there + 0.5);
    in->slope[f] = whole(b->slope[f] * s->unit * 256.0 * step);
    in->start[f] = whole(b->slope[f] * s->unit * beyond);
    in->bend[f] = whole(b->bend[f] * s->unit * 256.0 * step);
    in->rise[f] = whole((b->rise[f] + b->bend[f] * beyond) * s->unit);
    s->slack += 0.503 * step * b->slope[f];
}

/* Convert the bound to the units of a cell. */
static void enter(search *s, int32_t c) {
    const bc_cells *cells = s->cells;
    bc_inner *in = &s->inner;
    double same = 0.0;
    int straight = 0;
    uint8_t linear[BC_NUMBERS];
    s->slack = 0.0;
    in->bent = 0;
    for (int f = 0; f < s->m->numbers; f++) {
        float low = cells->low[f * cells->count + c], high = cells->high[f * cells->count + c];
        if (!(high > low)) {
            same += bc_loss(&s->bound, f, fabsf(low - s->bound.x[f]));
            continue;
        }
        enter_column(s, f, low, high);
        if (s->m->decay[f] > 0.0)
            in->column[in->bent++] = (uint8_t)f;
        else
            linear[straight++] = (uint8_t)f;
    }
    in->straight = straight;
    for (int i = 0; i < straight; i++) in->column[in->bent + i] = linear[i];
    in->base = whole(same * s->unit);
}

/* Fit the bound within cells to the current limit. */
static void focus_inside(search *s) {
    const bc_measure *m = s->m;
    double least = m->total * 1e-6;
    fit_bound(s);
    s->unit = UNITS / (s->fitted_limit < least      ? least
                       : s->fitted_limit < m->total ? s->fitted_limit
                                                    : m->total);
    s->inner.slots = m->slots;
    for (int f = 0; f < m->numbers; f++) s->inner.cap[f] = whole(s->bound.cap[f] * s->unit);
    for (int i = 0; i < m->slots; i++) {
        for (int state = 0; state < BC_STATES; state++)
            s->inner.slot[i][state] = whole(s->slot[i][state] * s->unit);
    }
}

/* Prefetch n objects of a size; rows wait for their settlement as long as this takes. */
static inline void fetch_early(const void *from, int64_t size, int64_t n) {
    const char *end = (const char *)from + size * n;
    for (const char *at = from; at < end; at += LINE) __builtin_prefetch(at);
    __builtin_prefetch(end - 1);
}

/* Prefetch what the settlement of n rows from a place on reads. */
static void fetch_rows_early(const search *s, int64_t from, int64_t n) {
    const bc_cells *cells = s->cells;
    const bc_totals *totals = s->found->totals;
    const int rest = s->m->numbers - cells->stem;
    fetch_early(cells->numbers + from * rest, rest * (int64_t)sizeof *cells->numbers, n);
    fetch_early(cells->stem_of + from, sizeof *cells->stem_of, n);
    if (totals) {
        fetch_early(totals->solution_in_cells + from, sizeof *totals->solution_in_cells, n);
        fetch_early(totals->outcome_in_cells + from, sizeof *totals->outcome_in_cells, n);
    } else {
        fetch_early(cells->order + from, sizeof *cells->order, n);
    }
}

/* Search a run of the current cell for rows that lose at most `most`. */
static void look(search *s, int64_t run, uint16_t most) {
    const bc_cells *cells = s->cells;
    const int numbers = s->m->numbers, slots = s->m->slots, symbols = s->m->symbols;
    int64_t from = cells->starts[run], n = cells->starts[run + 1] - from;
    const uint8_t *bytes = cells->bytes + (numbers + slots) * from, *codes = bytes + numbers * n;
    bc_block rows = {bytes, bytes, codes, n, (int)n, s->inner.base};
    uint16_t loss[BC_RUN];
    bc_batch *w = &s->waiting;
    s->found->scored += n;
    uint32_t within = entries_within(s, &rows, most, loss);
    if (!within) return;
    const int first = __builtin_ctz(within);
    fetch_rows_early(s, from + first, 32 - __builtin_clz(within) - first);
    for (; within; within &= within - 1) {
        const int i = __builtin_ctz(within);
        const uint32_t *row = symbols ? cells->symbols + (from + i) * symbols : NULL;
        if (symbols && lost_by_symbols(s, row, 1)) continue;
        for (int j = 0; j < slots; j++) w->codes[j][w->count] = codes[j * n + i];
        for (int j = 0; j < symbols; j++) w->symbols[j][w->count] = row[j];
        w->name[w->count++] = from + i;
    }
    settle_if_due(s);
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

/* Recompute the bounds of the cells under the current limit and rebuild the queue of the cells within it;
   returns its size. */
static int32_t line_up(search *s, const bc_cells *cells, float *bound, int32_t *queue, int32_t n) {
    focus_inside(s);
    box_loss(s, cells->low, cells->high, cells->count, cells->count, bound);
    float most = (float)s->fitted_limit;
    int32_t left = 0;
    for (int32_t i = 0; i < n; i++) {
        if (bound[queue[i]] <= most) queue[left++] = queue[i];
    }
    for (int32_t i = left / 2; i-- > 0;) sink_cell(bound, queue, i, left);
    return left;
}

/* Search the runs of a cell that are within the limit, a block of boxes at a time. */
static void visit(search *s, int32_t c, float slots) {
    const bc_cells *cells = s->cells;
    int64_t first = cells->cells[c], runs = cells->cells[c + 1] - first, at = s->m->numbers * first;
    uint16_t loss[BC_RUN];
    enter(s, c);
    for (int64_t r = 0; r < runs; r += BC_RUN) {
        bc_block boxes = {cells->run_low + at + r, cells->run_high + at + r, NULL, runs, 0, 0};
        boxes.count = runs - r < BC_RUN ? (int)(runs - r) : BC_RUN;
        boxes.base = whole(s->inner.base + floor(slots * s->unit));
        uint32_t within = entries_within(s, &boxes, entry_limit(s), loss);
        for (; within; within &= within - 1) {
            if (limit(s) < 0.8 * s->fitted_limit) {
                focus_inside(s);
                enter(s, c);
                boxes.base = whole(s->inner.base + floor(slots * s->unit));
                within &= entries_within(s, &boxes, entry_limit(s), loss);
            }
            const uint16_t most = entry_limit(s);
            if (within && loss[__builtin_ctz(within)] <= most)
                look(s, first + r + __builtin_ctz(within), most);
        }
    }
}

void bc_similar_cells(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_cells *cells,
                      float *bound, int32_t *queue, double *begun, bc_found *found) {
    search s;
    begin(&s, level, m, q, found);
    s.cells = cells, s.begun = begun, s.waiting.first = cells->stem;
    for (int32_t i = 0; i < cells->stems; i++) begun[i] = NAN;
    for (int32_t c = 0; c < cells->count; c++) queue[c] = c;
    int32_t n = line_up(&s, cells, bound, queue, cells->count);
    double bounded = s.fitted_limit;
    while (n > 0 && bound[queue[0]] <= limit(&s)) {
        int32_t c = queue[0];
        queue[0] = queue[--n];
        if (n > 0) sink_cell(bound, queue, 0, n);
        float slots = slots_at_least(&s, cells->states + c, cells->count);
        if (bound[c] + slots <= limit(&s)) visit(&s, c, slots);
        if (limit(&s) < 0.8 * bounded) {
            n = line_up(&s, cells, bound, queue, n);
            bounded = s.fitted_limit;
        }
    }
    settle(&s);
}

#include "../simd/similarity.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Float losses may be wrong by this share of the total weight: 2^-24 by each of at most 80 additions and by a
   handful of products. Nothing is dropped that is nearer to the limit. */
#define MARGIN 1e-5

/* Rows that passed the bound and wait for their similarity: a column takes a whole batch at a time. */
#define BATCH 128

typedef struct {
    int count;
    float numbers[BC_NUMBERS][BATCH];
    uint8_t codes[BC_SLOTS][BATCH];
    int64_t name[BATCH];
} batch;

/* The similarities of a batch, column by column. An exp is dear, and neighbours often hold the same number.
 */
static void similarities(const bc_measure *m, const bc_query *q, const batch *rows, double *sum) {
    double s[BATCH];
    int n = rows->count;
    for (int i = 0; i < n; i++) sum[i] = 0.0;
    for (int f = 0; f < m->numbers; f++) {
        const float *x = rows->numbers[f];
        double at = q->numbers[f], decay = m->decay[f], max = m->max[f], weight = m->weight[f];
        if (decay > 0.0) {
            double last = 0.0, like = 1.0;
            for (int i = 0; i < n; i++) s[i] = -decay * fabs((double)x[i] - at) / max;
            for (int i = 0; i < n; i++) {
                if (s[i] != last) like = exp(last = s[i]);
                s[i] = like;
            }
            for (int i = 0; i < n; i++) sum[i] += weight * s[i];
        } else {
            for (int i = 0; i < n; i++) {
                double like = 1.0 - fabs((double)x[i] - at) / max;
                sum[i] += weight * (like > 0.0 ? like : 0.0);
            }
        }
    }
    for (int j = 0; j < m->slots; j++) {
        const double *table = q->tables + j * BC_STATES;
        double weight = m->weight[m->numbers + j];
        for (int i = 0; i < n; i++) sum[i] += weight * table[rows->codes[j][i] % BC_STATES];
    }
    for (int i = 0; i < n; i++) sum[i] /= m->total;
}

/* ---- What was found: a list while there is room, then a heap with the least similar on top ---- */

/* Whether (s, row) comes after (t, other) in the answer. */
static int after(double s, int64_t row, double t, int64_t other) {
    return s < t || (s == t && row > other);
}

static void sink(const bc_found *h, int64_t i, int64_t n) {
    double s = h->similarity[i];
    int64_t row = h->row[i];
    for (int64_t c; (c = 2 * i + 1) < n; i = c) {
        if (c + 1 < n && after(h->similarity[c + 1], h->row[c + 1], h->similarity[c], h->row[c])) c++;
        if (!after(h->similarity[c], h->row[c], s, row)) break;
        h->similarity[i] = h->similarity[c];
        h->row[i] = h->row[c];
    }
    h->similarity[i] = s;
    h->row[i] = row;
}

static void heapify(const bc_found *h) {
    for (int64_t i = h->count / 2; i-- > 0;) sink(h, i, h->count);
}

static void offer(bc_found *h, double s, int64_t row) {
    if (s < h->at_least) return;
    if (h->count < h->room) {
        h->similarity[h->count] = s;
        h->row[h->count++] = row;
        if (h->count == h->room) heapify(h);
    } else if (after(h->similarity[0], h->row[0], s, row)) {
        h->similarity[0] = s;
        h->row[0] = row;
        sink(h, 0, h->count);
    }
}

static void exchange(const bc_found *h, int64_t i, int64_t j) {
    double s = h->similarity[i];
    int64_t row = h->row[i];
    h->similarity[i] = h->similarity[j];
    h->row[i] = h->row[j];
    h->similarity[j] = s;
    h->row[j] = row;
}

static void heapsort(const bc_found *h) {
    heapify(h);
    for (int64_t n = h->count - 1; n > 0; n--) {
        exchange(h, 0, n);
        sink(h, 0, n);
    }
}

#define BINS 8192
#define FEW 24

/* Sort the part from..to-1: by insertion while it is short. */
static void small_sort(const bc_found *h, int64_t from, int64_t to) {
    if (to - from > FEW) {
        bc_found part = {.count = to - from, .similarity = h->similarity + from, .row = h->row + from};
        heapsort(&part);
        return;
    }
    for (int64_t i = from + 1; i < to; i++) {
        double s = h->similarity[i];
        int64_t row = h->row[i], j = i;
        for (; j > from && after(h->similarity[j - 1], h->row[j - 1], s, row); j--) {
            h->similarity[j] = h->similarity[j - 1];
            h->row[j] = h->row[j - 1];
        }
        h->similarity[j] = s;
        h->row[j] = row;
    }
}

/* Counted from the highest similarity down. */
static int bin(double high, double scale, double s) {
    return (int)((high - s) * scale);
}

/* Similarities of a large answer are spread out between its limits: into bins, and then each bin. */
static void spread(const bc_found *found, const bc_found *to, double low, double high) {
    int32_t ends[BINS + 1];
    int bins = found->count < BINS ? (int)found->count : BINS;
    double scale = (bins - 1) / (high - low);
    for (int b = 0; b <= bins; b++) ends[b] = 0;
    for (int64_t i = 0; i < found->count; i++) ends[bin(high, scale, found->similarity[i]) + 1]++;
    for (int b = 0; b < bins; b++) ends[b + 1] += ends[b];
    for (int64_t i = 0; i < found->count; i++) { /* moves each end to where the next bin began */
        int32_t place = ends[bin(high, scale, found->similarity[i])]++;
        to->similarity[place] = found->similarity[i];
        to->row[place] = found->row[i];
    }
    for (int b = 0; b < bins; b++) small_sort(to, b == 0 ? 0 : ends[b - 1], ends[b]);
}

void bc_similar_sort(const bc_found *found, double *similarity, int64_t *row) {
    bc_found to = {.count = found->count, .similarity = similarity, .row = row};
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < found->count; i++) {
        low = found->similarity[i] < low ? found->similarity[i] : low;
        high = found->similarity[i] > high ? found->similarity[i] : high;
    }
    if (found->count >= 256 && found->count <= INT32_MAX && low < high) {
        spread(found, &to, low, high);
        return;
    }
    for (int64_t i = 0; i < found->count; i++) similarity[i] = found->similarity[i], row[i] = found->row[i];
    small_sort(&to, 0, to.count);
}

/* ---- A search: what is asked, and the loss above which a row cannot enter the answer any more ---- */

typedef struct {
    enum bc_simd level;
    const bc_measure *m;
    const bc_query *q;
    bc_found *found;
    double focus; /* the limit that the bound was made for */
    bc_bound bound;
    bc_bound inner; /* the same in the units of a cell's bytes, */
    float slack;    /* which may be rounded so much */
    float slot[BC_SLOTS][BC_STATES];
    const bc_cells *cells; /* NULL: rows are scanned */
    batch waiting;         /* rows that passed */
} search;

static double limit(const search *s) {
    const bc_found *h = s->found;
    double least = h->count == h->room ? h->similarity[0] : h->at_least;
    return s->m->total * (1.0 - least + MARGIN);
}

/* Fit the bound to the present limit. An exponential loss is concave, so that its chords lie below: two of
   them, as far one as the other, that end where one number alone loses the limit, or 3/4 of its weight. */
static void focus(search *s) {
    const bc_measure *m = s->m;
    bc_bound *b = &s->bound;
    s->focus = limit(s);
    for (int f = 0; f < m->numbers; f++) {
        double share = 1.0, knee = 0.5, half = m->max[f] / 2.0;
        if (m->decay[f] > 0.0) {
            share = s->focus / m->weight[f];
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
    assert(m->total > 0.0);
    assert(found->room > 0 && found->count <= found->room);
    s->level = level, s->m = m, s->q = q, s->found = found;
    s->cells = NULL, s->waiting.count = 0;
    s->bound.numbers = m->numbers, s->bound.slots = m->slots, s->bound.slot = s->slot;
    for (int f = 0; f < m->numbers; f++) s->bound.x[f] = q->numbers[f];
    for (int i = 0; i < m->slots; i++) {
        for (int state = 0; state < BC_STATES; state++)
            s->slot[i][state] = (float)(m->weight[m->numbers + i] * (1.0 - q->tables[i * BC_STATES + state]));
    }
    focus(s);
}

/* ---- The bounds, dispatched ---- */

/* The places of those that lose at most `most`, what the numbers lose being there. */
static int near_slots(const bc_bound *b, float *loss, const uint8_t *codes, int64_t stride, int n, float most,
                      int *kept) {
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

static int near_base(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                     float most, int *kept) {
    float loss[BC_RUN] = {0};
    for (int f = 0; f < b->numbers; f++, numbers += stride) {
        for (int i = 0; i < n; i++) loss[i] += bc_loss(b, f, fabsf(numbers[i] - b->x[f]));
    }
    return near_slots(b, loss, codes, stride, n, most, kept);
}

static int near_bytes_base(const bc_bound *b, const uint8_t *bytes, int n, float most, int *kept) {
    float loss[BC_RUN] = {0};
    for (int f = 0; f < b->numbers; f++, bytes += n) {
        for (int i = 0; i < n; i++) loss[i] += bc_loss(b, f, fabsf((float)bytes[i] - b->x[f]));
    }
    return near_slots(b, loss, bytes, n, n, most, kept);
}

static void far_base(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
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
static int near(const search *s, const bc_rows *rows, int64_t from, int n, int *kept) {
    const float *numbers = rows->numbers + from;
    const uint8_t *codes = rows->codes + from;
    float most = (float)limit(s);
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512) return bc_near_avx512(&s->bound, numbers, codes, rows->stride, n, most, kept);
    if (s->level == BC_AVX2) return bc_near_avx2(&s->bound, numbers, codes, rows->stride, n, most, kept);
#endif
    return near_base(&s->bound, numbers, codes, rows->stride, n, most, kept);
}

/* The same of a run of the cell that `inner` was made for. */
static int near_bytes(const search *s, const uint8_t *bytes, int n, int *kept) {
    float most = (float)limit(s) + s->slack;
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512) return bc_near_bytes_avx512(&s->inner, bytes, n, most, kept);
    if (s->level == BC_AVX2) return bc_near_bytes_avx2(&s->inner, bytes, n, most, kept);
#endif
    return near_bytes_base(&s->inner, bytes, n, most, kept);
}

/* What the numbers of n boxes lose at least. */
static void far(const search *s, const float *low, const float *high, int64_t stride, int64_t n,
                float *loss) {
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512) {
        bc_far_avx512(&s->bound, low, high, stride, n, loss);
        return;
    }
    if (s->level == BC_AVX2) {
        bc_far_avx2(&s->bound, low, high, stride, n, loss);
        return;
    }
#endif
    far_base(&s->bound, low, high, stride, n, loss);
}

/* The least that the slots of a cell lose, if slot i holds one of the states in sets[i * stride]. */
static float slots_at_least(const search *s, const uint32_t *sets, int64_t stride) {
    float sum = 0.0f;
    for (int i = 0; i < s->m->slots; i++) {
        float least = INFINITY;
        int state = 0;
        for (uint32_t left = sets[i * stride]; left; left >>= 1, state++) {
            float loss = s->slot[i][state];
            if (left & 1 && loss < least) least = loss;
        }
        sum += least;
    }
    return sum;
}

/* ---- Rows, run by run ---- */

/* Get the rows that wait, of which only the places and codes are known, from the cells. */
static void fetch(batch *w, const bc_cells *cells, int numbers) {
    for (int i = 0; i < w->count; i++) {
        const float *x = cells->numbers + w->name[i] * numbers;
        for (int f = 0; f < numbers; f++) w->numbers[f][i] = x[f];
        w->name[i] = cells->order[w->name[i]];
    }
}

/* Offer the rows that wait. */
static void settle(search *s) {
    double similarity[BATCH];
    if (s->cells) fetch(&s->waiting, s->cells, s->m->numbers);
    similarities(s->m, s->q, &s->waiting, similarity);
    for (int i = 0; i < s->waiting.count; i++) offer(s->found, similarity[i], s->waiting.name[i]);
    s->waiting.count = 0;
}

/* Rows may wait for others while there is room, and as long as the limit would stay the same. */
static void settle_if_due(search *s) {
    if (s->waiting.count > BATCH - BC_RUN || s->found->count + s->waiting.count >= s->found->room) settle(s);
}

/* Look at the rows from..from+n-1, n <= BC_RUN; those without a name of their own are named by their place.
 */
static void scan(search *s, const bc_rows *rows, int64_t from, int n) {
    int kept[BC_RUN];
    batch *w = &s->waiting;
    s->found->scored += n;
    if (limit(s) < 0.95 * s->focus) focus(s);
    n = near(s, rows, from, n, kept);
    for (int i = 0; i < n; i++, w->count++) {
        int64_t at = from + kept[i];
        for (int f = 0; f < s->m->numbers; f++)
            w->numbers[f][w->count] = rows->numbers[f * rows->stride + at];
        for (int j = 0; j < s->m->slots; j++) w->codes[j][w->count] = rows->codes[j * rows->stride + at];
        w->name[w->count] = rows->order ? rows->order[at] : at;
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

#define FAR 1e9

/* Put the bound into a cell's units. A byte is half a unit off, or by rounding a little more, and no line of
   the bound is steeper than its first. */
static void enter(search *s, int32_t c) {
    const bc_cells *cells = s->cells;
    const bc_bound *b = &s->bound;
    bc_bound *in = &s->inner;
    s->slack = 0.0f;
    in->numbers = b->numbers, in->slots = b->slots, in->slot = b->slot;
    for (int f = 0; f < b->numbers; f++) {
        float low = cells->low[f * cells->count + c], high = cells->high[f * cells->count + c];
        double step = bc_unit(low, high), x = ((double)b->x[f] - (double)low) / step;
        in->x[f] = (float)(x > FAR ? FAR : x < -FAR ? -FAR : x);
        in->slope[f] = b->slope[f] * (float)step, in->bend[f] = b->bend[f] * (float)step;
        in->rise[f] = b->rise[f], in->cap[f] = b->cap[f];
        if (high > low) s->slack += 0.501f * in->slope[f];
    }
}

/* Look at a run of the cell that was entered. */
static void look(search *s, int32_t c, int64_t run) {
    const bc_cells *cells = s->cells;
    int kept[BC_RUN], numbers = s->m->numbers, slots = s->m->slots;
    int64_t from = cells->starts[run];
    int n = (int)(cells->starts[run + 1] - from);
    const uint8_t *bytes = cells->bytes + (numbers + slots) * from;
    batch *w = &s->waiting;
    s->found->scored += n;
    if (limit(s) < 0.95 * s->focus) {
        focus(s);
        enter(s, c);
    }
    int near = near_bytes(s, bytes, n, kept);
    for (int i = 0; i < near; i++, w->count++) {
        const float *x = cells->numbers + (from + kept[i]) * numbers;
        __builtin_prefetch(x);
        __builtin_prefetch(x + numbers - 1);
        __builtin_prefetch(cells->order + from + kept[i]);
        for (int j = 0; j < slots; j++) w->codes[j][w->count] = bytes[(numbers + j) * n + kept[i]];
        w->name[w->count] = from + kept[i];
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

/* Bound the cells under the present limit, and queue again those of the queue that can matter; returns how
   many. */
static int32_t line_up(search *s, const bc_cells *cells, float *bound, int32_t *queue, int32_t n) {
    focus(s);
    far(s, cells->low, cells->high, cells->count, cells->count, bound);
    float most = (float)s->focus;
    int32_t left = 0;
    for (int32_t i = 0; i < n; i++) {
        if (bound[queue[i]] <= most) queue[left++] = queue[i];
    }
    for (int32_t i = left / 2; i-- > 0;) sink_cell(bound, queue, i, left);
    return left;
}

#define BOXES 64 /* runs that are bounded at once */

static void visit(search *s, int32_t c, float slots) {
    const bc_cells *cells = s->cells;
    int numbers = s->m->numbers;
    int64_t first = cells->cells[c], runs = cells->cells[c + 1] - first;
    const float *low = cells->run_low + numbers * first, *high = cells->run_high + numbers * first;
    float bound[BOXES];
    enter(s, c);
    for (int64_t r = 0; r < runs; r++) {
        if (r % BOXES == 0) far(s, low + r, high + r, runs, runs - r < BOXES ? runs - r : BOXES, bound);
        if (bound[r % BOXES] + slots <= limit(s)) look(s, c, first + r);
    }
}

void bc_similar_cells(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_cells *cells,
                      float *bound, int32_t *queue, bc_found *found) {
    search s;
    begin(&s, level, m, q, found);
    s.cells = cells;
    for (int32_t c = 0; c < cells->count; c++) queue[c] = c;
    int32_t n = line_up(&s, cells, bound, queue, cells->count);
    double bounded = s.focus;
    while (n > 0 && bound[queue[0]] <= limit(&s)) {
        int32_t c = queue[0];
        queue[0] = queue[--n];
        if (n > 0) sink_cell(bound, queue, 0, n);
        float slots = slots_at_least(&s, cells->states + c, cells->count);
        if (bound[c] + slots <= limit(&s)) visit(&s, c, slots);
        if (limit(&s) < 0.8 * bounded) {
            n = line_up(&s, cells, bound, queue, n);
            bounded = s.focus;
        }
    }
    settle(&s);
}

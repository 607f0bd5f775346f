#include "../simd/similarity.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Float losses may be wrong by this share of the total weight: 2^-24 by each of at most 80 additions and by a
   handful of products. Nothing is dropped that is nearer to the limit. */
#define MARGIN 1e-5

/* The similarities of the rows at `places`, n <= BC_RUN of them, column by column. An exp is dear, and
   neighbours often hold the same number. */
static void similarities(const bc_measure *m, const bc_query *q, const bc_rows *rows, const int *places,
                         int n, double *sum) {
    double s[BC_RUN];
    for (int i = 0; i < n; i++) sum[i] = 0.0;
    for (int f = 0; f < m->numbers; f++) {
        const float *x = rows->numbers + f * rows->stride;
        double decay = m->decay[f], max = m->max[f], weight = m->weight[f], last = 0.0, like = 1.0;
        for (int i = 0; i < n; i++) s[i] = fabs((double)x[places[i]] - (double)q->numbers[f]);
        if (decay > 0.0) {
            for (int i = 0; i < n; i++) s[i] = -decay * s[i] / max;
            for (int i = 0; i < n; i++) {
                if (s[i] != last) like = exp(last = s[i]);
                s[i] = like;
            }
        } else {
            for (int i = 0; i < n; i++) s[i] = 1.0 - s[i] / max;
        }
        for (int i = 0; i < n; i++) sum[i] += weight * (s[i] > 0.0 ? s[i] : 0.0);
    }
    for (int j = 0; j < m->slots; j++) {
        const uint8_t *codes = rows->codes + j * rows->stride;
        const double *table = q->tables + j * BC_STATES;
        for (int i = 0; i < n; i++) sum[i] += m->weight[m->numbers + j] * table[codes[places[i]] % BC_STATES];
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
void bc_similar_sort(bc_found *h) {
    int32_t ends[BINS + 1], next[BINS];
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < h->count; i++) {
        low = h->similarity[i] < low ? h->similarity[i] : low;
        high = h->similarity[i] > high ? h->similarity[i] : high;
    }
    if (h->count < 256 || h->count > INT32_MAX || low == high) {
        heapsort(h);
        return;
    }
    int bins = h->count < 2 * BINS ? (int)h->count / 2 : BINS;
    double scale = (bins - 1) / (high - low);
    for (int b = 0; b <= bins; b++) ends[b] = 0;
    for (int64_t i = 0; i < h->count; i++) ends[bin(high, scale, h->similarity[i]) + 1]++;
    for (int b = 0; b < bins; b++) {
        next[b] = ends[b];
        ends[b + 1] += ends[b];
    }
    for (int b = 0; b < bins; b++) {
        while (next[b] < ends[b + 1]) {
            int to = bin(high, scale, h->similarity[next[b]]);
            exchange(h, next[b], next[to]);
            next[b] += to == b;
            next[to] += to != b;
        }
        small_sort(h, ends[b], ends[b + 1]);
    }
}

/* ---- A search: what is asked, and the loss above which a row cannot enter the answer any more ---- */

typedef struct {
    enum bc_simd level;
    const bc_measure *m;
    const bc_query *q;
    bc_found *found;
    double focus;   /* the limit that the bound was made for */
    bc_bound bound; /* a number at distance d loses at least min(slope * d, cap) */
} search;

static double limit(const search *s) {
    const bc_found *h = s->found;
    double least = h->count == h->room ? h->similarity[0] : h->at_least;
    return s->m->total * (1.0 - least + MARGIN);
}

/* Make slopes and caps for the present limit. An exponential loss is concave, so that a chord of it lies
   below; a chord that ends where one number alone loses the limit is close. Far chords end where 3/4 are
   lost. */
static void focus(search *s) {
    const bc_measure *m = s->m;
    s->focus = limit(s);
    for (int f = 0; f < m->numbers; f++) {
        double share = 1.0, reach = m->max[f];
        if (m->decay[f] > 0.0) {
            share = s->focus / m->weight[f];
            share = share > 0.75 ? 0.75 : share > MARGIN ? share : MARGIN;
            reach = -log1p(-share) * m->max[f] / m->decay[f];
        }
        s->bound.cap[f] = (float)(m->weight[f] * share);
        s->bound.slope[f] = (float)(m->weight[f] * share / reach);
    }
}

static void begin(search *s, enum bc_simd level, const bc_measure *m, const bc_query *q, bc_found *found) {
    assert(0 <= m->numbers && m->numbers <= BC_NUMBERS);
    assert(0 <= m->slots && m->slots <= BC_SLOTS);
    assert(m->total > 0.0);
    assert(found->room > 0 && found->count <= found->room);
    s->level = level, s->m = m, s->q = q, s->found = found;
    s->bound.numbers = m->numbers, s->bound.slots = m->slots, s->bound.x = q->numbers;
    for (int i = 0; i < m->slots; i++) {
        for (int state = 0; state < BC_STATES; state++)
            s->bound.slot[i][state] =
                (float)(m->weight[m->numbers + i] * (1.0 - q->tables[i * BC_STATES + state]));
    }
    focus(s);
}

/* ---- The bounds, dispatched ---- */

static int near_base(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                     float most, int *kept) {
    float loss[BC_RUN] = {0};
    for (int f = 0; f < b->numbers; f++, numbers += stride) {
        float x = b->x[f], slope = b->slope[f], cap = b->cap[f];
        for (int i = 0; i < n; i++) {
            float l = fabsf(numbers[i] - x) * slope;
            loss[i] += l < cap ? l : cap;
        }
    }
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

static void far_base(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                     float *restrict loss) {
    for (int64_t i = 0; i < n; i++) loss[i] = 0.0f;
    for (int f = 0; f < b->numbers; f++, low += stride, high += stride) {
        float x = b->x[f], slope = b->slope[f], cap = b->cap[f];
        for (int64_t i = 0; i < n; i++) {
            float below = low[i] - x, above = x - high[i], d = below > above ? below : above;
            float l = (d > 0.0f ? d : 0.0f) * slope;
            loss[i] += l < cap ? l : cap;
        }
    }
}

/* The places of the rows 0..n-1, n <= BC_RUN, that are within the limit; returns how many. */
static int near(const search *s, const bc_rows *rows, int n, int *kept) {
    float most = (float)limit(s);
#ifdef BC_X86_LEVELS
    if (s->level == BC_AVX512)
        return bc_near_avx512(&s->bound, rows->numbers, rows->codes, rows->stride, n, most, kept);
    if (s->level == BC_AVX2)
        return bc_near_avx2(&s->bound, rows->numbers, rows->codes, rows->stride, n, most, kept);
#endif
    return near_base(&s->bound, rows->numbers, rows->codes, rows->stride, n, most, kept);
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
        for (int state = 0; state < BC_STATES; state++) {
            float loss = s->bound.slot[i][state];
            if (sets[i * stride] >> state & 1 && loss < least) least = loss;
        }
        sum += least;
    }
    return sum;
}

/* ---- Rows, run by run ---- */

/* Offer the rows 0..n-1, n <= BC_RUN; those without a name of their own are named from `first` on. */
static void scan(search *s, const bc_rows *rows, int n, int64_t first) {
    int kept[BC_RUN];
    double similarity[BC_RUN];
    s->found->scored += n;
    if (limit(s) < 0.95 * s->focus) focus(s);
    n = near(s, rows, n, kept);
    if (n == 0) return;
    similarities(s->m, s->q, rows, kept, n, similarity);
    for (int i = 0; i < n; i++)
        offer(s->found, similarity[i], rows->order ? rows->order[kept[i]] : first + kept[i]);
}

void bc_similar_scan(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_rows *rows,
                     int64_t from, int64_t to, bc_found *found) {
    assert(0 <= from && from <= to && to <= rows->count);
    search s;
    begin(&s, level, m, q, found);
    for (; from < to; from += BC_RUN) {
        bc_rows run = {to - from, rows->stride, rows->numbers + from, rows->codes + from,
                       rows->order ? rows->order + from : NULL};
        scan(&s, &run, to - from < BC_RUN ? (int)(to - from) : BC_RUN, from);
    }
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

static void visit(search *s, const bc_cells *cells, int32_t c, float slots) {
    int numbers = s->m->numbers;
    int64_t first = cells->cells[c], runs = cells->cells[c + 1] - first;
    const float *low = cells->run_low + numbers * first, *high = cells->run_high + numbers * first;
    float bound[BOXES];
    for (int64_t r = 0; r < runs; r++) {
        if (r % BOXES == 0) far(s, low + r, high + r, runs, runs - r < BOXES ? runs - r : BOXES, bound);
        if (bound[r % BOXES] + slots > limit(s)) continue;
        int64_t at = cells->starts[first + r], n = cells->starts[first + r + 1] - at;
        bc_rows rows = {n, n, cells->numbers + numbers * at, cells->codes + s->m->slots * at,
                        cells->order + at};
        scan(s, &rows, (int)n, at);
    }
}

void bc_similar_cells(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_cells *cells,
                      float *bound, int32_t *queue, bc_found *found) {
    search s;
    begin(&s, level, m, q, found);
    for (int32_t c = 0; c < cells->count; c++) queue[c] = c;
    int32_t n = line_up(&s, cells, bound, queue, cells->count);
    double bounded = s.focus;
    while (n > 0 && bound[queue[0]] <= limit(&s)) {
        int32_t c = queue[0];
        queue[0] = queue[--n];
        if (n > 0) sink_cell(bound, queue, 0, n);
        float slots = slots_at_least(&s, cells->states + c, cells->count);
        if (bound[c] + slots <= limit(&s)) visit(&s, cells, c, slots);
        if (limit(&s) < 0.8 * bounded) {
            n = line_up(&s, cells, bound, queue, n);
            bounded = s.focus;
        }
    }
}

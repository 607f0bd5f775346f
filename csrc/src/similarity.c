#include "baycarp/similarity.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* One body for every SIMD width; without contraction all give the same bits. */
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) &&             \
    !defined(__SANITIZE_ADDRESS__)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

#define BLOCK 256

/* Float losses may be wrong by this share of the total weight: 2^-24 by each of at most 64 additions and by a
   handful of products. Nothing is dropped that is nearer to the limit. */
#define MARGIN 1e-5

double bc_similarity(const bc_measure *m, const bc_query *q, const bc_rows *rows, int64_t place) {
    double sum = 0.0;
    for (int f = 0; f < m->numbers; f++) {
        double d = fabs((double)rows->numbers[f * rows->stride + place] - (double)q->numbers[f]);
        double s = m->decay[f] > 0.0 ? exp(-m->decay[f] * d / m->max[f]) : 1.0 - d / m->max[f];
        sum += m->weight[f] * (s > 0.0 ? s : 0.0);
    }
    for (int i = 0; i < m->slots; i++) {
        int state = rows->codes[i * rows->stride + place] % BC_STATES;
        sum += m->weight[m->numbers + i] * q->tables[i * BC_STATES + state];
    }
    return sum / m->total;
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

void bc_similar_sort(bc_found *h) {
    heapify(h);
    for (int64_t n = h->count - 1; n > 0; n--) {
        double s = h->similarity[n];
        int64_t row = h->row[n];
        h->similarity[n] = h->similarity[0];
        h->row[n] = h->row[0];
        h->similarity[0] = s;
        h->row[0] = row;
        sink(h, 0, n);
    }
}

/* ---- A search: what is asked, and the loss above which a row cannot enter the answer any more ---- */

typedef struct {
    const bc_measure *m;
    const bc_query *q;
    bc_found *found;
    double focus;                             /* the limit that slope and cap were made for */
    float slope[BC_NUMBERS], cap[BC_NUMBERS]; /* a number at distance d loses at least min(slope * d, cap) */
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
        s->cap[f] = (float)(m->weight[f] * share);
        s->slope[f] = (float)(m->weight[f] * share / reach);
    }
}

static search begin(const bc_measure *m, const bc_query *q, bc_found *found) {
    assert(0 <= m->numbers && m->numbers <= BC_NUMBERS);
    assert(0 <= m->slots && m->slots <= BC_SLOTS);
    assert(m->total > 0.0);
    assert(found->room > 0 && found->count <= found->room);
    search s = {.m = m, .q = q, .found = found};
    focus(&s);
    return s;
}

/* The weight that the numbers of n boxes lose at least, in float; a row is a box of no size (low = high). */
CLONES static void losses(const search *s, const float *low, const float *high, int64_t stride, int64_t n,
                          float *restrict loss) {
    for (int64_t i = 0; i < n; i++) loss[i] = 0.0f;
    for (int f = 0; f < s->m->numbers; f++, low += stride, high += stride) {
        float x = s->q->numbers[f], slope = s->slope[f], cap = s->cap[f];
        for (int64_t i = 0; i < n; i++) {
            float below = low[i] - x, above = x - high[i], d = below > above ? below : above;
            float l = (d > 0.0f ? d : 0.0f) * slope;
            loss[i] += l < cap ? l : cap;
        }
    }
}

/* The least that the slots lose, if slot i holds one of the states in sets[i * stride]. */
static double slots_at_least(const search *s, const uint32_t *sets, int64_t stride) {
    double sum = 0.0;
    for (int i = 0; i < s->m->slots; i++) {
        const double *table = s->q->tables + i * BC_STATES;
        double best = 0.0;
        for (int state = 0; state < BC_STATES; state++) {
            if (table[state] > best && (sets[i * stride] >> state & 1)) best = table[state];
        }
        sum += s->m->weight[s->m->numbers + i] * (1.0 - best);
    }
    return sum;
}

/* What the slots of one row lose. */
static double slots_loss(const search *s, const bc_rows *rows, int64_t place) {
    double sum = 0.0;
    for (int i = 0; i < s->m->slots; i++) {
        int state = rows->codes[i * rows->stride + place] % BC_STATES;
        sum += s->m->weight[s->m->numbers + i] * (1.0 - s->q->tables[i * BC_STATES + state]);
    }
    return sum;
}

/* The places of the losses that are not above the limit; returns how many. */
static int keep(const float *loss, int n, float most, int *kept) {
    int count = 0;
    for (int i = 0; i < n; i++) {
        kept[count] = i;
        count += loss[i] <= most;
    }
    return count;
}

/* Offer the rows from..to-1, whose slots lose at least `slots`. */
static void scan(search *s, const bc_rows *rows, int64_t from, int64_t to, double slots) {
    float loss[BLOCK];
    int kept[BLOCK];
    s->found->scored += to - from;
    for (; from < to; from += BLOCK) {
        int n = to - from < BLOCK ? (int)(to - from) : BLOCK;
        const float *x = rows->numbers + from;
        if (limit(s) < 0.95 * s->focus) focus(s);
        losses(s, x, x, rows->stride, n, loss);
        n = keep(loss, n, (float)(limit(s) - slots), kept);
        for (int i = 0; i < n; i++) {
            int64_t place = from + kept[i];
            if (loss[kept[i]] + slots_loss(s, rows, place) > limit(s)) continue;
            offer(s->found, bc_similarity(s->m, s->q, rows, place), rows->order ? rows->order[place] : place);
        }
    }
}

void bc_similar_scan(const bc_measure *m, const bc_query *q, const bc_rows *rows, int64_t from, int64_t to,
                     bc_found *found) {
    assert(0 <= from && from <= to && to <= rows->count);
    search s = begin(m, q, found);
    static const uint32_t any = UINT32_MAX;
    scan(&s, rows, from, to, slots_at_least(&s, &any, 0));
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
 * many. */
static int32_t line_up(search *s, const bc_cells *cells, float *bound, int32_t *queue, int32_t n) {
    focus(s);
    losses(s, cells->low, cells->high, cells->count, cells->count, bound);
    float most = (float)s->focus;
    int32_t left = 0;
    for (int32_t i = 0; i < n; i++) {
        if (bound[queue[i]] <= most) queue[left++] = queue[i];
    }
    for (int32_t i = left / 2; i-- > 0;) sink_cell(bound, queue, i, left);
    return left;
}

static bc_rows block(const bc_measure *m, const bc_cells *cells, int32_t c) {
    int64_t at = cells->starts[c], n = cells->starts[c + 1] - at;
    return (bc_rows){n, n, cells->numbers + m->numbers * at, cells->codes + m->slots * at, cells->order + at};
}

void bc_similar_cells(const bc_measure *m, const bc_query *q, const bc_cells *cells, float *bound,
                      int32_t *queue, bc_found *found) {
    search s = begin(m, q, found);
    for (int32_t c = 0; c < cells->count; c++) queue[c] = c;
    int32_t n = line_up(&s, cells, bound, queue, cells->count);
    double bounded = s.focus;
    while (n > 0 && bound[queue[0]] <= limit(&s)) {
        int32_t c = queue[0];
        queue[0] = queue[--n];
        if (n > 0) sink_cell(bound, queue, 0, n);
        double slots = slots_at_least(&s, cells->states + c, cells->count);
        if (bound[c] + slots <= limit(&s)) {
            bc_rows rows = block(m, cells, c);
            scan(&s, &rows, 0, rows.count, slots);
        }
        if (limit(&s) < 0.8 * bounded) {
            n = line_up(&s, cells, bound, queue, n);
            bounded = s.focus;
        }
    }
}

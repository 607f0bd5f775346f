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

/* Float losses may be wrong by this share of the total weight: 2.5e-6 by the exponential, 2^-24 by each of at
   most 64 + 16 additions and a handful of products. Nothing is dropped that is nearer to the limit. */
#define MARGIN 2e-5

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

/* The loss above which a row cannot enter the answer any more, margin included. */
static double limit(const bc_measure *m, const bc_found *h) {
    double least = h->count == h->room ? h->similarity[0] : h->at_least;
    return m->total * (1.0 - least + MARGIN);
}

/* ---- Losses in float ---- */

/* exp(-y), 0 <= y <= 80, to 2.5e-6: 2^-n times a Taylor polynomial of the rest, at most half an octave. */
static inline float decayed(float y) {
    float t = y * 1.44269504f;
    int32_t n = (int32_t)(t + 0.5f);
    float f = ((float)n - t) * 0.69314718f;
    float p = 1.0f + f * (1.0f + f * (0.5f + f * (1.0f / 6 + f * (1.0f / 24 + f * (1.0f / 120)))));
    union {
        int32_t bits;
        float power;
    } u = {.bits = (127 - n) << 23};
    return p * u.power;
}

/* The weight that the numbers of n <= BLOCK boxes lose at least; a row is a box of no size (low = high).
   Distances first, then their losses: compilers make vectors of the two loops, not of one. */
CLONES static void losses(const bc_measure *m, const bc_query *q, const float *low, const float *high,
                          int64_t stride, int n, float *restrict loss) {
    float y[BLOCK];
    for (int i = 0; i < n; i++) loss[i] = 0.0f;
    for (int f = 0; f < m->numbers; f++, low += stride, high += stride) {
        float x = q->numbers[f], weight = (float)m->weight[f];
        float rate = (float)((m->decay[f] > 0.0 ? m->decay[f] : 1.0) / m->max[f]);
        float cap = m->decay[f] > 0.0 ? 80.0f : 1.0f;
        for (int i = 0; i < n; i++) {
            float below = low[i] - x, above = x - high[i], d = below > above ? below : above;
            d = (d > 0.0f ? d : 0.0f) * rate;
            y[i] = d < cap ? d : cap;
        }
        if (m->decay[f] > 0.0) {
            for (int i = 0; i < n; i++) loss[i] += weight - weight * decayed(y[i]);
        } else {
            for (int i = 0; i < n; i++) loss[i] += weight * y[i];
        }
    }
}

/* The least that slot i loses over the states in the set. */
static double slot_loss(const bc_measure *m, const bc_query *q, int i, uint32_t states) {
    const double *table = q->tables + i * BC_STATES;
    double best = 0.0;
    for (int s = 0; s < BC_STATES; s++) {
        if (table[s] > best && (states >> s & 1)) best = table[s];
    }
    return m->weight[m->numbers + i] * (1.0 - best);
}

/* What the slots of one row lose. */
static double slots_loss(const bc_measure *m, const bc_query *q, const bc_rows *rows, int64_t place) {
    double sum = 0.0;
    for (int i = 0; i < m->slots; i++) {
        int state = rows->codes[i * rows->stride + place] % BC_STATES;
        sum += m->weight[m->numbers + i] * (1.0 - q->tables[i * BC_STATES + state]);
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
static void scan(const bc_measure *m, const bc_query *q, const bc_rows *rows, int64_t from, int64_t to,
                 double slots, bc_found *found) {
    float loss[BLOCK];
    int kept[BLOCK];
    found->scored += to - from;
    for (; from < to; from += BLOCK) {
        int n = to - from < BLOCK ? (int)(to - from) : BLOCK;
        const float *x = rows->numbers + from;
        losses(m, q, x, x, rows->stride, n, loss);
        n = keep(loss, n, (float)(limit(m, found) - slots), kept);
        for (int i = 0; i < n; i++) {
            int64_t place = from + kept[i];
            if (loss[kept[i]] + slots_loss(m, q, rows, place) > limit(m, found)) continue;
            offer(found, bc_similarity(m, q, rows, place), rows->order ? rows->order[place] : place);
        }
    }
}

static void check(const bc_measure *m, const bc_found *found) {
    assert(0 <= m->numbers && m->numbers <= BC_NUMBERS);
    assert(0 <= m->slots && m->slots <= BC_SLOTS);
    assert(m->total > 0.0);
    assert(found->room > 0 && found->count <= found->room);
    (void)m, (void)found;
}

void bc_similar_scan(const bc_measure *m, const bc_query *q, const bc_rows *rows, int64_t from, int64_t to,
                     bc_found *found) {
    check(m, found);
    assert(0 <= from && from <= to && to <= rows->count);
    double slots = 0.0;
    for (int i = 0; i < m->slots; i++) slots += slot_loss(m, q, i, UINT32_MAX);
    scan(m, q, rows, from, to, slots, found);
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

void bc_similar_cells(const bc_measure *m, const bc_query *q, const bc_rows *rows, const bc_cells *cells,
                      float *bound, int32_t *queue, bc_found *found) {
    check(m, found);
    for (int32_t c = 0; c < cells->count; c += BLOCK) {
        int run = cells->count - c < BLOCK ? cells->count - c : BLOCK;
        losses(m, q, cells->low + c, cells->high + c, cells->count, run, bound + c);
    }
    int32_t n = 0;
    for (int32_t c = 0; c < cells->count; c++) {
        if (bound[c] <= limit(m, found)) queue[n++] = c;
    }
    for (int32_t i = n / 2; i-- > 0;) sink_cell(bound, queue, i, n);
    while (n > 0 && bound[queue[0]] <= limit(m, found)) {
        int32_t c = queue[0];
        queue[0] = queue[--n];
        if (n > 0) sink_cell(bound, queue, 0, n);
        double slots = 0.0;
        for (int i = 0; i < m->slots; i++)
            slots += slot_loss(m, q, i, cells->states[(int64_t)i * cells->count + c]);
        if (bound[c] + slots <= limit(m, found))
            scan(m, q, rows, cells->starts[c], cells->starts[c + 1], slots, found);
    }
}

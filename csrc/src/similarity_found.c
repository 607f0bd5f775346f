/* What was found: a list while there is room, then a heap with the least similar on top; sorted at the end.
 */
#include "baycarp/similarity.h"

#include <math.h>

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

void bc_similar_offer(bc_found *found, const double *similarity, const int64_t *row, int count) {
    for (int i = 0; i < count; i++) offer(found, similarity[i], row[i]);
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

/* ---- In order: a large answer by a key that is rounded, least digit first, and then what the key ties ----
 */

#define FEW 24
#define DIGIT 11
#define BINS (1 << DIGIT)

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

/* Two digits, counted from the highest similarity down. */
static uint32_t key(double high, double scale, double s) {
    return (uint32_t)(int32_t)((high - s) * scale);
}

/* Sort by the digit that is so many bits up, given where each digit begins. */
static void deal(const bc_found *found, const bc_found *to, double high, double scale, int up,
                 int32_t *begins) {
    for (int64_t i = 0; i < found->count; i++) {
        int32_t place = begins[key(high, scale, found->similarity[i]) >> up & (BINS - 1)]++;
        to->similarity[place] = found->similarity[i];
        to->row[place] = found->row[i];
    }
}

static void radix_sort(const bc_found *found, const bc_found *to, double low, double high) {
    int32_t first[BINS] = {0}, second[BINS] = {0}, before_first = 0, before_second = 0;
    double scale = ((1 << 2 * DIGIT) - 1) / (high - low);
    for (int64_t i = 0; i < found->count; i++) {
        uint32_t k = key(high, scale, found->similarity[i]);
        first[k & (BINS - 1)]++, second[k >> DIGIT]++;
    }
    for (int i = 0; i < BINS; i++) {
        int32_t a = first[i], b = second[i];
        first[i] = before_first, second[i] = before_second;
        before_first += a, before_second += b;
    }
    deal(found, to, high, scale, 0, first);
    deal(to, found, high, scale, DIGIT, second);
    for (int64_t i = 0, j; i < found->count; i = j) {
        uint32_t k = key(high, scale, found->similarity[i]);
        for (j = i + 1; j < found->count && key(high, scale, found->similarity[j]) == k;) j++;
        if (j > i + 1) small_sort(found, i, j);
    }
}

void bc_similar_sort(const bc_found *found, double *similarity, int64_t *row) {
    bc_found to = {.count = found->count, .similarity = similarity, .row = row};
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < found->count; i++) {
        low = found->similarity[i] < low ? found->similarity[i] : low;
        high = found->similarity[i] > high ? found->similarity[i] : high;
    }
    if (found->count >= 256 && found->count <= INT32_MAX && low < high)
        radix_sort(found, &to, low, high);
    else
        small_sort(found, 0, found->count);
    for (int64_t i = 0; i < found->count; i++) similarity[i] = found->similarity[i], row[i] = found->row[i];
}

/* The rows found: a list while there is room, then a heap with the least similar on top, sorted at the end;
   or sums of them. */
#include "baycarp/similarity.h"

#include <math.h>
#include <string.h>

/* Whether (s, row) comes after (t, other) in the result. */
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

void bc_similar_add(bc_found *found, int in_cells, const double *similarity, const int64_t *place,
                    int count) {
    const bc_totals *t = found->totals;
    const uint8_t *solution = in_cells ? t->solution_in_cells : t->solution;
    const double *outcome = in_cells ? t->outcome_in_cells : t->outcome;
    for (int i = 0; i < count; i++) {
        if (similarity[i] < found->at_least) continue;
        const int at = solution[place[i]];
        found->count++;
        t->counts[at]++;
        t->outcomes[at] += outcome[place[i]];
        if (t->similarities) t->similarities[at] += similarity[i];
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

/* ---- Sorting: a large result by a rounded key, least digit first, then ties of the key ---- */

enum { FEW = 24, MANY = 256, DIGIT = 11, BINS = 1 << DIGIT };

/* Scale of the keys. */
#define LEAST_APART 1e-300

/* Sort the part from..to-1; a short part by insertion. */
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

/* An item of the radix sort: a key of two digits above a place in the result; copied to and from memory of
 * any type. */
static uint64_t load_item(const void *from, int64_t i) {
    uint64_t item;
    memcpy(&item, (const char *)from + i * (int64_t)sizeof item, sizeof item);
    return item;
}

static void store_item(void *to, int64_t i, uint64_t item) {
    memcpy((char *)to + i * (int64_t)sizeof item, &item, sizeof item);
}

/* One pass of the radix sort: order n items by the digit that begins at bit `shift`. next[d] is the place of
   the next item with digit d, at first the number of items with a lower digit; items of one digit keep their
   order. */
static void radix_pass(const void *from, void *to, int64_t n, int shift, int32_t *next) {
    for (int64_t i = 0; i < n; i++) {
        const uint64_t item = load_item(from, i);
        store_item(to, next[item >> shift & (BINS - 1)]++, item);
    }
}

/* The number of items of each digit becomes the number of those with a lower one. */
static void counts_to_places(int32_t *digit) {
    int32_t before = 0;
    for (int i = 0; i < BINS; i++) {
        const int32_t count = digit[i];
        digit[i] = before;
        before += count;
    }
}

/* Keys count from the highest similarity down; the memory of the result is the work space. */
static void radix_sort(const bc_found *found, double low, double high, double *similarity, int64_t *row) {
    int32_t low_digit[BINS] = {0}, high_digit[BINS] = {0};
    const double scale = ((1 << 2 * DIGIT) - 1) / (high - low);
    const bc_found answer = {.count = found->count, .similarity = similarity, .row = row};
    for (int64_t i = 0; i < found->count; i++) {
        const uint32_t key = (uint32_t)(int32_t)((high - found->similarity[i]) * scale);
        store_item(row, i, (uint64_t)key << 32 | (uint64_t)i);
        low_digit[key & (BINS - 1)]++;
        high_digit[key >> DIGIT]++;
    }
    counts_to_places(low_digit);
    counts_to_places(high_digit);
    radix_pass(row, similarity, found->count, 32, low_digit);
    radix_pass(similarity, row, found->count, 32 + DIGIT, high_digit);

    int64_t begin = 0;
    uint64_t last = 0;
    for (int64_t i = 0; i < found->count; i++) {
        const uint64_t item = load_item(row, i), key = item >> 32, place = item & UINT32_MAX;
        if (key != last) {
            if (i > begin + 1) small_sort(&answer, begin, i);
            begin = i;
            last = key;
        }
        similarity[i] = found->similarity[place];
        row[i] = found->row[place];
    }
    small_sort(&answer, begin, found->count);
}

void bc_similar_sort(const bc_found *found, double *similarity, int64_t *row) {
    const bc_found answer = {.count = found->count, .similarity = similarity, .row = row};
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < found->count; i++) {
        low = found->similarity[i] < low ? found->similarity[i] : low;
        high = found->similarity[i] > high ? found->similarity[i] : high;
    }
    if (found->count >= MANY && found->count <= INT32_MAX && high - low > LEAST_APART) {
        radix_sort(found, low, high, similarity, row);
        return;
    }
    for (int64_t i = 0; i < found->count; i++) similarity[i] = found->similarity[i], row[i] = found->row[i];
    small_sort(&answer, 0, found->count);
}

/* Valid and invalid codes, and counts against a plain loop. */
#include "baycarp/count.h"

#include <assert.h>

enum { N = 1303, STATES = 300 };

static void test_wrong_codes_are_found(void) {
    static const int64_t wrong[] = {-2, 5, 65536, INT64_MIN, INT64_MAX, (int64_t)1 << 32};
    static int64_t given[N];
    static int16_t codes[N];
    for (int i = 0; i < N; i++) given[i] = i % 6 - 1;
    assert(bc_code_column(given, N, 5, codes) == N);
    for (int i = 0; i < N; i++) assert(codes[i] == given[i]);
    for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const int at = 1 + 137 * (int)k;
        given[at] = wrong[k];
        assert(bc_code_column(given, N, 5, codes) == at);
        given[at] = 0;
    }
    given[N - 1] = BC_NARROW - 1;
    assert(bc_code_column(given, N, BC_NARROW, codes) == N && codes[N - 1] == BC_NARROW - 1);
}

static void test_rows(void) {
    static const int32_t states[] = {2, 3};
    int64_t given[] = {0, 2, 1, 0, 0, 1};
    int32_t codes[6];
    assert(bc_code_rows(given, 3, 2, states, codes) == 6);
    for (int i = 0; i < 6; i++) assert(codes[i] == given[i]);
    given[5] = 3;
    assert(bc_code_rows(given, 3, 2, states, codes) == 5);
    given[2] = -1;
    assert(bc_code_rows(given, 3, 2, states, codes) == 2);
}

/* Tables of few cells, of cells with 16-bit numbers, and of more cells: each has its own loop. */
static void test_counts(int states) {
    static int16_t a[N], b[N];
    static int64_t counts[STATES * STATES + 1], expected[STATES * STATES];
    const int32_t size = states * states;
    uint32_t random = 1;
    for (int32_t i = 0; i < size; i++) counts[i] = expected[i] = i % 3;
    for (int i = 0; i < N; i++) {
        random = random * 1664525u + 1013904223u;
        a[i] = (int16_t)((random >> 20) % (uint32_t)states);
        b[i] = (int16_t)((int)((random >> 8) % (uint32_t)(states + 1)) - 1);
        if (b[i] >= 0) expected[states * a[i] + b[i]]++;
    }
    bc_count((const int16_t *const[]){a, b}, (const int32_t[]){states, 1}, 2, N, size, counts);
    for (int32_t i = 0; i < size; i++) assert(counts[i] == expected[i]);
}

int main(void) {
    test_wrong_codes_are_found();
    test_rows();
    test_counts(3);
    test_counts(16); /* the largest table of few cells */
    test_counts(17);
    test_counts(255);
    test_counts(256); /* the smallest table without 16-bit numbers */
    test_counts(STATES);
    return 0;
}

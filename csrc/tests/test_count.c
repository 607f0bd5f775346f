/* Codes that are right and wrong, and counts beside a plain loop. */
#include "baycarp/count.h"

#include <assert.h>

enum { N = 1300 };

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

static void test_counts(void) {
    static int16_t a[N], b[N];
    int64_t counts[12 + 1] = {0}, expected[12] = {0};
    for (int i = 0; i < N; i++) {
        a[i] = (int16_t)(i * i % 4), b[i] = (int16_t)(i * 7 % 4 - 1);
        if (b[i] >= 0) expected[3 * a[i] + b[i]]++;
    }
    bc_count((const int16_t *const[]){a, b}, (const int32_t[]){3, 1}, 2, N, 12, counts);
    for (int i = 0; i < 12; i++) assert(counts[i] == expected[i]);
}

int main(void) {
    test_wrong_codes_are_found();
    test_rows();
    test_counts();
    return 0;
}

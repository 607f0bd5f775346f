#include "product.h"

#include <immintrin.h>

enum { WIDTH = 4 };

/* Vectors of columns at once, from column `from` on; their sums stay in registers. */
#define BLOCK(VECTORS, NAME, MATRICES)                                                                       \
    static inline void block##VECTORS##NAME(const double *weight, const double *const *a,                    \
                                            const int64_t *down, int matrices, int32_t begin, int32_t end,   \
                                            double *out, int64_t from, int goes_on) {                        \
        __m256d sum[VECTORS];                                                                                \
        (void)matrices;                                                                                      \
        for (int k = 0; k < VECTORS; k++)                                                                    \
            sum[k] = goes_on ? _mm256_loadu_pd(out + from + k * WIDTH) : _mm256_setzero_pd();                \
        for (int32_t i = begin; i < end; i++) {                                                              \
            const __m256d w = _mm256_set1_pd(weight[i]);                                                     \
            for (int k = 0; k < VECTORS; k++) {                                                              \
                const int64_t at = from + k * WIDTH;                                                         \
                __m256d cell = _mm256_mul_pd(w, _mm256_loadu_pd(a[0] + i * down[0] + at));                   \
                for (int m = 1; m < MATRICES; m++)                                                           \
                    cell = _mm256_mul_pd(cell, _mm256_loadu_pd(a[m] + i * down[m] + at));                    \
                sum[k] = _mm256_add_pd(sum[k], cell);                                                        \
            }                                                                                                \
        }                                                                                                    \
        for (int k = 0; k < VECTORS; k++) _mm256_storeu_pd(out + from + k * WIDTH, sum[k]);                  \
    }

/* All columns but a part of a vector; returns their number. */
#define FORM(NAME, MATRICES)                                                                                 \
    BLOCK(1, NAME, MATRICES)                                                                                 \
    BLOCK(2, NAME, MATRICES)                                                                                 \
    BLOCK(4, NAME, MATRICES)                                                                                 \
    static int64_t form##NAME(const double *weight, const double *const *a, const int64_t *down,             \
                              int matrices, int32_t begin, int32_t end, double *out, int32_t columns,        \
                              int goes_on) {                                                                 \
        int64_t from = 0;                                                                                    \
        for (; columns - from >= 4 * WIDTH; from += 4 * WIDTH)                                               \
            block4##NAME(weight, a, down, matrices, begin, end, out, from, goes_on);                         \
        for (; columns - from >= 2 * WIDTH; from += 2 * WIDTH)                                               \
            block2##NAME(weight, a, down, matrices, begin, end, out, from, goes_on);                         \
        for (; columns - from >= WIDTH; from += WIDTH)                                                       \
            block1##NAME(weight, a, down, matrices, begin, end, out, from, goes_on);                         \
        return from;                                                                                         \
    }

FORM(_one, 1)
FORM(_two, 2)
FORM(_many, matrices)

/* Part of a vector: the other lanes are neither read nor written. */
static void rest(const double *weight, const double *const *a, const int64_t *down, int matrices,
                 int32_t begin, int32_t end, double *out, int64_t from, int32_t columns, int goes_on) {
    static const int64_t lanes[2 * WIDTH] = {-1, -1, -1, -1};
    const __m256i mask = _mm256_loadu_si256((const __m256i *)(lanes + WIDTH - columns));
    __m256d sum = goes_on ? _mm256_maskload_pd(out + from, mask) : _mm256_setzero_pd();
    for (int32_t i = begin; i < end; i++) {
        __m256d cell = _mm256_set1_pd(weight[i]);
        for (int m = 0; m < matrices; m++)
            cell = _mm256_mul_pd(cell, _mm256_maskload_pd(a[m] + i * down[m] + from, mask));
        sum = _mm256_add_pd(sum, cell);
    }
    _mm256_maskstore_pd(out + from, mask, sum);
}

void bc_product_avx2(const double *weight, const double *const *a, const int64_t *down, int matrices,
                     int32_t rows, double *restrict out, int64_t apart, int32_t columns, int goes_on) {
    const int32_t together = apart ? 1 : rows;
    for (int32_t i = 0; i < rows; i += together, out += apart) {
        int64_t from;
        if (matrices == 1)
            from = form_one(weight, a, down, matrices, i, i + together, out, columns, goes_on);
        else if (matrices == 2)
            from = form_two(weight, a, down, matrices, i, i + together, out, columns, goes_on);
        else
            from = form_many(weight, a, down, matrices, i, i + together, out, columns, goes_on);
        if (from < columns)
            rest(weight, a, down, matrices, i, i + together, out, from, (int32_t)(columns - from), goes_on);
    }
}

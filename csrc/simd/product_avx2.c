#include "product.h"

#include <immintrin.h>

enum { WIDTH = 4 };

/* Vectors of columns at once; their sums stay in registers. */
#define BLOCK(VECTORS)                                                                                       \
    static inline void block##VECTORS(const double *weight, const double *a, int64_t down, int32_t rows,     \
                                      double *out, int goes_on) {                                            \
        __m256d sum[VECTORS];                                                                                \
        for (int k = 0; k < VECTORS; k++)                                                                    \
            sum[k] = goes_on ? _mm256_loadu_pd(out + k * WIDTH) : _mm256_setzero_pd();                       \
        for (int32_t i = 0; i < rows; i++, a += down) {                                                      \
            const __m256d w = _mm256_set1_pd(weight[i]);                                                     \
            for (int k = 0; k < VECTORS; k++)                                                                \
                sum[k] = _mm256_add_pd(sum[k], _mm256_mul_pd(w, _mm256_loadu_pd(a + k * WIDTH)));            \
        }                                                                                                    \
        for (int k = 0; k < VECTORS; k++) _mm256_storeu_pd(out + k * WIDTH, sum[k]);                         \
    }

BLOCK(1)
BLOCK(2)
BLOCK(4)

/* Part of a vector: the other lanes are neither read nor written. */
static void rest(const double *weight, const double *a, int64_t down, int32_t rows, double *out,
                 int32_t columns, int goes_on) {
    static const int64_t lanes[2 * WIDTH] = {-1, -1, -1, -1};
    const __m256i mask = _mm256_loadu_si256((const __m256i *)(lanes + WIDTH - columns));
    __m256d sum = goes_on ? _mm256_maskload_pd(out, mask) : _mm256_setzero_pd();
    for (int32_t i = 0; i < rows; i++, a += down)
        sum = _mm256_add_pd(sum, _mm256_mul_pd(_mm256_set1_pd(weight[i]), _mm256_maskload_pd(a, mask)));
    _mm256_maskstore_pd(out, mask, sum);
}

void bc_product_avx2(const double *weight, const double *a, int64_t down, int32_t rows, double *restrict out,
                     int32_t columns, int goes_on) {
    for (; columns >= 4 * WIDTH; columns -= 4 * WIDTH, a += 4 * WIDTH, out += 4 * WIDTH)
        block4(weight, a, down, rows, out, goes_on);
    for (; columns >= 2 * WIDTH; columns -= 2 * WIDTH, a += 2 * WIDTH, out += 2 * WIDTH)
        block2(weight, a, down, rows, out, goes_on);
    for (; columns >= WIDTH; columns -= WIDTH, a += WIDTH, out += WIDTH)
        block1(weight, a, down, rows, out, goes_on);
    if (columns) rest(weight, a, down, rows, out, columns, goes_on);
}

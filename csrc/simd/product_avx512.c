#include "product.h"

#include <immintrin.h>

enum { WIDTH = 8 };

/* Vectors of columns at once, the last of them masked; their sums stay in registers. */
#define BLOCK(VECTORS)                                                                                       \
    static inline void block##VECTORS(const double *weight, const double *a, int64_t down, int32_t rows,     \
                                      double *out, __mmask8 last, int goes_on) {                             \
        __m512d sum[VECTORS];                                                                                \
        for (int k = 0; k < VECTORS; k++) sum[k] = _mm512_setzero_pd();                                      \
        for (int k = 0; goes_on && k < VECTORS; k++)                                                         \
            sum[k] = _mm512_maskz_loadu_pd(k == VECTORS - 1 ? last : 0xff, out + k * WIDTH);                 \
        for (int32_t i = 0; i < rows; i++, a += down) {                                                      \
            const __m512d w = _mm512_set1_pd(weight[i]);                                                     \
            for (int k = 0; k < VECTORS; k++) {                                                              \
                const __mmask8 mask = k == VECTORS - 1 ? last : 0xff;                                        \
                sum[k] =                                                                                     \
                    _mm512_add_pd(sum[k], _mm512_mul_pd(w, _mm512_maskz_loadu_pd(mask, a + k * WIDTH)));     \
            }                                                                                                \
        }                                                                                                    \
        for (int k = 0; k < VECTORS; k++)                                                                    \
            _mm512_mask_storeu_pd(out + k * WIDTH, k == VECTORS - 1 ? last : 0xff, sum[k]);                  \
    }

BLOCK(1)
BLOCK(2)
BLOCK(3)
BLOCK(4)

void bc_product_avx512(const double *weight, const double *a, int64_t down, int32_t rows,
                       double *restrict out, int32_t columns, int goes_on) {
    for (; columns > 4 * WIDTH; columns -= 4 * WIDTH, a += 4 * WIDTH, out += 4 * WIDTH)
        block4(weight, a, down, rows, out, 0xff, goes_on);
    const int32_t vectors = (columns + WIDTH - 1) / WIDTH;
    const __mmask8 last = (__mmask8)(0xff >> (vectors * WIDTH - columns));
    switch (vectors) {
    case 1:
        block1(weight, a, down, rows, out, last, goes_on);
        break;
    case 2:
        block2(weight, a, down, rows, out, last, goes_on);
        break;
    case 3:
        block3(weight, a, down, rows, out, last, goes_on);
        break;
    case 4:
        block4(weight, a, down, rows, out, last, goes_on);
        break;
    }
}

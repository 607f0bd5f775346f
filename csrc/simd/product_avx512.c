#include "product.h"

#include <immintrin.h>

enum { WIDTH = 8 };

/* Vectors of columns at once, from column `from` on, the last of them masked; their sums stay in registers.
 */
#define BLOCK(VECTORS, NAME, MATRICES)                                                                       \
    static inline void block##VECTORS##NAME(const double *weight, const double *const *a,                    \
                                            const int64_t *down, int matrices, int32_t begin, int32_t end,   \
                                            double *out, int64_t from, __mmask8 last, int goes_on) {         \
        __m512d sum[VECTORS];                                                                                \
        (void)matrices;                                                                                      \
        for (int k = 0; k < VECTORS; k++) sum[k] = _mm512_setzero_pd();                                      \
        for (int k = 0; goes_on && k < VECTORS; k++)                                                         \
            sum[k] = _mm512_maskz_loadu_pd(k == VECTORS - 1 ? last : 0xff, out + from + k * WIDTH);          \
        for (int32_t i = begin; i < end; i++) {                                                              \
            const __m512d w = _mm512_set1_pd(weight[i]);                                                     \
            for (int k = 0; k < VECTORS; k++) {                                                              \
                const __mmask8 mask = k == VECTORS - 1 ? last : 0xff;                                        \
                const int64_t at = from + k * WIDTH;                                                         \
                __m512d cell = _mm512_mul_pd(w, _mm512_maskz_loadu_pd(mask, a[0] + i * down[0] + at));       \
                for (int m = 1; m < MATRICES; m++)                                                           \
                    cell = _mm512_mul_pd(cell, _mm512_maskz_loadu_pd(mask, a[m] + i * down[m] + at));        \
                sum[k] = _mm512_add_pd(sum[k], cell);                                                        \
            }                                                                                                \
        }                                                                                                    \
        for (int k = 0; k < VECTORS; k++)                                                                    \
            _mm512_mask_storeu_pd(out + from + k * WIDTH, k == VECTORS - 1 ? last : 0xff, sum[k]);           \
    }

/* All columns. */
#define FORM(NAME, MATRICES)                                                                                 \
    BLOCK(1, NAME, MATRICES)                                                                                 \
    BLOCK(2, NAME, MATRICES)                                                                                 \
    BLOCK(3, NAME, MATRICES)                                                                                 \
    BLOCK(4, NAME, MATRICES)                                                                                 \
    static void form##NAME(const double *weight, const double *const *a, const int64_t *down, int matrices,  \
                           int32_t begin, int32_t end, double *out, int32_t columns, int goes_on) {          \
        int64_t from = 0;                                                                                    \
        for (; columns > 4 * WIDTH; columns -= 4 * WIDTH, from += 4 * WIDTH)                                 \
            block4##NAME(weight, a, down, matrices, begin, end, out, from, 0xff, goes_on);                   \
        const int32_t vectors = (columns + WIDTH - 1) / WIDTH;                                               \
        const __mmask8 last = (__mmask8)(0xff >> (vectors * WIDTH - columns));                               \
        switch (vectors) {                                                                                   \
        case 1:                                                                                              \
            block1##NAME(weight, a, down, matrices, begin, end, out, from, last, goes_on);                   \
            break;                                                                                           \
        case 2:                                                                                              \
            block2##NAME(weight, a, down, matrices, begin, end, out, from, last, goes_on);                   \
            break;                                                                                           \
        case 3:                                                                                              \
            block3##NAME(weight, a, down, matrices, begin, end, out, from, last, goes_on);                   \
            break;                                                                                           \
        case 4:                                                                                              \
            block4##NAME(weight, a, down, matrices, begin, end, out, from, last, goes_on);                   \
            break;                                                                                           \
        }                                                                                                    \
    }

FORM(_one, 1)
FORM(_two, 2)
FORM(_many, matrices)

void bc_product_avx512(const double *weight, const double *const *a, const int64_t *down, int matrices,
                       int32_t rows, double *restrict out, int64_t apart, int32_t columns, int goes_on) {
    const int32_t together = apart ? 1 : rows;
    for (int32_t i = 0; i < rows; i += together, out += apart)
        if (matrices == 1)
            form_one(weight, a, down, matrices, i, i + together, out, columns, goes_on);
        else if (matrices == 2)
            form_two(weight, a, down, matrices, i, i + together, out, columns, goes_on);
        else
            form_many(weight, a, down, matrices, i, i + together, out, columns, goes_on);
}

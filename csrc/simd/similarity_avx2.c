#include "similarity.h"

#include <immintrin.h>

/* The lanes that are left, all bits set in each. */
static __m256i lanes(int64_t left) {
    const __m256i steps = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(left < 8 ? (int)left : 8), steps);
}

static __m256 capped(const bc_bound *b, int f, __m256 distance) {
    return _mm256_min_ps(_mm256_mul_ps(distance, _mm256_set1_ps(b->slope[f])), _mm256_set1_ps(b->cap[f]));
}

static __m256 of_slot(const float *table, const uint8_t *codes, int left) {
    int32_t state[8] = {0};
    for (int i = 0; i < 8 && i < left; i++) state[i] = codes[i] % BC_STATES;
    return _mm256_i32gather_ps(table, _mm256_loadu_si256((const __m256i *)state), 4);
}

int bc_near_avx2(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                 float most, int *kept) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    int count = 0;
    for (int i = 0; i < n; i += 8) {
        __m256i valid = lanes(n - i);
        __m256 loss = _mm256_setzero_ps();
        for (int f = 0; f < b->numbers; f++) {
            __m256 x = _mm256_maskload_ps(numbers + f * stride + i, valid);
            __m256 d = _mm256_andnot_ps(sign, _mm256_sub_ps(x, _mm256_set1_ps(b->x[f])));
            loss = _mm256_add_ps(loss, capped(b, f, d));
        }
        for (int s = 0; s < b->slots; s++)
            loss = _mm256_add_ps(loss, of_slot(b->slot[s], codes + s * stride + i, n - i));
        __m256 near = _mm256_cmp_ps(loss, _mm256_set1_ps(most), _CMP_LE_OQ);
        unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_and_ps(near, _mm256_castsi256_ps(valid)));
        for (; mask; mask &= mask - 1) kept[count++] = i + __builtin_ctz(mask);
    }
    return count;
}

void bc_far_avx2(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                 float *loss) {
    for (int64_t i = 0; i < n; i += 8) {
        __m256i valid = lanes(n - i);
        __m256 sum = _mm256_setzero_ps();
        for (int f = 0; f < b->numbers; f++) {
            __m256 x = _mm256_set1_ps(b->x[f]);
            __m256 below = _mm256_sub_ps(_mm256_maskload_ps(low + f * stride + i, valid), x);
            __m256 above = _mm256_sub_ps(x, _mm256_maskload_ps(high + f * stride + i, valid));
            __m256 d = _mm256_max_ps(_mm256_max_ps(below, above), _mm256_setzero_ps());
            sum = _mm256_add_ps(sum, capped(b, f, d));
        }
        _mm256_maskstore_ps(loss + i, valid, sum);
    }
}

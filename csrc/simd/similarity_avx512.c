#include "similarity.h"

#include <immintrin.h>

static __mmask16 lanes(int64_t left) {
    return left >= 16 ? 0xffff : (__mmask16)((1u << left) - 1);
}

static __m512 capped(const bc_bound *b, int f, __m512 distance) {
    return _mm512_min_ps(_mm512_mul_ps(distance, _mm512_set1_ps(b->slope[f])), _mm512_set1_ps(b->cap[f]));
}

int bc_near_avx512(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                   float most, int *kept) {
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    int count = 0;
    for (int i = 0; i < n; i += 16) {
        __mmask16 valid = lanes(n - i);
        __m512 loss = _mm512_setzero_ps();
        for (int f = 0; f < b->numbers; f++) {
            __m512 x = _mm512_maskz_loadu_ps(valid, numbers + f * stride + i);
            __m512 d = _mm512_abs_ps(_mm512_sub_ps(x, _mm512_set1_ps(b->x[f])));
            loss = _mm512_add_ps(loss, capped(b, f, d));
        }
        for (int s = 0; s < b->slots; s++) {
            __m512i state = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(valid, codes + s * stride + i));
            __m512 low = _mm512_loadu_ps(b->slot[s]), high = _mm512_loadu_ps(b->slot[s] + 16);
            loss = _mm512_add_ps(loss, _mm512_permutex2var_ps(low, state, high)); /* modulo 32 by itself */
        }
        __mmask16 near = _mm512_mask_cmp_ps_mask(valid, loss, _mm512_set1_ps(most), _CMP_LE_OQ);
        _mm512_mask_compressstoreu_epi32(kept + count, near, _mm512_add_epi32(steps, _mm512_set1_epi32(i)));
        count += __builtin_popcount(near);
    }
    return count;
}

void bc_far_avx512(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
                   float *loss) {
    for (int64_t i = 0; i < n; i += 16) {
        __mmask16 valid = lanes(n - i);
        __m512 sum = _mm512_setzero_ps();
        for (int f = 0; f < b->numbers; f++) {
            __m512 x = _mm512_set1_ps(b->x[f]);
            __m512 below = _mm512_sub_ps(_mm512_maskz_loadu_ps(valid, low + f * stride + i), x);
            __m512 above = _mm512_sub_ps(x, _mm512_maskz_loadu_ps(valid, high + f * stride + i));
            __m512 d = _mm512_max_ps(_mm512_max_ps(below, above), _mm512_setzero_ps());
            sum = _mm512_add_ps(sum, capped(b, f, d));
        }
        _mm512_mask_storeu_ps(loss + i, valid, sum);
    }
}

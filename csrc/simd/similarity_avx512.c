#include "similarity.h"

#include <immintrin.h>

static __mmask16 lanes(int64_t left) {
    return left >= 16 ? 0xffff : (__mmask16)((1u << left) - 1);
}

static __m512 loss_of(const bc_bound *b, int f, __m512 d) {
    __m512 bent = _mm512_mul_ps(_mm512_set1_ps(b->bend[f]), d);
    __m512 loss = _mm512_min_ps(_mm512_mul_ps(_mm512_set1_ps(b->slope[f]), d),
                                _mm512_add_ps(_mm512_set1_ps(b->rise[f]), bent));
    return _mm512_min_ps(loss, _mm512_set1_ps(b->cap[f]));
}

/* Of the rows that are valid, those that lose at most `most`, what their numbers lose being there. */
static int keep(const bc_bound *b, __m512 loss, const uint8_t *codes, int64_t stride, __mmask16 valid,
                float most, int first, int *kept) {
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int s = 0; s < b->slots; s++) {
        __m512i state = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(valid, codes + s * stride));
        __m512 low = _mm512_loadu_ps(b->slot[s]), high = _mm512_loadu_ps(b->slot[s] + 16);
        loss = _mm512_add_ps(loss, _mm512_permutex2var_ps(low, state, high)); /* modulo 32 by itself */
    }
    __mmask16 near = _mm512_mask_cmp_ps_mask(valid, loss, _mm512_set1_ps(most), _CMP_LE_OQ);
    _mm512_mask_compressstoreu_epi32(kept, near, _mm512_add_epi32(steps, _mm512_set1_epi32(first)));
    return __builtin_popcount(near);
}

static __m512 distance(const bc_bound *b, int f, __m512 x) {
    return _mm512_abs_ps(_mm512_sub_ps(x, _mm512_set1_ps(b->x[f])));
}

int bc_near_avx512(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                   float most, int *kept) {
    int count = 0;
    for (int i = 0; i < n; i += 16) {
        __mmask16 valid = lanes(n - i);
        __m512 loss = _mm512_setzero_ps();
        for (int f = 0; f < b->numbers; f++) {
            __m512 x = _mm512_maskz_loadu_ps(valid, numbers + f * stride + i);
            loss = _mm512_add_ps(loss, loss_of(b, f, distance(b, f, x)));
        }
        count += keep(b, loss, codes + i, stride, valid, most, i, kept + count);
    }
    return count;
}

_Static_assert(BC_RUN <= 32, "two vectors");

/* A run is two vectors at most, which are worked at together. */
int bc_near_bytes_avx512(const bc_bound *b, const uint8_t *bytes, int n, float most, int *kept) {
    __mmask16 one = lanes(n), two = n > 16 ? lanes(n - 16) : 0;
    __m512 loss = _mm512_setzero_ps(), loss2 = _mm512_setzero_ps();
    for (int f = 0; f < b->numbers; f++, bytes += n) {
        __m512i x = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(one, bytes));
        __m512i y = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(two, bytes + 16));
        loss = _mm512_add_ps(loss, loss_of(b, f, distance(b, f, _mm512_cvtepi32_ps(x))));
        loss2 = _mm512_add_ps(loss2, loss_of(b, f, distance(b, f, _mm512_cvtepi32_ps(y))));
    }
    int count = keep(b, loss, bytes, n, one, most, 0, kept);
    return count + keep(b, loss2, bytes + 16, n, two, most, 16, kept + count);
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
            sum = _mm512_add_ps(sum, loss_of(b, f, d));
        }
        _mm512_mask_storeu_ps(loss + i, valid, sum);
    }
}

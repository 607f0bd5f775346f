#include "similarity.h"

#include <immintrin.h>
#include <string.h>

/* The lanes that are left, all bits set in each. */
static __m256i lanes(int64_t left) {
    const __m256i steps = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(left < 8 ? (int)left : 8), steps);
}

static __m256 loss_of(const bc_bound *b, int f, __m256 d) {
    __m256 bent = _mm256_mul_ps(_mm256_set1_ps(b->bend[f]), d);
    __m256 loss = _mm256_min_ps(_mm256_mul_ps(_mm256_set1_ps(b->slope[f]), d),
                                _mm256_add_ps(_mm256_set1_ps(b->rise[f]), bent));
    return _mm256_min_ps(loss, _mm256_set1_ps(b->cap[f]));
}

/* The next bytes, as many as are left, each in a lane. */
static __m256i widened(const uint8_t *bytes, int left) {
    uint64_t packed = 0;
    if (left >= 8)
        memcpy(&packed, bytes, 8);
    else
        memcpy(&packed, bytes, (size_t)left);
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)packed));
}

/* Of the next rows, those that lose at most `most`, what their numbers lose being there. */
static int keep(const bc_bound *b, __m256 loss, const uint8_t *codes, int64_t stride, int left, float most,
                int first, int *kept) {
    const __m256i states = _mm256_set1_epi32(BC_STATES - 1);
    for (int s = 0; s < b->slots; s++) {
        __m256i state = _mm256_and_si256(widened(codes + s * stride, left), states);
        loss = _mm256_add_ps(loss, _mm256_i32gather_ps(b->slot[s], state, 4));
    }
    __m256 near = _mm256_cmp_ps(loss, _mm256_set1_ps(most), _CMP_LE_OQ);
    unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_and_ps(near, _mm256_castsi256_ps(lanes(left))));
    int count = 0;
    for (; mask; mask &= mask - 1) kept[count++] = first + __builtin_ctz(mask);
    return count;
}

static __m256 distance(const bc_bound *b, int f, __m256 x) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), _mm256_sub_ps(x, _mm256_set1_ps(b->x[f])));
}

int bc_near_avx2(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
                 float most, int *kept) {
    int count = 0;
    for (int i = 0; i < n; i += 8) {
        __m256 loss = _mm256_setzero_ps();
        for (int f = 0; f < b->numbers; f++) {
            __m256 x = _mm256_maskload_ps(numbers + f * stride + i, lanes(n - i));
            loss = _mm256_add_ps(loss, loss_of(b, f, distance(b, f, x)));
        }
        count += keep(b, loss, codes + i, stride, n - i, most, i, kept + count);
    }
    return count;
}

int bc_near_bytes_avx2(const bc_bound *b, const uint8_t *bytes, int n, float most, int *kept) {
    int count = 0;
    for (int i = 0; i < n; i += 8) {
        __m256 loss = _mm256_setzero_ps();
        for (int f = 0; f < b->numbers; f++) {
            __m256 x = _mm256_cvtepi32_ps(widened(bytes + f * n + i, n - i));
            loss = _mm256_add_ps(loss, loss_of(b, f, distance(b, f, x)));
        }
        count += keep(b, loss, bytes + b->numbers * n + i, n, n - i, most, i, kept + count);
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
            sum = _mm256_add_ps(sum, loss_of(b, f, d));
        }
        _mm256_maskstore_ps(loss + i, valid, sum);
    }
}

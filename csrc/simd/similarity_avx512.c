#include "similarity_form.h"

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

/* The valid rows of a vector that lose at most `most`; `loss` has the losses of their numbers. */
static int keep(const bc_bound *b, __m512 loss, const uint8_t *codes, int64_t stride, __mmask16 valid,
                float most, int first, int *kept) {
    const __m512i steps = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int s = 0; s < b->slots; s++) {
        __m512i state = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(valid, codes + s * stride));
        __m512 low = _mm512_loadu_ps(b->slot[s]), high = _mm512_loadu_ps(b->slot[s] + 16);
        loss =
            _mm512_add_ps(loss, _mm512_permutex2var_ps(low, state, high)); /* the permutation is modulo 32 */
    }
    __mmask16 within = _mm512_mask_cmp_ps_mask(valid, loss, _mm512_set1_ps(most), _CMP_LE_OQ);
    _mm512_mask_compressstoreu_epi32(kept, within, _mm512_add_epi32(steps, _mm512_set1_epi32(first)));
    return __builtin_popcount(within);
}

static __m512 distance(const bc_bound *b, int f, __m512 x) {
    return _mm512_abs_ps(_mm512_sub_ps(x, _mm512_set1_ps(b->x[f])));
}

static int rows_within(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
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

static void box_loss(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
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

_Static_assert(BC_RUN == 32, "a vector of words");

/* Bytes as 256ths. */
static __m512i widened(const uint8_t *bytes) {
    return _mm512_slli_epi16(_mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)bytes)), 8);
}

/* The distances in a column, up to its reach. */
static __m512i apart(const bc_inner *in, int k, const bc_block *block) {
    const __m512i x = _mm512_set1_epi16((short)in->x[k]);
    const int64_t at = in->column[k] * block->stride;
    __m512i low = widened(block->low + at), high = block->codes ? low : widened(block->high + at);
    __m512i d = _mm512_or_si512(_mm512_subs_epu16(low, x), _mm512_subs_epu16(x, high));
    return _mm512_min_epu16(d, _mm512_set1_epi16((short)in->reach[k]));
}

static bc_kept entries_within(const bc_inner *in, const bc_block *block, uint16_t most, uint16_t below,
                              uint16_t loss[BC_RUN]) {
    __m512i sum = _mm512_set1_epi16((short)block->base);
    if (block->stems) sum = _mm512_adds_epu16(sum, _mm512_loadu_si512(block->stems));
    for (int k = 0; k < in->bent + in->straight; k++) {
        __m512i d = apart(in, k, block), slope = _mm512_set1_epi16((short)in->slope[k]);
        if (k < in->bent)
            slope = _mm512_subs_epu16(slope, _mm512_mulhi_epu16(_mm512_set1_epi16((short)in->curve[k]), d));
        sum = _mm512_adds_epu16(sum, _mm512_mulhi_epu16(slope, d));
    }
    for (int s = 0; s < in->slots && block->codes; s++) {
        __m512i state =
            _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(block->codes + s * block->stride)));
        __m512i table = _mm512_loadu_si512(in->slot[s]); /* the permutation is modulo 32 */
        sum = _mm512_adds_epu16(sum, _mm512_permutexvar_epi16(state, table));
    }
    _mm512_storeu_si512(loss, sum);
    const uint32_t within = _mm512_cmple_epu16_mask(sum, _mm512_set1_epi16((short)most)),
                   certain = _mm512_cmplt_epu16_mask(sum, _mm512_set1_epi16((short)below));
    return (bc_kept){within & bc_lanes(block->count), certain & bc_lanes(block->count)};
}

const bc_similarity_forms bc_similarity_avx512 = {rows_within,    box_loss,    columns,
                                                  entries_within, stem_losses, similarities};

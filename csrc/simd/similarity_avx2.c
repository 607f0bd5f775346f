#include "similarity_form.h"

#include <immintrin.h>
#include <string.h>

/* Mask of the remaining lanes. */
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

/* The remaining bytes, one per lane. */
static __m256i widened(const uint8_t *bytes, int left) {
    uint64_t packed = 0;
    if (left >= 8)
        memcpy(&packed, bytes, 8);
    else
        memcpy(&packed, bytes, (size_t)left);
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)packed));
}

/* The rows of a vector that lose at most `most`; `loss` has the losses of their numbers. */
static int keep(const bc_bound *b, __m256 loss, const uint8_t *codes, int64_t stride, int left, float most,
                int first, int *kept) {
    const __m256i states = _mm256_set1_epi32(BC_STATES - 1);
    for (int s = 0; s < b->slots; s++) {
        __m256i state = _mm256_and_si256(widened(codes + s * stride, left), states);
        loss = _mm256_add_ps(loss, _mm256_i32gather_ps(b->slot[s], state, 4));
    }
    __m256 within = _mm256_cmp_ps(loss, _mm256_set1_ps(most), _CMP_LE_OQ);
    unsigned mask = (unsigned)_mm256_movemask_ps(_mm256_and_ps(within, _mm256_castsi256_ps(lanes(left))));
    int count = 0;
    for (; mask; mask &= mask - 1) kept[count++] = first + __builtin_ctz(mask);
    return count;
}

static __m256 distance(const bc_bound *b, int f, __m256 x) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), _mm256_sub_ps(x, _mm256_set1_ps(b->x[f])));
}

static int rows_within(const bc_bound *b, const float *numbers, const uint8_t *codes, int64_t stride, int n,
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

static void box_loss(const bc_bound *b, const float *low, const float *high, int64_t stride, int64_t n,
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

_Static_assert(BC_RUN == 32, "a vector of bytes, two of words");

/* The words of 32 bytes in the low and high order of unpacking; packing restores the order. */
typedef struct {
    __m256i low, high;
} words;

static __m256i bytes_at(const uint8_t *bytes) {
    return _mm256_loadu_si256((const void *)bytes);
}

static __m256i lost(const bc_inner *in, int k, __m256i low, __m256i high) {
    const __m256i x = _mm256_set1_epi16((short)in->x[k]);
    __m256i d = _mm256_or_si256(_mm256_subs_epu16(low, x), _mm256_subs_epu16(x, high));
    __m256i slope = _mm256_set1_epi16((short)in->slope[k]);
    d = _mm256_min_epu16(d, _mm256_set1_epi16((short)in->reach[k]));
    if (k < in->bent)
        slope = _mm256_subs_epu16(slope, _mm256_mulhi_epu16(_mm256_set1_epi16((short)in->curve[k]), d));
    return _mm256_mulhi_epu16(slope, d);
}

static words add_number(words sum, const bc_inner *in, int k, const bc_block *block) {
    const __m256i zero = _mm256_setzero_si256();
    const int64_t at = in->column[k] * block->stride;
    __m256i low = bytes_at(block->low + at), high = bytes_at(block->high + at);
    __m256i d = lost(in, k, _mm256_unpacklo_epi8(zero, low), _mm256_unpacklo_epi8(zero, high));
    __m256i e = lost(in, k, _mm256_unpackhi_epi8(zero, low), _mm256_unpackhi_epi8(zero, high));
    return (words){_mm256_adds_epu16(sum.low, d), _mm256_adds_epu16(sum.high, e)};
}

/* Look up 32 states in a table of the even or odd bytes of 32 words. */
static __m256i looked_up(__m256i first, __m256i last, __m256i state) {
    __m256i table = _mm256_permute4x64_epi64(_mm256_packus_epi16(first, last), 0xd8);
    __m256i index = _mm256_and_si256(state, _mm256_set1_epi8(15));
    __m256i low = _mm256_shuffle_epi8(_mm256_permute2x128_si256(table, table, 0x00), index);
    __m256i high = _mm256_shuffle_epi8(_mm256_permute2x128_si256(table, table, 0x11), index);
    return _mm256_blendv_epi8(low, high, _mm256_slli_epi16(state, 3)); /* by the state's fifth bit */
}

static words add_slot(words sum, const uint16_t *table, const uint8_t *codes) {
    const __m256i even = _mm256_set1_epi16(255);
    __m256i first = _mm256_loadu_si256((const void *)table);
    __m256i last = _mm256_loadu_si256((const void *)(table + 16)), state = bytes_at(codes);
    __m256i a = looked_up(_mm256_and_si256(first, even), _mm256_and_si256(last, even), state);
    __m256i b = looked_up(_mm256_srli_epi16(first, 8), _mm256_srli_epi16(last, 8), state);
    return (words){_mm256_adds_epu16(sum.low, _mm256_unpacklo_epi8(a, b)),
                   _mm256_adds_epu16(sum.high, _mm256_unpackhi_epi8(a, b))};
}

/* The words in their order, from the order of unpacking or to it. */
static words exchanged(__m256i low, __m256i high) {
    return (words){_mm256_permute2x128_si256(low, high, 0x20), _mm256_permute2x128_si256(low, high, 0x31)};
}

/* A bit for each word of at most this. */
static uint32_t at_most(words sum, __m256i most) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i low = _mm256_cmpeq_epi16(_mm256_subs_epu16(sum.low, most), zero);
    __m256i high = _mm256_cmpeq_epi16(_mm256_subs_epu16(sum.high, most), zero);
    return (uint32_t)_mm256_movemask_epi8(_mm256_packs_epi16(low, high));
}

static bc_kept entries_within(const bc_inner *in, const bc_block *block, uint16_t most, uint16_t below,
                              uint16_t loss[BC_RUN]) {
    words sum = {_mm256_set1_epi16((short)block->base), _mm256_set1_epi16((short)block->base)};
    if (block->stems) {
        words stems = exchanged(bytes_at((const uint8_t *)block->stems),
                                bytes_at((const uint8_t *)(block->stems + 16)));
        sum = (words){_mm256_adds_epu16(sum.low, stems.low), _mm256_adds_epu16(sum.high, stems.high)};
    }
    for (int k = 0; k < in->bent + in->straight; k++) sum = add_number(sum, in, k, block);
    for (int s = 0; s < in->slots && block->codes; s++)
        sum = add_slot(sum, in->slot[s], block->codes + s * block->stride);
    const words in_order = exchanged(sum.low, sum.high);
    _mm256_storeu_si256((void *)loss, in_order.low);
    _mm256_storeu_si256((void *)(loss + 16), in_order.high);
    const uint32_t lanes = bc_lanes(block->count);
    const uint32_t certain = below ? at_most(sum, _mm256_set1_epi16((short)(below - 1))) : 0;
    return (bc_kept){at_most(sum, _mm256_set1_epi16((short)most)) & lanes, certain & lanes};
}

const bc_similarity_forms bc_similarity_avx2 = {rows_within,    box_loss,    columns,
                                                entries_within, stem_losses, similarities};

#include "rank.h"

#include <immintrin.h>

#define V(name) _mm512_##name
#define BITS(name) _mm512_##name##_si512

typedef __m512i vec;
enum { LANES = 4 };

static inline vec load_lanes(const uint8_t *from, ptrdiff_t apart) {
    vec v = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)from));
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(from + apart)), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(from + 2 * apart)), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128((const __m128i *)(from + 3 * apart)), 3);
}

static inline void store_lanes(uint32_t *to, ptrdiff_t apart, vec v) {
    _mm_storeu_si128((__m128i *)to, _mm512_castsi512_si128(v));
    _mm_storeu_si128((__m128i *)(to + apart), _mm512_extracti32x4_epi32(v, 1));
    _mm_storeu_si128((__m128i *)(to + 2 * apart), _mm512_extracti32x4_epi32(v, 2));
    _mm_storeu_si128((__m128i *)(to + 3 * apart), _mm512_extracti32x4_epi32(v, 3));
}

static inline vec spread(const uint8_t *sixteen) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)sixteen));
}

static inline uint64_t nonzero(vec v) {
    return _mm512_test_epi8_mask(v, v);
}

#include "rank_lanes.h"

ptrdiff_t bc_rank_avx512(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    return rank_lanes(cards, n, k, out);
}

#include "rank.h"

#include <immintrin.h>

#define V(name) _mm256_##name
#define BITS(name) _mm256_##name##_si256

typedef __m256i vec;
enum { LANES = 2 };

static inline vec load_lanes(const uint8_t *from, ptrdiff_t apart) {
    __m128i low = _mm_loadu_si128((const __m128i *)from);
    __m128i high = _mm_loadu_si128((const __m128i *)(from + apart));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void store_lanes(uint32_t *to, ptrdiff_t apart, vec v) {
    _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(v));
    _mm_storeu_si128((__m128i *)(to + apart), _mm256_extracti128_si256(v, 1));
}

static inline vec spread(const uint8_t *sixteen) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)sixteen));
}

static inline uint64_t nonzero(vec v) {
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_setzero_si256())) & 0xffffffffu;
}

#include "rank_lanes.h"

ptrdiff_t bc_rank_avx2(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    return rank_lanes(cards, n, k, out);
}

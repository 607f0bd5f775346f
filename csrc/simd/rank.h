/* The vector forms of bc_rank_batch: blocks of valid hands from the front; returns the number of rows ranked.
 */
#ifndef BAYCARP_SIMD_RANK_H
#define BAYCARP_SIMD_RANK_H

#include <stddef.h>
#include <stdint.h>

ptrdiff_t bc_rank_avx2(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out);
ptrdiff_t bc_rank_avx512(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out);

#endif

/* The instruction sets with specialised forms of kernels; every form gives the same bits.

   A dispatched kernel takes the level as its first argument, from BC_BASE to bc_simd_best(), so that a test
   can run all of them. */
#ifndef BAYCARP_SIMD_H
#define BAYCARP_SIMD_H

/* Each level includes the levels before it. BC_AVX512 is AVX-512 F, BW, DQ and VL. */
enum bc_simd { BC_BASE, BC_AVX2, BC_AVX512 };

/* The highest level of this processor and this build. */
enum bc_simd bc_simd_best(void);

#endif

/* The instruction sets that some kernels have a form of their own for; every form gives the same bits.

   A dispatched kernel takes the level as its first argument, from BC_BASE to bc_simd_best(), so that the
   caller chooses once and a test can walk them all. */
#ifndef BAYCARP_SIMD_H
#define BAYCARP_SIMD_H

/* Each level has what those before it have. BC_AVX512 is AVX-512 F, BW, DQ and VL. */
enum bc_simd { BC_BASE, BC_AVX2, BC_AVX512 };

/* What this processor and this build can do. */
enum bc_simd bc_simd_best(void);

#endif

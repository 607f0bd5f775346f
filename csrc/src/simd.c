#include "baycarp/simd.h"

enum bc_simd bc_simd_best(void) {
#ifdef BC_X86_LEVELS
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return BC_AVX512;
    if (__builtin_cpu_supports("avx2")) return BC_AVX2;
#endif
    return BC_BASE;
}

#include <assert.h>
#include <math.h>

#include "baycarp/sweep.h"

#define FORM(name) name##_base
#include "../simd/potential_form.h"

static void count_changes(enum bc_simd level, const uint8_t *board, int n, bc_changes *sum) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) bc_standing_changes_avx512(board, n, sum);
    if (level == BC_AVX2) bc_standing_changes_avx2(board, n, sum);
#endif
    if (level == BC_BASE) bc_standing_changes_base(board, n, sum);
}

void bc_sweep_potential(enum bc_simd level, const uint8_t *board, int n, double *hs, double *ppot,
                        double *npot) {
    assert(n == 3 || n == 4);
    bc_changes sum;
    bc_sweep(level, board, n, NULL, hs);
    count_changes(level, board, n, &sum);
    /* Twice the pairs of rival and next card; of them twice those ahead of the rival and once those tied. */
    const double pairs = (50 - n) * (49 - n), cards = 48 - n;
    for (int i = 0; i < BC_HOLDINGS; i++) {
        if (isnan(hs[i])) {
            ppot[i] = npot[i] = NAN;
            continue;
        }
        const double risk = rint(pairs * hs[i]) * cards, hope = pairs * cards - risk;
        ppot[i] = hope > 0 ? sum.rise[i] / hope : 0;
        npot[i] = risk > 0 ? sum.fall[i] / risk : 0;
    }
}

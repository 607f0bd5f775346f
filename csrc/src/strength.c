#include "baycarp/strength.h"

#define FORM(name) name##_base
#include "../simd/strength_form.h"

int bc_strengths(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, int ahead,
                 const double *const *weights, int ranges, bc_standings *out) {
#ifdef BC_X86_LEVELS
    if (level >= BC_AVX2) return bc_strengths_avx2(hole, board, n, ahead, weights, ranges, out);
#endif
    (void)level;
    return bc_strengths_base(hole, board, n, ahead, weights, ranges, out);
}

bool bc_strength(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, int ahead,
                 const double *weights, bc_standings *out) {
    return bc_strengths(level, hole, board, n, ahead, &weights, 1, out) == 1;
}

static double beaten(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n,
                     const double *weights, double *met) {
#ifdef BC_X86_LEVELS
    if (level >= BC_AVX2) return bc_beaten_avx2(hole, board, n, weights, met);
#endif
    (void)level;
    return bc_beaten_base(hole, board, n, weights, met);
}

double bc_beaten(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, const double *weights,
                 double *met) {
    const double won = beaten(level, hole, board, n, weights, met);
    return won < *met ? won : *met; /* the two sums are rounded apart */
}

void bc_expected_strength(enum bc_simd level, const uint8_t *hole, const uint8_t *board, int n, double *mean,
                          double *square) {
#ifdef BC_X86_LEVELS
    if (level >= BC_AVX2) {
        bc_expected_strength_avx2(hole, board, n, mean, square);
        return;
    }
#endif
    (void)level;
    bc_expected_strength_base(hole, board, n, mean, square);
}

double bc_hs(const bc_standings *s) {
    return (s->now[BC_AHEAD] + s->now[BC_TIED] / 2) /
           (s->now[BC_AHEAD] + s->now[BC_TIED] + s->now[BC_BEHIND]);
}

/* The probability of a change between ahead and behind; a change to or from a tie counts half. */
static double crossing(const bc_standings *s, int from, int to) {
    double total[3];
    for (int x = 0; x < 3; x++) total[x] = s->then[x][BC_AHEAD] + s->then[x][BC_TIED] + s->then[x][BC_BEHIND];
    const double outcomes = total[from] + total[BC_TIED] / 2;
    const double crossed = s->then[from][to] + s->then[from][BC_TIED] / 2 + s->then[BC_TIED][to] / 2;
    return outcomes > 0 ? crossed / outcomes : 0;
}

double bc_ppot(const bc_standings *s) {
    return crossing(s, BC_BEHIND, BC_AHEAD);
}

double bc_npot(const bc_standings *s) {
    return crossing(s, BC_AHEAD, BC_BEHIND);
}

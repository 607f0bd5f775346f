#ifdef __GNUC__
#define WIDTH 2
#else
#define WIDTH 1
#endif
#define FORM(name) name##_base
#include "../simd/response.h"

#include <assert.h>
#include <stddef.h>

static void bc_group_reach_base(const bc_group *g, const bc_lanes *reach);
static void bc_group_value_base(const bc_group *g, const bc_lanes *reach, bc_lanes *value);
#include "../simd/response_form.h"

static void group_reach(enum bc_simd level, const bc_group *g, const bc_lanes *reach) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) bc_group_reach_avx512(g, reach);
    if (level == BC_AVX2) bc_group_reach_avx2(g, reach);
#endif
    if (level == BC_BASE) bc_group_reach_base(g, reach);
}

static void group_value(enum bc_simd level, const bc_group *g, const bc_lanes *reach, bc_lanes *value) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) bc_group_value_avx512(g, reach, value);
    if (level == BC_AVX2) bc_group_value_avx2(g, reach, value);
#endif
    if (level == BC_BASE) bc_group_value_base(g, reach, value);
}

static bc_group group_of(const bc_street *s, int number) {
    const size_t policies = (size_t)BC_STREET_ANSWERS * (size_t)s->cells * 3 * BC_STREET_LANES;
    return (bc_group){.s = s, .policy = s->policy + (size_t)number * policies, .paid = s->paid[number]};
}

void bc_street_reach(enum bc_simd level, const bc_street *s, const bc_lanes *reach, bc_lanes *ends) {
    const size_t all = (size_t)s->holdings, every = (size_t)s->groups * BC_STREET_ENDS * all;
    memset(ends, 0, every * sizeof *ends);
    for (int i = 0; i < s->groups && !bc_stopped(s->stop); i++) {
        bc_group g = group_of(s, i);
        g.reached = ends + (size_t)i * BC_STREET_ENDS * all;
        group_reach(level, &g, reach + (size_t)i * all);
    }
}

void bc_street_value(enum bc_simd level, const bc_street *boards, int n, const bc_lanes *reach,
                     const bc_lanes *ends, bc_lanes *value) {
    const size_t all = (size_t)boards->holdings;
    for (int i = 0; i < boards->groups && !bc_stopped(boards->stop); i++)
        for (int b = 0; b < n; b++) {
            assert(!ends == !!boards[b].rank);
            bc_group g = group_of(boards + b, i);
            if (ends) g.valued = ends + (size_t)i * BC_STREET_ENDS * all;
            group_value(level, &g, reach + (size_t)i * all, value + (size_t)i * all);
        }
}

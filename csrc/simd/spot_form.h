/* Every form of the walk through a spot: loops over lanes, which compilers vectorise. No sum runs across
   lanes and every sum has one order, so all forms give the same bits. */
#include "spot.h"

#include <float.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed between inlined functions only */

#ifdef __clang__
#define SPOT_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define SPOT_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (NAME(order)){__VA_ARGS__})
#endif

/* Leaves are summed in double precision whatever the rows have: the weight of holdings that clash is taken
   out of sums that may be ten million times larger than what stays. */
typedef double lanes __attribute__((vector_size(SPOT_LANES * sizeof(double)), aligned(64)));
typedef double eight __attribute__((vector_size(8 * sizeof(double)), aligned(64)));

/* Tables of 16 bits: a scale for all cells of a decision, so that the largest has all bits. */
enum { PACKED = SPOT_REGISTER / sizeof(float) };
typedef float floats __attribute__((vector_size(SPOT_REGISTER), aligned(sizeof(float))));
typedef int32_t words __attribute__((vector_size(SPOT_REGISTER)));
typedef int16_t shorts __attribute__((vector_size(SPOT_REGISTER / 2), aligned(sizeof(int16_t))));
typedef uint16_t counts __attribute__((vector_size(SPOT_REGISTER / 2), aligned(sizeof(uint16_t))));

static void unpack_regret(const int16_t *from, float scale, size_t cells, float *to) {
    for (size_t i = 0; i < cells; i += PACKED)
        *(floats *)(to + i) = __builtin_convertvector(*(const shorts *)(from + i), floats) * scale;
}

static void unpack_sum(const uint16_t *from, float scale, size_t cells, float *to) {
    for (size_t i = 0; i < cells; i += PACKED)
        *(floats *)(to + i) = __builtin_convertvector(*(const counts *)(from + i), floats) * scale;
}

static float largest(const float *from, size_t cells) {
    words most = {0}; /* floats without signs are in the order of their bits */
    for (size_t i = 0; i < cells; i += PACKED) {
        const words size = (words)(*(const floats *)(from + i)) & INT32_MAX, more = size > most;
        most = (size & more) | (most & ~more);
    }
    int32_t bits = 0;
    for (size_t l = 0; l < PACKED; l++) bits = most[l] > bits ? most[l] : bits;
    float found;
    memcpy(&found, &bits, sizeof found);
    return found;
}

static float pack_regret(const float *from, size_t cells, int16_t *to) {
    const float most = largest(from, cells), by = most > 1e-30f ? 32767 / most : 0;
    for (size_t i = 0; i < cells; i += PACKED) {
        const floats scaled = *(const floats *)(from + i) * by;
        const words half = ((words)scaled & INT32_MIN) | (words)((floats){0} + 0.5f);
        *(shorts *)(to + i) =
            __builtin_convertvector(__builtin_convertvector(scaled + (floats)half, words), shorts);
    }
    return most / 32767;
}

static float pack_sum(const float *from, size_t cells, uint16_t *to) {
    const float most = largest(from, cells), by = most > 1e-30f ? 65535 / most : 0;
    for (size_t i = 0; i < cells; i += PACKED) {
        const words whole = __builtin_convertvector(*(const floats *)(from + i) * by + 0.5f, words);
        *(counts *)(to + i) = __builtin_convertvector(whole, counts);
    }
    return most / 65535;
}

/* A decision's cells as numbers: the table itself, or unpacked. */
typedef struct {
    float *regret, *sum;
    size_t at, cells, choice;
} table;

static table open_table(const bc_spot_solver *s, const spot_side *side, int node, int cell, int actions,
                        float *spare) {
    table t = {.at = side->base + (size_t)cell * (size_t)side->padded,
               .cells = (size_t)actions * (size_t)side->padded,
               .choice = side->choice + (size_t)s->choice[node]};
    if (s->bits == 32) {
        t.regret = (float *)s->tables.regret + t.at;
        t.sum = (float *)s->tables.sum + t.at;
    } else {
        t.regret = spare;
        t.sum = spare + t.cells;
    }
    return t;
}

static void read_regret(const bc_spot_solver *s, const table *t) {
    if (s->bits == 16)
        unpack_regret((int16_t *)s->tables.regret + t->at, s->tables.regret_scale[t->choice], t->cells,
                      t->regret);
}

static void read_sum(const bc_spot_solver *s, const table *t) {
    if (s->bits == 16)
        unpack_sum((uint16_t *)s->tables.sum + t->at, s->tables.sum_scale[t->choice], t->cells, t->sum);
}

static void write_regret(const bc_spot_solver *s, const table *t) {
    if (s->bits == 16)
        s->tables.regret_scale[t->choice] =
            pack_regret(t->regret, t->cells, (int16_t *)s->tables.regret + t->at);
}

static void write_sum(const bc_spot_solver *s, const table *t) {
    if (s->bits == 16)
        s->tables.sum_scale[t->choice] = pack_sum(t->sum, t->cells, (uint16_t *)s->tables.sum + t->at);
}

#define REAL float
#define WHOLE int32_t
#define NAME(word) word##_single
#include "spot_walk.h"
#undef REAL
#undef WHOLE
#undef NAME

#define REAL double
#define WHOLE int64_t
#define NAME(word) word##_double
#include "spot_walk.h"
#undef REAL
#undef WHOLE
#undef NAME

SCOPE const spot_forms FORM = {
    {open_single, child_single, close_single, probe_single},
    {open_double, child_double, close_double, probe_double},
};

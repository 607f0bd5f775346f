/* Every form of the walk through a spot: loops over lanes, which compilers vectorise. No sum runs across
   lanes and every sum has one order, so all forms give the same bits. */
#include "spot.h"

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

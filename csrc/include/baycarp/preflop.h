/* Exact pre-flop tables: all-in equity of two holdings or two ranges, and strength of the 169 classes.

   Suits have no order, so the equity of two holdings depends on their ranks and on the equalities of the four
   suits: with the first holding's suits s t and the second's u v (the higher card's first), one of fifteen
   patterns. The table stores the contribution of each equality; the value of a pattern is the sum over its
   equalities. So a sum over all suits of two ranges factors: "s = u" depends only on their weights by the
   suit of the higher card. csrc/gen/README.md derives it. */
#ifndef BAYCARP_PREFLOP_H
#define BAYCARP_PREFLOP_H

#include <stdint.h>

#include "baycarp/card.h"

#define BC_BOARDS 1712304         /* boards of two holdings, C(48, 5) */
#define BC_PREFLOP_BOARDS 2118760 /* boards of one holding, C(50, 5) */
#define BC_PREFLOP_PAIRS 990      /* opposing holdings on each of these boards */
#define BC_RANK_PAIRS 91          /* pairs of ranks, high >= low, numbered high * (high + 1) / 2 + low */
#define BC_CLASSES 169

/* The starting class of each holding: a cell of the 13 x 13 grid row by row, ranks falling from the ace,
   suited above the diagonal. */
extern const uint8_t bc_preflop_class[BC_HOLDINGS];

enum bc_pattern {
    BC_FREE, /* no equality */
    BC_ST,
    BC_UV,
    BC_ST_UV,
    BC_SU,
    BC_SV,
    BC_TU,
    BC_TV,
    BC_STU,
    BC_STV,
    BC_SUV,
    BC_TUV,
    BC_SU_TV,
    BC_SV_TU,
    BC_STUV,
    BC_PATTERNS
};

/* By first * (first + 1) / 2 + second, for pairs of ranks first >= second: boards won minus boards lost by
   the first, as contributions of the equalities. */
extern const int32_t bc_preflop_lead[BC_RANK_PAIRS * (BC_RANK_PAIRS + 1) / 2][BC_PATTERNS];

/* By class * (class - 1) / 2 + smaller class: boards won minus boards lost by the first, over all
   compatible pairs of holdings. */
extern const int32_t bc_preflop_class_lead[BC_CLASSES * (BC_CLASSES - 1) / 2];

/* By class, over all boards: the sum of h and of h^2, where h = 2 * beaten + tied of the 990 holdings is
   the strength in units of 1/1980. */
extern const uint64_t bc_preflop_strength[BC_CLASSES];
extern const uint64_t bc_preflop_square[BC_CLASSES];

/* Boards won minus boards lost by holding a = {a0, a1} against {b0, b1}: four different cards. */
int32_t bc_preflop_matchup(int a0, int a1, int b0, int b1);

typedef struct {
    double lead;  /* weight of the pairs that a wins minus those that it loses, over all boards */
    double total; /* weight of all pairs, over all boards; 0 without a compatible pair */
} bc_preflop_shares;

/* The weight of a compatible pair of holdings is a[i] * b[j]; a, b: BC_HOLDINGS numbers >= 0. Sums are in
   double: exact for small integer weights. */
bc_preflop_shares bc_preflop_equity(const double *a, const double *b);

#endif

/* The value of each move of hero's one holding against modelled opponents, by sampled hands.

   A playout draws one hand of the models of search.h (clusters, holdings, the rest of the board) and plays it
   out once for each move: the same cards, and in the same place the same luck of the opponents' choices, so
   that the errors of differences are small. Hero's later decisions follow a policy that is learned on the
   way: the best mean of what a move won, in pots, by public situation and own bucket. So it never depends on
   cards that hero would not see. What a move won is half the hand's result and half what was learned of the
   next own decision. Once more the hand is played out after one of the moves with half of hero's later moves
   at random: that teaches, and is not counted.

   It begins with what was learned before, in other hands, of its two coarsest kinds of situations (`known`):
   a hand's own playouts are too few to learn them.

   A playout is unbiased for the value of the policy learned before it. The first quarter of the
   playouts is forgotten, and so the value is nearly that of the last policy: a lower bound of the best play
   against the models. The error is that of this value, not of how far the policy is from the best.

   Leaves are exact: a fold, or a showdown with all pots. Cards of folded players are not drawn. */
#ifndef BAYCARP_LOOKAHEAD_H
#define BAYCARP_LOOKAHEAD_H

#include "baycarp/search.h"

enum {
    BC_LOOK_HALVES = 3,
    BC_LOOK_COARSE = 1 << 16 /* keys of the two coarsest kinds of situations are below */
};

/* What was won after each move in a situation, in pots. */
typedef struct {
    uint64_t key; /* 0 = free */
    float mean[BC_SEARCH_MOVES];
    uint32_t visits[BC_SEARCH_MOVES];
} bc_look_cell;

/* Sums over the playouts of a part. */
typedef struct {
    int64_t count;
    double sum[BC_SEARCH_MOVES], product[BC_SEARCH_MOVES][BC_SEARCH_MOVES];
} bc_look_sums;

/* The caller fills the first part; bc_look_start the rest. */
typedef struct {
    bc_search *search; /* its first part, without explore, prune, backup, nodes and capacity; `featured` */
    bc_look_cell *cells;
    double strength[BC_STREETS][BC_SEARCH_BUCKETS]; /* of each bucket of hero: a share that it beats, 0..1 */
    int64_t capacity;          /* of cells, a power of two; when they are full, no new situation is learned */
    const bc_look_cell *known; /* coarse ones, each key once, at most capacity / 2 */
    int64_t known_count;

    int64_t used;
    int64_t playouts, next;             /* next: the playout that begins the next part */
    bc_look_sums parts[BC_LOOK_HALVES]; /* of the last doublings, the latest first */
} bc_look;

typedef struct {
    bc_move move;
    double value; /* chips from this decision on; a fold is 0; NaN without a playout */
    double error; /* standard error; infinite below two playouts */
} bc_look_value;

void bc_look_start(bc_look *look, uint64_t seed);

/* More playouts; n and then m give the same bits as n + m. */
void bc_look_run(bc_look *look, int64_t playouts);

/* values[BC_SEARCH_MOVES]; returns their number. */
int bc_look_values(const bc_look *look, bc_look_value *values);

/* The coarse situations that are known, in no order; into cells[capacity / 2], or NULL to count them. */
int64_t bc_look_learned(const bc_look *look, bc_look_cell *cells);

/* The standard error of the difference of two moves' values. */
double bc_look_difference(const bc_look *look, int one, int other);

#endif

/* Equilibria of heads-up spots: a board of three to five cards, a public betting tree to the end of the hand,
   one weighted list of holdings a player. Counterfactual regret minimisation with vectors over the holdings
   (Johanson, Waugh, Bowling and Zinkevich 2011), alternating updates, discounted sums (Brown and Sandholm
   2019). Nothing is sampled or abstracted.

   Tree. Nodes in arrays, the root is node 0, children are contiguous and come after their parent. Cards are
   not in the tree: the betting is the same after every card.

       BC_SPOT_DECISION   `player` chooses among the children
       BC_SPOT_END        all but one have folded; `payoff` by player, three equal numbers
       BC_SPOT_SHOWDOWN   on the river, or before it when nobody can bet: all cards to come are dealt, exactly
       BC_SPOT_DEAL       one child, the first node of the next street
       BC_SPOT_SUM        the value is the sum of the children's, all of which are reached
       BC_SPOT_GIVEN      on the first street: `player` has what is given for its holding, and the other one
                          the rest of `payoff[node][other]`, three equal numbers

   A decision above the rest of the tree, of a player that takes what is given or plays, is the gadget of safe
   re-solving (Burch, Johanson and Bowling 2014).

   `payoff[node][player]` is what a player has from the hand if it wins, ties or loses, in chips from the
   start of the spot: its share of the pot less its bets.

   Holdings. A list may have the same two cards several times (at most BC_SPOT_TYPES): types of a player, each
   with a weight and a policy of its own. Holdings that clash with the board or have no weight are left out.

   Tables. For each board, decision and action a float for each holding: `regret` and `sum`. Boards that
   differ by interchangeable suits share theirs.

   Work. `bc_spot_run` runs on the threads of the caller, one call each, at the same time. Results have the
   same bits for any number of threads and at every level. */
#ifndef BAYCARP_SPOT_H
#define BAYCARP_SPOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/simd.h"
#include "baycarp/stop.h"

enum { BC_SPOT_DECISION, BC_SPOT_END, BC_SPOT_SHOWDOWN, BC_SPOT_DEAL, BC_SPOT_SUM, BC_SPOT_GIVEN };
enum { BC_SPOT_STREETS = 3, BC_SPOT_TYPES = 15, BC_SPOT_LIST = 4078, BC_SPOT_ACTIONS = 32 };
enum bc_spot_mode { BC_SPOT_MEAN, BC_SPOT_LOCKED, BC_SPOT_FREE };

typedef struct {
    int nodes;
    const uint8_t *kind;
    const int8_t *player;
    const int32_t *first, *count;
    const double *payoff; /* nodes x 2 players x (win, tie, lose) */
} bc_spot_tree;

typedef struct {
    int cards; /* 3 to 5 */
    uint8_t board[5];
    uint8_t suit[4];        /* suits of one number are interchangeable in both lists and all locks */
    int count[2];           /* at most BC_SPOT_LIST */
    const uint8_t *card[2]; /* count x 2, no two equal */
    const float *weight[2];
    bc_spot_tree tree;
    int bits;    /* of a cell of a table: 32 or 16 */
    int threads; /* of bc_spot_run */
} bc_spot_game;

/* The weights of iteration t (1, 2, ...) are computed from t - 1: positive regrets are multiplied with
   t^positive / (t^positive + 1), negative ones with t^negative / (t^negative + 1), or with 0 and 1/2 for
   negative = -HUGE_VAL and 0, and so on; sums with (t' / (t' + 1))^average, t' since the last power of
   `restart` (0 = never).

   Of the boards of the second street an iteration walks every `parts`-th (1 = all), the next ones in the next
   iteration, each with that much weight; their tables count their own iterations. */
typedef struct {
    double positive, negative, average;
    int restart, parts;
} bc_spot_weights;

typedef struct bc_spot_solver bc_spot_solver;

/* The bytes of a solver with all its tables; work: 3 x nodes numbers. */
size_t bc_spot_bytes(const bc_spot_game *spot, int32_t *work);

/* A solver in `memory` of that size, aligned to 64 bytes, with empty tables. The memory is all zero before,
   so that a large table costs nothing until it is written. The solver keeps no pointer of the spot. */
bc_spot_solver *bc_spot_make(const bc_spot_game *spot, int32_t *work, void *memory);

/* The weight of all pairs of holdings that can meet; a spot needs some. */
double bc_spot_mass(const bc_spot_solver *solver);

/* The tables, each cells numbers (float, or 16-bit integers), and the scales of 16-bit ones. */
typedef struct {
    size_t cells, scales;
    void *regret, *sum;
    float *regret_scale, *sum_scale;
} bc_spot_tables;
bc_spot_tables bc_spot_tables_of(bc_spot_solver *solver);

/* Iterations. After `begin`, `run` is called by as many threads as the spot names, with workers 0, 1, ...;
   worker 0 asks `stop` after each iteration. */
void bc_spot_begin(bc_spot_solver *solver, int iterations, const bc_spot_weights *weights);
void bc_spot_run(enum bc_simd level, bc_spot_solver *solver, int worker, bc_stop stop);
int64_t bc_spot_iterations(const bc_spot_solver *solver);
void bc_spot_resume(bc_spot_solver *solver, int64_t iterations);

/* The mean chips of a player, by `run` in the same way, in double precision: of the average strategies, or
   of its best response to the other's, with its locks or without. `keep`: the response becomes its average.
 */
void bc_spot_begin_value(bc_spot_solver *solver, int player, enum bc_spot_mode mode, bool keep);
double bc_spot_value(const bc_spot_solver *solver);

/* Boards: each stands for the cards dealt since the start that are equal but for interchangeable suits. */
int bc_spot_boards(const bc_spot_solver *solver, int node); /* of the street of a decision */
int32_t bc_spot_board(const bc_spot_solver *solver, int node, int number,
                      uint8_t *cards);                                       /* its cards, too */
int bc_spot_padded(const bc_spot_solver *solver, int32_t board, int player); /* holdings of a row */
/* The board that stands for these cards, -1 if they are impossible, and the suit that each suit becomes. */
int32_t bc_spot_find(const bc_spot_solver *solver, const uint8_t *cards, int dealt, uint8_t suit[4]);
/* The place of each holding of a board in the player's list, -1 for padding. */
void bc_spot_order(const bc_spot_solver *solver, int32_t board, int player, int32_t *listed);
/* The first cell of a decision on a board: its player's holdings, padded, for each action. */
size_t bc_spot_cell(const bc_spot_solver *solver, int node, int32_t board);

/* A node under the average strategies, as `player` sees it: the weight of the other's holdings times their
   probabilities of coming there; and the values of its own holdings times the weight that they meet: of every
   action at its own decision (`action`), of all at the other's decision and before a deal (`value`), not at
   other leaves. Below the node the player follows its average strategy, or plays its best response (`mode`).
   Rows are padded holdings of the board; all are divided by the cards left at each deal. */
typedef struct {
    double *reach, *value, *action;
} bc_spot_rows;
void bc_spot_probe(enum bc_simd level, bc_spot_solver *solver, int node, int32_t board, int player,
                   enum bc_spot_mode mode, bc_spot_rows rows);

/* Locks: the shares of actions by padded holding of a board. NaN = free; below 0 = free, with its absolute
   value as least share. What fixed and least shares leave of a holding is shared by its free actions. Sorted
   by node, then board; kept by the caller. */
typedef struct {
    int32_t node, board;
    const float *fixed;
} bc_spot_lock;
void bc_spot_set_locks(bc_spot_solver *solver, const bc_spot_lock *locks, int count);

void bc_spot_set_payoff(bc_spot_solver *solver, int node, const double payoff[6]);

/* What the player of a given leaf has there: chips by entry of its list; 0 until it is set. */
void bc_spot_set_given(bc_spot_solver *solver, int node, const double *chips);

#endif

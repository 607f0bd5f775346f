/* Determinised Monte-Carlo tree search in hold'em, limit or no-limit, against modelled opponents.

   An iteration draws a cluster and a holding for every opponent in, jointly and without clashes, and walks
   the tree from hero's decision. Hero's moves are selected by UCT, those of opponents are sampled from their
   policies given the bucket of their own holding. A node is a sequence of public moves and of hero's own
   buckets: the children of a deal are keyed by hero's bucket on the new board, so that the tree goes on after
   a deal and separates nothing that hero would not see. One node is added an iteration; from it the hand is
   played out by the policies, hero's own included. Leaves are exact: a fold, or a showdown with all pots.

   Sources: van der Kleij (2010), chapter 3 (equations 3.1, 3.3) and section 6.1. Our choices: the key of a
   deal (the source does not state one); holdings of folded players are not drawn. The memory is the caller's.
 */
#ifndef BAYCARP_SEARCH_H
#define BAYCARP_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/features.h"
#include "baycarp/game.h"
#include "baycarp/rng.h"

enum { BC_SEARCH_MOVES = 12, BC_SEARCH_SIZES = 8, BC_SEARCH_BUCKETS = 256, BC_GUIDES = 512 };

typedef struct {
    int kind;       /* BC_FOLD, BC_CALL, BC_RAISE */
    int64_t amount; /* of BC_RAISE: the total on the street; otherwise 0 */
} bc_move;

/* A decision of the player to act in `state`. */
typedef struct {
    const bc_variant *variant;
    const bc_state *state;
    const bc_move *moves; /* the legal ones of the abstraction: a fold if a call costs chips, call, raises */
    int count;
    int cluster;               /* of the player in this iteration; of hero always `self` */
    int bucket;                /* of its holding on the board of the street */
    const bc_past *past;       /* of a search whose policy reads it; otherwise NULL */
    const bc_texture *texture; /* likewise */
} bc_decision;

/* chances[count]: numbers >= 0, not all 0, of sum 1 up to rounding. */
typedef void (*bc_policy)(const void *context, const bc_decision *query, double *chances);

/* The bucket, 0..BC_SEARCH_BUCKETS - 1, of a holding on a board of `cards` cards; context may be a cache. */
typedef int (*bc_bucket)(void *context, const uint8_t *board, int cards, int holding);

/* The cluster of a position, given its holding, at the part `unit`, 0..1, of their probabilities. */
typedef int (*bc_refine)(const void *context, int seat, int holding, double unit);

/* How values return at hero's nodes: the mean by sampling frequency (equation 3.3), or the largest child's
   (section 3.6.2). At opponents' nodes and deals children always count by how often they were sampled. */
enum bc_backup { BC_FREQUENCY, BC_MAXIMUM };

typedef struct {
    double sum, squares;                /* of the results; chips of the whole hand */
    double value;                       /* backed up */
    double below;                       /* sum over children: visits * value */
    uint32_t visits, counted;           /* counted: visits of children */
    int32_t parent, child, next, moved; /* -1 = none */
    int16_t key;                        /* number of the move, or bucket of hero after a deal */
    bool owned, pruned;                 /* owned: hero is to act */
} bc_search_node;

/* The caller fills the first part; bc_search_start the rest. */
typedef struct {
    bc_variant variant;
    bc_state state; /* hero is to act */
    uint8_t hole[2], board[5];
    uint64_t dead;      /* cards that are in no hand and are not dealt, besides hole and board */
    int clusters, self; /* clusters of an opponent, >= 1; hero's cluster in its own policy */
    double *weights;    /* [seats][clusters][1326], >= 0, summing to the cluster's probability; replaced by
                           running sums at the start; not read for hero and folded players */
    bc_policy policy;
    const void *policy_context;
    bool featured; /* the policy reads the past: of a search that is not textured, its raises alone */
    bool textured; /* and the board's texture */
    bc_past past;  /* the actions before `state`; not read unless featured */
    bc_bucket bucket;
    void *bucket_context;
    bc_refine refine; /* draws a position's cluster given its holding, whose weights have one cluster then;
                         NULL = none */
    const void *refine_context;
    double
        sizes[BC_SEARCH_SIZES]; /* of no-limit raises, in pots after the call; besides the least and all-in */
    int size_count;
    bool sized;            /* all-in is a raise only where a size does not leave a chip */
    double explore;        /* C of equation 3.1, chips */
    double prune;          /* half-width in standard errors of progressive pruning; 0 = none */
    enum bc_backup backup; /* at hero's nodes */
    bc_search_node *nodes;
    int32_t capacity; /* of nodes, >= 1 + BC_SEARCH_MOVES; a full tree no longer grows */

    int32_t used;
    int hero, shown;
    uint16_t even;      /* positions whose free holdings have equal weights, in a refined search */
    bc_texture texture; /* of the root's board */
    int32_t guide[BC_SEATS][BC_GUIDES + 1]; /* into the running sums of each position */
    bc_move moves[BC_SEARCH_MOVES];
    int count;
    int64_t iterations; /* of this decision */
    int64_t forced;     /* deals that were drawn by Gibbs sampling: compatible ranges are rare */
    bc_rng rng;
} bc_search;

/* The result for one move of hero at the root. */
typedef struct {
    bc_move move;
    int64_t visits;
    double value; /* chips from this decision on; a fold is 0; NaN without a visit */
    double error; /* standard error of the mean of its results; infinite below two visits */
    bool pruned;
} bc_search_value;

/* The moves of the player to act: at most BC_SEARCH_MOVES. */
int bc_search_moves(const bc_search *search, const bc_state *state, bc_move *moves);

/* Start a tree of one node. Every opponent in has a holding of positive weight free of hole, board and dead.
 */
void bc_search_start(bc_search *search, uint64_t seed);

/* Continue after the moves of the hand since `then`, the state of the last root, hero's move first. The
   caller has set state, past, board and weights of the new decision; `bucket` still has the buckets of the
   last search, by which the tree is keyed, and may change afterwards. The tree below the moves is kept, and
   the result true, if every move is one of the abstraction and has a node, and BC_SEARCH_MOVES nodes are
   free; otherwise the tree starts again. */
bool bc_search_continue(bc_search *search, const bc_state *then, const bc_move *moves, int count,
                        uint64_t seed);

/* More iterations; calls with n and m give the same bits as one with n + m. */
void bc_search_run(bc_search *search, int64_t iterations);

/* values[BC_SEARCH_MOVES]; returns their number. */
int bc_search_values(const bc_search *search, bc_search_value *values);

/* Probabilities of the moves, proportional to exp(value / temperature) (equation 6.2); temperature in chips,
   0 = the largest value alone. Pruned and unvisited moves have 0; one move was visited. */
void bc_search_softmax(const bc_search *search, double temperature, double *chances);

#endif

/* What a spot's solver is made of: the boards with their holdings, and for each street the betting as a list
   of steps over rows (a row is a number for each holding of a board). Made once, read by all walks. */
#ifndef BAYCARP_SPOT_PLAN_H
#define BAYCARP_SPOT_PLAN_H

#include <stdatomic.h>

#include "baycarp/spot.h"

enum { SPOT_LANES = 16, SPOT_IMAGES = 4 };

/* Holdings of a board, by player: in order of the lists before the river, of their ranks on it. */
typedef struct {
    int count, padded;   /* padded to whole lanes */
    size_t base, choice; /* the board's first cell, and its first decision of the player */
    uint16_t *parent;    /* by holding: its place on the board before, on the first board in the list */
    uint16_t *into[SPOT_IMAGES]; /* by place on the board before: the holding under an image, or padded */
    uint8_t (*card)[2];
    uint16_t *twin; /* the other player's first holding of the same cards (padded: none) << 4 | how many */
} spot_side;

typedef struct {
    uint8_t card, images;        /* the card dealt last; the cards that it stands for */
    uint8_t image[SPOT_IMAGES];  /* these cards, itself first */
    uint8_t suit[4];             /* interchangeable from here on */
    uint64_t known;              /* cards on the board */
    int parent, child, children; /* boards; children are contiguous */
    spot_side side[2];
    int groups;           /* on the river: groups of equal rank */
    uint16_t (*group)[2]; /* where each ends, by player */
} spot_board;

/* The other player's decision: the row of its reach into one row an action. */
typedef struct {
    int node, cell, actions, reach, to, value;
} spot_forward;

/* The own decision: rows of the actions' values into one row. */
typedef struct {
    int node, cell, actions, from, value, reach;
    bool add;
} spot_backward;

/* The way to a next street. */
typedef struct {
    int node, reach, value;
    bool add;
} spot_exit;

/* Leaves that are evaluated together, one a lane. A showdown's lane may have a second row: what a fold at the
   same reach is worth. */
typedef struct {
    int count;
    bool folds;                                                 /* some lane has a second row */
    int reach[SPOT_LANES], value[SPOT_LANES], fold[SPOT_LANES]; /* fold: -1 = none */
    int node[SPOT_LANES], folded[SPOT_LANES];
    bool add[SPOT_LANES], fold_add[SPOT_LANES];
} spot_leaves;

/* A leaf whose value is given by holding. */
typedef struct {
    int node, reach, value;
    bool add;
} spot_given;

/* Lines of a street that are walked together. Rows 0, 1, ... are those of the lines. */
typedef struct {
    int line, lines;
    int forwards, backwards, exits, ends, showdowns, givens;
    spot_forward *forward;
    spot_backward *backward;
    spot_exit *exit;
    spot_leaves *end, *showdown;
    spot_given *given;
    int reaches, values; /* rows */
} spot_part;

typedef struct {
    int lines;
    int32_t *line;            /* the node that each line begins with */
    int cells[2], choices[2]; /* rows of a table, and decisions, by player */
    int parts[2];             /* by traverser */
    spot_part *part[2];
    int reaches[2], values[2], exits; /* most rows of a part */
    int board, boards;                /* of the street */
    int most[2];                      /* padded holdings */
} spot_street;

struct bc_spot_solver {
    int streets, cards, threads, bits, nodes;
    uint8_t start[5];
    int listed[2];
    spot_street street[BC_SPOT_STREETS];
    spot_board *board;
    int boards;
    int8_t *kind_of, *player_of, *level; /* by node */
    int32_t *first, *count;
    int32_t *cell, *choice; /* the rows and decisions of its player before it on its street */
    double *payoff;
    double **given;    /* by node: chips by holding of the first board */
    double middle[2];  /* taken from payoffs while solving: less to round */
    uint16_t *list[2]; /* by holding of the first board: its place in the list */
    float *weight[2];  /* by holding of the first board */
    bc_spot_tables tables;
    const bc_spot_lock *locks;
    int lock_count;
    uint8_t *locked; /* by node */
    /* work */
    char *scratch; /* by thread */
    size_t scratch_size;
    atomic_int *turn; /* by part of the second street: the board whose values are added next */
    int64_t iterations;
    int wanted, kind, player; /* the work: iterations, or a player's value */
    bool keep;
    double mass, value, *values; /* weight of all pairs; a player's value, and by holding */
    bc_spot_weights weights;
    atomic_int next, stopped;
    atomic_int waiting, round;
};

/* Builds the plan in `memory`, or counts its bytes for NULL; work: 3 x nodes. */
size_t spot_plan(const bc_spot_game *spot, int32_t *work, void *memory);

#endif

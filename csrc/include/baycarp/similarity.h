/* Exact retrieval under a weighted similarity that is not a metric.

   A case is a row of numbers (float), of slots (a code of a state: 0..30, or 255 = none) and of symbols (a
   code of a vocabulary of any size). Its similarity to a query is the weighted mean, in double, of its
   columns' local ones, numbers first, then slots, then symbols: of a number x e^(-decay * |x - q| / max), by
   bc_exp_nonpositive, or max(0, 1 - |x - q| / max) where decay is 0; of a slot the query's table at its
   state, of a symbol the query's table at its code. Every result is computed by this formula.

   Three cheaper bounds exclude rows from the search. Boxes: a cell is a set of close rows, and its runs of
   BC_RUN rows are closer; the bounding box of a cell or run bounds the similarity of its rows. Losses: a
   lower bound of the weight that a row or box loses, by chords below the concave losses, fitted to the
   current limit, in float with a margin above all rounding. Within a cell an approximation of the loss in
   integer units, with a limit of some thousand units, for rows and boxes as bytes: a number is rounded to one
   of 256 values between the least and the largest of its cell, its loss is a parabola; the limit is wider by
   the largest sum of these errors, and a row whose loss is below the limit by more than this sum is within it
   for certain. States: the least loss of a cell's slots, from the set of their states. Symbols have a loss of
   0 in these bounds; a row within them is dropped if its symbols alone lose more than the limit.

   Cells are searched best first until the bound of the next one exceeds the limit. The result equals that of
   a full scan, bit for bit, for any cells and any level.

   An example: a number of weight 3 (max 1, decay 0) and a slot of weight 1, so that the total is 4. The query
   has 0.5, and a table with 1 for state 2 and 0.4 for state 5.
     row (0.5, 2)   (3 * 1 + 1 * 1) / 4 = 1      it loses 0 of 4
     row (0.7, 5)   (3 * 0.8 + 0.4) / 4 = 0.7    it loses 3 * 0.2 + 0.6 = 1.2
     row (0.9, 2)   (3 * 0.6 + 1) / 4 = 0.7      it loses 3 * 0.4 = 1.2
   Rows of at least 0.8 are sought: none may lose more than 4 * 0.2 = 0.8, the limit. Of a cell with the last
   two rows the box is 0.7..0.9 and the set of states {2, 5}, so that a row of it loses at least 3 * 0.2 + 0 =
   0.6: it is searched, and both rows are dropped by their own losses. A cell with the box 0.9..1 loses at
   least 1.2: its rows are never read. */
#ifndef BAYCARP_SIMILARITY_H
#define BAYCARP_SIMILARITY_H

#include "baycarp/simd.h"

#include <stdint.h>

#define BC_NUMBERS 64 /* largest number of numeric columns */
#define BC_SLOTS 16   /* largest number of slots */
#define BC_SYMBOLS 8  /* largest number of symbols */
#define BC_STATES                                                                                            \
    32            /* entries of a slot's table; a code counts modulo 32, so that 255 = none is the last      \
                   */
#define BC_RUN 32 /* rows of a run */

/* Constants of the schema. */
typedef struct {
    int numbers, slots;
    const double *weight; /* numbers, then slots, then symbols; > 0 */
    const double *decay;  /* numbers; 0 = linear */
    const double *max;    /* numbers; > 0 */
    double total;         /* the sum of the weights, added in order */
    int symbols;
} bc_measure;

/* The similarity of each symbol of a vocabulary to the query's; of a code beyond it 0. */
typedef struct {
    const double *similarity; /* in [0, 1] */
    int64_t count;
} bc_vocabulary;

typedef struct {
    const float *numbers;
    const double *tables;            /* slots x BC_STATES, in [0, 1] */
    const bc_vocabulary *vocabulary; /* symbols */
} bc_query;

/* Rows, column by column. */
typedef struct {
    int64_t count, stride;
    const float *numbers;    /* numbers x stride */
    const uint8_t *codes;    /* slots x stride */
    const int32_t *order;    /* the name of each row; NULL = its place */
    const uint32_t *symbols; /* symbols x stride */
} bc_rows;

/* Rows sorted into runs, which are sorted into cells. Run r is the places starts[r] to starts[r + 1] - 1, at
   most BC_RUN; cell c is the runs cells[c] to cells[c + 1] - 1. Many rows share their
   first `stem` numbers: each such stem is computed once per query.

   The const arrays are input; the others are output of bc_similar_pack: the other numbers, row by row; the
   numbers from `bytes_from` on as bytes (0 and 255 are the least and largest of the cell) and the codes, run
   by run, each a block of columns; the boxes, of all numbers, those of a cell's runs as a block of columns.
   `bytes_from` is 0, or `stem`: then the bound of a row has the loss of its stem. */
typedef struct {
    int32_t count, runs;
    const int32_t *cells;  /* count + 1, from 0 */
    const int64_t *starts; /* runs + 1, from 0 */
    const int32_t *order;  /* the name of the row at each place */
    int32_t stem, stems;   /* numbers of a stem; number of stems */
    int32_t bytes_from;
    const float *stem_numbers;   /* stem x stems */
    const uint16_t *stem_of;     /* the stem of the row at each place */
    float *numbers;              /* rows x (numbers - stem) */
    uint8_t *bytes;              /* (numbers - bytes_from + slots) * rows, and BC_RUN more that may be read */
    float *low, *high;           /* numbers x count: the boxes of the cells */
    uint8_t *run_low, *run_high; /* numbers * runs: those of the runs, in bytes, and BC_RUN more */
    uint32_t *states;            /* slots x count: the codes of a cell, one bit each, modulo 32 */
    uint32_t *symbols;           /* rows x symbols */
} bc_cells;

static inline double bc_symbol(const bc_vocabulary *v, uint32_t code) {
    return code < v->count ? v->similarity[code] : 0.0;
}

/* The unit of a byte for a cell with numbers between these. */
static inline double bc_unit(double low, double high) {
    const double step = (high - low) / 255.0;
    return step > 1e-30 ? step : 1.0;
}

/* Sums over rows by solution, with an entry for each solution; rows are added to them. Solution and outcome
   of a scanned row are read by its place in bc_rows; those of a row in cells by its place there. */
typedef struct {
    const uint8_t *solution;
    const double *outcome;
    const uint8_t *solution_in_cells;
    const double *outcome_in_cells;
    int64_t *counts;
    double *outcomes;
    double *similarities; /* NULL: not added, so that most rows need none */
} bc_totals;

/* The at most `room` most similar rows at or above `at_least`; of ties the lower name. With totals, all rows
   at or above it are added to these instead, in no defined order; `room` is INT64_MAX, and no list is made.
 */
typedef struct {
    double at_least;
    int64_t room, count; /* count = 0 before the first call */
    double *similarity;
    int64_t *row;
    int64_t scored;          /* rows whose loss was computed */
    const bc_totals *totals; /* NULL: a list */
} bc_found;

/* Add rows at these places, of the cells or scanned, with computed similarities. */
void bc_similar_add(bc_found *found, int in_cells, const double *similarity, const int64_t *place, int count);

/* Offer rows with computed similarities to the list. */
void bc_similar_offer(bc_found *found, const double *similarity, const int64_t *row, int count);

/* Offer the rows from..to-1, all of them. */
void bc_similar_scan(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_rows *rows,
                     int64_t from, int64_t to, bc_found *found);

/* Pack rows, whose places are their names, into cells. */
void bc_similar_pack(int numbers, int slots, int symbols, const bc_rows *rows, bc_cells *cells);

/* Work space: an entry per cell, and per stem. */
typedef struct {
    float *bound;
    int32_t *queue;
    double *begun;   /* the sum of the similarities of a stem, */
    float *loss;     /* its loss, */
    uint16_t *units; /* and this in units of the bound in cells */
} bc_similar_work;

/* Offer every row of the cells that the bounds do not exclude. */
void bc_similar_cells(enum bc_simd level, const bc_measure *m, const bc_query *q, const bc_cells *cells,
                      bc_similar_work work, bc_found *found);

/* Write the result to other arrays, of `count` entries, in order: most similar first, then by name. */
void bc_similar_sort(const bc_found *found, double *similarity, int64_t *row);

#endif

/* The bound of the rows and runs of one cell of a search at a time (simd/similarity.h). */
#ifndef BAYCARP_SIMILARITY_CELL_H
#define BAYCARP_SIMILARITY_CELL_H

#include "../simd/similarity.h"

/* The bound of runs or of rows. */
typedef struct {
    bc_inner in;
    uint16_t base; /* the loss of all: by equal columns, and by the distance of the query from the cell */
    double error;  /* of bytes and parabolas */
    double more;   /* the loss that reach and chords leave out; INFINITY: no row is certain */
    int columns;   /* which are rounded to units */
} bc_cell_part;

typedef struct {
    const bc_similarity_forms *forms;
    const bc_measure *m;
    const bc_query *q;
    const bc_cells *cells;
    bc_similar_work work;
    const double *weight;        /* shares of the total weight */
    uint8_t columns[BC_NUMBERS]; /* the numbers, those with exponential losses first, */
    int curved;                  /* so many */
    bc_parabolas parabolas;
    double unit;        /* units per loss of 1 */
    bc_columns entered; /* the columns of the current cell */
    bc_cell_part runs, fewer;
    bc_cell_part *rows; /* &runs; or &fewer, without the columns of stems, whose losses are in a table */
} bc_cell_bound;

/* Units rounded down, for a lower bound. */
static inline uint16_t bc_whole(double units) {
    return (uint16_t)(int)(units < UINT16_MAX ? units : UINT16_MAX);
}

/* Prepare the bound for the cells of a search; of the work space, entries per stem are used. */
void bc_cell_begin(bc_cell_bound *b, const bc_similarity_forms *forms, const bc_measure *m, const bc_query *q,
                   const bc_cells *cells, const double *weight, bc_similar_work work);

/* Fit it to a limit of the loss; slot[i][state] is the loss of slot i in a state. */
void bc_cell_fit(bc_cell_bound *b, double limit, float (*slot)[BC_STATES]);

/* Convert it to the units of a cell. */
void bc_cell_enter(bc_cell_bound *b, int32_t cell);

/* The largest loss in units of a run or row that can be within the limit. */
uint16_t bc_cell_most(const bc_cell_bound *b, const bc_cell_part *of, double limit);

/* The loss in units below which a row is within the limit for certain. */
uint16_t bc_cell_certain(const bc_cell_bound *b, double limit);

/* The losses of the stems of the n rows from a place on, in units. */
void bc_cell_stems(const bc_cell_bound *b, int64_t from, int n, uint16_t loss[BC_RUN]);

#endif

/* The walk through a spot, built from spot_form.h for each instruction set: single precision to solve, double
   precision to evaluate. */
#ifndef BAYCARP_SIMD_SPOT_H
#define BAYCARP_SIMD_SPOT_H

#include "../src/spot_plan.h"

enum spot_kind { SPOT_SOLVE, SPOT_MEAN, SPOT_LOCKED, SPOT_FREE };

/* One traversal: the values of a player's holdings against the reach of the other's. */
typedef struct {
    bc_spot_solver *solver;
    int traverser;
    enum spot_kind kind;
    bool keep; /* a response becomes the average strategy */
    double positive[2], negative[2],
        sums[2];   /* factors of what was summed before, on the first street and later */
    int parts;     /* of the second street's boards one is walked */
    char *top;     /* scratch of the first street */
    char *scratch; /* of this thread */
    /* a decision that is looked at */
    int probe, probe_board;
    double *found_reach, *found_value, *found_action; /* rows of padded holdings */
} spot_walk;

/* The first street down to the next one's lines; one of the next boards; the first street's values. */
typedef struct {
    void (*open)(spot_walk *walk);
    void (*child)(spot_walk *walk, int child);
    void (*close)(spot_walk *walk, double *value);
    void (*probe)(spot_walk *walk);
} spot_form;

typedef struct {
    spot_form solve, evaluate;
} spot_forms;

/* Waits until a counter has a value. */
void bc_spot_wait(atomic_int *counter, int value);

extern const spot_forms bc_spot_avx2, bc_spot_avx512;

#endif

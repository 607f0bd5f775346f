/* Expected counts: how often each cell of each table was met, where rows do not show everything.

   A row of evidence that leaves some of a family (a node and its parents) hidden counts for every cell that
   it may have met, by the posterior probability of that cell: the E-step of expectation maximisation
   (Dempster, Laird and Rubin 1977; Lauritzen 1995). The plan makes the joint distribution of each family's
   hidden members; a deposit gives its place among the counts, which are laid out as the network's tables. */
#ifndef BAYCARP_EXPECT_H
#define BAYCARP_EXPECT_H

#include "baycarp/eliminate.h"

typedef struct {
    int64_t message;             /* where the joint distribution lies among the messages, last loop fastest */
    int64_t first;               /* its first count where every observed state is 0 */
    int32_t slices_from, slices; /* what observed members add, a run in bc_family_plan.slices */
    int32_t loops;               /* hidden members */
    int32_t length[BC_LOOPS];    /* states of each */
    int32_t stride[BC_LOOPS];    /* counts a state */
} bc_deposit;

typedef struct {
    const bc_plan *plan; /* its first answer sums to the probability of the evidence */
    const bc_deposit *deposits;
    const bc_slice *slices;
    int32_t deposit_count;
} bc_family_plan;

/* Add n rows of evidence to the counts, each with its weight, and give the probability of each row; messages
   has room for as many rows as run together (bc_together).

   Stops at a row of probability 0, which has counted nowhere, and returns its number; else returns n. */
int64_t bc_expect(enum bc_simd level, const bc_family_plan *families, bc_evidence rows, const double *weight,
                  int64_t n, double *messages, double *counts, double *probability);

#endif

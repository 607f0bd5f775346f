/* Expected counts of the cells of each table, from rows with missing values.

   A row of evidence counts for every compatible cell of a family (a node and its parents) by the posterior
   probability of the cell: the E-step of expectation maximisation (Dempster, Laird and Rubin 1977; Lauritzen
   1995). The plan computes the joint distribution of each family's hidden members; a deposit has its place in
   the counts, which have the layout of the network's tables. */
#ifndef BAYCARP_EXPECT_H
#define BAYCARP_EXPECT_H

#include "baycarp/eliminate.h"

typedef struct {
    int64_t message;             /* place of the joint distribution in the messages, last loop fastest */
    int64_t first;               /* its first count if every observed state is 0 */
    int32_t slices_from, slices; /* offsets of observed members, a run in bc_family_plan.slices */
    int32_t loops;               /* hidden members */
    int32_t length[BC_LOOPS];    /* states of each */
    int32_t stride[BC_LOOPS];    /* counts per state */
} bc_deposit;

typedef struct {
    const bc_plan *plan; /* its first answer sums to the probability of the evidence */
    const bc_deposit *deposits;
    const bc_slice *slices;
    int32_t deposit_count;
} bc_family_plan;

/* Add n rows of evidence to the counts, each with its weight, and compute the probability of each row;
   messages has room for the rows that run together (bc_together).

   A row whose probability is below BC_LEAST has the probability 0 and is not counted. */
void bc_expect(enum bc_simd level, const bc_family_plan *families, bc_evidence rows, const double *weight,
               int64_t n, double *messages, double *counts, double *probability);

#endif

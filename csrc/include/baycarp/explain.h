/* The most probable explanation: the most probable joint states of the hidden variables given the evidence.

   The plan is that of an elimination (eliminate.h) with maxima instead of sums, and with sums of logarithms
   instead of products, which cannot underflow:

       message[kept] = max over the other variable of  factor + factor + ...

   Each step stores the best state; after the last step the states are read backwards. */
#ifndef BAYCARP_EXPLAIN_H
#define BAYCARP_EXPLAIN_H

#include "baycarp/eliminate.h"

typedef struct {
    const bc_plan
        *plan; /* its tables and soft evidence hold logarithms; the result of the last step is one number */
    const int32_t *variable; /* by step, the variable of each of its BC_LOOPS loops; -1 = no variable */
    int32_t variables;       /* number of hidden variables */
} bc_explanation;

/* Computes the state of each hidden variable, the first of equally probable ones; returns the log-probability
   of states and evidence, -INFINITY if the evidence is impossible.

   messages and best: message_size each. */
double bc_explain(const bc_explanation *explanation, bc_evidence evidence, double *messages, int32_t *best,
                  int32_t *states);

#endif

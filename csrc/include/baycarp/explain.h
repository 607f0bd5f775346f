/* The most probable explanation: the likeliest state of every hidden variable at once, given the evidence.

   The plan is that of an elimination (eliminate.h) in which a maximum stands for each sum, and a sum of
   logarithms for each product, so that nothing underflows:

       message[kept] = max over the one other variable of  factor + factor + ...

   Each step remembers which state was best; once all are done, the states are read off backwards. */
#ifndef BAYCARP_EXPLAIN_H
#define BAYCARP_EXPLAIN_H

#include "baycarp/eliminate.h"

typedef struct {
    const bc_plan *plan; /* its tables and soft evidence hold logarithms; the last step leaves one number */
    const int32_t *variable; /* of each step, the variable of each of its BC_LOOPS loops; -1 = none */
    int32_t variables;       /* how many are hidden */
} bc_explanation;

/* The states, one a hidden variable, and the log-probability of states and evidence together; the first of
   equally likely states wins. -INFINITY where the evidence is impossible.

   messages and best: message_size each. */
double bc_explain(const bc_explanation *explanation, bc_evidence evidence, double *messages, int32_t *best,
                  int32_t *states);

#endif

/* One run of a compiled elimination plan: evidence in, marginals out.

   Variable elimination (Zhang and Poole 1994; Dechter's bucket elimination, 1999) never does but one thing:
   multiply a few factors over the variables that they mention, and sum some of those variables out. So a plan
   is a list of steps of that one kind, ordered and laid out by its compiler:

       message[kept] = sum over the others of  factor * factor * ...

   A factor is a view of the network's tables, or of the messages of earlier steps: a first value and one
   stride a loop. Observed variables have no loop; a factor's slices move its first value to
   the observed state. Soft evidence, a likelihood for each state of a variable, is one more factor,
   which lies in the row of evidence itself. Example: the message to C of the chain A -> B -> C, where A is
   observed,

       loops B, C    tables P(B|A) at row a, strides 1, 0    P(C|B), strides |C|, 1    message, strides 0, 1

   Loops run outermost first. What outer loops settle is multiplied once, not once a cell: factors are sorted
   by depth, the number of loops after which they stand still (0 = no loop moves it). */
#ifndef BAYCARP_ELIMINATE_H
#define BAYCARP_ELIMINATE_H

#include "baycarp/simd.h"
#include "baycarp/stop.h"

#include <stdint.h>

/* The most variables that a step may join; each has at least two states, so memory ends before this does. */
#define BC_LOOPS 24

/* The most factors that a step may multiply; a compiler splits longer products. */
#define BC_FACTORS 32

/* The most rows that a batch runs together, and the doubles that their messages may take. */
enum { BC_TOGETHER = 16, BC_NEAR = 2048 };

/* Constants are messages that no evidence touches: the same for every query, made once by another plan. */
enum bc_memory { BC_TABLES, BC_CONSTANTS, BC_MESSAGES, BC_SOFT };

/* The evidence of one query. */
typedef struct {
    const int32_t *states; /* a state a number, bc_plan.observed of them */
    const double *soft;    /* likelihoods, bc_plan.soft of them */
} bc_evidence;

typedef struct {
    int32_t observed; /* which number of the evidence row */
    int32_t stride;   /* values a state */
} bc_slice;

typedef struct {
    int32_t memory;              /* enum bc_memory */
    int64_t first;               /* its value where every loop and every observed state is 0 */
    int32_t slices_from, slices; /* its run in the plan's slices */
    int32_t stride[BC_LOOPS];    /* values an iteration, a loop */
} bc_factor;

typedef struct {
    int32_t loops;                 /* 2..BC_LOOPS, some of length 1 where need be */
    int32_t factors_from, factors; /* its run in the plan's factors, by rising depth */
    int32_t settled[BC_LOOPS];     /* how many of them the first d loops settle */
    int32_t length[BC_LOOPS];      /* iterations, a loop */
    int32_t stride[BC_LOOPS];      /* of the message; 0 = summed out */
    int64_t first, size;           /* where the message lies among the messages */
} bc_step;

/* A marginal: where its message lies among the messages. */
typedef struct {
    int64_t first, size;
} bc_answer;

typedef struct {
    const double *tables, *constants;
    const bc_step *steps;
    const bc_factor *factors;
    const bc_slice *slices;
    const bc_answer *answers;
    int32_t step_count, answer_count;
    int32_t observed;     /* states that a row of evidence has */
    int64_t soft;         /* likelihoods that a row of evidence has */
    int64_t message_size; /* doubles that all messages take */
    bc_stop stop;
} bc_plan;

/* Run the steps alone for n rows of evidence; messages: message_size doubles a row, overwritten. */
void bc_messages(enum bc_simd level, const bc_plan *plan, bc_evidence rows, int32_t n, double *messages);

/* The probability of the evidence, and given it the marginals, one answer after the other, each summing to 1.

   Where the evidence has probability 0 the marginals do not exist: 0 is returned and out is all zero. */
double bc_eliminate(enum bc_simd level, const bc_plan *plan, bc_evidence evidence, double *messages,
                    double *out);

/* The same for n rows of evidence; out has a row of answers a row of evidence, messages room for as many rows
   as run together. */
void bc_eliminate_batch(enum bc_simd level, const bc_plan *plan, bc_evidence rows, int64_t n,
                        double *messages, double *out, double *probability);

/* How many of n rows run together, each step for all of them before the next: sums that do not wait for one
   another overlap. Few enough that their messages stay in the nearest cache; one where a row's do not. */
static inline int32_t bc_together(const bc_plan *plan, int64_t n) {
    const int64_t rows = BC_NEAR / (plan->message_size ? plan->message_size : 1);
    const int64_t most = rows < 1 ? 1 : rows < BC_TOGETHER ? rows : BC_TOGETHER;
    return (int32_t)(n < most ? n : most);
}

/* Whether a kernel ends early, after it has made `made` more doubles of messages: stop is called once for
   2^18 of them, some milliseconds. *doubles: those since the last call, 0 at first. */
static inline bool bc_ends(const bc_plan *plan, int64_t made, int64_t *doubles) {
    *doubles += made;
    if (*doubles < (int64_t)1 << 18) return false;
    *doubles = 0;
    return bc_stopped(plan->stop);
}

/* Where a factor begins, given the evidence. */
static inline const double *bc_factor_at(const bc_plan *plan, const bc_factor *factor, bc_evidence evidence,
                                         const double *messages) {
    const double *const memory[] = {[BC_TABLES] = plan->tables,
                                    [BC_CONSTANTS] = plan->constants,
                                    [BC_MESSAGES] = messages,
                                    [BC_SOFT] = evidence.soft};
    const bc_slice *slice = plan->slices + factor->slices_from;
    const double *at = memory[factor->memory] + factor->first;
    for (int32_t i = 0; i < factor->slices; i++)
        at += (int64_t)evidence.states[slice[i].observed] * slice[i].stride;
    return at;
}

/* Row number of rows that lie one after the other. */
static inline bc_evidence bc_evidence_row(const bc_plan *plan, bc_evidence rows, int64_t number) {
    if (plan->observed) rows.states += number * plan->observed;
    if (plan->soft) rows.soft += number * plan->soft;
    return rows;
}

#endif

/* One run of a compiled elimination plan: evidence in, marginals out.

   Every step of variable elimination (Zhang and Poole 1994; Dechter's bucket elimination, 1999) multiplies a
   few factors and sums out some of their variables. A plan is a list of such steps in the order of its
   compiler:

       message[kept] = sum over the others of  factor * factor * ...

   A factor is a view of the network's tables, or of the messages of earlier steps: a first value and a
   stride for each loop. Observed variables have no loop; a factor's slices move its first value to
   the observed state. Soft evidence, a likelihood for each state of a variable, is a factor
   in the row of evidence. Example: the message to C of the chain A -> B -> C, where A is
   observed,

       loops B, C    tables P(B|A) at row a, strides 1, 0    P(C|B), strides |C|, 1    message, strides 0, 1

   Loops run outermost first. Factors that depend only on outer loops are multiplied once, not in each cell:
   factors are sorted by depth, the number of leading loops that they depend on (0 = no loop). */
#ifndef BAYCARP_ELIMINATE_H
#define BAYCARP_ELIMINATE_H

#include "baycarp/simd.h"
#include "baycarp/stop.h"

#include <stdint.h>

/* The largest number of variables of a step; each has at least two states, so memory is the lower limit. */
#define BC_LOOPS 24

/* The largest number of factors of a step; the compiler splits longer products. */
#define BC_FACTORS 32

/* The largest number of rows that run together, and of doubles in their messages. */
enum { BC_TOGETHER = 16, BC_NEAR = 2048 };

/* The least sum of a marginal that is exact. Factors are at most 1, so what underflows in a plan of 2^30
   cells and 32 factors changes a weight by less than 2^-1038, and this sum by 2^-138 of it. */
#define BC_LEAST 0x1p-900

/* Constants are messages independent of the evidence: computed once by another plan. */
enum bc_memory { BC_TABLES, BC_CONSTANTS, BC_MESSAGES, BC_SOFT };

/* The evidence of one query. */
typedef struct {
    const int32_t *states; /* codes of states, bc_plan.observed of them */
    const double *soft;    /* likelihoods, bc_plan.soft of them */
} bc_evidence;

typedef struct {
    int32_t observed; /* index in the evidence row */
    int32_t stride;   /* values per state */
} bc_slice;

typedef struct {
    int32_t memory;              /* enum bc_memory */
    int64_t first;               /* its place if every loop and every observed state is 0 */
    int32_t slices_from, slices; /* its run in the plan's slices */
    int32_t stride[BC_LOOPS];    /* values per iteration of each loop */
} bc_factor;

typedef struct {
    int32_t loops;                 /* 2..BC_LOOPS, idle ones of length 1 */
    int32_t factors_from, factors; /* its run in the plan's factors, by ascending depth */
    int32_t settled[BC_LOOPS];     /* number of factors of depth at most d */
    int32_t length[BC_LOOPS];      /* iterations of each loop */
    int32_t stride[BC_LOOPS];      /* of the message; 0 = summed out */
    int64_t first, size;           /* place of the message */
} bc_step;

/* A marginal: the place of its message. */
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
    int32_t observed;     /* number of states in a row of evidence */
    int64_t soft;         /* number of likelihoods in a row of evidence */
    int64_t message_size; /* number of doubles of all messages */
    bc_stop stop;
} bc_plan;

/* Run only the steps for n rows of evidence; messages: message_size doubles a row, overwritten. */
void bc_messages(enum bc_simd level, const bc_plan *plan, bc_evidence rows, int32_t n, double *messages);

/* Returns the probability of the evidence; out has the marginals given it, one after the other, each with
   sum 1. A marginal whose weights sum to less than BC_LEAST is all 0, and so is the probability returned:
   such evidence is impossible, or needs numbers of a wider range. */
double bc_eliminate(enum bc_simd level, const bc_plan *plan, bc_evidence evidence, double *messages,
                    double *out);

/* The same for n rows of evidence; out has a row of answers for each row of evidence, messages has room for
   the rows that run together. */
void bc_eliminate_batch(enum bc_simd level, const bc_plan *plan, bc_evidence rows, int64_t n,
                        double *messages, double *out, double *probability);

/* The number of rows, of n, that run together, each step for all rows before the next step: independent sums
   overlap. Their messages fit in the first-level cache; 1 if those of one row do not. */
static inline int32_t bc_together(const bc_plan *plan, int64_t n) {
    const int64_t rows = BC_NEAR / (plan->message_size ? plan->message_size : 1);
    const int64_t most = rows < 1 ? 1 : rows < BC_TOGETHER ? rows : BC_TOGETHER;
    return (int32_t)(n < most ? n : most);
}

/* Whether a kernel stops early, after `made` more doubles of messages: stop is called every 2^18 of them,
   some milliseconds. *doubles: those since the last call, initially 0. */
static inline bool bc_ends(const bc_plan *plan, int64_t made, int64_t *doubles) {
    *doubles += made;
    if (*doubles < (int64_t)1 << 18) return false;
    *doubles = 0;
    return bc_stopped(plan->stop);
}

/* The first value of a factor, given the evidence. */
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

/* Row `number` of contiguous rows. */
static inline bc_evidence bc_evidence_row(const bc_plan *plan, bc_evidence rows, int64_t number) {
    if (plan->observed) rows.states += number * plan->observed;
    if (plan->soft) rows.soft += number * plan->soft;
    return rows;
}

#endif

/* The chain A -> B -> C with two, three and two states, and plans of one step, for the tests of elimination.
 */
#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "baycarp/eliminate.h"

/* P(A); P(B|A), B last; P(C|B), C last. */
static const double TABLES[2 + 6 + 6] = {0.3, 0.7, 0.2, 0.5, 0.3, 0.0,  0.4,
                                         0.6, 0.9, 0.1, 0.0, 1.0, 0.25, 0.75};

static inline void close_to(double found, double expected) {
    assert(fabs(found - expected) < 1e-15);
}

/* A plan of one step; answer: of its message, or NULL. */
static inline bc_plan one_step(const double *tables, const bc_step *step, const bc_factor *factors,
                               const bc_answer *answer) {
    return (bc_plan){.tables = tables,
                     .steps = step,
                     .factors = factors,
                     .answers = answer,
                     .step_count = 1,
                     .answer_count = answer != NULL,
                     .message_size = step->size};
}

/* How a caller ends a long kernel early.

   A kernel that may run for more than a tenth of a second calls its `stop` every few milliseconds, on the
   thread that it runs on, and returns as soon as that is true. Its output is then incomplete and of no use.
   Once true, `stop` stays true until the kernel has returned. NULL = the kernel runs to its end. */
#ifndef BAYCARP_STOP_H
#define BAYCARP_STOP_H

#include <stdbool.h>
#include <stddef.h>

typedef int (*bc_stop)(void); /* not 0 = end */

static inline bool bc_stopped(bc_stop stop) {
    return stop && stop();
}

#endif

/* Early termination of long kernels by the caller.

   A kernel that may run for more than a tenth of a second calls its `stop` every few milliseconds, on its own
   thread, and returns as soon as the result is true. Its output is then invalid. Once true, `stop` stays true
   until the kernel has returned. NULL = the kernel runs to its end. */
#ifndef BAYCARP_STOP_H
#define BAYCARP_STOP_H

#include <stdbool.h>
#include <stddef.h>

typedef int (*bc_stop)(void); /* not 0 = end */

static inline bool bc_stopped(bc_stop stop) {
    return stop && stop();
}

#endif

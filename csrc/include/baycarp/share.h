/* Sampled pot share of two hole cards against players with random hole cards, all of them all-in. */
#ifndef BAYCARP_SHARE_H
#define BAYCARP_SHARE_H

#include <stdint.h>

#include "baycarp/rng.h"
#include "baycarp/stop.h"

/* Deal `deals` times a board and the holdings of `players` - 1 others; players: 2..10. *sum is the sum of the
   shares of hole[2] (1 alone, 1/k in a k-way tie, else 0), *square the sum of their squares. */
void bc_share(bc_rng *rng, const uint8_t *hole, int players, int64_t deals, bc_stop stop, double *sum,
              double *square);

#endif

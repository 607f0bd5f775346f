/* What two cards win when everybody holds anything and stays to the end: sampled. */
#ifndef BAYCARP_SHARE_H
#define BAYCARP_SHARE_H

#include <stdint.h>

#include "baycarp/rng.h"

/* Deal `deals` times a board and the holdings of `players` - 1 others; players: 2..10. *sum gets what hole[2]
   won (1 alone, 1/k in a k-way tie, else 0), *square the sum of its squares. */
void bc_share(bc_rng *rng, const uint8_t *hole, int players, int64_t deals, double *sum, double *square);

#endif

/* What a holding wins when everybody stays to the end: sampled, with a seed. */
#ifndef BAYCARP_SHARE_H
#define BAYCARP_SHARE_H

#include <stdint.h>

#include "baycarp/rng.h"

/* Deal `deals` boards and holdings of `players` - 1 (1..9) others; *sum gets the pot shares that hole[2] won
   (1 alone, 1/k of a k-way tie), *square the squares of them. */
void bc_share(bc_rng *rng, const uint8_t *hole, int players, int64_t deals, double *sum, double *square);

#endif

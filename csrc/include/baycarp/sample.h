/* All-in equity of several ranges, sampled: holdings by weight, boards from the remaining cards. */
#ifndef BAYCARP_SAMPLE_H
#define BAYCARP_SAMPLE_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/rng.h"
#include "baycarp/stop.h"

typedef struct {
    const double *sums; /* players x BC_HOLDINGS: cumulative sums of the weights, the last > 0; weight 0 for
                           holdings that share a card with the board */
    int players;        /* 2..10 */
    uint8_t board[5];   /* the first `shown` cards are known */
    int shown;          /* 0..5 */
    bc_stop stop;
} bc_sample;

/* Sample `deals` deals; a deal in which players share a card is rejected, so that the probability of a
   combination is proportional to the product of its weights. Adds the pot share of each player, 1/k in a
   k-way tie, and its square to sum[players] and square[players]. Returns the number of deals: fewer after
   hundreds of thousands of consecutive rejections. */
int64_t bc_sample_equity(bc_rng *rng, const bc_sample *s, int64_t deals, double *sum, double *square);

#endif

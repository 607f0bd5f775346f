/* All-in equity of several ranges, sampled: holdings drawn by weight, boards drawn from what is left. */
#ifndef BAYCARP_SAMPLE_H
#define BAYCARP_SAMPLE_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/rng.h"
#include "baycarp/stop.h"

typedef struct {
    const double *sums; /* players x BC_HOLDINGS: running sums of the weights, > 0 at the end; none for
                           holdings that share a card with the board */
    int players;        /* 2..10 */
    uint8_t board[5];   /* its first `shown` cards lie on the table */
    int shown;          /* 0..5 */
    bc_stop stop;
} bc_sample;

/* Make `deals` deals; a deal in which players share a card is made again, so that every combination comes by
   the product of its weights. Adds what each player won, 1/k in a k-way tie, and its square to sum[players]
   and square[players]. Returns the deals made: fewer where hundreds of thousands of draws in a row clash. */
int64_t bc_sample_equity(bc_rng *rng, const bc_sample *s, int64_t deals, double *sum, double *square);

#endif

/* Deals of heads-up hold'em for a solver that samples: cards by a seeded generator, the bucket of each
   player's holding on each street, and the winner at showdown.

   Before the flop a bucket is the starting class. On the flop and the turn it is looked up: a set of cards
   has a canonical board, equal for sets that differ by the names of suits, and a renaming that leads there.
   On the river it is a percentile, by what the holding beats, among the 1,081 holdings beside the board; a
   table of its 134,459 canonical boards would take 357 MB.

   A set of cards c0 < c1 < ... is numbered C(c0, 1) + C(c1, 2) + ... */
#ifndef BAYCARP_DEALS_H
#define BAYCARP_DEALS_H

#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/game.h"
#include "baycarp/simd.h"

enum { BC_FLOPS = 22100, BC_TURNS = 270725, BC_RENAMINGS = 24, BC_DEALT = 9 };

typedef struct {
    const uint16_t *row[2];     /* flop, turn: by set of cards, its canonical board */
    const uint8_t *renaming[2]; /* the renaming of its suits */
    const uint16_t *holding;    /* by renaming, BC_HOLDINGS each: a holding after it */
    const uint16_t *bucket[2];  /* by canonical board, BC_HOLDINGS each */
    const double *edges;        /* ascending: the ends of the river's buckets but the last, in (0, 1) */
    int count[3];               /* buckets of flop, turn and river, without recall */
    int recall[3];              /* whether a bucket also holds the bucket of the street before */
} bc_bucket_tables;

typedef struct {
    uint8_t card[BC_DEALT]; /* two of player 0, two of player 1, the board */
    int8_t won;             /* by player 0: 1, 0 (split) or -1 */
    uint16_t bucket[2][BC_STREETS];
} bc_dealt;

/* n deals, numbered from `first` on; a deal depends on the seed and its number alone. */
void bc_deals(enum bc_simd level, const bc_bucket_tables *tables, uint64_t seed, int64_t first, int64_t n,
              bc_dealt *deals);

#endif

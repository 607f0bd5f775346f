/* Hand ranks of all pairs of ranks on a board, without suits: for potential_ranks.h and strength_form.h. */
#ifndef BAYCARP_SIMD_RANK_PAIRS_H
#define BAYCARP_SIMD_RANK_PAIRS_H

#include "baycarp/rank.h"

enum {
    RANKS = 13,
    PAIRS = 91, /* pairs of ranks hi >= lo, numbered hi * (hi + 1) / 2 + lo */
    LANES = 96  /* the pairs, rounded up to whole vectors */
};

static inline int pair_of(int hi, int lo) {
    return hi * (hi + 1) / 2 + lo;
}

/* Hand ranks as signed numbers in the same order, for comparison in lanes. */
static inline int16_t signed_rank(uint16_t rank) {
    return (int16_t)(rank - 32768);
}

/* Hands without suits are never flushes. */
static inline int16_t rank_of(uint32_t key) {
    return signed_rank(bc_rank((bc_hand){key, 0}));
}

/* The ranks of the pairs on a board of this key; keys: of a card by its rank; count: cards of each rank on
   the board. */
static inline void rank_row(uint32_t board, const uint32_t *keys, const int *count, int16_t *row) {
    for (int hi = 0; hi < RANKS; hi++) {
        const uint32_t key = board + keys[hi];
        for (int lo = 0; lo <= hi && count[hi] < 4; lo++)
            if (count[lo] < 4 - (lo == hi)) row[pair_of(hi, lo)] = rank_of(key + keys[lo]);
    }
}

/* The same for every next card. Three ranks a >= b >= c can be divided into the next card and a pair in three
   ways, so they are ranked once and stored three times. */
static inline void rank_rows(uint32_t board, const uint32_t *keys, int *count, int16_t (*rows)[LANES]) {
    for (int a = 0; a < RANKS; a++)
        for (int b = 0; b <= a; b++) {
            count[a]++, count[b]++;
            for (int c = 0; c <= b && count[a] <= 4 && count[b] <= 4; c++)
                if (count[c] < 4)
                    rows[a][pair_of(b, c)] = rows[b][pair_of(a, c)] = rows[c][pair_of(a, b)] =
                        rank_of(board + keys[a] + keys[b] + keys[c]);
            count[a]--, count[b]--;
        }
}

#endif

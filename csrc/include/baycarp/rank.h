/* The rank of a hold'em hand: the best five of 5 to 7 cards as one number; the higher wins, equals split.

   A hand is a sum over its cards. Each card adds its rank's constant to the low half of `key`, one to its
   suit's nibble in the top 16 bits, and its bit to its suit's 16-bit lane of `mask`; so hands are made card
   by card or from parts, and a board's sum serves every holding. Nibbles start at 3: bit 3 rises with the
   fifth card of a suit.

     key   | s h d c nibbles (16) | carries, unread (16) | sum of rank constants (32) |
     mask  | s (16) | h (16) | d (16) | c (16) |

   Off a flush the sum is a perfect hash: its top 13 bits name a row, its low 13 a column, and rows are slid
   over each other so that row offset + column finds the rank. csrc/gen/README.md derives the tables. */
#ifndef BAYCARP_RANK_H
#define BAYCARP_RANK_H

#include "baycarp/card.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key, mask;
} bc_hand;

extern const bc_hand bc_card_hands[BC_DECK];
extern const uint32_t bc_rank_offsets[8192];
extern const uint16_t bc_rank_slots[];
extern const uint16_t bc_flush_ranks[8192];

static inline bc_hand bc_hand_empty(void) {
    return (bc_hand){(uint64_t)0x3333 << 48, 0};
}

static inline bc_hand bc_hand_card(int card) {
    return bc_card_hands[card];
}

/* Exactly one of the parts must descend from bc_hand_empty() by the time the sum is ranked. */
static inline bc_hand bc_hand_add(bc_hand a, bc_hand b) {
    return (bc_hand){a.key + b.key, a.mask | b.mask};
}

/* Category (1 high card, pair, two pair, trips, straight, flush, full house, quads, 9 straight flush) in the
   top four bits, the order within the category, dense from 0, below. Precondition: 5 to 7 different cards. */
static inline uint16_t bc_rank(bc_hand hand) {
    uint64_t flush = hand.key & ((uint64_t)0x8888 << 48);
    if (flush) {
        int suit = flush >> 56 ? (flush >> 60 ? 3 : 2) : (flush >> 52 ? 1 : 0);
        return bc_flush_ranks[(uint16_t)(hand.mask >> 16 * suit)];
    }
    uint32_t sum = (uint32_t)hand.key;
    return bc_rank_slots[bc_rank_offsets[sum >> 19] + (sum & 0x1fff)];
}

static inline int bc_category(uint16_t rank) {
    return rank >> 12;
}

bc_hand bc_hand_of(const uint8_t *cards, int n);

/* n = 5 to 7 different cards. */
uint16_t bc_rank_cards(const uint8_t *cards, int n);

/* n hands of k cards each, row by row. */
void bc_rank_batch(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out);

/* The first of n rows of k cards that holds an unknown card or one card twice; -1 if there is none. */
ptrdiff_t bc_first_bad_row(const uint8_t *cards, ptrdiff_t n, int k);

#endif

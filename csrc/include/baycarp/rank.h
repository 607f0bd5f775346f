/* The rank of a hold'em hand: the best five of 5 to 7 cards as one number; the higher wins, equals split.

   A hand is a sum over its cards. Each card adds its rank's constant to the low half of `key`, one to its
   suit's nibble in the top 16 bits, and its bit to its suit's 16-bit lane of `mask`; so hands are built card
   by card or from parts, and holdings share the sum of a board. Nibbles start at 3: bit 3 rises with the
   fifth card of a suit.

     key   | s h d c nibbles (16) | carries, unread (16) | sum of rank constants (32) |
     mask  | s (16) | h (16) | d (16) | c (16) |

   Without a flush the sum is a perfect hash: its top 13 bits name a row, its low 13 a column, and rows are
   slid over each other so that row offset + column finds the rank. csrc/gen/README.md derives the tables.

   A rank's constant is bc_rank_multiplier times a number of four small digits to base 256, whose sums over
   seven cards stay below 256: so vector registers can add the digits separately, a byte per hand. */
#ifndef BAYCARP_RANK_H
#define BAYCARP_RANK_H

#include "baycarp/card.h"
#include "baycarp/simd.h"
#include "baycarp/stop.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t key, mask;
} bc_hand;

extern const uint64_t bc_card_keys[BC_DECK], bc_card_masks[BC_DECK];
extern const uint8_t bc_rank_digits[64]; /* each digit of the 13 ranks, in sixteens */
extern const uint32_t bc_rank_multiplier;
extern const uint32_t bc_rank_offsets[8192];
extern const uint16_t bc_rank_slots[];
extern const uint16_t bc_flush_ranks[8192];
extern const uint32_t bc_rank_table_bytes; /* size of these tables */

/* The ranks of seven cards without a flush once more, in the order of their ranks: those of neighbouring
   hands are close in memory. Ranks r0 <= r1 <= ... <= r6 of seven cards, at most four of a rank, have the
   place bc_seven_places[r0] + bc_seven_places[13 + r1] + ... + bc_seven_places[13 * 6 + r6]: the
   combinatorial number system, C(r0, 1) + C(r1 + 1, 2) + ... + C(r6 + 6, 7). */
extern const uint16_t bc_seven_places[91], bc_seven_ranks[50388];

static inline bc_hand bc_hand_empty(void) {
    return (bc_hand){(uint64_t)0x3333 << 48, 0};
}

static inline bc_hand bc_hand_card(int card) {
    return (bc_hand){bc_card_keys[card], bc_card_masks[card]};
}

/* Before the sum is ranked, exactly one of the parts must descend from bc_hand_empty(). */
static inline bc_hand bc_hand_add(bc_hand a, bc_hand b) {
    return (bc_hand){a.key + b.key, a.mask | b.mask};
}

static inline int bc_has_flush(uint64_t key) {
    return (key & (uint64_t)0x8888 << 48) != 0;
}

static inline uint16_t bc_rank_off_flush(uint32_t sum) {
    return bc_rank_slots[bc_rank_offsets[sum >> 19] + (sum & 0x1fff)];
}

/* Category (1 high card, pair, two pair, trips, straight, flush, full house, quads, 9 straight flush) in the
   top four bits, the order within the category, dense from 0, below. Precondition: 5 to 7 different cards. */
static inline uint16_t bc_rank(bc_hand hand) {
    if (bc_has_flush(hand.key)) {
        uint64_t flush = hand.key & (uint64_t)0x8888 << 48;
        int suit = flush >> 56 ? (flush >> 60 ? 3 : 2) : (flush >> 52 ? 1 : 0);
        return bc_flush_ranks[(uint16_t)(hand.mask >> 16 * suit)];
    }
    return bc_rank_off_flush((uint32_t)hand.key);
}

static inline int bc_category(uint16_t rank) {
    return rank >> 12;
}

bc_hand bc_hand_of(const uint8_t *cards, int n);

/* n = 5 to 7 different cards. */
uint16_t bc_rank_cards(const uint8_t *cards, int n);

/* Ranks n hands of k = 5 to 7 cards each, row by row. Returns the first row with an unknown or a duplicate
   card and ranks no row after it; -1 if all rows are valid. */
ptrdiff_t bc_rank_batch(enum bc_simd level, const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out);

/* Ranks all holdings on a board of n = 3 to 5 different cards; 0 where a holding has a card of the board. */
void bc_rank_holdings(const uint8_t *board, int n, uint16_t *ranks);

/* Ranks every hand of k = 5 to 7 cards of the deck: counts[c - 1] hands are of category c = 1..9. */
void bc_rank_census(int k, bc_stop stop, int64_t *counts);

#endif

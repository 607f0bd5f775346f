/* Cards and holdings as small integers.

   A card is 4 * rank + suit; ranks 2 3 4 5 6 7 8 9 T J Q K A = 0..12, suits c d h s = 0..3:

         2   3   4   5   6   7   8   9   T   J   Q   K   A
     c   0   4   8  12  16  20  24  28  32  36  40  44  48
     d   1   5   9  13  17  21  25  29  33  37  41  45  49
     h   2   6  10  14  18  22  26  30  34  38  42  46  50
     s   3   7  11  15  19  23  27  31  35  39  43  47  51

   A holding is an unordered pair of cards {hi, lo}, hi > lo, numbered hi * (hi - 1) / 2 + lo = 0..1325,
   so that every array of 1,326 weights has one meaning. */
#ifndef BAYCARP_CARD_H
#define BAYCARP_CARD_H

#include <stdint.h>

#define BC_DECK 52
#define BC_HOLDINGS 1326
#define BC_NO_CARD 255

static inline int bc_rank_of(int card) {
    return card >> 2;
}
static inline int bc_suit_of(int card) {
    return card & 3;
}

/* A set of cards, one bit for each card. */
static inline uint64_t bc_bit(int card) {
    return (uint64_t)1 << card;
}

static inline int bc_holding(int a, int b) {
    return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
}

#endif

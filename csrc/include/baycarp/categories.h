/* Which category of hand every holding ends in, counted over all cards to come (the "outs" of poker).

   Category c = 0..8: high card, pair, two pair, three of a kind, straight, flush, full house, four of a kind,
   straight flush. A set of the 2 + (5 - shown) unknown cards is ranked once and counted for every holding in
   it: 211,876 ranks on the flop instead of 1,271,256. */
#ifndef BAYCARP_CATEGORIES_H
#define BAYCARP_CATEGORIES_H

#include <stdint.h>

#define BC_CATEGORIES 9

/* counts and orders: BC_HOLDINGS rows of BC_CATEGORIES. counts: complete boards on which the holding ends in
   the category. orders: the sum, over those boards, of the order of its hand within the category (the low
   twelve bits of its rank). Rows of holdings with a card of the board are 0; shown is 3, 4 or 5. */
void bc_categories(const uint8_t *board, int shown, int32_t *counts, int32_t *orders);

#endif

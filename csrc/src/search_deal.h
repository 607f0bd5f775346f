/* One determinisation: clusters and holdings of all opponents in, and the rest of the board. */
#ifndef BAYCARP_SEARCH_DEAL_H
#define BAYCARP_SEARCH_DEAL_H

#include "baycarp/search.h"

typedef struct {
    uint8_t hole[BC_SEATS][2];
    uint8_t board[5];
    int cluster[BC_SEATS];
    int16_t bucket[BC_SEATS][BC_STREETS]; /* -1 = not computed yet */
} bc_search_deal;

/* Replace the weights by running sums, without blocked holdings. */
void bc_search_deal_start(bc_search *search);

/* Draw clusters and holdings from the product of the weights restricted to deals without a clash. */
void bc_search_deal_draw(bc_search *search, bc_search_deal *deal);

#endif

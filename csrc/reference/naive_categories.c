#include "naive_categories.h"

#include <string.h>

#include "baycarp/card.h"
#include "baycarp/categories.h"
#include "baycarp/rank.h"

/* cards: the seven of a hand, the first `known` of them filled in; `next`: the least card that may follow. */
static void complete(uint8_t *cards, int known, int next, int32_t *counts, int32_t *orders) {
    if (known == 7) {
        const uint16_t rank = bc_rank_cards(cards, 7);
        counts[bc_category(rank) - 1]++;
        orders[bc_category(rank) - 1] += rank & 0xfff;
        return;
    }
    for (int card = next; card < BC_DECK; card++) {
        if (memchr(cards, card, (size_t)known)) continue;
        cards[known] = (uint8_t)card;
        complete(cards, known + 1, card + 1, counts, orders);
    }
}

void bc_naive_categories(const uint8_t *board, int shown, int32_t *counts, int32_t *orders) {
    memset(counts, 0, sizeof *counts * BC_HOLDINGS * BC_CATEGORIES);
    memset(orders, 0, sizeof *orders * BC_HOLDINGS * BC_CATEGORIES);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            if (memchr(board, hi, (size_t)shown) || memchr(board, lo, (size_t)shown)) continue;
            uint8_t cards[7] = {(uint8_t)hi, (uint8_t)lo};
            memcpy(cards + 2, board, (size_t)shown);
            const int at = bc_holding(hi, lo) * BC_CATEGORIES;
            complete(cards, 2 + shown, 0, counts + at, orders + at);
        }
}

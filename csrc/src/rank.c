#include "baycarp/rank.h"

#include <assert.h>

bc_hand bc_hand_of(const uint8_t *cards, int n) {
    bc_hand hand = bc_hand_empty();
    for (int i = 0; i < n; i++) hand = bc_hand_add(hand, bc_hand_card(cards[i]));
    return hand;
}

/* Inlined with n constant, so that the loop over cards unrolls and only flushes read their masks. */
static inline uint16_t rank_of_cards(const uint8_t *cards, int n) {
    bc_hand hand = bc_hand_empty();
    for (int i = 0; i < n; i++) hand = bc_hand_add(hand, bc_hand_card(cards[i]));
    return bc_rank(hand);
}

uint16_t bc_rank_cards(const uint8_t *cards, int n) {
    assert(5 <= n && n <= 7);
    return n == 7 ? rank_of_cards(cards, 7) : n == 6 ? rank_of_cards(cards, 6) : rank_of_cards(cards, 5);
}

void bc_rank_holdings(const uint8_t *board, int n, uint16_t *ranks) {
    const bc_hand shown = bc_hand_of(board, n);
    uint64_t dead = 0;
    for (int i = 0; i < n; i++) dead |= bc_bit(board[i]);
    for (int hi = 1, h = 0; hi < BC_DECK; hi++) {
        const bc_hand higher = bc_hand_add(shown, bc_hand_card(hi));
        for (int lo = 0; lo < hi; lo++, h++)
            ranks[h] = (bc_bit(hi) | bc_bit(lo)) & dead ? 0 : bc_rank(bc_hand_add(higher, bc_hand_card(lo)));
    }
}

/* By category, 0 unused; four counters in turn avoid dependent additions. */
typedef int64_t counters[4][10];

/* If no last card can make a flush, last cards of the same rank give the same hand rank. */
static void count_last(bc_hand hand, int first, counters counts) {
    int card = first;
    if (bc_has_flush(hand.key + ((uint64_t)0x1111 << 48))) {
        for (; card < BC_DECK; card++)
            counts[bc_suit_of(card)][bc_category(bc_rank(bc_hand_add(hand, bc_hand_card(card))))]++;
        return;
    }
    for (int next = (card & ~3) + 4; card < BC_DECK; card = next, next += 4) {
        uint16_t rank = bc_rank_off_flush((uint32_t)(hand.key + bc_card_keys[card]));
        counts[bc_rank_of(card) & 3][bc_category(rank)] += next - card;
    }
}

static void count_from(bc_hand hand, int first, int left, counters counts) {
    if (left == 1) {
        count_last(hand, first, counts);
        return;
    }
    for (int card = first; card <= BC_DECK - left; card++)
        count_from(bc_hand_add(hand, bc_hand_card(card)), card + 1, left - 1, counts);
}

void bc_rank_census(int k, bc_stop stop, int64_t *counts) {
    assert(5 <= k && k <= 7);
    counters part = {{0}};
    for (int lowest = 0; lowest <= BC_DECK - k && !bc_stopped(stop); lowest++)
        count_from(bc_hand_add(bc_hand_empty(), bc_hand_card(lowest)), lowest + 1, k - 1, part);
    for (int i = 0; i < 9; i++) counts[i] = part[0][i + 1] + part[1][i + 1] + part[2][i + 1] + part[3][i + 1];
}

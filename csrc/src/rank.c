#include "baycarp/rank.h"

#include <assert.h>

bc_hand bc_hand_of(const uint8_t *cards, int n) {
    bc_hand hand = bc_hand_empty();
    for (int i = 0; i < n; i++) hand = bc_hand_add(hand, bc_hand_card(cards[i]));
    return hand;
}

uint16_t bc_rank_cards(const uint8_t *cards, int n) {
    assert(5 <= n && n <= 7);
    return bc_rank(bc_hand_of(cards, n));
}

void bc_rank_batch(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = bc_rank_cards(cards + i * k, k);
}

ptrdiff_t bc_first_bad_row(const uint8_t *cards, ptrdiff_t n, int k) {
    for (ptrdiff_t i = 0; i < n; i++, cards += k) {
        uint64_t seen = 0, twice = 0;
        int unknown = 0;
        for (int j = 0; j < k; j++) {
            uint64_t bit = bc_bit(cards[j] & 63);
            unknown |= cards[j] >= BC_DECK;
            twice |= seen & bit;
            seen |= bit;
        }
        if (unknown || twice) return i;
    }
    return -1;
}

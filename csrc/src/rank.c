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

/* Inlined with k constant, so that the loop over cards unrolls. */
static inline void rank_rows(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    for (ptrdiff_t i = 0; i < n; i++, cards += k) {
        bc_hand hand = bc_hand_empty();
        for (int j = 0; j < k; j++) hand = bc_hand_add(hand, bc_hand_card(cards[j]));
        out[i] = bc_rank(hand);
    }
}

void bc_rank_batch(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    assert(5 <= k && k <= 7);
    if (k == 5) rank_rows(cards, n, 5, out);
    if (k == 6) rank_rows(cards, n, 6, out);
    if (k == 7) rank_rows(cards, n, 7, out);
}

static inline ptrdiff_t first_bad_row(const uint8_t *cards, ptrdiff_t n, int k) {
    for (ptrdiff_t i = 0; i < n; i++, cards += k) {
        uint64_t set = 0, sum = 0;
        uint8_t high = 0;
        for (int j = 0; j < k; j++) {
            uint64_t bit = bc_bit(cards[j] & 63);
            set |= bit;
            sum += bit; /* differs from the set where a card stands twice */
            high |= cards[j];
        }
        if (sum != set || set >> BC_DECK || high > 63) return i;
    }
    return -1;
}

ptrdiff_t bc_first_bad_row(const uint8_t *cards, ptrdiff_t n, int k) {
    assert(5 <= k && k <= 7);
    return k == 5   ? first_bad_row(cards, n, 5)
           : k == 6 ? first_bad_row(cards, n, 6)
                    : first_bad_row(cards, n, 7);
}

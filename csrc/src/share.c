#include "baycarp/share.h"

#include <assert.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

/* Deals between two calls of stop: some ten milliseconds. */
enum { STOP_DEALS = 1 << 16 };

/* Draw `count` cards without replacement to the front of deck[n], which may be in any order. */
static void draw(bc_rng *rng, uint8_t *deck, int n, int count) {
    for (int i = 0; i < count; i++) {
        const int j = i + (int)bc_rng_below(rng, (uint32_t)(n - i));
        const uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}

static bc_hand pair(const uint8_t *cards) {
    return bc_hand_add(bc_hand_card(cards[0]), bc_hand_card(cards[1]));
}

/* cards: the board, then the holdings of the other players. */
static double won(bc_hand hole, const uint8_t *cards, int others) {
    const bc_hand board = bc_hand_of(cards, 5);
    const uint16_t ours = bc_rank(bc_hand_add(board, hole));
    int tied = 1;
    for (int i = 0; i < others; i++) {
        const uint16_t theirs = bc_rank(bc_hand_add(board, pair(cards + 5 + 2 * i)));
        if (theirs > ours) return 0;
        tied += theirs == ours;
    }
    return 1.0 / tied;
}

void bc_share(bc_rng *rng, const uint8_t *hole, int players, int64_t deals, bc_stop stop, double *sum,
              double *square) {
    assert(2 <= players && players <= 10);
    const int others = players - 1;
    uint8_t deck[BC_DECK];
    int n = 0;
    for (int card = 0; card < BC_DECK; card++)
        if (card != hole[0] && card != hole[1]) deck[n++] = (uint8_t)card;
    *sum = *square = 0;
    for (int64_t deal = 0; deal < deals; deal++) {
        if (deal % STOP_DEALS == STOP_DEALS - 1 && bc_stopped(stop)) return;
        draw(rng, deck, n, 5 + 2 * others);
        const double share = won(pair(hole), deck, others);
        *sum += share;
        *square += share * share;
    }
}

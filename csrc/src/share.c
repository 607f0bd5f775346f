#include "baycarp/share.h"

#include <assert.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

/* The first `count` places of deck[n], drawn without replacement. */
static void draw(bc_rng *rng, uint8_t *deck, int n, int count) {
    for (int i = 0; i < count; i++) {
        int j = i + (int)bc_rng_below(rng, (uint32_t)(n - i));
        uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}

static double deal_once(bc_rng *rng, bc_hand hole, uint8_t *deck, int n, int others) {
    draw(rng, deck, n, 5 + 2 * others);
    bc_hand board = bc_hand_empty();
    for (int i = 0; i < 5; i++) board = bc_hand_add(board, bc_hand_card(deck[i]));
    uint16_t ours = bc_rank(bc_hand_add(board, hole));
    int tied = 1;
    for (int i = 0; i < others; i++) {
        const uint8_t *card = deck + 5 + 2 * i;
        bc_hand theirs = bc_hand_add(bc_hand_card(card[0]), bc_hand_card(card[1]));
        uint16_t rank = bc_rank(bc_hand_add(board, theirs));
        if (rank > ours) return 0.0;
        tied += rank == ours;
    }
    return 1.0 / tied;
}

void bc_share(bc_rng *rng, const uint8_t *hole, int players, int64_t deals, double *sum, double *square) {
    assert(players >= 2 && players <= 10);
    uint8_t deck[BC_DECK];
    int n = 0;
    for (int card = 0; card < BC_DECK; card++)
        if (card != hole[0] && card != hole[1]) deck[n++] = (uint8_t)card;
    /* bc_hand_empty() carries what a whole hand starts with, so that only the board is built on it. */
    bc_hand own = bc_hand_add(bc_hand_card(hole[0]), bc_hand_card(hole[1]));
    *sum = *square = 0;
    for (int64_t deal = 0; deal < deals; deal++) {
        double share = deal_once(rng, own, deck, n, players - 1);
        *sum += share;
        *square += share * share;
    }
}

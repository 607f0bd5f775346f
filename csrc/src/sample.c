#include "baycarp/sample.h"

#include <assert.h>
#include <stdbool.h>

#include "baycarp/rank.h"

/* Consecutive rejected draws after which sampling ends; draws between two calls of stop. */
enum { PLAYERS = 10, TRIES = 400000, STOP_DRAWS = 1 << 16 };

typedef struct {
    uint8_t hi, lo;
} holding;

static void name_holdings(holding *holdings) {
    for (int hi = 1, i = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, i++) holdings[i] = (holding){(uint8_t)hi, (uint8_t)lo};
}

/* Sample a holding for each player; returns whether all cards are different. */
static bool draw_holdings(bc_rng *rng, const bc_sample *s, const holding *holdings, uint64_t *used,
                          bc_hand *hands) {
    for (int player = 0; player < s->players; player++) {
        const double *sums = s->sums + (size_t)player * BC_HOLDINGS;
        const holding h = holdings[bc_rng_index(rng, sums, BC_HOLDINGS)];
        const uint64_t cards = bc_bit(h.hi) | bc_bit(h.lo);
        if (*used & cards) return false;
        *used |= cards;
        hands[player] = bc_hand_add(bc_hand_card(h.hi), bc_hand_card(h.lo));
    }
    return true;
}

static bc_hand draw_board(bc_rng *rng, const bc_sample *s, uint64_t used) {
    bc_hand board = bc_hand_of(s->board, s->shown);
    for (int missing = 5 - s->shown; missing > 0;) {
        const int card = (int)bc_rng_below(rng, BC_DECK);
        if (used & bc_bit(card)) continue;
        used |= bc_bit(card);
        board = bc_hand_add(board, bc_hand_card(card));
        missing--;
    }
    return board;
}

static void settle(const bc_hand *hands, int players, bc_hand board, double *sum, double *square) {
    uint16_t rank[PLAYERS], best = 0;
    int winners = 0;
    for (int i = 0; i < players; i++) {
        rank[i] = bc_rank(bc_hand_add(board, hands[i]));
        if (rank[i] > best) winners = 0;
        if (rank[i] > best) best = rank[i];
        winners += rank[i] == best;
    }
    for (int i = 0; i < players; i++) {
        if (rank[i] != best) continue;
        sum[i] += 1.0 / winners;
        square[i] += 1.0 / (winners * winners);
    }
}

int64_t bc_sample_equity(bc_rng *rng, const bc_sample *s, int64_t deals, double *sum, double *square) {
    assert(2 <= s->players && s->players <= PLAYERS && 0 <= s->shown && s->shown <= 5);
    holding holdings[BC_HOLDINGS];
    bc_hand hands[PLAYERS];
    uint64_t known = 0;
    int64_t draws = 0;
    name_holdings(holdings);
    for (int i = 0; i < s->shown; i++) known |= bc_bit(s->board[i]);
    for (int64_t deal = 0; deal < deals; deal++) {
        uint64_t used = known;
        for (int tries = 0; !draw_holdings(rng, s, holdings, &used, hands); used = known)
            if (++tries == TRIES || (++draws % STOP_DRAWS == 0 && bc_stopped(s->stop))) return deal;
        if (++draws % STOP_DRAWS == 0 && bc_stopped(s->stop)) return deal;
        settle(hands, s->players, draw_board(rng, s, used), sum, square);
    }
    return deals;
}

#include "baycarp/search_models.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "baycarp/rank.h"
#include "baycarp/sweep.h"

int bc_search_price(const bc_variant *variant, const bc_state *state) {
    const bc_legal legal = bc_state_legal(variant, state);
    if (legal.owed == 0) return 0;
    if (legal.least == 0) return BC_PRICES - 1;
    const uint32_t bets = state->raises + (state->street == 0);
    return bets < 1 ? 1 : bets > 3 ? 3 : (int)bets;
}

void bc_price_policy(const void *context, const bc_decision *query, double *chances) {
    const bc_price_table *table = context;
    const int street = query->state->street, price = bc_search_price(query->variant, query->state);
    assert(query->bucket < table->buckets && query->cluster < table->clusters);
    const int64_t row =
        ((int64_t)(query->cluster * BC_STREETS + street) * BC_PRICES + price) * table->buckets +
        query->bucket;
    const double *kinds = table->chances + row * BC_KINDS;
    int raises = 0;
    for (int i = 0; i < query->count; i++) raises += query->moves[i].kind == BC_RAISE;
    double total = 0;
    for (int i = 0; i < query->count; i++) {
        const int kind = query->moves[i].kind;
        chances[i] = kind == BC_RAISE ? kinds[BC_RAISE] / raises : kinds[kind];
        total += chances[i];
    }
    for (int i = 0; i < query->count; i++) chances[i] /= total;
}

void bc_strength_buckets_start(bc_strength_buckets *b) {
    memset(b->ready_next, 0, sizeof b->ready_next);
    memset(b->ready_last, 0, sizeof b->ready_last);
}

static int street_of(int cards) {
    return cards ? cards - 2 : 0;
}

static uint8_t reached(const bc_strength_buckets *b, int cards, double strength) {
    const int street = street_of(cards);
    uint8_t bucket = 0;
    while (bucket < b->count[street] && strength >= b->edges[street][bucket]) bucket++;
    return bucket;
}

static void fill(const bc_strength_buckets *b, const uint8_t *board, int cards, uint8_t *table) {
    double strengths[BC_HOLDINGS];
    bc_sweep(b->level, board, cards, NULL, strengths);
    for (int i = 0; i < BC_HOLDINGS; i++)
        table[i] = isnan(strengths[i]) ? 0 : reached(b, cards, strengths[i]);
}

/* The strength of one holding, by the ranks of all others. */
static double strength_of(const uint8_t *board, int cards, int holding) {
    bc_hand common = bc_hand_empty();
    uint64_t used = 0;
    int hi = 1;
    while (hi * (hi + 1) / 2 <= holding) hi++;
    const int lo = holding - hi * (hi - 1) / 2;
    for (int i = 0; i < cards; i++) {
        common = bc_hand_add(common, bc_hand_card(board[i]));
        used |= bc_bit(board[i]);
    }
    used |= bc_bit(hi) | bc_bit(lo);
    const uint16_t own = bc_rank(bc_hand_add(bc_hand_add(common, bc_hand_card(hi)), bc_hand_card(lo)));
    int beaten = 0, pairs = 0;
    for (int a = 1; a < BC_DECK; a++) {
        if (used & bc_bit(a)) continue;
        const bc_hand one = bc_hand_add(common, bc_hand_card(a));
        for (int c = 0; c < a; c++) {
            if (used & bc_bit(c)) continue;
            const uint16_t rank = bc_rank(bc_hand_add(one, bc_hand_card(c)));
            beaten += (rank < own) * 2 + (rank == own), pairs += 2;
        }
    }
    return (double)beaten / pairs;
}

int bc_strength_bucket(void *context, const uint8_t *board, int cards, int holding) {
    bc_strength_buckets *b = context;
    if (cards == b->shown) return b->now[holding];
    if (b->shown < 3) return reached(b, cards, strength_of(board, cards, holding));
    if (cards == b->shown + 1) {
        const int card = board[b->shown];
        if (!b->ready_next[card]) fill(b, board, cards, b->next[card]);
        b->ready_next[card] = true;
        return b->next[card][holding];
    }
    const int pair = bc_holding(board[3], board[4]);
    if (!b->ready_last[pair]) fill(b, board, cards, b->last[pair]);
    b->ready_last[pair] = true;
    return b->last[pair][holding];
}

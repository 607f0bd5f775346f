#include "baycarp/search_models.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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
    memset(b->seen, 0, sizeof b->seen);
}

enum { RANKS = 13, SUITS = 4 };

static bool has_straight(uint32_t ranks) {
    const uint32_t row = ranks << 1 | (ranks >> (RANKS - 1) & 1); /* the ace below the deuce, too */
    return (row & row >> 1 & row >> 2 & row >> 3 & row >> 4) != 0;
}

/* The ranks that, added to a set without five in a row, make five in a row; 0 for a set with them. */
static uint32_t completing(uint32_t ranks) {
    const uint32_t row = ranks << 1 | (ranks >> (RANKS - 1) & 1); /* the ace below the deuce, too */
    uint32_t found = 0;
    for (int low = 0; low <= RANKS - 4; low++) {
        const uint32_t missing = ~(row >> low) & 31;
        if (!missing) return 0;
        if (!(missing & (missing - 1))) found |= missing << low;
    }
    return (found >> 1 | (found & 1) << (RANKS - 1)) & 0x1fff;
}

static int count_bits(uint32_t bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

/* What a holding may become with the next card. */
typedef struct {
    bool drawn;    /* four of a suit */
    int completes; /* ranks of a straight that the board alone does not have */
    int over;      /* unpaired cards above the board */
    int unpaired, paired;
    bool pocket;
} prospect;

static prospect prospect_of(const uint8_t *board, int cards, int holding) {
    prospect found = {0};
    int hi = 1, suits[SUITS] = {0}, top = 0;
    while (hi * (hi + 1) / 2 <= holding) hi++;
    const int own[2] = {hi, holding - hi * (hi - 1) / 2};
    const int ranks[2] = {bc_rank_of(own[0]), bc_rank_of(own[1])};
    uint32_t shown = 0;
    for (int i = 0; i < cards; i++) {
        const int rank = bc_rank_of(board[i]);
        shown |= 1u << rank, suits[bc_suit_of(board[i])]++;
        if (rank > top) top = rank;
    }
    found.pocket = ranks[0] == ranks[1];
    for (int i = 0; i < 2; i++) {
        suits[bc_suit_of(own[i])]++;
        if (found.pocket) continue;
        found.over += ranks[i] > top;
        if (shown >> ranks[i] & 1)
            found.paired++;
        else
            found.unpaired++;
    }
    bool made = false;
    for (int i = 0; i < 2; i++) {
        made |= suits[bc_suit_of(own[i])] >= 5;
        found.drawn |= suits[bc_suit_of(own[i])] == 4;
    }
    const uint32_t all = shown | 1u << ranks[0] | 1u << ranks[1], straights = completing(all);
    if (made || (!straights && has_straight(all)))
        found.drawn = false;
    else
        found.completes = count_bits(straights & ~completing(shown));
    return found;
}

int bc_outs(const uint8_t *board, int cards, int holding) {
    const prospect found = prospect_of(board, cards, holding);
    return 9 * found.drawn + (found.drawn ? 3 : 4) * found.completes;
}

/* Least squares over all holdings on 60 random flops and 60 turns against bc_sweep_potential. */
static const double WORTH[2][9] = {
    {0.036, 0.160, 0.084, 0.021, 0.020, 0.011, 0.030, 0.043, -0.051},
    {0.059, 0.150, 0.062, 0.023, 0.017, 0.034, 0.033, -0.024, -0.012},
};

double bc_potential_estimate(const uint8_t *board, int cards, int holding, double strength) {
    const prospect has = prospect_of(board, cards, holding);
    const double *w = WORTH[cards - 3];
    return w[0] + w[1] * has.drawn + w[2] * has.completes + w[3] * has.over + w[4] * has.unpaired +
           w[5] * has.pocket + w[6] * has.paired + (w[7] + w[8] * strength) * strength;
}

static int street_of(int cards) {
    return cards ? cards - 2 : 0;
}

static uint8_t reached(const bc_strength_buckets *b, const uint8_t *board, int cards, int holding,
                       double strength) {
    const int street = street_of(cards);
    if (isnan(strength)) return 0;
    bool apart = false;
    if (!b->ranked && cards < 5 && b->apart > 0) {
        const double potential = bc_potential_estimate(board, cards, holding, strength);
        apart = strength < 0.5 && potential >= b->apart;
        strength += (1 - strength) * potential;
    } else if (!b->ranked && cards < 5 && b->draw > 0)
        strength += (1 - strength) * b->draw * bc_outs(board, cards, holding);
    int low = 0, high = b->count[street];
    while (low < high) {
        const int middle = (low + high) / 2;
        if (strength >= b->edges[street][middle])
            low = middle + 1;
        else
            high = middle;
    }
    return (uint8_t)(apart ? low + b->count[street] + 1 : low);
}

typedef struct {
    double strength;
    int turn, holding; /* turn: the order of equals, which has nothing to do with their cards */
} placed;

static int weaker(const void *one, const void *other) {
    const placed *a = one, *b = other;
    if (a->strength != b->strength) return a->strength < b->strength ? -1 : 1;
    return a->turn - b->turn;
}

/* ranks[1326]: the place of each holding by E[HS^2], 0..1; NaN for blocked ones. */
static void rank_by_squares(enum bc_simd level, const uint8_t *board, int cards, double *ranks) {
    enum { SPREAD = 797 }; /* has no divisor with 1326 */
    double mean[BC_HOLDINGS];
    placed live[BC_HOLDINGS];
    int count = 0;
    bc_sweep_expected(level, board, cards, NULL, NULL, mean, ranks);
    for (int i = 0; i < BC_HOLDINGS; i++)
        if (!isnan(ranks[i])) live[count++] = (placed){ranks[i], i * SPREAD % BC_HOLDINGS, i};
    qsort(live, (size_t)count, sizeof live[0], weaker);
    for (int i = 0; i < count; i++) ranks[live[i].holding] = (i + 0.5) / count;
}

static void strengths_on(const bc_strength_buckets *b, const uint8_t *board, int cards, double *strengths) {
    if (b->ranked)
        rank_by_squares(b->level, board, cards, strengths);
    else
        bc_sweep(b->level, board, cards, NULL, strengths);
}

void bc_strength_bucket_table(const bc_strength_buckets *b, const uint8_t *board, int cards, uint8_t *table) {
    double strengths[BC_HOLDINGS];
    strengths_on(b, board, cards, strengths);
    for (int i = 0; i < BC_HOLDINGS; i++) table[i] = reached(b, board, cards, i, strengths[i]);
}

/* On a board that is not kept as a table: the strengths of the last such board are. */
static uint8_t bucket_on(bc_strength_buckets *b, const uint8_t *board, int cards, int holding) {
    const int street = street_of(cards);
    uint64_t used = 0;
    for (int i = 0; i < cards; i++) used |= bc_bit(board[i]);
    if (b->seen[street] != used) strengths_on(b, board, cards, b->strengths[street]);
    b->seen[street] = used;
    return reached(b, board, cards, holding, b->strengths[street][holding]);
}

int bc_strength_bucket(void *context, const uint8_t *board, int cards, int holding) {
    bc_strength_buckets *b = context;
    if (cards == b->shown) return b->now[holding];
    if (b->shown < 3) return bucket_on(b, board, cards, holding);
    if (cards == b->shown + 1) {
        const int card = board[b->shown];
        if (!b->ready_next[card]) bc_strength_bucket_table(b, board, cards, b->next[card]);
        b->ready_next[card] = true;
        return b->next[card][holding];
    }
    const int pair = bc_holding(board[3], board[4]);
    if (!b->ready_last[pair]) bc_strength_bucket_table(b, board, cards, b->last[pair]);
    b->ready_last[pair] = true;
    return b->last[pair][holding];
}

#include "baycarp/cfr.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "baycarp/rank.h"

#define FORM visit_base
static void visit_base(const bc_cfr_walk *walk, float *value);
#include "../simd/cfr_form.h"

size_t bc_cfr_cells(bc_betting_game *game) {
    size_t cells = 0;
    for (int s = 0; s < game->streets; s++) {
        bc_betting *street = &game->street[s];
        street->first = cells;
        street->block = 0;
        for (int node = 0; node < street->nodes; node++) {
            street->node[node] = street->block;
            street->block += BC_ACTIONS * (size_t)street->buckets[street->actor[node]] * BC_CFR_LANES;
        }
        cells += (size_t)street->blocks * street->block;
    }
    return cells;
}

size_t bc_cfr_choices(const bc_betting_game *game, const bc_deal *deal) {
    const bc_betting *last = &game->street[game->streets - 1];
    return (size_t)last->blocks * (size_t)last->nodes * (size_t)deal->count * BC_CFR_LANES;
}

/* On a street every node may hold three vectors, its block two for each leaf and two more. */
size_t bc_cfr_scratch(const bc_betting_game *game) {
    size_t vectors = 2;
    for (int s = 0; s < game->streets; s++)
        vectors += (size_t)(3 * game->street[s].nodes + 2 * game->street[s].leaves + 2);
    return vectors * BC_HOLDINGS * BC_CFR_LANES;
}

static int by_rank(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void bc_cfr_deal(const uint8_t *board, const uint16_t *const bucket[2], int streets, const uint8_t *dealt,
                 bc_deal *deal) {
    const bc_hand base = bc_hand_of(board, 5);
    uint64_t known = 0;
    uint32_t key[BC_HOLDINGS]; /* rank << 11 | holding */
    uint8_t card[BC_HOLDINGS][2];
    for (int i = 0; i < 5; i++) known |= bc_bit(board[i]);
    deal->count = 0;
    for (int hi = 1, h = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, h++) {
            if (known & (bc_bit(hi) | bc_bit(lo)) || (dealt && !dealt[h])) continue;
            const bc_hand hand = bc_hand_add(bc_hand_add(base, bc_hand_card(hi)), bc_hand_card(lo));
            key[deal->count++] = (uint32_t)bc_rank(hand) << 11 | (uint32_t)h;
            card[h][0] = (uint8_t)hi;
            card[h][1] = (uint8_t)lo;
        }
    qsort(key, (size_t)deal->count, sizeof *key, by_rank);
    for (int i = deal->count - 1; i >= 0; i--) {
        const int h = key[i] & 2047;
        const int last = i == deal->count - 1 || key[i] >> 11 != key[i + 1] >> 11;
        deal->tied[i] = last ? (uint16_t)(i + 1) : deal->tied[i + 1];
        deal->holding[i] = (uint16_t)h;
        memcpy(deal->card[i], card[h], 2);
        for (int player = 0; player < 2; player++)
            for (int s = 0; s < streets; s++)
                deal->bucket[player][s][i] = bucket[player][s * BC_HOLDINGS + h];
    }
}

void bc_cfr_visit(enum bc_simd level, const bc_cfr_walk *walk, float *value) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) bc_cfr_visit_avx512(walk, value);
    if (level == BC_AVX2) bc_cfr_visit_avx2(walk, value);
#endif
    if (level == BC_BASE) visit_base(walk, value);
}

/* The cells of one node: `plane` cells an action, of which `legal` may be chosen. */
typedef struct {
    int actor, legal[BC_ACTIONS], choices;
    size_t first, plane;
} node;

/* The node after `at` in the order of the cells; starts at street 0, block 0, node -1. */
typedef struct {
    int street, block, node;
    size_t first;
} cursor;

static int next_node(const bc_betting_game *game, cursor *at, node *of) {
    if (++at->node == game->street[at->street].nodes) {
        at->node = 0;
        if (++at->block == game->street[at->street].blocks) {
            at->block = 0;
            if (++at->street == game->streets) return 0;
        }
    }
    const bc_betting *street = &game->street[at->street];
    of->actor = street->actor[at->node];
    of->first = at->first;
    of->plane = (size_t)street->buckets[of->actor] * BC_CFR_LANES;
    of->choices = 0;
    for (int a = 0; a < BC_ACTIONS; a++)
        of->choices += of->legal[a] = street->child[at->node][a] != BC_CFR_ILLEGAL;
    at->first += BC_ACTIONS * of->plane;
    return 1;
}

#define NODES(game, n)                                                                                       \
    cursor at = {0, 0, -1, 0};                                                                               \
    for (node n; next_node(game, &at, &n);)

/* In proportion to the positive numbers of the legal actions, uniform without any. */
static void normalise(const node *n, const float *numbers, float *policy) {
    for (size_t cell = n->first; cell < n->first + n->plane; cell++) {
        float sum = 0, positive[BC_ACTIONS];
        for (int a = 0; a < BC_ACTIONS; a++) {
            const float number = numbers[cell + (size_t)a * n->plane];
            positive[a] = n->legal[a] && number > 0 ? number : 0;
            sum += positive[a];
        }
        const float uniform = 1.0f / (float)n->choices;
        for (int a = 0; a < BC_ACTIONS; a++) {
            const float share = sum > 0 ? positive[a] / sum : uniform;
            policy[cell + (size_t)a * n->plane] = n->legal[a] ? share : 0;
        }
    }
}

void bc_cfr_learn(const bc_betting_game *game, int hero, const bc_cfr_step *step, const float *change,
                  const float *reached, float *regret, float *average, float *strategy) {
    NODES(game, n) {
        const size_t end = n.first + BC_ACTIONS * n.plane;
        if (n.actor != hero) {
            for (size_t cell = n.first; cell < end; cell++)
                average[cell] = step->keep * average[cell] + step->weight * reached[cell];
            continue;
        }
        for (size_t cell = n.first; cell < end; cell++) {
            const float sum = regret[cell] + change[cell];
            regret[cell] = sum * (sum < 0 ? step->discount[0] : step->discount[1]);
        }
        normalise(&n, regret, strategy);
    }
}

void bc_cfr_policy(const bc_betting_game *game, const float *average, float *policy) {
    NODES(game, n) normalise(&n, average, policy);
}

void bc_cfr_greedy(const bc_betting_game *game, int hero, const float *sum, float *policy) {
    NODES(game, n) {
        if (n.actor != hero) continue;
        for (size_t cell = n.first; cell < n.first + n.plane; cell++) {
            int best = -1, differ = 0;
            for (int a = 0; a < BC_ACTIONS; a++) {
                if (!n.legal[a]) continue;
                const float number = sum[cell + (size_t)a * n.plane];
                const float most = best < 0 ? number : sum[cell + (size_t)best * n.plane];
                differ |= number != most;
                if (best < 0 || number > most) best = a;
            }
            for (int a = 0; differ && a < BC_ACTIONS; a++) policy[cell + (size_t)a * n.plane] = a == best;
        }
    }
}

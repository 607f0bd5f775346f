/* Solvers: walks of any betting on any holdings, sampled walks and their deals, best responses on any street.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "baycarp/cfr.h"
#include "baycarp/deals.h"
#include "baycarp/mccfr.h"
#include "baycarp/response.h"
#include "baycarp/spot.h"
#include "source.h"

void target_cfr(source *from);
void target_deals(source *from);
void target_mccfr(source *from);
void target_response(source *from);
void target_spot(source *from);

enum { NODES = 6, FEW = 3, STREETS = 2 };

/* A street of betting in which every node has one parent and may be left. */
static bc_betting take_betting(source *from) {
    bc_betting street = {.nodes = 1, .lanes = 1, .blocks = 1};
    for (int node = 0; node < street.nodes; node++) {
        street.actor[node] = (int8_t)take(from, 2);
        street.folded[node] = (float)take(from, 9);
        int legal = 0;
        for (int action = 0; action < BC_ACTIONS; action++) {
            const uint32_t wish = take(from, 4);
            int child = BC_CFR_ILLEGAL;
            if (wish == 1 && street.nodes < NODES)
                child = street.nodes++;
            else if (wish == 2 && action == 0)
                child = BC_CFR_FOLD;
            else if (wish > 1 || (action == 2 && !legal) || (!street.leaves && action == 2))
                child = BC_CFR_LEAF - street.leaves++;
            legal += child != BC_CFR_ILLEGAL;
            street.child[node][action] = (int8_t)child;
        }
    }
    for (int leaf = 0; leaf < street.leaves; leaf++) street.matched[leaf] = (float)take(from, 9);
    for (int player = 0; player < 2; player++) street.buckets[player] = 1 + (int)take(from, FEW);
    return street;
}

static void take_deal(source *from, const bc_betting_game *game, bc_deal *deal) {
    static uint16_t buckets[2][BC_STREETS * BC_HOLDINGS];
    const uint16_t *const bucket[2] = {buckets[0], buckets[1]};
    uint8_t board[5], dealt[BC_HOLDINGS] = {0};
    take_cards(from, board, 5);
    for (int held = 1 + (int)take(from, 12); held; held--) {
        const uint32_t h = take(from, BC_HOLDINGS);
        dealt[h] = 1;
        for (int player = 0; player < 2; player++)
            for (int s = 0; s < game->streets; s++)
                buckets[player][s * BC_HOLDINGS + (int)h] =
                    (uint16_t)take(from, (uint32_t)game->street[s].buckets[player]);
    }
    bc_cfr_deal(board, bucket, game->streets, dealt, deal);
}

static double sum_of(const float *value) {
    double sum = 0;
    for (int h = 0; h < BC_HOLDINGS; h++) {
        assert(isfinite(value[h]));
        sum += value[h];
    }
    return sum;
}

/* What one player wins the other loses, mixed or with best responses, which win at least as much. */
void target_cfr(source *from) {
    static bc_deal deal;
    static float entry[STREETS][2 * BC_CFR_LANES];
    bc_betting_game game = {.streets = 1 + (int)take(from, STREETS)};
    for (int s = 0; s < game.streets; s++) {
        game.street[s] = take_betting(from);
        game.street[s].entry = entry[s];
        for (int l = 0; l < 2 * BC_CFR_LANES; l++) entry[s][l] = (float)take(from, 9);
    }
    if (game.streets == 2) {
        const int entries = game.street[0].leaves;
        game.street[1].blocks = (entries + BC_CFR_LANES - 1) / BC_CFR_LANES;
        game.street[1].lanes = entries < BC_CFR_LANES ? entries : BC_CFR_LANES;
    }
    const size_t cells = bc_cfr_cells(&game);
    take_deal(from, &game, &deal);
    if (!deal.count) return;
    float *sums = malloc(cells * sizeof *sums), *strategy = malloc(cells * sizeof *strategy);
    float *scratch = malloc(bc_cfr_scratch(&game) * sizeof *scratch);
    int8_t *choices = malloc(bc_cfr_choices(&game, &deal));
    for (size_t i = 0; i < cells; i++) sums[i] = (float)take_byte(from);
    bc_cfr_policy(&game, sums, strategy);
    const enum bc_simd level = (enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1);
    float mixed[2][BC_HOLDINGS], best[BC_HOLDINGS], other[BC_HOLDINGS], same[BC_HOLDINGS];
    for (int hero = 0; hero < 2; hero++) {
        bc_cfr_walk walk = {&game, &deal, strategy, hero, 1, NULL, NULL, scratch, BC_CFR_MIX, NULL};
        bc_cfr_visit(level, &walk, mixed[hero]);
        bc_cfr_visit(BC_BASE, &walk, same);
        assert(!memcmp(same, mixed[hero], sizeof same));
        walk.last = BC_CFR_RECORD;
        walk.choices = choices;
        bc_cfr_visit(level, &walk, best);
        walk.last = BC_CFR_REPLAY;
        walk.hero = 1 - hero;
        bc_cfr_visit(BC_BASE, &walk, other);
        for (int h = 0; h < BC_HOLDINGS; h++) assert(best[h] > mixed[hero][h] - 1e-2f);
        assert(fabs(sum_of(best) + sum_of(other)) < 1e-2);
    }
    assert(fabs(sum_of(mixed[0]) + sum_of(mixed[1])) < 1e-2);
    free(sums);
    free(strategy);
    free(scratch);
    free(choices);
}

/* All levels give the same deals, whose buckets are within their number. */
void target_deals(source *from) {
    static uint16_t row[BC_TURNS], holding[BC_RENAMINGS * BC_HOLDINGS], bucket[BC_HOLDINGS];
    static uint8_t renaming[BC_TURNS];
    double edges[8];
    bc_dealt deals[2][3];
    bc_bucket_tables t = {{row, row}, {renaming, renaming}, holding, {bucket, bucket}, edges, {0}, {0}};
    int most[BC_STREETS] = {169};
    for (int s = 0; s < 3; s++) {
        t.count[s] = 1 + (int)take(from, 9);
        t.recall[s] = (int)take(from, 2);
        most[s + 1] = t.count[s] * (t.recall[s] ? most[s] : 1);
    }
    const int own = t.count[0] < t.count[1] ? t.count[0] : t.count[1];
    const int step = 1 + (int)take(from, BC_HOLDINGS - 1);
    for (int i = 0; i < BC_HOLDINGS; i++) bucket[i] = (uint16_t)(i / step % own);
    for (int i = 0; i < BC_RENAMINGS * BC_HOLDINGS; i++) holding[i] = (uint16_t)((i + step) % BC_HOLDINGS);
    for (int i = 0; i < BC_TURNS; i++) renaming[i] = (uint8_t)((i + step) % BC_RENAMINGS);
    for (int i = 0; i < 8; i++) edges[i] = (i + 1.0) / t.count[2];
    const uint64_t seed = take(from, UINT32_MAX);
    const int64_t first = take(from, UINT32_MAX);
    bc_deals(BC_BASE, &t, seed, first, 3, deals[0]);
    bc_deals((enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1), &t, seed, first, 3, deals[1]);
    assert(!memcmp(deals[0], deals[1], sizeof deals[0]));
    for (int i = 0; i < 3; i++)
        for (int s = 0; s < BC_STREETS; s++)
            for (int p = 0; p < 2; p++) assert(deals[0][i].bucket[p][s] < most[s]);
}

enum { SOME = 12, MANY = 3 * SOME, DRAWN = 4 };

/* Regrets stay finite, one learner changes its own cells alone, and nobody wins more chips than there are. */
void target_mccfr(source *from) {
    int32_t edge[SOME + 1] = {0}, child[MANY];
    uint8_t actor[SOME], street[SOME];
    float chips[MANY], regret[MANY * FEW] = {0}, fixed[MANY * FEW], average[MANY * FEW] = {0}, most = 0;
    int8_t folded[MANY];
    int64_t cell[SOME], cells = 0;
    bc_dealt deals[DRAWN];
    int nodes = 1, ends = 0;
    for (int node = 0; node < nodes; node++) {
        const int actions = 1 + (int)take(from, 3);
        edge[node + 1] = edge[node] + actions;
        actor[node] = (uint8_t)take(from, 2);
        street[node] = (uint8_t)take(from, BC_STREETS);
        cell[node] = cells;
        cells += actions * FEW;
        for (int e = edge[node]; e < edge[node + 1]; e++)
            child[e] = nodes < SOME && take(from, 2) ? nodes++ : -1 - ends++;
    }
    for (int end = 0; end < ends; end++) {
        chips[end] = (float)take(from, 200);
        folded[end] = (int8_t)((int)take(from, 3) - 1);
        most = fmaxf(most, chips[end]);
    }
    for (int64_t i = 0; i < cells; i++) fixed[i] = (float)take(from, 4) - 1;
    for (int i = 0; i < DRAWN; i++) {
        deals[i].won = (int8_t)((int)take(from, 3) - 1);
        for (int p = 0; p < 2; p++)
            for (int s = 0; s < BC_STREETS; s++) deals[i].bucket[p][s] = (uint16_t)take(from, FEW);
    }
    const bc_mccfr_game game = {nodes, edge, child, actor, street, chips, folded, cell};
    const int hero = (int)take(from, 2);
    const bc_mccfr_run alone = {&game, {!hero, hero}, regret, fixed, NULL, 1 + take(from, 9), take(from, 99)};
    assert(bc_mccfr_learn(&alone, 0, DRAWN, deals, NULL) == DRAWN);
    for (int node = 0; node < nodes; node++)
        for (int64_t i = cell[node]; i < (node + 1 < nodes ? cell[node + 1] : cells); i++)
            assert(actor[node] == hero ? isfinite(regret[i]) : regret[i] == 0);
    const bc_mccfr_run both = {&game, {1, 1}, regret, regret, average, 1, 7};
    assert(bc_mccfr_learn(&both, take(from, 99), DRAWN, deals, NULL) == DRAWN);
    for (int64_t i = 0; i < cells; i++) assert(isfinite(regret[i]) && average[i] >= 0);
    const float *const played[2] = {average, fixed};
    double value[DRAWN];
    assert(bc_mccfr_values(&game, played, DRAWN, deals, value, NULL) == DRAWN);
    for (int i = 0; i < DRAWN; i++) assert(fabs(value[i]) <= (double)most * (1 + 1e-5));
}

enum { CARDS = 8, ALL = CARDS * (CARDS - 1) / 2, CELLS = 3 };

/* All levels give the same bits, and no holding wins more chips than there are, from all that it meets. */
void target_response(source *from) {
    static double policy[BC_STREET_ANSWERS][CELLS][3][BC_STREET_LANES];
    static bc_lanes scratch[BC_STREET_SCRATCH * ALL], reach[ALL], ends[BC_STREET_ENDS * ALL], value[2][ALL];
    uint8_t cards[ALL][2];
    uint16_t holding[ALL], rank[ALL], cell[ALL];
    bc_lanes paid;
    double chips = 0, total = 0;
    int n = 0, level_of = 0;
    for (int hi = 1, h = 0; hi < CARDS; hi++)
        for (int lo = 0; lo < hi; lo++, h++) {
            for (int l = 0; l < BC_STREET_LANES; l++) total += reach[h].lane[l] = take_byte(from) / 255.0;
            if (take(from, 4) == 0) continue; /* blocked */
            cards[n][0] = (uint8_t)hi;
            cards[n][1] = (uint8_t)lo;
            holding[n] = (uint16_t)h;
            cell[n] = (uint16_t)take(from, CELLS);
            rank[n] = (uint16_t)(n ? rank[n - 1] + take(from, 2) : 1);
            n++;
        }
    if (!n) return;
    for (int l = 0; l < BC_STREET_LANES; l++) paid.lane[l] = take(from, 9);
    double *p = &policy[0][0][0][0];
    for (size_t k = 0; k < sizeof policy / sizeof *p; k++) p[k] = take_byte(from) / 765.0;
    bc_street s = {.n = n, .holding = holding, .cards = &cards[0][0], .rank = rank, .cell = cell};
    s.cells = CELLS, s.holdings = ALL, s.groups = 1, s.policy = p, s.paid = &paid, s.scratch = scratch;
    s.bet = 1 + take(from, 5), s.most = 1 + (int)take(from, BC_STREET_BETS), s.first = (int)take(from, 2);
    s.images = 1, s.image = holding;
    for (int l = 0; l < BC_STREET_LANES; l++) chips = fmax(chips, paid.lane[l] + s.most * s.bet);
    for (int again = 0; again < 2; again++) {
        const enum bc_simd level = again ? (enum bc_simd)level_of : BC_BASE;
        level_of = (int)take(from, (uint32_t)bc_simd_best() + 1);
        memset(value[again], 0, sizeof value[again]);
        bc_street_value(level, &s, 1, reach, NULL, value[again]);
    }
    assert(!memcmp(value[0], value[1], sizeof value[0]));
    for (int h = 0; h < ALL; h++)
        for (int l = 0; l < BC_STREET_LANES; l++) assert(fabs(value[0][h].lane[l]) <= chips * total + 1e-9);
    s.rank = NULL; /* another street follows */
    bc_street_reach(BC_BASE, &s, reach, ends);
    for (int k = 0; k < BC_STREET_ENDS * ALL; k++)
        for (int l = 0; l < BC_STREET_LANES; l++)
            assert(ends[k].lane[l] >= 0 && ends[k].lane[l] <= reach[k % ALL].lane[l] + 1e-12);
}

/* ---- spots ---- */

enum { SPOT_NODES = 40, SPOT_HELD = 14, SPOT_MOST = 3 };

typedef struct {
    bc_spot_tree tree;
    uint8_t kind[SPOT_NODES];
    int8_t player[SPOT_NODES];
    int32_t first[SPOT_NODES], count[SPOT_NODES], street[SPOT_NODES];
    double payoff[SPOT_NODES][2][3];
} spot_nodes;

/* Any tree: what a node's kind allows follows it, and what is left over are leaves. */
static void take_tree(source *from, int streets, spot_nodes *t) {
    memset(t, 0, sizeof *t);
    t->tree = (bc_spot_tree){1, t->kind, t->player, t->first, t->count, &t->payoff[0][0][0]};
    for (int node = 0; node < t->tree.nodes; node++) {
        int of = (int)take(from, 5), children = of == BC_SPOT_DEAL ? 1 : 1 + (int)take(from, SPOT_MOST);
        if (of == BC_SPOT_DEAL && t->street[node] == streets - 1) of = BC_SPOT_SHOWDOWN;
        const bool leaf = of == BC_SPOT_END || of == BC_SPOT_SHOWDOWN;
        if (!leaf && t->tree.nodes + children > SPOT_NODES) of = BC_SPOT_SHOWDOWN;
        t->kind[node] = (uint8_t)of;
        t->player[node] = (int8_t)take(from, 2);
        const double pot = take(from, 200);
        for (int k = 0; k < 3; k++) t->payoff[node][0][k] = of == BC_SPOT_END ? pot : pot - 50 * k;
        for (int k = 0; k < 3; k++)
            t->payoff[node][1][k] = 100 - t->payoff[node][0][of == BC_SPOT_END ? k : 2 - k];
        if (of == BC_SPOT_END || of == BC_SPOT_SHOWDOWN) continue;
        t->first[node] = t->tree.nodes;
        t->count[node] = children;
        for (; children; children--) t->street[t->tree.nodes++] = t->street[node] + (of == BC_SPOT_DEAL);
    }
}

void target_spot(source *from) {
    static spot_nodes t;
    static int32_t work[3 * SPOT_NODES];
    uint8_t cards[2][SPOT_HELD][2];
    float weight[2][SPOT_HELD];
    bc_spot_game game = {.cards = 4 + (int)take(from, 2), .bits = take(from, 2) ? 16 : 32, .threads = 1};
    take_cards(from, game.board, game.cards);
    take_tree(from, 6 - game.cards, &t);
    bool sums = false; /* a sum pays twice, so that nothing adds up to the pot */
    for (int i = 0; i < t.tree.nodes; i++) sums |= t.kind[i] == BC_SPOT_SUM;
    game.tree = t.tree;
    for (int s = 0; s < 4; s++) game.suit[s] = (uint8_t)s;
    for (int p = 0; p < 2; p++) {
        game.count[p] = 1 + (int)take(from, SPOT_HELD);
        game.card[p] = &cards[p][0][0];
        game.weight[p] = weight[p];
        for (int i = 0; i < game.count[p]; i++) {
            take_cards(from, cards[p][i], 2);
            weight[p][i] = (float)take(from, 4) / 3;
        }
    }
    const size_t bytes = bc_spot_bytes(&game, work);
    const enum bc_simd level_of = (enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1);
    const bc_spot_weights weights = {take(from, 3), take(from, 3), take(from, 3), (int)take(from, 4),
                                     1 + (int)take(from, 6)};
    bc_spot_solver *solver[2];
    double value[2][2][2];
    for (int again = 0; again < 2; again++) {
        const enum bc_simd level = again ? level_of : BC_BASE;
        void *memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
        assert(memory);
        memset(memory, 0, bytes);
        solver[again] = bc_spot_make(&game, work, memory);
        if (!(bc_spot_mass(solver[again]) > 0)) {
            free(memory);
            if (again) free(solver[0]);
            return;
        }
        bc_spot_begin(solver[again], 3, &weights);
        bc_spot_run(level, solver[again], 0, NULL);
        for (int p = 0; p < 2; p++)
            for (int mode = 0; mode < 2; mode++) {
                bc_spot_begin_value(solver[again], p, mode ? BC_SPOT_FREE : BC_SPOT_MEAN, false);
                bc_spot_run(level, solver[again], 0, NULL);
                value[again][p][mode] = bc_spot_value(solver[again]);
            }
    }
    const bc_spot_tables a = bc_spot_tables_of(solver[0]), b = bc_spot_tables_of(solver[1]);
    const size_t table = a.cells * (size_t)game.bits / 8;
    assert(!memcmp(a.regret, b.regret, table) && !memcmp(a.sum, b.sum, table));
    assert(!memcmp(value[0], value[1], sizeof value[0]));
    for (int p = 0; p < 2; p++) assert(value[0][p][1] >= value[0][p][0] - 1e-6);
    if (!sums) assert(fabs(value[0][0][0] + value[0][1][0] - 100) < 1e-6);
    free(solver[0]);
    free(solver[1]);
}

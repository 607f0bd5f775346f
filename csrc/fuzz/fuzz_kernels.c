/* Any bytes become a call of a kernel that keeps its preconditions; no byte may break a bound or an
   invariant.

   Each target reads what it needs from the input (zeros once that ends), calls, and checks the answer: by
   what must hold of it, or by another kernel that must agree. */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "baycarp/categories.h"
#include "baycarp/equity.h"
#include "baycarp/evidence.h"
#include "baycarp/preflop.h"
#include "baycarp/rank.h"
#include "baycarp/runout.h"
#include "baycarp/sample.h"
#include "baycarp/share.h"
#include "baycarp/simd.h"
#include "baycarp/strength.h"
#include "baycarp/sweep.h"
#include "naive.h"
#include "naive_categories.h"
#include "naive_sweep.h"
#include "source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool close_to(double a, double b) {
    return fabs(a - b) <= 1e-9;
}

static bool is_share(double x) {
    return x >= -1e-12 && x <= 1 + 1e-12;
}

static enum bc_simd take_level(source *from) {
    return (enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1);
}

/* A weight for each holding: all alike, some, of very different size, few. Whether all are whole. */
static bool take_weights(source *from, double *weights) {
    const int kind = (int)take(from, 4), often = 1 + (int)take(from, 256);
    bc_rng rng;
    bc_rng_seed(&rng, take_seed(from));
    for (int i = 0; i < BC_HOLDINGS; i++) {
        const uint32_t byte = bc_rng_below(&rng, 256);
        weights[i] = kind == 0 ? 1 : byte >= (uint32_t)often ? 0 : byte + 1;
        if (kind == 2 && weights[i] > 0) weights[i] = ldexp(bc_rng_unit(&rng), (int)byte - 128);
        if (kind == 3 && byte > 4) weights[i] = 0;
    }
    return kind != 2;
}

/* Cards on the board: seldom few, since then there are many to come. */
static int take_shown(source *from) {
    const uint32_t number = take(from, 256);
    return number < 2 ? 3 : number < 20 ? 4 : 5;
}

/* Any bytes: the first bad row is named; up to there ranks are those of single hands. */
static void target_rows(source *from) {
    uint8_t rows[200 * 7];
    uint16_t ranks[200];
    const int k = 5 + (int)take(from, 3), n = (int)take(from, 201);
    const bool mostly_good = take(from, 2);
    int bad = -1;
    for (int i = 0; i < n; i++) {
        if (mostly_good && take(from, 64))
            take_cards(from, rows + i * k, k);
        else
            for (int x = 0; x < k; x++) rows[i * k + x] = take_byte(from);
    }
    for (int i = 0; i < n && bad < 0; i++)
        for (int x = 0; x < k; x++) {
            if (rows[i * k + x] >= BC_DECK) bad = i;
            for (int y = 0; y < x; y++)
                if (rows[i * k + x] == rows[i * k + y]) bad = i;
        }
    assert(bc_rank_batch(take_level(from), rows, n, k, ranks) == bad);
    for (int i = 0; i < (bad < 0 ? n : 0); i++) {
        assert(ranks[i] == bc_rank_cards(rows + i * k, k));
        assert(1 <= bc_category(ranks[i]) && bc_category(ranks[i]) <= 9);
    }
}

/* One holding against a range, beside its definition, and beside the sweep that finds it for all holdings. */
static void target_strength(source *from) {
    uint8_t cards[7];
    double weights[BC_HOLDINGS], hs[BC_HOLDINGS];
    bc_standings found, expected;
    const int n = take_shown(from), ahead = (int)take(from, (uint32_t)(6 - n));
    const bool any = take(from, 2);
    const enum bc_simd level = take_level(from);
    take_cards(from, cards, 7);
    const bool whole = take_weights(from, weights);
    const double *given = any ? NULL : weights;
    const bool met = bc_strength(level, cards, cards + 2, n, ahead, given, &found);
    assert(met == bc_naive_strength(cards, cards + 2, n, ahead, given, true, &expected));
    if (!met) return;
    assert(is_share(bc_hs(&found)) && is_share(bc_ppot(&found)) && is_share(bc_npot(&found)));
    bc_sweep(take_level(from), cards + 2, n, given, hs);
    const double by_sweep = hs[bc_holding(cards[0], cards[1])];
    assert(isnan(by_sweep) || is_share(by_sweep));
    if (!any && !whole) return; /* rounded */
    assert(close_to(by_sweep, bc_hs(&found)));
    for (int x = 0; x < 3; x++) {
        assert(found.now[x] == expected.now[x]);
        for (int y = 0; y < 3; y++) assert(found.then[x][y] == expected.then[x][y]);
    }
}

/* All holdings at once, beside the slow sweep. */
static void target_sweep(source *from) {
    uint8_t board[5];
    double weights[BC_HOLDINGS], found[2][BC_HOLDINGS], expected[2][BC_HOLDINGS];
    const int n = take_shown(from);
    const bool any = take(from, 2), ahead = take(from, 2) && n > 3;
    const enum bc_simd level = take_level(from);
    take_cards(from, board, 5);
    const bool whole = take_weights(from, weights);
    const double *given = any ? NULL : weights;
    if (ahead) {
        bc_sweep_expected(level, board, n, given, NULL, found[0], found[1]);
        bc_naive_sweep_expected(board, n, given, expected[0], expected[1]);
    } else {
        bc_sweep(level, board, n, given, found[0]);
        bc_naive_sweep(board, n, given, expected[0]);
    }
    for (int i = 0; i < BC_HOLDINGS && (any || whole); i++)
        for (int k = 0; k <= ahead; k++) {
            assert(isnan(found[k][i]) == isnan(expected[k][i]));
            assert(isnan(found[k][i]) || close_to(found[k][i], expected[k][i]));
        }
}

static void target_sweep_potential(source *from) {
    uint8_t cards[6];
    double hs[BC_HOLDINGS], ppot[BC_HOLDINGS], npot[BC_HOLDINGS];
    bc_standings found;
    const int n = take(from, 64) ? 4 : 3;
    take_cards(from, cards, 6);
    bc_sweep_potential(take_level(from), cards + 2, n, hs, ppot, npot);
    assert(bc_strength(take_level(from), cards, cards + 2, n, 1, NULL, &found));
    const int i = bc_holding(cards[0], cards[1]);
    assert(close_to(hs[i], bc_hs(&found)));
    assert(close_to(ppot[i], bc_ppot(&found)) && close_to(npot[i], bc_npot(&found)));
}

static void target_expected(source *from) {
    uint8_t cards[7];
    double mean, square, means[BC_HOLDINGS], squares[BC_HOLDINGS];
    const int n = take_shown(from);
    take_cards(from, cards, 7);
    bc_expected_strength(take_level(from), cards, cards + 2, n, &mean, &square);
    bc_sweep_expected(take_level(from), cards + 2, n, NULL, NULL, means, squares);
    const int i = bc_holding(cards[0], cards[1]);
    assert(close_to(mean, means[i]) && close_to(square, squares[i]));
    assert(is_share(mean) && is_share(square) && square <= mean + 1e-12);
}

static void target_equity(source *from) {
    uint8_t board[5];
    double a[BC_HOLDINGS], b[BC_HOLDINGS];
    const int n = take_shown(from);
    take_cards(from, board, 5);
    take_weights(from, a);
    take_weights(from, b);
    bc_shares ours = {0, 0}, theirs = {0, 0};
    bc_equity(take_level(from), a, b, board, n, -1, NULL, &ours);
    bc_equity(take_level(from), b, a, board, n, -1, NULL, &theirs);
    assert(ours.total >= 0 && ours.won >= 0);
    if (!(ours.total > 0) || !(theirs.total > 0)) return;
    assert(is_share(ours.won / ours.total));
    assert(fabs(ours.won / ours.total + theirs.won / theirs.total - 1) <= 1e-6);
}

static void target_preflop(source *from) {
    uint8_t c[4];
    double a[BC_HOLDINGS] = {0}, b[BC_HOLDINGS] = {0};
    take_cards(from, c, 4);
    const int32_t lead = bc_preflop_matchup(c[0], c[1], c[2], c[3]);
    assert(abs(lead) <= BC_BOARDS && lead == -bc_preflop_matchup(c[3], c[2], c[1], c[0]));
    a[bc_holding(c[0], c[1])] = b[bc_holding(c[2], c[3])] = 1;
    bc_preflop_shares found = bc_preflop_equity(a, b);
    assert(found.lead == lead && found.total == BC_BOARDS);
    take_weights(from, a);
    take_weights(from, b);
    found = bc_preflop_equity(a, b);
    const bc_preflop_shares back = bc_preflop_equity(b, a);
    assert(found.total >= 0 && isfinite(found.lead));
    assert(fabs(found.total - back.total) <= 1e-9 * found.total);
}

static void target_runout(source *from) {
    uint8_t cards[25];
    uint16_t sets[4];
    int64_t won[4 * 10], boards;
    bc_rng rng;
    const int players = 1 + (int)take(from, 10);
    bc_runout run = {cards, players, {0}, 0, 0, sets, 1 + (int)take(from, 4), NULL};
    run.shown = (int)take(from, 6);
    take_cards(from, cards, 2 * players + run.shown);
    memcpy(run.board, cards + 2 * players, (size_t)run.shown);
    for (int i = 0; i < (int)take(from, 8); i++) {
        const uint64_t card = bc_bit((int)take(from, BC_DECK));
        run.dead |= card;
    }
    for (int k = 0; k < run.count; k++) sets[k] = (uint16_t)(1 + take(from, (1u << players) - 1));
    if (run.shown >= 4 && take(from, 2)) {
        boards = bc_runout_exact(&run, won);
    } else {
        bc_rng_seed(&rng, take_seed(from));
        bc_runout_sampled(&rng, &run, boards = 1 + (int64_t)take(from, 200), won);
    }
    for (int k = 0; k < run.count; k++) {
        int64_t sum = 0;
        for (int i = 0; i < players; i++) sum += won[k * players + i];
        assert(sum == boards * BC_PORTIONS);
    }
}

/* Beside the definition on the turn and the river; on the flop, rows that sum to all boards to come. */
static void target_categories(source *from) {
    static int32_t counts[BC_HOLDINGS * BC_CATEGORIES], orders[BC_HOLDINGS * BC_CATEGORIES];
    static int32_t naive_counts[BC_HOLDINGS * BC_CATEGORIES], naive_orders[BC_HOLDINGS * BC_CATEGORIES];
    uint8_t board[5];
    const int shown = 3 + (int)take(from, 3), boards = shown == 3 ? 1081 : shown == 4 ? 46 : 1;
    take_cards(from, board, shown);
    bc_categories(board, shown, counts, orders);
    for (int h = 0; h < BC_HOLDINGS; h++) {
        int sum = 0;
        for (int c = 0; c < BC_CATEGORIES; c++) sum += counts[h * BC_CATEGORIES + c];
        assert(sum == 0 || sum == boards);
    }
    if (shown == 3) return;
    bc_naive_categories(board, shown, naive_counts, naive_orders);
    assert(!memcmp(counts, naive_counts, sizeof counts) && !memcmp(orders, naive_orders, sizeof orders));
}

static void target_sample(source *from) {
    static double sums[10][BC_HOLDINGS];
    double weights[BC_HOLDINGS], sum[10] = {0}, square[10] = {0}, all = 0;
    uint64_t known = 0;
    bc_rng rng;
    bc_sample s = {sums[0], 2 + (int)take(from, 9), {0}, (int)take(from, 6), NULL};
    const int64_t deals = take(from, 50);
    take_cards(from, s.board, s.shown);
    for (int i = 0; i < s.shown; i++) known |= bc_bit(s.board[i]);
    for (int k = 0; k < s.players; k++) {
        double total = 0;
        take_weights(from, weights);
        for (int hi = 1, i = 0; hi < BC_DECK; hi++)
            for (int lo = 0; lo < hi; lo++, i++)
                sums[k][i] = total += known & (bc_bit(hi) | bc_bit(lo)) ? 0 : weights[i];
        if (!(total > 0)) return;
    }
    bc_rng_seed(&rng, take_seed(from));
    const int64_t made = bc_sample_equity(&rng, &s, deals, sum, square);
    for (int k = 0; k < s.players; k++) {
        assert(square[k] >= 0 && square[k] <= sum[k]);
        all += sum[k];
    }
    assert(0 <= made && made <= deals && fabs(all - (double)made) < 1e-9);
}

static void target_share(source *from) {
    uint8_t hole[2];
    double sum, square;
    bc_rng rng;
    const int players = 2 + (int)take(from, 9);
    const int64_t deals = 1 + take(from, 100);
    take_cards(from, hole, 2);
    bc_rng_seed(&rng, take_seed(from));
    bc_share(&rng, hole, players, deals, NULL, &sum, &square);
    assert(sum >= 0 && sum <= (double)deals && square >= 0 && square <= sum);
}

/* Acts of any tables: all holdings at once against the mean of one. */
static void target_evidence(source *from) {
    enum { HYPOTHESES = 9, BUCKETS = 4, ACTS = 3 };
    uint8_t bucket[BC_HOLDINGS];
    float table[ACTS][BUCKETS * HYPOTHESES];
    double weights[HYPOTHESES], found[BC_HOLDINGS], given[HYPOTHESES], sum = 0;
    bc_seen_act acts[ACTS];
    const int n = (int)take(from, ACTS + 1), holding = (int)take(from, BC_HOLDINGS);
    for (int h = 0; h < BC_HOLDINGS; h++) bucket[h] = (uint8_t)((h * 7 + n) % (BUCKETS + 1));
    for (int h = 0; h < BC_HOLDINGS; h++)
        if (bucket[h] == BUCKETS) bucket[h] = BC_UNBUCKETED;
    for (int i = 0; i < ACTS; i++) {
        acts[i] = (bc_seen_act){bucket, table[i]};
        for (int j = 0; j < BUCKETS * HYPOTHESES; j++) table[i][j] = (float)take_byte(from) / 255;
    }
    for (int k = 0; k < HYPOTHESES; k++) weights[k] = take_byte(from);
    bc_evidence_by_holding(acts, n, HYPOTHESES, weights, 0, 0, found);
    if (n && bucket[holding] == BC_UNBUCKETED) {
        assert(found[holding] == 0);
        return;
    }
    bc_evidence_by_hypothesis(acts, n, HYPOTHESES, holding, 0, given);
    for (int k = 0; k < HYPOTHESES; k++) sum += weights[k] * given[k];
    assert(close_to(found[holding], sum));
}

/* The likeliest labels: the sums of a chosen label are the number of its holdings, of the others 0. */
static void target_labels(source *from) {
    enum { LABELS = 5 };
    uint8_t label[BC_HOLDINGS];
    double chances[LABELS], by_holding[2][BC_HOLDINGS], sums[2 * LABELS];
    int held[LABELS] = {0}, chosen = 0;
    const int labels = 1 + (int)take(from, LABELS), start = take_byte(from);
    const int count = 1 + (int)take(from, (uint32_t)labels);
    for (int h = 0; h < BC_HOLDINGS; h++) label[h] = (uint8_t)((start + h * 7) % (LABELS + 1));
    for (int h = 0; h < BC_HOLDINGS; h++) held[label[h] % LABELS] += label[h] < LABELS;
    for (int i = 0; i < LABELS; i++) chances[i] = take_byte(from) % 4;
    const uint64_t set = bc_weigh_top_labels(chances, labels, count, label, 0, by_holding[0]);
    assert(bc_weigh_top_labels(chances, labels, count, label, ~(uint64_t)0, by_holding[1]) == 0);
    bc_sum_by_label(&by_holding[0][0], 2, label, labels, sums);
    for (int i = 0; i < labels; i++) {
        chosen += set >> i & 1;
        assert(sums[i] == (set >> i & 1 ? held[i] : 0) && sums[labels + i] == 0);
        for (int j = 0; j < labels; j++) assert(!(set >> i & 1) || set >> j & 1 || chances[i] >= chances[j]);
    }
    assert(chosen == count);
}

void target_game(source *from);
void target_simulation(source *from);
void target_elimination(source *from);
void target_similarity(source *from);
void target_expect(source *from);
void target_explain(source *from);
void target_count(source *from);
void target_exp_nonpositive(source *from);
void target_features(source *from);
void target_episode(source *from);
void target_tree(source *from);
void target_search(source *from);
void target_cfr(source *from);
void target_deals(source *from);
void target_mccfr(source *from);
void target_response(source *from);
void target_spot(source *from);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const targets[])(source *) = {
        target_rows,        target_strength,
        target_sweep,       target_sweep_potential,
        target_expected,    target_equity,
        target_preflop,     target_runout,
        target_sample,      target_share,
        target_game,        target_simulation,
        target_elimination, target_similarity,
        target_expect,      target_explain,
        target_count,       target_exp_nonpositive,
        target_categories,  target_evidence,
        target_features,    target_tree,
        target_search,      target_cfr,
        target_deals,       target_mccfr,
        target_response,    target_spot,
        target_labels,      target_episode,
    };
    source from = {data, data + size};
    targets[take(&from, sizeof targets / sizeof *targets)](&from);
    return 0;
}

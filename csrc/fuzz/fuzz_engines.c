/* The targets that need more than cards: the chips, the simulations, elimination, retrieval. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "baycarp/eliminate.h"
#include "baycarp/game.h"
#include "baycarp/lookahead.h"
#include "baycarp/rng.h"
#include "baycarp/search.h"
#include "baycarp/search_models.h"
#include "baycarp/search_styles.h"
#include "baycarp/search_trees.h"
#include "baycarp/simd.h"
#include "baycarp/similarity.h"
#include "baycarp/simulate.h"
#include "naive_payoffs.h"
#include "source.h"

void target_game(source *from);
void target_simulation(source *from);
void target_elimination(source *from);
void target_similarity(source *from);
void target_search(source *from);

/* The chips: any game, any legal actions. */

static bc_variant take_game(source *from, int seats, bool limit) {
    const int big = 2 + (int)take(from, 10), antes = (int)take(from, 3);
    bc_variant v = {.big_blind = big, .seats = (uint8_t)seats, .limit = limit};
    v.blinds[seats == 2] = big / 2;
    v.blinds[seats != 2] = big;
    v.first[0] = (uint8_t)(seats == 2 ? 1 : 2 % seats);
    for (int i = 0; i < BC_STREETS; i++) {
        v.raise_sizes[i] = limit ? (i < 2 ? big : 2 * big) : 0;
        v.max_raises[i] = limit ? 1 + (uint8_t)take(from, 5) : BC_NO_CAP;
    }
    for (int i = 0; i < seats && antes; i++) {
        v.antes[i] = antes == 1 ? 1 : (int)take(from, 10);
        v.dead_antes |= v.antes[i] != v.antes[0];
    }
    return v;
}

static void act(source *from, const bc_variant *v, bc_state *s) {
    const bc_legal legal = bc_state_legal(v, s);
    const uint32_t wish = take(from, 4);
    assert(0 <= legal.owed && legal.least <= legal.most);
    if (wish == 0 && legal.owed > 0) {
        assert(bc_state_can(v, s, BC_FOLD, 0));
        bc_state_apply(v, s, BC_FOLD, 0);
    } else if (wish == 3 && legal.least > 0) {
        int64_t amount = legal.least + (int64_t)take(from, 65536) % (legal.most - legal.least + 1);
        if (!bc_state_can(v, s, BC_RAISE, amount)) amount = legal.least;
        bc_state_apply(v, s, BC_RAISE, amount);
    } else {
        assert(bc_state_can(v, s, BC_CALL, 0));
        bc_state_apply(v, s, BC_CALL, 0);
    }
}

enum { FEW_CHIPS = 1024 }; /* so many that are counted one by one */

static void check_end(const bc_variant *v, const bc_state *s, const int64_t *stacks, const uint8_t *cards,
                      const bc_ledger *ledger) {
    bc_pot pots[BC_SEATS];
    uint16_t ranks[BC_SEATS];
    int64_t payoffs[BC_SEATS], expected[BC_SEATS], in_pots = 0, sum = 0, most = 0;
    const int n = bc_state_pots(v, s, pots);
    for (int k = 0; k < n; k++) in_pots += pots[k].chips;
    assert(in_pots == bc_state_pot(v, s));
    bc_state_ranks(v, s, cards, cards + 2 * v->seats, ranks);
    bc_state_payoffs(v, s, ranks, payoffs);
    for (int i = 0; i < v->seats; i++) {
        assert(s->stack[i] >= 0 && s->stack[i] + s->paid[i] == stacks[i] && payoffs[i] >= -s->paid[i]);
        sum += payoffs[i];
        if (s->paid[i] > most) most = s->paid[i];
    }
    assert(sum == 0);
    if (most > FEW_CHIPS) return;
    bc_naive_payoffs(v, ledger, ranks, expected);
    assert(memcmp(payoffs, expected, (size_t)v->seats * sizeof *payoffs) == 0);
}

void target_game(source *from) {
    uint8_t cards[2 * BC_SEATS + 5];
    int64_t stacks[BC_SEATS];
    bc_state s;
    const int seats = 2 + (int)take(from, 9);
    const bc_variant v = take_game(from, seats, take(from, 2));
    take_cards(from, cards, 2 * seats + 5);
    const uint32_t depth = 1u << (1 + take(from, 16));
    for (int i = 0; i < seats; i++) stacks[i] = 1 + take(from, depth);
    bc_state_start(&v, stacks, &s);
    bc_ledger ledger;
    bc_ledger_open(&v, stacks, &ledger);
    while (!bc_state_over(&s)) {
        const int seat = s.to_act;
        const int64_t chips = s.stack[seat];
        act(from, &v, &s);
        bc_ledger_act(&ledger, seat, s.in >> seat & 1 ? BC_CALL : BC_FOLD, chips - s.stack[seat]);
    }
    check_end(&v, &s, stacks, cards, &ledger);
}

void target_simulation(source *from) {
    static bc_simulation sim; /* too large for a stack */
    int64_t stacks[BC_SEATS];
    uint8_t cards[7];
    bc_rng rng;
    memset(&sim, 0, sizeof sim);
    const int seats = 2 + (int)take(from, 9), trials = (int)take(from, 4);
    sim.variant = take_game(from, seats, true);
    sim.level = (enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1);
    for (int i = 0; i < seats; i++) stacks[i] = 100 + take(from, 1000);
    bc_state_start(&sim.variant, stacks, &sim.state);
    while (!bc_state_over(&sim.state) && (sim.state.street == 0 || take(from, 2)))
        act(from, &sim.variant, &sim.state);
    if (bc_state_over(&sim.state)) return;
    take_cards(from, cards, 7);
    memcpy(sim.hole, cards, 2);
    memcpy(sim.board, cards + 2, 5);
    bc_rng_seed(&rng, take_seed(from));
    for (int k = 0; k < BC_HOLDINGS; k++) {
        sim.ppot[k] = bc_rng_unit(&rng);
        sim.npot[k] = bc_rng_unit(&rng);
        for (int i = 0; i < seats; i++) sim.weights[i][k] = bc_rng_below(&rng, 4) ? 0 : bc_rng_unit(&rng);
    }
    for (int i = 0; i < seats; i++)
        sim.rules[i] = (bc_rules){.strong = 0.85, .good = 0.5, .bluff = 1, .slow = take_byte(from) / 255.0};
    bc_simulation_start(&sim, take_seed(from));
    bc_simulate(&sim, trials);
    assert(sim.trials == trials);
    for (int i = 0; i < BC_WORTHS; i++) assert(isfinite(sim.worth[i]) && sim.squares[i] >= 0);
}

/* The search: any decision of any game, any ranges and policies; then the next decision of the hand. */

enum { CLUSTERS = 2, COLUMNS = (CLUSTERS + 1) * BC_STREETS * BC_PRICES * 3, ROOM = 400 };

static void take_ranges(source *from, bc_search *s) {
    bc_rng rng;
    bc_rng_seed(&rng, take_seed(from));
    const uint32_t rare = 1 + take(from, 200);
    for (int i = 0; i < s->variant.seats * CLUSTERS * BC_HOLDINGS; i++)
        s->weights[i] = bc_rng_below(&rng, rare) ? 1e-9 : bc_rng_unit(&rng) + 1e-9;
}

static void take_models(source *from, bc_search *s, bc_price_table *table, double *chances,
                        bc_strength_buckets *buckets) {
    for (int i = 0; i < COLUMNS * BC_KINDS; i++) chances[i] = i % BC_KINDS == BC_CALL ? 1 : take(from, 3);
    *table = (bc_price_table){CLUSTERS + 1, 3, chances};
    s->policy = bc_price_policy, s->policy_context = table;
    s->bucket = bc_strength_bucket, s->bucket_context = buckets;
    buckets->level = (enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1);
    for (int i = 0; i < BC_STREETS; i++)
        buckets->count[i] = 2, buckets->edges[i][0] = 0.4, buckets->edges[i][1] = 0.8;
}

/* Trees of one comparison of any feature, in the place of the tables. */
static void take_trees(source *from, bc_search *s, bc_tree_policies *policies) {
    static bc_node nodes[3];
    static double values[2 * BC_CHOICES];
    static bc_policy_tree trees[(CLUSTERS + 1) * BC_SITUATIONS];
    nodes[0] = (bc_node){take(from, 100) / 10.0, (int32_t)take(from, BC_TREE_INPUTS), 1};
    nodes[1] = (bc_node){0, -1, 0}, nodes[2] = (bc_node){0, -1, 1};
    for (int i = 0; i < 2 * BC_CHOICES; i++) values[i] = 1e-4 + take(from, 100);
    for (int i = 0; i < (CLUSTERS + 1) * BC_SITUATIONS; i++) trees[i] = (bc_policy_tree){nodes, values};
    *policies = (bc_tree_policies){CLUSTERS + 1, trees};
    s->policy = bc_tree_policy, s->policy_context = policies, s->featured = s->textured = true;
}

static void take_buckets(bc_strength_buckets *buckets, const bc_search *s) {
    buckets->shown = s->state.street ? s->state.street + 2 : 0;
    memcpy(buckets->board, s->board, 5);
    for (int i = 0; i < BC_HOLDINGS; i++) buckets->now[i] = (uint8_t)(i % 3);
    bc_strength_buckets_start(buckets);
}

static void check_search(bc_search *s, int iterations) {
    bc_search_value values[BC_SEARCH_MOVES];
    double chances[BC_SEARCH_MOVES], sum = 0;
    int64_t visits = 0;
    bc_search_run(s, iterations);
    assert(s->iterations == iterations && s->used <= s->capacity);
    const int count = bc_search_values(s, values);
    for (int i = 0; i < count; i++) {
        const bc_move *move = &values[i].move;
        assert(bc_state_can(&s->variant, &s->state, move->kind, move->amount));
        assert(move->kind != BC_FOLD || values[i].visits == 0 || values[i].value == 0);
        visits += values[i].visits;
    }
    assert(visits >= iterations);
    bc_search_softmax(s, 1, chances);
    for (int i = 0; i < count; i++) sum += chances[i];
    assert(fabs(sum - 1) < 1e-9);
}

/* A move of the abstraction, with the past. */
static void act_recorded(source *from, bc_search *s) {
    bc_move legal[BC_SEARCH_MOVES];
    const int count = bc_search_moves(s, &s->state, legal);
    const bc_move move = legal[take(from, (uint32_t)count)];
    bc_past_act(&s->variant, &s->state, &s->past, move.kind, move.amount);
    bc_state_apply(&s->variant, &s->state, move.kind, move.amount);
}

/* One style at one power, and the blind player, in the place of the clusters. */
static void take_styles(source *from, bc_search *s, bc_styles *styles, bc_style_players *players) {
    static float preflop[BC_STYLE_PREFLOP * BC_KINDS * 3], later[BC_STYLE_LATER * BC_KINDS * 6];
    static double own[BC_STYLE_PREFLOP * BC_STYLE_CLASSES * BC_KINDS];
    static double weights[BC_SEATS * 2], sums[BC_SEATS * 2], powers[BC_SEATS * 2 * BC_KINDS];
    enum { CHOICES = BC_SEATS * BC_STYLE_SITUATIONS * BC_KINDS };
    static double factor[CHOICES], blindly[CHOICES];
    static const uint8_t bucket[3] = {0, 1, 2};
    const uint32_t least = 1 + take(from, 9), step = 1 + take(from, 4);
    for (int i = 0; i < BC_STYLE_PREFLOP * BC_KINDS * 3; i++) preflop[i] = (float)(least + i % 7);
    for (int i = 0; i < BC_STYLE_LATER * BC_KINDS * 6; i++) later[i] = (float)(least + i % 5);
    for (int i = 0; i < BC_STYLE_PREFLOP * BC_STYLE_CLASSES * BC_KINDS; i++) own[i] = 1 + i % 3;
    for (int i = 0; i < BC_SEATS * 2; i++) weights[i] = 1, sums[i] = 1 + i % 2;
    for (int i = 0; i < BC_SEATS * 2 * BC_KINDS; i++) powers[i] = 1;
    for (int i = 0; i < CHOICES; i++) factor[i] = 1 + i % (int)step, blindly[i] = 1 + i % 4;
    *styles = (bc_styles){.styles = 1, .powers = 1};
    for (int i = 0; i < BC_STYLE_GROUPS; i++) {
        styles->cells[i] = 3, styles->bucket[i] = bucket;
        for (int k = 0; k < BC_STYLE_CLASSES; k++) styles->cell[i][k] = (uint8_t)(k % 3);
    }
    for (int i = 0; i < BC_STREETS; i++) {
        styles->buckets[i] = i ? 6 : 3, styles->table[i] = i ? later : preflop;
        styles->own[i] = own;
    }
    *players = (bc_style_players){.styles = styles, .weights = weights, .sums = sums};
    players->powers = powers, players->factor = factor, players->blindly = blindly;
    for (int i = 0; i < BC_SEATS; i++) players->group[i] = (int8_t)((int)take(from, 4) - 1);
    s->policy = bc_style_policy, s->policy_context = players, s->textured = false;
    s->refine = bc_style_refine, s->refine_context = players;
    s->clusters = 1, s->self = 2;
}

static void check_look(source *from, bc_search *s) {
    static bc_look_cell cells[256];
    bc_look look = {.search = s, .cells = cells, .capacity = 2 << take(from, 8)};
    bc_look_value values[BC_SEARCH_MOVES];
    s->featured = true;
    bc_look_start(&look, take_seed(from));
    bc_look_run(&look, 20);
    const int count = bc_look_values(&look, values);
    for (int i = 0; i < count; i++) {
        assert(bc_state_can(&s->variant, &s->state, values[i].move.kind, values[i].move.amount));
        assert(isfinite(values[i].value) && values[i].error >= 0);
        assert(values[i].move.kind != BC_FOLD || values[i].value == 0);
    }
}

void target_search(source *from) {
    static double weights[BC_SEATS * CLUSTERS * BC_HOLDINGS], chances[COLUMNS * BC_KINDS];
    static bc_search_node nodes[ROOM];
    static bc_strength_buckets buckets;
    bc_price_table table;
    bc_tree_policies policies;
    bc_search s = {.weights = weights, .clusters = CLUSTERS, .self = CLUSTERS, .nodes = nodes};
    int64_t stacks[BC_SEATS];
    uint8_t cards[7];
    const int seats = 2 + (int)take(from, 9);
    s.variant = take_game(from, seats, take(from, 2));
    s.capacity = 1 + BC_SEARCH_MOVES + (int32_t)take(from, ROOM - BC_SEARCH_MOVES);
    s.explore = take(from, 100), s.prune = take(from, 4), s.backup = (enum bc_backup)take(from, 2);
    for (s.size_count = 0; s.size_count < (int)take(from, 3); s.size_count++)
        s.sizes[s.size_count] = take(from, 10) / 3.0;
    for (int i = 0; i < seats; i++) stacks[i] = 1 + take(from, 1000);
    bc_state_start(&s.variant, stacks, &s.state);
    bc_past_start(&s.past);
    while (!bc_state_over(&s.state) && take(from, 3)) act_recorded(from, &s);
    if (bc_state_over(&s.state)) return;
    take_cards(from, cards, 7);
    memcpy(s.hole, cards, 2);
    memcpy(s.board, cards + 2, 5);
    take_models(from, &s, &table, chances, &buckets);
    buckets.draw = take(from, 4) / 64.0, buckets.apart = 0;
    if (take(from, 2)) take_trees(from, &s, &policies);
    take_ranges(from, &s);
    take_buckets(&buckets, &s);
    if (take(from, 3) == 0) {
        bc_styles styles;
        bc_style_players players;
        if (s.variant.limit && take(from, 2)) {
            take_styles(from, &s, &styles, &players);
            buckets.apart = take(from, 2) / 8.0;
        }
        check_look(from, &s);
        return;
    }
    bc_search_start(&s, take_seed(from));
    check_search(&s, 1 + (int)take(from, 100));
    const bc_state then = s.state;
    bc_move moves[64];
    int n = 0;
    do {
        bc_move legal[BC_SEARCH_MOVES];
        const int count = bc_search_moves(&s, &s.state, legal);
        moves[n] = legal[take(from, (uint32_t)count)];
        bc_past_act(&s.variant, &s.state, &s.past, moves[n].kind, moves[n].amount);
        bc_state_apply(&s.variant, &s.state, moves[n].kind, moves[n].amount);
        n++;
    } while (!bc_state_over(&s.state) && s.state.to_act != s.hero && n < 64);
    if (bc_state_over(&s.state) || s.state.to_act != s.hero) return;
    take_ranges(from, &s);
    bc_search_continue(&s, &then, moves, n, take_seed(from));
    take_buckets(&buckets, &s);
    check_search(&s, 1 + (int)take(from, 100));
}

/* Elimination: one step over random views of one table, beside the sum written out. */

enum { FACTORS = 4, LOOPS = 4, VALUES = 256 };

/* Factors stand by depth, the last loop that moves each. */
static bc_step take_step(source *from, bc_factor *factors) {
    bc_step step = {.loops = 2 + (int32_t)take(from, LOOPS - 1), .factors = 1 + (int32_t)take(from, FACTORS)};
    int depth[FACTORS];
    step.size = 1;
    for (int d = 0; d < step.loops; d++) {
        step.length[d] = 1 + (int32_t)take(from, 4);
        if (!take(from, 2)) continue;
        step.stride[d] = (int32_t)step.size;
        step.size *= step.length[d];
    }
    for (int k = 0; k < step.factors; k++) depth[k] = (int)take(from, (uint32_t)step.loops + 1);
    for (int i = 1; i < step.factors; i++)
        for (int k = i; k > 0 && depth[k - 1] > depth[k]; k--) {
            const int kept = depth[k];
            depth[k] = depth[k - 1];
            depth[k - 1] = kept;
        }
    for (int k = 0; k < step.factors; k++) {
        factors[k] = (bc_factor){.memory = BC_TABLES, .first = take(from, 100), .slices = 1};
        for (int d = 0; d < depth[k]; d++) factors[k].stride[d] = (int32_t)take(from, 8);
        for (int d = depth[k]; d < step.loops; d++) step.settled[d]++;
    }
    return step;
}

void target_elimination(source *from) {
    double table[VALUES], message[VALUES], out[VALUES], expected[VALUES] = {0}, total = 0;
    bc_factor factors[FACTORS];
    const bc_step step = take_step(from, factors);
    const bc_slice slice = {0, 3};
    const bc_answer answer = {0, step.size};
    const bc_plan plan = {.tables = table,
                          .steps = &step,
                          .factors = factors,
                          .slices = &slice,
                          .answers = &answer,
                          .step_count = 1,
                          .answer_count = 1,
                          .observed = 1,
                          .message_size = step.size};
    const int32_t evidence = (int32_t)take(from, 10);
    int32_t index[LOOPS] = {0};
    for (int i = 0; i < VALUES; i++) table[i] = take_byte(from) / 255.0;
    const enum bc_simd level = (enum bc_simd)take(from, (uint32_t)bc_simd_best() + 1);
    const double probability = bc_eliminate(level, &plan, (bc_evidence){&evidence, NULL}, message, out);
    for (int d = 0; d >= 0;) {
        double product = 1;
        int64_t cell = 0;
        for (int k = 0; k < step.factors; k++) {
            int64_t at = factors[k].first + 3 * evidence;
            for (int i = 0; i < step.loops; i++) at += (int64_t)factors[k].stride[i] * index[i];
            product *= table[at];
        }
        for (int i = 0; i < step.loops; i++) cell += (int64_t)step.stride[i] * index[i];
        expected[cell] += product;
        total += product;
        for (d = step.loops - 1; d >= 0 && ++index[d] == step.length[d]; d--) index[d] = 0;
    }
    assert(fabs(probability - total) <= 1e-9 * total);
    for (int64_t i = 0; i < step.size && probability > 0; i++)
        assert(fabs(out[i] - expected[i] / total) <= 1e-9);
}

/* Retrieval: by cells and by scan, the same rows. */

enum { ROWS = 120, NUMBERS = 3, SLOTS = 2, SYMBOLS = 2, WORDS = 200, CELLS = 12 };

typedef struct {
    float numbers[NUMBERS * ROWS], packed[NUMBERS * ROWS], low[NUMBERS * CELLS], high[NUMBERS * CELLS];
    uint8_t codes[SLOTS * ROWS], bytes[(NUMBERS + SLOTS) * ROWS + BC_RUN];
    uint8_t run_low[NUMBERS * ROWS + BC_RUN], run_high[NUMBERS * ROWS + BC_RUN];
    uint32_t states[SLOTS * CELLS], symbols[SYMBOLS * ROWS], packed_symbols[SYMBOLS * ROWS];
    float stems[ROWS];
    uint16_t stem_of[ROWS];
    int32_t order[ROWS], cells[CELLS + 1];
    int64_t starts[ROWS + 1];
} memory;

/* Draw rows, and cut them into cells of as many runs as they need. */
static bc_cells take_memory(source *from, memory *m, int rows, int cells) {
    for (int i = 0; i < NUMBERS * rows; i++) m->numbers[i] = (float)take_byte(from) / 16;
    for (int i = 0; i < SLOTS * rows; i++) {
        const uint8_t byte = take_byte(from);
        m->codes[i] = byte > 200 ? 255 : byte % 31;
    }
    for (int i = 0; i < SYMBOLS * rows; i++) m->symbols[i] = take_byte(from);
    for (int i = 0; i < rows; i++) m->order[i] = rows - 1 - i;
    for (int i = 0; i < rows; i++) { /* a stem of one number, each row's own */
        m->stems[i] = m->numbers[m->order[i]];
        m->stem_of[i] = (uint16_t)i;
    }
    bc_cells cut = {.count = cells,
                    .cells = m->cells,
                    .starts = m->starts,
                    .order = m->order,
                    .stem = 1,
                    .stems = rows,
                    .bytes_from = take_byte(from) % 2,
                    .stem_numbers = m->stems,
                    .stem_of = m->stem_of,
                    .numbers = m->packed,
                    .bytes = m->bytes,
                    .low = m->low,
                    .high = m->high,
                    .run_low = m->run_low,
                    .run_high = m->run_high,
                    .states = m->states,
                    .symbols = m->packed_symbols};
    for (int c = 0; c < cells; c++) {
        const int64_t end = (int64_t)rows * (c + 1) / cells;
        m->cells[c] = cut.runs;
        for (int64_t at = (int64_t)rows * c / cells; at < end; at += BC_RUN) m->starts[cut.runs++] = at;
    }
    m->cells[cells] = cut.runs;
    m->starts[cut.runs] = rows;
    return cut;
}

void target_similarity(source *from) {
    memory m = {0};
    double weight[NUMBERS + SLOTS + SYMBOLS], words[SYMBOLS][WORDS], decay[NUMBERS], most[NUMBERS],
        tables[SLOTS * BC_STATES], total = 0;
    double similarity[2][ROWS], sorted[2][ROWS];
    int64_t row[2][ROWS], sorted_row[2][ROWS];
    double begun[ROWS];
    uint16_t units[ROWS];
    float q[NUMBERS], loss[ROWS], bound[CELLS];
    int32_t queue[CELLS];
    const int rows = 1 + (int)take(from, ROWS),
              cells = 1 + (int)take(from, rows < CELLS ? (uint32_t)rows : CELLS);
    for (int i = 0; i < NUMBERS + SLOTS + SYMBOLS; i++) total += weight[i] = 1 + take_byte(from);
    for (int f = 0; f < NUMBERS; f++) {
        decay[f] = take(from, 6);
        most[f] = 1 + take(from, 20);
        q[f] = (float)take_byte(from) / 16;
    }
    for (int i = 0; i < SLOTS * BC_STATES; i++) tables[i] = i % 2 ? take_byte(from) / 255.0 : 0;
    bc_vocabulary vocabulary[SYMBOLS];
    for (int i = 0; i < SYMBOLS; i++) {
        for (int j = 0; j < WORDS; j++) words[i][j] = take_byte(from) / 255.0;
        vocabulary[i] = (bc_vocabulary){words[i], WORDS}; /* symbols beyond them may occur */
    }
    const double at_least = take_byte(from) / 200.0;
    const int64_t room = 1 + take(from, (uint32_t)rows);
    bc_cells cut = take_memory(from, &m, rows, cells);
    const bc_measure measure = {NUMBERS, SLOTS, weight, decay, most, total, SYMBOLS};
    const bc_query query = {q, tables, vocabulary};
    const bc_rows every = {rows, rows, m.numbers, m.codes, NULL, m.symbols};
    bc_similar_pack(NUMBERS, SLOTS, SYMBOLS, &every, &cut);
    bc_found scanned = {at_least, room, 0, similarity[0], row[0], 0, NULL};
    bc_found visited = {at_least, room, 0, similarity[1], row[1], 0, NULL};
    bc_similar_scan(bc_simd_best(), &measure, &query, &every, 0, rows, &scanned);
    bc_similar_cells(bc_simd_best(), &measure, &query, &cut,
                     (bc_similar_work){bound, queue, begun, loss, units}, &visited);
    bc_similar_sort(&scanned, sorted[0], sorted_row[0]);
    bc_similar_sort(&visited, sorted[1], sorted_row[1]);
    assert(scanned.count == visited.count && scanned.count <= room);
    for (int64_t i = 0; i < scanned.count; i++)
        assert(sorted[0][i] == sorted[1][i] && sorted_row[0][i] == sorted_row[1][i]);

    uint8_t solutions[2][ROWS];
    double outcomes[2][ROWS];
    int64_t counts[3][256] = {{0}}, added = 0;
    double sums[3][256] = {{0}}, alike[2][256] = {{0}};
    for (int i = 0; i < rows; i++) {
        solutions[0][i] = m.codes[i], solutions[1][i] = m.codes[m.order[i]];
        outcomes[0][i] = i, outcomes[1][i] = m.order[i];
    }
    for (int k = 0; k < 3; k++) { /* scanned, in cells, and there without similarities */
        const bc_totals totals = {solutions[0], outcomes[0], solutions[1],           outcomes[1],
                                  counts[k],    sums[k],     k < 2 ? alike[k] : NULL};
        bc_found summed = {at_least, INT64_MAX, 0, NULL, NULL, 0, &totals};
        if (k == 0)
            bc_similar_scan(bc_simd_best(), &measure, &query, &every, 0, rows, &summed);
        else
            bc_similar_cells(bc_simd_best(), &measure, &query, &cut,
                             (bc_similar_work){bound, queue, begun, loss, units}, &summed);
        for (int i = 0; i < 256; i++) summed.count -= counts[k][i];
        assert(summed.count == 0);
        for (int i = 0; i < 256; i++) assert(counts[k][i] == counts[0][i] && sums[k][i] == sums[0][i]);
    }
    for (int k = 0; k < 256; k++) added += counts[0][k];
    assert(added >= scanned.count && (added == scanned.count || scanned.count == room));
}

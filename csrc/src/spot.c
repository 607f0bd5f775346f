#include "baycarp/spot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "../simd/spot.h"

#if defined(_WIN32)
#include <windows.h>
#define pause_thread() SwitchToThread()
#else
#include <sched.h>
#define pause_thread() sched_yield()
#endif

#define SCOPE static
#define FORM forms_base
#define SPOT_REGISTER 16
#include "../simd/spot_form.h"

static const spot_forms *forms_of(enum bc_simd level) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) return &bc_spot_avx512;
    if (level == BC_AVX2) return &bc_spot_avx2;
#endif
    (void)level;
    return &forms_base;
}

size_t bc_spot_bytes(const bc_spot_game *spot, int32_t *work) {
    return spot_plan(spot, work, NULL);
}

/* The weight of all pairs of holdings that can meet. */
static double mass_of(const bc_spot_solver *s) {
    double all = 0, card[BC_DECK] = {0}, pairs = 0;
    const spot_side *a = &s->board->side[0], *b = &s->board->side[1];
    for (int i = 0; i < b->count; i++) {
        all += s->weight[1][i];
        for (int k = 0; k < 2; k++) card[b->card[i][k]] += s->weight[1][i];
    }
    for (int i = 0; i < a->count; i++) {
        double same = 0;
        for (int k = 0; k < (a->twin[i] & 15); k++) same += s->weight[1][(a->twin[i] >> 4) + k];
        pairs += s->weight[0][i] * (all - card[a->card[i][0]] - card[a->card[i][1]] + same);
    }
    return pairs;
}

bc_spot_solver *bc_spot_make(const bc_spot_game *spot, int32_t *work, void *memory) {
    spot_plan(spot, work, memory);
    bc_spot_solver *s = memory;
    s->mass = mass_of(s);
    return s;
}

double bc_spot_mass(const bc_spot_solver *s) {
    return s->mass;
}

bc_spot_tables bc_spot_tables_of(bc_spot_solver *s) {
    return s->tables;
}

int64_t bc_spot_iterations(const bc_spot_solver *s) {
    return s->iterations;
}

void bc_spot_resume(bc_spot_solver *s, int64_t iterations) {
    s->iterations = iterations;
}

/* ---- work ---- */

static enum spot_kind kind_of(enum bc_spot_mode mode) {
    return mode == BC_SPOT_MEAN ? SPOT_MEAN : mode == BC_SPOT_LOCKED ? SPOT_LOCKED : SPOT_FREE;
}

static void begin(bc_spot_solver *s, int iterations, enum spot_kind kind) {
    s->wanted = iterations;
    s->keep = false;
    s->kind = kind;
    atomic_store(&s->next, 0);
    atomic_store(&s->stopped, 0);
    atomic_store(&s->waiting, 0);
    atomic_store(&s->round, 0);
}

void bc_spot_begin(bc_spot_solver *s, int iterations, const bc_spot_weights *weights) {
    begin(s, iterations, SPOT_SOLVE);
    s->weights = *weights;
}

void bc_spot_begin_value(bc_spot_solver *s, int player, enum bc_spot_mode mode, bool keep) {
    begin(s, 1, kind_of(mode));
    s->player = player;
    s->keep = keep;
}

double bc_spot_value(const bc_spot_solver *s) {
    return s->value;
}

void bc_spot_wait(atomic_int *counter, int value) {
    for (int spins = 0; atomic_load(counter) != value; spins++)
        if (spins > 2000) pause_thread();
}

/* Waits until all threads are here. */
static void meet(bc_spot_solver *s) {
    if (s->threads == 1) return;
    const int round = atomic_load(&s->round);
    if (atomic_fetch_add(&s->waiting, 1) == s->threads - 1) {
        atomic_store(&s->waiting, 0);
        atomic_store(&s->next, 0);
        atomic_store(&s->round, round + 1);
        return;
    }
    bc_spot_wait(&s->round, round + 1);
}

static double factor_of(double t, double power) {
    if (t <= 0) return 0;
    if (power == HUGE_VAL) return 1;
    if (power == -HUGE_VAL) return 0;
    const double grown = pow(t, power);
    return isinf(grown) ? 1 : grown / (grown + 1);
}

static void weigh(const bc_spot_solver *s, spot_walk *w) {
    for (int later = 0; later < 2; later++) {
        const int64_t done = later ? s->iterations / w->parts : s->iterations;
        int64_t last = 0;
        if (s->weights.restart > 1 && done > 0)
            for (last = 1; last * s->weights.restart <= done;) last *= s->weights.restart;
        const double t = (double)done, since = (double)(done - last);
        w->positive[later] = factor_of(t, s->weights.positive);
        w->negative[later] = factor_of(t, s->weights.negative);
        w->sums[later] = s->weights.average == 0 ? 1 : pow(since / (since + 1), s->weights.average);
    }
}

/* One traversal by all threads. */
static void traverse(const spot_form *form, bc_spot_solver *s, spot_walk *w, int worker) {
    const int children = s->board->children;
    if (worker == 0) form->open(w);
    meet(s);
    const int first = (int)(s->iterations % w->parts);
    for (int k; (k = first + w->parts * atomic_fetch_add(&s->next, 1)) < children;) form->child(w, k);
    meet(s);
    if (worker == 0) {
        atomic_store(&s->next, 0);
        form->close(w, s->values);
    }
    meet(s);
}

static double weighted(const bc_spot_solver *s, int player) {
    double all = 0;
    for (int i = 0; i < s->board->side[player].count; i++) all += s->weight[player][i] * s->values[i];
    return all / s->mass;
}

void bc_spot_run(enum bc_simd level, bc_spot_solver *s, int worker, bc_stop stop) {
    const spot_forms *forms = forms_of(level);
    spot_walk w = {.solver = s, .kind = s->kind, .keep = s->keep, .parts = 1, .probe = -1, .top = s->scratch};
    w.scratch = s->scratch + (size_t)worker * s->scratch_size;
    if (s->kind != SPOT_SOLVE) {
        w.traverser = s->player;
        traverse(&forms->evaluate, s, &w, worker);
        if (worker == 0) s->value = weighted(s, s->player);
        return;
    }
    w.parts = s->weights.parts;
    for (int i = 0; i < s->wanted; i++) {
        weigh(s, &w);
        for (w.traverser = 0; w.traverser < 2; w.traverser++) traverse(&forms->solve, s, &w, worker);
        if (worker == 0) {
            s->iterations++;
            if (bc_stopped(stop)) atomic_store(&s->stopped, 1);
        }
        meet(s);
        if (atomic_load(&s->stopped)) return;
    }
}

/* ---- one decision ---- */

static int swapped(int card, int a, int b) {
    const int suit = bc_suit_of(card);
    return suit == a ? card - a + b : suit == b ? card - b + a : card;
}

int32_t bc_spot_find(const bc_spot_solver *s, const uint8_t *cards, int dealt, uint8_t suit[4]) {
    int board = 0;
    for (int i = 0; i < 4; i++) suit[i] = (uint8_t)i;
    for (int i = 0; i < dealt; i++) {
        const int card = cards[i] - bc_suit_of(cards[i]) + suit[bc_suit_of(cards[i])];
        const spot_board *at = &s->board[board];
        int found = -1, from = 0;
        for (int k = 0; k < at->children; k++)
            for (int image = 0; image < s->board[at->child + k].images; image++)
                if (s->board[at->child + k].image[image] == card) found = at->child + k, from = image;
        if (found < 0) return -1;
        const int a = bc_suit_of(s->board[found].image[0]), b = bc_suit_of(s->board[found].image[from]);
        for (int k = 0; k < 4; k++) suit[k] = (uint8_t)swapped(suit[k], a, b);
        board = found;
    }
    return board;
}

/* The place of each holding of a board in the given list, -1 for padding. */
void bc_spot_order(const bc_spot_solver *s, int32_t board, int player, int32_t *listed) {
    const spot_side *side = &s->board[board].side[player];
    for (int i = 0; i < side->padded; i++) {
        listed[i] = -1;
        if (i >= side->count) continue;
        int at = i;
        for (int b = board; b >= 0; b = s->board[b].parent) at = s->board[b].side[player].parent[at];
        listed[i] = at;
    }
}

int bc_spot_boards(const bc_spot_solver *s, int node) {
    return s->street[s->level[node]].boards;
}

int32_t bc_spot_board(const bc_spot_solver *s, int node, int number, uint8_t *cards) {
    const int street = s->level[node], board = s->street[street].board + number;
    for (int i = street - 1, b = board; i >= 0; i--, b = s->board[b].parent) cards[i] = s->board[b].card;
    return board;
}

int bc_spot_padded(const bc_spot_solver *s, int32_t board, int player) {
    return s->board[board].side[player].padded;
}

size_t bc_spot_cell(const bc_spot_solver *s, int node, int32_t board) {
    const spot_side *side = &s->board[board].side[s->player_of[node]];
    return side->base + (size_t)s->cell[node] * (size_t)side->padded;
}

void bc_spot_probe(enum bc_simd level, bc_spot_solver *s, int node, int32_t board, int player,
                   enum bc_spot_mode mode, bc_spot_rows rows) {
    const spot_forms *forms = forms_of(level);
    spot_walk w = {.solver = s,
                   .traverser = player,
                   .kind = kind_of(mode),
                   .parts = 1,
                   .top = s->scratch,
                   .scratch = s->scratch,
                   .probe = node,
                   .probe_board = board,
                   .found_reach = rows.reach,
                   .found_value = rows.value,
                   .found_action = rows.action};
    forms->evaluate.probe(&w);
}

void bc_spot_set_locks(bc_spot_solver *s, const bc_spot_lock *locks, int count) {
    memset(s->locked, 0, (size_t)s->nodes);
    s->locks = locks;
    s->lock_count = count;
    for (int i = 0; i < count; i++) s->locked[locks[i].node] = 1;
}

void bc_spot_set_payoff(bc_spot_solver *s, int node, const double payoff[6]) {
    memcpy(s->payoff + (size_t)node * 6, payoff, 6 * sizeof *payoff);
}

void bc_spot_set_given(bc_spot_solver *s, int node, const double *chips) {
    const int player = s->player_of[node];
    for (int i = 0; i < s->board->side[player].count; i++) s->given[node][i] = chips[s->list[player][i]];
}

#include "baycarp/simulate.h"

#include <assert.h>
#include <string.h>

#include "baycarp/rank.h"
#include "baycarp/sweep.h"

/* Uniforms kept for a player and street (a ninth action would take the first again), and how often a holding
   is drawn from a table before any free cards are taken. */
enum { ACTS = 8, TRIES = 200 };

/* Data of both branches of a trial. */
typedef struct {
    uint8_t hole[BC_SEATS][2];
    uint8_t board[5];
    double uniform[BC_SEATS][BC_STREETS][ACTS];
    bool ended; /* whether sim->end is that of this trial's river */
} trial;

static bool in(const bc_state *state, int seat) {
    return state->in >> seat & 1;
}

void bc_simulation_start(bc_simulation *sim, uint64_t seed) {
    assert(sim->variant.limit && sim->state.to_act >= 0 && sim->state.street >= 1);
    sim->hero = sim->state.to_act;
    sim->shown = sim->state.street + 2;
    sim->can_raise = bc_state_legal(&sim->variant, &sim->state).least > 0;
    sim->trials = 0;
    sim->ready = 0;
    for (int i = 0; i < BC_WORTHS; i++) sim->worth[i] = sim->squares[i] = 0;
    for (int seat = 0; seat < sim->variant.seats; seat++) {
        if (seat == sim->hero || !in(&sim->state, seat)) continue;
        double *table = sim->weights[seat], sum = 0;
        for (int i = 0; i < BC_HOLDINGS; i++) table[i] = sum += table[i];
        assert(sum > 0);
    }
    bc_sweep(sim->level, sim->board, sim->shown, NULL, sim->now);
    bc_rng_seed(&sim->rng, seed);
}

static uint8_t free_card(bc_rng *rng, uint64_t *used) {
    int card;
    do card = (int)bc_rng_below(rng, BC_DECK);
    while (*used & bc_bit(card));
    *used |= bc_bit(card);
    return (uint8_t)card;
}

/* The index of the first sum above `at`. */
static int above(const double *sums, double at) {
    int low = 0, high = BC_HOLDINGS - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sums[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void draw_holding(bc_rng *rng, const double *sums, uint64_t *used, uint8_t hole[2]) {
    for (int i = 0; i < TRIES; i++) {
        int holding = above(sums, bc_rng_unit(rng) * sums[BC_HOLDINGS - 1]), hi = 1;
        while (hi * (hi + 1) / 2 <= holding) hi++;
        int lo = holding - hi * (hi - 1) / 2;
        if (*used & (bc_bit(hi) | bc_bit(lo))) continue;
        *used |= bc_bit(hi) | bc_bit(lo);
        hole[0] = (uint8_t)hi, hole[1] = (uint8_t)lo;
        return;
    }
    hole[0] = free_card(rng, used), hole[1] = free_card(rng, used);
}

static void deal(bc_simulation *sim, trial *t) {
    bc_rng *rng = &sim->rng;
    uint64_t used = 0;
    int others[BC_SEATS], n = 0;
    for (int i = 0; i < 2; i++) used |= bc_bit(t->hole[sim->hero][i] = sim->hole[i]);
    for (int i = 0; i < sim->shown; i++) used |= bc_bit(t->board[i] = sim->board[i]);
    for (int seat = 0; seat < sim->variant.seats; seat++)
        if (seat != sim->hero && in(&sim->state, seat)) others[n++] = seat;
    while (n) {
        int k = (int)bc_rng_below(rng, (uint32_t)n), seat = others[k];
        others[k] = others[--n];
        draw_holding(rng, sim->weights[seat], &used, t->hole[seat]);
    }
    for (int i = sim->shown; i < 5; i++) t->board[i] = free_card(rng, &used);
    for (int seat = 0; seat < sim->variant.seats; seat++)
        for (int street = sim->state.street; in(&sim->state, seat) && street < BC_STREETS; street++)
            for (int i = 0; i < ACTS; i++) t->uniform[seat][street][i] = bc_rng_unit(rng);
    t->ended = false;
}

/* Strength of every holding on the trial's board on a street. */
static const double *strengths(bc_simulation *sim, trial *t, int street) {
    int cards = street + 2, card = t->board[cards - 1];
    if (cards == sim->shown) return sim->now;
    if (cards == sim->shown + 1) {
        if (!(sim->ready & bc_bit(card))) bc_sweep(sim->level, t->board, cards, NULL, sim->next[card]);
        sim->ready |= bc_bit(card);
        return sim->next[card];
    }
    if (!t->ended) bc_sweep(sim->level, t->board, cards, NULL, sim->end);
    t->ended = true;
    return sim->end;
}

static int count(unsigned set) {
    int n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

static bc_spot spot_of(const bc_simulation *sim, const bc_state *state, const bc_legal *legal) {
    int seat = state->to_act, street = state->street;
    unsigned others = state->in & ~(1u << seat);
    bc_spot s = {.pot = (double)bc_state_pot(&sim->variant, state),
                 .owed = (double)legal->owed,
                 .bet = (double)sim->variant.raise_sizes[street],
                 .bets = state->raises,
                 .opponents = count(others),
                 .behind = count(others & ~(unsigned)state->acted),
                 .invested = state->bet[seat] > 0,
                 .can_raise = legal->least > 0,
                 .last = street == BC_STREETS - 1};
    for (int i = street + 1; i < BC_STREETS; i++) s.later += (double)sim->variant.raise_sizes[i];
    return s;
}

static int choose(bc_simulation *sim, trial *t, const bc_state *state, const bc_legal *legal, double u) {
    int seat = state->to_act, holding = bc_holding(t->hole[seat][0], t->hole[seat][1]);
    double share[BC_RULES], triple[3];
    bc_spot s = spot_of(sim, state, legal);
    bc_rule_shares(&s, &sim->rules[seat], strengths(sim, t, state->street)[holding], sim->ppot[holding],
                   sim->npot[holding], share);
    bc_triple(&s, &sim->rules[seat], share, triple);
    return u < triple[0] ? BC_FOLD : u < triple[0] + triple[1] ? BC_CALL : BC_RAISE;
}

/* Play from hero's first action until the hand is over or hero has folded. */
static void play(bc_simulation *sim, trial *t, int kind, bc_state *state) {
    uint8_t acts[BC_SEATS] = {0};
    int street = state->street;
    bc_legal legal = bc_state_legal(&sim->variant, state);
    for (;;) {
        bc_state_apply(&sim->variant, state, kind, legal.least);
        if (bc_state_over(state) || !in(state, sim->hero)) return;
        if (state->street != street) memset(acts, 0, sizeof acts);
        street = state->street;
        legal = bc_state_legal(&sim->variant, state);
        kind = choose(sim, t, state, &legal, t->uniform[state->to_act][street][acts[state->to_act]++ % ACTS]);
    }
}

/* Chips that hero wins from this decision on. */
static double settle(const bc_simulation *sim, const trial *t, const bc_state *state) {
    int hero = sim->hero;
    if (!in(state, hero)) return (double)(sim->state.paid[hero] - state->paid[hero]);
    uint16_t ranks[BC_SEATS] = {0};
    int64_t payoffs[BC_SEATS];
    bc_hand board = bc_hand_empty();
    for (int i = 0; i < 5; i++) board = bc_hand_add(board, bc_hand_card(t->board[i]));
    for (int seat = 0; seat < sim->variant.seats; seat++) {
        if (!in(state, seat)) continue;
        bc_hand hand = bc_hand_add(board, bc_hand_card(t->hole[seat][0]));
        ranks[seat] = bc_rank(bc_hand_add(hand, bc_hand_card(t->hole[seat][1])));
    }
    bc_state_payoffs(&sim->variant, state, ranks, payoffs);
    return (double)(payoffs[hero] + sim->state.paid[hero]);
}

static double branch(bc_simulation *sim, trial *t, int kind) {
    bc_state state = sim->state;
    play(sim, t, kind, &state);
    return settle(sim, t, &state);
}

void bc_simulate(bc_simulation *sim, int trials) {
    for (int i = 0; i < trials; i++) {
        trial t;
        double worth[BC_WORTHS];
        deal(sim, &t);
        worth[BC_WORTH_CALL] = branch(sim, &t, BC_CALL);
        worth[BC_WORTH_RAISE] = sim->can_raise ? branch(sim, &t, BC_RAISE) : worth[BC_WORTH_CALL];
        worth[BC_WORTH_GAP] = worth[BC_WORTH_RAISE] - worth[BC_WORTH_CALL];
        for (int k = 0; k < BC_WORTHS; k++) {
            sim->worth[k] += worth[k];
            sim->squares[k] += worth[k] * worth[k];
        }
        sim->trials++;
    }
}

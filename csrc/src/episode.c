#include "baycarp/episode.h"

#include <assert.h>
#include <string.h>

static const int SHOWN[BC_STREETS] = {0, 3, 4, 5};

enum { NUMBERS = 2 * BC_DECK + BC_STREETS }; /* where the numbers of an observation begin */

static const int64_t UNBOUNDED = (int64_t)1 << 39;

int bc_choices(const bc_variant *v, const bc_menu *menu) {
    return v->limit ? 3 : menu->count + 3;
}

void bc_choice_amounts(const bc_variant *v, const bc_state *s, const bc_menu *menu,
                       int64_t amounts[BC_MENU_CHOICES]) {
    const int last = bc_choices(v, menu) - 1;
    for (int i = 0; i <= last; i++) amounts[i] = -1;
    if (bc_state_over(s)) return;
    const bc_legal legal = bc_state_legal(v, s);
    if (legal.owed > 0) amounts[BC_FOLD] = 0;
    amounts[BC_CALL] = 0;
    if (legal.least == 0) return;
    amounts[last] = legal.most;
    const double pot = (double)(bc_state_pot(v, s) + legal.owed);
    int64_t before = legal.least - 1;
    for (int i = BC_RAISE; i < last; i++) {
        const double total = (double)s->level + menu->sizes[i - BC_RAISE] * pot;
        if (total >= (double)legal.most) return;
        if ((int64_t)total > before) before = amounts[i] = (int64_t)total;
    }
}

void bc_history_act(const bc_state *s, bc_history *history, int kind) {
    if (kind == BC_FOLD) return;
    uint8_t *count = &history->count[kind == BC_RAISE][s->street][s->to_act];
    if (*count < UINT8_MAX) ++*count;
}

int bc_observed(int seats) {
    return BC_OBSERVED + BC_OBSERVED_SEAT * seats;
}

static float chips(const bc_variant *v, int64_t amount) {
    return amount < UNBOUNDED ? (float)((double)amount / (double)v->big_blind) : 0.0f;
}

/* One seat's numbers of an observation. */
static void observe_seat(const bc_variant *v, const bc_state *s, const bc_history *history, int seat,
                         float *out) {
    *out++ = (float)(s->in >> seat & 1);
    *out++ = (float)(s->acted >> seat & 1);
    *out++ = (float)(seat == v->seats - 1);
    *out++ = chips(v, s->stack[seat]);
    *out++ = chips(v, s->bet[seat]);
    *out++ = chips(v, s->paid[seat]);
    for (int bold = 0; bold < 2; bold++)
        for (int street = 0; street < BC_STREETS; street++)
            *out++ = (float)history->count[bold][street][seat];
}

void bc_observe(const bc_variant *v, const bc_state *s, const bc_history *history, int seat,
                const uint8_t *hole, const uint8_t *board, float *out) {
    memset(out, 0, (size_t)bc_observed(v->seats) * sizeof *out);
    for (int i = 0; hole && i < 2; i++) out[hole[i]] = 1;
    for (int i = 0; i < SHOWN[s->street]; i++) out[BC_DECK + board[i]] = 1;
    out[2 * BC_DECK + s->street] = 1;
    const bc_legal legal = bc_state_legal(v, s);
    float *at = out + NUMBERS;
    *at++ = (float)(s->to_act == seat);
    *at++ = (float)(s->to_act < 0);
    *at++ = (float)s->raises;
    *at++ = chips(v, bc_state_pot(v, s));
    *at++ = chips(v, legal.owed);
    *at++ = chips(v, legal.least);
    *at++ = chips(v, legal.most);
    for (int k = 0; k < v->seats; k++, at += BC_OBSERVED_SEAT)
        observe_seat(v, s, history, (seat + k) % v->seats, at);
    assert(at - out == bc_observed(v->seats));
}

static void apply(const bc_variant *v, bc_episode *episode, int kind, int64_t amount) {
    bc_history_act(&episode->state, &episode->history, kind);
    bc_state_apply(v, &episode->state, kind, amount);
}

/* The kind of action that an opponent draws. */
static int drawn(const bc_habit *habit, bc_legal legal, bc_rng *rng) {
    const bool owes = legal.owed > 0, may_raise = legal.least > 0;
    const double fold = habit->even ? 1.0 / (2 + may_raise) : habit->fold;
    const double bold = habit->even ? 1.0 / (1 + owes + may_raise) : owes ? habit->raises : habit->bet;
    const double at = bc_rng_unit(rng);
    if (owes && at < fold) return BC_FOLD;
    return may_raise && at >= 1 - bold ? BC_RAISE : BC_CALL;
}

/* Play the opponents' actions up to the learner's decision, or the hand's end. */
static void go_on(const bc_episodes *t, bc_episode *episode) {
    bc_state *s = &episode->state;
    while (s->to_act >= 0 && s->to_act != episode->seat) {
        const int place = (s->to_act - episode->seat + t->variant->seats) % t->variant->seats;
        const bc_legal legal = bc_state_legal(t->variant, s);
        const int kind = drawn(&t->habits[place], legal, &episode->rng);
        apply(t->variant, episode, kind, legal.least);
    }
}

void bc_episode_start(const bc_episodes *t, bc_episode *episode, uint64_t seed, uint64_t number) {
    bc_rng_seed_numbered(&episode->rng, seed, number);
    for (int i = 0; i < BC_DECK; i++) episode->deck[i] = (uint8_t)i;
    episode->seat = (int8_t)(number % t->variant->seats);
    bc_episode_deal(t, episode);
}

void bc_episode_deal(const bc_episodes *t, bc_episode *episode) {
    const int seats = t->variant->seats;
    for (int i = 0; i < 2 * seats + 5; i++) { /* any order of the deck is as good a start as another */
        const int j = i + (int)bc_rng_below(&episode->rng, (uint32_t)(BC_DECK - i));
        const uint8_t card = episode->deck[i];
        episode->deck[i] = episode->deck[j];
        episode->deck[j] = card;
    }
    episode->seat = (int8_t)(t->seat >= 0 ? t->seat : (episode->seat + 1) % seats);
    memset(&episode->history, 0, sizeof episode->history);
    bc_state_start(t->variant, t->stacks, &episode->state);
    go_on(t, episode);
}

void bc_episode_observe(const bc_episodes *t, const bc_episode *episode, float *observation, int8_t *mask) {
    const bc_variant *v = t->variant;
    int64_t amounts[BC_MENU_CHOICES];
    bc_observe(v, &episode->state, &episode->history, episode->seat, episode->deck + 2 * episode->seat,
               episode->deck + 2 * v->seats, observation);
    bc_choice_amounts(v, &episode->state, &t->menu, amounts);
    for (int i = 0; i < bc_choices(v, &t->menu); i++) mask[i] = amounts[i] >= 0;
    if (bc_state_over(&episode->state)) mask[BC_CALL] = 1;
}

static int64_t payoff_of(const bc_episodes *t, const bc_episode *episode) {
    uint16_t ranks[BC_SEATS] = {0};
    int64_t payoffs[BC_SEATS];
    if (episode->state.in & (episode->state.in - 1))
        bc_state_ranks(t->variant, &episode->state, episode->deck, episode->deck + 2 * t->variant->seats,
                       ranks);
    const bool even = bc_state_payoffs(t->variant, &episode->state, ranks, payoffs);
    assert(even);
    (void)even;
    return payoffs[episode->seat];
}

int bc_episode_act(const bc_episodes *t, bc_episode *episode, int choice, int64_t *payoff) {
    int64_t amounts[BC_MENU_CHOICES];
    const bool none = bc_state_over(&episode->state); /* the hand ended before a decision */
    bc_choice_amounts(t->variant, &episode->state, &t->menu, amounts);
    if (none) amounts[BC_CALL] = 0;
    const bool illegal = choice < 0 || choice >= bc_choices(t->variant, &t->menu) || amounts[choice] < 0;
    if (illegal) choice = amounts[BC_FOLD] < 0 ? BC_CALL : BC_FOLD;
    if (!none) {
        apply(t->variant, episode, bc_choice_kind(choice), amounts[choice]);
        go_on(t, episode);
    }
    if (!bc_state_over(&episode->state)) return illegal ? BC_ILLEGAL : 0;
    *payoff = payoff_of(t, episode);
    return illegal ? BC_ENDED | BC_ILLEGAL : BC_ENDED;
}

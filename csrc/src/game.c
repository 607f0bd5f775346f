#include "baycarp/game.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

static inline int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static inline uint16_t bit(int seat) {
    return (uint16_t)(1u << seat);
}

static inline bool several(uint16_t seats) {
    return (seats & (seats - 1)) != 0;
}

static void put_in(bc_state *s, int seat, int64_t chips) {
    s->stack[seat] -= chips;
    s->bet[seat] += chips;
    s->paid[seat] += chips;
}

/* Whether at most one player still in has chips left. */
static bool is_alone(const bc_variant *v, const bc_state *s) {
    int n = 0;
    for (int i = 0; i < v->seats; i++) n += s->in & bit(i) && s->stack[i] > 0;
    return n <= 1;
}

static int64_t others_bet(const bc_variant *v, const bc_state *s, int seat) {
    int64_t most = 0;
    for (int i = 0; i < v->seats; i++)
        if (i != seat && s->in & bit(i) && s->bet[i] > most) most = s->bet[i];
    return most;
}

/* The amount to call, possibly more than the stack. The last player with chips does not owe the unpaid part
   of a short big blind: no player could win it. */
static int64_t owed(const bc_variant *v, const bc_state *s, int seat, bool alone) {
    int64_t level = alone ? lesser(s->level, others_bet(v, s, seat)) : s->level;
    return level > s->bet[seat] ? level - s->bet[seat] : 0;
}

/* The first player at or after `from` that must still act on this street, or -1. */
static int next_to_act(const bc_variant *v, const bc_state *s, int from) {
    bool alone = is_alone(v, s);
    for (int k = 0, i = from; k < v->seats; k++, i = i + 1 < v->seats ? i + 1 : 0) {
        if (!(s->in & bit(i)) || s->stack[i] == 0) continue;
        if (owed(v, s, i, alone) > 0 || !(alone || s->acted & bit(i))) return i;
    }
    return -1;
}

static void next_street(const bc_variant *v, bc_state *s) {
    s->street++;
    memset(s->bet, 0, sizeof s->bet);
    s->level = 0;
    s->last_raise = v->big_blind;
    s->acted = 0;
    s->raises = 0;
    s->to_act = (int8_t)next_to_act(v, s, v->first[s->street]);
}

/* Find the next player to act, on this or a later street. A hand won without a showdown keeps its street. */
static void advance(const bc_variant *v, bc_state *s, int from) {
    s->to_act = -1;
    if (!several(s->in)) return;
    s->to_act = (int8_t)next_to_act(v, s, from);
    while (s->to_act < 0 && s->street < BC_STREETS - 1) next_street(v, s);
}

/* The bet to match before the first act. */
static int64_t opening_level(const bc_variant *v) {
    int64_t most = 0;
    for (int i = 0; i < v->seats; i++)
        if (v->blinds[i] > most) most = v->blinds[i];
    return most > 0 && most < v->big_blind ? v->big_blind : most;
}

void bc_state_start(const bc_variant *v, const int64_t *stacks, bc_state *s) {
    assert(v->seats >= 2 && v->seats <= BC_SEATS && v->big_blind > 0);
    memset(s, 0, sizeof *s);
    for (int i = 0; i < v->seats; i++) {
        assert(stacks[i] > 0);
        s->stack[i] = stacks[i];
        put_in(s, i, lesser(v->antes[i], s->stack[i]));
        s->bet[i] = 0;
        put_in(s, i, lesser(v->blinds[i], s->stack[i]));
    }
    s->in = (uint16_t)((1u << v->seats) - 1);
    s->level = opening_level(v);
    s->last_raise = v->big_blind;
    if (v->first[0] != BC_NO_BETTING) {
        advance(v, s, v->first[0]);
        return;
    }
    s->to_act = -1;
    while (s->to_act < 0 && s->street < BC_STREETS - 1) next_street(v, s);
}

/* Whether another player could put in more chips after a raise by this player. */
static bool can_be_called(const bc_variant *v, const bc_state *s, int seat) {
    for (int i = 0; i < v->seats; i++)
        if (i != seat && s->in & bit(i) && s->bet[i] + s->stack[i] > s->level) return true;
    return false;
}

/* Whether this player may still raise: it has not acted, or owes a full raise (fixed limit: half of one). */
static bool is_open(const bc_variant *v, const bc_state *s, int seat) {
    int64_t full = v->limit ? (v->raise_sizes[s->street] + 1) / 2 : s->last_raise;
    return !(s->acted & bit(seat)) || s->level - s->bet[seat] >= full;
}

/* Pot-limit: a raise by the pot as it is after the call. */
static int64_t pot_raise(const bc_variant *v, const bc_state *s, int seat) {
    return 2 * s->level - s->bet[seat] + bc_state_pot(v, s);
}

bc_legal bc_state_legal(const bc_variant *v, const bc_state *s) {
    bc_legal legal = {0, 0, 0};
    int seat = s->to_act;
    if (seat < 0) return legal;
    legal.owed = lesser(owed(v, s, seat, is_alone(v, s)), s->stack[seat]);
    int64_t all = s->bet[seat] + s->stack[seat];
    bool capped = v->max_raises[s->street] != BC_NO_CAP && s->raises >= v->max_raises[s->street];
    if (capped || all <= s->level || !is_open(v, s, seat) || !can_be_called(v, s, seat)) return legal;
    legal.least = lesser(s->level + (v->limit ? v->raise_sizes[s->street] : s->last_raise), all);
    legal.most = v->limit ? legal.least : v->pot_limit ? lesser(pot_raise(v, s, seat), all) : all;
    if (legal.most < legal.least) legal.most = legal.least;
    return legal;
}

bool bc_state_can(const bc_variant *v, const bc_state *s, int kind, int64_t amount) {
    if (bc_state_over(s)) return false;
    if (kind == BC_FOLD || kind == BC_CALL) return true;
    bc_legal legal = bc_state_legal(v, s);
    return kind == BC_RAISE && legal.least > 0 && amount >= legal.least && amount <= legal.most;
}

int64_t bc_state_apply(const bc_variant *v, bc_state *s, int kind, int64_t amount) {
    assert(bc_state_can(v, s, kind, amount));
    int seat = s->to_act;
    int64_t chips = 0;
    s->acted |= bit(seat);
    if (kind == BC_FOLD) {
        s->in &= (uint16_t)~bit(seat);
    } else if (kind == BC_CALL) {
        chips = lesser(owed(v, s, seat, is_alone(v, s)), s->stack[seat]);
    } else {
        chips = amount - s->bet[seat];
        if (amount - s->level > s->last_raise) s->last_raise = amount - s->level;
        s->level = amount;
        s->raises++;
    }
    put_in(s, seat, chips);
    advance(v, s, seat + 1 < v->seats ? seat + 1 : 0);
    return chips;
}

int64_t bc_state_pot(const bc_variant *v, const bc_state *s) {
    int64_t pot = 0;
    for (int i = 0; i < v->seats; i++) pot += s->paid[i];
    return pot;
}

/* The chips above `done` up to `*top`, the next smaller amount matched by a player in.
   Above the richest player in, `*top` is INT64_MAX, and the chips are those of folded players. */
static bc_pot layer(const bc_variant *v, const bc_state *s, const int64_t *matched, int64_t done,
                    int64_t *top) {
    bc_pot pot = {0, 0};
    *top = INT64_MAX;
    for (int i = 0; i < v->seats; i++) {
        if (!(s->in & bit(i)) || matched[i] <= done) continue;
        pot.contenders |= bit(i);
        *top = lesser(*top, matched[i]);
    }
    for (int i = 0; i < v->seats; i++)
        if (matched[i] > done) pot.chips += lesser(matched[i], *top) - done;
    return pot;
}

int bc_state_pots(const bc_variant *v, const bc_state *s, bc_pot pots[BC_SEATS]) {
    int64_t matched[BC_SEATS], dead = 0, done = 0, top;
    for (int i = 0; i < v->seats; i++) {
        int64_t ante = v->dead_antes ? lesser(v->antes[i], s->stack[i] + s->paid[i]) : 0;
        matched[i] = s->paid[i] - ante;
        dead += ante;
    }
    int n = 0;
    if (dead > 0) pots[n++] = (bc_pot){dead, s->in};
    for (;; done = top) {
        bc_pot next = layer(v, s, matched, done, &top);
        if (next.chips == 0) return n;
        if (n == 0 && !next.contenders) next.contenders = s->in; /* all that paid have folded */
        if (n > 0 && (!next.contenders || pots[n - 1].contenders == next.contenders)) {
            pots[n - 1].chips += next.chips;
        } else {
            pots[n++] = next;
        }
    }
}

static void award(const bc_variant *v, const bc_pot *pot, const uint16_t *ranks, int64_t *payoffs) {
    uint16_t winners = pot->contenders;
    if (several(winners)) {
        int best = -1;
        for (int i = 0; i < v->seats; i++) {
            if (!(pot->contenders & bit(i)) || ranks[i] < best) continue;
            winners = ranks[i] > best ? bit(i) : winners | bit(i);
            best = ranks[i];
        }
    }
    int n = 0;
    for (int i = 0; i < v->seats; i++) n += (winners & bit(i)) != 0;
    int64_t odd = pot->chips % n;
    for (int i = 0; i < v->seats; i++)
        if (winners & bit(i)) payoffs[i] += pot->chips / n + (odd-- > 0);
}

bool bc_state_payoffs(const bc_variant *v, const bc_state *s, const uint16_t *ranks, int64_t *payoffs) {
    assert(bc_state_over(s));
    bc_pot pots[BC_SEATS];
    pots[0] = (bc_pot){bc_state_pot(v, s), s->in}; /* the last player wins all pots */
    int n = several(s->in) ? bc_state_pots(v, s, pots) : 1;
    for (int i = 0; i < v->seats; i++) payoffs[i] = -s->paid[i];
    for (int k = 0; k < n; k++) award(v, &pots[k], ranks, payoffs);
    int64_t sum = 0;
    for (int i = 0; i < v->seats; i++) sum += payoffs[i];
    return sum == 0;
}

void bc_state_random_act(const bc_variant *v, bc_state *s, bc_rng *rng) {
    bc_legal legal = bc_state_legal(v, s);
    int folds = legal.owed > 0, raises = (legal.least > 0) + (legal.most > legal.least);
    int choice = (int)bc_rng_below(rng, (uint32_t)(folds + 1 + raises)) - folds;
    if (choice < 0) {
        bc_state_apply(v, s, BC_FOLD, 0);
    } else if (choice == 0) {
        bc_state_apply(v, s, BC_CALL, 0);
    } else {
        bc_state_apply(v, s, BC_RAISE, choice == 1 ? legal.least : legal.most);
    }
}

void bc_state_ranks(const bc_variant *v, const bc_state *s, const uint8_t *holes, const uint8_t *board,
                    uint16_t *ranks) {
    bc_hand shared = bc_hand_empty();
    for (int i = 0; i < 5; i++) shared = bc_hand_add(shared, bc_hand_card(board[i]));
    for (int i = 0; i < v->seats; i++) {
        if (!(s->in & bit(i))) continue;
        bc_hand own = bc_hand_add(bc_hand_card(holes[2 * i]), bc_hand_card(holes[2 * i + 1]));
        ranks[i] = bc_rank(bc_hand_add(shared, own));
    }
}

int64_t bc_random_hand(const bc_variant *v, const int64_t *stacks, bc_rng *rng, int64_t *payoffs) {
    bc_state state;
    bc_state_start(v, stacks, &state);
    while (!bc_state_over(&state)) bc_state_random_act(v, &state, rng);
    uint8_t deck[BC_DECK];
    uint16_t ranks[BC_SEATS];
    if (several(state.in)) {
        int dealt = 2 * v->seats + 5;
        for (int i = 0; i < BC_DECK; i++) deck[i] = (uint8_t)i;
        for (int i = 0; i < dealt; i++) { /* shuffles only the dealt cards */
            int j = i + (int)bc_rng_below(rng, (uint32_t)(BC_DECK - i));
            uint8_t card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
        bc_state_ranks(v, &state, deck, deck + 2 * v->seats, ranks);
    }
    return bc_state_payoffs(v, &state, ranks, payoffs) ? bc_state_pot(v, &state) : -1;
}

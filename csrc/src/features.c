#include "baycarp/features.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"

enum { RANKS = 13, SUITS = 4, JACK = 9 };

static const double PROPORTIONS[BC_SIZES - 1] = {0.25, 0.5, 0.75, 1.0, 1.5, 2.0};
static const int SHOWN[BC_STREETS] = {0, 3, 4, 5};

void bc_past_start(bc_past *past) {
    memset(past, 0, sizeof *past);
    memset(past->aggressor, -1, sizeof past->aggressor);
}

/* The size of a bet of `bet` beyond the call: the sizes above the least and up to the first one that the
   stack does not exceed exist, and the nearer of two by ratio is taken. */
static int size_of(double bet, double least, double most) {
    double size[BC_SIZES] = {least};
    int letter[BC_SIZES] = {0}, n = 1;
    for (int i = 0; i < BC_SIZES - 1; i++) {
        if (PROPORTIONS[i] <= least) continue;
        size[n] = PROPORTIONS[i];
        letter[n++] = i + 1;
        if (PROPORTIONS[i] >= most) break;
    }
    int above = 0;
    while (above < n && size[above] <= bet) above++;
    if (above == 0 || above == n) return letter[above ? n - 1 : 0];
    return letter[size[above - 1] / bet > bet / size[above] ? above - 1 : above];
}

int bc_move_of(const bc_variant *v, const bc_state *s, int kind, int64_t amount) {
    if (kind != BC_RAISE) return kind == BC_FOLD ? 0 : 1;
    const bc_legal legal = bc_state_legal(v, s);
    const int64_t level = s->bet[s->to_act] + legal.owed;
    const double pot = (double)(bc_state_pot(v, s) + legal.owed);
    return 2 + size_of((double)(amount - level) / pot, (double)(legal.least - level) / pot,
                       (double)(legal.most - level) / pot);
}

void bc_past_act(const bc_variant *v, const bc_state *s, bc_past *past, int kind, int64_t amount) {
    const int seat = s->to_act, street = s->street;
    const bool owes = bc_state_legal(v, s).owed > 0;
    if (past->street != street) past->callers = past->acted = 0;
    past->street = (uint8_t)street;
    if (kind == BC_RAISE) {
        const bool first = s->raises == 0 && street > 0;
        past->own[seat] = (uint8_t)((first ? 3 : 3 + BC_SIZES) + bc_move_of(v, s, kind, amount) - 2);
        past->aggressive[street]++;
        past->aggressor[street] = (int8_t)seat;
        past->callers = past->acted = 0;
        return;
    }
    past->acted++;
    if (kind == BC_FOLD) return;
    past->own[seat] = owes ? 2 : 1;
    past->passive[street]++;
    past->callers += owes;
}

static bool is_straight(uint32_t ranks) {
    const uint32_t row = ranks << 1 | (ranks >> (RANKS - 1) & 1); /* the ace below the deuce, too */
    return (row & row >> 1 & row >> 2 & row >> 3 & row >> 4) != 0;
}

static double straights(const uint8_t *board, int shown) {
    int left[RANKS];
    uint32_t ranks = 0;
    for (int r = 0; r < RANKS; r++) left[r] = SUITS;
    for (int i = 0; i < shown; i++) {
        left[bc_rank_of(board[i])]--;
        ranks |= 1u << bc_rank_of(board[i]);
    }
    int found = 0;
    for (int a = 0; a < RANKS; a++)
        for (int b = 0; b <= a; b++)
            if (is_straight(ranks | 1u << a | 1u << b))
                found += a == b ? left[a] * (left[a] - 1) / 2 : left[a] * left[b];
    return (double)found / (double)((BC_DECK - shown) * (BC_DECK - shown - 1) / 2);
}

void bc_texture_of(const uint8_t *board, int street, bc_texture *texture) {
    int ranks[RANKS] = {0}, suits[SUITS] = {0}, highest = 0, suited = 0, sum = 0;
    memset(texture, 0, sizeof *texture);
    for (int t = 1; t <= street; t++) {
        for (int i = SHOWN[t - 1]; i < SHOWN[t]; i++) {
            const int rank = bc_rank_of(board[i]), suit = bc_suit_of(board[i]);
            sum += rank;
            if (rank > highest) highest = rank;
            if (++ranks[rank] > texture->same_rank) texture->same_rank = (uint8_t)ranks[rank];
            if (++suits[suit] > suited) suited = suits[suit];
            texture->high_cards += ranks[rank] == 1 && rank >= JACK;
        }
        texture->highest[t] = (uint8_t)highest;
        texture->suited[t] = (uint8_t)suited;
        texture->straight[t] = straights(board, SHOWN[t]);
    }
    if (street > 0) texture->average = (double)sum / SHOWN[street];
}

int bc_situation(const bc_variant *v, const bc_state *s) {
    return 2 * s->street + (bc_state_legal(v, s).owed > 0);
}

bool bc_feature_valid(int feature, int situation) {
    const int street = situation / 2;
    switch (feature) {
    case BC_F_ALL_IN_CALL:
    case BC_F_TO_CALL:
    case BC_F_POT_ODDS:
    case BC_F_IMPLIED_ODDS:
    case BC_F_EFFECTIVE_AGGRESSOR:
    case BC_F_AFTER_AGGRESSOR:
        return situation % 2 == 1;
    case BC_F_AVERAGE_RANK:
    case BC_F_SAME_RANK:
    case BC_F_HIGH_CARDS:
        return street > 0;
    }
    if (feature >= BC_F_AGGRESSION && feature < BC_F_AGGRESSION + 4)
        return street >= feature - BC_F_AGGRESSION;
    if (feature >= BC_F_BETS && feature < BC_F_BETS + 4) return street >= feature - BC_F_BETS;
    if (feature >= BC_F_HIGHEST && feature < BC_F_HIGHEST + 3) return street > feature - BC_F_HIGHEST;
    if (feature >= BC_F_SUITED && feature < BC_F_SUITED + 3) return street > feature - BC_F_SUITED;
    if (feature >= BC_F_STRAIGHT && feature < BC_F_STRAIGHT + 3) return street > feature - BC_F_STRAIGHT;
    if (feature >= BC_F_AGGRESSOR && feature < BC_F_AGGRESSOR + 3) return street > feature - BC_F_AGGRESSOR;
    return true;
}

/* The last position of the largest blind: the aggressor before the first raise. */
static int largest_blind(const bc_variant *v) {
    int found = 0;
    for (int i = 0; i < v->seats; i++)
        if (v->blinds[i] == v->big_blind) found = i;
    return found;
}

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* What depends on the other players in. */
static void of_others(const bc_variant *v, const bc_state *s, double *x) {
    const int seat = s->to_act, n = v->seats, first = v->first[1];
    const int own = (seat - first + n) % n;
    int active = 0, after = 0, left = 0;
    int64_t effective = 0;
    for (int i = 0; i < n; i++) {
        if (!(s->in >> i & 1)) continue;
        active++;
        if (i == seat) continue;
        after += (i - first + n) % n > own;
        left += s->stack[i] > 0 && (s->bet[i] < s->level || !(s->acted >> i & 1));
        const int64_t both = lesser(s->stack[seat], s->stack[i]);
        if (both > effective) effective = both;
    }
    x[BC_F_ACTIVE] = active;
    x[BC_F_ACTIVE_RATIO] = (double)active / n;
    x[BC_F_OFF_BUTTON] = after;
    x[BC_F_LAST_OF_ACTIVE] = after == 0;
    x[BC_F_LEFT] = left;
    x[BC_F_EFFECTIVE_ACTIVE] = (double)effective / (double)v->big_blind;
}

/* What only a player that owes chips has. */
static void of_the_price(const bc_variant *v, const bc_state *s, const bc_past *past, int64_t owed,
                         double *x) {
    const int seat = s->to_act, n = v->seats, first = v->first[1];
    const int last = past->aggressor[s->street], aggressor = last >= 0 ? last : largest_blind(v);
    const int64_t pot = bc_state_pot(v, s), effective = lesser(s->stack[seat], s->stack[aggressor]);
    x[BC_F_TO_CALL] = (double)owed / (double)v->big_blind;
    x[BC_F_ALL_IN_CALL] = owed >= s->stack[seat];
    x[BC_F_POT_ODDS] = (double)owed / (double)(owed + pot);
    x[BC_F_IMPLIED_ODDS] = (double)owed / (double)(owed + pot + effective);
    x[BC_F_EFFECTIVE_AGGRESSOR] = (double)effective / (double)v->big_blind;
    x[BC_F_AFTER_AGGRESSOR] = (seat - first + n) % n > (aggressor - first + n) % n;
}

static int kind_of(int own) {
    return own <= 2 ? own : own < 3 + BC_SIZES ? 3 : 4;
}

void bc_features_of(const bc_variant *v, const bc_state *s, const bc_past *past, const bc_texture *texture,
                    double x[BC_FEATURES]) {
    assert(s->to_act >= 0);
    const int seat = s->to_act, street = s->street;
    const int64_t owed = bc_state_legal(v, s).owed;
    memset(x, 0, BC_FEATURES * sizeof *x);
    of_others(v, s, x);
    if (owed > 0) of_the_price(v, s, past, owed, x);
    for (int t = 0; t <= street; t++) {
        const int passive = past->passive[t] > 0 ? past->passive[t] : 1;
        x[BC_F_AGGRESSION + t] = (double)past->aggressive[t] / passive;
        x[BC_F_BETS + t] = past->aggressive[t];
        if (t < street) x[BC_F_AGGRESSOR + t] = past->aggressor[t] == seat;
        if (t == 0) continue;
        x[BC_F_HIGHEST + t - 1] = texture->highest[t];
        x[BC_F_SUITED + t - 1] = texture->suited[t];
        x[BC_F_STRAIGHT + t - 1] = texture->straight[t];
    }
    x[BC_F_AVERAGE_RANK] = texture->average;
    x[BC_F_SAME_RANK] = texture->same_rank;
    x[BC_F_HIGH_CARDS] = texture->high_cards;
    x[BC_F_CALLERS] = past->street == street ? past->callers : 0;
    x[BC_F_ACTED] = past->street == street ? past->acted : 0;
    x[BC_F_OWN_SIZED] = past->own[seat];
    x[BC_F_OWN_KIND] = kind_of(past->own[seat]);
    x[BC_F_POT] = (double)bc_state_pot(v, s) / (double)v->big_blind;
    x[BC_F_STACK] = (double)s->stack[seat] / (double)v->big_blind;
}

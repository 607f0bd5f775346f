#include "baycarp/search_styles.h"

#include <assert.h>

static int count_bits(unsigned bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

/* The opponents in, and those among them that paid on the street of their own will, as bits. */
static unsigned others_in(const bc_state *state) {
    return state->in & ~(1u << state->to_act);
}

static bool has_paid(const bc_variant *variant, const bc_state *state, int seat) {
    return state->bet[seat] > (state->street ? 0 : variant->blinds[seat]);
}

static bool another_paid(const bc_variant *variant, const bc_state *state) {
    const unsigned others = others_in(state);
    for (int seat = 0; seat < variant->seats; seat++)
        if (others >> seat & 1 && has_paid(variant, state, seat)) return true;
    return false;
}

/* Blinds, early, middle, late. */
static int place_of(int seat, int seats) {
    if (seat < 2) return 0;
    return seat == seats - 1 ? 3 : 1 + (seat - 2) * 3 / (seats - 2);
}

static int situation_of(const bc_variant *variant, const bc_state *state, int price, int raised) {
    const int seat = state->to_act;
    if (state->street == 0) {
        const int joined = another_paid(variant, state), invested = has_paid(variant, state, seat);
        return ((price * 4 + place_of(seat, variant->seats)) * 2 + joined) * 2 + invested;
    }
    const unsigned others = others_in(state);
    const int opponents = count_bits(others), last = !(others & ~state->acted);
    const int initiative = raised < 0 ? 0 : raised == seat ? 2 : 1;
    return ((price * 3 + (opponents < 3 ? opponents : 3) - 1) * 2 + last) * 3 + initiative;
}

int bc_style_situation(const bc_variant *variant, const bc_state *state, int raised) {
    return situation_of(variant, state, bc_search_price(variant, state), raised);
}

/* The same as bc_search_price, by the moves. */
static int price_of(const bc_decision *query) {
    if (query->moves[0].kind != BC_FOLD) return 0;
    if (query->moves[query->count - 1].kind != BC_RAISE) return BC_PRICES - 1;
    const uint32_t bets = query->state->raises + (query->state->street == 0);
    return bets < 1 ? 1 : bets > 3 ? 3 : (int)bets;
}

/* For the players to expect (Papp 1998, appendix B): the player, those in, 0.6 of those behind. */
static int income_group(const bc_variant *variant, const bc_state *state) {
    const unsigned others = others_in(state);
    int joined = 0;
    for (int seat = 0; seat < variant->seats; seat++)
        joined += others >> seat & 1 && has_paid(variant, state, seat);
    const int expected = (int)(1.5 + joined + 0.6 * count_bits(others & ~state->acted));
    return expected <= 2 ? 0 : expected <= 4 ? 1 : 2;
}

/* The number of a situation among those of all streets. */
static int numbered(int street, int situation) {
    return street ? BC_STYLE_PREFLOP + (street - 1) * BC_STYLE_LATER + situation : situation;
}

/* The chances of a style: powers weighed by choice, then the player's factors. Returns their sum. */
static double of_style(const bc_style_players *players, const bc_decision *query, int situation,
                       double found[BC_KINDS]) {
    const bc_styles *styles = players->styles;
    const int street = query->state->street, seat = query->state->to_act, powers = styles->powers;
    const double *weights = players->powers + (int64_t)(seat * 2 + (street > 0)) * BC_KINDS * powers;
    const double *factor =
        players->factor + ((int64_t)seat * BC_STYLE_SITUATIONS + numbered(street, situation)) * BC_KINDS;
    const int known = players->group[seat];
    const int group = street ? 0 : known >= 0 ? known : income_group(query->variant, query->state);
    double total = 0;
    for (int kind = 0; kind < BC_KINDS; kind++) {
        double sum = 0;
        for (int k = 0; k < powers; k++) {
            const int64_t row = ((int64_t)situation * BC_KINDS + kind) * powers + k;
            const int bucket =
                street ? query->bucket
                       : styles->bucket[group][k * styles->cells[group] + styles->cell[group][query->bucket]];
            const int64_t at = (row * styles->buckets[street] + bucket) * styles->styles + query->cluster;
            sum += weights[kind * powers + k] * styles->table[street][at];
        }
        total += found[kind] = factor[kind] * sum;
    }
    return total;
}

void bc_style_policy(const void *context, const bc_decision *query, double *chances) {
    const bc_style_players *players = context;
    const bc_styles *styles = players->styles;
    const bc_state *state = query->state;
    const int street = state->street, seat = state->to_act;
    const int raised = street ? query->past->aggressor[street - 1] : -1;
    const int situation = situation_of(query->variant, state, price_of(query), raised);
    double found[BC_KINDS], total = 1;
    const double *row = found;
    if (query->cluster < styles->styles) {
        total = of_style(players, query, situation, found);
    } else if (query->cluster == styles->styles) {
        row =
            players->blindly + ((int64_t)seat * BC_STYLE_SITUATIONS + numbered(street, situation)) * BC_KINDS;
    } else {
        const int buckets = street ? styles->buckets[street] : BC_STYLE_CLASSES;
        row = styles->own[street] + (situation * buckets + query->bucket) * BC_KINDS;
    }
    for (int i = 0; i < query->count; i++)
        chances[i] = total > 0 ? row[query->moves[i].kind] / total : 1.0 / query->count;
}

int bc_style_refine(const void *context, int seat, int holding, double unit) {
    const bc_style_players *players = context;
    const int styles = players->styles->styles, all = styles + 1;
    const double *weights = players->weights + (int64_t)seat * all;
    double found[BC_STYLE_MOST], total = 0;
    assert(all <= BC_STYLE_MOST);
    if (!players->count[seat]) {
        const double *sums = players->sums + (int64_t)seat * all;
        return bc_first_above(sums, 0, all - 1, unit * sums[all - 1]);
    }
    for (int i = 0; i < all; i++) found[i] = weights[i];
    for (int k = 0; k < players->count[seat]; k++) {
        const bc_seen_act *act = &players->acts[seat][k];
        const float *row = act->table + (int64_t)act->bucket[holding] * styles;
        for (int i = 0; i < styles; i++) found[i] *= row[i];
    }
    for (int i = 0; i < all; i++) found[i] = total += found[i];
    return bc_first_above(found, 0, all - 1, unit * total);
}

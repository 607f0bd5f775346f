/* A deal with a clash is drawn again as a whole: to draw only the clashing holding again would favour
   holdings of the players drawn first. In refined searches ranges of equal weights come last, from the cards
   that are left: whichever these are, there are as many holdings. Where deals without a clash are rarer than
   one in TRIES, Gibbs sampling draws each player's holding from its weights given the others', SWEEPS times
   round. */
#include "search_deal.h"

#include <assert.h>
#include <math.h>

enum { TRIES = 1000, SWEEPS = 10 };

static void hole_of(int holding, uint8_t hole[2]) {
    int hi = (int)((1 + sqrt(1 + 8.0 * holding)) / 2);
    hole[0] = (uint8_t)hi, hole[1] = (uint8_t)(holding - hi * (hi - 1) / 2);
}

static uint64_t cards_of(const uint8_t hole[2]) {
    return bc_bit(hole[0]) | bc_bit(hole[1]);
}

static double *row(const bc_search *s, int seat) {
    return s->weights + (int64_t)seat * s->clusters * BC_HOLDINGS;
}

static bool drawn(const bc_search *s, int seat) {
    return seat != s->hero && (s->state.in >> seat & 1);
}

static uint64_t blocked(const bc_search *s) {
    uint64_t used = s->dead | cards_of(s->hole);
    for (int i = 0; i < s->shown; i++) used |= bc_bit(s->board[i]);
    return used;
}

/* Whether all free holdings have one weight. */
static bool is_even(const double *weights, uint64_t used) {
    double one = 0;
    for (int hi = 1; hi < 52; hi++)
        for (int lo = 0; lo < hi; lo++, weights++) {
            if (used & (bc_bit(hi) | bc_bit(lo))) continue;
            if (one > 0 && *weights != one) return false;
            one = *weights;
        }
    return one > 0;
}

/* Where the running sums exceed each of BC_GUIDES equal parts of the total. */
static void guide(bc_search *s, int seat) {
    const double *sums = row(s, seat);
    const int n = s->clusters * BC_HOLDINGS;
    int at = 0;
    for (int i = 0; i < BC_GUIDES; i++) {
        const double part = sums[n - 1] * i / BC_GUIDES;
        while (at < n - 1 && sums[at] <= part) at++;
        s->guide[seat][i] = at;
    }
    s->guide[seat][BC_GUIDES] = n - 1;
}

void bc_search_deal_start(bc_search *s) {
    const uint64_t used = blocked(s);
    s->even = 0;
    for (int seat = 0; seat < s->variant.seats; seat++) {
        if (!drawn(s, seat)) continue;
        double *sums = row(s, seat), sum = 0;
        if (s->refine && is_even(sums, used)) s->even |= (uint16_t)(1u << seat);
        for (int cluster = 0; cluster < s->clusters; cluster++)
            for (int hi = 1; hi < 52; hi++)
                for (int lo = 0; lo < hi; lo++, sums++) {
                    if (!(used & (bc_bit(hi) | bc_bit(lo)))) sum += *sums;
                    *sums = sum;
                }
        assert(sum > 0);
        guide(s, seat);
    }
}

static void take(bc_search_deal *d, int seat, int at) {
    d->cluster[seat] = at / BC_HOLDINGS;
    hole_of(at % BC_HOLDINGS, d->hole[seat]);
}

static void draw_one(bc_search *s, bc_search_deal *d, int seat) {
    const double *sums = row(s, seat), unit = bc_rng_unit(&s->rng);
    const double part = unit * sums[s->clusters * BC_HOLDINGS - 1];
    const int near = (int)(unit * BC_GUIDES);
    int at = bc_first_above(sums, s->guide[seat][near], s->guide[seat][near + 1], part);
    while (at > 0 && sums[at] == sums[at - 1]) at--; /* a rounded product reached the total */
    take(d, seat, at);
}

static double weight(const double *sums, int at) {
    return at ? sums[at] - sums[at - 1] : sums[0];
}

/* Draw a holding free of `used`; false if the range has none. */
static bool draw_free(bc_search *s, bc_search_deal *d, int seat, uint64_t used) {
    const double *sums = row(s, seat);
    const int n = s->clusters * BC_HOLDINGS;
    uint8_t hole[2];
    double total = 0, at;
    int found = -1;
    for (int pass = 0; pass < 2; pass++) {
        at = pass ? bc_rng_unit(&s->rng) * total : 0;
        for (int i = 0; i < n; i++) {
            const double w = weight(sums, i);
            hole_of(i % BC_HOLDINGS, hole);
            if (w <= 0 || (used & cards_of(hole))) continue;
            if (!pass)
                total += w;
            else if (found = i, (at -= w) < 0)
                break;
        }
        if (total == 0) return false;
    }
    take(d, seat, found);
    return true;
}

static uint8_t free_card(bc_search *s, uint64_t *used) {
    int card;
    do card = (int)bc_rng_below(&s->rng, BC_DECK);
    while (*used & bc_bit(card));
    *used |= bc_bit(card);
    return (uint8_t)card;
}

/* A start without a clash, whatever the ranges, then Gibbs sampling. */
static uint64_t draw_rare(bc_search *s, bc_search_deal *d, uint64_t used) {
    s->forced++;
    for (int seat = 0; seat < s->variant.seats; seat++) {
        if (!drawn(s, seat)) continue;
        if (!draw_free(s, d, seat, used)) {
            uint64_t now = used;
            d->cluster[seat] = 0;
            for (int i = 0; i < 2; i++) d->hole[seat][i] = free_card(s, &now);
        }
        used |= cards_of(d->hole[seat]);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int seat = 0; seat < s->variant.seats; seat++) {
            if (!drawn(s, seat)) continue;
            used &= ~cards_of(d->hole[seat]);
            draw_free(s, d, seat, used);
            used |= cards_of(d->hole[seat]);
        }
    return used;
}

static uint64_t draw_even(bc_search *s, bc_search_deal *d, uint64_t used) {
    for (int seat = 0; seat < s->variant.seats; seat++)
        for (int i = 0; s->even >> seat & 1 && i < 2; i++) d->hole[seat][i] = free_card(s, &used);
    return used;
}

static uint64_t draw_all(bc_search *s, bc_search_deal *d) {
    const uint64_t before = blocked(s);
    for (int i = 0; i < TRIES; i++) {
        uint64_t used = before;
        bool clash = false;
        for (int seat = 0; seat < s->variant.seats && !clash; seat++) {
            if (!drawn(s, seat) || s->even >> seat & 1) continue;
            draw_one(s, d, seat);
            clash = used & cards_of(d->hole[seat]);
            used |= cards_of(d->hole[seat]);
        }
        if (!clash) return draw_even(s, d, used);
    }
    return draw_rare(s, d, before);
}

void bc_search_deal_draw(bc_search *s, bc_search_deal *d) {
    for (int i = 0; i < s->variant.seats; i++) {
        d->cluster[i] = s->self;
        for (int k = 0; k < BC_STREETS; k++) d->bucket[i][k] = -1;
    }
    for (int i = 0; i < 2; i++) d->hole[s->hero][i] = s->hole[i];
    uint64_t used = draw_all(s, d);
    for (int i = 0; s->refine && i < s->variant.seats; i++)
        if (drawn(s, i)) {
            const int holding = bc_holding(d->hole[i][0], d->hole[i][1]);
            d->cluster[i] = s->refine(s->refine_context, i, holding, bc_rng_unit(&s->rng));
        }
    for (int i = 0; i < s->shown; i++) d->board[i] = s->board[i];
    for (int i = s->shown; i < 5; i++) d->board[i] = free_card(s, &used);
}

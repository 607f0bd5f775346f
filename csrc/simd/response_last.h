/* The last street: folds and showdowns. Each reach is read as seldom as possible: the pass that computes the
   reach after a raise also sums what the ends of both decisions need. Rows of reach are those of the holdings
   that the opponent may hold, rows of value those of all holdings. */
#include "response_lanes.h"

/* The holdings of positive reach. */
typedef struct {
    int n;
    uint16_t at[BC_HOLDINGS], cell[BC_HOLDINGS]; /* places in the street's arrays; classes */
    uint8_t cards[BC_HOLDINGS][2];
} held;

/* Chips that an action of the opponent loses and that a showdown wins or loses. */
typedef struct {
    bc_lanes fold, call;
} stakes;

static stakes stakes_of(const bc_group *g, decision at) {
    return (stakes){at.bets ? chips(g, at.bets - 1) : (bc_lanes){{0}}, chips(g, at.bets)};
}

/* What a holding's folds and calls put at stake. */
typedef struct {
    lanes fold, call;
} ended;

static ended ends(const lanes *reach, const lanes *share, const stakes *of) {
    ended e;
    EACH e.fold.part[l] = reach->part[l] * share[FOLDS].part[l] * wide(&of->fold)->part[l];
    EACH e.call.part[l] = reach->part[l] * share[CALLS].part[l] * wide(&of->call)->part[l];
    return e;
}

/* Showdowns are one pass over groups of equal rank, in ascending order. A cumulative sum, also by card,
   begins at minus half of the total, so that the sum before a group plus the sum after it is what is below
   less what is above; the holding itself counts 0. What folds lose is in it from the start, half of it:
   before and after a group it is whole. */

/* The reach after an action (NULL: none), and minus half of its sums. With `own` also the start of the
   cumulative sum of the opponent's folds and calls. */
static bool answer(const bc_group *g, decision at, int action, const held *h, const bc_lanes *reach,
                   bc_lanes *after, sums *half, sums *own) {
    const lanes *from = wide(reach), *shares = policies(g, at);
    const stakes of = stakes_of(g, at);
    lanes *restrict to = (lanes *)after, all = {{{0}}}, all_own = {{{0}}};
    memset(half->with, 0, sizeof half->with);
    if (own) memset(own->with, 0, sizeof own->with);
    for (int j = 0; j < h->n; j++) {
        const lanes *share = shares + (size_t)h->cell[j] * 3;
        lanes number;
        if (own) {
            const ended e = ends(from + j, share, &of);
            EACH number.part[l] = 0.5 * (e.fold.part[l] - e.call.part[l]);
            include(&all_own, own->with, h->cards[j], number);
        }
        if (!to) continue;
        EACH to[j].part[l] = from[j].part[l] * share[action].part[l];
        EACH number.part[l] = -0.5 * to[j].part[l];
        include(&all, half->with, h->cards[j], number);
    }
    half->all = all;
    if (own) own->all = all_own;
    EACH all.part[l] = -all.part[l];
    return any_positive(&all);
}

/* A group of equal rank: of all holdings from `first` to below `end`, of the opponent's from `mine`. */
typedef struct {
    int first, end, mine, mine_end;
} tie;

static bool next_tie(const bc_street *s, const held *h, tie *t) {
    t->first = t->end;
    t->mine = t->mine_end;
    if (t->first == s->n) return false;
    while (t->end < s->n && s->rank[t->end] == s->rank[t->first]) t->end++;
    while (t->mine_end < h->n && h->at[t->mine_end] < t->end) t->mine_end++;
    return true;
}

/* Add what the opponent's folds and calls give; `start`: of the cumulative sum. */
static void add_answered(const bc_group *g, decision at, const held *h, const bc_lanes *reach, sums *start,
                         bc_lanes *value) {
    const uint8_t *cards = g->s->cards;
    const lanes *from = wide(reach), *shares = policies(g, at);
    const stakes of = stakes_of(g, at);
    lanes *restrict to = (lanes *)value, all = start->all;
    for (tie t = {0}; next_tie(g->s, h, &t);) {
        const int twice = t.mine == t.mine_end ? 2 : 1;
        for (int i = t.first; i < t.end; i++) {
            const lanes before = without(all, start->with, cards + 2 * i);
            EACH to[i].part[l] += twice * before.part[l];
        }
        if (twice == 2) continue;
        for (int j = t.mine; j < t.mine_end; j++) {
            const ended e = ends(from + j, shares + (size_t)h->cell[j] * 3, &of);
            EACH to[h->at[j]].part[l] += e.fold.part[l];
            include(&all, start->with, h->cards[j], e.call);
        }
        for (int i = t.first; i < t.end; i++) {
            const lanes after = without(all, start->with, cards + 2 * i);
            EACH to[i].part[l] += after.part[l];
        }
    }
}

/* Raise a value to those of a call and of a fold: `below` is the sum before its group plus the sum after it,
   `half` minus half of the reach that it meets. */
static void raise_one(const stakes *of, bool folds, const lanes *below, const lanes *half, lanes *to) {
    lanes best;
    EACH best.part[l] = wide(&of->call)->part[l] * below->part[l];
    if (folds) EACH best.part[l] = greater(best.part[l], 2 * wide(&of->fold)->part[l] * half->part[l]);
    EACH to->part[l] = greater(to->part[l], best.part[l]);
}

/* Raise the values to those of the responder's call and fold; `half`: minus half of the sums of the reach. */
static void raise_to_shown(const bc_group *g, decision at, const held *h, const bc_lanes *reach,
                           const sums *half, bc_lanes *value) {
    const uint8_t *cards = g->s->cards;
    const stakes of = stakes_of(g, at);
    const lanes *from = wide(reach);
    lanes *restrict to = (lanes *)value, *restrict below = (lanes *)at.rows, *restrict met = below + g->s->n;
    sums sum = *half;
    lanes all = sum.all;
    for (tie t = {0}; next_tie(g->s, h, &t);) {
        const bool free = t.mine == t.mine_end; /* no holding of the opponent */
        for (int i = t.first; i < t.end; i++) {
            below[i] = without(all, sum.with, cards + 2 * i);
            met[i] = without(half->all, half->with, cards + 2 * i);
            if (!free) continue;
            EACH below[i].part[l] += below[i].part[l];
            raise_one(&of, at.bets, below + i, met + i, to + i);
        }
        if (free) continue;
        for (int j = t.mine; j < t.mine_end; j++) {
            EACH met[h->at[j]].part[l] -= 0.5 * from[j].part[l];
            include(&all, sum.with, h->cards[j], from[j]);
        }
        for (int i = t.first; i < t.end; i++) {
            const lanes after = without(all, sum.with, cards + 2 * i);
            EACH below[i].part[l] += after.part[l];
            raise_one(&of, at.bets, below + i, met + i, to + i);
        }
    }
}

static void opponents_last(const bc_group *g, decision at, const held *h, const bc_lanes *reach,
                           bc_lanes *value);

/* The value of a decision of the responder that may end the hand. */
static void responders_last(const bc_group *g, decision at, const held *h, const bc_lanes *reach,
                            const sums *half, bc_lanes *value) {
    if (at.bets < g->s->most)
        opponents_last(g, after_raise(at, at.rows), h, reach, value);
    else
        fill(g->s->n, -DBL_MAX, value);
    raise_to_shown(g, at, h, reach, half, value);
}

/* The same of the opponent. */
static void opponents_last(const bc_group *g, decision at, const held *h, const bc_lanes *reach,
                           bc_lanes *value) {
    sums half, own;
    bc_lanes *after = at.bets < g->s->most ? at.rows : NULL;
    if (answer(g, at, RAISES, h, reach, after, &half, &own))
        responders_last(g, after_raise(at, at.rows + g->s->n), h, after, &half, value);
    else
        fill(g->s->n, 0, value);
    add_answered(g, at, h, reach, &own, value);
}

/* The value of the last street. */
static void value_of_last(const bc_group *g, decision at, const held *h, const bc_lanes *reach,
                          bc_lanes *value) {
    const int n = g->s->n;
    bc_lanes *after = at.rows, *next = after + n;
    at.rows += 2 * n;
    if (g->s->first) {
        opponents_last(g, after_raise(at, at.rows), h, reach, value);
        opponents_last(g, after_check(at, at.rows), h, reach, next);
        raise_to(n, next, value);
        return;
    }
    sums half;
    fill(n, 0, value);
    if (answer(g, at, RAISES, h, reach, after, &half, NULL))
        responders_last(g, after_raise(at, at.rows), h, after, &half, value);
    if (answer(g, at, CALLS, h, reach, after, &half, NULL)) {
        responders_last(g, after_check(at, at.rows), h, after, &half, next);
        add(n, next, value);
    }
}

/* The holdings of positive reach, and their rows. */
static void take_held(const bc_street *s, const bc_lanes *reach, held *h, bc_lanes *rows) {
    h->n = 0;
    for (int i = 0; i < s->n; i++) {
        const lanes *from = wide(reach + s->holding[i]);
        if (!any_positive(from)) continue;
        EACH((lanes *)rows)[h->n].part[l] = from->part[l];
        h->at[h->n] = (uint16_t)i;
        h->cell[h->n] = s->cell[i];
        memcpy(h->cards[h->n++], s->cards + 2 * i, 2);
    }
}

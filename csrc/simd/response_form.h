/* The source of every form of the walk of a street. */
#include "response_last.h"

static void value_at(const bc_group *g, decision at, const bc_lanes *reach, bc_lanes *value);

/* Write the values after a check or call. */
static void value_of_call(const bc_group *g, decision at, const bc_lanes *reach, bc_lanes *value) {
    if (!ends_street(at)) {
        value_at(g, after_check(at, at.rows), reach, value);
        return;
    }
    const bc_lanes *ended = g->valued + end_of(g, at);
    for (int i = 0; i < g->s->n; i++) value[i] = ended[g->s->holding[i]];
}

static void opponents_value(const bc_group *g, decision at, const bc_lanes *reach, bc_lanes *value) {
    const int n = g->s->n;
    bc_lanes *after = at.rows, *next = at.rows + n;
    at.rows += 2 * n;
    memset(value, 0, (size_t)n * sizeof *value);
    if (at.bets && act(g, at, FOLDS, reach, after))
        add_uncontested(g->s, after, chips(g, at.bets - 1), value);
    if (act(g, at, CALLS, reach, after)) {
        value_of_call(g, at, after, next);
        add(n, next, value);
    }
    if (at.bets < g->s->most && act(g, at, RAISES, reach, after)) {
        value_at(g, after_raise(at, at.rows), after, next);
        add(n, next, value);
    }
}

static void responders_value(const bc_group *g, decision at, const bc_lanes *reach, bc_lanes *value) {
    const int n = g->s->n;
    bc_lanes *next = at.rows;
    at.rows += n;
    value_of_call(g, at, reach, value);
    if (at.bets) {
        bc_lanes lost = chips(g, at.bets - 1);
        for (int l = 0; l < BC_STREET_LANES; l++) lost.lane[l] = -lost.lane[l];
        memset(next, 0, (size_t)n * sizeof *next);
        add_uncontested(g->s, reach, lost, next);
        raise_to(n, next, value);
    }
    if (at.bets < g->s->most) {
        value_at(g, after_raise(at, at.rows), reach, next);
        raise_to(n, next, value);
    }
}

static void value_at(const bc_group *g, decision at, const bc_lanes *reach, bc_lanes *value) {
    (responds(g, at) ? responders_value : opponents_value)(g, at, reach, value);
}

/* The rows of the board's holdings; returns whether any is positive. */
static bool take(const bc_street *s, const bc_lanes *reach, bc_lanes *rows) {
    lanes sum = {{{0}}};
    for (int i = 0; i < s->n; i++) {
        const lanes *from = wide(reach + s->holding[i]);
        lanes *to = (lanes *)rows + i;
        EACH to->part[l] = from->part[l];
        EACH sum.part[l] += from->part[l];
    }
    return any_positive(&sum);
}

void FORM(bc_group_value)(const bc_group *g, const bc_lanes *reach, bc_lanes *value) {
    const bc_street *s = g->s;
    bc_lanes *rows = s->scratch, *found = rows + s->n;
    const decision at = {0, 0, found + s->n};
    held h;
    if (s->rank) {
        take_held(s, reach, &h, rows);
        if (!h.n) return;
        value_of_last(g, at, &h, rows, found);
    } else {
        if (!take(s, reach, rows)) return;
        value_at(g, at, rows, found);
    }
    for (int k = 0; k < s->images; k++) {
        const uint16_t *image = s->image + (size_t)k * (size_t)s->n;
        for (int i = 0; i < s->n; i++) add(1, found + i, value + image[i]);
    }
}

static void reach_at(const bc_group *g, decision at, const bc_lanes *reach);

static void reach_after_call(const bc_group *g, decision at, const bc_lanes *reach) {
    if (!ends_street(at)) {
        reach_at(g, after_check(at, at.rows), reach);
        return;
    }
    bc_lanes *ended = g->reached + end_of(g, at);
    for (int i = 0; i < g->s->n; i++) ended[g->s->holding[i]] = reach[i];
}

static void reach_at(const bc_group *g, decision at, const bc_lanes *reach) {
    const bool mine = responds(g, at);
    bc_lanes *after = at.rows;
    at.rows += g->s->n;
    if (mine || act(g, at, CALLS, reach, after)) reach_after_call(g, at, mine ? reach : after);
    if (at.bets < g->s->most && (mine || act(g, at, RAISES, reach, after)))
        reach_at(g, after_raise(at, at.rows), mine ? reach : after);
}

void FORM(bc_group_reach)(const bc_group *g, const bc_lanes *reach) {
    bc_lanes *rows = g->s->scratch;
    if (take(g->s, reach, rows)) reach_at(g, (decision){0, 0, rows + g->s->n}, rows);
}

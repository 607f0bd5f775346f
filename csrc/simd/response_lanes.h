/* What the streets of a walk share: eight lanes in registers of WIDTH numbers, decisions, and folds. */
#include "response.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#if WIDTH > 1
typedef double part __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));
typedef int64_t bits __attribute__((vector_size(8 * WIDTH), aligned(8), may_alias));

static part greater(part a, part b) {
    const bits less = a < b;
    return (part)(((bits)b & less) | ((bits)a & ~less));
}
#else
typedef double part;

static part greater(part a, part b) {
    return a < b ? b : a;
}
#endif

/* The eight lanes of bc_lanes. */
typedef struct {
    part part[BC_STREET_LANES / WIDTH];
} lanes;

#define EACH for (int l = 0; l < BC_STREET_LANES / WIDTH; l++)

static void add(int n, const bc_lanes *restrict more, bc_lanes *restrict value) {
    const double *from = more->lane;
    double *to = value->lane;
    for (int i = 0; i < n * BC_STREET_LANES; i++) to[i] += from[i];
}

static void raise_to(int n, const bc_lanes *restrict other, bc_lanes *restrict value) {
    const double *from = other->lane;
    double *to = value->lane;
    for (int i = 0; i < n * BC_STREET_LANES; i++) to[i] = to[i] < from[i] ? from[i] : to[i];
}

static void fill(int n, double number, bc_lanes *rows) {
    for (int i = 0; i < n; i++)
        for (int l = 0; l < BC_STREET_LANES; l++) rows[i].lane[l] = number;
}

enum { FOLDS, CALLS, RAISES };

/* A decision: bets made, after a check or not, and the scratch rows that are free. */
typedef struct {
    int bets, checked;
    bc_lanes *rows;
} decision;

static int number_of(decision at) {
    return at.bets + (at.checked ? BC_STREET_BETS + 1 : 0);
}

/* The first row of the end that a check or call makes. */
static size_t end_of(const bc_group *g, decision at) {
    return (size_t)(number_of(at) - 1) * (size_t)g->s->holdings;
}

static bool ends_street(decision at) {
    return at.bets || at.checked;
}

static decision after_check(decision at, bc_lanes *rows) {
    return (decision){at.bets, 1, rows};
}

static decision after_raise(decision at, bc_lanes *rows) {
    return (decision){at.bets + 1, at.checked, rows};
}

static bool responds(const bc_group *g, decision at) {
    return (number_of(at) % 2 == 0) == (g->s->first != 0);
}

static bc_lanes chips(const bc_group *g, int bets) {
    bc_lanes sum;
    for (int l = 0; l < BC_STREET_LANES; l++) sum.lane[l] = g->paid.lane[l] + bets * g->s->bet;
    return sum;
}

static const lanes *wide(const bc_lanes *rows) {
    return (const lanes *)rows;
}

static bool any_positive(const lanes *numbers) {
    double each[BC_STREET_LANES];
    memcpy(each, numbers, sizeof each);
    bool any = false;
    for (int l = 0; l < BC_STREET_LANES; l++) any |= each[l] > 0;
    return any;
}

/* The opponent's probabilities of fold, call and raise, by class. */
static const lanes *policies(const bc_group *g, decision at) {
    return (const lanes *)g->policy + (size_t)(number_of(at) / 2) * (size_t)g->s->cells * 3;
}

/* The reach after an action of the opponent; returns whether any is positive. */
static bool act(const bc_group *g, decision at, int action, const bc_lanes *reach, bc_lanes *after) {
    const bc_street *s = g->s;
    const lanes *from = wide(reach), *shares = policies(g, at) + action;
    lanes *restrict to = (lanes *)after, sum = {{{0}}};
    for (int i = 0; i < s->n; i++) {
        const lanes *share = shares + (size_t)s->cell[i] * 3;
        EACH to[i].part[l] = from[i].part[l] * share->part[l];
        EACH sum.part[l] += to[i].part[l];
    }
    return any_positive(&sum);
}

/* Sums of a number of each holding: of all, and of those with each card. Loops copy `all`: in memory it would
   be stored and loaded for each holding, one after another. */
typedef struct {
    _Alignas(64) lanes all, with[BC_DECK];
} sums;

static void include(lanes *all, lanes *with, const uint8_t *cards, lanes number) {
    lanes *a = with + cards[0], *b = with + cards[1];
    EACH a->part[l] += number.part[l];
    EACH b->part[l] += number.part[l];
    EACH all->part[l] += number.part[l];
}

/* The sum over the holdings with neither card, less the number of the holding of both. */
static lanes without(lanes all, const lanes *with, const uint8_t *cards) {
    const lanes *a = with + cards[0], *b = with + cards[1];
    lanes rest;
    EACH rest.part[l] = all.part[l] - a->part[l] - b->part[l];
    return rest;
}

/* Add the chips times the reach of the compatible holdings. */
static void add_uncontested(const bc_street *s, const bc_lanes *reach, bc_lanes won, bc_lanes *value) {
    const lanes *from = wide(reach), *chips_won = wide(&won);
    lanes *restrict to = (lanes *)value;
    lanes all = {{{0}}}, with[BC_DECK];
    memset(with, 0, sizeof with);
    for (int i = 0; i < s->n; i++) include(&all, with, s->cards + 2 * i, from[i]);
    for (int i = 0; i < s->n; i++) {
        const lanes rest = without(all, with, s->cards + 2 * i);
        EACH to[i].part[l] += chips_won->part[l] * (rest.part[l] + from[i].part[l]);
    }
}

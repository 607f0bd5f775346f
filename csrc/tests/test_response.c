/* One street of a small deck against its definition: every pair of holdings, every sequence of actions. */
#include "baycarp/response.h"

#include "baycarp/rng.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { CARDS = 9, ALL = CARDS * (CARDS - 1) / 2, CELLS = 5, GROUPS = 2, STREET = GROUPS * BC_STREET_ENDS };

static bc_rng rng;
static uint8_t cards[ALL][2];
static uint16_t holding[ALL], rank[ALL], cell[ALL], image[2][ALL];
static double policy[GROUPS][BC_STREET_ANSWERS][CELLS][3][BC_STREET_LANES];
static bc_lanes paid[GROUPS], scratch[BC_STREET_SCRATCH * ALL];
static bc_lanes reach[GROUPS * ALL], ends[STREET * ALL], reached[STREET * ALL], value[GROUPS * ALL];

/* The walk by definition, of one lane of one group: the value of holding i, and the reach of the ends. */
typedef struct {
    const bc_street *s;
    int group, lane, i;
    double found[STREET][ALL];
} naive;

static bool meet(int i, int j) {
    return cards[i][0] != cards[j][0] && cards[i][0] != cards[j][1] && cards[i][1] != cards[j][0] &&
           cards[i][1] != cards[j][1];
}

static double walk(naive *w, int number, const double *from) {
    const bc_street *s = w->s;
    const int bets = number % 5, end = w->group * BC_STREET_ENDS + number - 1;
    const bool responds = (number % 2 == 0) == (s->first != 0);
    const double chips = s->paid[w->group].lane[w->lane] + bets * s->bet;
    double by_action[3] = {0, 0, 0}, sum = 0;
    for (int action = 0; action < 3; action++) {
        double after[ALL];
        if (action == 0 && !bets) continue;
        if (action == 2 && bets == s->most) continue;
        for (int j = 0; j < s->n; j++)
            after[j] = from[j] * (responds ? 1 : policy[w->group][number / 2][s->cell[j]][action][w->lane]);
        if (action == 2)
            by_action[action] = walk(w, number + 1, after);
        else if (action == 1 && !number)
            by_action[action] = walk(w, 5, after);
        else if (action == 1 && !s->rank)
            by_action[action] = ends[end * ALL + s->holding[w->i]].lane[w->lane];
        else
            for (int j = 0; j < s->n; j++) {
                const double won = action == 0 ? (responds ? -(chips - s->bet) : chips - s->bet)
                                               : ((rank[w->i] > rank[j]) - (rank[w->i] < rank[j])) * chips;
                by_action[action] += meet(w->i, j) ? won * after[j] : 0;
            }
        if (action == 1 && number) memcpy(w->found[end], after, sizeof after);
        sum += by_action[action];
    }
    if (!responds) return sum;
    double best = by_action[1];
    if (bets) best = fmax(best, by_action[0]);
    if (bets < s->most) best = fmax(best, by_action[2]);
    return best;
}

static void fill(bool zeros) {
    memset(policy, 0, sizeof policy);
    double *p = &policy[0][0][0][0][0];
    for (size_t k = 0; k < sizeof policy / sizeof *p; k++)
        p[k] = zeros && bc_rng_below(&rng, 3) ? 0 : bc_rng_unit(&rng);
    for (int k = 0; k < GROUPS * ALL; k++) {
        const bool never = zeros && bc_rng_below(&rng, 2); /* held */
        for (int l = 0; l < BC_STREET_LANES; l++) reach[k].lane[l] = never ? 0 : bc_rng_unit(&rng);
    }
    for (int k = 0; k < STREET * ALL; k++)
        for (int l = 0; l < BC_STREET_LANES; l++) ends[k].lane[l] = bc_rng_unit(&rng) - 0.5;
    for (int k = 0; k < GROUPS; k++)
        for (int l = 0; l < BC_STREET_LANES; l++) paid[k].lane[l] = 1 + bc_rng_below(&rng, 4);
}

/* A board that blocks the holdings with card 0; the others in ascending order of rank, with ties. */
static bc_street deal(bool last, int most, int first) {
    bc_street s = {.holdings = ALL, .groups = GROUPS, .bet = 2, .most = most, .first = first, .images = 2};
    for (int hi = 1, row = 0; hi < CARDS; hi++)
        for (int lo = 0; lo < hi; lo++, row++) {
            if (!lo) continue;
            cards[s.n][0] = (uint8_t)hi, cards[s.n][1] = (uint8_t)lo;
            holding[s.n] = (uint16_t)row;
            rank[s.n] = (uint16_t)(s.n / 3);
            cell[s.n] = (uint16_t)bc_rng_below(&rng, CELLS);
            s.n++;
        }
    for (int i = s.n - 1; i > 0; i--) { /* cards in random order of rank */
        const int j = (int)bc_rng_below(&rng, (uint32_t)i + 1);
        const uint16_t row = holding[i];
        uint8_t own[2];
        memcpy(own, cards[i], 2), memcpy(cards[i], cards[j], 2), memcpy(cards[j], own, 2);
        holding[i] = holding[j], holding[j] = row;
    }
    uint16_t *second = &image[0][0] + s.n;
    for (int i = 0; i < s.n; i++) image[0][i] = holding[i];
    for (int i = 0; i < s.n; i++) second[i] = holding[s.n - 1 - i];
    s.holding = holding, s.cards = &cards[0][0], s.rank = last ? rank : NULL, s.cell = cell, s.cells = CELLS;
    s.policy = &policy[0][0][0][0][0], s.paid = paid, s.image = &image[0][0], s.scratch = scratch;
    return s;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-11 * (1 + fabs(b));
}

static void check(const bc_street *s) {
    static naive w;
    for (int g = 0; g < GROUPS; g++)
        for (int l = 0; l < BC_STREET_LANES; l++) {
            double from[ALL], expected[ALL], sum[ALL] = {0};
            for (int j = 0; j < s->n; j++) from[j] = reach[g * ALL + s->holding[j]].lane[l];
            for (int i = 0; i < s->n; i++) {
                w = (naive){.s = s, .group = g, .lane = l, .i = i};
                expected[i] = walk(&w, 0, from);
            }
            for (int e = 0; e < BC_STREET_ENDS; e++)
                for (int j = 0; j < s->n; j++) {
                    const int end = g * BC_STREET_ENDS + e;
                    assert(near(reached[end * ALL + s->holding[j]].lane[l], w.found[end][j]));
                }
            for (int k = 0; k < 2 * s->n; k++) sum[s->image[k]] += expected[k % s->n];
            for (int row = 0; row < ALL; row++) assert(near(value[g * ALL + row].lane[l], sum[row]));
        }
}

/* Unreached branches are skipped: ends of the walk by definition then have values without reach. */
static void clear_unreached(const bc_street *s) {
    for (int e = 0; e < STREET; e++)
        for (int l = 0; l < BC_STREET_LANES; l++) {
            double sum = 0;
            for (int j = 0; j < s->n; j++) sum += reached[e * ALL + s->holding[j]].lane[l];
            for (int j = 0; !(sum > 0) && j < ALL; j++) ends[e * ALL + j].lane[l] = 0;
        }
}

static int stops;

static int stop(void) {
    return ++stops > 1;
}

int main(void) {
    bc_lanes first_level[GROUPS * ALL];
    bc_rng_seed(&rng, 4);
    for (int run = 0; run < 32; run++) {
        bc_street s = deal(run & 1, 1 + run / 8, run / 2 & 1);
        fill(run & 4);
        for (enum bc_simd level = BC_BASE; level <= bc_simd_best(); level++) {
            memset(value, 0, sizeof value);
            bc_street_reach(level, &s, reach, reached);
            clear_unreached(&s);
            bc_street_value(level, &s, 1, reach, s.rank ? NULL : ends, value);
            check(&s);
            if (level == BC_BASE) memcpy(first_level, value, sizeof value);
            assert(memcmp(first_level, value, sizeof value) == 0);
            const bc_street two[2] = {s, s}; /* boards are added */
            bc_street_value(level, two, 2, reach, s.rank ? NULL : ends, value);
            for (int row = 0; row < GROUPS * ALL; row++)
                for (int l = 0; l < BC_STREET_LANES; l++)
                    assert(near(value[row].lane[l], 3 * first_level[row].lane[l]));
        }
        s.stop = stop, stops = 0;
        bc_street_value(BC_BASE, &s, 1, reach, s.rank ? NULL : ends, value);
        assert(stops == 2);
    }
    return 0;
}

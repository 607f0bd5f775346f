#include "baycarp/mccfr.h"

#include <assert.h>

#include "baycarp/rng.h"

typedef struct {
    const bc_mccfr_run *run;
    const bc_dealt *deal;
    int hero;
    float weight;
    bc_rng rng;
} walk;

/* The strategy of a row of cells. */
static void match(const float *cells, int actions, float *strategy) {
    float total = 0;
    for (int a = 0; a < actions; a++) total += strategy[a] = cells[a] > 0 ? cells[a] : 0;
    for (int a = 0; a < actions; a++) strategy[a] = total > 0 ? strategy[a] / total : 1.0f / (float)actions;
}

static int drawn(const float *strategy, int actions, bc_rng *rng) {
    double left = bc_rng_unit(rng);
    int last = 0;
    for (int a = 0; a < actions; a++) {
        if (strategy[a] <= 0) continue;
        last = a;
        left -= (double)strategy[a];
        if (left < 0) break;
    }
    return last;
}

static size_t first_cell(const bc_mccfr_game *game, const bc_dealt *deal, int node, int actions) {
    const int bucket = deal->bucket[game->actor[node]][game->street[node]];
    return (size_t)game->cell[node] + (size_t)bucket * (size_t)actions;
}

/* What player 0 wins at an end. */
static float payoff(const bc_mccfr_game *game, const bc_dealt *deal, int end) {
    const int folded = game->folded[end];
    return game->chips[end] * (float)(folded < 0 ? deal->won : folded ? 1 : -1);
}

static float visit(walk *w, int node);

/* What the hero wins after an edge. */
static float follow(walk *w, int edge) {
    const int child = w->run->game->child[edge];
    if (child >= 0) return visit(w, child);
    const float won = payoff(w->run->game, w->deal, -1 - child);
    return w->hero ? -won : won;
}

static float visit(walk *w, int node) {
    const bc_mccfr_game *game = w->run->game;
    const int edge = game->edge[node], actions = game->edge[node + 1] - edge;
    const size_t cell = first_cell(game, w->deal, node, actions);
    float strategy[BC_MCCFR_ACTIONS], value[BC_MCCFR_ACTIONS], mean = 0;
    if (game->actor[node] != w->hero) {
        match(w->run->play + cell, actions, strategy);
        if (w->run->average)
            for (int a = 0; a < actions; a++) w->run->average[cell + (size_t)a] += w->weight * strategy[a];
        return follow(w, edge + drawn(strategy, actions, &w->rng));
    }
    float *regret = w->run->regret + cell;
    match(regret, actions, strategy);
    for (int a = 0; a < actions; a++) {
        value[a] = follow(w, edge + a);
        mean += strategy[a] * value[a];
    }
    for (int a = 0; a < actions; a++) regret[a] += w->weight * (value[a] - mean);
    return mean;
}

int64_t bc_mccfr_learn(const bc_mccfr_run *run, int64_t first, int64_t n, const bc_dealt *deals,
                       bc_stop stop) {
    for (int64_t i = 0; i < n; i++) {
        if (i % 32 == 31 && bc_stopped(stop)) return i;
        walk w = {.run = run, .deal = deals + i, .weight = (float)(1 + (first + i) / run->step)};
        bc_rng_seed_numbered(&w.rng, ~run->seed, (uint64_t)(first + i));
        for (w.hero = 0; w.hero < 2; w.hero++)
            if (run->learns[w.hero]) visit(&w, 0);
    }
    return n;
}

static double value_of(const bc_mccfr_game *game, const float *const strategy[2], const bc_dealt *deal,
                       int node) {
    const int edge = game->edge[node], actions = game->edge[node + 1] - edge;
    float shares[BC_MCCFR_ACTIONS];
    double value = 0;
    match(strategy[game->actor[node]] + first_cell(game, deal, node, actions), actions, shares);
    for (int a = 0; a < actions; a++) {
        if (shares[a] <= 0) continue;
        const int child = game->child[edge + a];
        const double won =
            child < 0 ? (double)payoff(game, deal, -1 - child) : value_of(game, strategy, deal, child);
        value += (double)shares[a] * won;
    }
    return value;
}

int64_t bc_mccfr_values(const bc_mccfr_game *game, const float *const strategy[2], int64_t n,
                        const bc_dealt *deals, double *value, bc_stop stop) {
    for (int64_t i = 0; i < n; i++) {
        if (i % 8 == 7 && bc_stopped(stop)) return i;
        value[i] = value_of(game, strategy, deals + i, 0);
    }
    return n;
}

/* The source of every form of bc_cfr_visit: loops over lanes, which compilers vectorise. No sum runs across
   lanes and every sum has one order, so all forms give the same bits. */
#include "cfr.h"

#include <string.h>

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed between inlined functions only */

/* One float a lane; in memory as aligned as a float. */
typedef float lanes __attribute__((vector_size(BC_CFR_LANES * sizeof(float)), aligned(sizeof(float))));
typedef int32_t flags __attribute__((vector_size(BC_CFR_LANES * sizeof(int32_t))));
typedef int8_t choice __attribute__((vector_size(BC_CFR_LANES), aligned(1))); /* an action a lane */

/* The opponent's holdings: the probability of each with its sums, made when first needed. */
typedef struct {
    const lanes *of;
    int summed;
    lanes total, card[BC_DECK];
} range;

typedef struct {
    const bc_cfr_walk *w;
    lanes *free; /* of the scratch memory */
    lanes *leaf; /* the values of the leaves of the street's only block, if it has one */
    lanes *collected;
} visit;

static lanes *take(visit *v, int vectors) {
    lanes *taken = v->free;
    v->free += (size_t)vectors * (size_t)v->w->deal->count;
    return taken;
}

static void sum_range(const bc_deal *deal, range *r) {
    if (r->summed) return;
    r->summed = 1;
    memset(&r->total, 0, sizeof r->total);
    memset(r->card, 0, sizeof r->card);
    for (int i = 0; i < deal->count; i++) {
        const lanes of = r->of[i];
        lanes *a = &r->card[deal->card[i][0]], *b = &r->card[deal->card[i][1]];
        *a += of;
        *b += of;
    }
    for (int card = 0; card < BC_DECK; card++) r->total += r->card[card];
    r->total *= 0.5f; /* each holding has two cards */
}

/* Add what every holding wins when its opponent folds; negative amounts when it folds itself. */
static void fold(const bc_deal *deal, range *r, const lanes *amount, lanes *restrict out) {
    sum_range(deal, r);
    for (int i = 0; i < deal->count; i++) {
        const lanes *a = &r->card[deal->card[i][0]], *b = &r->card[deal->card[i][1]], *own = &r->of[i];
        lanes *to = &out[i];
        *to += *amount * (((r->total - *a) - *b) + *own);
    }
}

/* Add what every holding wins at showdown: the weight below it minus the weight above it. The sums start at
   minus half their totals, so that a sum before and after a group of equals add up to that difference. */
static void showdown(const bc_deal *deal, range *r, const lanes *amount, lanes *restrict out) {
    lanes below, card[BC_DECK];
    sum_range(deal, r);
    below = -0.5f * r->total;
    for (int c = 0; c < BC_DECK; c++) card[c] = -0.5f * r->card[c];
    for (int i = 0; i < deal->count;) {
        const int end = deal->tied[i];
        for (int k = i; k < end; k++) {
            const lanes *a = &card[deal->card[k][0]], *b = &card[deal->card[k][1]];
            lanes *to = &out[k];
            *to += *amount * ((below - *a) - *b);
        }
        for (int k = i; k < end; k++) {
            lanes *a = &card[deal->card[k][0]], *b = &card[deal->card[k][1]];
            const lanes of = r->of[k];
            below += of;
            *a += of;
            *b += of;
        }
        for (int k = i; k < end; k++) {
            const lanes *a = &card[deal->card[k][0]], *b = &card[deal->card[k][1]];
            lanes *to = &out[k];
            *to += *amount * ((below - *a) - *b);
        }
        i = end;
    }
}

typedef struct {
    int street, block;
    const bc_betting *betting;
    size_t first; /* the block's first cell */
} place;

static place place_of(const visit *v, int street, int block) {
    const bc_betting *betting = &v->w->game->street[street];
    return (place){street, block, betting, betting->first + (size_t)block * betting->block};
}

/* The choices of a node, of a walk that has any there; otherwise NULL. */
static choice *choices_of(const visit *v, const place *at, int node, enum bc_cfr_last last) {
    if (v->w->last != last || at->street != v->w->game->streets - 1) return NULL;
    const size_t number = (size_t)at->block * (size_t)at->betting->nodes + (size_t)node;
    return (choice *)v->w->choices + number * (size_t)v->w->deal->count;
}

static void amount_of(const place *at, float since, float sign, lanes *amount) {
    for (int l = 0; l < BC_CFR_LANES; l++)
        (*amount)[l] = sign * (at->betting->entry[at->block * BC_CFR_LANES + l] + since);
}

static void walk_node(visit *v, const place *at, int node, range *r, lanes *restrict out);
static void walk_street(visit *v, int street, int block, range *r, lanes *restrict out);

/* Add the value of an action's result. */
static void follow(visit *v, const place *at, int node, int action, range *r, lanes *restrict out) {
    const int child = at->betting->child[node][action];
    const bc_deal *deal = v->w->deal;
    if (child >= 0) {
        walk_node(v, at, child, r, out);
    } else if (child == BC_CFR_FOLD) {
        const float sign = at->betting->actor[node] == v->w->hero ? -1 : 1;
        lanes amount;
        amount_of(at, at->betting->folded[node], sign, &amount);
        if (!v->collected) fold(deal, r, &amount, out);
    } else {
        const int leaf = BC_CFR_LEAF - child;
        const size_t from = (size_t)leaf * (size_t)deal->count;
        if (v->collected)
            memcpy(v->collected + from, r->of, (size_t)deal->count * sizeof(lanes));
        else if (at->street == v->w->game->streets - 1) {
            lanes amount;
            amount_of(at, at->betting->matched[leaf], 1, &amount);
            showdown(deal, r, &amount, out);
        } else if (at->betting->blocks == 1)
            for (int i = 0; i < deal->count; i++) out[i] += v->leaf[from + (size_t)i];
        else
            walk_street(v, at->street + 1, at->block * at->betting->leaves + leaf, r, out);
    }
}

/* The other player acts: its probabilities pass into the range. */
static void walk_other(visit *v, const place *at, int node, range *r, lanes *restrict out) {
    const bc_deal *deal = v->w->deal;
    const int actor = at->betting->actor[node];
    const uint16_t *bucket = deal->bucket[actor][at->street];
    const size_t cells = at->first + at->betting->node[node];
    const size_t plane = (size_t)at->betting->buckets[actor] * BC_CFR_LANES;
    const choice *chosen = choices_of(v, at, node, BC_CFR_REPLAY);
    lanes *const before = v->free, *const reach = take(v, 1);
    for (int action = 0; action < BC_ACTIONS; action++) {
        if (at->betting->child[node][action] == BC_CFR_ILLEGAL) continue;
        const size_t from = cells + (size_t)action * plane;
        const lanes *strategy = (const lanes *)(v->w->strategy + from);
        if (chosen)
            for (int i = 0; i < deal->count; i++) {
                const flags taken = __builtin_convertvector(chosen[i] == (int8_t)action, flags);
                reach[i] = (lanes)((flags)r->of[i] & taken);
            }
        else
            for (int i = 0; i < deal->count; i++) reach[i] = r->of[i] * strategy[bucket[i]];
        if (v->w->average && !v->collected && !chosen) {
            lanes *average = (lanes *)(v->w->average + from);
            for (int i = 0; i < deal->count; i++) average[bucket[i]] += reach[i];
        }
        range then;
        then.of = reach;
        then.summed = 0;
        follow(v, at, node, action, &then, out);
    }
    v->free = before;
}

/* The largest of the legal actions' values becomes the hero's value; the first of equals is recorded. */
static void respond(const bc_betting *betting, int node, size_t count, const lanes *worth, choice *chosen,
                    lanes *restrict out) {
    for (size_t i = 0; i < count; i++) {
        lanes most = {0};
        choice best = {0};
        int some = 0;
        for (int action = 0; action < BC_ACTIONS; action++) {
            if (betting->child[node][action] == BC_CFR_ILLEGAL) continue;
            const lanes now = worth[(size_t)action * count + i];
            const flags more = some++ ? now > most : now == now;
            most = (lanes)(((flags)now & more) | ((flags)most & ~more));
            const choice larger = __builtin_convertvector(more, choice);
            best = (((choice){0} + (int8_t)action) & larger) | (best & ~larger);
        }
        out[i] += most;
        chosen[i] = best;
    }
}

/* The values of the hero's actions by its strategy become its value and its regrets. */
static void mix(visit *v, const place *at, int node, const lanes *worth, lanes *restrict out) {
    const bc_deal *deal = v->w->deal;
    const int actor = at->betting->actor[node];
    const uint16_t *bucket = deal->bucket[actor][at->street];
    const size_t cells = at->first + at->betting->node[node], plane = (size_t)at->betting->buckets[actor];
    const size_t count = (size_t)deal->count;
    const lanes *strategy = (const lanes *)(v->w->strategy + cells);
    lanes *regret = v->w->regret ? (lanes *)(v->w->regret + cells) : NULL;
    for (size_t i = 0; i < count; i++) {
        const lanes *s = strategy + bucket[i];
        const lanes a = worth[i], b = worth[count + i], c = worth[2 * count + i];
        lanes mean;
        mean = s[0] * a + s[plane] * b + s[2 * plane] * c;
        out[i] += mean;
        if (!regret) continue;
        lanes *g = regret + bucket[i];
        g[0] += a - mean;
        g[plane] += b - mean;
        g[2 * plane] += c - mean;
    }
}

/* The hero acts. */
static void walk_hero(visit *v, const place *at, int node, range *r, lanes *restrict out) {
    const size_t count = (size_t)v->w->deal->count;
    lanes *const before = v->free, *const worth = take(v, BC_ACTIONS);
    for (int action = 0; action < BC_ACTIONS; action++) {
        const int legal = at->betting->child[node][action] != BC_CFR_ILLEGAL;
        lanes *of = worth + (size_t)action * count;
        memset(of, 0, count * sizeof *of);
        if (legal) follow(v, at, node, action, r, of);
    }
    choice *chosen = choices_of(v, at, node, BC_CFR_RECORD);
    if (chosen)
        respond(at->betting, node, count, worth, chosen, out);
    else if (!v->collected)
        mix(v, at, node, worth, out);
    v->free = before;
}

static void walk_node(visit *v, const place *at, int node, range *r, lanes *restrict out) {
    if (at->betting->actor[node] == v->w->hero)
        walk_hero(v, at, node, r, out);
    else
        walk_other(v, at, node, r, out);
}

/* The leaves of a street's only block: walk the streets below them, their entries dealt to full blocks. */
static void walk_leaves(visit *v, const place *at, range *r, lanes *leaf) {
    const size_t count = (size_t)v->w->deal->count;
    const int leaves = at->betting->leaves, entries = at->betting->lanes * leaves;
    const int blocks = at->betting[1].blocks;
    lanes *const reach = take(v, leaves), *const in = take(v, 1), *const out = take(v, 1);
    v->collected = reach;
    walk_node(v, at, 0, r, NULL);
    v->collected = NULL;
    for (int block = 0; block < blocks; block++) {
        memset(in, 0, count * sizeof *in);
        memset(out, 0, count * sizeof *out);
        for (int l = 0; l < BC_CFR_LANES && block * BC_CFR_LANES + l < entries; l++) {
            const int entry = block * BC_CFR_LANES + l;
            const lanes *from = reach + (size_t)(entry % leaves) * count;
            for (size_t i = 0; i < count; i++) in[i][l] = from[i][entry / leaves];
        }
        range then;
        then.of = in;
        then.summed = 0;
        walk_street(v, at->street + 1, block, &then, out);
        for (int l = 0; l < BC_CFR_LANES && block * BC_CFR_LANES + l < entries; l++) {
            const int entry = block * BC_CFR_LANES + l;
            lanes *to = leaf + (size_t)(entry % leaves) * count;
            for (size_t i = 0; i < count; i++) to[i][entry / leaves] = out[i][l];
        }
    }
}

static void walk_street(visit *v, int street, int block, range *r, lanes *restrict out) {
    const place at = place_of(v, street, block);
    lanes *const before = v->free, *const outer = v->leaf;
    if (at.betting->blocks == 1 && street < v->w->game->streets - 1) {
        lanes *leaf = take(v, at.betting->leaves);
        memset(leaf, 0, (size_t)at.betting->leaves * (size_t)v->w->deal->count * sizeof *leaf);
        walk_leaves(v, &at, r, leaf);
        v->leaf = leaf;
    }
    walk_node(v, &at, 0, r, out);
    v->leaf = outer;
    v->free = before;
}

void FORM(const bc_cfr_walk *walk, float *value) {
    visit v = {walk, (lanes *)walk->scratch, NULL, NULL};
    const bc_deal *deal = walk->deal;
    const size_t bytes = (size_t)deal->count * sizeof(lanes);
    lanes *const reach = take(&v, 1), *const out = take(&v, 1);
    memset(reach, 0, bytes);
    memset(out, 0, bytes);
    for (int i = 0; i < deal->count; i++) reach[i][0] = walk->share;
    range all;
    all.of = reach;
    all.summed = 0;
    walk_street(&v, 0, 0, &all, out);
    memset(value, 0, BC_HOLDINGS * sizeof *value);
    for (int i = 0; i < deal->count; i++) value[deal->holding[i]] = out[i][0];
}

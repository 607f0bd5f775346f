#include "baycarp/lookahead.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "search_walk.h"

enum {
    LONGEST = 64,  /* of hero's later decisions in a hand */
    LEAST = 2,     /* results of each move before the best is chosen */
    LEVELS = 5,    /* cells of a decision, from the coarsest on */
    CHANCES = 16,  /* classes of the chance to beat all opponents; the coarsest are a quarter as many */
    WORTH = 40,    /* results that the mean of a coarser cell counts for */
    RECENT = 1000, /* results that a mean forgets */
    FIRST = 64,    /* playouts of the first part */
    LESSONS = 1000 /* of a playout */
};

/* One decision of hero below the root. */
typedef struct {
    int64_t cell[LEVELS]; /* -1 = none */
    int move;
    bool tried;  /* at random */
    double best; /* the value of the best move by what was learned, in pots; NaN = not learned yet */
    double pot, paid;
} own_decision;

typedef struct {
    int64_t cell;
    int move;
    double won;
} lesson;

/* What all moves of a playout share. It learns at its end: nothing that one of its hands taught chooses in
   another one with the same cards. */
typedef struct {
    bc_walk walk;
    uint64_t luck;
    bool tries; /* half of hero's later moves are random */
    int count;  /* of lessons */
    lesson lessons[LESSONS];
} playout;

/* Learning. */

static uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int64_t cell_of(bc_look *l, uint64_t key) {
    const int64_t mask = l->capacity - 1;
    int64_t at = (int64_t)(mixed(key) & (uint64_t)mask);
    while (l->cells[at].key && l->cells[at].key != key) at = (at + 1) & mask;
    if (l->cells[at].key) return at;
    if (2 * l->used >= l->capacity) return -1;
    l->used++;
    l->cells[at].key = key;
    return at;
}

void bc_look_start(bc_look *l, uint64_t seed) {
    bc_search *s = l->search;
    assert(s->state.to_act >= 0 && s->featured && s->size_count <= BC_SEARCH_SIZES);
    assert(l->capacity >= 2 && !(l->capacity & (l->capacity - 1)));
    bc_search_begin(s, seed);
    memset(l->cells, 0, (size_t)l->capacity * sizeof *l->cells);
    memset(l->parts, 0, sizeof l->parts);
    l->used = l->playouts = 0, l->next = FIRST;
    assert(2 * l->known_count <= l->capacity);
    for (int64_t i = 0; i < l->known_count; i++) {
        assert(l->known[i].key && l->known[i].key < BC_LOOK_COARSE);
        l->cells[cell_of(l, l->known[i].key)] = l->known[i];
    }
}

static int count_bits(unsigned bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

static int doublings(double ratio) {
    int n = 0;
    for (; ratio >= 2 && n < 15; ratio /= 2) n++;
    return n;
}

/* The class of the chance that a strength beats as many random holdings. */
static unsigned chance_class(double strength, int opponents) {
    double chance = strength;
    for (int i = 1; i < opponents; i++) chance *= strength;
    return (unsigned)(CHANCES * chance);
}

/* From the coarsest on: chance to win and price, coarsely and finely; own bucket, opponents, place and last
   raiser; the size of the pot; the raises of earlier streets. */
static void find_cells(bc_look *l, bc_walk *w, int count, own_decision *made) {
    const bc_search *s = l->search;
    const bc_state *state = &w->state;
    const double pot = (double)bc_state_pot(&s->variant, state);
    const double owed = (double)(state->level - state->bet[s->hero]);
    const unsigned others = state->in & ~(1u << s->hero);
    const int opponents = count_bits(others), street = state->street;
    const int raised = street ? w->past.aggressor[street - 1] : -1;
    const unsigned bucket = (unsigned)bc_walk_bucket(s, w, s->hero);
    uint64_t key = 1; /* no key is 0 */
    key = key << 2 | (unsigned)street;
    key = key << 4 | (unsigned)count;
    key = key << 3 | (unsigned)(owed > 0 ? 1 + doublings(8 * owed / pot) : 0);
    const unsigned chance = chance_class(l->strength[street][bucket], opponents);
    made->cell[0] = cell_of(l, key << 6 | 1 << 5 | chance / 4);
    made->cell[1] = cell_of(l, key << 6 | chance);
    key = key << 8 | bucket;
    key = key << 3 | (unsigned)(state->raises < 7 ? state->raises : 7);
    key = key << 3 | (unsigned)(opponents < 5 ? opponents : 5);
    key = key << 1 | !(others & ~state->acted);
    key = key << 2 | (unsigned)(raised < 0 ? 0 : raised == s->hero ? 2 : 1);
    key <<= 4;
    made->cell[2] = cell_of(l, key);
    key |= 1 + (unsigned)doublings(pot / (double)s->variant.big_blind);
    made->cell[3] = cell_of(l, key);
    for (int i = 0; i < BC_STREETS - 1; i++) {
        const unsigned raises = w->past.aggressive[i], own = w->past.aggressor[i] == s->hero;
        key = key << 3 | (i < street ? (raises < 3 ? raises : 3) << 1 | own : 0);
    }
    made->cell[4] = cell_of(l, key << 1 | 1);
    made->pot = pot;
    made->paid = (double)state->paid[s->hero];
}

/* The move with the best mean; -1 while one of them was not tried often enough. */
static int best_of(const bc_look *l, own_decision *made, const bc_move *moves, int count) {
    made->best = NAN;
    if (made->cell[0] < 0) return -1;
    double best = -INFINITY;
    int chosen = -1;
    for (int i = 0; i < count; i++) {
        double value = 0;
        for (int level = 0; level < LEVELS && moves[i].kind != BC_FOLD; level++) {
            if (made->cell[level] < 0) break;
            const bc_look_cell *cell = &l->cells[made->cell[level]];
            if (level == 0 && cell->visits[i] < LEAST) return -1;
            const double n = cell->visits[i] < RECENT ? cell->visits[i] : RECENT, worth = level ? WORTH : 0;
            value = (worth * value + n * (double)cell->mean[i]) / (worth + n);
        }
        if (value > best) best = value, chosen = i;
    }
    made->best = best;
    return chosen;
}

static void note(playout *p, int64_t cell, int move, double won) {
    if (cell >= 0 && p->count < LESSONS) p->lessons[p->count++] = (lesson){cell, move, won};
}

static void learn(bc_look *l, const playout *p) {
    for (int i = 0; i < p->count; i++) {
        const lesson *each = &p->lessons[i];
        bc_look_cell *cell = &l->cells[each->cell];
        const uint32_t n = ++cell->visits[each->move];
        float *mean = &cell->mean[each->move];
        *mean += (float)((each->won - (double)*mean) / (n < RECENT ? n : RECENT));
    }
}

/* One hand, once for a move. */

/* The same part of the probabilities wherever the position acts for the n-th time on the street. */
static double luck_of(const playout *p, int street, int seat, int n) {
    const uint64_t place = (uint64_t)((street * BC_SEATS + seat) * LONGEST + n + 1);
    return (double)(mixed(p->luck + place * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

/* Hero's move below the root. */
static int own_move(bc_look *l, playout *p, const bc_move *moves, int count, own_decision *made,
                    double unit) {
    find_cells(l, &p->walk, count, made);
    const int best = best_of(l, made, moves, count), first = moves[0].kind == BC_FOLD;
    made->tried = p->tries && unit < 0.5;
    if (made->tried) return first + (int)(2 * unit * (count - first));
    if (best >= 0) return best;
    double chances[BC_SEARCH_MOVES];
    const double total = bc_walk_chances(l->search, &p->walk, moves, count, chances);
    return bc_walk_choice(chances, count, total, unit);
}

/* What the moves of a hand have won: after the next own decision, half by what was learned of it, and all
   where the move there was tried. */
static void teach(playout *p, const own_decision *made, int own, double result) {
    double won = 0;
    for (int i = own - 1; i >= 0; i--) {
        if (i == own - 1)
            won = result + made[i].paid;
        else {
            const own_decision *next = &made[i + 1];
            if (!isnan(next->best)) {
                const double known = next->best * next->pot;
                won = next->tried ? known : (known + won) / 2;
            }
            won -= next->paid - made[i].paid;
        }
        for (int level = 0; level < LEVELS; level++)
            note(p, made[i].cell[level], made[i].move, won / made[i].pot);
    }
}

/* Hero's result in the whole hand after a move at the root. */
static double play(bc_look *l, playout *p, bc_move first) {
    const bc_search *s = l->search;
    bc_walk *w = &p->walk;
    own_decision made[LONGEST];
    uint8_t acted[BC_STREETS][BC_SEATS] = {{0}};
    int own = 0;
    bc_walk_start(s, w);
    bc_walk_act(s, w, first);
    while (!bc_walk_over(s, w)) {
        bc_move moves[BC_SEARCH_MOVES];
        const int count = bc_search_moves(s, &w->state, moves);
        const int seat = w->state.to_act, street = w->state.street;
        const double unit = luck_of(p, street, seat, acted[street][seat]++);
        int move;
        if (seat == s->hero && own < LONGEST) {
            move = own_move(l, p, moves, count, &made[own], unit);
            made[own++].move = move;
        } else {
            double chances[BC_SEARCH_MOVES];
            const double total = bc_walk_chances(s, w, moves, count, chances);
            move = bc_walk_choice(chances, count, total, unit);
        }
        bc_walk_act(s, w, moves[move]);
    }
    const double result = bc_walk_settle(s, w);
    teach(p, made, own, result);
    return result;
}

/* Playouts. */

static void count_results(bc_look *l, const double *results) {
    bc_look_sums *sums = &l->parts[0];
    sums->count++;
    for (int i = 0; i < l->search->count; i++) {
        sums->sum[i] += results[i];
        for (int k = 0; k <= i; k++) sums->product[i][k] += results[i] * results[k];
    }
}

void bc_look_run(bc_look *l, int64_t playouts) {
    bc_search *s = l->search;
    const double paid = (double)s->state.paid[s->hero];
    const int first = s->moves[0].kind == BC_FOLD;
    playout p;
    for (int64_t n = 0; n < playouts; n++, l->playouts++) {
        if (l->playouts == l->next) {
            memmove(&l->parts[1], &l->parts[0], (BC_LOOK_HALVES - 1) * sizeof *l->parts);
            memset(&l->parts[0], 0, sizeof *l->parts);
            l->next *= 2;
        }
        double results[BC_SEARCH_MOVES] = {0};
        p.count = 0;
        bc_search_deal_draw(s, &p.walk.deal);
        p.luck = bc_rng_next(&s->rng);
        p.tries = false;
        for (int i = first; i < s->count; i++) results[i] = play(l, &p, s->moves[i]) + paid;
        p.luck = bc_rng_next(&s->rng);
        p.tries = true;
        play(l, &p, s->moves[first + (int)bc_rng_below(&s->rng, (uint32_t)(s->count - first))]);
        learn(l, &p);
        count_results(l, results);
    }
    s->iterations = l->playouts;
}

/* The results. */

static bc_look_sums all_parts(const bc_look *l) {
    bc_look_sums all = {0};
    for (int part = 0; part < BC_LOOK_HALVES; part++) {
        all.count += l->parts[part].count;
        for (int i = 0; i < BC_SEARCH_MOVES; i++) {
            all.sum[i] += l->parts[part].sum[i];
            for (int k = 0; k <= i; k++) all.product[i][k] += l->parts[part].product[i][k];
        }
    }
    return all;
}

static double covariance(const bc_look_sums *all, int i, int k) {
    const double n = (double)all->count;
    return (all->product[i > k ? i : k][i > k ? k : i] - all->sum[i] * all->sum[k] / n) / (n - 1);
}

static double error_of(const bc_look_sums *all, double variance) {
    return sqrt((variance > 0 ? variance : 0) / (double)all->count);
}

int bc_look_values(const bc_look *l, bc_look_value *values) {
    const bc_search *s = l->search;
    const bc_look_sums all = all_parts(l);
    for (int i = 0; i < s->count; i++) {
        values[i] = (bc_look_value){s->moves[i], NAN, INFINITY};
        if (s->moves[i].kind == BC_FOLD) {
            values[i].value = values[i].error = 0;
            continue;
        }
        if (all.count > 0) values[i].value = all.sum[i] / (double)all.count;
        if (all.count > 1) values[i].error = error_of(&all, covariance(&all, i, i));
    }
    return s->count;
}

double bc_look_difference(const bc_look *l, int one, int other) {
    const bc_look_sums all = all_parts(l);
    if (all.count < 2) return INFINITY;
    const double variance =
        covariance(&all, one, one) + covariance(&all, other, other) - 2 * covariance(&all, one, other);
    return error_of(&all, variance);
}

int64_t bc_look_learned(const bc_look *l, bc_look_cell *cells) {
    int64_t count = 0;
    for (int64_t i = 0; i < l->capacity; i++) {
        if (!l->cells[i].key || l->cells[i].key >= BC_LOOK_COARSE) continue;
        if (cells) cells[count] = l->cells[i];
        count++;
    }
    return count;
}

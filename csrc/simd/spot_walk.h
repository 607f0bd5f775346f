/* The walk through a spot over numbers of one precision (included by spot_form.h).

   A street of a board is walked in three steps. Forward: the other player's decisions spread its reach over
   rows. Leaves: sixteen at a time, holdings in the order of their ranks, with sums over the holdings passed
   and over those of each card (inclusion and exclusion). Backward: the traverser's decisions collect values.
   The lines of a street are walked together, so that lanes are full. */
typedef REAL NAME(vec) __attribute__((vector_size(SPOT_REGISTER), aligned(SPOT_REGISTER))); /* of a row */
typedef REAL NAME(half) __attribute__((vector_size(8 * sizeof(REAL)), aligned(32)));
typedef WHOLE NAME(order) __attribute__((vector_size(8 * sizeof(REAL))));
typedef WHOLE NAME(flags) __attribute__((vector_size(SPOT_REGISTER)));
typedef float NAME(cells)
    __attribute__((vector_size(SPOT_REGISTER / sizeof(REAL) * sizeof(float)), aligned(sizeof(float))));
#define vec NAME(vec)
#define WIDE (SPOT_REGISTER / sizeof(REAL))
#define half NAME(half)
#define flags NAME(flags)
#define cells NAME(cells)
#define visit NAME(visit)

typedef struct {
    spot_walk *w;
    const bc_spot_solver *s;
    int own, other, later_street;
    REAL *reach[BC_SPOT_STREETS], *value[BC_SPOT_STREETS]; /* the rows of each street */
    double *later[BC_SPOT_STREETS];                        /* values of its exits, a row each */
    lanes *x, *y;                                          /* of leaves: the other's reach, our values */
    REAL *zero;
    float *spare; /* cells of one decision, unpacked */
} visit;

static inline size_t NAME(stride)(const visit *v, int street, int player) {
    return (size_t)(v->s->street[street].most[player] + SPOT_LANES);
}

static inline REAL *NAME(reach_row)(const visit *v, int street, int row) {
    return v->reach[street] + (size_t)row * NAME(stride)(v, street, v->other);
}

static inline REAL *NAME(value_row)(const visit *v, int street, int row) {
    return v->value[street] + (size_t)row * NAME(stride)(v, street, v->own);
}

static visit NAME(start)(spot_walk *w) {
    visit v = {.w = w, .s = w->solver, .own = w->traverser, .other = 1 - w->traverser};
    REAL *free = (REAL *)w->top;
    for (int i = 0; i < v.s->streets; i++) {
        const spot_street *street = &v.s->street[i];
        if (i == 1) free = (REAL *)w->scratch + (w->top == w->scratch ? free - (REAL *)w->top : 0);
        v.reach[i] = free;
        free += (size_t)street->reaches[v.own] * NAME(stride)(&v, i, v.other);
        v.value[i] = free;
        free += (size_t)street->values[v.own] * NAME(stride)(&v, i, v.own);
        v.later[i] = (double *)free;
        free = (REAL *)(v.later[i] + (size_t)street->exits * NAME(stride)(&v, i, v.own));
    }
    if (v.s->streets == 1 && w->top != w->scratch) free = (REAL *)w->scratch;
    size_t widest[2] = {0, 0};
    for (int i = 0; i < v.s->streets; i++)
        for (int p = 0; p < 2; p++)
            if (NAME(stride)(&v, i, p) > widest[p]) widest[p] = NAME(stride)(&v, i, p);
    v.zero = free;
    free += widest[0] > widest[1] ? widest[0] : widest[1];
    v.x = (lanes *)free;
    v.y = v.x + widest[v.other];
    v.spare = (float *)(v.y + widest[v.own]);
    memset(v.zero, 0, (size_t)((REAL *)v.x - v.zero) * sizeof(REAL));
    return v;
}

/* ---- decisions ---- */

static inline vec NAME(positive)(vec x) {
    return (vec)((flags)x & (flags)(x > 0));
}

static inline vec NAME(load)(const float *cell) {
    return __builtin_convertvector(*(const cells *)cell, vec);
}

/* Shares of a holding by what was summed for its actions: in proportion; equal if nothing is positive, or so
   little that its inverse is infinite. */
static inline __attribute__((always_inline)) void NAME(shares)(const vec *sum, int actions, vec *scale,
                                                               vec *equal) {
    vec all = {0};
    for (int a = 0; a < actions; a++) all += sum[a];
    const flags some = all >= (REAL)FLT_MIN;
    const vec one = (vec){0} + 1;
    const vec by = one / (vec)(((flags)all & some) | ((flags)one & ~some));
    *scale = (vec)((flags)by & some);
    *equal = (vec)((flags)(one / (REAL)actions) & ~some);
}

static inline __attribute__((always_inline)) void NAME(forward_of)(const visit *v, const float *table,
                                                                   float *sums, size_t count, const REAL *in,
                                                                   REAL *out, size_t stride, int actions) {
    const REAL keep = (REAL)v->w->sums[v->later_street];
    for (size_t i = 0; i < count; i += WIDE) {
        vec sum[BC_SPOT_ACTIONS], scale, equal;
        const vec reach = *(const vec *)(in + i);
        for (int a = 0; a < actions; a++) sum[a] = NAME(positive)(NAME(load)(table + (size_t)a * count + i));
        NAME(shares)(sum, actions, &scale, &equal);
        scale *= reach;
        equal *= reach;
        for (int a = 0; a < actions; a++) {
            const vec to = sum[a] * scale + equal;
            *(vec *)(out + (size_t)a * stride + i) = to;
            if (sums) {
                cells *cell = (cells *)(sums + (size_t)a * count + i);
                *cell = __builtin_convertvector(NAME(load)((float *)cell) * keep + to, cells);
            }
        }
    }
}

/* The values of actions become the decision's, and regrets are updated. */
static inline __attribute__((always_inline)) void NAME(solve_of)(const visit *v, float *regret, size_t count,
                                                                 const REAL *value, size_t stride, bool add,
                                                                 REAL *out, int actions) {
    const REAL better = (REAL)v->w->positive[v->later_street], worse = (REAL)v->w->negative[v->later_street];
    for (size_t i = 0; i < count; i += WIDE) {
        vec old[BC_SPOT_ACTIONS], sum[BC_SPOT_ACTIONS], scale, equal, mean = {0}, all = {0};
        for (int a = 0; a < actions; a++) {
            const vec of = *(const vec *)(value + (size_t)a * stride + i);
            old[a] = NAME(load)(regret + (size_t)a * count + i);
            sum[a] = NAME(positive)(old[a]);
            mean += sum[a] * of;
            all += of;
        }
        NAME(shares)(sum, actions, &scale, &equal);
        mean = mean * scale + all * equal;
        for (int a = 0; a < actions; a++) {
            const vec of = *(const vec *)(value + (size_t)a * stride + i);
            const vec now = sum[a] * better + (old[a] - sum[a]) * worse + (of - mean);
            *(cells *)(regret + (size_t)a * count + i) = __builtin_convertvector(now, cells);
        }
        vec *to = (vec *)(out + i);
        *to = add ? *to + mean : mean;
    }
}

static inline __attribute__((always_inline)) void NAME(mean_of)(const float *sums, size_t count,
                                                                const REAL *value, size_t stride, bool add,
                                                                REAL *out, int actions) {
    for (size_t i = 0; i < count; i += WIDE) {
        vec sum[BC_SPOT_ACTIONS], scale, equal, mean = {0}, all = {0};
        for (int a = 0; a < actions; a++) {
            const vec of = *(const vec *)(value + (size_t)a * stride + i);
            sum[a] = NAME(load)(sums + (size_t)a * count + i);
            mean += sum[a] * of;
            all += of;
        }
        NAME(shares)(sum, actions, &scale, &equal);
        mean = mean * scale + all * equal;
        vec *to = (vec *)(out + i);
        *to = add ? *to + mean : mean;
    }
}

static void NAME(respond)(float *keep, size_t count, const REAL *value, size_t stride, bool add, REAL *out,
                          int actions) {
    for (size_t i = 0; i < count; i++) {
        int best = 0;
        for (int a = 1; a < actions; a++)
            if (value[(size_t)a * stride + i] > value[(size_t)best * stride + i]) best = a;
        const REAL most = value[(size_t)best * stride + i];
        out[i] = add ? out[i] + most : most;
        for (int a = 0; keep && a < actions; a++) keep[(size_t)a * count + i] = a == best;
    }
}

/* Locked decisions, a holding at a time: fixed and least shares, and the rest by what was summed for the free
   actions. */
static const float *NAME(lock_of)(const bc_spot_solver *s, int node, int board) {
    if (!s->locked[node]) return NULL;
    int low = 0, high = s->lock_count;
    while (low < high) {
        const int mid = (low + high) / 2;
        const bc_spot_lock *at = &s->locks[mid];
        if (at->node < node || (at->node == node && at->board < board))
            low = mid + 1;
        else
            high = mid;
    }
    const bool found = low < s->lock_count && s->locks[low].node == node && s->locks[low].board == board;
    return found ? s->locks[low].fixed : NULL;
}

typedef struct {
    REAL rest, all; /* the share of the free actions, and what was summed for them */
    int free;
} NAME(mix);

static REAL NAME(least)(float fixed) {
    return fixed < 0 ? -fixed : 0;
}

static NAME(mix) NAME(mixed)(const float *fixed, const float *table, size_t count, int actions) {
    NAME(mix) m = {1, 0, 0};
    for (int a = 0; a < actions; a++) {
        const float share = fixed[(size_t)a * count], cell = table[(size_t)a * count];
        if (share >= 0)
            m.rest -= share;
        else {
            m.rest -= NAME(least)(share);
            m.free++;
            m.all += cell > 0 ? cell : 0;
        }
    }
    if (m.rest < 0 || !m.free) m.rest = 0;
    return m;
}

/* The probability of an action of the free ones among these. */
static REAL NAME(free_share)(const NAME(mix) * m, float fixed, float cell) {
    if (fixed >= 0) return 0;
    if (!(m->all > 0)) return (REAL)1 / (REAL)m->free;
    return cell > 0 ? cell / m->all : 0;
}

static void NAME(forward_locked)(const visit *v, const float *fixed, const float *table, float *sums,
                                 size_t count, const REAL *in, REAL *out, size_t stride, int actions) {
    for (size_t i = 0; i < count; i++) {
        const NAME(mix) m = NAME(mixed)(fixed + i, table + i, count, actions);
        for (int a = 0; a < actions; a++) {
            const size_t at = (size_t)a * count + i;
            const REAL share = m.rest * NAME(free_share)(&m, fixed[at], table[at]);
            const REAL own = fixed[at] >= 0 ? fixed[at] : share + NAME(least)(fixed[at]);
            const REAL to = in[i] * own;
            out[(size_t)a * stride + i] = to;
            const REAL summed = fixed[at] >= 0 ? to : in[i] * share;
            if (sums) sums[at] = (float)(sums[at] * (REAL)v->w->sums[v->later_street] + summed);
        }
    }
}

static void NAME(backward_locked)(const visit *v, const float *fixed, float *table, size_t count,
                                  const REAL *value, size_t stride, bool add, REAL *out, int actions) {
    const enum spot_kind kind = v->w->kind;
    for (size_t i = 0; i < count; i++) {
        const NAME(mix) m = NAME(mixed)(fixed + i, table + i, count, actions);
        REAL given = 0, mean = 0, most = 0;
        int best = -1;
        for (int a = 0; a < actions; a++) {
            const size_t at = (size_t)a * count + i;
            const REAL of = value[(size_t)a * stride + i];
            if (fixed[at] >= 0)
                given += fixed[at] * of;
            else {
                given += NAME(least)(fixed[at]) * of;
                mean += NAME(free_share)(&m, fixed[at], table[at]) * of;
                if (best < 0 || of > most) best = a, most = of;
            }
        }
        for (int a = 0; a < actions; a++) {
            const size_t at = (size_t)a * count + i;
            const bool is_free = !(fixed[at] >= 0);
            if (kind == SPOT_SOLVE && is_free) {
                const REAL old = table[at], factor = (REAL)(old > 0 ? v->w->positive[v->later_street]
                                                                    : v->w->negative[v->later_street]);
                table[at] = (float)(old * factor + (value[(size_t)a * stride + i] - mean));
            }
            if (kind == SPOT_LOCKED && v->w->keep)
                table[at] = is_free ? (float)(a == best ? m.rest : 0) : fixed[at];
        }
        const REAL of = given + m.rest * (kind == SPOT_LOCKED ? most : mean);
        out[i] = add ? out[i] + of : of;
    }
}

#define SPOT_BY_ACTIONS(call)                                                                                \
    switch (actions) {                                                                                       \
    case 1:                                                                                                  \
        call(1);                                                                                             \
        break;                                                                                               \
    case 2:                                                                                                  \
        call(2);                                                                                             \
        break;                                                                                               \
    case 3:                                                                                                  \
        call(3);                                                                                             \
        break;                                                                                               \
    case 4:                                                                                                  \
        call(4);                                                                                             \
        break;                                                                                               \
    case 5:                                                                                                  \
        call(5);                                                                                             \
        break;                                                                                               \
    default:                                                                                                 \
        call(actions);                                                                                       \
    }

static void NAME(forward)(const visit *v, int street, const spot_board *board, const spot_forward *f) {
    const bc_spot_solver *s = v->s;
    const spot_side *side = &board->side[v->other];
    const size_t count = (size_t)side->padded, stride = NAME(stride)(v, street, v->other);
    const bool solve = v->w->kind == SPOT_SOLVE;
    const int actions = f->actions;
    const table t = open_table(s, side, f->node, f->cell, actions, v->spare);
    if (solve) read_regret(s, &t);
    read_sum(s, &t);
    const float *by = solve ? t.regret : t.sum;
    float *sums = solve ? t.sum : NULL;
    const REAL *in = NAME(reach_row)(v, street, f->reach);
    REAL *out = NAME(reach_row)(v, street, f->to);
    const float *fixed = NAME(lock_of)(s, f->node, (int)(board - s->board));
    if (fixed) {
        NAME(forward_locked)(v, fixed, by, sums, count, in, out, stride, actions);
    } else {
#define call(n) NAME(forward_of)(v, by, sums, count, in, out, stride, n)
        SPOT_BY_ACTIONS(call)
#undef call
    }
    if (solve) write_sum(s, &t);
}

static void NAME(backward)(const visit *v, int street, const spot_board *board, const spot_backward *b) {
    const bc_spot_solver *s = v->s;
    const spot_side *side = &board->side[v->own];
    const size_t count = (size_t)side->padded, stride = NAME(stride)(v, street, v->own);
    const enum spot_kind kind = v->w->kind;
    const REAL *value = NAME(value_row)(v, street, b->from);
    REAL *out = NAME(value_row)(v, street, b->value);
    const int actions = b->actions;
    const bool add = b->add;
    const table t = open_table(s, side, b->node, b->cell, actions, v->spare);
    if (kind == SPOT_SOLVE)
        read_regret(s, &t);
    else
        read_sum(s, &t);
    const float *fixed = kind == SPOT_FREE ? NULL : NAME(lock_of)(s, b->node, (int)(board - s->board));
    if (fixed)
        NAME(backward_locked)(v, fixed, kind == SPOT_SOLVE ? t.regret : t.sum, count, value, stride, add, out,
                              actions);
    else if (kind == SPOT_SOLVE) {
#define call(n) NAME(solve_of)(v, t.regret, count, value, stride, add, out, n)
        SPOT_BY_ACTIONS(call)
#undef call
    } else if (kind == SPOT_MEAN) {
#define call(n) NAME(mean_of)(t.sum, count, value, stride, add, out, n)
        SPOT_BY_ACTIONS(call)
#undef call
    } else
        NAME(respond)(v->w->keep ? t.sum : NULL, count, value, stride, add, out, actions);
    if (kind == SPOT_SOLVE) write_regret(s, &t);
    if (v->w->keep) write_sum(s, &t);
}

/* ---- leaves ---- */

static inline __attribute__((always_inline)) void NAME(turn)(half r[8]) {
    half t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = SPOT_SHUFFLE(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = SPOT_SHUFFLE(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int k = 0; k < 2; k++) {
            u[i + 2 * k] = SPOT_SHUFFLE(t[i + k], t[i + k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            u[i + 2 * k + 1] = SPOT_SHUFFLE(t[i + k], t[i + k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        r[i] = SPOT_SHUFFLE(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        r[i + 4] = SPOT_SHUFFLE(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* Sixteen rows into sixteen lanes a holding. */
static void NAME(gather_lanes)(const REAL *const row[SPOT_LANES], size_t count, lanes *to) {
    for (size_t i = 0; i < count; i += 8)
        for (int l = 0; l < SPOT_LANES; l += 8) {
            half r[8];
            for (int k = 0; k < 8; k++) r[k] = *(const half *)(row[l + k] + i);
            NAME(turn)(r);
            for (int k = 0; k < 8; k++)
                *(eight *)((double *)(to + i + k) + l) = __builtin_convertvector(r[k], eight);
        }
}

/* Sixteen holdings with their lanes into the rows, from holding `at` on. */
static void NAME(scatter_lanes)(const lanes *from, size_t at, REAL *const row[SPOT_LANES], const bool *add) {
    for (size_t i = 0; i < SPOT_LANES; i += 8)
        for (int l = 0; l < SPOT_LANES; l += 8) {
            half r[8];
            for (int k = 0; k < 8; k++)
                r[k] = __builtin_convertvector(*(const eight *)((const double *)(from + i + k) + l), half);
            NAME(turn)(r);
            for (int k = 0; k < 8; k++) {
                if (!row[l + k]) continue;
                half *to = (half *)(row[l + k] + at + i);
                *to = add[l + k] ? *to + r[k] : r[k];
            }
        }
}

/* The weight of the other's holdings that share a card with one of ours is taken out: those of each card,
   and those of both, which were taken out twice. */
static inline __attribute__((always_inline)) lanes NAME(twins)(const lanes *x, uint16_t twin) {
    lanes same = x[twin >> 4];
    for (int k = 1; k < (twin & 15); k++) same += x[(twin >> 4) + k];
    return same;
}

static void NAME(leaves)(const visit *v, int street, const spot_board *board, const spot_leaves *leaf,
                         bool showdown) {
    const bc_spot_solver *s = v->s;
    const spot_side *own = &board->side[v->own], *other = &board->side[v->other];
    const REAL *in[SPOT_LANES];
    REAL *out[SPOT_LANES], *fold[SPOT_LANES];
    const double middle = v->w->kind == SPOT_SOLVE ? s->middle[v->own] : 0;
    lanes below, level, all,
        folded; /* the worth of what is below, below or equal, of all; of all if it folds */
    for (int l = 0; l < SPOT_LANES; l++) {
        const bool used = l < leaf->count;
        in[l] = used ? NAME(reach_row)(v, street, leaf->reach[l]) : v->zero;
        out[l] = used ? NAME(value_row)(v, street, leaf->value[l]) : NULL;
        fold[l] = used && leaf->fold[l] >= 0 ? NAME(value_row)(v, street, leaf->fold[l]) : NULL;
        const double *pay = s->payoff + (size_t)(used ? leaf->node[l] : 0) * 6 + 3 * v->own;
        const double win = pay[0] - middle, tie = pay[1] - middle, lose = pay[2] - middle;
        below[l] = showdown ? win - tie : 0;
        level[l] = showdown ? tie - lose : 0;
        all[l] = lose;
        folded[l] = fold[l] ? s->payoff[(size_t)leaf->folded[l] * 6 + 3 * v->own] - middle : 0;
    }
    NAME(gather_lanes)(in, (size_t)other->padded, v->x);
    lanes *x = v->x, *y = v->y, total = {0}, card[BC_DECK];
    memset(card, 0, sizeof card);
    x[other->padded] = total;
    const uint8_t (*mine)[2] = (const uint8_t (*)[2])own->card,
                  (*theirs)[2] = (const uint8_t (*)[2])other->card;
    if (!showdown)
        for (int k = 0; k < other->count; k++) {
            const lanes of = x[k];
            total += of;
            card[theirs[k][0]] += of;
            card[theirs[k][1]] += of;
        }
    for (int g = 0, i = 0, j = 0; showdown && g < board->groups; g++) {
        const int end = board->group[g][v->own], last = board->group[g][v->other];
        for (int k = i; k < end; k++) y[k] = below * ((total - card[mine[k][0]]) - card[mine[k][1]]);
        for (; j < last; j++) {
            const lanes of = x[j];
            total += of;
            card[theirs[j][0]] += of;
            card[theirs[j][1]] += of;
        }
        for (; i < end; i++)
            y[i] += level * (((total - card[mine[i][0]]) - card[mine[i][1]]) + NAME(twins)(x, own->twin[i]));
    }
    for (int i = 0; i < own->padded; i += SPOT_LANES) {
        lanes worth[SPOT_LANES], given[SPOT_LANES];
        for (int k = 0; k < SPOT_LANES; k++) {
            worth[k] = given[k] = (lanes){0};
            if (i + k >= own->count) continue;
            const uint8_t *of = mine[i + k];
            const lanes met = ((total - card[of[0]]) - card[of[1]]) + NAME(twins)(x, own->twin[i + k]);
            worth[k] = showdown ? y[i + k] + all * met : all * met;
            if (leaf->folds) given[k] = folded * met;
        }
        NAME(scatter_lanes)(worth, (size_t)i, out, leaf->add);
        if (leaf->folds) NAME(scatter_lanes)(given, (size_t)i, fold, leaf->fold_add);
    }
}

/* The own holdings have what is given; or the other's, and ours the rest. */
static void NAME(given)(const visit *v, const spot_board *board, const spot_given *leaf) {
    const bc_spot_solver *s = v->s;
    const spot_side *own = &board->side[v->own], *other = &board->side[v->other];
    const REAL *in = NAME(reach_row)(v, 0, leaf->reach);
    REAL *out = NAME(value_row)(v, 0, leaf->value);
    const bool is_own = s->player_of[leaf->node] == v->own;
    const double *chips = s->given[leaf->node], middle = v->w->kind == SPOT_SOLVE ? s->middle[v->own] : 0;
    const double rest = s->payoff[(size_t)leaf->node * 6 + 3 * v->own] - middle;
    double *x = (double *)v->x, total = 0, card[BC_DECK] = {0};
    for (int k = 0; k < other->count; k++) {
        x[k] = is_own ? in[k] : in[k] * (rest - chips[k]);
        total += x[k];
        card[other->card[k][0]] += x[k];
        card[other->card[k][1]] += x[k];
    }
    for (int i = 0; i < own->count; i++) {
        double met = (total - card[own->card[i][0]]) - card[own->card[i][1]];
        for (int k = 0; k < (own->twin[i] & 15); k++) met += x[(own->twin[i] >> 4) + k];
        const REAL worth = (REAL)(is_own ? (chips[i] - middle) * met : met);
        out[i] = leaf->add ? out[i] + worth : worth;
    }
    for (int i = own->count; !leaf->add && i < own->padded; i++) out[i] = 0;
}

/* ---- streets ---- */

static void NAME(part)(visit *v, int street, const spot_board *board, const spot_part *part);

static void NAME(enter)(const visit *v, int street, const spot_board *board, const spot_part *part) {
    const spot_side *side = &board->side[v->other];
    const int left = BC_DECK - 4 - (v->s->cards + street - 1);
    const REAL chance = (REAL)(street == 1 ? v->w->parts : 1) / (REAL)left;
    const spot_exit *exit = v->s->street[street - 1].part[v->own]->exit;
    for (int i = 0; i < part->lines; i++) {
        const REAL *from = NAME(reach_row)(v, street - 1, exit[part->line + i].reach);
        REAL *to = NAME(reach_row)(v, street, i);
        for (int k = 0; k < side->count; k++) to[k] = from[side->parent[k]] * chance;
        for (int k = side->count; k < side->padded; k++) to[k] = 0;
    }
}

static void NAME(leave)(const visit *v, const spot_board *board, size_t before, const REAL *from,
                        double *to) {
    const spot_side *side = &board->side[v->own];
    for (int image = 0; image < board->images; image++) {
        const uint16_t *into = side->into[image];
        for (size_t k = 0; k < before; k++) to[k] += from[into[k]];
    }
}

/* One board after the next card, all lines. On the second street boards are walked by any thread, and their
   values are added in the order of the boards. */
static void NAME(board)(visit *v, int street, const spot_board *board, int number) {
    const bc_spot_solver *s = v->s;
    const spot_side *side = &board->side[v->own];
    const size_t before = (size_t)s->board[board->parent].side[v->own].padded;
    double *later = v->later[street - 1];
    for (int i = 0; i < s->street[street].parts[v->own]; i++) {
        const spot_part *part = &s->street[street].part[v->own][i];
        NAME(enter)(v, street, board, part);
        NAME(part)(v, street, board, part);
        if (street == 1) bc_spot_wait(&s->turn[i], number);
        for (int k = 0; k < part->lines; k++) {
            REAL *from = NAME(value_row)(v, street, k);
            memset(from + side->padded, 0, SPOT_LANES * sizeof *from);
            NAME(leave)(v, board, before, from,
                        later + (size_t)(part->line + k) * NAME(stride)(v, street - 1, v->own));
        }
        if (street == 1) atomic_store(&s->turn[i], number + 1);
    }
}

/* What later streets are worth becomes part of the street's values. */
static void NAME(collect)(const visit *v, int street, const spot_board *board, const spot_part *part) {
    const size_t count = (size_t)board->side[v->own].padded, stride = NAME(stride)(v, street, v->own);
    for (int i = 0; i < part->exits; i++) {
        const double *from = v->later[street] + (size_t)i * stride;
        REAL *to = NAME(value_row)(v, street, part->exit[i].value);
        const bool add = part->exit[i].add;
        for (size_t k = 0; k < count; k++) to[k] = (REAL)(add ? to[k] + from[k] : from[k]);
    }
}

static void NAME(down)(visit *v, int street, const spot_board *board, const spot_part *part) {
    for (int i = 0; i < part->forwards; i++) NAME(forward)(v, street, board, &part->forward[i]);
}

static void NAME(up)(visit *v, int street, const spot_board *board, const spot_part *part) {
    NAME(collect)(v, street, board, part);
    for (int i = 0; i < part->backwards; i++) NAME(backward)(v, street, board, &part->backward[i]);
}

static void NAME(end)(visit *v, int street, const spot_board *board, const spot_part *part) {
    for (int i = 0; i * SPOT_LANES < part->ends; i++) NAME(leaves)(v, street, board, &part->end[i], false);
    for (int i = 0; i * SPOT_LANES < part->showdowns; i++)
        NAME(leaves)(v, street, board, &part->showdown[i], true);
    for (int i = 0; i < part->givens; i++) NAME(given)(v, board, &part->given[i]);
    memset(v->later[street], 0, (size_t)part->exits * NAME(stride)(v, street, v->own) * sizeof(double));
}

static void NAME(part)(visit *v, int street, const spot_board *board, const spot_part *part) {
    NAME(down)(v, street, board, part);
    NAME(end)(v, street, board, part);
    for (int i = 0; i < board->children; i++) NAME(board)(v, street + 1, &v->s->board[board->child + i], i);
    NAME(up)(v, street, board, part);
}

static void NAME(enter_first)(const visit *v) {
    const spot_side *side = &v->s->board->side[v->other];
    REAL *to = NAME(reach_row)(v, 0, 0);
    for (int i = 0; i < side->count; i++) to[i] = v->s->weight[v->other][i];
    for (int i = side->count; i < side->padded; i++) to[i] = 0;
}

static void NAME(open)(spot_walk *w) {
    visit v = NAME(start)(w);
    const spot_part *part = v.s->street[0].part[v.own];
    for (int i = 0; i < v.s->street[1].parts[v.own]; i++) atomic_store(&v.s->turn[i], 0);
    NAME(enter_first)(&v);
    NAME(down)(&v, 0, v.s->board, part);
    NAME(end)(&v, 0, v.s->board, part);
}

static void NAME(child)(spot_walk *w, int child) {
    visit v = NAME(start)(w);
    v.later_street = 1;
    NAME(board)(&v, 1, &v.s->board[v.s->board->child + child], child / w->parts);
}

static void NAME(close)(spot_walk *w, double *value) {
    visit v = NAME(start)(w);
    const spot_board *root = v.s->board;
    NAME(up)(&v, 0, root, v.s->street[0].part[v.own]);
    const REAL *of = NAME(value_row)(&v, 0, 0);
    for (int i = 0; i < root->side[v.own].count; i++) value[i] = of[i];
}

/* ---- one decision ---- */

static void NAME(copy)(const REAL *from, int count, double *to) {
    for (int i = 0; i < count; i++) to[i] = from[i];
}

static void NAME(look_at_leaf)(const visit *v, int street, const spot_leaves *leaf, int lane, int other) {
    if (leaf->node[lane] == v->w->probe || leaf->folded[lane] == v->w->probe)
        NAME(copy)(NAME(reach_row)(v, street, leaf->reach[lane]), other, v->w->found_reach);
}

static void NAME(look)(const visit *v, int street, const spot_board *board, const spot_part *part) {
    const spot_walk *w = v->w;
    const int own = board->side[v->own].padded, other = board->side[v->other].padded;
    for (int i = 0; i < part->exits; i++) {
        if (part->exit[i].node != w->probe) continue;
        NAME(copy)(NAME(reach_row)(v, street, part->exit[i].reach), other, w->found_reach);
        const double *later = v->later[street] + (size_t)i * NAME(stride)(v, street, v->own);
        memcpy(w->found_value, later, (size_t)own * sizeof *later);
    }
    for (int i = 0; i < part->givens; i++)
        if (part->given[i].node == w->probe)
            NAME(copy)(NAME(reach_row)(v, street, part->given[i].reach), other, w->found_reach);
    for (int i = 0; i < part->ends; i++)
        NAME(look_at_leaf)(v, street, &part->end[i / SPOT_LANES], i % SPOT_LANES, other);
    for (int i = 0; i < part->showdowns; i++)
        NAME(look_at_leaf)(v, street, &part->showdown[i / SPOT_LANES], i % SPOT_LANES, other);
    for (int i = 0; i < part->forwards; i++) {
        const spot_forward *f = &part->forward[i];
        if (f->node != w->probe) continue;
        NAME(copy)(NAME(reach_row)(v, street, f->reach), other, w->found_reach);
        NAME(copy)(NAME(value_row)(v, street, f->value), own, w->found_value);
    }
    for (int i = 0; i < part->backwards; i++) {
        const spot_backward *b = &part->backward[i];
        if (b->node != w->probe) continue;
        NAME(copy)(NAME(reach_row)(v, street, b->reach), other, w->found_reach);
        for (int a = 0; a < b->actions; a++)
            NAME(copy)(NAME(value_row)(v, street, b->from + a), own,
                       w->found_action + (size_t)a * (size_t)own);
    }
}

/* Down the boards that lead to the one of the decision, then its street as always. */
static void NAME(probe)(spot_walk *w) {
    visit v = NAME(start)(w);
    const bc_spot_solver *s = v.s;
    int path[BC_SPOT_STREETS], street = s->level[w->probe];
    for (int i = street, board = w->probe_board; i >= 0; i--, board = s->board[board].parent) path[i] = board;
    for (int i = 0; i < s->street[1].parts[v.own]; i++) atomic_store(&s->turn[i], 0);
    NAME(enter_first)(&v);
    for (int i = 0; i < street; i++) {
        const spot_part *part = s->street[i].part[v.own];
        if (i) NAME(enter)(&v, i, &s->board[path[i]], part);
        NAME(down)(&v, i, &s->board[path[i]], part);
    }
    const spot_board *board = &s->board[w->probe_board];
    for (int i = 0; i < s->street[street].parts[v.own]; i++) {
        const spot_part *part = &s->street[street].part[v.own][i];
        if (street) NAME(enter)(&v, street, board, part);
        NAME(part)(&v, street, board, part);
        NAME(look)(&v, street, board, part);
    }
}

#undef SPOT_BY_ACTIONS
#undef vec
#undef WIDE
#undef half
#undef flags
#undef cells
#undef visit

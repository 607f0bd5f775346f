/* The one source of every form of bc_showdowns_run: loops over four suits that compilers turn into vectors.
   Weights are whole numbers of a common unit and sums of them exact, so that their order does not matter. */
#include "showdown.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed between inlined functions only */

#include <math.h>
#include <string.h>

#include "baycarp/rank.h"

enum { CLASSES = 91, FLUSHES = 45, NO_KEY = INT32_MAX, NO_PARTNER = 63 };

/* Four suits side by side; and a choice among them: all ones for those that count, else 0. */
typedef double four __attribute__((vector_size(32)));
typedef int64_t choice __attribute__((vector_size(32)));

typedef struct {
    double all;
    _Alignas(32) double by_card[BC_DECK];
} tally;

/* The holdings of two ranks, by suit and suit; the first rank is the higher. In a pair each holding stands
   twice, beside cells that mean nothing. */
enum { BLOCK = 16, CELLS = CLASSES * BLOCK };

typedef struct {
    bc_showdowns *s;
    int rank[5], count[13]; /* the ranks to come that are chosen; how often each is on the board */
    uint64_t known;         /* cards on the board */
    uint8_t high[CLASSES], low[CLASSES]; /* the first card of each rank of a c */
    int32_t order[CLASSES + 1];          /* rank of the hand << 8 | c, sorted */
    int32_t flushes[FLUSHES + 1];        /* rank << 12 | flush card << 6 | second one or NO_PARTNER, sorted */
    int everybody;   /* where the board is a flush: the rank of all that add nothing to it */
    int suit;        /* of the flush */
    choice plain[4]; /* for each suit, the suits beside which it makes no flush */
    tally passed;
    _Alignas(64) double beaten[CELLS]; /* twice the weight beaten plus the weight tied */
    _Alignas(64) double rivals[CELLS];
    _Alignas(64) double sum[CELLS];
    _Alignas(64) double square[CELLS];
    _Alignas(64) double met[CELLS];
} walk;

static inline int class_of(int x, int y) {
    return x * (x + 1) / 2 + y;
}

static inline int cell_of(int a, int b) {
    const int hi = a > b ? a : b, lo = a > b ? b : a;
    return BLOCK * class_of(hi >> 2, lo >> 2) + 4 * (hi & 3) + (lo & 3);
}

typedef int32_t eight __attribute__((vector_size(32)));

/* Sort n different keys: the place of each is the number of lower ones. There is room to the next 16. */
static inline void sort(const int32_t *keys, int n, int32_t *sorted) {
    for (int i = 0; i < n; i += 16) {
        eight key[2], lower[2] = {{0}, {0}};
        memcpy(key, keys + i, sizeof key);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 2; k++) lower[k] -= keys[j] < key[k];
        for (int j = i; j < n && j < i + 16; j++) sorted[lower[(j - i) / 8][j % 8]] = keys[j];
    }
    sorted[n] = NO_KEY;
}

/* Put the classes in order; those of which no holding is left come first. */
static void order_classes(walk *w, bc_hand board) {
    int32_t keys[96] = {0};
    for (int x = 0, n = 0; x < 13; x++)
        for (int y = 0; y <= x; y++, n++) {
            const uint64_t sum = board.key + bc_hand_card(4 * x).key + bc_hand_card(4 * y).key;
            const int left = x == y ? w->count[x] <= 2 : w->count[x] <= 3 && w->count[y] <= 3;
            keys[n] = (left ? bc_rank((bc_hand){(uint32_t)sum, 0}) : 0) << 8 | n;
        }
    sort(keys, CLASSES, w->order);
}

/* Sort what holdings may add to the board's flush suit. */
static void order_flushes(walk *w, uint16_t mask, int on_board) {
    int32_t keys[48] = {0};
    int n = 0;
    for (int x = 0; x < 13; x++) {
        if (mask >> x & 1) continue;
        const int card = 4 * x + w->suit, one = mask | 1 << x;
        if (on_board >= 4) keys[n++] = bc_flush_ranks[one] << 12 | card << 6 | NO_PARTNER;
        for (int y = 0; y < x; y++)
            if (!(mask >> y & 1))
                keys[n++] = bc_flush_ranks[one | 1 << y] << 12 | card << 6 | (4 * y + w->suit);
    }
    sort(keys, n, w->flushes);
}

static void find_flush(walk *w, uint64_t masks) {
    memset(w->plain, -1, sizeof w->plain);
    w->flushes[0] = NO_KEY;
    w->everybody = 0;
    for (int suit = 0; suit < 4; suit++) {
        const uint16_t mask = (uint16_t)(masks >> 16 * suit);
        const int on_board = __builtin_popcount(mask);
        if (on_board < 3) continue;
        w->suit = suit;
        w->plain[suit][suit] = 0;
        if (on_board >= 4)
            for (int i = 0; i < 4; i++) w->plain[suit][i] = w->plain[i][suit] = 0;
        if (on_board == 5) w->everybody = bc_flush_ranks[mask];
        order_flushes(w, mask, on_board);
    }
}

static inline four load(const double *from) {
    four v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void store(double *to, four v) {
    memcpy(to, &v, sizeof v);
}

static inline four only(four v, choice which) {
    return (four)((choice)v & which);
}

static inline four greater(four v, four w) {
    return (four)((choice)only(v, v > w) | (choice)only(w, v <= w));
}

/* As many as a register holds. */
#ifdef __AVX512F__
enum { WIDE = 8 };
typedef double wide __attribute__((vector_size(64)));
typedef int64_t wide_choice __attribute__((vector_size(64)));
static inline wide load_wide(const double *from) {
    wide v;
    memcpy(&v, from, sizeof v);
    return v;
}
static inline void store_wide(double *to, wide v) {
    memcpy(to, &v, sizeof v);
}
static inline wide only_wide(wide v, wide_choice which) {
    return (wide)((wide_choice)v & which);
}
#else
enum { WIDE = 4 };
typedef four wide;
typedef choice wide_choice;
#define load_wide load
#define store_wide store
#define only_wide only
#endif

/* By card of the rank that starts at y, the weight of its holdings with the one that starts at x. */
static inline four weigh(const walk *w, int x, int y, int flush) {
    const double *row = w->s->weight[x] + y;
    const four a = load(row), b = load(row + BC_DECK), c = load(row + 2 * BC_DECK),
               d = load(row + 3 * BC_DECK);
    if (!flush) return (a + b) + (c + d);
    return (only(a, w->plain[0]) + only(b, w->plain[1])) + (only(c, w->plain[2]) + only(d, w->plain[3]));
}

/* Add the weight of a c to what is passed. */
static inline void pass_class(walk *w, int c, int flush) {
    const int x = w->high[c], y = w->low[c];
    double *by_card = w->passed.by_card;
    const four high = weigh(w, y, x, flush);
    const double all = (high[0] + high[1]) + (high[2] + high[3]);
    store(by_card + x, load(by_card + x) + high);
    if (x != y) store(by_card + y, load(by_card + y) + weigh(w, x, y, flush));
    w->passed.all += x == y ? all / 2 : all;
}

/* What its holdings beat, from what was passed before it and with it: `high` in all, less the high card's
   holdings; `low` the low card's. */
static inline void rate_class(walk *w, int c, four high, four low, int flush) {
    const double *weight = w->s->weight[w->high[c]] + w->low[c];
    double *beaten = w->beaten + BLOCK * c;
    for (int i = 0; i < 4; i++) {
        const four found = high[i] - low + load(weight + i * BC_DECK), kept = load(beaten + 4 * i);
        const four mixed = (four)((choice)only(found, w->plain[i]) | (choice)only(kept, ~w->plain[i]));
        store(beaten + 4 * i, flush ? mixed : found);
    }
}

/* A c that nothing else ranks like. */
static inline void walk_class(walk *w, int c, int flush) {
    const double *x = w->passed.by_card + w->high[c], *y = w->passed.by_card + w->low[c];
    const double all = w->passed.all;
    const four high = load(x), low = load(y);
    pass_class(w, c, flush);
    rate_class(w, c, (all + w->passed.all) - high - load(x), low + load(y), flush);
}

static void pass_flush(walk *w, int card, int partner) {
    const double *weight = w->s->weight[card];
    double *by_card = w->passed.by_card, all = 0;
    if (partner != NO_PARTNER) {
        all = weight[partner];
        by_card[partner] += all;
    } else {
        for (int i = 0; i < BC_DECK; i++) {
            if (i % 4 == w->suit) continue;
            by_card[i] += weight[i];
            all += weight[i];
        }
    }
    by_card[card] += all;
    w->passed.all += all;
}

static void rate_flush(walk *w, const tally *a, int card, int partner) {
    const tally *b = &w->passed;
    const double own = a->all + b->all - a->by_card[card] - b->by_card[card], *weight = w->s->weight[card];
    if (partner != NO_PARTNER) {
        w->beaten[cell_of(card, partner)] = own - a->by_card[partner] - b->by_card[partner] + weight[partner];
        return;
    }
    for (int i = 0; i < BC_DECK; i++)
        if (i % 4 != w->suit) w->beaten[cell_of(card, i)] = own - a->by_card[i] - b->by_card[i] + weight[i];
}

/* Classes and flushes that rank alike. */
static void walk_group(walk *w, const int32_t *classes, int n, const int32_t *flushes, int m, int flush) {
    const tally before = w->passed, *passed = &w->passed;
    for (int i = 0; i < n; i++) pass_class(w, classes[i] & 255, flush);
    for (int i = 0; i < m; i++) pass_flush(w, flushes[i] >> 6 & 63, flushes[i] & 63);
    for (int i = 0; i < n; i++) {
        const int c = classes[i] & 255, x = w->high[c], y = w->low[c];
        const four high = (before.all + passed->all) - load(before.by_card + x) - load(passed->by_card + x);
        rate_class(w, c, high, load(before.by_card + y) + load(passed->by_card + y), flush);
    }
    for (int i = 0; i < m; i++) rate_flush(w, &before, flushes[i] >> 6 & 63, flushes[i] & 63);
}

static void walk_plain(walk *w) {
    for (const int32_t *from = w->order, *to; *from != NO_KEY; from = to) {
        for (to = from + 1; *to >> 8 == *from >> 8;) to++;
        if (to - from == 1)
            walk_class(w, *from & 255, 0);
        else
            walk_group(w, from, (int)(to - from), NULL, 0, 0);
    }
}

static inline int class_rank(const walk *w, const int32_t *key) {
    return w->everybody && *key != NO_KEY ? w->everybody : *key >> 8;
}

static void walk_flushed(walk *w) {
    const int32_t *c = w->order, *flush = w->flushes;
    while (*c != NO_KEY || *flush != NO_KEY) {
        const int32_t *classes = c, *flushes = flush;
        const int plain = class_rank(w, c), flushed = *flush >> 12;
        const int rank = *c == NO_KEY || (*flush != NO_KEY && flushed < plain) ? flushed : plain;
        while (*c != NO_KEY && class_rank(w, c) == rank) c++;
        while (*flush != NO_KEY && *flush >> 12 == rank) flush++;
        if (c - classes == 1 && flush == flushes)
            walk_class(w, *classes & 255, 1);
        else
            walk_group(w, classes, (int)(c - classes), flushes, (int)(flush - flushes), 1);
    }
}

static void walk_up(walk *w) {
    w->passed.all = 0;
    for (int i = 0; i < BC_DECK; i++) w->passed.by_card[i] = 0;
    if (w->flushes[0] == NO_KEY && !w->everybody)
        walk_plain(w);
    else
        walk_flushed(w);
}

/* The rivals of every holding; below 0 where the board blocks it. */
static void meet(walk *w) {
    const bc_showdowns *s = w->s;
    double by_card[BC_DECK];
    for (int i = 0; i < BC_DECK; i++) by_card[i] = w->known >> i & 1 ? INFINITY : s->by_card[i];
    for (int c = 0; c < CLASSES; c++) {
        const int x = w->high[c], y = w->low[c];
        const four high = s->all - load(by_card + x), low = load(by_card + y);
        for (int i = 0; i < 4; i++)
            store(w->rivals + BLOCK * c + 4 * i, high[i] - low + load(s->weight[x + i] + y));
    }
}

static void add_strengths(walk *w, double times) {
    const double coarse = w->s->to_come ? 0x1.8p12 : 0; /* adding it leaves no finer bits than 2^-40 */
    const wide once = times - (wide){0};
    meet(w);
    for (int i = 0; i < CELLS; i += WIDE) {
        const wide rivals = load_wide(w->rivals + i);
        const wide hs = only_wide(load_wide(w->beaten + i) / (rivals + rivals), rivals > 0);
        store_wide(w->met + i, load_wide(w->met + i) + only_wide(once, rivals > 0));
        store_wide(w->sum + i, load_wide(w->sum + i) + times * (hs + coarse - coarse));
        store_wide(w->square + i, load_wide(w->square + i) + times * (hs * hs + coarse - coarse));
    }
}

static void keep_strengths(walk *w) {
    meet(w);
    for (int i = 0; i < CELLS; i += WIDE) {
        const wide rivals = load_wide(w->rivals + i), hs = load_wide(w->beaten + i) / (rivals + rivals);
        const wide none = only_wide(NAN - (wide){0}, rivals <= 0);
        store_wide(w->sum + i, (wide)((wide_choice)only_wide(hs, rivals > 0) | (wide_choice)none));
    }
}

static void add_moments(walk *w, double times) {
    for (int i = 0; i < CELLS; i += WIDE) {
        const wide beaten = load_wide(w->beaten + i), all = times * beaten;
        store_wide(w->sum + i, load_wide(w->sum + i) + all);
        store_wide(w->square + i, load_wide(w->square + i) + all * beaten);
    }
}

static void add_beaten(walk *w, double times) {
    for (int i = 0; i < CELLS; i += WIDE)
        store_wide(w->sum + i, load_wide(w->sum + i) + times * load_wide(w->beaten + i));
}

/* The cards that have come block their holdings. */
static void forget_blocked(walk *w) {
    const bc_showdowns *s = w->s;
    for (int k = s->shown; k < s->shown + s->to_come; k++) {
        const int rank = s->board[k] >> 2, suit = s->board[k] & 3;
        for (int y = 0; y <= rank; y++) store(w->beaten + BLOCK * class_of(rank, y) + 4 * suit, (four){0});
        for (int x = rank; x < 13; x++)
            for (int i = 0; i < 4; i++) w->beaten[BLOCK * class_of(x, rank) + 4 * i + suit] = 0;
    }
}

/* How many boards differ from this one by swaps of twins alone; 0 if another of them stands for all. */
static double orbit(const uint8_t *twin, uint64_t masks) {
    double boards = 1;
    for (int suit = 1; suit < 4; suit++) {
        const uint16_t mask = (uint16_t)(masks >> 16 * suit);
        int twins = 1, alike = 1;
        for (int other = 0; other < suit; other++) {
            const uint16_t theirs = (uint16_t)(masks >> 16 * other);
            if (twin[other] != twin[suit]) continue;
            if (theirs < mask) return 0;
            twins++;
            alike += theirs == mask;
        }
        boards = boards * twins / alike;
    }
    return boards;
}

static void settle(walk *w, uint64_t masks, double times) {
    find_flush(w, masks);
    walk_up(w);
    forget_blocked(w);
    if (w->s->tally == BC_STRENGTHS) add_strengths(w, times);
    if (w->s->tally == BC_STRENGTH) keep_strengths(w);
    if (w->s->tally == BC_MOMENTS) add_moments(w, times);
    if (w->s->tally == BC_BEATEN) add_beaten(w, times);
}

/* Take a card out of the range; `row` keeps what its holdings weigh. */
static void take(bc_showdowns *s, int card, double *row) {
    s->all -= s->by_card[card];
    for (int i = 0; i < BC_DECK; i++) {
        row[i] = s->weight[card][i];
        s->by_card[i] -= row[i];
        s->weight[card][i] = 0;
    }
    for (int i = 0; i < BC_DECK; i++) s->weight[i][card] = 0;
}

static void give_back(bc_showdowns *s, int card, const double *row) {
    s->all += s->by_card[card];
    for (int i = 0; i < BC_DECK; i++) {
        s->by_card[i] += row[i];
        s->weight[card][i] = row[i];
    }
    for (int i = 0; i < BC_DECK; i++) s->weight[i][card] = row[i];
}

/* All ways to give suits to the ranks to come, from the k-th on. */
static void choose_suits(walk *w, int k, bc_hand board) {
    bc_showdowns *s = w->s;
    if (k == s->to_come) {
        settle(w, board.mask, orbit(s->twin, board.mask));
        return;
    }
    const int same = k > 0 && w->rank[k] == w->rank[k - 1], first = 4 * w->rank[k];
    for (int card = same ? s->board[s->shown + k - 1] + 1 : first; card < first + 4; card++) {
        const bc_hand with = bc_hand_add(board, bc_hand_card(card));
        double row[BC_DECK];
        if ((s->held | w->known) & bc_bit(card)) continue;
        if (k + 1 == s->to_come && orbit(s->twin, with.mask) == 0) continue;
        s->board[s->shown + k] = (uint8_t)card;
        w->known |= bc_bit(card);
        take(s, card, row);
        choose_suits(w, k + 1, with);
        give_back(s, card, row);
        w->known &= ~bc_bit(card);
    }
}

/* All ranks to come, rising, from the k-th on; `sum` has those on the board. */
static void choose_ranks(walk *w, int k, bc_hand board, bc_hand ranks) {
    if (k == w->s->to_come) {
        order_classes(w, ranks);
        choose_suits(w, 0, board);
        return;
    }
    const int lowest = w->s->lowest, from = k ? w->rank[k - 1] : lowest < 0 ? 0 : lowest;
    for (int rank = from; rank <= (k || lowest < 0 ? 12 : lowest); rank++) {
        if (w->count[rank] == 4) continue;
        w->rank[k] = rank;
        w->count[rank]++;
        choose_ranks(w, k + 1, board, bc_hand_add(ranks, bc_hand_card(4 * rank)));
        w->count[rank]--;
    }
}

/* What the board leaves of the range, in the rows of the higher cards, and nothing beside it in their last
   vectors; returns the greatest weight. */
static double fill_lower(bc_showdowns *s) {
    const double *weights = s->weights;
    four most[13] = {{0}};
    for (int hi = 0; hi < BC_DECK; weights += weights ? hi : 0, hi++) {
        double *row = s->weight[hi];
        store(row + (hi & ~3), (four){0});
        if (s->out & bc_bit(hi)) {
            memset(row, 0, (size_t)hi * sizeof *row);
            continue;
        }
        for (int lo = 0; lo < hi; lo++) row[lo] = weights ? weights[lo] : 1;
        for (int i = 0; i < s->shown; i++)
            if (s->board[i] < hi) row[s->board[i]] = 0;
        for (int y = 0; y <= hi >> 2; y++) most[y] = greater(most[y], load(row + 4 * y));
    }
    for (int y = 1; y < 13; y++) most[0] = greater(most[0], most[y]);
    return fmax(fmax(most[0][0], most[0][1]), fmax(most[0][2], most[0][3]));
}

/* The range. Without rounding, what is left of a sum after a subtraction might be an error, not nothing. */
static void fill(bc_showdowns *s) {
    int exponent;
    frexp(fill_lower(s), &exponent);
    const double coarse =
        ldexp(1.5, exponent + 11); /* adding it leaves no finer bits than 2^(exponent - 41) */
    for (int i = 0; i < BC_DECK; i++) s->by_card[i] = 0;
    s->all = 0;
    for (int hi = 1; hi < BC_DECK; hi++) {
        double *row = s->weight[hi];
        four sum = {0};
        for (int lo = 0; lo < hi; lo += 4) {
            const four weight = load(row + lo) + coarse - coarse;
            store(row + lo, weight);
            store(s->by_card + lo, load(s->by_card + lo) + weight);
            sum += weight;
        }
        const double all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        s->by_card[hi] += all;
        s->all += all;
        for (int lo = 0; lo < hi; lo++) s->weight[lo][hi] = row[lo];
    }
}

/* From cells to holdings. */
static void by_holding(const double *cells, double *out) {
    for (int hi = 1; hi < BC_DECK; out += hi++) {
        const double *row = cells + BLOCK * class_of(hi >> 2, 0) + 4 * (hi & 3);
        for (int y = 0; y < hi >> 2; y++) store(out + 4 * y, load(row + BLOCK * y));
        for (int lo = hi & ~3; lo < hi; lo++) out[lo] = row[BLOCK * (hi >> 2) + (lo & 3)];
    }
}

void FORM(bc_showdowns *s) {
    walk w;
    const int squares = s->tally == BC_MOMENTS || s->tally == BC_STRENGTHS;
    fill(s);
    w.s = s;
    w.known = 0;
    memset(w.count, 0, sizeof w.count);
    memset(w.beaten, 0, sizeof w.beaten);
    memset(w.sum, 0, sizeof w.sum);
    if (squares) memset(w.square, 0, sizeof w.square);
    if (s->tally == BC_STRENGTHS) memset(w.met, 0, sizeof w.met);
    for (int x = 0, c = 0; x < 13; x++)
        for (int y = 0; y <= x; y++, c++) {
            w.high[c] = (uint8_t)(4 * x);
            w.low[c] = (uint8_t)(4 * y);
        }
    for (int i = 0; i < s->shown; i++) {
        w.known |= bc_bit(s->board[i]);
        w.count[bc_rank_of(s->board[i])]++;
    }
    const bc_hand board = bc_hand_of(s->board, s->shown);
    choose_ranks(&w, 0, board, board);
    by_holding(w.sum, s->sum);
    if (squares) by_holding(w.square, s->square);
    if (s->tally == BC_STRENGTHS) by_holding(w.met, s->met);
}

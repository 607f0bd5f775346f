/* The source of every form of bc_showdowns_run: loops over four suits, which compilers vectorise. Every sum
   is exact and so independent of the order of additions. */
#include "showdown.h"
#include "showdown_range.h"

#include <stdbool.h>

#include "baycarp/rank.h"

enum { FLUSHES = 45, NO_PARTNER = 63 };
#define MUCH 0x1p60 /* weight of rivals with which a strength rounds to 0 */

/* Twice the weight that a holding beats plus the weight that it ties with: `high` by its higher card, minus
   `low` by its lower card, plus its own weight. */
typedef struct {
    four high, low;
} score;

typedef struct {
    bc_showdowns *s;
    range range;
    int rank[5], count[RANKS];    /* the chosen ranks to come; count of each rank on the board */
    int32_t order[CLASSES + 1];   /* rank of the hand << 8 | class, sorted */
    int32_t flushes[FLUSHES + 1]; /* rank << 12 | flush card << 6 | second one or NO_PARTNER, sorted */
    int board_flush;              /* if the board is a flush: its rank */
    int lifts;                    /* boards with flushes so far */
    int suit, on_board;           /* the flush suit and its count on the board; or 0 */
    choice off_suit;              /* the other suits */
    choice plain[4];              /* for each suit, the suits with which it makes no flush */

    tally passed; /* the part of the range of no higher rank */
    score scores[CLASSES];
    _Alignas(64) double lifted[CELLS]; /* scores of flushes */
    _Alignas(64) double sum[CELLS];
    _Alignas(64) double square[CELLS];
    _Alignas(64) double unmet[CELLS];
} walk;

/* Sort the classes by rank; classes without an unblocked holding come first. */
static void order_classes(walk *w, bc_hand board) {
    int32_t keys[96] = {0};
    for (int c = 0; c < CLASSES; c++) {
        const int x = w->range.high[c], y = w->range.low[c];
        const uint64_t sum = board.key + bc_hand_card(4 * x).key + bc_hand_card(4 * y).key;
        const int left = x == y ? w->count[x] <= 2 : w->count[x] <= 3 && w->count[y] <= 3;
        keys[c] = (left ? bc_rank_off_flush((uint32_t)sum) : 0) << 8 | c;
    }
    sort(keys, CLASSES, w->order);
}

/* Sort the flush cards of holdings. */
static void order_flushes(walk *w, uint16_t mask) {
    int32_t keys[48] = {0};
    int n = 0;
    for (int x = 0; x < RANKS; x++) {
        if (mask >> x & 1) continue;
        const int card = 4 * x + w->suit, one = mask | 1 << x;
        if (w->on_board >= 4) keys[n++] = bc_flush_ranks[one] << 12 | card << 6 | NO_PARTNER;
        for (int y = 0; y < x; y++)
            if (!(mask >> y & 1))
                keys[n++] = bc_flush_ranks[one | 1 << y] << 12 | card << 6 | (4 * y + w->suit);
    }
    sort(keys, n, w->flushes);
}

static void find_flush(walk *w, uint64_t masks) {
    w->board_flush = w->on_board = 0;
    w->flushes[0] = NO_KEY;
    memset(w->plain, -1, sizeof w->plain);
    for (int suit = 0; suit < 4; suit++) {
        const uint16_t mask = (uint16_t)(masks >> 16 * suit);
        const int on_board = __builtin_popcount(mask);
        if (on_board < 3) continue;
        if (!w->lifts++) memset(w->lifted, 0, sizeof w->lifted);
        w->suit = suit;
        w->on_board = on_board;
        w->off_suit = off_suit(suit);
        w->plain[suit] = on_board > 3 ? (choice){0} : w->off_suit;
        for (int i = 0; i < 4; i++)
            if (on_board > 3) w->plain[i] &= w->off_suit;
        if (on_board == 5) w->board_flush = bc_flush_ranks[mask];
        order_flushes(w, mask);
    }
}

/* The weight of a class without holdings that make a flush. */
static inline share share_of(const walk *w, int c) {
    share of = w->range.shares[c];
    const double *block = w->range.weight + BLOCK * c, both = block[5 * w->suit];
    if (w->on_board == 3) {
        const four out = only(both - (four){0}, ~w->off_suit);
        return (share){of.high - out, of.low - out, of.all - both};
    }
    const double high = w->range.shares[c].high[w->suit], low = w->range.shares[c].low[w->suit];
    of.all -= w->range.high[c] == w->range.low[c] ? high : high + low - both;
    of.high = only(of.high - read_column(block + w->suit), w->off_suit);
    of.low = only(of.low - load(block + 4 * w->suit), w->off_suit);
    return of;
}

/* Add a class to the cumulative weight. */
static inline void pass_class(walk *w, int c, bool flush) {
    const share of = flush ? share_of(w, c) : w->range.shares[c];
    four *x = w->passed.by_card + w->range.high[c], *y = w->passed.by_card + w->range.low[c];
    const four high = *x + of.high, low = *y + of.low;
    *x = high;
    *y = low;
    w->passed.all += of.all;
}

/* Score a class by the cumulative weights before and after it. */
static inline void score_class(walk *w, int c, bool with) {
    const tally *passed = &w->passed;
    const four high = passed->all - passed->by_card[w->range.high[c]], low = passed->by_card[w->range.low[c]];
    w->scores[c].high = with ? w->scores[c].high + high : high;
    w->scores[c].low = with ? w->scores[c].low + low : low;
}

/* Both at once, for a class with a unique rank. */
static inline void walk_class(walk *w, int c, bool flush) {
    const share of = flush ? share_of(w, c) : w->range.shares[c];
    four *x = w->passed.by_card + w->range.high[c], *y = w->passed.by_card + w->range.low[c];
    const four high = *x, low = *y, high_with = high + of.high, low_with = low + of.low;
    const double all = w->passed.all, with = all + of.all;
    *x = high_with;
    *y = low_with;
    w->passed.all = with;
    w->scores[c] = (score){(all + with) - (high + high_with), low + low_with};
}

static void pass_flush(walk *w, int card, int partner) {
    tally *passed = &w->passed;
    double all = 0;
    four row[RANKS], sum = {0};
    if (partner != NO_PARTNER) {
        all = w->range.weight[cell_of(card, partner)];
        passed->by_card[partner >> 2][partner & 3] += all;
    } else {
        read_row(w->range.weight, card, row);
        for (int z = 0; z < RANKS; z++) {
            const four off = only(row[z], w->off_suit);
            passed->by_card[z] += off;
            sum += off;
        }
        all = sum_of(sum);
    }
    passed->by_card[card >> 2][card & 3] += all;
    passed->all += all;
}

static void score_flush(walk *w, const tally *before, int card, int partner) {
    const tally *passed = &w->passed;
    const int rank = card >> 2, suit = card & 3;
    const double own = before->all + passed->all - before->by_card[rank][suit] - passed->by_card[rank][suit];
    if (partner != NO_PARTNER) {
        const int x = partner >> 2, i = partner & 3, cell = cell_of(card, partner);
        w->lifted[cell] = own - before->by_card[x][i] - passed->by_card[x][i] + w->range.weight[cell];
        return;
    }
    four row[RANKS], kept[RANKS];
    read_row(w->range.weight, card, row);
    read_row(w->lifted, card, kept);
    for (int z = 0; z < RANKS; z++) {
        const four found = own - before->by_card[z] - passed->by_card[z] + row[z];
        row[z] = choose(found, kept[z], w->off_suit);
    }
    write_row(w->lifted, card, row);
}

/* A flush of two cards with a unique rank. */
static inline void walk_flush(walk *w, int card, int partner) {
    tally *passed = &w->passed;
    const int cell = cell_of(card, partner);
    const double of_card = passed->by_card[card >> 2][card & 3];
    const double of_partner = passed->by_card[partner >> 2][partner & 3], weight = w->range.weight[cell];
    w->lifted[cell] = 2 * (passed->all - of_card - of_partner);
    passed->by_card[card >> 2][card & 3] = of_card + weight;
    passed->by_card[partner >> 2][partner & 3] = of_partner + weight;
    passed->all += weight;
}

/* Classes and flushes of equal rank. */
static void walk_group(walk *w, const int32_t *classes, int n, const int32_t *flushes, int m) {
    const tally before = w->passed;
    for (int i = 0; i < n; i++) score_class(w, classes[i] & 255, false);
    for (int i = 0; i < n; i++) pass_class(w, classes[i] & 255, true);
    for (int i = 0; i < m; i++) pass_flush(w, flushes[i] >> 6 & 63, flushes[i] & 63);
    for (int i = 0; i < n; i++) score_class(w, classes[i] & 255, true);
    for (int i = 0; i < m; i++) score_flush(w, &before, flushes[i] >> 6 & 63, flushes[i] & 63);
}

/* Classes of equal rank, without flushes. */
static inline void walk_classes(walk *w, const int32_t *from, const int32_t *to, bool flush) {
    if (to - from == 1) {
        walk_class(w, *from & 255, flush);
        return;
    }
    for (const int32_t *c = from; c < to; c++) score_class(w, *c & 255, false);
    for (const int32_t *c = from; c < to; c++) pass_class(w, *c & 255, flush);
    for (const int32_t *c = from; c < to; c++) score_class(w, *c & 255, true);
}

static void walk_plain(walk *w) {
    for (const int32_t *from = w->order, *to; *from != NO_KEY; from = to) {
        for (to = from + 1; *to >> 8 == *from >> 8;) to++;
        walk_classes(w, from, to, false);
    }
}

static inline int class_rank(const walk *w, const int32_t *key) {
    return w->board_flush && *key != NO_KEY ? w->board_flush : *key >> 8;
}

static void walk_flushed(walk *w) {
    const int32_t *c = w->order, *flush = w->flushes;
    while (*c != NO_KEY || *flush != NO_KEY) {
        const int32_t *classes = c, *flushes = flush;
        const int plain = class_rank(w, c), flushed = *flush >> 12;
        const int rank = *c == NO_KEY || (*flush != NO_KEY && flushed < plain) ? flushed : plain;
        while (*c != NO_KEY && class_rank(w, c) == rank) c++;
        while (*flush != NO_KEY && *flush >> 12 == rank) flush++;
        if (flush == flushes)
            walk_classes(w, classes, c, true);
        else if (c == classes && flush - flushes == 1 && (*flushes & 63) != NO_PARTNER)
            walk_flush(w, *flushes >> 6 & 63, *flushes & 63);
        else
            walk_group(w, classes, (int)(c - classes), flushes, (int)(flush - flushes));
    }
}

static void walk_up(walk *w) {
    w->passed = (tally){0, {{0}}};
    if (w->on_board)
        walk_flushed(w);
    else
        walk_plain(w);
}

/* The classes of a higher rank are contiguous. */
enum { ROW = RANKS * BLOCK };

/* Twice the weight beaten plus the weight tied. */
static inline void beaten_by(const walk *w, int x, bool flush, double *beaten) {
    for (int y = 0, c = class_of(x, 0); y <= x; y++, c++)
        for (int i = 0; i < BLOCK; i += WIDE) {
            const int cell = BLOCK * c + i;
            const wide less = by_row(w->scores[c].high, i) - by_column(w->scores[c].low);
            wide found = less + load_wide(w->range.weight + cell);
            if (flush) found = choose_wide(found, load_wide(w->lifted + cell), load_choice(w->plain + i / 4));
            store_wide(beaten + BLOCK * y + i, found);
        }
}

/* Holdings that the cards to come block beat nothing. */
static inline void forget_blocked(const walk *w, int x, double *beaten) {
    for (int y = 0; y <= x; y++)
        for (int i = 0; i < BLOCK; i += WIDE) {
            const wide_choice left = by_row_choice(w->range.left[x], i) & by_column_choice(w->range.left[y]);
            store_wide(beaten + BLOCK * y + i, only_wide(load_wide(beaten + BLOCK * y + i), left));
        }
}

/* The rivals of each holding: the weight of the range without its cards. */
static inline void rivals_of(const walk *w, const tally *range, int x, double *rivals) {
    const four high = range->all - range->by_card[x];
    for (int y = 0, c = class_of(x, 0); y <= x; y++, c++)
        for (int i = 0; i < BLOCK; i += WIDE) {
            const wide less = by_row(high, i) - by_column(range->by_card[y]);
            store_wide(rivals + BLOCK * y + i, less + load_wide(w->range.weight + BLOCK * c + i));
        }
}

/* The range, with a weight of each board card so large that holdings with it have no rivals. */
static inline tally block(const range *r) {
    tally sum = r->sum;
    for (int z = 0; z < RANKS; z++) sum.by_card[z] = choose(sum.by_card[z], -MUCH - (four){0}, r->left[z]);
    return sum;
}

/* Count the boards of holdings without rivals, and set their rivals to a large weight. */
static inline void leave_unmet(double *rivals, int cells, double times, double *unmet) {
    const wide none = {0};
    for (int i = 0; i < cells; i += WIDE) {
        const wide met = load_wide(rivals + i);
        store_wide(unmet + i, load_wide(unmet + i) + choose_wide(none, times - none, met > 0));
        store_wide(rivals + i, choose_wide(met, MUCH - none, met > 0));
    }
}

/* Sums of twice the strength and four times its square. */
static inline void add_strengths(walk *w, bool flush, bool scarce, double times) {
    const double coarse = w->s->to_come ? 0x1.8p13 : 0; /* adding it rounds to multiples of 2^-39 */
    const tally range = block(&w->range);
    _Alignas(64) double hs[ROW], rivals[ROW];
    for (int x = 0; x < RANKS; x++) {
        const int first = BLOCK * class_of(x, 0), cells = BLOCK * (x + 1);
        double *sum = w->sum + first, *square = w->square + first;
        beaten_by(w, x, flush, hs);
        rivals_of(w, &range, x, rivals);
        if (scarce) leave_unmet(rivals, cells, times, w->unmet + first);
        for (int i = 0; i < cells; i += WIDE)
            store_wide(hs + i, ratio(load_wide(hs + i), load_wide(rivals + i)));
        for (int i = 0; i < cells; i += WIDE) {
            const wide v = load_wide(hs + i), squared = v * v;
            store_wide(sum + i, add_times(load_wide(sum + i), times, v + coarse - coarse));
            store_wide(square + i,
                       add_times(load_wide(square + i), times, squared + 2 * coarse - 2 * coarse));
        }
    }
}

static void keep_strengths(walk *w) {
    const wide none = NAN - (wide){0};
    _Alignas(64) double beaten[ROW], rivals[ROW];
    for (int x = 0; x < RANKS; x++) {
        beaten_by(w, x, w->on_board, beaten);
        rivals_of(w, &w->range.sum, x, rivals);
        for (int i = 0; i < BLOCK * (x + 1); i += WIDE) {
            const wide met = load_wide(rivals + i), hs = ratio(load_wide(beaten + i), met + met);
            store_wide(w->sum + BLOCK * class_of(x, 0) + i, choose_wide(hs, none, met > 0));
        }
    }
}

static void add_beaten(walk *w, bool squares, double times) {
    _Alignas(64) double beaten[ROW];
    for (int x = 0; x < RANKS; x++) {
        double *sum = w->sum + BLOCK * class_of(x, 0), *square = w->square + BLOCK * class_of(x, 0);
        beaten_by(w, x, w->on_board, beaten);
        if (w->s->to_come) forget_blocked(w, x, beaten);
        for (int i = 0; i < BLOCK * (x + 1); i += WIDE) {
            const wide all = times * load_wide(beaten + i);
            store_wide(sum + i, load_wide(sum + i) + all);
            if (squares) store_wide(square + i, load_wide(square + i) + all * load_wide(beaten + i));
        }
    }
}

/* The number of boards that differ from this one by swaps of twins; 0 if another board represents them. */
static double orbit(const uint8_t *twin, uint64_t masks) {
    double boards = 1;
    for (int suit = 1; suit < 4; suit++) {
        const uint16_t mask = (uint16_t)(masks >> 16 * suit);
        int twins = 1, same_mask = 1;
        for (int other = 0; other < suit; other++) {
            const uint16_t theirs = (uint16_t)(masks >> 16 * other);
            if (twin[other] != twin[suit]) continue;
            if (theirs < mask) return 0;
            twins++;
            same_mask += theirs == mask;
        }
        boards = boards * twins / same_mask;
    }
    return boards;
}

/* Whether, by a bound, an unblocked holding may have no rivals. */
static bool scarce(const walk *w) {
    four most = {0};
    for (int z = 0; z < RANKS; z++) most = greater(most, only(w->range.sum.by_card[z], w->range.left[z]));
    return w->range.sum.all <= 2 * fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

static void settle(walk *w, uint64_t masks, double times) {
    find_flush(w, masks);
    walk_up(w);
    if (w->s->tally == BC_STRENGTH) keep_strengths(w);
    if (w->s->tally == BC_MOMENTS) add_beaten(w, true, times);
    if (w->s->tally == BC_BEATEN) add_beaten(w, false, times);
    if (w->s->tally != BC_STRENGTHS) return;
    if (w->on_board)
        add_strengths(w, true, scarce(w), times);
    else
        add_strengths(w, false, scarce(w), times);
}

/* All suits of the ranks to come, from the k-th on. */
static void choose_suits(walk *w, int k, bc_hand board) {
    bc_showdowns *s = w->s;
    if (k == s->to_come) {
        settle(w, board.mask, orbit(s->twin, board.mask));
        return;
    }
    const int same = k > 0 && w->rank[k] == w->rank[k - 1], first = 4 * w->rank[k];
    for (int card = same ? s->board[s->shown + k - 1] + 1 : first; card < first + 4; card++) {
        const bc_hand with = bc_hand_add(board, bc_hand_card(card));
        taken row;
        if (s->held & bc_bit(card) || !w->range.left[card >> 2][card & 3]) continue;
        if (k + 1 == s->to_come && orbit(s->twin, with.mask) == 0) continue;
        s->board[s->shown + k] = (uint8_t)card;
        take(&w->range, card, &row);
        choose_suits(w, k + 1, with);
        give_back(&w->range, card, &row);
    }
}

/* All ranks to come, ascending, from the k-th on; `sum` has those on the board. */
static void choose_ranks(walk *w, int k, bc_hand board, bc_hand ranks) {
    if (k == 3 && bc_stopped(w->s->stop)) return;
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

/* From cells to holdings. */
static void by_holding(const double *cells, double unit, double *out) {
    for (int hi = 1; hi < BC_DECK; out += hi++) {
        const double *row = cells + BLOCK * class_of(hi >> 2, 0) + 4 * (hi & 3);
        for (int y = 0; y < hi >> 2; y++) store(out + 4 * y, unit * load(row + BLOCK * y));
        for (int lo = hi & ~3; lo < hi; lo++) out[lo] = unit * row[BLOCK * (hi >> 2) + (lo & 3)];
    }
}

/* The weight that the others win, and the weight of the compatible pairs. */
static void weigh_others(const walk *w, double unit) {
    bc_showdowns *s = w->s;
    const double *row = s->others;
    four won = {0}, met = {0};
    for (int hi = 0; hi < BC_DECK; row += hi++) {
        const int x = hi >> 2;
        if (!w->range.left[x][hi & 3]) continue;
        const four high = w->range.sum.all - w->range.sum.by_card[x][hi & 3] - (four){0};
        int cell = BLOCK * class_of(x, 0) + 4 * (hi & 3);
        for (int y = 0; y <= x; y++, cell += BLOCK) {
            const four weight = only(y < x ? load(row + 4 * y) : last(row, hi), w->range.left[y]);
            won += weight * load(w->sum + cell);
            met += weight * (high - w->range.sum.by_card[y] + load(w->range.weight + cell));
        }
    }
    s->won = unit * sum_of(won) / 2;
    s->met = unit * sum_of(met);
}

static void start(walk *w, bc_showdowns *s) {
    w->s = s;
    memset(w->count, 0, sizeof w->count);
    w->lifts = 0;
    memset(w->sum, 0, sizeof w->sum);
    if (s->tally == BC_MOMENTS || s->tally == BC_STRENGTHS) memset(w->square, 0, sizeof w->square);
    if (s->tally == BC_STRENGTHS) memset(w->unmet, 0, sizeof w->unmet);
    for (int i = 0; i < s->shown; i++) w->count[bc_rank_of(s->board[i])]++;
}

void FORM(bc_showdowns *s) {
    walk w;
    start(&w, s);
    const double unit = fill(&w.range, s->weights, s->out);
    const double of_sum = s->tally == BC_BEATEN || s->tally == BC_MOMENTS ? unit : 1;
    const bc_hand board = bc_hand_of(s->board, s->shown);
    choose_ranks(&w, 0, board, board);
    if (s->others) {
        weigh_others(&w, unit);
        return;
    }
    by_holding(w.sum, of_sum, s->sum);
    if (s->tally == BC_MOMENTS || s->tally == BC_STRENGTHS) by_holding(w.square, of_sum * of_sum, s->square);
    if (s->tally == BC_STRENGTHS) by_holding(w.unmet, 1, s->unmet);
}

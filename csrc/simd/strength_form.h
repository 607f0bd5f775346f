/* The source of every form of bc_strengths, bc_beaten and bc_expected_strength: opponents and futures by
   class.

   Without a flush, a rank depends on the ranks of cards alone, so futures of equal ranks and opponents of
   equal ranks need one comparison: 91 x 91 instead of a million. The number of these futures that an opponent
   does not block follows from the number of their cards that it holds. So futures are counted, in integers,
   one lane per class of opponents; weights are multiplied at the end and never subtracted.

   Then each suit with possibly three cards on the final board is a correction. A card is of the suit or not;
   opponents have one of four patterns (is the higher, is the lower card of the suit?). Futures with three
   cards of the suit are counted again for the patterns in which a player has a flush: their result minus
   their result by ranks alone. No board has three cards of two suits, so the corrections add up.

   An example: Ad Qc on 3h 4c Jh, one card to come.
     KJ   4 kings x 3 jacks = 12 opponents of one class, one lane. Now they are ahead, with a pair. A queen
   can come in 3 ways, and puts us ahead: one comparison adds 3 to the lane. KQ   12 opponents, each of which
   holds a queen: it can come in 2 ways only. With both of us paired our ace decides: 2 are added. K2   16
   opponents. By ranks alone a queen adds 3, as for KJ. hearts: two lie there. The future Qh is counted again
   for the opponents with two hearts: Kh 2h has a flush then, ours is beaten instead of ahead, so 0 - 1 is the
   correction of its pattern. In the table Kh 2h has 3 - 1 = 2, the other fifteen K2 have 3. In the same way,
   with no card to come, 628 of 1,081 opponents are behind, 9 tied and 444 ahead: HS is (628 + 9 / 2) / 1,081
   = 0.585, as Papp (1998), section 5.2, has it. */
#include "strength.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"
#include "rank_pairs.h"

enum {
    SUITED = 16,  /* a card's kind is its rank, plus this if it is of the suit */
    NONE = RANKS, /* the kind of no card */
    KINDS = 29,
    PATTERNS = 4,  /* 1: the higher card is of the suit, 2: the lower, 3: both */
    FUTURES = 325, /* the largest number: pairs of 25 kinds */
    ROW = 56       /* lower cards of a holding, rounded up to whole vectors */
};

/* The lowest flush, as a signed rank. */
#define LEAST_FLUSH ((6 << 12) - 32768)

typedef struct {
    uint64_t known;             /* cards */
    uint16_t board[4], hole[4]; /* the ranks of each suit */
    int ahead;                  /* cards to come: 0, 1 or 2 */
} spot;

/* The deck with respect to one suit, or to no suit. */
typedef struct {
    int16_t left[KINDS];  /* remaining cards of each kind; one NONE */
    uint16_t board, hole; /* the ranks of the suit */
    int shown, held;      /* their numbers */
} view;

/* The futures of equal kinds. */
typedef struct {
    int kind[2];     /* in descending order */
    int ways;        /* their number */
    int place;       /* their index by ranks alone */
    int count;       /* cards of the suit on the final board */
    uint16_t suited; /* their ranks */
} future;

/* All ranks without flushes. */
typedef struct {
    int16_t hi[LANES], lo[LANES]; /* the cards of opponents */
    int16_t ours[PAIRS];          /* by place of the future */
    int16_t theirs[PAIRS][LANES]; /* by place and opponent */
} ranks;

/* Futures in which an opponent is beaten, and in which it is beaten or tied. */
typedef struct {
    int16_t beaten[LANES], matched[LANES];
} counts;

static int ones(unsigned bits) {
    int n = 0;
    for (; bits; bits &= bits - 1) n++;
    return n;
}

static spot spot_of(const uint8_t *hole, const uint8_t *board, int n, int ahead) {
    spot s = {0, {0}, {0}, ahead};
    for (int i = 0; i < 2 + n; i++) {
        const int card = i < 2 ? hole[i] : board[i - 2], suit = bc_suit_of(card);
        uint16_t *of_suit = i < 2 ? &s.hole[suit] : &s.board[suit];
        *of_suit = (uint16_t)(*of_suit | 1 << bc_rank_of(card));
        s.known |= bc_bit(card);
    }
    return s;
}

/* suit: 0..3, or -1 for no suit. */
static view view_of(const spot *s, int suit) {
    view v = {.left = {[NONE] = 1}};
    for (int card = 0; card < BC_DECK; card++)
        if (!(s->known & bc_bit(card))) v.left[bc_rank_of(card) + (bc_suit_of(card) == suit ? SUITED : 0)]++;
    if (suit >= 0) v.board = s->board[suit], v.hole = s->hole[suit];
    v.shown = ones(v.board), v.held = ones(v.hole);
    return v;
}

static inline int place_of(int ahead, int a, int b) {
    return ahead == 0 ? 0 : ahead == 1 ? a : a > b ? pair_of(a, b) : pair_of(b, a);
}

/* The futures with at least `least` cards of the suit on the final board. Those with equal ranks of the suit
   are adjacent. */
static int list_futures(const spot *s, const view *v, int least, future *out) {
    int kinds[KINDS], n = 0, listed = 0;
    for (int kind = 0; kind < KINDS; kind++)
        if (v->left[kind] > 0 && (kind == NONE) == (s->ahead == 0)) kinds[n++] = kind;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= (s->ahead == 2 ? i : 0); j++) {
            const int a = kinds[i], b = s->ahead == 2 ? kinds[j] : NONE;
            if (v->shown + 2 * (a / SUITED) < least) break; /* the second is not above the first */
            const int count = v->shown + a / SUITED + b / SUITED;
            if (count < least) continue;
            const int twins = s->ahead == 2 && a == b, left = v->left[a];
            const int ways = twins ? left * (left - 1) / 2 : left * v->left[b];
            if (ways == 0) continue;
            const int x = a % SUITED, y = b % SUITED, suited = (a / SUITED) << x | (b / SUITED) << y;
            out[listed++] =
                (future){{a, b}, ways, place_of(s->ahead, x, y), count, (uint16_t)(v->board | suited)};
        }
    return listed;
}

/* The places in bc_seven_ranks of a flop and four ranks a >= b >= c >= d. The addends of a to d depend on the
   number of cards of the flop below them, those of the flop on how many of a to c are not above its cards and
   on whether d is below them. */
typedef struct {
    int flop[3], a[RANKS], b[RANKS], c[RANKS];
    int d[RANKS], below[RANKS]; /* of d with the cards of the flop below it; their number */
    int above[3][4];            /* of a card of the flop above d, by how many of a to c are not above it */
} sevens;

static inline int seven_place(int i, int rank) {
    return bc_seven_places[RANKS * i + rank];
}

/* count: cards of each rank on the flop. */
static void list_sevens(const int *count, sevens *s) {
    for (int rank = 0, n = 0; rank < RANKS; rank++) {
        s->below[rank] = n, s->d[rank] = seven_place(n, rank);
        s->c[rank] = seven_place(n + 1, rank);
        s->b[rank] = seven_place(n + 2, rank);
        s->a[rank] = seven_place(n + 3, rank);
        for (int i = 0; i < n; i++) s->d[rank] += seven_place(i, s->flop[i]);
        for (int i = 0; i < count[rank]; i++, n++) {
            s->flop[n] = rank;
            for (int under = 0; under < 4; under++) s->above[n][under] = seven_place(n + 1 + under, rank);
        }
    }
}

/* The same for every two cards to come after the flop. Four ranks a >= b >= c >= d can be divided into two to
   come and two of the opponent in six ways, so they are ranked once and stored six times. */
static void rank_square(int *count, int16_t (*theirs)[LANES]) {
    sevens s;
    list_sevens(count, &s);
    for (int a = 0; a < RANKS; a++)
        for (int b = 0; b <= a; b++)
            for (int c = 0; c <= b; c++) {
                int place[4] = {0, 0, 0, s.a[a] + s.b[b] + s.c[c]}; /* by the cards of the flop below d */
                for (int i = 3; i-- > 0;) {
                    const int card = s.flop[i], under = (a <= card) + (b <= card) + (c <= card);
                    place[i] = place[i + 1] + s.above[i][under];
                }
                const int ab = pair_of(a, b), ac = pair_of(a, c), bc = pair_of(b, c);
                const int ad = pair_of(a, 0), bd = pair_of(b, 0), cd = pair_of(c, 0); /* for d = 0 */
                int16_t *const ab_cd = &theirs[ab][cd], *const cd_ab = &theirs[cd][ab];
                int16_t *const ac_bd = &theirs[ac][bd], *const bd_ac = &theirs[bd][ac];
                int16_t *const bc_ad = &theirs[bc][ad], *const ad_bc = &theirs[ad][bc];
                count[a]++, count[b]++, count[c]++;
                for (int d = 0; d <= c && count[a] <= 4 && count[b] <= 4 && count[c] <= 4; d++)
                    if (count[d] < 4) {
                        const int16_t rank = signed_rank(bc_seven_ranks[place[s.below[d]] + s.d[d]]);
                        ab_cd[d] = ac_bd[d] = bc_ad[d] = rank;
                        cd_ab[d * LANES] = bd_ac[d * LANES] = ad_bc[d * LANES] = rank;
                    }
                count[a]--, count[b]--, count[c]--;
            }
}

/* Rank ours and theirs on the board with each of the futures of no suit; ours as of an opponent that holds
   our ranks. */
static void rank_all(const spot *s, const future *futures, int n, ranks *r) {
    static const int places[3] = {1, RANKS, PAIRS};
    uint32_t board = 0, keys[RANKS]; /* by rank: the key of a card without its suit */
    int count[RANKS] = {0}, hole[2] = {0}, held = 0;
    memset(r, 0, sizeof *r - sizeof r->theirs);
    memset(r->theirs, 0, (size_t)places[s->ahead] * sizeof *r->theirs);
    for (int hi = 0, q = 0; hi < RANKS; hi++) {
        keys[hi] = (uint32_t)bc_hand_card(4 * hi).key;
        for (int lo = 0; lo <= hi; lo++, q++) r->hi[q] = (int16_t)hi, r->lo[q] = (int16_t)lo;
        for (int suit = 0; suit < 4; suit++) {
            if (s->board[suit] >> hi & 1) board += keys[hi], count[hi]++;
            if (s->hole[suit] >> hi & 1) hole[held++] = hi;
        }
    }
    if (s->ahead == 0) rank_row(board, keys, count, r->theirs[0]);
    if (s->ahead == 1) rank_rows(board, keys, count, r->theirs);
    if (s->ahead == 2) rank_square(count, r->theirs);
    for (const future *f = futures; f < futures + n; f++)
        r->ours[f->place] = r->theirs[f->place][pair_of(hole[1], hole[0])];
}

/* Our rank and theirs: the true ones, and those by ranks alone. */
typedef struct {
    int16_t ours, before;
    const int16_t *theirs, *theirs_before;
} contest;

/* For all opponents of a pattern, add the futures that ours wins, and wins or ties. A future's cards that the
   opponent holds are not available. */
static void count_in(const ranks *r, const view *v, const future *f, int pattern, contest c,
                     counts *restrict sum) {
    int16_t left[2], hi[2], lo[2]; /* remaining cards of each kind; the opponent's cards of the kind */
    for (int i = 0; i < 2; i++) {
        const int rank = f->kind[i] % SUITED, suited = f->kind[i] / SUITED;
        left[i] = v->left[f->kind[i]];
        hi[i] = (int16_t)(suited == (pattern & 1) ? rank : NONE);
        lo[i] = (int16_t)(suited == pattern >> 1 ? rank : NONE);
    }
    const bool twins = f->kind[0] == f->kind[1] && f->kind[0] != NONE;
    for (int q = 0; q < LANES; q++) {
        const int16_t a = (int16_t)(left[0] - (r->hi[q] == hi[0]) - (r->lo[q] == lo[0]));
        const int16_t b = (int16_t)(left[1] - (r->hi[q] == hi[1]) - (r->lo[q] == lo[1]));
        const int16_t ways = (int16_t)(twins ? (int16_t)(a * (a - 1)) >> 1 : a * b);
        const int16_t beaten = (int16_t)((c.ours > c.theirs[q]) - (c.before > c.theirs_before[q]));
        const int16_t matched = (int16_t)((c.ours >= c.theirs[q]) - (c.before >= c.theirs_before[q]));
        sum->beaten[q] = (int16_t)(sum->beaten[q] + ways * beaten);
        sum->matched[q] = (int16_t)(sum->matched[q] + ways * matched);
    }
}

/* Count the futures by ranks alone. There is nothing to subtract: INT16_MIN, a rank below all, beats and ties
   with no opponent, so that the second comparison of the contest adds 0. */
static void count_plain(const ranks *r, const view *v, const future *f, counts *sum) {
    const int16_t *theirs = r->theirs[f->place];
    count_in(r, v, f, 0, (contest){r->ours[f->place], INT16_MIN, theirs, theirs}, sum);
}

/* The flushes of each pattern of opponents, by the ranks of the suit on the board. */
typedef struct {
    uint16_t suited;
    int16_t row[PATTERNS][LANES];
} flushes;

static void rank_flushes(uint16_t suited, flushes *f) {
    int16_t one[16] = {0};
    f->suited = suited;
    for (int x = 0; x < RANKS; x++) one[x] = signed_rank(bc_flush_ranks[suited | 1 << x]);
    for (int q = 0; q < LANES; q++) f->row[0][q] = signed_rank(bc_flush_ranks[suited]);
    for (int hi = 0; hi < RANKS; hi++) { /* the next row overwrites the excess of a row */
        const int from = pair_of(hi, 0);
        for (int lo = 0; lo < 16; lo++) f->row[1][from + lo] = one[hi];
        for (int lo = 0; lo < 16; lo++) f->row[2][from + lo] = one[lo];
        for (int lo = 0; lo <= hi; lo++)
            f->row[3][from + lo] = signed_rank(bc_flush_ranks[suited | 1 << hi | 1 << lo]);
    }
}

/* Count the futures with three or more cards of the suit on the board again, for the patterns in which a
   player has a flush: a bit for each. */
static int count_suited(const ranks *r, const view *v, const future *f, flushes *all, counts *sums) {
    static const int held[PATTERNS] = {0, 1, 1, 2};
    int counted = 0;
    const bool flush = f->count + v->held >= 5;
    const int16_t before = r->ours[f->place], *plain = r->theirs[f->place];
    const int16_t ours = flush ? signed_rank(bc_flush_ranks[f->suited | v->hole]) : before;
    if (ours >= LEAST_FLUSH && all->suited != f->suited) rank_flushes(f->suited, all);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
        contest c = {ours, before, plain, plain};
        if (f->count + held[pattern] >= 5) {
            if (ours >= LEAST_FLUSH)
                c.theirs = all->row[pattern];
            else
                c.ours = INT16_MIN; /* against any flush */
        } else if (!flush)
            continue;
        count_in(r, v, f, pattern, c, &sums[pattern]);
        counted |= 1 << pattern;
    }
    return counted;
}

/* Futures in which ours beats, and beats or ties, a holding: [suit of the higher card][4 * the pair of its
   ranks + suit of the lower card]. */
typedef struct {
    int16_t beaten[4][4 * LANES], matched[4][4 * LANES];
} table;

static void add(const counts *more, counts *restrict sum) {
    for (int q = 0; q < LANES; q++) {
        sum->beaten[q] = (int16_t)(sum->beaten[q] + more->beaten[q]);
        sum->matched[q] = (int16_t)(sum->matched[q] + more->matched[q]);
    }
}

/* suit: by pattern; NULL for suits without a flush. */
static void tabulate(const counts *plain, const counts *const suit[4], table *restrict t) {
    for (int hi = 0; hi < 4; hi++) {
        counts sum[4] = {*plain, *plain, *plain, *plain};
        for (int lo = 0; lo < 4; lo++)
            for (int x = 0; x < 4; x++)
                if (suit[x]) add(&suit[x][(hi == x) + 2 * (lo == x)], &sum[lo]);
        for (int q = 0; q < LANES; q++)
            for (int lo = 0; lo < 4; lo++) {
                t->beaten[hi][4 * q + lo] = sum[lo].beaten[q];
                t->matched[hi][4 * q + lo] = sum[lo].matched[q];
            }
    }
}

static void count_all(const spot *s, table *t) {
    ranks r;
    future futures[FUTURES];
    flushes all = {0};
    counts plain = {{0}, {0}}, suited[4][PATTERNS];
    const counts *matters[4] = {NULL};
    view v = view_of(s, -1);
    int n = list_futures(s, &v, 0, futures);
    rank_all(s, futures, n, &r);
    for (const future *f = futures; f < futures + n; f++) count_plain(&r, &v, f, &plain);
    for (int suit = 0; suit < 4; suit++) {
        if (ones(s->board[suit]) + s->ahead < 3) continue;
        memset(suited[suit], 0, sizeof suited[suit]);
        matters[suit] = suited[suit];
        v = view_of(s, suit);
        n = list_futures(s, &v, 3, futures);
        for (const future *f = futures; f < futures + n; f++) count_suited(&r, &v, f, &all, suited[suit]);
    }
    tabulate(&plain, matters, t);
}

/* The standings, a sum for each lower card, so that the order of additions is the same in every form. */
typedef struct {
    double now[3][ROW], then[3][3][ROW];
} sums;

/* The part of a table that belongs to a higher card, by lower card. */
typedef struct {
    const int16_t *beaten, *matched;
} row;

static row row_of(const table *t, int hi) {
    const int suit = bc_suit_of(hi), from = 4 * pair_of(bc_rank_of(hi), 0);
    return (row){&t->beaten[suit][from], &t->matched[suit][from]};
}

/* Add the first n lower cards, by standing now, then by standing later. */
static void weigh_now(const double *restrict weight, row now, int n, double (*restrict sum)[ROW]) {
    for (int i = 0; i < n; i++) {
        sum[BC_AHEAD][i] += weight[i] * now.beaten[i];
        sum[BC_TIED][i] += weight[i] * (now.matched[i] - now.beaten[i]);
        sum[BC_BEHIND][i] += weight[i] * (1 - now.matched[i]);
    }
}

static void weigh_then(const double *restrict weight, row now, row then, int futures, int n,
                       double (*restrict sum)[3][ROW]) {
    for (int i = 0; i < n; i++) {
        const double ahead = weight[i] * now.beaten[i], tied = weight[i] * (now.matched[i] - now.beaten[i]);
        const double behind = weight[i] * (1 - now.matched[i]);
        const double win = then.beaten[i], tie = then.matched[i] - then.beaten[i];
        const double lose = futures - then.matched[i];
        sum[BC_AHEAD][BC_AHEAD][i] += ahead * win;
        sum[BC_AHEAD][BC_TIED][i] += ahead * tie;
        sum[BC_AHEAD][BC_BEHIND][i] += ahead * lose;
        sum[BC_TIED][BC_AHEAD][i] += tied * win;
        sum[BC_TIED][BC_TIED][i] += tied * tie;
        sum[BC_TIED][BC_BEHIND][i] += tied * lose;
        sum[BC_BEHIND][BC_AHEAD][i] += behind * win;
        sum[BC_BEHIND][BC_TIED][i] += behind * tie;
        sum[BC_BEHIND][BC_BEHIND][i] += behind * lose;
    }
}

/* then: NULL without cards to come. */
static void weigh_all(uint64_t known, const table *now, const table *then, int futures, const double *weights,
                      sums *sum) {
    double live[ROW] = {0}, weight[ROW] = {0};
    memset(sum, 0, sizeof *sum);
    for (int card = 0; card < BC_DECK; card++) live[card] = !(known & bc_bit(card));
    for (int hi = 1; hi < BC_DECK; hi++) {
        if (known & bc_bit(hi)) continue;
        const double *given = weights ? weights + bc_holding(hi, 0) : live;
        const int n = (hi + 7) & ~7;
        for (int lo = 0; lo < hi; lo++) weight[lo] = live[lo] * given[lo];
        weigh_now(weight, row_of(now, hi), n, sum->now);
        if (then) weigh_then(weight, row_of(now, hi), row_of(then, hi), futures, n, sum->then);
    }
}

static double total(const double *lanes) {
    double part[8] = {0};
    for (int i = 0; i < ROW; i += 8)
        for (int j = 0; j < 8; j++) part[j] += lanes[i + j];
    return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

int FORM(bc_strengths)(const uint8_t *hole, const uint8_t *board, int n, int ahead,
                       const double *const *weights, int ranges, bc_standings *out) {
    assert(3 <= n && n <= 5 && 0 <= ahead && ahead <= 5 - n);
    static const int ways[3][3] = {
        {0, 0, 0}, {45, 44, 0}, {990, 0, 0}}; /* futures with an opponent, by ahead, n - 3 */
    table now, then;
    sums sum;
    int met = 0;
    spot s = spot_of(hole, board, n, 0);
    count_all(&s, &now);
    s.ahead = ahead;
    if (ahead) count_all(&s, &then);
    for (; met < ranges; met++, out++) {
        weigh_all(s.known, &now, ahead ? &then : NULL, ways[ahead][n - 3], weights[met], &sum);
        for (int x = 0; x < 3; x++) {
            out->now[x] = total(sum.now[x]);
            for (int y = 0; y < 3; y++) out->then[x][y] = total(sum.then[x][y]);
        }
        if (!(out->now[BC_AHEAD] + out->now[BC_TIED] + out->now[BC_BEHIND] > 0)) break;
    }
    return met;
}

double FORM(bc_beaten)(const uint8_t *hole, const uint8_t *board, int n, const double *weights, double *met) {
    assert(3 <= n && n <= 5);
    static const int futures[3] = {990, 44, 1};
    table then;
    double won[ROW] = {0}, all[ROW] = {0};
    const spot s = spot_of(hole, board, n, 5 - n);
    count_all(&s, &then);
    for (int hi = 1; hi < BC_DECK; hi++) {
        if (s.known & bc_bit(hi)) continue;
        const row r = row_of(&then, hi);
        for (int lo = 0; lo < hi; lo++) {
            const double weight = s.known & bc_bit(lo) ? 0 : weights[bc_holding(hi, lo)];
            won[lo] += weight * (r.beaten[lo] + r.matched[lo]);
            all[lo] += weight;
        }
    }
    *met = futures[n - 3] * total(all);
    return total(won) / 2;
}

/* The number of holdings of a pattern and of each pair of ranks. */
static void list_opponents(const view *v, const ranks *r, int pattern, int16_t *number) {
    for (int q = 0; q < PAIRS; q++) {
        const int hi = r->hi[q] + (pattern & 1) * SUITED, lo = r->lo[q] + (pattern >> 1) * SUITED;
        const int twice = r->hi[q] == r->lo[q] && pattern == 2; /* a pair has no lower card */
        number[q] = (int16_t)(twice      ? 0
                              : hi == lo ? v->left[hi] * (v->left[hi] - 1) / 2
                                         : v->left[hi] * v->left[lo]);
    }
}

/* The sum of two for each beaten opponent and one for each tied one. */
static int halves_of(const counts *sum, const int16_t *number) {
    int halves = 0;
    for (int q = 0; q < LANES; q++) halves += number[q] * (int16_t)(sum->beaten[q] + sum->matched[q]);
    return halves;
}

/* Boards by the strength of our hand in halves: two for each beaten opponent, one for each tie. */
typedef struct {
    int halves[PAIRS],
        left[PAIRS]; /* without a flush, by place; and the number of boards still to be added */
    uint64_t sum, squares;
} worths;

static void add_boards(int boards, int halves, worths *w) {
    w->sum += (uint64_t)boards * (uint64_t)halves;
    w->squares += (uint64_t)boards * (uint64_t)halves * (uint64_t)halves;
}

/* Boards on which a player may have a flush in the suit. Boards of one kind have equal values, so the sums
   over opponents are multiples of the number of boards. */
static void add_suited(const spot *s, int suit, const ranks *r, flushes *all, worths *w) {
    future futures[FUTURES];
    int16_t number[PATTERNS][LANES] = {{0}};
    const view v = view_of(s, suit);
    const int n = list_futures(s, &v, 3, futures);
    for (int pattern = 0; pattern < PATTERNS; pattern++) list_opponents(&v, r, pattern, number[pattern]);
    counts sums[PATTERNS] = {{{0}, {0}}};
    for (const future *f = futures; f < futures + n; f++) {
        const int counted = count_suited(r, &v, f, all, sums);
        int more = 0;
        for (int pattern = 0; pattern < PATTERNS; pattern++)
            if (counted >> pattern & 1) {
                more += halves_of(&sums[pattern], number[pattern]);
                memset(&sums[pattern], 0, sizeof sums[pattern]);
            }
        add_boards(f->ways, w->halves[f->place] + more / f->ways, w);
        w->left[f->place] -= f->ways;
    }
}

void FORM(bc_expected_strength)(const uint8_t *hole, const uint8_t *board, int n, double *mean,
                                double *square) {
    assert(3 <= n && n <= 5);
    ranks r;
    future futures[FUTURES];
    flushes all = {0};
    worths w = {{0}, {0}, 0, 0};
    int16_t number[LANES] = {0};
    const spot s = spot_of(hole, board, n, 5 - n);
    const view v = view_of(&s, -1);
    const int listed = list_futures(&s, &v, 0, futures);
    rank_all(&s, futures, listed, &r);
    list_opponents(&v, &r, 0, number);
    int boards = 0;
    for (const future *f = futures; f < futures + listed; f++) {
        counts sum = {{0}, {0}};
        count_plain(&r, &v, f, &sum);
        w.halves[f->place] = halves_of(&sum, number) / f->ways;
        w.left[f->place] = f->ways;
        boards += f->ways;
    }
    for (int suit = 0; suit < 4; suit++)
        if (ones(s.board[suit]) + s.ahead >= 3) add_suited(&s, suit, &r, &all, &w);
    for (int place = 0; place < PAIRS; place++) add_boards(w.left[place], w.halves[place], &w);
    const double most = 2 * 990; /* opponents on a complete board, each worth two halves */
    *mean = (double)w.sum / (most * boards);
    *square = (double)w.squares / (most * most * boards);
}

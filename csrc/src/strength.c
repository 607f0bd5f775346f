#include "baycarp/strength.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

/* Pairs of the 47 cards that are left beside a holding and a flop: the opponents, and the boards to come. */
#define PAIRS 1081

/* Pairs of the 45 cards that are left at the end: the opponents on a complete board. */
#define LAST_PAIRS 990

typedef struct {
    bc_hand hand;
    uint64_t cards;
    double weight;
    int now;
} opponent;

typedef struct {
    bc_hand hole, board;
    uint64_t known;
    int count;
    opponent opponents[PAIRS];
} meeting;

/* Cards that may join the board. */
typedef struct {
    bc_hand hand;
    uint64_t cards;
} future;

static inline int standing(uint16_t ours, uint16_t theirs) {
    return ours > theirs ? BC_AHEAD : ours == theirs ? BC_TIED : BC_BEHIND;
}

/* Meet every holding of weight > 0 that shares no card with ours or the board. */
static void meet(const uint8_t *hole, const uint8_t *board, int n, const double *weights, meeting *m) {
    m->hole = bc_hand_add(bc_hand_card(hole[0]), bc_hand_card(hole[1]));
    m->board = bc_hand_empty();
    m->known = bc_bit(hole[0]) | bc_bit(hole[1]);
    m->count = 0;
    for (int i = 0; i < n; i++) {
        m->board = bc_hand_add(m->board, bc_hand_card(board[i]));
        m->known |= bc_bit(board[i]);
    }
    const uint16_t ours = bc_rank(bc_hand_add(m->board, m->hole));
    for (int hi = 1, index = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, index++) {
            const uint64_t cards = bc_bit(hi) | bc_bit(lo);
            const double weight = weights ? weights[index] : 1;
            if (cards & m->known || !(weight > 0)) continue;
            const bc_hand hand = bc_hand_add(bc_hand_card(hi), bc_hand_card(lo));
            const int now = standing(ours, bc_rank(bc_hand_add(m->board, hand)));
            m->opponents[m->count++] = (opponent){hand, cards, weight, now};
        }
}

/* What `ahead` more cards may be: 0, 1 or 2 of those not known. */
static int list_futures(uint64_t known, int ahead, future *out) {
    int count = 0;
    if (ahead == 0) out[count++] = (future){{0, 0}, 0};
    for (int a = 0; ahead && a < BC_DECK; a++) {
        if (known & bc_bit(a)) continue;
        const bc_hand one = bc_hand_card(a);
        if (ahead == 1) out[count++] = (future){one, bc_bit(a)};
        for (int b = 0; ahead == 2 && b < a; b++)
            if (!(known & bc_bit(b)))
                out[count++] = (future){bc_hand_add(one, bc_hand_card(b)), bc_bit(a) | bc_bit(b)};
    }
    return count;
}

/* Compare once more where the future has joined the board. */
static void compare(const meeting *m, const future *f, double then[3][3]) {
    const bc_hand board = bc_hand_add(m->board, f->hand);
    const uint16_t ours = bc_rank(bc_hand_add(board, m->hole));
    for (const opponent *o = m->opponents; o < m->opponents + m->count; o++)
        if (!(o->cards & f->cards))
            then[o->now][standing(ours, bc_rank(bc_hand_add(board, o->hand)))] += o->weight;
}

bool bc_strength(const uint8_t *hole, const uint8_t *board, int n, int ahead, const double *weights,
                 bc_standings *out) {
    assert(3 <= n && n <= 5 && 0 <= ahead && ahead <= 5 - n);
    meeting m;
    meet(hole, board, n, weights, &m);
    memset(out, 0, sizeof *out);
    for (const opponent *o = m.opponents; o < m.opponents + m.count; o++) out->now[o->now] += o->weight;
    if (ahead == 0 || m.count == 0) return m.count > 0;

    future futures[PAIRS];
    const int count = list_futures(m.known, ahead, futures);
    for (int i = 0; i < count; i++) compare(&m, &futures[i], out->then);
    return true;
}

double bc_hs(const bc_standings *s) {
    return (s->now[BC_AHEAD] + s->now[BC_TIED] / 2) /
           (s->now[BC_AHEAD] + s->now[BC_TIED] + s->now[BC_BEHIND]);
}

/* The chance to get from one side of a tie to the other, half steps counted half. */
static double crossing(const bc_standings *s, int from, int to) {
    double total[3];
    for (int x = 0; x < 3; x++) total[x] = s->then[x][BC_AHEAD] + s->then[x][BC_TIED] + s->then[x][BC_BEHIND];
    const double outcomes = total[from] + total[BC_TIED] / 2;
    const double crossed = s->then[from][to] + s->then[from][BC_TIED] / 2 + s->then[BC_TIED][to] / 2;
    return outcomes > 0 ? crossed / outcomes : 0;
}

double bc_ppot(const bc_standings *s) {
    return crossing(s, BC_BEHIND, BC_AHEAD);
}

double bc_npot(const bc_standings *s) {
    return crossing(s, BC_AHEAD, BC_BEHIND);
}

/* Two for each opponent of a meeting that ours beats on a complete board, one for a tie. */
static uint64_t half_wins(const meeting *m, const future *f) {
    const bc_hand board = bc_hand_add(m->board, f->hand);
    const uint16_t ours = bc_rank(bc_hand_add(board, m->hole));
    uint64_t halves = 0;
    for (const opponent *o = m->opponents; o < m->opponents + m->count; o++)
        if (!(o->cards & f->cards)) {
            const uint16_t theirs = bc_rank(bc_hand_add(board, o->hand));
            halves += (uint64_t)(ours > theirs) + (uint64_t)(ours >= theirs);
        }
    return halves;
}

void bc_expected_strength(const uint8_t *hole, const uint8_t *board, int n, double *mean, double *square) {
    assert(3 <= n && n <= 5);
    meeting m;
    future futures[PAIRS];
    meet(hole, board, n, NULL, &m);
    const int count = list_futures(m.known, 5 - n, futures);
    uint64_t sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t halves = half_wins(&m, &futures[i]);
        sum += halves;
        squares += halves * halves;
    }
    const double most = 2 * LAST_PAIRS;
    *mean = (double)sum / (most * count);
    *square = (double)squares / (most * most * count);
}

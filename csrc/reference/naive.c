#include "naive.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

/* The unknown cards, and hands of the known ones. */
typedef struct {
    uint64_t known;
    bc_hand ours, board; /* ours: with the board */
    int count, ahead;
    uint8_t deck[BC_DECK];
} spot;

/* Our rank beside each future, by the places of its cards in the deck. */
typedef struct {
    uint16_t rank[BC_DECK][BC_DECK];
} own;

static spot spot_of(const uint8_t *hole, const uint8_t *board, int n, int ahead) {
    spot s = {.board = bc_hand_of(board, n), .ahead = ahead};
    s.ours = bc_hand_add(s.board, bc_hand_add(bc_hand_card(hole[0]), bc_hand_card(hole[1])));
    for (int i = 0; i < 2 + n; i++) s.known |= bc_bit(i < 2 ? hole[i] : board[i - 2]);
    for (int card = 0; card < BC_DECK; card++)
        if (!(s.known & bc_bit(card))) s.deck[s.count++] = (uint8_t)card;
    return s;
}

static inline int standing(uint16_t ours, uint16_t theirs) {
    return ours > theirs ? BC_AHEAD : ours == theirs ? BC_TIED : BC_BEHIND;
}

/* Inlined with `shared` and `ahead` constant. */
static inline void count_futures(const spot *s, const own *o, bool shared, int ahead, bc_hand theirs, int i,
                                 int j, int count[3]) {
    for (int a = 0; a < s->count; a++) {
        if (a == i || a == j) continue;
        const bc_hand one = bc_hand_card(s->deck[a]);
        const bc_hand mine = bc_hand_add(s->ours, one), other = bc_hand_add(theirs, one);
        if (ahead == 1) count[standing(shared ? o->rank[a][0] : bc_rank(mine), bc_rank(other))]++;
        for (int b = 0; ahead == 2 && b < a; b++) {
            if (b == i || b == j) continue;
            const bc_hand two = bc_hand_card(s->deck[b]);
            const uint16_t rank = shared ? o->rank[a][b] : bc_rank(bc_hand_add(mine, two));
            count[standing(rank, bc_rank(bc_hand_add(other, two)))]++;
        }
    }
}

static void rank_own(const spot *s, own *o) {
    for (int a = 0; a < s->count; a++) {
        const bc_hand one = bc_hand_add(s->ours, bc_hand_card(s->deck[a]));
        if (s->ahead == 1) o->rank[a][0] = bc_rank(one);
        for (int b = 0; s->ahead == 2 && b < a; b++)
            o->rank[a][b] = bc_rank(bc_hand_add(one, bc_hand_card(s->deck[b])));
    }
}

bool bc_naive_strength(const uint8_t *hole, const uint8_t *board, int n, int ahead, const double *weights,
                       bool shared, bc_standings *out) {
    assert(3 <= n && n <= 5 && 0 <= ahead && ahead <= 5 - n);
    const spot s = spot_of(hole, board, n, ahead);
    const uint16_t ours = bc_rank(s.ours);
    own o;
    memset(out, 0, sizeof *out);
    if (shared) rank_own(&s, &o);
    for (int i = 0; i < s.count; i++)
        for (int j = 0; j < i; j++) {
            const double weight = weights ? weights[bc_holding(s.deck[i], s.deck[j])] : 1;
            if (!(weight > 0)) continue;
            const bc_hand held = bc_hand_add(bc_hand_card(s.deck[i]), bc_hand_card(s.deck[j]));
            const bc_hand theirs = bc_hand_add(s.board, held);
            const int now = standing(ours, bc_rank(theirs));
            int count[3] = {0};
            if (ahead == 1 && shared) count_futures(&s, &o, true, 1, theirs, i, j, count);
            if (ahead == 1 && !shared) count_futures(&s, &o, false, 1, theirs, i, j, count);
            if (ahead == 2 && shared) count_futures(&s, &o, true, 2, theirs, i, j, count);
            if (ahead == 2 && !shared) count_futures(&s, &o, false, 2, theirs, i, j, count);
            out->now[now] += weight;
            for (int then = 0; then < 3; then++) out->then[now][then] += weight * count[then];
        }
    return out->now[0] + out->now[1] + out->now[2] > 0;
}

/* Two halves for each holding that ours beats on a complete board, one for a tie. */
static uint64_t half_wins(const spot *s, const bc_hand *held, const uint64_t *cards, int holdings,
                          bc_hand comes, uint64_t coming) {
    const bc_hand board = bc_hand_add(s->board, comes);
    const uint16_t ours = bc_rank(bc_hand_add(s->ours, comes));
    uint64_t halves = 0;
    for (int h = 0; h < holdings; h++)
        if (!(cards[h] & coming)) {
            const uint16_t theirs = bc_rank(bc_hand_add(board, held[h]));
            halves += (uint64_t)(ours > theirs) + (uint64_t)(ours >= theirs);
        }
    return halves;
}

void bc_naive_expected_strength(const uint8_t *hole, const uint8_t *board, int n, double *mean,
                                double *square) {
    assert(3 <= n && n <= 5);
    const spot s = spot_of(hole, board, n, 5 - n);
    bc_hand held[BC_HOLDINGS + 1 + BC_DECK]; /* pairs, then none and the single cards: what may come */
    uint64_t cards[BC_HOLDINGS + 1 + BC_DECK];
    int pairs = 0, count;
    for (int i = 0; i < s.count; i++)
        for (int j = 0; j < i; j++, pairs++) {
            held[pairs] = bc_hand_add(bc_hand_card(s.deck[i]), bc_hand_card(s.deck[j]));
            cards[pairs] = bc_bit(s.deck[i]) | bc_bit(s.deck[j]);
        }
    count = pairs;
    held[count] = (bc_hand){0, 0}, cards[count++] = 0;
    for (int i = 0; i < s.count; i++, count++)
        held[count] = bc_hand_card(s.deck[i]), cards[count] = bc_bit(s.deck[i]);
    const int from = s.ahead == 2 ? 0 : s.ahead == 0 ? pairs : pairs + 1;
    const int to = s.ahead == 2 ? pairs : s.ahead == 0 ? pairs + 1 : count;
    uint64_t sum = 0, squares = 0;
    for (int f = from; f < to; f++) {
        const uint64_t halves = half_wins(&s, held, cards, pairs, held[f], cards[f]);
        sum += halves;
        squares += halves * halves;
    }
    const double most = 2 * 990; /* opponents on a complete board, each worth two halves */
    *mean = (double)sum / (most * (to - from));
    *square = (double)squares / (most * most * (to - from));
}

#include "baycarp/sweep.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

/* The holdings that a board leaves, in the order of their number. */
typedef struct {
    int count;
    uint16_t holding[BC_HOLDINGS];
    uint8_t card[BC_HOLDINGS][2];
    uint16_t rank[BC_HOLDINGS];
} live;

static void rank_all(const uint8_t *board, int n, live *all) {
    bc_hand base = bc_hand_empty();
    uint64_t known = 0;
    for (int i = 0; i < n; i++) {
        base = bc_hand_add(base, bc_hand_card(board[i]));
        known |= bc_bit(board[i]);
    }
    all->count = 0;
    for (int hi = 1; hi < BC_DECK; hi++) {
        if (known >> hi & 1) continue;
        bc_hand with = bc_hand_add(base, bc_hand_card(hi));
        for (int lo = 0; lo < hi; lo++) {
            if (known >> lo & 1) continue;
            int i = all->count++;
            all->holding[i] = (uint16_t)bc_holding(hi, lo);
            all->card[i][0] = (uint8_t)hi;
            all->card[i][1] = (uint8_t)lo;
            all->rank[i] = bc_rank(bc_hand_add(with, bc_hand_card(lo)));
        }
    }
}

/* The same order in 16 signed bits. */
static int16_t signed_rank(uint16_t rank) {
    return (int16_t)(rank - 32768);
}

/* order[]: places in `all` by rising rank; two counting passes over bytes. */
static void sort_by_rank(const live *all, uint16_t *order) {
    uint16_t half[BC_HOLDINGS], from[2][257];
    memset(from, 0, sizeof from);
    for (int i = 0; i < all->count; i++) {
        from[0][(all->rank[i] & 255) + 1]++;
        from[1][(all->rank[i] >> 8) + 1]++;
    }
    for (int byte = 0; byte < 256; byte++) {
        from[0][byte + 1] = (uint16_t)(from[0][byte + 1] + from[0][byte]);
        from[1][byte + 1] = (uint16_t)(from[1][byte + 1] + from[1][byte]);
    }
    for (int i = 0; i < all->count; i++) half[from[0][all->rank[i] & 255]++] = (uint16_t)i;
    for (int i = 0; i < all->count; i++) order[from[1][all->rank[half[i]] >> 8]++] = half[i];
}

/* Weight passed: in all, and by card. */
typedef struct {
    double all, by_card[BC_DECK];
} passed;

static void pass(passed *sum, const uint8_t *card, double weight) {
    sum->all += weight;
    sum->by_card[card[0]] += weight;
    sum->by_card[card[1]] += weight;
}

/* What of it shares no card with the holding, but for the holding itself. */
static double apart(const passed *sum, const uint8_t *card) {
    return sum->all - sum->by_card[card[0]] - sum->by_card[card[1]];
}

static double weight_of(const double *weights, int holding) {
    return weights ? weights[holding] : 1.0;
}

/* hs by place in `all`. */
static void strengths(const live *all, const double *weights, double *hs) {
    uint16_t order[BC_HOLDINGS];
    double beaten[BC_HOLDINGS];
    passed total = {0}, below = {0};
    sort_by_rank(all, order);
    for (int i = 0; i < all->count; i++) pass(&total, all->card[i], weight_of(weights, all->holding[i]));
    for (int from = 0, to; from < all->count; from = to) {
        uint16_t rank = all->rank[order[from]];
        for (to = from; to < all->count && all->rank[order[to]] == rank; to++)
            beaten[order[to]] = apart(&below, all->card[order[to]]);
        for (int i = from; i < to; i++)
            pass(&below, all->card[order[i]], weight_of(weights, all->holding[order[i]]));
        for (int i = from; i < to; i++) {
            const uint8_t *card = all->card[order[i]];
            double own = weight_of(weights, all->holding[order[i]]);
            double matched = apart(&below, card) + own, rivals = apart(&total, card) + own;
            hs[order[i]] = rivals > 0 ? (beaten[order[i]] + matched) / (2 * rivals) : NAN;
        }
    }
}

static void fill_nan(double *array) {
    for (int i = 0; i < BC_HOLDINGS; i++) array[i] = NAN;
}

void bc_sweep(const uint8_t *board, int n, const double *weights, double *hs) {
    assert(n >= 3 && n <= 5);
    live all;
    double at[BC_HOLDINGS];
    rank_all(board, n, &all);
    strengths(&all, weights, at);
    fill_nan(hs);
    for (int i = 0; i < all.count; i++) hs[all.holding[i]] = at[i];
}

/* Potentials. A pair stands at 1 (ahead), 0 (tied) or -1 (behind), now and after the next card; the rise of
   that figure, summed over pairs and cards, is twice PPot's numerator, its fall twice NPot's.

   Holdings that rank alike now and then form a class, and there are some hundred classes: so a holding is
   compared with classes first, and then the few holdings that share a card with it are taken off. All in 16
   bits, without branches, so that the loops run in lanes; no sum exceeds twice the holdings. */
typedef struct {
    int16_t now[BC_HOLDINGS], then[BC_HOLDINGS], size[BC_HOLDINGS];
    int count;
} standings;

typedef struct {
    int16_t rise, fall, ahead, tied, pairs;
} row;

static row compare(int16_t now, int16_t then, const standings *with) {
    int16_t rise = 0, fall = 0, ahead = 0, tied = 0, pairs = 0;
    for (int j = 0; j < with->count; j++) {
        int16_t size = with->size[j];
        int16_t before = (int16_t)((now > with->now[j]) - (now < with->now[j]));
        int16_t change = (int16_t)((then > with->then[j]) - (then < with->then[j]) - before);
        rise = (int16_t)(rise + (change > 0 ? change : 0) * size);
        fall = (int16_t)(fall - (change < 0 ? change : 0) * size);
        ahead = (int16_t)(ahead + (before > 0 ? size : 0));
        tied = (int16_t)(tied + (before == 0 ? size : 0));
        pairs = (int16_t)(pairs + size);
    }
    return (row){rise, fall, ahead, tied, pairs};
}

static void enlist(standings *list, int16_t now, int16_t then) {
    int last = list->count - 1;
    if (last >= 0 && list->now[last] == now && list->then[last] == then) {
        list->size[last]++;
        return;
    }
    list->now[list->count] = now;
    list->then[list->count] = then;
    list->size[list->count++] = 1;
}

/* The holdings as classes, and the class of each. */
static void classify(const live *all, const live *before, standings *classes, int16_t *class_of) {
    uint16_t by_then[BC_HOLDINGS], by_now[BC_HOLDINGS];
    live sorted;
    sort_by_rank(all, by_then);
    sorted.count = all->count;
    for (int i = 0; i < all->count; i++) sorted.rank[i] = before->rank[by_then[i]];
    sort_by_rank(&sorted, by_now);
    classes->count = 0;
    for (int k = 0; k < all->count; k++) {
        int i = by_then[by_now[k]];
        enlist(classes, signed_rank(before->rank[i]), signed_rank(all->rank[i]));
        class_of[i] = (int16_t)(classes->count - 1);
    }
}

typedef struct {
    int32_t rise[BC_HOLDINGS], fall[BC_HOLDINGS], ahead[BC_HOLDINGS], tied[BC_HOLDINGS], behind[BC_HOLDINGS];
} moves;

/* One next card: `all` ranks the holdings after it, `before` the same ones before it. */
static void count_moves(const live *all, const live *before, moves *sum) {
    standings classes, mates[BC_DECK];
    int16_t class_of[BC_HOLDINGS];
    row rows[BC_HOLDINGS];
    classify(all, before, &classes, class_of);
    for (int c = 0; c < classes.count; c++) rows[c] = compare(classes.now[c], classes.then[c], &classes);
    for (int card = 0; card < BC_DECK; card++) mates[card].count = 0;
    for (int i = 0; i < all->count; i++)
        for (int side = 0; side < 2; side++)
            enlist(&mates[all->card[i][side]], signed_rank(before->rank[i]), signed_rank(all->rank[i]));
    for (int i = 0; i < all->count; i++) {
        int16_t now = signed_rank(before->rank[i]), then = signed_rank(all->rank[i]);
        row met = rows[class_of[i]];
        row first = compare(now, then, &mates[all->card[i][0]]);
        row second = compare(now, then, &mates[all->card[i][1]]);
        int h = all->holding[i];
        int ahead = met.ahead - first.ahead - second.ahead;
        int tied = met.tied - first.tied - second.tied + 1; /* itself was taken off under both of its cards */
        sum->rise[h] += met.rise - first.rise - second.rise;
        sum->fall[h] += met.fall - first.fall - second.fall;
        sum->ahead[h] += ahead;
        sum->tied[h] += tied;
        sum->behind[h] += met.pairs - first.pairs - second.pairs + 1 - ahead - tied;
    }
}

void bc_sweep_potential(const uint8_t *board, int n, double *hs, double *ppot, double *npot) {
    assert(n == 3 || n == 4);
    live today, before, all;
    moves sum;
    uint16_t rank_now[BC_HOLDINGS];
    uint8_t next[5];
    uint64_t known = 0;
    memset(&sum, 0, sizeof sum);
    for (int i = 0; i < n; i++) known |= bc_bit(board[i]);
    memcpy(next, board, (size_t)n);
    bc_sweep(board, n, NULL, hs);
    rank_all(board, n, &today);
    for (int i = 0; i < today.count; i++) rank_now[today.holding[i]] = today.rank[i];
    for (int card = 0; card < BC_DECK; card++) {
        if (known >> card & 1) continue;
        next[n] = (uint8_t)card;
        rank_all(next, n + 1, &all);
        for (int i = 0; i < all.count; i++) before.rank[i] = rank_now[all.holding[i]];
        count_moves(&all, &before, &sum);
    }
    fill_nan(ppot);
    fill_nan(npot);
    for (int i = 0; i < today.count; i++) {
        int h = today.holding[i];
        double risk = 2.0 * sum.ahead[h] + sum.tied[h], hope = 2.0 * sum.behind[h] + sum.tied[h];
        ppot[h] = hope > 0 ? sum.rise[h] / hope : 0.0;
        npot[h] = risk > 0 ? sum.fall[h] / risk : 0.0;
    }
}

typedef struct {
    const double *weights;
    double *mean, *square;
    int32_t count[BC_HOLDINGS];
} expectation;

static void add_final(const uint8_t *board, expectation *sum) {
    live all;
    double hs[BC_HOLDINGS];
    rank_all(board, 5, &all);
    strengths(&all, sum->weights, hs);
    for (int i = 0; i < all.count; i++) {
        int h = all.holding[i];
        if (isnan(hs[i])) continue;
        sum->mean[h] += hs[i];
        sum->square[h] += hs[i] * hs[i];
        sum->count[h]++;
    }
}

static void complete(uint8_t *board, int n, int from, uint64_t known, expectation *sum) {
    if (n == 5) {
        add_final(board, sum);
        return;
    }
    for (int card = from; card < BC_DECK; card++) {
        if (known >> card & 1) continue;
        board[n] = (uint8_t)card;
        complete(board, n + 1, card + 1, known, sum);
    }
}

void bc_sweep_expected(const uint8_t *board, int n, const double *weights, double *mean, double *square) {
    assert(n >= 3 && n <= 5);
    expectation sum = {weights, mean, square, {0}};
    uint8_t full[5];
    uint64_t known = 0;
    for (int i = 0; i < n; i++) known |= bc_bit(board[i]);
    memcpy(full, board, (size_t)n);
    memset(mean, 0, BC_HOLDINGS * sizeof *mean);
    memset(square, 0, BC_HOLDINGS * sizeof *square);
    complete(full, n, 0, known, &sum);
    for (int h = 0; h < BC_HOLDINGS; h++) {
        mean[h] = sum.count[h] ? mean[h] / sum.count[h] : NAN;
        square[h] = sum.count[h] ? square[h] / sum.count[h] : NAN;
    }
}

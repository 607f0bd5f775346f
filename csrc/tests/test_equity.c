/* All-in equity beside the sum over all pairs and all boards, and beside figures counted elsewhere. */
#include "baycarp/equity.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"
#include "baycarp/rng.h"

/* Random whole weights; `sparse`: about one holding in so many has any. */
static void draw(bc_rng *rng, uint32_t sparse, double *weights) {
    for (int i = 0; i < BC_HOLDINGS; i++)
        weights[i] = bc_rng_below(rng, sparse) ? 0 : (double)bc_rng_below(rng, 64);
}

static bc_shares of(const double *a, const double *b, const uint8_t *board, int n) {
    bc_shares sum = {0, 0};
    bc_equity(a, b, board, n, 0, &sum);
    return sum;
}

/* One complete board, pair by pair. */
static void add_naive(const double *a, const double *b, const uint8_t *board, bc_shares *sum) {
    uint8_t first[7], second[7];
    memcpy(first + 2, board, 5);
    memcpy(second + 2, board, 5);
    uint64_t used = 0;
    for (int i = 0; i < 5; i++) used |= bc_bit(board[i]);
    for (int hi = 1; hi < 52; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const uint64_t held = bc_bit(hi) | bc_bit(lo);
            if (used & held || a[bc_holding(hi, lo)] == 0) continue;
            first[0] = (uint8_t)hi, first[1] = (uint8_t)lo;
            const uint16_t ours = bc_rank_cards(first, 7);
            for (int high = 1; high < 52; high++)
                for (int low = 0; low < high; low++) {
                    const double weight = a[bc_holding(hi, lo)] * b[bc_holding(high, low)];
                    if ((used | held) & (bc_bit(high) | bc_bit(low)) || weight == 0) continue;
                    second[0] = (uint8_t)high, second[1] = (uint8_t)low;
                    const uint16_t theirs = bc_rank_cards(second, 7);
                    sum->won += ours > theirs ? weight : ours == theirs ? weight / 2 : 0;
                    sum->total += weight;
                }
        }
}

static void check(bc_shares found, bc_shares expected) {
    assert(found.total == expected.total && fabs(found.won - expected.won) <= 1e-14 * expected.won);
}

static void test_river(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 5);
    const uint8_t boards[][5] = {
        {41, 23, 0, 3, 50},  /* nothing */
        {2, 6, 10, 14, 27},  /* four to a straight flush */
        {35, 39, 43, 47, 51} /* everybody ties */
    };
    for (int i = 0; i < 3; i++) {
        const uint32_t sparse[] = {1, 3, 500};
        for (int j = 0; j < 9; j++) {
            double a[BC_HOLDINGS], b[BC_HOLDINGS];
            draw(&rng, sparse[j / 3], a);
            draw(&rng, sparse[j % 3], b);
            bc_shares expected = {0, 0};
            add_naive(a, b, boards[i], &expected);
            check(of(a, b, boards[i], 5), expected);
        }
    }
}

static void test_flop(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 3);
    double a[BC_HOLDINGS], b[BC_HOLDINGS];
    draw(&rng, 100, a);
    draw(&rng, 100, b);
    uint8_t board[5] = {41, 21, 0};
    bc_shares expected = {0, 0};
    for (int turn = 0; turn < 52; turn++)
        for (int river = 0; river < turn; river++) {
            if ((bc_bit(turn) | bc_bit(river)) & (bc_bit(41) | bc_bit(21) | bc_bit(0))) continue;
            board[3] = (uint8_t)turn, board[4] = (uint8_t)river;
            add_naive(a, b, board, &expected);
        }
    check(of(a, b, board, 3), expected);

    bc_shares parts = {0, 0};
    for (int card = 0; card < 52; card++) {
        if (card == 41 || card == 21 || card == 0) continue;
        board[3] = (uint8_t)card;
        bc_equity(a, b, board, 4, card + 1, &parts);
    }
    check(parts, expected);
}

/* AhAd against KsKc: of 1,712,304 boards 1,388,072 won and 6,538 tied, as eval7 counts them. */
static void test_preflop(void) {
    double a[BC_HOLDINGS] = {0}, b[BC_HOLDINGS] = {0};
    a[bc_holding(50, 49)] = b[bc_holding(47, 44)] = 1;
    const bc_shares sum = of(a, b, NULL, 0);
    assert(sum.total == 1712304);
    assert(sum.won == 1388072 + 6538 / 2.0);
}

/* Two ranges that are the same one holding, or that the board has taken, never meet. */
static void test_no_pair(void) {
    double a[BC_HOLDINGS] = {0}, b[BC_HOLDINGS] = {0};
    const uint8_t board[] = {41, 21, 0};
    a[bc_holding(50, 49)] = b[bc_holding(50, 44)] = 1;
    check(of(a, b, board, 3), (bc_shares){0, 0});
    b[bc_holding(50, 44)] = 0, b[bc_holding(41, 40)] = 1;
    check(of(a, b, board, 3), (bc_shares){0, 0});
}

int main(void) {
    test_river();
    test_flop();
    test_preflop();
    test_no_pair();
    return 0;
}

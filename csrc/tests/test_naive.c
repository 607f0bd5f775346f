/* The definitions against a simpler loop that ranks hands card by card, and against the counts of the example
   hands of Papp (1998), section 5.2. */
#include "naive.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"
#include "baycarp/rng.h"
#include "deal.h"
#include "worked_hands.h"

static void test_worked_hands(void) {
    bc_standings adqc, draw;
    assert(bc_naive_strength(ADQC, JACK_HIGH, 3, 2, NULL, true, &adqc));
    assert(bc_naive_strength(DRAW, NINE_HIGH, 3, 1, NULL, true, &draw));
    check_worked_hands(&adqc, &draw);
}

static int compared(uint16_t ours, uint16_t theirs) {
    return ours > theirs ? BC_AHEAD : ours == theirs ? BC_TIED : BC_BEHIND;
}

/* Unger (2011), figure 6.4, with the totals of Billings et al. mine and other: the holding and n +
   ahead board cards each. */
static void naive(uint8_t *mine, int n, int ahead, const double *weights, bc_standings *out) {
    uint64_t known = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 2 + n; i++) known |= bc_bit(mine[i]);
    uint8_t other[7];
    memcpy(other, mine, sizeof other);
    for (int hi = 1; hi < 52; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const uint64_t held = known | bc_bit(hi) | bc_bit(lo);
            const double weight = weights[bc_holding(hi, lo)];
            if (known & (bc_bit(hi) | bc_bit(lo))) continue;
            other[0] = (uint8_t)hi, other[1] = (uint8_t)lo;
            const int now = compared(bc_rank_cards(mine, 2 + n), bc_rank_cards(other, 2 + n));
            out->now[now] += weight;
            for (int a = 0; ahead > 0 && a < 52; a++)
                for (int b = ahead == 1 ? 51 : 0; b < 52; b++) {
                    if (held & bc_bit(a) || (ahead == 2 && (b <= a || held & bc_bit(b)))) continue;
                    mine[2 + n] = other[2 + n] = (uint8_t)a;
                    if (ahead == 2) mine[6] = other[6] = (uint8_t)b;
                    const int end = 2 + n + ahead;
                    out->then[now][compared(bc_rank_cards(mine, end), bc_rank_cards(other, end))] += weight;
                }
        }
}

/* Integer weights, so every sum must be equal bit for bit. */
static void test_random_spots(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 1998);
    for (int spot = 0; spot < 60; spot++) {
        const int n = 3 + spot % 3, left = 5 - n, ahead = spot % 20 ? left < 1 ? left : 1 : left;
        uint8_t cards[7];
        double weights[BC_HOLDINGS];
        deal(&rng, 4, cards, 2 + n);
        for (int i = 0; i < BC_HOLDINGS; i++)
            weights[i] = bc_rng_below(&rng, 3) ? 0 : (double)bc_rng_below(&rng, 256);
        bc_standings found, expected;
        naive(cards, n, ahead, weights, &expected);
        for (int shared = 0; shared < 2; shared++) {
            assert(bc_naive_strength(cards, cards + 2, n, ahead, weights, shared, &found));
            assert(memcmp(&found, &expected, sizeof found) == 0);
        }
    }
}

/* The mean, over all complete boards, of strength on each. */
static void test_expected_strength(void) {
    for (int n = 3; n <= 5; n++) {
        uint8_t board[5] = {6, 8, 38, 0, 4};
        double mean, square, sum = 0, squares = 0;
        int boards = 0;
        bc_naive_expected_strength(ADQC, board, n, &mean, &square);
        uint64_t known = bc_bit(49) | bc_bit(40);
        for (int i = 0; i < n; i++) known |= bc_bit(board[i]);
        for (int a = 0; a < (n < 5 ? 52 : 1); a++)
            for (int b = 0; b < (n < 4 ? a : 1); b++) {
                if ((n < 5 && known & bc_bit(a)) || (n < 4 && known & bc_bit(b))) continue;
                bc_standings s;
                if (n < 5) board[n] = (uint8_t)a;
                if (n < 4) board[4] = (uint8_t)b;
                bc_naive_strength(ADQC, board, 5, 0, NULL, false, &s);
                sum += bc_hs(&s);
                squares += bc_hs(&s) * bc_hs(&s);
                boards++;
            }
        assert(boards == (n == 3 ? 1081 : n == 4 ? 46 : 1));
        assert(fabs(mean - sum / boards) < 1e-12 && fabs(square - squares / boards) < 1e-12);
    }
}

int main(void) {
    test_worked_hands();
    test_random_spots();
    test_expected_strength();
    return 0;
}

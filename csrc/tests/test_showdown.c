/* The sums over all boards against single boards, with and without twins, whole and in parts. Single boards
   are tested with sweep.h, all boards also with equity.h. */
#include "baycarp/showdown.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

static enum bc_simd level; /* each in turn */

/* Weights independent of suits, so that any two may be twins. */
static void weigh(double *weights) {
    for (int hi = 1, i = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, i++)
            weights[i] = 1 + hi / 4 * 13 + lo / 4 + (hi % 4 == lo % 4 ? 500 : 0);
}

static uint64_t cards_of[BC_HOLDINGS];

static bool blocked(int i, uint64_t cards) {
    return cards_of[i] & cards;
}

static void check(const bc_showdowns *found, const double *expected) {
    for (int i = 0; i < BC_HOLDINGS; i++) assert(blocked(i, found->out) || found->sum[i] == expected[i]);
}

static void add_board(const uint8_t *board, const double *weights, double *sum) {
    bc_showdowns s;
    bc_showdowns_start(board, 5, 0, weights, &s);
    bc_showdowns_run(level, &s);
    for (int i = 0; i < BC_HOLDINGS; i++) sum[i] += blocked(i, s.out) ? 0 : s.sum[i];
}

/* Every completion of a flop. */
static void test_boards(const uint8_t *flop, const uint8_t *twins) {
    double weights[BC_HOLDINGS], expected[BC_HOLDINGS] = {0}, parts[BC_HOLDINGS] = {0};
    uint8_t board[5];
    bc_showdowns s;
    weigh(weights);
    memcpy(board, flop, 3);
    for (int turn = 0; turn < BC_DECK; turn++)
        for (int river = 0; river < turn; river++) {
            board[3] = (uint8_t)turn, board[4] = (uint8_t)river;
            if (!memchr(flop, turn, 3) && !memchr(flop, river, 3)) add_board(board, weights, expected);
        }
    bc_showdowns_start(flop, 3, 2, weights, &s);
    bc_showdowns_run(level, &s);
    check(&s, expected);

    bc_showdowns_start(flop, 3, 2, weights, &s);
    bc_showdowns_twins(&s);
    assert(memcmp(s.twin, twins, 4) == 0);
    bc_showdowns_run(level, &s);
    bc_showdowns_spread(&s, s.sum);
    check(&s, expected);

    for (int rank = 0; rank < 13; rank++) {
        bc_showdowns_start(flop, 3, 2, weights, &s);
        s.lowest = rank;
        bc_showdowns_run(level, &s);
        for (int i = 0; i < BC_HOLDINGS; i++) parts[i] += s.sum[i];
    }
    memcpy(s.sum, parts, sizeof parts);
    check(&s, expected);
}

static double pairs_of(int cards) {
    return cards * (cards - 1) / 2;
}

/* Boards on which a holding has no rival: against all holdings none; against a single holding all boards if
   they share a card, otherwise those with a card of it. */
static void test_unmet(void) {
    const uint8_t flop[] = {2, 22, 38};
    const int lone = bc_holding(41, 9);
    double weights[BC_HOLDINGS] = {[0] = 0};
    bc_showdowns s;
    weights[lone] = 3;
    for (int spot = 0; spot < 4; spot++) {
        bc_showdowns_start(flop, 3, 2, spot & 1 ? weights : NULL, &s);
        s.tally = BC_STRENGTHS;
        s.held = spot & 2 ? bc_bit(51) : 0;
        bc_showdowns_run(level, &s);
        for (int i = 0; i < BC_HOLDINGS; i++) {
            const int left = s.held && !blocked(i, s.held) ? 46 : 47;
            const double met = !(spot & 1)                  ? pairs_of(left)
                               : blocked(i, cards_of[lone]) ? 0
                                                            : pairs_of(left - 2);
            assert(blocked(i, s.out) || s.unmet[i] == pairs_of(left) - met);
        }
    }
}

/* A swap prevented by another array or by a removed card. */
static void test_twins(void) {
    const uint8_t flop[] = {43, 21, 0}, none[] = {0, 1, 2, 3}, low[] = {0, 0, 2, 3};
    double weights[BC_HOLDINGS], others[BC_HOLDINGS];
    bc_showdowns s;
    weigh(weights);
    weigh(others);
    bc_showdowns_start(flop, 0, 5, weights, &s);
    s.others = others;
    bc_showdowns_twins(&s);
    assert(memcmp(s.twin, (uint8_t[]){0, 0, 0, 0}, 4) == 0);
    others[bc_holding(50, 47)] = 7; /* AhKs */
    bc_showdowns_start(flop, 0, 5, weights, &s);
    s.others = others;
    bc_showdowns_twins(&s);
    assert(memcmp(s.twin, low, 4) == 0);
    s.held = bc_bit(1);
    for (uint8_t suit = 0; suit < 4; suit++) s.twin[suit] = suit;
    bc_showdowns_twins(&s);
    assert(memcmp(s.twin, none, 4) == 0);
}

int main(void) {
    for (int hi = 1, i = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) cards_of[i++] = bc_bit(hi) | bc_bit(lo);
    for (int l = BC_BASE; l <= (int)bc_simd_best(); l++) {
        level = (enum bc_simd)l;
        if (l == BC_BASE) test_boards((uint8_t[]){43, 21, 0}, (uint8_t[]){0, 1, 2, 3});
        if (l == BC_AVX2) test_boards((uint8_t[]){42, 41, 40}, (uint8_t[]){0, 0, 0, 3});
        if (l == BC_AVX512) test_boards((uint8_t[]){30, 18, 2}, (uint8_t[]){0, 0, 2, 0});
        if (l == (int)bc_simd_best()) test_boards((uint8_t[]){42, 30, 10}, (uint8_t[]){0, 0, 2, 0});
        test_unmet();
    }
    test_twins();
    return 0;
}

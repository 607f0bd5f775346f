/* The tables against an enumeration of boards, and the sums over ranges against sums over pairs. */
#include "baycarp/preflop.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "baycarp/rank.h"
#include "baycarp/rng.h"

static const int aces_and_kings[] = {50, 49, 47, 44};

/* Boards won minus boards lost, over every board without the four cards. */
static int32_t enumerated(const int *c) {
    uint8_t deck[48];
    int n = 0, lead = 0;
    for (int card = 0; card < BC_DECK; card++)
        if (card != c[0] && card != c[1] && card != c[2] && card != c[3]) deck[n++] = (uint8_t)card;
    const bc_hand a = bc_hand_add(bc_hand_card(c[0]), bc_hand_card(c[1]));
    const bc_hand b = bc_hand_add(bc_hand_card(c[2]), bc_hand_card(c[3]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++)
                for (int l = 0; l < k; l++)
                    for (int m = 0; m < l; m++) {
                        const uint8_t board[5] = {deck[i], deck[j], deck[k], deck[l], deck[m]};
                        const bc_hand table = bc_hand_of(board, 5);
                        const int ours = bc_rank(bc_hand_add(table, a)),
                                  theirs = bc_rank(bc_hand_add(table, b));
                        lead += (ours > theirs) - (ours < theirs);
                    }
    return lead;
}

static void test_matchups(void) {
    /* Known counts: aces against kings win 1,388,072 boards and tie 6,538. */
    assert(bc_preflop_matchup(50, 49, 47, 44) == 1388072 - (BC_BOARDS - 1388072 - 6538));
    assert(enumerated(aces_and_kings) == 1070378);
    bc_rng rng;
    bc_rng_seed(&rng, 1);
    for (int trial = 0; trial < 6; trial++) {
        int deck[BC_DECK];
        for (int card = 0; card < BC_DECK; card++) deck[card] = card;
        for (int i = 0; i < 4; i++) {
            const int j = i + (int)bc_rng_below(&rng, (uint32_t)(BC_DECK - i)), kept = deck[i];
            deck[i] = deck[j];
            deck[j] = kept;
        }
        assert(bc_preflop_matchup(deck[0], deck[1], deck[2], deck[3]) == enumerated(deck));
        assert(bc_preflop_matchup(deck[3], deck[2], deck[1], deck[0]) == -enumerated(deck));
    }
}

/* A permutation of suits changes nothing; a swap of the two hands changes the sign. */
static void test_symmetry(void) {
    for (int a0 = 1; a0 < BC_DECK; a0++)
        for (int a1 = 0; a1 < a0; a1++)
            for (int b0 = 1; b0 < a0; b0++)
                for (int b1 = 0; b1 < b0; b1++) {
                    if (b0 == a1 || b1 == a1) continue;
                    const int32_t lead = bc_preflop_matchup(a0, a1, b0, b1);
                    assert(lead == bc_preflop_matchup(a0 ^ 1, a1 ^ 1, b0 ^ 1, b1 ^ 1));
                    assert(lead == bc_preflop_matchup(a1 ^ 2, a0 ^ 2, b1 ^ 2, b0 ^ 2));
                    assert(lead == -bc_preflop_matchup(b0, b1, a0, a1));
                }
}

static void add_pairs(const double *a, const double *b, double *lead, double *total) {
    *lead = *total = 0;
    for (int a0 = 1, i = 0; a0 < BC_DECK; a0++)
        for (int a1 = 0; a1 < a0; a1++, i++)
            for (int b0 = 1, j = 0; b0 < BC_DECK; b0++)
                for (int b1 = 0; b1 < b0; b1++, j++) {
                    if (a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1) continue;
                    *lead += a[i] * b[j] * bc_preflop_matchup(a0, a1, b0, b1);
                    *total += a[i] * b[j] * BC_BOARDS;
                }
}

static void test_ranges(void) {
    static double a[BC_HOLDINGS], b[BC_HOLDINGS];
    static const uint32_t kept[] = {100, 30, 3};
    bc_rng rng;
    bc_rng_seed(&rng, 2);
    for (int trial = 0; trial < 12; trial++) {
        double class_a[BC_CLASSES], class_b[BC_CLASSES], lead, total;
        for (int c = 0; c < BC_CLASSES; c++) {
            class_a[c] = bc_rng_below(&rng, 16);
            class_b[c] = bc_rng_below(&rng, 2);
        }
        const int whole = trial % 2;
        for (int hi = 1, i = 0; hi < BC_DECK; hi++)
            for (int lo = 0; lo < hi; lo++, i++) {
                const uint32_t percent = kept[trial % 3];
                a[i] = bc_rng_below(&rng, 100) < percent ? bc_rng_below(&rng, 16) : 0;
                b[i] = bc_rng_below(&rng, 100) < percent ? bc_rng_below(&rng, 16) : 0;
                if (whole) a[i] = class_a[bc_preflop_class[i]];
                if (whole) b[i] = class_b[bc_preflop_class[i]];
                if (trial % 4 == 3 && (hi == 20 || lo == 7)) a[i] = 0; /* whole classes without known cards */
            }
        const bc_preflop_shares found = bc_preflop_equity(a, b);
        add_pairs(a, b, &lead, &total);
        assert(found.lead == lead && found.total == total);
    }
}

/* The mean strength of a class equals its share against all holdings. */
static void test_strengths(void) {
    for (int hi = 1, i = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, i++) {
            static double one[BC_HOLDINGS], all[BC_HOLDINGS];
            for (int j = 0; j < BC_HOLDINGS; j++) one[j] = j == i, all[j] = 1;
            const bc_preflop_shares found = bc_preflop_equity(one, all);
            const double share = 0.5 + 0.5 * found.lead / found.total;
            const double mean =
                (double)bc_preflop_strength[bc_preflop_class[i]] / (1980.0 * BC_PREFLOP_BOARDS);
            const double square =
                (double)bc_preflop_square[bc_preflop_class[i]] / (1980.0 * 1980 * BC_PREFLOP_BOARDS);
            assert(found.total == 1225.0 * BC_BOARDS && fabs(share - mean) < 1e-14);
            assert(mean * mean < square && square < mean);
        }
}

int main(void) {
    test_matchups();
    test_symmetry();
    test_ranges();
    test_strengths();
    puts("preflop: ok");
    return 0;
}

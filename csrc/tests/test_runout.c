/* Pot shares against the all-in equity of two holdings and a plain count; sampled against exact shares. */
#include "baycarp/runout.h"

#include <assert.h>
#include <math.h>

#include "baycarp/card.h"
#include "baycarp/equity.h"
#include "baycarp/rank.h"

static void shuffle(bc_rng *rng, uint8_t *deck) {
    for (int i = 0; i < BC_DECK; i++) deck[i] = (uint8_t)i;
    for (int i = 0; i < BC_DECK - 1; i++) {
        const int j = i + (int)bc_rng_below(rng, (uint32_t)(BC_DECK - i));
        const uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}

/* The same holdings as two ranges of one holding each. */
static void test_two_players(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 3);
    for (int shown = 0; shown <= 5; shown = shown ? shown + 1 : 3) {
        uint8_t deck[BC_DECK];
        shuffle(&rng, deck);
        double a[BC_HOLDINGS] = {0}, b[BC_HOLDINGS] = {0};
        a[bc_holding(deck[0], deck[1])] = b[bc_holding(deck[2], deck[3])] = 1;
        bc_runout run = {.holes = deck, .players = 2, .shown = shown, .sets = (uint16_t[]){3}, .count = 1};
        for (int i = 0; i < shown; i++) run.board[i] = deck[4 + i];
        bc_shares sum = {0, 0};
        bc_equity(BC_BASE, a, b, run.board, shown, -1, NULL, &sum);
        int64_t won[2];
        const int64_t boards = bc_runout_exact(&run, won);
        assert((double)boards == sum.total);
        assert((double)won[0] == BC_PORTIONS * sum.won);
        assert(won[0] + won[1] == BC_PORTIONS * boards);
    }
}

/* A turn card for ten players, counted river by river with the plain rank. */
static void test_sets_on_the_turn(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 4);
    const uint16_t sets[] = {0x3ff, 0x005, 0x200, 0x0f0};
    for (int trial = 0; trial < 20; trial++) {
        uint8_t deck[BC_DECK];
        shuffle(&rng, deck);
        const uint64_t dead = bc_bit(deck[24]) | bc_bit(deck[25]) | bc_bit(deck[26]);
        bc_runout run = {.holes = deck, .players = 10, .shown = 4, .dead = dead, .sets = sets, .count = 4};
        for (int i = 0; i < 4; i++) run.board[i] = deck[20 + i];
        int64_t won[40];
        assert(bc_runout_exact(&run, won) == BC_DECK - 27);
        for (int k = 0; k < 4; k++)
            for (int player = 0; player < 10; player++) {
                int64_t expected = 0;
                for (int river = 27; river < BC_DECK && sets[k] >> player & 1; river++) {
                    uint16_t ranks[10], best = 0;
                    int winners = 0;
                    for (int i = 0; i < 10; i++) {
                        const uint8_t cards[] = {deck[20],    deck[21],    deck[22],       deck[23],
                                                 deck[river], deck[2 * i], deck[2 * i + 1]};
                        ranks[i] = sets[k] >> i & 1 ? bc_rank_cards(cards, 7) : 0;
                        best = ranks[i] > best ? ranks[i] : best;
                    }
                    for (int i = 0; i < 10; i++) winners += ranks[i] == best;
                    expected += ranks[player] == best ? BC_PORTIONS / winners : 0;
                }
                assert(won[10 * k + player] == expected);
            }
    }
}

static void test_a_board_for_all(void) {
    const uint8_t holes[] = {0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25};
    bc_runout run = {.holes = holes, .players = 7, .shown = 5, .sets = (uint16_t[]){0x7f, 0x0e}, .count = 2};
    for (int i = 0; i < 5; i++) run.board[i] = (uint8_t)(51 - 4 * i); /* a royal flush */
    int64_t won[14];
    assert(bc_runout_exact(&run, won) == 1);
    for (int i = 0; i < 7; i++) assert(won[i] == BC_PORTIONS / 7);
    for (int i = 0; i < 7; i++) assert(won[7 + i] == (i >= 1 && i <= 3 ? BC_PORTIONS / 3 : 0));
}

/* Six standard errors of a share are at most 3 / sqrt(boards). The seed is fixed. */
static void test_sampled(void) {
    bc_rng rng;
    uint8_t deck[BC_DECK];
    bc_rng_seed(&rng, 5);
    shuffle(&rng, deck);
    const bc_runout run = {.holes = deck,
                           .players = 5,
                           .dead = bc_bit(deck[10]) | bc_bit(deck[11]) | bc_bit(deck[12]),
                           .sets = (uint16_t[]){0x1f, 0x12},
                           .count = 2};
    int64_t exact[10], sampled[10], again[10];
    const int64_t all = bc_runout_exact(&run, exact), few = 20000;
    assert(all == 575757); /* 39 choose 5 */
    bc_rng_seed(&rng, 6);
    bc_runout_sampled(&rng, &run, few, sampled);
    bc_rng_seed(&rng, 6);
    bc_runout_sampled(&rng, &run, few, again);
    for (int i = 0; i < 10; i++) {
        const double share = (double)exact[i] / (double)(BC_PORTIONS * all);
        assert(fabs((double)sampled[i] / (double)(BC_PORTIONS * few) - share) < 3 / sqrt((double)few));
        assert(sampled[i] == again[i]);
    }
    bc_runout_sampled(&rng, &run, few, again);
    assert(sampled[0] != again[0]);
}

int main(void) {
    test_two_players();
    test_sets_on_the_turn();
    test_a_board_for_all();
    test_sampled();
    return 0;
}

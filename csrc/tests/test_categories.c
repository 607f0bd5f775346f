/* Categories beside their definition: every holding, every complete board, one rank each. */
#include "baycarp/categories.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"
#include "baycarp/rng.h"
#include "naive_categories.h"

static int32_t counts[BC_HOLDINGS * BC_CATEGORIES], orders[BC_HOLDINGS * BC_CATEGORIES];
static int32_t naive_counts[BC_HOLDINGS * BC_CATEGORIES], naive_orders[BC_HOLDINGS * BC_CATEGORIES];

static void check(const uint8_t *board, int shown) {
    bc_categories(board, shown, counts, orders);
    bc_naive_categories(board, shown, naive_counts, naive_orders);
    assert(!memcmp(counts, naive_counts, sizeof counts));
    assert(!memcmp(orders, naive_orders, sizeof orders));
}

static void test_random_boards(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 8);
    for (int trial = 0; trial < 30; trial++) {
        uint8_t deck[BC_DECK];
        for (int i = 0; i < BC_DECK; i++) deck[i] = (uint8_t)i;
        for (int i = 0; i < 5; i++) {
            const int j = i + (int)bc_rng_below(&rng, (uint32_t)(BC_DECK - i));
            const uint8_t card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
        check(deck, trial < 4 ? 3 : trial < 12 ? 4 : 5);
    }
}

/* A flush draw with four to come among 47 unseen cards: 9 of 46 on the river; a royal flush on the board. */
static void test_known_counts(void) {
    const uint8_t turn[] = {51, 43, 23, 8}; /* As Qs 7s 4c */
    bc_categories(turn, 4, counts, orders);
    const int32_t *draw = counts + (ptrdiff_t)bc_holding(15, 28) * BC_CATEGORIES; /* 5s 9c */
    assert(draw[5] == 9 && draw[0] + draw[1] + draw[5] == 46);
    const uint8_t royal[] = {51, 47, 43, 39, 35};
    bc_categories(royal, 5, counts, orders);
    for (int h = 0; h < BC_HOLDINGS; h++) {
        int sum = 0;
        for (int c = 0; c < 8; c++) sum += counts[h * BC_CATEGORIES + c];
        assert(sum == 0 && counts[h * BC_CATEGORIES + 8] <= 1);
    }
    assert(counts[8] == 1 && counts[(ptrdiff_t)bc_holding(51, 0) * BC_CATEGORIES + 8] == 0);
}

int main(void) {
    test_random_boards();
    test_known_counts();
    return 0;
}

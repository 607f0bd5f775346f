/* Features of worked boards and of one worked hand; random hands are in the fuzz harness and in Python. */
#include "baycarp/features.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "baycarp/card.h"

static void test_texture(void) {
    const uint8_t board[5] = {4 * 4, 5 * 4 + 1, 7 * 4 + 2, 7 * 4 + 1, 6 * 4 + 1}; /* 6c 7d 9h 9d 8d */
    bc_texture t;
    bc_texture_of(board, 0, &t);
    assert(t.average == 0 && t.highest[1] == 0);
    bc_texture_of(board, 1, &t);
    assert(fabs(t.straight[1] - 32.0 / 1176) < 1e-12); /* 85 and T8 */
    assert(t.same_rank == 1 && t.suited[1] == 1 && t.highest[1] == 7 && t.high_cards == 0);
    bc_texture_of(board, 3, &t);
    assert(t.same_rank == 2 && t.suited[2] == 2 && t.suited[3] == 3);
    /* 6789 on the board: a five or a ten beside any other card */
    assert(fabs(t.straight[3] - (8 * 39 + 28) / 1081.0) < 1e-12);
}

static void test_heads_up(void) {
    bc_variant v = {.big_blind = 2, .seats = 2};
    v.blinds[0] = 2, v.blinds[1] = 1, v.first[0] = 1;
    for (int i = 0; i < BC_STREETS; i++) v.max_raises[i] = BC_NO_CAP;
    const int64_t stacks[2] = {200, 100};
    bc_state s;
    bc_past past;
    bc_texture t;
    double x[BC_FEATURES];
    bc_state_start(&v, stacks, &s);
    bc_past_start(&past);
    bc_texture_of(NULL, 0, &t);
    bc_features_of(&v, &s, &past, &t, x);
    assert(bc_situation(&v, &s) == 1 && x[BC_F_TO_CALL] == 0.5 && x[BC_F_POT_ODDS] == 0.25);
    assert(x[BC_F_AFTER_AGGRESSOR] == 1 && x[BC_F_LEFT] == 1 && x[BC_F_BETS] == 0);
    assert(bc_move_of(&v, &s, BC_RAISE, 4) == 2); /* the least */
    assert(bc_move_of(&v, &s, BC_RAISE, 6) == 6); /* a pot */
    bc_past_act(&v, &s, &past, BC_RAISE, 6);
    bc_state_apply(&v, &s, BC_RAISE, 6);
    bc_features_of(&v, &s, &past, &t, x);
    assert(x[BC_F_BETS] == 1 && x[BC_F_TO_CALL] == 2 && x[BC_F_ACTED] == 0 && x[BC_F_OWN_KIND] == 0);
    assert(x[BC_F_EFFECTIVE_AGGRESSOR] == 47 && x[BC_F_AFTER_AGGRESSOR] == 0);
    assert(past.own[1] == 14 && past.aggressor[0] == 1);
}

int main(void) {
    test_texture();
    test_heads_up();
    return 0;
}

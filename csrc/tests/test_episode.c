/* Episodes: a worked observation, masks against the rules, hidden cards, habits, and whole episodes. */
#include "baycarp/episode.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blinds.h"

enum { WIDTH = BC_OBSERVED + BC_OBSERVED_SEAT * BC_SEATS, EPISODES = 64, STEPS = 400 };

static const bc_habit CALLS = {0}, EVEN = {.even = true};

static bc_episodes game(const bc_variant *v, int64_t stack, bc_habit habit, int seat) {
    bc_episodes t = {.variant = v, .menu = {{0.5, 1, 2}, 3}, .seat = seat};
    for (int i = 0; i < BC_SEATS; i++) t.stacks[i] = stack, t.habits[i] = habit;
    return t;
}

static void test_worked_observation(void) {
    const bc_variant v = small_game(2, false);
    const bc_menu menu = {{0.5, 1, 2}, 3};
    const int64_t stacks[2] = {200, 100};
    const uint8_t hole[2] = {51, 0}, board[5] = {4, 8, 12, 16, 20};
    int64_t amounts[BC_MENU_CHOICES];
    bc_history history = {0};
    bc_state s;
    float x[WIDTH];
    bc_state_start(&v, stacks, &s);
    assert(bc_observed(2) == 143 && bc_choices(&v, &menu) == 6);
    bc_choice_amounts(&v, &s, &menu,
                      amounts); /* the pot after the call has 4 chips: raises to 4, 6, 10, 100 */
    assert(amounts[0] == 0 && amounts[1] == 0 && amounts[2] == 4 && amounts[3] == 6);
    assert(amounts[4] == 10 && amounts[5] == 100);
    bc_history_act(&s, &history, BC_RAISE);
    bc_state_apply(&v, &s, BC_RAISE, 6);
    bc_observe(&v, &s, &history, 0, hole, board, x);
    float sum = 0;
    for (int i = 0; i < 104; i++) sum += x[i];
    assert(sum == 2 && x[51] == 1 && x[0] == 1);
    const float numbers[] = {1, 0, 0, 0, 1, 0, 1, 4, 2, 5, 100};
    assert(!memcmp(x + 104, numbers, sizeof numbers));
    const float own[BC_OBSERVED_SEAT] = {1, 0, 0, 99, 1, 1};
    const float other[BC_OBSERVED_SEAT] = {1, 1, 1, 47, 3, 3, 0, 0, 0, 0, 1};
    assert(!memcmp(x + 115, own, sizeof own) && !memcmp(x + 115 + BC_OBSERVED_SEAT, other, sizeof other));
    bc_choice_amounts(&v, &s, &menu, amounts); /* the pot after the call has 12 chips */
    assert(amounts[2] == 12 && amounts[3] == 18 && amounts[4] == 30 && amounts[5] == 200);
    bc_history_act(&s, &history, BC_CALL);
    bc_state_apply(&v, &s, BC_CALL, 0);
    bc_observe(&v, &s, &history, 0, NULL, board, x);
    assert(x[51] == 0 && x[52 + 4] == 1 && x[52 + 8] == 1 && x[52 + 12] == 1 && x[52 + 16] == 0);
    assert(x[104] == 0 && x[105] == 1);
}

static void test_short_sizes(void) {
    const bc_variant v = small_game(2, false);
    const bc_menu menu = {{0.01, 0.5, 0.51, 50}, 4};
    const int64_t stacks[2] = {7, 7};
    int64_t amounts[BC_MENU_CHOICES];
    bc_state s;
    bc_state_start(&v, stacks, &s);
    bc_choice_amounts(&v, &s, &menu, amounts); /* below the least; 4; 4 once more; above all-in */
    assert(amounts[2] == -1 && amounts[3] == 4 && amounts[4] == -1 && amounts[5] == -1 && amounts[6] == 7);
}

/* Masks are what the rules allow, and the observation does not change with cards that are not seen. */
static void test_play(int seats, bool limit, int64_t stack) {
    const bc_variant v = small_game(seats, limit);
    const bc_episodes t = game(&v, stack, EVEN, -1);
    bc_rng rng;
    bc_rng_seed(&rng, 7);
    for (int number = 0; number < EPISODES; number++) {
        bc_episode episode;
        int64_t won = 0;
        bc_episode_start(&t, &episode, 3, (uint64_t)number);
        int seat = episode.seat;
        for (int step = 0; step < STEPS; step++) {
            float x[WIDTH], y[WIDTH];
            int8_t mask[BC_MENU_CHOICES];
            int64_t amounts[BC_MENU_CHOICES];
            const int n = bc_choices(&v, &t.menu), width = bc_observed(seats);
            bc_episode_observe(&t, &episode, x, mask);
            bc_choice_amounts(&v, &episode.state, &t.menu, amounts);
            const bool over = bc_state_over(&episode.state);
            for (int i = 0; i < n && !over; i++)
                assert(mask[i] == (amounts[i] >= 0) &&
                       (!mask[i] || bc_state_can(&v, &episode.state, bc_choice_kind(i), amounts[i])));
            bc_episode other = episode;
            uint8_t *deck = other.deck;
            const int own = 2 * episode.seat, shown = over ? 5 : (int[]){0, 3, 4, 5}[episode.state.street];
            for (int i = BC_DECK - 1; i > 0; i--) { /* exchange cards of unseen places */
                const int j = (int)bc_rng_below(&rng, (uint32_t)i + 1);
                const bool seen = i / 2 * 2 == own || j / 2 * 2 == own ||
                                  (i >= 2 * seats && i < 2 * seats + shown) ||
                                  (j >= 2 * seats && j < 2 * seats + shown);
                if (seen) continue;
                const uint8_t card = deck[i];
                deck[i] = deck[j];
                deck[j] = card;
            }
            bc_episode_observe(&t, &other, y, mask);
            assert(!memcmp(x, y, (size_t)width * sizeof *x));
            const int choice = (int)bc_rng_below(&rng, (uint32_t)n);
            const bool may = mask[choice];
            const int flags = bc_episode_act(&t, &episode, choice, &won);
            const bool ended = flags & BC_ENDED;
            assert(!(flags & BC_ILLEGAL) == may && (!over || ended));
            assert(ended == bc_state_over(&episode.state));
            if (!ended) {
                assert(episode.state.to_act == episode.seat);
                continue;
            }
            assert(won >= -episode.state.paid[episode.seat]);
            bc_episode_deal(&t, &episode);
            assert(episode.seat == (seat + 1) % seats);
            seat = episode.seat;
        }
    }
}

/* A learner that only calls meets a caller: the pot of every hand is two big blinds. */
static void test_habits(void) {
    const bc_variant v = small_game(2, true);
    bc_episodes t = game(&v, (int64_t)1 << 40, CALLS, 0);
    bc_episode episode;
    int64_t won = 0, sum = 0;
    int folds = 0, hands = 4000;
    bc_episode_start(&t, &episode, 1, 0);
    for (int hand = 0; hand < hands; hand++, bc_episode_deal(&t, &episode)) {
        while (!(bc_episode_act(&t, &episode, BC_CALL, &won) & BC_ENDED)) continue;
        assert(won == 2 || won == -2 || won == 0);
        sum += won;
    }
    assert(llabs(sum) < 4 * 2 * 64); /* four standard errors */
    t.habits[1] = (bc_habit){.fold = 0.25};
    for (int hand = 0; hand < hands; hand++) {
        bc_episode_deal(&t, &episode);
        folds += bc_state_over(&episode.state); /* the small blind's first action: before any decision */
        if (!bc_state_over(&episode.state)) continue;
        float x[WIDTH];
        int8_t mask[BC_MENU_CHOICES];
        bc_episode_observe(&t, &episode, x, mask);
        assert(!mask[0] && mask[1] && !mask[2]);
        assert(bc_episode_act(&t, &episode, BC_RAISE, &won) == (BC_ENDED | BC_ILLEGAL) && won == 1);
    }
    assert(fabs(folds / (double)hands - 0.25) < 4 * 0.0069);
}

int main(void) {
    test_worked_observation();
    test_short_sizes();
    for (int seats = 2; seats <= BC_SEATS; seats += 4) {
        test_play(seats, true, (int64_t)1 << 40);
        test_play(seats, false, 300);
        test_play(seats, false, 5);
    }
    test_habits();
    return 0;
}

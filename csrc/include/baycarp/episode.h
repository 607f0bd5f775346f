/* Many hands of one game, played beside one another: an environment's decisions as observations and masks.

   An episode is one hand of a learner against opponents of fixed frequencies. A choice is a number: 0 folds,
   1 checks or calls, 2 and more are the sizes of the menu in order, the last one is all-in. In fixed limit
   there are three choices, and 2 is the bet or raise.

   An observation has the cards that its seat may know, and nothing of those that it may not: the own hole
   cards, the board of the street, and the chips. Amounts are in big blinds. */
#ifndef BAYCARP_EPISODE_H
#define BAYCARP_EPISODE_H

#include "baycarp/card.h"
#include "baycarp/game.h"

enum {
    BC_MENU = 13, /* sizes of a menu, at most */
    BC_MENU_CHOICES = BC_MENU + 3,
    BC_OBSERVED = 115,     /* numbers of an observation beside those of seats */
    BC_OBSERVED_SEAT = 14, /* of each seat */
};

/* Sizes of a no-limit bet or raise: shares of the pot after the call, rising, > 0. */
typedef struct {
    double sizes[BC_MENU];
    int count;
} bc_menu;

/* Checks and calls, then bets and raises, by street and position. */
typedef struct {
    uint8_t count[2][BC_STREETS][BC_SEATS];
} bc_history;

/* An opponent that looks at no cards: chances to fold and to raise where it owes, to bet where it does not.
   even: every kind of legal action is as likely. A bet or raise is the least one; where none is legal, its
   chance is a check's or call's. */
typedef struct {
    double fold, raises, bet;
    bool even;
} bc_habit;

typedef struct {
    const bc_variant *variant;
    int64_t stacks[BC_SEATS];
    bc_menu menu;
    bc_habit habits[BC_SEATS]; /* of the seat so many places after the learner; 0 is not read */
    int seat;                  /* the learner's position, -1 = the next one every hand */
} bc_episodes;

typedef struct {
    bc_state state;
    bc_history history;
    bc_rng rng;
    uint8_t deck[BC_DECK]; /* hole cards by position, the board, then the cards left */
    int8_t seat;           /* the learner's position */
} bc_episode;

int bc_choices(const bc_variant *variant, const bc_menu *menu);

/* The kind of a choice for bc_state_apply. */
static inline int bc_choice_kind(int choice) {
    return choice < BC_RAISE ? choice : BC_RAISE;
}

/* The amount of every choice for bc_state_apply, 0 for fold and call; -1 = illegal. A size is legal between
   the least raise and all-in; of two with the same amount the first is. All illegal when the hand is over. */
void bc_choice_amounts(const bc_variant *variant, const bc_state *state, const bc_menu *menu,
                       int64_t amounts[BC_MENU_CHOICES]);

/* Record a legal action, before bc_state_apply. */
void bc_history_act(const bc_state *state, bc_history *history, int kind);

/* Numbers of an observation of a game of so many seats. */
int bc_observed(int seats);

/* What a position observes. hole: two cards, or NULL for the public observation; board: of it the cards of
   the street are read. A stack without bound is written as 0. */
void bc_observe(const bc_variant *variant, const bc_state *state, const bc_history *history, int seat,
                const uint8_t *hole, const uint8_t *board, float *out);

/* The first of a row of episodes, up to the learner's decision; rows of one seed differ by number. */
void bc_episode_start(const bc_episodes *episodes, bc_episode *episode, uint64_t seed, uint64_t number);

/* The next episode of a row, up to the learner's decision, or to its end if the learner has none. */
void bc_episode_deal(const bc_episodes *episodes, bc_episode *episode);

/* The observation, bc_observed numbers, and the mask, bc_choices numbers. Where the hand ended before the
   learner's decision the mask has choice 1 alone, which ends the episode. */
void bc_episode_observe(const bc_episodes *episodes, const bc_episode *episode, float *observation,
                        int8_t *mask);

enum { BC_ENDED = 1, BC_ILLEGAL = 2 };

/* A choice of the learner, and the play up to its next decision. Returns flags. BC_ENDED: the hand is over,
   and *payoff is what the learner won, in chips. BC_ILLEGAL: the choice was not in the mask; it became a
   check, else a fold. */
int bc_episode_act(const bc_episodes *episodes, bc_episode *episode, int choice, int64_t *payoff);

#endif

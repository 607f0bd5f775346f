/* The 41 features of a decision (van der Kleij 2010, appendix B), for fixed limit and no-limit, two to ten
   seats.

   They are public: chips, past actions and the board of the current street. No hole card is an argument.
   Amounts are in big blinds. A feature without a meaning in a situation is 0 (see bc_feature_valid). */
#ifndef BAYCARP_FEATURES_H
#define BAYCARP_FEATURES_H

#include "baycarp/game.h"

/* The order of the columns; the names are those of the source. */
enum {
    BC_F_ACTIVE,
    BC_F_ACTIVE_RATIO,
    BC_F_AGGRESSION, /* four streets */
    BC_F_ALL_IN_CALL = BC_F_AGGRESSION + 4,
    BC_F_TO_CALL,
    BC_F_AVERAGE_RANK,
    BC_F_CALLERS,
    BC_F_EFFECTIVE_ACTIVE,
    BC_F_EFFECTIVE_AGGRESSOR,
    BC_F_HIGHEST, /* flop, turn, river */
    BC_F_IMPLIED_ODDS = BC_F_HIGHEST + 3,
    BC_F_LAST_OF_ACTIVE,
    BC_F_AFTER_AGGRESSOR,
    BC_F_SUITED, /* flop, turn, river */
    BC_F_SAME_RANK = BC_F_SUITED + 3,
    BC_F_BETS, /* four streets */
    BC_F_HIGH_CARDS = BC_F_BETS + 4,
    BC_F_OFF_BUTTON,
    BC_F_OWN_SIZED,
    BC_F_OWN_KIND,
    BC_F_ACTED,
    BC_F_LEFT,
    BC_F_POT_ODDS,
    BC_F_POT,
    BC_F_STACK,
    BC_F_STRAIGHT,                      /* flop, turn, river */
    BC_F_AGGRESSOR = BC_F_STRAIGHT + 3, /* pre-flop, flop, turn */
    BC_FEATURES = BC_F_AGGRESSOR + 3,
};

enum {
    BC_SITUATIONS = 8, /* 2 * street + whether there are chips to call */
    BC_SIZES = 7,      /* the least bet; 1/4, 1/2, 3/4, 1, 3/2, 2 or more of the pot after the call */
    BC_MOVES = 9,      /* fold; check or call; a bet or raise by its size */
};

/* The past actions of a hand, as far as the features depend on them. */
typedef struct {
    uint16_t aggressive[BC_STREETS]; /* bets and raises */
    uint16_t passive[BC_STREETS];    /* checks and calls */
    int8_t aggressor[BC_STREETS];    /* position of the last bet or raise, -1 = none; no blind */
    uint8_t own[BC_SEATS];           /* last act: 0 none, 1 check, 2 call, 3 + size bet, 10 + size raise */
    uint16_t callers, acted;         /* on the street of the last act, since its last bet or raise */
    uint8_t street;                  /* of the last act */
} bc_past;

/* The board's part of the features, computed once a street; each by street, the pre-flop entries 0. */
typedef struct {
    double straight[BC_STREETS]; /* share of the holdings left that have five ranks in a row with the board */
    double average;              /* rank of the cards now, deuce 0 to ace 12 */
    uint8_t highest[BC_STREETS], suited[BC_STREETS];
    uint8_t same_rank, high_cards; /* now */
} bc_texture;

void bc_past_start(bc_past *past);

/* Record a legal action, before bc_state_apply. */
void bc_past_act(const bc_variant *variant, const bc_state *state, bc_past *past, int kind, int64_t amount);

/* The move of a legal action, 0..BC_MOVES - 1. Sizes are mapped by ratio (Rubin and Watson 2012, eq. 3). */
int bc_move_of(const bc_variant *variant, const bc_state *state, int kind, int64_t amount);

/* board: the cards of the street, 0, 3, 4 or 5 of them by street 0..3, all known. */
void bc_texture_of(const uint8_t *board, int street, bc_texture *texture);

/* 0..BC_SITUATIONS - 1; the hand is not over. */
int bc_situation(const bc_variant *variant, const bc_state *state);

/* Whether a feature has a meaning in a situation. */
bool bc_feature_valid(int feature, int situation);

/* The features of the player to act. */
void bc_features_of(const bc_variant *variant, const bc_state *state, const bc_past *past,
                    const bc_texture *texture, double features[BC_FEATURES]);

#endif

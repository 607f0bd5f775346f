/* The chips of one hand of hold'em: fixed limit, no-limit or pot-limit, two to ten seats.

   A bc_variant holds the rules, a bc_state the result of the actions so far, without cards; only the payoffs
   require ranks. A state is five cache lines, copied by assignment.

   Positions: 0 is the first left of the button, seats - 1 is the button. Heads-up the button is the small
   blind (position 1) and acts first pre-flop.

   Rules that differ between card rooms:
   - A blind or an ante that a stack cannot pay puts the player all-in; the others still owe the whole big
   blind, unless only one player has chips left: it owes no more than the others have put in.
   - The bet to match before the flop is the largest blind, post or straddle, and the big blind at least, also
   where nobody posts it; without any blind it is 0. The least raise is the big blind also over a straddle.
   - A no-limit bet or raise is by at least the largest one of the street, and by the big blind; less only
   all-in. A pot-limit one is by at most the pot after the call. A fixed-limit raise is the street's size on
   top of the bet to match; less only all-in. Each counts.
   - An all-in raise that leaves a player that has already acted owing less than a full raise (fixed limit:
   less than half of one) does not let it raise again: it calls or folds. Short raises add up.
   - A raise requires another player in that can put in more than the bet to match.
   - A fold where a check is free is possible, but no legal action of bc_legal.
   - When at most one player has chips left and owes nothing, the board is run out.
   - Equal antes are matched like bets; unequal ones (a big-blind ante, a dead blind) are dead money that
   belongs to the main pot.
   - What a folded player has put in beyond every player in belongs to the last pot.
   - The odd chips of a pot go to its winners one each, from the first left of the button on. */
#ifndef BAYCARP_GAME_H
#define BAYCARP_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "baycarp/rng.h"

enum { BC_SEATS = 10, BC_STREETS = 4, BC_NO_CAP = 255, BC_NO_BETTING = 255 };

typedef struct {
    int64_t blinds[BC_SEATS]; /* straddles and the live posts of newcomers among them */
    int64_t antes[BC_SEATS];
    int64_t raise_sizes[BC_STREETS]; /* fixed limit; unused in no-limit */
    int64_t big_blind;               /* the least bet, > 0: the largest blind, or less where one straddles */
    uint8_t max_raises[BC_STREETS];  /* bets and raises, the big blind not counted; BC_NO_CAP = any number */
    uint8_t first[BC_STREETS]; /* position first to act; BC_NO_BETTING before the flop: a bomb pot, without
                            blinds */
    uint8_t seats;             /* 2..10 */
    bool limit;
    bool pot_limit;
    bool dead_antes; /* unequal antes */
} bc_variant;

typedef struct {
    int64_t stack[BC_SEATS]; /* chips not yet bet */
    int64_t bet[BC_SEATS];   /* chips bet on this street, without antes */
    int64_t paid[BC_SEATS];  /* chips bet in the whole hand, with antes */
    int64_t level;           /* the bet to match on this street */
    int64_t last_raise;      /* the largest full bet or raise of the street, at least the big blind */
    uint32_t raises;         /* bets and raises on this street, the big blind not counted */
    uint16_t in;             /* positions not folded, one bit each */
    uint16_t acted;          /* positions that have acted on this street */
    uint8_t street;          /* 0..3; also 3 when the board was run out */
    int8_t to_act;           /* -1 when the hand is over */
} bc_state;

enum { BC_FOLD, BC_CALL, BC_RAISE, BC_KINDS }; /* check = call, bet = raise */

/* The legal actions of the player to act. */
typedef struct {
    int64_t owed;  /* chips to call, at most its stack; 0 = a check is free */
    int64_t least; /* smallest bet or raise: its total on the street after it; 0 = illegal */
    int64_t most;  /* largest bet or raise */
} bc_legal;

typedef struct {
    int64_t chips;
    uint16_t contenders;
} bc_pot;

/* The state after antes and blinds; stacks are the chips of each position before them, > 0. */
void bc_state_start(const bc_variant *variant, const int64_t *stacks, bc_state *state);

static inline bool bc_state_over(const bc_state *state) {
    return state->to_act < 0;
}

/* All zero when the hand is over. */
bc_legal bc_state_legal(const bc_variant *variant, const bc_state *state);

/* amount: the total on the street for BC_RAISE, ignored for other kinds. */
bool bc_state_can(const bc_variant *variant, const bc_state *state, int kind, int64_t amount);

/* Apply a legal action and advance the street if it ends; returns the chips added. */
int64_t bc_state_apply(const bc_variant *variant, bc_state *state, int kind, int64_t amount);

/* All chips in the pot. */
int64_t bc_state_pot(const bc_variant *variant, const bc_state *state);

/* The main pot, then the side pots, with different contenders; returns their number. The last may have one
   contender, to which the unmatched part returns. */
int bc_state_pots(const bc_variant *variant, const bc_state *state, bc_pot pots[BC_SEATS]);

/* The ranks of the players in at a showdown: two hole cards per position and five board cards, all known. */
void bc_state_ranks(const bc_variant *variant, const bc_state *state, const uint8_t *holes,
                    const uint8_t *board, uint16_t *ranks);

/* Net chips by position. ranks (higher wins) are read for the positions in if there are two or more, and may
   be NULL otherwise. Returns whether the payoffs sum to 0; false: the state is not of this variant. */
bool bc_state_payoffs(const bc_variant *variant, const bc_state *state, const uint16_t *ranks,
                      int64_t *payoffs);

/* A uniformly random legal action of fold, check or call, the smallest and the largest raise. */
void bc_state_random_act(const bc_variant *variant, bc_state *state, bc_rng *rng);

/* One hand of random actions and cards, with payoffs. Returns the chips of the pot, or -1 if the payoffs do
   not sum to 0. */
int64_t bc_random_hand(const bc_variant *variant, const int64_t *stacks, bc_rng *rng, int64_t *payoffs);

#endif

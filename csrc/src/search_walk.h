/* One hand played out under a search's models: what tree search and look-ahead share. */
#ifndef BAYCARP_SEARCH_WALK_H
#define BAYCARP_SEARCH_WALK_H

#include "search_deal.h"

extern const int bc_search_shown[BC_STREETS]; /* cards of the board, by street */

/* Where the hand stands. */
typedef struct {
    bc_search_deal deal;
    bc_state state;
    bc_past past;
    bc_texture texture;
    int textured; /* the street of the texture */
} bc_walk;

/* What a search has at its root, without a tree. */
void bc_search_begin(bc_search *search, uint64_t seed);

/* Back to the root, whatever the deal. */
void bc_walk_start(const bc_search *search, bc_walk *walk);

/* Whether hero has folded or nobody acts any more. */
bool bc_walk_over(const bc_search *search, const bc_walk *walk);

/* The bucket of a position's holding on the street. */
int bc_walk_bucket(const bc_search *search, bc_walk *walk, int seat);

/* Chances of the moves of the player to act; returns their sum. */
double bc_walk_chances(const bc_search *search, bc_walk *walk, const bc_move *moves, int count,
                       double *chances);

/* The move below which the part `unit`, 0..1, of the chances lies; one with a chance. */
int bc_walk_choice(const double *chances, int count, double total, double unit);

void bc_walk_act(const bc_search *search, bc_walk *walk, bc_move move);

/* Net chips of hero in the whole hand, which is over. */
double bc_walk_settle(const bc_search *search, const bc_walk *walk);

#endif

/* Policies of search.h as decision trees over the public features and the bucket of the own holding.

   A tree for each cluster and situation. Its inputs are the features of features.h and, last, the bucket; its
   leaves have the probabilities of ten choices: the nine moves of features.h, with a bet or raise of the
   whole stack as a tenth. A choice with several moves of the abstraction is shared by them alike. All bets
   and raises that are legal have together the probability of all of these choices, each in proportion to its
   own; kinds of action that are not legal are left out. */
#ifndef BAYCARP_SEARCH_TREES_H
#define BAYCARP_SEARCH_TREES_H

#include "baycarp/features.h"
#include "baycarp/search.h"
#include "baycarp/tree.h"

enum { BC_CHOICES = BC_MOVES + 1, BC_TREE_INPUTS = BC_FEATURES + 1 };

typedef struct {
    const bc_node *nodes;
    const double *values; /* [leaves][BC_CHOICES]: > 0 */
} bc_policy_tree;

typedef struct {
    int clusters;
    const bc_policy_tree *trees; /* [clusters][BC_SITUATIONS]: valid over BC_TREE_INPUTS features */
} bc_tree_policies;

/* The choice of a legal action, 0..BC_CHOICES - 1. */
int bc_choice_of(const bc_variant *variant, const bc_state *state, int kind, int64_t amount);

/* The choices of all legal actions, one bit each; 0 when the hand is over. */
unsigned bc_choices_open(const bc_variant *variant, const bc_state *state);

/* A bc_policy for searches with past and texture; the context is a bc_tree_policies. */
void bc_tree_policy(const void *policies, const bc_decision *query, double *chances);

#endif

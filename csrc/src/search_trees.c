#include "baycarp/search_trees.h"

#include <assert.h>

/* The first choice that is a bet or raise. */
enum { RAISES = 2 };

int bc_choice_of(const bc_variant *variant, const bc_state *state, int kind, int64_t amount) {
    const int seat = state->to_act;
    if (kind == BC_RAISE && amount == state->bet[seat] + state->stack[seat]) return BC_MOVES;
    return bc_move_of(variant, state, kind, amount);
}

unsigned bc_choices_open(const bc_variant *variant, const bc_state *state) {
    if (bc_state_over(state)) return 0;
    const bc_legal legal = bc_state_legal(variant, state);
    unsigned open = legal.owed > 0 ? 1u << BC_FOLD | 1u << BC_CALL : 1u << BC_CALL;
    for (int64_t amount = legal.least; amount > 0 && amount <= legal.most;) {
        const int choice = bc_choice_of(variant, state, BC_RAISE, amount);
        int64_t other = legal.most + 1; /* choices ascend with the amount: bisection to the first other one */
        while (other - amount > 1) {
            const int64_t middle = amount + (other - amount) / 2;
            if (bc_choice_of(variant, state, BC_RAISE, middle) == choice)
                amount = middle;
            else
                other = middle;
        }
        open |= 1u << choice;
        amount = other;
    }
    return open;
}

void bc_tree_policy(const void *context, const bc_decision *query, double *chances) {
    const bc_tree_policies *policies = context;
    double inputs[BC_TREE_INPUTS], raised = 0, shared = 0, total = 0;
    int choices[BC_SEARCH_MOVES], sharing[BC_CHOICES] = {0};
    assert(query->cluster < policies->clusters && query->past && query->texture);
    bc_features_of(query->variant, query->state, query->past, query->texture, inputs);
    inputs[BC_FEATURES] = query->bucket;
    const int situation = bc_situation(query->variant, query->state);
    const bc_policy_tree *tree = &policies->trees[query->cluster * BC_SITUATIONS + situation];
    const double *leaf = tree->values + BC_CHOICES * bc_tree_leaf(tree->nodes, inputs);
    for (int i = RAISES; i < BC_CHOICES; i++) raised += leaf[i];
    for (int i = 0; i < query->count; i++) {
        choices[i] = bc_choice_of(query->variant, query->state, query->moves[i].kind, query->moves[i].amount);
        if (sharing[choices[i]]++ == 0 && choices[i] >= RAISES) shared += leaf[choices[i]];
    }
    for (int i = 0; i < query->count; i++) {
        chances[i] = leaf[choices[i]] / sharing[choices[i]];
        if (choices[i] >= RAISES) chances[i] *= raised / shared;
        total += chances[i];
    }
    for (int i = 0; i < query->count; i++) chances[i] /= total;
}

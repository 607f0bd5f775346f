/* The payoffs of game.h by their definition: chip by chip, from what the players put in and from the ranks.
 */
#ifndef BAYCARP_NAIVE_PAYOFFS_H
#define BAYCARP_NAIVE_PAYOFFS_H

#include <stdbool.h>
#include <stdint.h>

#include "baycarp/game.h"

/* What the antes, the blinds and the acts of a hand put in. It knows nothing of a bc_state. */
typedef struct {
    int64_t ante[BC_SEATS];
    int64_t bet[BC_SEATS]; /* blinds and acts of all streets */
    bool folded[BC_SEATS];
} bc_ledger;

/* Antes, then blinds, as far as the stacks go. */
void bc_ledger_open(const bc_variant *variant, const int64_t *stacks, bc_ledger *ledger);

/* An act of this kind that costs some chips. */
void bc_ledger_act(bc_ledger *ledger, int seat, int kind, int64_t chips);

/* Net chips by position. The first chips of all players form one heap, their second chips the next: a heap
   belongs to the players in that put a chip on it, or to those of the heap before it if there are none.
   Successive heaps of the same players are one pot. Takes time in proportion to the chips of one player. */
void bc_naive_payoffs(const bc_variant *variant, const bc_ledger *ledger, const uint16_t *ranks,
                      int64_t *payoffs);

/* What is compared: bc_state_payoffs. */
typedef bool bc_settle(const bc_variant *variant, const bc_state *state, const uint16_t *ranks,
                       int64_t *payoffs);

/* One hand with random cards and acts, folds rare and raises of any size: its payoffs by `settle`, and by
   their definition. */
void bc_naive_hand(const bc_variant *variant, const int64_t *stacks, bc_rng *rng, bc_settle *settle,
                   int64_t *payoffs, int64_t *expected);

#endif

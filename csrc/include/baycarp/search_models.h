/* Two plain models for search.h: policies as tables by street, price and bucket, and buckets of strength now.

   Price: nothing is owed, the first bet of the street (before the flop the big blind), the second, more, or
   anything where no raise is legal. A table has the chances to fold, to check or call, and to bet or raise;
   in no-limit the last is shared by all raises alike. Illegal kinds are left out.

   Buckets of the given board are the caller's. On later boards a holding's bucket is how many of the street's
   edges its strength reaches: HS, the share of random holdings that it beats, ties half; and of the rest
   1 - HS, before the river, the part `draw` for each of its outs. Or, with draws apart, the part is the
   potential with one card to come, estimated from outs and pairs (bc_potential_estimate), and draws have the
   buckets after the others. Or the strength is the rank of E[HS^2] among the holdings of the board, 0..1, in
   which equal holdings take one stretch together. The tables of boards at most two cards later than a given
   flop are kept; of others the strengths on the last board of each street. */
#ifndef BAYCARP_SEARCH_MODELS_H
#define BAYCARP_SEARCH_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "baycarp/card.h"
#include "baycarp/search.h"
#include "baycarp/simd.h"

enum { BC_PRICES = 5, BC_EDGES = 63 };

typedef struct {
    int clusters, buckets;
    const double *chances; /* [clusters][BC_STREETS][BC_PRICES][buckets][BC_KINDS]: >= 0; of call > 0 */
} bc_price_table;

int bc_search_price(const bc_variant *variant, const bc_state *state);

/* A bc_policy; the context is a bc_price_table. */
void bc_price_policy(const void *table, const bc_decision *query, double *chances);

/* About 1.9 MB. The caller fills the first part, bc_strength_buckets_start the rest. */
typedef struct {
    enum bc_simd level;
    uint8_t board[5];
    int shown;                          /* cards of the given board: 0, 3, 4, 5 */
    uint8_t now[BC_HOLDINGS];           /* on the given board */
    double edges[BC_STREETS][BC_EDGES]; /* ascending, 0..1 */
    int count[BC_STREETS];              /* of edges */
    double draw;                        /* 0..1/16: worth of an out */
    double apart;                       /* the least potential of a draw that is apart; 0 = none is */
    bool ranked;                        /* by the rank of E[HS^2]; draw and apart are not read */
    bool ready_next[BC_DECK], ready_last[BC_HOLDINGS];
    uint8_t next[BC_DECK][BC_HOLDINGS];     /* by the next card */
    uint8_t last[BC_HOLDINGS][BC_HOLDINGS]; /* by the next two */
    uint64_t seen[BC_STREETS];              /* the board of `strengths`, by street */
    double strengths[BC_STREETS][BC_HOLDINGS];
} bc_strength_buckets;

/* Outs of a holding on a flop or turn, 0..15: cards of a suit of which it makes four with the board (nine),
   and of ranks that complete a straight with it and not with the board (four a rank, three where a flush is
   drawn, too). 0 for a flush or a straight. */
int bc_outs(const uint8_t *board, int cards, int holding);

/* The positive potential (sweep.h) of a holding on a flop or turn, estimated from its strength there, its
   outs and what it can pair. On random boards its bucket among twelve is the exact potential's in 94 % of
   holdings on the flop and 87 % on the turn, and never further off than one. */
double bc_potential_estimate(const uint8_t *board, int cards, int holding, double strength);

/* buckets[1326] of all holdings on a board of 3, 4 or 5 cards; 0 for blocked ones. */
void bc_strength_bucket_table(const bc_strength_buckets *models, const uint8_t *board, int cards,
                              uint8_t *buckets);

void bc_strength_buckets_start(bc_strength_buckets *buckets);

/* A bc_bucket; the context is a bc_strength_buckets. */
int bc_strength_bucket(void *buckets, const uint8_t *board, int cards, int holding);

#endif

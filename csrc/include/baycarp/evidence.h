/* The probability of a player's acts, given its holding, under many hypotheses about the player.

   An act has a table: its probability by bucket of the holding and by hypothesis. Under a hypothesis the acts
   of a hand are independent given the holding, so their probabilities are multiplied; the mean over
   hypotheses, or over holdings, comes last. Holdings that are in equal buckets in every act form a cell, and
   each cell is computed once. Products are single precision, sums double. */
#ifndef BAYCARP_EVIDENCE_H
#define BAYCARP_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BC_UNBUCKETED = 255, /* the bucket of a holding that shares a card with the board of the act */
    BC_ACT_STREETS = 4,  /* different arrays of buckets among the acts of a hand, at most */
    BC_SEEN_ACTS = 1024  /* acts before alternatives, at most */
};

typedef struct {
    const uint8_t *bucket; /* of each of BC_HOLDINGS; acts of one street share the array */
    const float *table;    /* [bucket][hypothesis] */
} bc_seen_act;

/* by_holding[BC_HOLDINGS]: the sum over the hypotheses of weight times product of the acts, of which the part
   `deal`, 0 to 1, is the mean over the holdings in its place; 0 for holdings with a card in the set `dead`,
   or without a bucket. */
void bc_evidence_by_holding(const bc_seen_act *acts, int n, int hypotheses, const double *weights,
                            double deal, uint64_t dead, double *by_holding);

/* by_hypothesis[hypotheses]: the product of the acts, of one holding, or (holding = -1) the mean over all
   that have a bucket and no card in `dead`. Returns the number of holdings in the mean; 0: the mean is 0. */
int bc_evidence_by_hypothesis(const bc_seen_act *acts, int n, int hypotheses, int holding, uint64_t dead,
                              double *by_hypothesis);

/* An act with several tables: its other choices, or the same choice under other models. */
typedef struct {
    const uint8_t *bucket;
    const float *table; /* [count][buckets][hypotheses] */
    int count, buckets;
} bc_alternatives;

/* by_alternative[last.count]: the weighted sum over the hypotheses of the product of the acts and of each
   alternative, of one holding, or (holding = -1) the mean over all that have a bucket and no card in `dead`.
   Returns the number of holdings in the mean; 0: the mean is 0. */
int bc_evidence_alternatives(const bc_seen_act *acts, int n, bc_alternatives last, int hypotheses,
                             const double *weights, int holding, uint64_t dead, double *by_alternative);

enum { BC_LIMIT_CHOICES = 3 /* fold; check or call; bet or raise */ };

/* The probability of each choice in a situation, with the dependence on the cards raised to some powers. */
typedef struct {
    const float *table; /* [BC_LIMIT_CHOICES][powers][buckets][hypotheses] */
    int powers, buckets, hypotheses;
} bc_powers;

/* mixed[BC_LIMIT_CHOICES][cells][hypotheses]: the sum over the powers of weights[BC_LIMIT_CHOICES][powers]
   times the table at the cell's bucket[powers][cells], divided by its sum over the choices; 0 where that is
   0. */
void bc_mix_choices(bc_powers table, const float *weights, const uint8_t *bucket, int cells, float *mixed);

/* bucket[BC_HOLDINGS]: the number of edges, which rise, that the effective strength hs + (1 - hs) ppot
   reaches; of a draw (hs < 1/2, ppot >= draw) that many after the edges + 1 buckets of the others.
   BC_UNBUCKETED where hs is not a number. Billings, Pena, Schaeffer and Szafron (1999). */
void bc_bucket_holdings(const double *hs, const double *ppot, const double *edges, int n, double draw,
                        uint8_t *bucket);

/* sums[rows][labels]: the sum of the weights by_holding[rows][BC_HOLDINGS] of each label; holdings with
   another label do not count. */
void bc_sum_by_label(const double *by_holding, int rows, const uint8_t *label, int labels, double *sums);

enum { BC_LABELS = 64 /* the largest number of labels in a set */ };

/* by_holding[BC_HOLDINGS]: 1 for the holdings of the `count` labels with the largest chances[labels], of
   equal ones the first; 0 for the others, and for holdings with a card in the set `dead`. While no holding
   is left, the next label is added. Returns the set of labels, empty where there is no holding at all. */
uint64_t bc_weigh_top_labels(const double *chances, int labels, int count, const uint8_t *label,
                             uint64_t dead, double *by_holding);

#endif

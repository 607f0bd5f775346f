/* Policies of search.h in fixed limit by the styles that each player may have: tables of its choice by
   betting situation, bucket and style, at some powers of the dependence on the cards. A player weighs the
   powers by choice, and multiplies the chance of each choice in a situation with a factor of its own; or it
   is blind, and has the same chances with any holding.

   A cluster is a style, or after them the blind player. A position's holding is drawn from its own
   probabilities, the mean of the clusters; then its cluster given holding and acts so far. Buckets before the
   flop are the 169 starting classes; each income group has its cells of them. */
#ifndef BAYCARP_SEARCH_STYLES_H
#define BAYCARP_SEARCH_STYLES_H

#include "baycarp/evidence.h"
#include "baycarp/search.h"
#include "baycarp/search_models.h"

enum {
    BC_STYLE_CLASSES = 169,
    BC_STYLE_GROUPS = 3,                      /* income rates for two, four and seven players */
    BC_STYLE_PREFLOP = BC_PRICES * 4 * 2 * 2, /* situations: price, place, another is in, the actor is in */
    BC_STYLE_LATER = BC_PRICES * 3 * 2 * 3,   /* price; 1, 2, 3+ opponents; last to act; last raiser before */
    BC_STYLE_SITUATIONS = BC_STYLE_PREFLOP + 3 * BC_STYLE_LATER, /* of all streets, one after another */
    BC_STYLE_ACTS = 64
};

/* Shared by all decisions. */
typedef struct {
    int styles, powers;
    int cells[BC_STYLE_GROUPS];                      /* before the flop */
    uint8_t cell[BC_STYLE_GROUPS][BC_STYLE_CLASSES]; /* of each class */
    const uint8_t *bucket[BC_STYLE_GROUPS];          /* [power][cell] */
    int buckets[BC_STREETS];
    const float *table[BC_STREETS]; /* [situation][BC_KINDS][power][bucket][style]; 0 where it is not legal */
    const double *own[BC_STREETS];  /* hero's, before the flop by class: [situation][bucket][BC_KINDS] */
} bc_styles;

/* The players of a decision. */
typedef struct {
    const bc_styles *styles;
    const double
        *weights;       /* [seats][styles + 1]: of the styles before the acts, of the blind one after them */
    const double *sums; /* the running sums of each position's weights */
    const double *powers;   /* [seats][2][BC_KINDS][power]: their weights before the flop and after it */
    const double *factor;   /* [seats][BC_STYLE_SITUATIONS][BC_KINDS] */
    const double *blindly;  /* likewise: the chances of the blind one */
    int8_t group[BC_SEATS]; /* -1: has not acted yet */
    int count[BC_SEATS];    /* of acts */
    bc_seen_act acts[BC_SEATS][BC_STYLE_ACTS];
} bc_style_players;

/* The situation of the player to act; raised: the position of the last raise on the street before, or -1. */
int bc_style_situation(const bc_variant *variant, const bc_state *state, int raised);

/* A bc_policy for searches with past; the context is a bc_style_players. */
void bc_style_policy(const void *players, const bc_decision *query, double *chances);

/* A bc_refine; at most BC_STYLE_MOST clusters. */
enum { BC_STYLE_MOST = 4096 };
int bc_style_refine(const void *players, int seat, int holding, double unit);

#endif

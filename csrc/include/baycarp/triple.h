/* Loki's betting rules after the flop, as probabilities of fold, call and raise (limit hold'em).

   The first of six rules that applies decides (Papp 1998, chapter 6). Each threshold is a ramp, not a step
   (Billings et al. 1999: probability triples), so that every rule takes a share of the probability that the
   rules before it have left; the shares sum to 1 and explain the triple. The widths of the ramps are not
   published: they are our choice, as are the last field of bc_rules and the price of rule 5.

        HSn  = HS ^ opponents           EHS' = HSn + (1 - HSn) PPot      EHS = EHS' - HSn NPot

     1  strong          EHS' >= 0.85                     raise while fewer than two bets, else call
     2  good            EHS' >= 0.50                     bet if there is none, else call; not when two or more
                                                         bets are faced without one paid on this street
     3  semi-bluff      PPot >= 2b / (pot + 6b)          bet, only when nothing is owed
     4  pot odds        PPot >= c / (pot + c)            call (the river: HSn)
     5  showdown odds   EHS >= (c + f) / (pot + c + 2f)  call; f = bets to come, one per street
     6  give up                                          check, or fold

   with b the size of a bet, c the chips owed, pot with the bet faced. PPot and NPot look one card ahead. */
#ifndef BAYCARP_TRIPLE_H
#define BAYCARP_TRIPLE_H

#include <string.h>

enum { BC_STRONG, BC_GOOD, BC_SEMI_BLUFF, BC_POT_ODDS, BC_SHOWDOWN_ODDS, BC_GIVE_UP, BC_RULES };

#define BC_RAMP 0.10      /* half the width of the ramps around 0.85 and 0.50 */
#define BC_ODDS_RAMP 0.05 /* and around the prices of rules 3 to 5 */

/* The situation of a decision. Amounts are chips. */
typedef struct {
    double pot, owed, bet, later; /* later: bets to come after this street, one per street */
    int bets;                     /* bets and raises on this street */
    int opponents, behind;        /* opponents in; those that have not acted on this street */
    int invested;                 /* the player has paid a bet on this street voluntarily */
    int can_raise;
    int last;      /* the river: no potential */
    int following; /* the player semi-bluffed on an earlier street, and no opponent has bet or raised since */
} bc_spot;

/* Parameters of a player; all doubles, so that an array of them is a matrix. */
typedef struct {
    double strong, good; /* thresholds of rules 1 and 2 */
    double bluff;        /* factor on rule 3's price */
    double odds;         /* added to the prices of rules 4 and 5 */
    double implied;      /* bets added to rule 4's pot */
    double defence;      /* 1: f = 0 in rule 5 */
    double slow;         /* probability of a check with a strong hand, first to act of three or more */
} bc_rules;

/* 0 below threshold - width, 1 above threshold + width, linear between. */
static inline double bc_ramp(double x, double threshold, double width) {
    double at = (x - threshold) / (2 * width) + 0.5;
    return at < 0 ? 0 : at > 1 ? 1 : at;
}

/* The share of each rule for a hand of strength hs (against one opponent) and potentials ppot, npot. */
static inline void bc_rule_shares(const bc_spot *s, const bc_rules *r, double hs, double ppot, double npot,
                                  double share[BC_RULES]) {
    double hsn = 1, left = 1;
    for (int i = 0; i < s->opponents; i++) hsn *= hs;
    if (s->last) ppot = npot = 0;
    double optimist = hsn + (1 - hsn) * ppot, effective = optimist - hsn * npot;
    memset(share, 0, BC_RULES * sizeof *share);

    left -= share[BC_STRONG] = bc_ramp(optimist, r->strong, BC_RAMP);
    if (s->owed < 2 * s->bet || s->invested)
        left -= share[BC_GOOD] = left * bc_ramp(optimist, r->good, BC_RAMP);
    if (s->owed > 0) {
        double f = r->defence > 0 ? 0 : s->later;
        double price = s->owed / (s->pot + r->implied * s->bet + s->owed) + r->odds;
        double down = (s->owed + f) / (s->pot + s->owed + 2 * f) + r->odds;
        left -= share[BC_POT_ODDS] = left * bc_ramp(s->last ? hsn : ppot, price, BC_ODDS_RAMP);
        left -= share[BC_SHOWDOWN_ODDS] = left * bc_ramp(effective, down, BC_ODDS_RAMP);
    } else if (s->can_raise) {
        double price = r->bluff * 2 * s->bet / (s->pot + 6 * s->bet);
        left -= share[BC_SEMI_BLUFF] = left * (s->following ? 1 : bc_ramp(ppot, price, BC_ODDS_RAMP));
    }
    share[BC_GIVE_UP] = left;
}

/* The triple of the shares: out[0] fold, out[1] check or call, out[2] bet or raise. */
static inline void bc_triple(const bc_spot *s, const bc_rules *r, const double share[BC_RULES],
                             double out[3]) {
    double slow = s->bets == 0 && s->behind == s->opponents && s->behind >= 2 ? r->slow : 0;
    double raise = s->can_raise && s->bets < 2 ? share[BC_STRONG] * (1 - slow) : 0;
    if (s->can_raise && s->bets == 0) raise += share[BC_GOOD] + share[BC_SEMI_BLUFF];
    out[0] = s->owed > 0 ? share[BC_GIVE_UP] : 0;
    out[2] = raise;
    out[1] = 1 - out[0] - raise;
}

#endif

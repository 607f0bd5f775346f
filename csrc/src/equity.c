#include "baycarp/equity.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"
#include "baycarp/showdown.h"
#include "baycarp/strength.h"

/* Number of pair comparisons that costs about as much as one pass over all holdings. */
#define FEW_PAIRS 512

/* The same for one holding on a board, which is counted by class (strength.h). */
#define FEW_RIVALS 8

typedef struct {
    bc_hand hand;
    uint64_t cards;
    double weight;
    uint16_t rank; /* rank on this board; 0 = blocked */
} holding;

typedef struct {
    uint64_t shared; /* cards common to all holdings */
    int count;
    holding holdings[BC_DECK];
} side;

/* Collect the unblocked holdings of weight > 0. */
static void fill(const double *weights, uint64_t known, side *s) {
    s->shared = ~(uint64_t)0;
    s->count = 0;
    for (int hi = 1, index = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, index++) {
            const uint64_t cards = bc_bit(hi) | bc_bit(lo);
            if (cards & known || !(weights[index] > 0)) continue;
            const bc_hand hand = bc_hand_add(bc_hand_card(hi), bc_hand_card(lo));
            s->holdings[s->count++] = (holding){hand, cards, weights[index], 0};
            s->shared &= cards;
        }
}

/* Whether the holdings are so few that they may share a card, or that pairs are compared one by one. */
static bool narrow(const double *weights) {
    int count = 0;
    for (int i = 0; i < BC_HOLDINGS && count < BC_DECK; i++) count += weights[i] > 0;
    return count < BC_DECK;
}

/* Pairs one by one, board by board. */
typedef struct {
    side *a, *b;
    uint64_t out;
    double won;
} few;

static void rank_all(side *s, bc_hand board, uint64_t cards) {
    for (holding *h = s->holdings; h < s->holdings + s->count; h++)
        h->rank = h->cards & cards ? 0 : bc_rank(bc_hand_add(board, h->hand));
}

static void compare(few *f, bc_hand board, uint64_t cards) {
    rank_all(f->a, board, cards);
    rank_all(f->b, board, cards);
    for (const holding *a = f->a->holdings; a < f->a->holdings + f->a->count; a++) {
        double beaten = 0, tied = 0;
        if (!a->rank) continue;
        for (const holding *b = f->b->holdings; b < f->b->holdings + f->b->count; b++) {
            if (!b->rank || a->cards & b->cards) continue;
            if (a->rank > b->rank) beaten += b->weight;
            if (a->rank == b->rank) tied += b->weight;
        }
        f->won += a->weight * (beaten + tied / 2);
    }
}

static void complete(few *f, int to_come, int from, int to, bc_hand board, uint64_t cards) {
    if (!to_come) {
        compare(f, board, cards);
        return;
    }
    for (int card = from; card < to; card++)
        if (!(f->out & bc_bit(card)))
            complete(f, to_come - 1, card + 1, BC_DECK, bc_hand_add(board, bc_hand_card(card)),
                     cards | bc_bit(card));
}

static double pairs(const side *a, const side *b) {
    double sum = 0;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (!(a->holdings[i].cards & b->holdings[j].cards))
                sum += a->holdings[i].weight * b->holdings[j].weight;
    return sum;
}

static double boards(int left, int to_come) {
    double ways = 1;
    for (int i = 0; i < to_come; i++) ways = ways * (left - i) / (i + 1);
    return ways;
}

/* One holding against a range, on a board. */
static double beaten(enum bc_simd level, const side *one, const double *range, const uint8_t *board, int n,
                     double *met) {
    uint8_t hole[2];
    for (int card = 0, i = 0; card < BC_DECK; card++)
        if (one->shared & bc_bit(card)) hole[i++] = (uint8_t)card;
    const double won = bc_beaten(level, hole, board, n, range, met);
    *met *= one->holdings->weight;
    return won * one->holdings->weight;
}

void bc_equity(enum bc_simd level, const double *a, const double *b, const uint8_t *board, int n, int lowest,
               bc_stop stop, bc_shares *sum) {
    assert(0 <= n && n <= 5 && lowest < (n == 5 ? 0 : 13));
    bc_showdowns s;
    side ours, theirs;
    ours.shared = theirs.shared = 0;
    bc_showdowns_start(board, n, 5 - n, b, &s);
    const bool few_of_ours = narrow(a), few_of_theirs = narrow(b);
    if (few_of_ours) fill(a, s.out, &ours);
    if (few_of_theirs) fill(b, s.out, &theirs);
    s.lowest = lowest;
    s.stop = stop;
    s.held = ours.shared | theirs.shared;
    const double ways = lowest <= 0 ? boards(BC_DECK - 4 - n, 5 - n) : 0;
    const bool all_boards = n >= 3 && lowest < 0;
    const bool we_are_one = all_boards && few_of_ours && ours.count == 1;
    const bool they_are_one = all_boards && few_of_theirs && theirs.count == 1;
    const int most = we_are_one || they_are_one ? FEW_RIVALS : FEW_PAIRS;
    if (few_of_ours && few_of_theirs && ours.count * theirs.count <= most) {
        few f = {&ours, &theirs, s.out | s.held, 0};
        const int from = lowest < 0 ? 0 : 4 * lowest, to = lowest < 0 ? BC_DECK : from + 4;
        complete(&f, 5 - n, from, to, bc_hand_of(board, n), s.out);
        sum->won += f.won;
        sum->total += ways * pairs(&ours, &theirs);
    } else if (we_are_one || they_are_one) {
        double met;
        const double won =
            we_are_one ? beaten(level, &ours, b, board, n, &met) : beaten(level, &theirs, a, board, n, &met);
        sum->won += we_are_one ? won : met - won;
        sum->total += met;
    } else {
        s.others = a;
        if (n < 4) bc_showdowns_twins(&s);
        bc_showdowns_run(level, &s);
        sum->won += s.won;
        sum->total += ways * s.met;
    }
}

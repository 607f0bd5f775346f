/* Part of potential_form.h: changes of standing by ranks alone, as if there were no flush. */
#ifndef BAYCARP_SIMD_POTENTIAL_RANKS_H
#define BAYCARP_SIMD_POTENTIAL_RANKS_H

#include "potential.h"

#include <stdbool.h>
#include <string.h>

#include "rank_pairs.h"

/* The change of standings of a holding: increases and decreases. */
typedef struct {
    int rise, fall;
} change;

static uint64_t set_of(const uint8_t *cards, int n) {
    uint64_t set = 0;
    for (int i = 0; i < n; i++) set |= bc_bit(cards[i]);
    return set;
}

typedef struct {
    int shown[RANKS];                       /* cards of the board by rank */
    int16_t hi[LANES], lo[LANES];           /* the ranks of a pair */
    int16_t now[LANES], then[RANKS][LANES]; /* hand ranks, by the rank of the next card */
} pairs;

static void list_pairs(const uint8_t *board, int n, pairs *p) {
    uint32_t keys[RANKS], key = 0;
    memset(p, 0, sizeof *p);
    for (int hi = 0; hi < RANKS; hi++) {
        keys[hi] = (uint32_t)bc_hand_card(4 * hi).key;
        for (int lo = 0; lo <= hi; lo++)
            p->hi[pair_of(hi, lo)] = (int16_t)hi, p->lo[pair_of(hi, lo)] = (int16_t)lo;
    }
    for (int i = 0; i < n; i++) key += keys[bc_rank_of(board[i])], p->shown[bc_rank_of(board[i])]++;
    rank_row(key, keys, p->shown, p->now);
    rank_rows(key, keys, p->shown, p->then);
}

/* The rivals of a holding of two ranks: how many there are of each pair, and how many of them a next card of
   the pair's higher and lower rank takes away; and its standing to them now. */
typedef struct {
    int16_t ways[LANES], lost_hi[LANES], lost_lo[LANES], standing[LANES];
} rivals;

/* Whether the deck has such a holding. */
static bool list_rivals(const pairs *p, int own, rivals *r) {
    int left[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        left[rank] = 4 - p->shown[rank] - (p->hi[own] == rank) - (p->lo[own] == rank);
        if (left[rank] < 0) return false;
    }
    memset(r, 0, sizeof *r);
    for (int q = 0; q < PAIRS; q++) {
        const int hi = left[p->hi[q]], lo = left[p->lo[q]];
        const bool equal = p->hi[q] == p->lo[q];
        r->ways[q] = (int16_t)(equal ? hi * (hi - 1) / 2 : hi * lo);
        r->lost_hi[q] = (int16_t)lo;
        r->lost_lo[q] = (int16_t)(equal ? -1 : hi);
        r->standing[q] = (int16_t)((p->now[own] > p->now[q]) - (p->now[own] < p->now[q]));
    }
    return true;
}

/* Against all rivals that a next card of this rank leaves. */
static change changed_by(const pairs *p, const rivals *r, int own, int next) {
    const int16_t ours = p->then[next][own], *theirs = p->then[next];
    int16_t rise = 0, fall = 0; /* at most 2 * 1081 */
    for (int q = 0; q < LANES; q++) {
        const int16_t lost_hi = p->hi[q] == next ? r->lost_hi[q] : 0;
        const int16_t lost_lo = p->lo[q] == next ? r->lost_lo[q] : 0;
        const int16_t ways = (int16_t)(r->ways[q] - lost_hi - lost_lo);
        const int16_t delta = (int16_t)((ours > theirs[q]) - (ours < theirs[q]) - r->standing[q]);
        rise = (int16_t)(rise + ways * (delta > 0 ? delta : 0));
        fall = (int16_t)(fall - ways * (delta < 0 ? delta : 0));
    }
    return (change){rise, fall};
}

/* Add the changes by these next cards to every holding of two ranks. */
static void add_ranks(const pairs *p, int own, uint64_t next, bc_changes *sum) {
    rivals r;
    change by[RANKS], all = {0, 0};
    if (!list_rivals(p, own, &r)) return;
    for (int rank = 0; rank < RANKS; rank++) {
        by[rank] = changed_by(p, &r, own, rank);
        for (int suit = 0; suit < 4; suit++)
            if (next & bc_bit(4 * rank + suit)) all.rise += by[rank].rise, all.fall += by[rank].fall;
    }
    const change none = {0, 0};
    for (int a = 4 * p->hi[own]; a < 4 * p->hi[own] + 4; a++)
        for (int b = 4 * p->lo[own]; b < 4 * p->lo[own] + 4 && b < a; b++) {
            const change of_a = next & bc_bit(a) ? by[p->hi[own]] : none; /* its own cards do not come */
            const change of_b = next & bc_bit(b) ? by[p->lo[own]] : none;
            sum->rise[bc_holding(a, b)] += all.rise - of_a.rise - of_b.rise;
            sum->fall[bc_holding(a, b)] += all.fall - of_a.fall - of_b.fall;
        }
}

#endif

#include "baycarp/showdown.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define FORM run_base
static void run_base(bc_showdowns *s);
#include "../simd/showdown_form.h"

void bc_showdowns_start(const uint8_t *board, int n, int to_come, const double *weights, bc_showdowns *s) {
    assert(0 <= n && 3 <= n + to_come && n + to_come <= 5);
    s->weights = weights;
    s->others = NULL;
    s->tally = BC_BEATEN;
    s->shown = n;
    s->to_come = to_come;
    s->lowest = -1;
    s->out = s->held = 0;
    s->stop = NULL;
    for (int suit = 0; suit < 4; suit++) s->twin[suit] = (uint8_t)suit;
    for (int i = 0; i < n; i++) s->out |= bc_bit(s->board[i] = board[i]);
}

static int swapped(int card, int u, int v) {
    const int suit = bc_suit_of(card);
    return card - suit + (suit == u ? v : suit == v ? u : suit);
}

static uint64_t swap_set(uint64_t cards, int u, int v) {
    uint64_t set = 0;
    for (int card = 0; card < BC_DECK; card++)
        if (cards & bc_bit(card)) set |= bc_bit(swapped(card, u, v));
    return set;
}

static bool swap_changes(const double *weights, int u, int v) {
    for (int hi = 1, i = 0; weights && hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, i++)
            if (weights[i] != weights[bc_holding(swapped(hi, u, v), swapped(lo, u, v))]) return true;
    return false;
}

void bc_showdowns_twins(bc_showdowns *s) {
    for (int v = 1; v < 4; v++)
        for (int u = 0; u < v && s->twin[v] == v; u++) {
            if (swap_set(s->out, u, v) == s->out && swap_set(s->held, u, v) == s->held &&
                !swap_changes(s->weights, u, v) && !swap_changes(s->others, u, v))
                s->twin[v] = (uint8_t)u;
        }
}

void bc_showdowns_run(enum bc_simd level, bc_showdowns *s) {
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) bc_showdowns_run_avx512(s);
    if (level == BC_AVX2) bc_showdowns_run_avx2(s);
#endif
    if (level == BC_BASE) run_base(s);
}

/* The mean over all permutations of twin suits. */
void bc_showdowns_spread(const bc_showdowns *s, double *sum) {
    double spread[BC_HOLDINGS] = {0};
    int renamings = 0;
    for (int code = 0; code < 256; code++) {
        int to[4], seen = 0;
        for (int suit = 0; suit < 4; suit++) {
            to[suit] = code >> 2 * suit & 3;
            if (s->twin[to[suit]] == s->twin[suit]) seen |= 1 << to[suit];
        }
        if (seen != 15) continue;
        renamings++;
        for (int hi = 1, i = 0; hi < BC_DECK; hi++)
            for (int lo = 0; lo < hi; lo++, i++)
                spread[i] += sum[bc_holding((hi & ~3) + to[hi & 3], (lo & ~3) + to[lo & 3])];
    }
    for (int i = 0; i < BC_HOLDINGS; i++) sum[i] = spread[i] / renamings;
}

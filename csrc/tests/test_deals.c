/* Deals: different cards, buckets and winners against their definitions, a number for a deal whatever the
 * batch. */
#include "baycarp/deals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "baycarp/preflop.h"
#include "baycarp/rank.h"

enum { DEALS = 600, RIVERS = 7, OWN = 11 };

static uint16_t rows[2][BC_TURNS], holdings[BC_RENAMINGS * BC_HOLDINGS], buckets[2][3 * BC_HOLDINGS];
static uint8_t renamings[2][BC_TURNS];
static double edges[RIVERS - 1];
static bc_dealt deals[DEALS], again[DEALS];

static int number_of(const uint8_t *board, int n) { /* sets in order of their greatest card, then the next */
    int number = 0;
    uint64_t set = 0;
    for (int i = 0; i < n; i++) set |= bc_bit(board[i]);
    for (int card = BC_DECK - 1, left = n; left; card--) {
        if (!(set & bc_bit(card))) continue;
        long long choose = 1;
        for (int k = 0; k < left; k++) choose = choose * (card - k) / (k + 1);
        number += (int)choose;
        left--;
    }
    return number;
}

/* Twice the opposing holdings that h beats on the board, and those that it ties once; -1 for a blocked one.
 */
static int beaten(const uint16_t *ranks, int a, int b) {
    int sum = 0;
    for (int hi = 1, h = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, h++) {
            if (!ranks[h] || hi == a || hi == b || lo == a || lo == b) continue;
            sum += 2 * (ranks[bc_holding(a, b)] > ranks[h]) + (ranks[bc_holding(a, b)] == ranks[h]);
        }
    return ranks[bc_holding(a, b)] ? sum : -1;
}

static int river_bucket(const uint8_t *board, int a, int b) {
    uint16_t ranks[BC_HOLDINGS];
    bc_rank_holdings(board, 5, ranks);
    int below = 0, equal = 0, all = 0, bucket = 0;
    const int own = beaten(ranks, a, b);
    for (int hi = 1; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) {
            const int other = beaten(ranks, hi, lo);
            all += other >= 0;
            below += other >= 0 && other < own;
            equal += other == own;
        }
    while (bucket < RIVERS - 1 && RIVERS * (2 * below + equal) >= 2 * all * (bucket + 1)) bucket++;
    return bucket;
}

static void check(const bc_dealt *d, const bc_bucket_tables *t) {
    uint64_t set = 0;
    for (int k = 0; k < BC_DEALT; k++) set |= bc_bit(d->card[k]);
    assert(__builtin_popcountll(set) == BC_DEALT);
    uint16_t rank[2];
    for (int p = 0; p < 2; p++) {
        uint8_t seven[7] = {d->card[2 * p], d->card[2 * p + 1]};
        memcpy(seven + 2, d->card + 4, 5);
        rank[p] = bc_rank_cards(seven, 7);
        const int h = bc_holding(seven[0], seven[1]);
        assert(d->bucket[p][0] == bc_preflop_class[h]);
        for (int s = 0; s < 2; s++) {
            const int number = number_of(d->card + 4, 3 + s);
            const int renamed = holdings[renamings[s][number] * BC_HOLDINGS + h];
            assert(d->bucket[p][s + 1] % OWN == buckets[s][rows[s][number] * BC_HOLDINGS + renamed]);
        }
        assert(d->bucket[p][1] < OWN && d->bucket[p][2] / OWN == d->bucket[p][1]);
        assert(t->recall[1] && d->bucket[p][3] == river_bucket(d->card + 4, seven[0], seven[1]));
    }
    assert(d->won == (rank[0] > rank[1]) - (rank[0] < rank[1]));
}

int main(void) {
    bc_bucket_tables t = {
        .holding = holdings, .edges = edges, .count = {OWN, OWN, RIVERS}, .recall = {0, 1, 0}};
    srand(5);
    for (int i = 0; i < BC_RENAMINGS * BC_HOLDINGS; i++) holdings[i] = (uint16_t)(rand() % BC_HOLDINGS);
    for (int i = 1; i < RIVERS; i++) edges[i - 1] = (double)i / RIVERS;
    for (int s = 0; s < 2; s++) {
        t.row[s] = rows[s], t.renaming[s] = renamings[s], t.bucket[s] = buckets[s];
        for (int i = 0; i < 3 * BC_HOLDINGS; i++) buckets[s][i] = (uint16_t)(rand() % OWN);
        for (int i = 0; i < BC_TURNS; i++) {
            rows[s][i] = (uint16_t)(rand() % 3);
            renamings[s][i] = (uint8_t)(rand() % BC_RENAMINGS);
        }
    }
    for (enum bc_simd level = BC_BASE; level <= bc_simd_best(); level++) {
        bc_deals(level, &t, 7, 40, DEALS, deals);
        for (int i = 0; i < DEALS; i += level == BC_BASE ? 20 : 200) check(&deals[i], &t);
        for (int i = 0; i < DEALS; i += 100) bc_deals(level, &t, 7, 40 + i, 100, again + i);
        assert(!memcmp(deals, again, sizeof deals));
    }
    int seen[BC_DECK] = {0};
    for (int i = 0; i < DEALS; i++)
        for (int k = 0; k < BC_DEALT; k++) seen[deals[i].card[k]]++;
    for (int card = 0; card < BC_DECK; card++) assert(abs(seen[card] - DEALS * BC_DEALT / BC_DECK) < 60);
    bc_deals(BC_BASE, &t, 8, 40, DEALS, again);
    assert(memcmp(deals, again, sizeof deals));
    return 0;
}

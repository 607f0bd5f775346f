#include "baycarp/deals.h"

#include <assert.h>

#include "baycarp/preflop.h"
#include "baycarp/rank.h"
#include "baycarp/rng.h"
#include "baycarp/showdown.h"

/* The number of a set of n = 3 or 4 cards. */
static uint32_t set_number(const uint8_t *cards, int n) {
    uint32_t c[4];
    for (int i = 0; i < n; i++) {
        int at = i;
        for (; at > 0 && c[at - 1] > cards[i]; at--) c[at] = c[at - 1];
        c[at] = cards[i];
    }
    const uint32_t three = c[0] + c[1] * (c[1] - 1) / 2 + c[2] * (c[2] - 1) * (c[2] - 2) / 6;
    return n == 3 ? three : three + c[3] * (c[3] - 1) * (c[3] - 2) * (c[3] - 3) / 24;
}

static int looked_up(const bc_bucket_tables *t, int street, const uint8_t *board, int holding) {
    const uint32_t number = set_number(board, 3 + street);
    const size_t row = t->row[street][number], renaming = t->renaming[street][number];
    return t->bucket[street][row * BC_HOLDINGS + t->holding[renaming * BC_HOLDINGS + (size_t)holding]];
}

/* The percentile is the middle of the stretch that holdings of equal strength take in the ranking. */
static int percentile_bucket(const bc_bucket_tables *t, const bc_showdowns *s, int holding) {
    int below = 0, equal = 0, all = 0, bucket = 0;
    for (int hi = 1, h = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, h++) {
            const int live = !(s->out & (bc_bit(hi) | bc_bit(lo)));
            all += live;
            below += live & (s->sum[h] < s->sum[holding]);
            equal += live & (s->sum[h] == s->sum[holding]);
        }
    const double from = (double)below / all, to = (double)(below + equal) / all;
    while (bucket < t->count[2] - 1 && t->edges[bucket] <= (from + to) / 2) bucket++;
    return bucket;
}

static void find_buckets(enum bc_simd level, const bc_bucket_tables *t, bc_dealt *deal) {
    const uint8_t *board = deal->card + 4;
    bc_showdowns s;
    bc_showdowns_start(board, 5, 0, NULL, &s);
    bc_showdowns_run(level, &s);
    for (int player = 0; player < 2; player++) {
        const int h = bc_holding(deal->card[2 * player], deal->card[2 * player + 1]);
        uint16_t *bucket = deal->bucket[player];
        bucket[0] = bc_preflop_class[h];
        for (int street = 0; street < 3; street++) {
            const int own = street < 2 ? looked_up(t, street, board, h) : percentile_bucket(t, &s, h);
            bucket[street + 1] =
                (uint16_t)(own + (t->recall[street] ? bucket[street] * t->count[street] : 0));
        }
    }
}

void bc_deals(enum bc_simd level, const bc_bucket_tables *tables, uint64_t seed, int64_t first, int64_t n,
              bc_dealt *deals) {
    for (int64_t i = 0; i < n; i++) {
        uint8_t deck[BC_DECK];
        bc_rng rng;
        bc_rng_seed_numbered(&rng, seed, (uint64_t)(first + i));
        for (int card = 0; card < BC_DECK; card++) deck[card] = (uint8_t)card;
        for (int k = 0; k < BC_DEALT; k++) {
            const int drawn = k + (int)bc_rng_below(&rng, (uint32_t)(BC_DECK - k));
            deals[i].card[k] = deck[drawn];
            deck[drawn] = deck[k];
        }
        const uint8_t *card = deals[i].card;
        const bc_hand board = bc_hand_of(card + 4, 5);
        const int one =
            bc_rank(bc_hand_add(board, bc_hand_add(bc_hand_card(card[0]), bc_hand_card(card[1]))));
        const int two =
            bc_rank(bc_hand_add(board, bc_hand_add(bc_hand_card(card[2]), bc_hand_card(card[3]))));
        deals[i].won = (int8_t)((one > two) - (one < two));
        find_buckets(level, tables, &deals[i]);
    }
}

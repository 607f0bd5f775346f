/* Rows of cards at once: the wide form of the processor, and plain C for what it leaves. */
#include "baycarp/rank.h"

#include "../simd/rank.h"

#include <assert.h>

static int is_hand(const uint8_t *cards, int k) {
    uint64_t set = 0;
    for (int i = 0; i < k; i++) {
        if (cards[i] >= BC_DECK || set & bc_bit(cards[i])) return 0;
        set |= bc_bit(cards[i]);
    }
    return 1;
}

static inline int known(const uint8_t *cards, ptrdiff_t n) {
    uint8_t high = 0;
    for (ptrdiff_t i = 0; i < n; i++) high = cards[i] > high ? cards[i] : high;
    return high < BC_DECK;
}

/* 0 if a row is not a hand. */
static inline int rank_block(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    uint64_t twice = 0;
    if (!known(cards, n * k)) return 0;
    for (ptrdiff_t i = 0; i < n; i++, cards += k) {
        bc_hand hand = bc_hand_empty();
        uint64_t sum = 0; /* differs from the mask if a card occurs twice */
        for (int j = 0; j < k; j++) {
            hand = bc_hand_add(hand, bc_hand_card(cards[j]));
            sum += bc_card_masks[cards[j]];
        }
        twice |= sum ^ hand.mask;
        out[i] = bc_rank(hand);
    }
    return !twice;
}

enum { BLOCK = 64 };

static inline ptrdiff_t ranked(const uint8_t *cards, ptrdiff_t n, int k, ptrdiff_t done, uint16_t *out) {
    for (; done < n; done += BLOCK) {
        ptrdiff_t size = n - done < BLOCK ? n - done : BLOCK;
        if (rank_block(cards + done * k, size, k, out + done)) continue;
        while (is_hand(cards + done * k, k)) done++;
        return done;
    }
    return -1;
}

/* Number of rows ranked by the wide form: it omits the last few, and all rows from an invalid block on. */
static ptrdiff_t rank_wide(enum bc_simd level, const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    assert(level <= bc_simd_best());
#ifdef BC_X86_LEVELS
    if (level == BC_AVX512) return bc_rank_avx512(cards, n, k, out);
    if (level == BC_AVX2) return bc_rank_avx2(cards, n, k, out);
#endif
    (void)level, (void)cards, (void)n, (void)k, (void)out;
    return 0;
}

ptrdiff_t bc_rank_batch(enum bc_simd level, const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    assert(5 <= k && k <= 7);
    ptrdiff_t done = rank_wide(level, cards, n, k, out);
    return k == 7   ? ranked(cards, n, 7, done, out)
           : k == 6 ? ranked(cards, n, 6, done, out)
                    : ranked(cards, n, 5, done, out);
}

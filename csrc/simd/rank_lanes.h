/* A block of hands, a byte each, in a vector of LANES times 16 bytes, which the including source defines.

   1. Turn the rows into columns: the i-th cards of all hands in one vector.
   2. Check: all cards in the deck, all cards of a hand different.
   3. Add up over the cards the digits of rank.h and the suits' nibbles, each by a 16-entry shuffle.
   4. Interleave the digits to the hands' sums, and look them up one by one: gathers are no faster, and much
   slower with some microcode. Flushes, 3 % of the hands, are ranked again. */
#include "baycarp/rank.h"

enum { ROWS = 16 * LANES };

/* A lane has two rows; pair[i] combines the i-th cards of both. */
static inline void to_columns(const uint8_t *cards, int k, vec *column) {
    uint8_t pair[16];
    vec v[8], w[8];
    for (int i = 0; i < 8; i++) {
        pair[2 * i] = (uint8_t)(i < k ? i : 0x80);
        pair[2 * i + 1] = (uint8_t)(i < k ? k + i : 0x80);
    }
    for (int i = 0; i < 8; i++) v[i] = V(shuffle_epi8)(load_lanes(cards + 2 * i * k, 16 * k), spread(pair));
    for (int i = 0; i < 4; i++) { /* v[0..7] x pairs of cards 0..7, transposed in three steps */
        w[i] = V(unpacklo_epi16)(v[2 * i], v[2 * i + 1]);
        w[i + 4] = V(unpackhi_epi16)(v[2 * i], v[2 * i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            v[i + j] = V(unpacklo_epi32)(w[i + 2 * j], w[i + 2 * j + 1]);
            v[i + j + 2] = V(unpackhi_epi32)(w[i + 2 * j], w[i + 2 * j + 1]);
        }
    for (int i = 0; i < 8; i += 2) {
        column[i] = V(unpacklo_epi64)(v[i], v[i + 1]);
        column[i + 1] = V(unpackhi_epi64)(v[i], v[i + 1]);
    }
}

static inline int all_hands(const vec *column, int k) {
    vec high = column[0], apart = V(set1_epi8)(-1);
    for (int i = 1; i < k; i++) high = V(max_epu8)(high, column[i]);
    for (int i = 0; i < k; i++)
        for (int j = 0; j < i; j++) apart = V(min_epu8)(apart, BITS(xor)(column[i], column[j]));
    uint64_t every = ~(uint64_t)0 >> (64 - ROWS);
    return nonzero(apart) == every && !nonzero(V(subs_epu8)(high, V(set1_epi8)(BC_DECK - 1)));
}

static inline vec sum_digits(const vec *rank, int k, const uint8_t *digits) {
    vec table = spread(digits), sum = V(shuffle_epi8)(table, rank[0]);
    for (int i = 1; i < k; i++) sum = V(add_epi8)(sum, V(shuffle_epi8)(table, rank[i]));
    return sum;
}

/* One bit per hand. */
static inline uint64_t flushes(const vec *column, int k) {
    static const uint8_t clubs_diamonds[16] = {1, 16, 0, 0, 1, 16, 0, 0, 1, 16, 0, 0, 1, 16, 0, 0};
    static const uint8_t hearts_spades[16] = {0, 0, 1, 16, 0, 0, 1, 16, 0, 0, 1, 16, 0, 0, 1, 16};
    vec three = V(set1_epi8)(0x33);
    vec low = V(add_epi8)(three, sum_digits(column, k, clubs_diamonds));
    vec high = V(add_epi8)(three, sum_digits(column, k, hearts_spades));
    return nonzero(BITS (and)(BITS(or)(low, high), V(set1_epi8)((char)0x88)));
}

/* The hands' sums, in order: four bytes each; unpacking stays within a lane. */
static inline void sum_hands(const vec *column, int k, uint32_t *sum) {
    vec rank[8], digit[4], multiplier = V(set1_epi32)((int)bc_rank_multiplier);
    for (int i = 0; i < k; i++) rank[i] = BITS (and)(V(srli_epi16)(column[i], 2), V(set1_epi8)(15));
    for (int i = 0; i < 4; i++) digit[i] = sum_digits(rank, k, bc_rank_digits + 16 * i);
    vec low[2] = {V(unpacklo_epi8)(digit[0], digit[1]), V(unpackhi_epi8)(digit[0], digit[1])};
    vec high[2] = {V(unpacklo_epi8)(digit[2], digit[3]), V(unpackhi_epi8)(digit[2], digit[3])};
    for (int i = 0; i < 2; i++) {
        vec first = V(unpacklo_epi16)(low[i], high[i]), second = V(unpackhi_epi16)(low[i], high[i]);
        store_lanes(sum + 8 * i, 16, V(mullo_epi32)(first, multiplier));
        store_lanes(sum + 8 * i + 4, 16, V(mullo_epi32)(second, multiplier));
    }
}

static inline int rank_vector(const uint8_t *cards, int k, uint16_t *out) {
    vec column[8];
    uint32_t sum[ROWS];
    to_columns(cards, k, column);
    if (!all_hands(column, k)) return 0;
    sum_hands(column, k, sum);
    for (int i = 0; i < ROWS; i++) out[i] = bc_rank_off_flush(sum[i]);
    for (uint64_t left = flushes(column, k); left; left &= left - 1) {
        int row = __builtin_ctzll(left);
        out[row] = bc_rank_cards(cards + row * k, k);
    }
    return 1;
}

/* The load of a lane reads up to 6 bytes past its rows, so the last two rows are omitted. */
static inline ptrdiff_t rank_blocks(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    ptrdiff_t done = 0;
    while (n - done >= ROWS + 2 && rank_vector(cards + done * k, k, out + done)) done += ROWS;
    return done;
}

static ptrdiff_t rank_lanes(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    return k == 7   ? rank_blocks(cards, n, 7, out)
           : k == 6 ? rank_blocks(cards, n, 6, out)
                    : rank_blocks(cards, n, 5, out);
}

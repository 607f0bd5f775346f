/* Every hand against a ranker written from the rules of poker: five cards by category, more cards as the best
   five of them.

       test_rank            all 2,598,960 hands of five
       test_rank all6       all 20,358,520 hands of six
       test_rank all7       all 133,784,560 hands of seven */
#include "baycarp/rank.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIVES = 2598960, VALUES_END = 10 << 20 };

/* The reference. */

static int by_count_then_rank(const void *a, const void *b) {
    const int *x = a, *y = b; /* {count, rank} */
    return x[0] != y[0] ? y[0] - x[0] : y[1] - x[1];
}

/* A number that orders five-card hands: category, then the ranks, pairs and trips first. */
static uint32_t naive_five(const uint8_t *cards) {
    int groups[13][2], flush = 1, n = 0;
    for (int rank = 0; rank < 13; rank++) groups[rank][0] = 0, groups[rank][1] = rank;
    for (int i = 0; i < 5; i++) {
        groups[bc_rank_of(cards[i])][0]++;
        flush &= bc_suit_of(cards[i]) == bc_suit_of(cards[0]);
    }
    qsort(groups, 13, sizeof *groups, by_count_then_rank);
    while (n < 13 && groups[n][0]) n++;
    int wheel = n == 5 && groups[0][1] == 12 && groups[1][1] == 3;
    int straight = n == 5 && (wheel || groups[0][1] - groups[4][1] == 4);
    int first = groups[0][0], second = groups[1][0];
    uint32_t category = straight && flush           ? 9
                        : first == 4                ? 8
                        : first == 3 && second == 2 ? 7
                        : flush                     ? 6
                        : straight                  ? 5
                        : first == 3                ? 4
                        : first == 2 && second == 2 ? 3
                        : first == 2                ? 2
                                                    : 1;
    if (straight) return category << 20 | (uint32_t)(wheel ? 3 : groups[0][1]);
    uint32_t value = category;
    for (int i = 0; i < 5; i++) value = value << 4 | (uint32_t)(i < n ? groups[i][1] : 0);
    return value;
}

static uint32_t choose[53][8];
static uint16_t ranks_of_fives[FIVES]; /* by the combinatorial number of ascending cards */

static uint32_t number_of_five(const uint8_t *cards) {
    uint32_t number = 0;
    for (int i = 0; i < 5; i++) number += choose[cards[i]][i + 1];
    return number;
}

static uint8_t fives_of[8][21][5]; /* the places of each five among n cards; unused ones repeat the first */

static void list_fives(int n) {
    int found = 0;
    for (int set = 0; set < 1 << n; set++) {
        uint8_t five[8], k = 0;
        for (uint8_t i = 0; i < n; i++)
            if (set >> i & 1) five[k++] = i;
        if (k == 5) memcpy(fives_of[n][found++], five, 5);
    }
    for (; found < 21; found++) memcpy(fives_of[n][found], fives_of[n][0], 5);
}

static uint16_t naive_best(const uint8_t *cards, int n) {
    uint16_t best = 0;
    for (int i = 0; i < 21; i++) {
        uint32_t number = 0;
        for (int j = 0; j < 5; j++) number += choose[cards[fives_of[n][i][j]]][j + 1];
        if (ranks_of_fives[number] > best) best = ranks_of_fives[number];
    }
    return best;
}

/* Enumerations. */

static uint64_t categories[10];
static int distinct;
static uint8_t met[1 << 16];

static void count(uint16_t rank) {
    categories[bc_category(rank)]++;
    distinct += !met[rank];
    met[rank] = 1;
}

static void expect(const uint64_t expected[9], int values) {
    for (int i = 0; i < 9; i++) {
        if (categories[9 - i] != expected[i])
            printf("category %d: %llu, expected %llu\n", 9 - i, (unsigned long long)categories[9 - i],
                   (unsigned long long)expected[i]);
        assert(categories[9 - i] == expected[i]);
    }
    assert(distinct == values);
    memset(categories, 0, sizeof categories);
    memset(met, 0, sizeof met);
    distinct = 0;
}

/* Steps to the next ascending set of cards; 0 after the last. */
static int next_set(uint8_t *cards, int n) {
    int i = n - 1;
    while (i >= 0 && cards[i] == BC_DECK - n + i) i--;
    if (i < 0) return 0;
    cards[i]++;
    for (i++; i < n; i++) cards[i] = (uint8_t)(cards[i - 1] + 1);
    return 1;
}

/* Ranks the fives by the rules, numbers the values within their category, and compares. */
static void test_all_fives(void) {
    static uint8_t present[VALUES_END];
    static uint16_t rank_of_value[VALUES_END];
    uint8_t cards[5] = {0, 1, 2, 3, 4};
    do present[naive_five(cards)] = 1;
    while (next_set(cards, 5));
    uint32_t order = 0;
    for (uint32_t value = 0; value < VALUES_END; value++) {
        if ((value & 0xfffff) == 0) order = 0;
        if (present[value]) rank_of_value[value] = (uint16_t)(value >> 20 << 12 | order++);
    }
    for (int i = 0; i < 5; i++) cards[i] = (uint8_t)i;
    do {
        uint16_t rank = rank_of_value[naive_five(cards)];
        ranks_of_fives[number_of_five(cards)] = rank;
        assert(bc_rank_cards(cards, 5) == rank);
        count(rank);
    } while (next_set(cards, 5));
    expect((uint64_t[9]){40, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540}, 7462);
}

static void test_holdings(void) {
    const uint8_t board[5] = {50, 22, 2, 37, 9};
    uint16_t ranks[BC_HOLDINGS];
    for (int n = 3; n <= 5; n++) {
        bc_rank_holdings(board, n, ranks);
        for (int hi = 1, h = 0; hi < BC_DECK; hi++)
            for (int lo = 0; lo < hi; lo++, h++) {
                uint8_t cards[7] = {(uint8_t)hi, (uint8_t)lo};
                int out = 0;
                for (int i = 0; i < n; i++) cards[2 + i] = board[i], out |= board[i] == hi || board[i] == lo;
                assert(ranks[h] == (out ? 0 : bc_rank_cards(cards, n + 2)));
            }
    }
}

static void test_all(int n) {
    uint8_t cards[7] = {0, 1, 2, 3, 4, 5, 6};
    do {
        uint16_t rank = bc_rank_cards(cards, n);
        assert(rank == naive_best(cards, n));
        count(rank);
    } while (next_set(cards, n));
}

static void test_all_sevens(void) {
    test_all(7);
    expect((uint64_t[9]){41584, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460},
           4824);
}

static void test_all_sixes(void) {
    test_all(6);
    expect((uint64_t[9]){1844, 14664, 165984, 205792, 361620, 732160, 2532816, 9730740, 6612900}, 6075);
}

/* k different cards, ascending. */
static void draw(uint8_t *cards, int k) {
    static uint32_t state = 1;
    for (int n = 0; n < k;) {
        state = state * 1664525u + 1013904223u;
        uint8_t card = (uint8_t)((state >> 8) % BC_DECK);
        int at = n;
        while (at > 0 && cards[at - 1] > card) at--;
        if (at > 0 && cards[at - 1] == card) continue;
        memmove(cards + at + 1, cards + at, (size_t)(n - at));
        cards[at] = card;
        n++;
    }
}

static bool has_flush(uint16_t rank) {
    return bc_category(rank) == 6 || bc_category(rank) == 9;
}

static void test_samples(void) {
    uint8_t cards[7];
    for (int i = 0; i < 100000; i++) {
        int place = 0;
        draw(cards, 7);
        assert(bc_rank_cards(cards, 6) == naive_best(cards, 6));
        const uint16_t rank = naive_best(cards, 7);
        assert(bc_rank_cards(cards, 7) == rank);
        for (int j = 0; j < 7; j++) place += bc_seven_places[13 * j + bc_rank_of(cards[j])];
        assert(has_flush(rank) || bc_seven_ranks[place] == rank);
    }
}

static void test_batch(enum bc_simd level) {
    const uint8_t rows[] = {0, 1, 2, 3, 4, 48, 44, 40, 36, 32, 0, 0, 1, 2, 3, 0, 1, 2, 3, 52};
    uint16_t out[3];
    assert(bc_rank_batch(level, rows, 2, 5, out) == -1);
    assert(bc_category(out[0]) == 8 && out[0] == (8 << 12)); /* 2222 with a 3: the least quads */
    assert(out[1] == (9 << 12 | 9));                         /* the royal flush */
    assert(bc_rank_batch(level, rows, 3, 5, out) == 2);
    assert(bc_rank_batch(level, rows + 15, 1, 5, out) == 0);
}

/* Buffers of the exact size, so that a sanitizer detects accesses beyond them. */
static void test_long_batch(enum bc_simd level, int n, int k) {
    uint8_t *cards = malloc((size_t)(n * k)), *unsorted = malloc((size_t)(n * k));
    uint16_t *out = malloc((size_t)n * sizeof *out);
    for (int i = 0; i < n; i++) {
        draw(cards + i * k, k);
        for (int j = 0; j < k; j++) unsorted[i * k + j] = cards[i * k + (j + i) % k];
    }
    assert(bc_rank_batch(level, unsorted, n, k, out) == -1);
    for (int i = 0; i < n; i++) assert(out[i] == naive_best(cards + i * k, k));
    for (int i = 0; i < n; i += 7)
        for (int j = 0; j < k; j++) { /* an invalid card in every place: duplicate, or unknown */
            uint8_t *card = unsorted + i * k + j, good = *card;
            *card = unsorted[i * k + (j + 1 + i % (k - 1)) % k];
            assert(bc_rank_batch(level, unsorted, n, k, out) == i);
            *card = (uint8_t)(BC_DECK + i * 11 % (256 - BC_DECK));
            assert(bc_rank_batch(level, unsorted, n, k, out) == i);
            *card = good;
        }
    free(cards), free(unsorted), free(out);
}

static void test_census(void) {
    int64_t counts[9];
    const int64_t fives[9] = {1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 40};
    bc_rank_census(5, NULL, counts);
    assert(memcmp(counts, fives, sizeof fives) == 0);
}

int main(int argc, char **argv) {
    for (int n = 0; n < 53; n++)
        for (int k = 0; k < 8; k++)
            choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    for (int n = 5; n <= 7; n++) list_fives(n);
    test_all_fives();
    test_holdings();
    test_samples();
    for (enum bc_simd level = BC_BASE; level <= bc_simd_best(); level++) {
        test_batch(level);
        for (int k = 5; k <= 7; k++)
            for (int n = 1; n < 140; n++) test_long_batch(level, n, k);
    }
    test_census();
    if (argc > 1 && strcmp(argv[1], "all6") == 0) test_all_sixes();
    if (argc > 1 && strcmp(argv[1], "all7") == 0) test_all_sevens();
    return 0;
}

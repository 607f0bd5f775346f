/* Writes rank_tables.c and seven_ranks.c: the constant tables of rank.h, derived as README.md describes. Run
   by hand:

       cc -O2 -o make_rank_tables csrc/gen/make_rank_tables.c
       ./make_rank_tables > csrc/src/rank_tables.c
       ./make_rank_tables sevens > csrc/src/seven_ranks.c
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 13, COPIES = 4, LEAST = 5, MOST = 7, MASKS = 1 << RANKS };
enum { MULTISETS = 73775, SLOTS_END = 1 << 18 };
enum { SEVENS = 50388 }; /* multisets of seven, those of more than four copies among them */
enum { ROW_BITS = 13, COLUMN_BITS = 13, ROWS = 1 << ROW_BITS, COLUMNS = 1 << COLUMN_BITS };
enum { DIGITS = 4, DIGITS_END = 256 / MOST + 1, DRAWS = 200 };

/* Step 1: every multiset of five to seven ranks, at most four of each. */

static uint8_t counts[MULTISETS][RANKS];
static int n_multisets;

static void add_multisets(int rank, int left, uint8_t *count) {
    if (rank == RANKS) {
        if (left == 0) memcpy(counts[n_multisets++], count, RANKS);
        return;
    }
    for (count[rank] = 0; count[rank] <= COPIES && count[rank] <= left; count[rank]++)
        add_multisets(rank + 1, left - count[rank], count);
    count[rank] = 0;
}

/* Step 2: the strength of every multiset of ranks, as a number that orders hands but is not yet dense:
   category in bits 20.., then up to five ranks of four bits, most significant first. */

static uint32_t pack(int category, const int *ranks, int n) {
    uint32_t value = (uint32_t)category << 20;
    for (int i = 0; i < n; i++) value |= (uint32_t)ranks[i] << (16 - 4 * i);
    return value;
}

/* The top card of the best straight in a set of ranks, or -1; the ace also stands below the two. */
static int straight(unsigned set) {
    for (int top = RANKS - 1; top >= 4; top--)
        if ((set >> (top - 4) & 31) == 31) return top;
    return (set & 0x100f) == 0x100f ? 3 : -1;
}

/* Appends the `wanted` highest ranks with at least one card, but for those in `used`. */
static int kickers(const uint8_t *count, unsigned used, int wanted, int *ranks, int n) {
    for (int rank = RANKS - 1; rank >= 0 && wanted; rank--)
        if (count[rank] && !(used >> rank & 1)) ranks[n++] = rank, wanted--;
    return n;
}

/* The highest rank, not `but`, of which there are at least `copies`; or -1. */
static int highest(const uint8_t *count, int copies, int but) {
    for (int rank = RANKS - 1; rank >= 0; rank--)
        if (count[rank] >= copies && rank != but) return rank;
    return -1;
}

enum { HIGH_CARD = 1, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH };

static uint32_t value_off_suit(const uint8_t *count) {
    unsigned set = 0;
    for (int rank = 0; rank < RANKS; rank++) set |= (unsigned)(count[rank] > 0) << rank;
    int best[5], top = straight(set);
    int four = highest(count, 4, -1), three = highest(count, 3, -1), two = highest(count, 2, three);
    if (four >= 0) {
        best[0] = four;
        return pack(QUADS, best, kickers(count, 1u << four, 1, best, 1));
    }
    if (three >= 0 && two >= 0) return pack(FULL_HOUSE, (int[]){three, two}, 2);
    if (top >= 0) return pack(STRAIGHT, &top, 1);
    if (three >= 0) {
        best[0] = three;
        return pack(TRIPS, best, kickers(count, 1u << three, 2, best, 1));
    }
    if (two < 0) return pack(HIGH_CARD, best, kickers(count, 0, 5, best, 0));
    int second = highest(count, 2, two);
    best[0] = two;
    if (second < 0) return pack(PAIR, best, kickers(count, 1u << two, 3, best, 1));
    best[1] = second;
    return pack(TWO_PAIR, best, kickers(count, 1u << two | 1u << second, 1, best, 2));
}

static uint32_t value_suited(unsigned set) {
    uint8_t count[RANKS];
    int best[5], top = straight(set);
    if (top >= 0) return pack(STRAIGHT_FLUSH, &top, 1);
    for (int rank = 0; rank < RANKS; rank++) count[rank] = set >> rank & 1;
    return pack(FLUSH, best, kickers(count, 0, 5, best, 0));
}

/* Step 3: dense ranks. Category in the top four bits, the order within it below. */

static uint32_t off_suit[MULTISETS], suited[MASKS], values[MULTISETS + MASKS];
static int n_values;

static int size_of(unsigned set) {
    int n = 0;
    for (; set; set &= set - 1) n++;
    return n;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void find_values(void) {
    int n = 0;
    for (int i = 0; i < n_multisets; i++) values[n++] = off_suit[i] = value_off_suit(counts[i]);
    for (unsigned set = 0; set < MASKS; set++)
        if (size_of(set) >= LEAST && size_of(set) <= MOST) values[n++] = suited[set] = value_suited(set);
    qsort(values, (size_t)n, sizeof *values, by_number);
    for (int i = 0; i < n; i++)
        if (i == 0 || values[i] != values[i - 1]) values[n_values++] = values[i];
}

static uint16_t dense(uint32_t value) {
    uint32_t *found = bsearch(&value, values, (size_t)n_values, sizeof *values, by_number), *first = found;
    while (first > values && first[-1] >> 20 == value >> 20) first--;
    return (uint16_t)((value >> 20) << 12 | (uint32_t)(found - first));
}

/* Step 4: thirteen random numbers of four digits and a multiplier, drawn again until no two keys share both
   row and column. */

static uint8_t digits[DIGITS][16];
static uint32_t multiplier, constant[RANKS], keys[MULTISETS];

static uint32_t random_number(uint64_t *state) { /* splitmix64 */
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(z ^ (z >> 31));
}

static uint32_t row_of(uint32_t key) {
    return key >> (32 - ROW_BITS);
}
static uint32_t column_of(uint32_t key) {
    return key & (COLUMNS - 1);
}

static uint32_t sums[MULTISETS]; /* of the digits, read as one number to base 256 */

static void draw_digits(uint64_t *state) {
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < DIGITS; i++) digits[i][rank] = (uint8_t)(random_number(state) % DIGITS_END);
    for (int i = 0; i < n_multisets; i++) {
        sums[i] = 0;
        for (int rank = 0; rank < RANKS; rank++)
            for (int j = 0; j < DIGITS; j++)
                sums[i] += (uint32_t)(counts[i][rank] * digits[j][rank]) << 8 * j;
    }
}

static int keys_distinct(void) {
    static uint32_t taken_in[ROWS * COLUMNS], draw; /* the last draw that took a cell */
    draw++;
    for (int i = 0; i < n_multisets; i++) {
        keys[i] = sums[i] * multiplier;
        uint32_t cell = row_of(keys[i]) << COLUMN_BITS | column_of(keys[i]);
        if (taken_in[cell] == draw) return 0;
        taken_in[cell] = draw;
    }
    return 1;
}

static void find_constants(void) {
    uint64_t state = 0;
    int distinct = 0;
    while (!distinct) {
        draw_digits(&state);
        for (int i = 0; i < DRAWS && !distinct; i++) {
            multiplier = random_number(&state) | 1;
            distinct = keys_distinct();
        }
    }
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < DIGITS; i++) constant[rank] += ((uint32_t)digits[i][rank] << 8 * i) * multiplier;
}

/* Step 5: rows slid over each other, fullest first, each as little as it must, until none shares a slot. */

static uint16_t slots[SLOTS_END];
static uint32_t offsets[ROWS];
static int n_slots;

typedef struct {
    int n, *members; /* the multisets of this row */
} row;

static int fits(row r, uint32_t offset) {
    for (int i = 0; i < r.n; i++)
        if (slots[offset + column_of(keys[r.members[i]])]) return 0;
    return 1;
}

static void place(row r, uint32_t *offset) {
    while (!fits(r, *offset)) ++*offset;
    for (int i = 0; i < r.n; i++) {
        int slot = (int)(*offset + column_of(keys[r.members[i]]));
        assert(slot < SLOTS_END - COLUMNS);
        slots[slot] = dense(off_suit[r.members[i]]);
        if (slot >= n_slots) n_slots = slot + 1;
    }
}

static void displace(void) {
    static int members[MULTISETS];
    static row rows[ROWS];
    int fullest = 0, *next = members;
    for (int i = 0; i < n_multisets; i++) rows[row_of(keys[i])].n++;
    for (int r = 0; r < ROWS; r++) {
        if (rows[r].n > fullest) fullest = rows[r].n;
        rows[r].members = next;
        next += rows[r].n;
        rows[r].n = 0;
    }
    for (int i = 0; i < n_multisets; i++) {
        row *r = &rows[row_of(keys[i])];
        r->members[r->n++] = i;
    }
    for (int n = fullest; n > 0; n--)
        for (int r = 0; r < ROWS; r++)
            if (rows[r].n == n) place(rows[r], &offsets[r]);
}

/* Step 6: the ranks of seven cards again, their multisets in the order of the highest rank, then of the next.
 */

static uint16_t seven_places[MOST][RANKS], seven_ranks[SEVENS];

static int choose(int n, int k) {
    return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
}

static void order_sevens(void) {
    for (int i = 0; i < MOST; i++)
        for (int rank = 0; rank < RANKS; rank++) seven_places[i][rank] = (uint16_t)choose(rank + i, i + 1);
    for (int i = 0; i < n_multisets; i++) {
        int n = 0, place = 0;
        for (int rank = 0; rank < RANKS; rank++)
            for (int j = 0; j < counts[i][rank]; j++, n++) place += n < MOST ? seven_places[n][rank] : 0;
        if (n == MOST) seven_ranks[place] = dense(off_suit[i]);
    }
}

/* Step 7: print. */

static uint64_t number_at(const void *numbers, size_t size, int i) {
    return size == 1   ? ((const uint8_t *)numbers)[i]
           : size == 2 ? ((const uint16_t *)numbers)[i]
           : size == 4 ? ((const uint32_t *)numbers)[i]
                       : ((const uint64_t *)numbers)[i];
}

static void print_numbers(const char *type, const char *name, int n, const void *numbers, size_t size) {
    printf("\nconst %s %s[%d] = {", type, name, n);
    for (int i = 0; i < n; i++)
        printf(size == 8 ? "%s0x%llxu," : "%s%llu,", i % (size == 8 ? 4 : 20) ? "" : "\n",
               (unsigned long long)number_at(numbers, size, i));
    puts("\n};");
}

static void print_cards(void) {
    uint64_t card_keys[RANKS * COPIES], card_masks[RANKS * COPIES];
    for (int card = 0; card < RANKS * COPIES; card++) {
        card_keys[card] = (uint64_t)1 << (48 + 4 * (card & 3)) | constant[card >> 2];
        card_masks[card] = (uint64_t)1 << (16 * (card & 3) + (card >> 2));
    }
    print_numbers("uint64_t", "bc_card_keys", RANKS * COPIES, card_keys, sizeof *card_keys);
    print_numbers("uint64_t", "bc_card_masks", RANKS * COPIES, card_masks, sizeof *card_masks);
}

int main(int argc, char **argv) {
    uint8_t count[RANKS] = {0};
    static uint16_t flush[MASKS];
    for (int n = LEAST; n <= MOST; n++) add_multisets(0, n, count);
    find_values();
    find_constants();
    displace();
    order_sevens();
    for (unsigned set = 0; set < MASKS; set++)
        if (suited[set]) flush[set] = dense(suited[set]);
    puts("/* Generated by csrc/gen/make_rank_tables.c: do not edit. */\n/* clang-format off */");
    puts("#include \"baycarp/rank.h\"");
    if (argc > 1 && strcmp(argv[1], "sevens") == 0) {
        print_numbers("uint16_t", "bc_seven_places", MOST * RANKS, seven_places, sizeof **seven_places);
        print_numbers("uint16_t", "bc_seven_ranks", SEVENS, seven_ranks, sizeof *seven_ranks);
        return 0;
    }
    print_cards();
    printf("\nconst uint32_t bc_rank_multiplier = %u;\n", multiplier);
    print_numbers("uint8_t", "bc_rank_digits", DIGITS * 16, digits, sizeof **digits);
    print_numbers("uint32_t", "bc_rank_offsets", ROWS, offsets, sizeof *offsets);
    print_numbers("uint16_t", "bc_rank_slots", n_slots, slots, sizeof *slots);
    print_numbers("uint16_t", "bc_flush_ranks", MASKS, flush, sizeof *flush);
    puts("\nconst uint32_t bc_rank_table_bytes = sizeof bc_card_keys + sizeof bc_card_masks + sizeof "
         "bc_rank_digits +"
         "\n    sizeof bc_rank_multiplier + sizeof bc_rank_offsets + sizeof bc_rank_slots + sizeof "
         "bc_flush_ranks;");
    fprintf(stderr, "%d multisets in %d slots, %d values\n", n_multisets, n_slots, n_values);
    return 0;
}

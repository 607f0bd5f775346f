/* Prints src/preflop_tables.c. README.md in this folder derives what it does, step by step. */

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baycarp/preflop.h"
#include "baycarp/rank.h"
#include "baycarp/sweep.h"

enum { RANKS = 13, SUITS = 4, ORDERS = 24, TABLES = BC_RANK_PAIRS * (BC_RANK_PAIRS + 1) / 2 };

/* Boards won less boards lost, by holding: row > column. Summed over one board of each kind, times its kind's
   number of boards. */
static int32_t lead[BC_HOLDINGS][BC_HOLDINGS];
static uint64_t strength[BC_HOLDINGS], square[BC_HOLDINGS];
static uint64_t boards;

/* Step 1: one board of each kind. A kind is four sets of ranks, whichever suits have them. */

static int arrangements(const unsigned *suit) {
    int n = ORDERS, run = 1;
    for (int s = 1; s < SUITS; s++) {
        run = suit[s] == suit[s - 1] ? run + 1 : 1;
        n /= run;
    }
    return n;
}

/* The number of boards of this kind; 0 unless this is the one that stands for it. */
static int kind_size(const uint8_t *board) {
    unsigned suit[SUITS] = {0};
    for (int i = 0; i < 5; i++) suit[bc_suit_of(board[i])] |= 1u << bc_rank_of(board[i]);
    for (int s = 1; s < SUITS; s++)
        if (suit[s] > suit[s - 1]) return 0;
    return arrangements(suit);
}

/* Step 2: what a board decides. */

static void compare(const int32_t *rank, const int32_t *weight) {
    for (int i = 1; i < BC_HOLDINGS; i++) {
        if (!weight[i]) continue;
        int32_t *row = lead[i];
        const int32_t mine = rank[i];
        for (int j = 0; j < i; j++)
            row[j] += (mine > rank[j] ? weight[j] : 0) - (mine < rank[j] ? weight[j] : 0);
    }
}

static void add_board(const uint8_t *board, int size) {
    static int32_t rank[BC_HOLDINGS], weight[BC_HOLDINGS];
    static double hs[BC_HOLDINGS];
    const bc_hand base = bc_hand_of(board, 5);
    uint64_t known = 0;
    for (int i = 0; i < 5; i++) known |= bc_bit(board[i]);
    bc_sweep(bc_simd_best(), board, 5, NULL, hs);
    for (int hi = 1, i = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++, i++) {
            weight[i] = known & (bc_bit(hi) | bc_bit(lo)) ? 0 : size;
            if (!weight[i]) continue;
            rank[i] = bc_rank(bc_hand_add(base, bc_hand_add(bc_hand_card(hi), bc_hand_card(lo))));
            const uint64_t halves = (uint64_t)lround(2 * BC_PREFLOP_PAIRS * hs[i]);
            strength[i] += (uint64_t)size * halves;
            square[i] += (uint64_t)size * halves * halves;
        }
    compare(rank, weight);
    boards += (uint64_t)size;
}

static void add_boards(uint8_t *board, int n, int lowest) {
    if (n == 5) {
        const int size = kind_size(board);
        if (size) add_board(board, size);
        return;
    }
    for (int card = lowest; card < BC_DECK; card++) {
        board[n] = (uint8_t)card;
        add_boards(board, n + 1, card + 1);
    }
}

/* Step 3: all orders of the suits, which turn the board that stands for a kind into each of that kind. */

static uint8_t order[ORDERS][SUITS];

static void find_orders(void) {
    int n = 0;
    for (int code = 0; code < 256; code++) {
        const uint8_t suit[SUITS] = {code & 3, code >> 2 & 3, code >> 4 & 3, (uint8_t)(code >> 6)};
        unsigned seen = 0;
        for (int s = 0; s < SUITS; s++) seen |= 1u << suit[s];
        if (seen == 15) memcpy(order[n++], suit, SUITS);
    }
    assert(n == ORDERS);
}

static int moved(int card, const uint8_t *to) {
    return 4 * bc_rank_of(card) + to[bc_suit_of(card)];
}

static int32_t matchup(int a0, int a1, int b0, int b1) {
    int64_t sum = 0;
    for (int g = 0; g < ORDERS; g++) {
        const int i = bc_holding(moved(a0, order[g]), moved(a1, order[g]));
        const int j = bc_holding(moved(b0, order[g]), moved(b1, order[g]));
        sum += i > j ? lead[i][j] : -lead[j][i];
    }
    assert(sum % ORDERS == 0);
    return (int32_t)(sum / ORDERS);
}

static uint64_t mean_of_orders(const uint64_t *sums, int hi, int lo) {
    uint64_t sum = 0;
    for (int g = 0; g < ORDERS; g++) sum += sums[bc_holding(moved(hi, order[g]), moved(lo, order[g]))];
    assert(sum % ORDERS == 0);
    return sum / ORDERS;
}

/* Step 4: from the figures of the patterns to what each equality adds. */

enum { ST = 1, UV = 2, SU = 4, SV = 8, TU = 16, TV = 32 };

static const struct {
    int suits[4]; /* s t u v that have these equalities and no others */
    unsigned equal;
} pattern[BC_PATTERNS] = {
    [BC_FREE] = {{0, 1, 2, 3}, 0},
    [BC_ST] = {{0, 0, 1, 2}, ST},
    [BC_UV] = {{0, 1, 2, 2}, UV},
    [BC_ST_UV] = {{0, 0, 1, 1}, ST | UV},
    [BC_SU] = {{0, 1, 0, 2}, SU},
    [BC_SV] = {{0, 1, 2, 0}, SV},
    [BC_TU] = {{0, 1, 1, 2}, TU},
    [BC_TV] = {{0, 1, 2, 1}, TV},
    [BC_STU] = {{0, 0, 0, 1}, ST | SU | TU},
    [BC_STV] = {{0, 0, 1, 0}, ST | SV | TV},
    [BC_SUV] = {{0, 1, 0, 0}, SU | SV | UV},
    [BC_TUV] = {{0, 1, 1, 1}, TU | TV | UV},
    [BC_SU_TV] = {{0, 1, 0, 1}, SU | TV},
    [BC_SV_TU] = {{0, 1, 1, 0}, SV | TU},
    [BC_STUV] = {{0, 0, 0, 0}, ST | UV | SU | SV | TU | TV},
};

/* Of a pattern in which a card stands twice; such pairs do not meet. */
static int32_t figure(int p, const int *high, const int *low) {
    const int *suit = pattern[p].suits;
    const int a0 = 4 * high[0] + suit[0], a1 = 4 * low[0] + suit[1];
    const int b0 = 4 * high[1] + suit[2], b1 = 4 * low[1] + suit[3];
    if (a0 == a1 || b0 == b1 || a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1) return 0;
    return matchup(a0, a1, b0, b1);
}

static void resolve(const int *high, const int *low, int32_t *added) {
    for (int p = 0; p < BC_PATTERNS; p++) {
        added[p] = figure(p, high, low);
        for (int q = 0; q < BC_PATTERNS; q++) { /* in every order of the enum, fewer equalities come first */
            if (q == p || pattern[q].equal & ~pattern[p].equal) continue;
            assert(q < p);
            added[p] -= added[q];
        }
    }
}

/* Step 5: what classes win of each other. An order of suits leaves a class what it is, so the figures of the
   boards that stand for their kinds add up as they are. */

static int class_of(int hi, int lo) {
    const int high = RANKS - 1 - bc_rank_of(hi), low = RANKS - 1 - bc_rank_of(lo);
    return bc_suit_of(hi) == bc_suit_of(lo) ? RANKS * high + low : RANKS * low + high;
}

static int32_t class_lead[BC_CLASSES][BC_CLASSES];

static void add_classes(void) {
    for (int a0 = 1, i = 0; a0 < BC_DECK; a0++)
        for (int a1 = 0; a1 < a0; a1++, i++)
            for (int b0 = 1, j = 0; j < i; b0++)
                for (int b1 = 0; b1 < b0 && j < i; b1++, j++) {
                    if (a0 == b0 || a0 == b1 || a1 == b0 || a1 == b1) continue;
                    class_lead[class_of(a0, a1)][class_of(b0, b1)] += lead[i][j];
                    class_lead[class_of(b0, b1)][class_of(a0, a1)] -= lead[i][j];
                }
}

/* Step 6: print. */

static void print_lead(void) {
    printf("\nconst int32_t bc_preflop_lead[%d][%d] = {\n", TABLES, BC_PATTERNS);
    for (int first = 0, high[2], low[2]; first < BC_RANK_PAIRS; first++)
        for (int second = 0; second <= first; second++) {
            int32_t added[BC_PATTERNS];
            const int both[2] = {first, second};
            for (int k = 0; k < 2; k++) {
                for (high[k] = 0; (high[k] + 1) * (high[k] + 2) / 2 <= both[k];) high[k]++;
                low[k] = both[k] - high[k] * (high[k] + 1) / 2;
            }
            resolve(high, low, added);
            for (int p = 0; p < BC_PATTERNS; p++) printf("%s%d", p ? "," : "{", added[p]);
            puts("},");
        }
    puts("};");
}

static void print_classes(void) {
    printf("\nconst uint8_t bc_preflop_class[%d] = {", BC_HOLDINGS);
    for (int hi = 1, n = 0; hi < BC_DECK; hi++)
        for (int lo = 0; lo < hi; lo++) printf("%s%d,", n++ % 25 ? "" : "\n", class_of(hi, lo));
    puts("\n};");
}

static void print_class_lead(void) {
    printf("\nconst int32_t bc_preflop_class_lead[%d] = {", BC_CLASSES * (BC_CLASSES - 1) / 2);
    for (int a = 0, n = 0; a < BC_CLASSES; a++)
        for (int b = 0; b < a; b++) printf("%s%d,", n++ % 15 ? "" : "\n", class_lead[a][b]);
    puts("\n};");
}

static void print_strengths(const char *name, const uint64_t *sums) {
    printf("\nconst uint64_t %s[%d] = {", name, BC_CLASSES);
    for (int class = 0; class < BC_CLASSES; class++) {
        const int row = class / RANKS, column = class % RANKS, suited = row < column;
        const int hi = 4 * (RANKS - 1 - (suited ? row : column)) + 1; /* a pair too has two suits, hi > lo */
        const int lo = 4 * (RANKS - 1 - (suited ? column : row)) + suited;
        assert(class_of(hi, lo) == class);
        printf("%s%lluu,", class % 7 ? "" : "\n", (unsigned long long)mean_of_orders(sums, hi, lo));
    }
    puts("\n};");
}

int main(void) {
    uint8_t board[5];
    add_boards(board, 0, 0);
    assert(boards == 2598960);
    find_orders();
    add_classes();
    puts("/* Generated by csrc/gen/make_preflop_tables.c: do not edit. */\n/* clang-format off */");
    puts("#include \"baycarp/preflop.h\"");
    print_classes();
    print_lead();
    print_class_lead();
    print_strengths("bc_preflop_strength", strength);
    print_strengths("bc_preflop_square", square);
    return 0;
}

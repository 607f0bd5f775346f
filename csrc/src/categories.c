#include "baycarp/categories.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

enum { ORDER = 0xfff, MOST_UNKNOWN = 4 };

typedef struct {
    int32_t *counts, *orders;
    int unknown; /* hole cards and cards to come */
    int left;
    uint8_t deck[BC_DECK];
    uint8_t chosen[MOST_UNKNOWN];
} outs;

static void count_last(outs *o, bc_hand hand, int chosen, int first) {
    int32_t counts[BC_CATEGORIES] = {0}, orders[BC_CATEGORIES] = {0};
    for (int i = first; i < o->left; i++) {
        const uint16_t rank = bc_rank(bc_hand_add(hand, bc_hand_card(o->deck[i])));
        const int category = bc_category(rank) - 1, order = rank & ORDER;
        counts[category]++;
        orders[category] += order;
        for (int k = 0; k < chosen; k++) {
            const int at = bc_holding(o->deck[i], o->chosen[k]) * BC_CATEGORIES + category;
            o->counts[at]++;
            o->orders[at] += order;
        }
    }
    for (int k = 0; k < chosen; k++)
        for (int j = 0; j < k; j++) {
            const int at = bc_holding(o->chosen[k], o->chosen[j]) * BC_CATEGORIES;
            for (int c = 0; c < BC_CATEGORIES; c++) {
                o->counts[at + c] += counts[c];
                o->orders[at + c] += orders[c];
            }
        }
}

static void choose(outs *o, bc_hand hand, int chosen, int first) {
    if (chosen == o->unknown - 1 || chosen == MOST_UNKNOWN - 1) {
        count_last(o, hand, chosen, first);
        return;
    }
    for (int i = first; i < o->left; i++) {
        o->chosen[chosen] = o->deck[i];
        choose(o, bc_hand_add(hand, bc_hand_card(o->deck[i])), chosen + 1, i + 1);
    }
}

void bc_categories(const uint8_t *board, int shown, int32_t *counts, int32_t *orders) {
    assert(3 <= shown && shown <= 5);
    outs o = {.counts = counts, .orders = orders, .unknown = 7 - shown};
    uint64_t known = 0;
    for (int i = 0; i < shown; i++) known |= bc_bit(board[i]);
    for (int card = 0; card < BC_DECK; card++)
        if (!(known & bc_bit(card))) o.deck[o.left++] = (uint8_t)card;
    memset(counts, 0, sizeof *counts * BC_HOLDINGS * BC_CATEGORIES);
    memset(orders, 0, sizeof *orders * BC_HOLDINGS * BC_CATEGORIES);
    choose(&o, bc_hand_of(board, shown), 0, 0);
}

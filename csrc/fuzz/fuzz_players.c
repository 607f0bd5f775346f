/* Learned players: the features of any hand, trees of any rows, and the hands of environments. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "baycarp/episode.h"
#include "baycarp/features.h"
#include "baycarp/tree.h"
#include "source.h"

void target_features(source *from);
void target_episode(source *from);
void target_tree(source *from);

static bc_variant take_ring(source *from) {
    const int seats = 2 + (int)take(from, 9), big = 2 + (int)take(from, 10);
    bc_variant v = {.big_blind = big, .seats = (uint8_t)seats, .limit = take(from, 2)};
    v.blinds[seats == 2] = big / 2;
    v.blinds[seats != 2] = big;
    v.first[0] = (uint8_t)(seats == 2 ? 1 : 2 % seats);
    for (int i = 0; i < BC_STREETS; i++) {
        v.raise_sizes[i] = v.limit ? big : 0;
        v.max_raises[i] = v.limit ? 1 + (uint8_t)take(from, 5) : BC_NO_CAP;
    }
    return v;
}

static int take_action(source *from, const bc_variant *v, const bc_state *s, int64_t *amount) {
    const bc_legal legal = bc_state_legal(v, s);
    const uint32_t wish = take(from, 4);
    *amount = 0;
    if (wish == 0 && legal.owed > 0) return BC_FOLD;
    if (wish < 3 || legal.least == 0) return BC_CALL;
    *amount = legal.least + (int64_t)take(from, 65536) % (legal.most - legal.least + 1);
    return bc_state_can(v, s, BC_RAISE, *amount) ? BC_RAISE : BC_CALL;
}

void target_features(source *from) {
    const bc_variant v = take_ring(from);
    int64_t stacks[BC_SEATS], amount;
    uint8_t board[5];
    double x[BC_FEATURES];
    bc_state s;
    bc_past past;
    bc_texture texture;
    take_cards(from, board, 5);
    for (int i = 0; i < v.seats; i++) stacks[i] = 1 + take(from, 2000);
    bc_state_start(&v, stacks, &s);
    bc_past_start(&past);
    while (!bc_state_over(&s)) {
        const int kind = take_action(from, &v, &s, &amount), situation = bc_situation(&v, &s);
        const int move = bc_move_of(&v, &s, kind, amount);
        assert(situation >= 0 && situation < BC_SITUATIONS && move >= 0 && move < BC_MOVES);
        assert((kind == BC_RAISE) == (move >= 2));
        bc_texture_of(board, s.street, &texture);
        bc_features_of(&v, &s, &past, &texture, x);
        for (int f = 0; f < BC_FEATURES; f++) {
            assert(isfinite(x[f]) && x[f] >= 0);
            assert(x[f] == 0 || bc_feature_valid(f, situation));
        }
        bc_past_act(&v, &s, &past, kind, amount);
        bc_state_apply(&v, &s, kind, amount);
    }
}

enum { ROWS = 60, COLUMNS = 5, WIDTH = 4, ROOM = 2 * ROWS };

/* Any rows: a valid tree, each row in the leaf that its path ends in, leaves of the weight asked for. */
void target_tree(source *from) {
    static double edges[COLUMNS * BC_TREE_BINS], histogram[COLUMNS * BC_TREE_BINS * WIDTH];
    uint8_t bins[ROWS * COLUMNS], classes[ROWS];
    double weights[ROWS], slopes[ROWS], values[ROOM * WIDTH], sums[ROOM] = {0}, x[COLUMNS];
    int32_t order[ROWS], spare[ROWS], leaf[ROWS];
    bc_node nodes[ROOM];
    const bool gradients = take(from, 2);
    const int rows = 1 + (int)take(from, ROWS), columns = 1 + (int)take(from, COLUMNS);
    bc_growth g = {.bins = bins, .edges = edges, .rows = rows, .features = columns, .weights = weights};
    g.width = gradients ? 1 : 1 + (int32_t)take(from, WIDTH);
    g.depth = (int32_t)take(from, BC_TREE_DEPTH + 1);
    g.least = (1 + take(from, 100)) / 10.0;
    g.prior = (1 + take(from, 100)) / 10.0;
    for (int i = 0; i < columns * BC_TREE_BINS; i++) edges[i] = i % BC_TREE_BINS;
    for (int i = 0; i < rows * columns; i++) bins[i] = (uint8_t)take(from, BC_TREE_BINS);
    for (int i = 0; i < rows; i++) {
        classes[i] = (uint8_t)take(from, (uint32_t)g.width);
        weights[i] = take(from, 20) / 8.0;
        slopes[i] = take(from, 256) / 8.0 - 16;
    }
    if (gradients) g.slopes = slopes;
    if (!gradients) g.classes = classes;
    const int32_t room = 1 + (int32_t)take(from, ROOM);
    const int32_t count = bc_tree_grow(&g, order, spare, histogram, leaf, nodes, values, room);
    const int32_t leaves = (count + 1) / 2;
    assert(count >= 1 && count <= room && bc_tree_valid(nodes, count, columns, leaves));
    for (int i = 0; i < rows; i++) {
        for (int f = 0; f < columns; f++) x[f] = bins[i * columns + f];
        assert(leaf[i] == bc_tree_leaf(nodes, x) && leaf[i] < leaves);
        sums[leaf[i]] += weights[i];
    }
    for (int32_t k = 0; k < leaves; k++) {
        double total = 0;
        assert(leaves == 1 || sums[k] >= g.least - 1e-9);
        for (int c = 0; c < g.width; c++) total += values[k * g.width + c];
        assert(isfinite(total) && (gradients || fabs(total - 1) < 1e-9));
    }
}

/* Any game, menu and habits: every choice of the mask is legal, a refused one is a check, else a fold. */
void target_episode(source *from) {
    enum { HANDS = 3, MOST = BC_OBSERVED + BC_OBSERVED_SEAT * BC_SEATS };
    const bc_variant v = take_ring(from);
    bc_episodes t = {
        .variant = &v, .menu.count = (int)take(from, BC_MENU + 1), .seat = (int)take(from, 2) - 1};
    float x[MOST];
    int8_t mask[BC_MENU_CHOICES];
    int64_t won;
    bc_episode episode;
    for (int i = 0; i < t.menu.count; i++)
        t.menu.sizes[i] = (i ? t.menu.sizes[i - 1] : 0) + (1 + take(from, 64)) / 32.0;
    for (int i = 0; i < v.seats; i++) {
        t.stacks[i] = 1 + take(from, 2000);
        t.habits[i].fold = take(from, 5) / 8.0;
        t.habits[i].raises = take(from, 5) / 8.0;
        t.habits[i].bet = take(from, 9) / 8.0;
        t.habits[i].even = take(from, 2);
    }
    bc_episode_start(&t, &episode, take_seed(from), take(from, 256));
    for (int hand = 0; hand < HANDS;) {
        const int choice = (int)take(from, BC_MENU_CHOICES + 2) - 1, n = bc_choices(&v, &t.menu);
        bc_episode_observe(&t, &episode, x, mask);
        for (int i = 0; i < bc_observed(v.seats); i++) assert(isfinite(x[i]) && x[i] >= 0);
        const bool legal = choice >= 0 && choice < n && mask[choice];
        const int flags = bc_episode_act(&t, &episode, choice, &won);
        assert(!(flags & BC_ILLEGAL) == legal);
        if (!(flags & BC_ENDED)) continue;
        assert(won >= -t.stacks[episode.seat]);
        hand++;
        bc_episode_deal(&t, &episode);
    }
}

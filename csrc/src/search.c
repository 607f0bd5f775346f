#include "baycarp/search.h"

#include <assert.h>
#include <math.h>

#include "search_walk.h"

/* The longest path in the tree; results between two looks at what can be pruned, and the least results of a
   move before it is. */
enum { DEEPEST = 200, LOOK = 64, LEAST = 50 };

/* One walk: a hand, and the path of nodes. */
typedef struct {
    bc_walk hand;
    int32_t path[DEEPEST];
    int length;
} walk;

/* The tree. */

static int32_t add_node(bc_search *s, int32_t parent, int key, bool owned) {
    if (s->used == s->capacity) return -1;
    const int32_t made = s->used++;
    s->nodes[made] =
        (bc_search_node){.parent = parent, .child = -1, .next = -1, .key = (int16_t)key, .owned = owned};
    if (parent >= 0) {
        s->nodes[made].next = s->nodes[parent].child;
        s->nodes[parent].child = made;
    }
    return made;
}

static int32_t child_of(const bc_search *s, int32_t node, int key) {
    int32_t child = s->nodes[node].child;
    while (child >= 0 && s->nodes[child].key != key) child = s->nodes[child].next;
    return child;
}

void bc_search_start(bc_search *s, uint64_t seed) {
    assert(s->state.to_act >= 0 && s->capacity >= 1 + BC_SEARCH_MOVES && s->clusters >= 1);
    assert(s->size_count <= BC_SEARCH_SIZES);
    bc_search_begin(s, seed);
    s->used = 0;
    add_node(s, -1, 0, true);
}

/* Keep the nodes below `root` alone, in their order. */
static void keep_below(bc_search *s, int32_t root) {
    int32_t kept = 0;
    bc_search_node *nodes = s->nodes;
    for (int32_t i = 0; i < s->used; i++) {
        const int32_t parent = nodes[i].parent;
        nodes[i].moved = -1;
        if (i == root)
            nodes[i].moved = kept++, nodes[i].parent = -1;
        else if (i > root && parent >= 0 && nodes[parent].moved >= 0)
            nodes[i].moved = kept++, nodes[i].parent = nodes[parent].moved;
    }
    for (int32_t i = root; i < s->used; i++) {
        if (nodes[i].moved < 0) continue;
        const int32_t to = nodes[i].moved, parent = nodes[i].parent;
        nodes[to] = nodes[i];
        nodes[to].child = nodes[to].next = -1;
        nodes[to].pruned = false;
        if (parent < 0) continue;
        nodes[to].next = nodes[parent].child;
        nodes[parent].child = to;
    }
    s->used = kept;
}

/* The node after the moves; -1 if the tree has none. */
static int32_t find_node(bc_search *s, bc_state state, const bc_move *moves, int count) {
    bc_move known[BC_SEARCH_MOVES];
    int32_t node = 0;
    const int holding = bc_holding(s->hole[0], s->hole[1]);
    for (int i = 0; i < count && node >= 0; i++) {
        const int n = bc_search_moves(s, &state, known), street = state.street;
        int key = 0;
        while (key < n && (known[key].kind != moves[i].kind || known[key].amount != moves[i].amount)) key++;
        if (key == n) return -1;
        node = child_of(s, node, key);
        bc_state_apply(&s->variant, &state, moves[i].kind, moves[i].amount);
        if (node >= 0 && state.street != street && !bc_state_over(&state))
            node = child_of(s, node,
                            s->bucket(s->bucket_context, s->board, bc_search_shown[state.street], holding));
    }
    return node;
}

bool bc_search_continue(bc_search *s, const bc_state *then, const bc_move *moves, int count, uint64_t seed) {
    const int32_t root = find_node(s, *then, moves, count);
    bc_search_begin(s, seed);
    if (root >= 0) keep_below(s, root);
    if (root >= 0 && s->used <= s->capacity - BC_SEARCH_MOVES) return true;
    s->used = 0;
    add_node(s, -1, 0, true);
    return false;
}

/* One iteration. */

static int sample(bc_search *s, bc_walk *w, const bc_move *moves, int count) {
    double chances[BC_SEARCH_MOVES];
    const double total = bc_walk_chances(s, w, moves, count, chances);
    return bc_walk_choice(chances, count, total, bc_rng_unit(&s->rng));
}

/* Equation 3.1; moves without a node first, while there is room; -1: no node, and no room. */
static int select_move(const bc_search *s, int32_t node, int count) {
    const bc_search_node *by_key[BC_SEARCH_MOVES] = {0};
    uint64_t visits = 0;
    for (int32_t c = s->nodes[node].child; c >= 0; c = s->nodes[c].next) {
        by_key[s->nodes[c].key] = &s->nodes[c];
        visits += s->nodes[c].visits;
    }
    for (int i = 0; i < count && s->used < s->capacity; i++)
        if (!by_key[i]) return i;
    const double logs = 2 * log((double)visits);
    double best = -INFINITY;
    int chosen = -1;
    for (int i = 0; i < count; i++) {
        if (!by_key[i] || by_key[i]->pruned) continue;
        const double bound = by_key[i]->value + s->explore * sqrt(logs / by_key[i]->visits);
        if (bound > best) best = bound, chosen = i;
    }
    return chosen;
}

/* The child for a key, on the path; false: it was added now, or there is no room. */
static bool descend(bc_search *s, walk *w, int key, bool owned) {
    const int32_t node = w->path[w->length - 1];
    int32_t child = child_of(s, node, key);
    const bool old = child >= 0;
    if (w->length == DEEPEST) return false;
    if (!old) child = add_node(s, node, key, owned);
    if (child >= 0) w->path[w->length++] = child;
    return old;
}

static void play(bc_search *s, walk *w) {
    bc_walk *hand = &w->hand;
    bool inside = true;
    while (!bc_walk_over(s, hand)) {
        bc_move moves[BC_SEARCH_MOVES];
        const int count = bc_search_moves(s, &hand->state, moves), street = hand->state.street;
        int move = -1;
        if (inside && hand->state.to_act == s->hero) move = select_move(s, w->path[w->length - 1], count);
        if (move < 0) move = sample(s, hand, moves, count);
        bc_walk_act(s, hand, moves[move]);
        const bool over = bc_walk_over(s, hand), dealt = !over && hand->state.street != street;
        const bool owned = !over && hand->state.to_act == s->hero;
        inside = inside && descend(s, w, move, owned && !dealt);
        if (inside && dealt) inside = descend(s, w, bc_walk_bucket(s, hand, s->hero), owned);
    }
}

static double value_of(const bc_search *s, const bc_search_node *node) {
    if (s->backup == BC_FREQUENCY || node->counted == 0) return node->sum / node->visits;
    if (!node->owned) return node->below / node->counted;
    double best = -INFINITY;
    for (int32_t c = node->child; c >= 0; c = s->nodes[c].next)
        if (s->nodes[c].value > best) best = s->nodes[c].value;
    return best;
}

static void back_up(bc_search *s, const walk *w, double result) {
    for (int i = w->length - 1; i >= 0; i--) {
        bc_search_node *node = &s->nodes[w->path[i]];
        const double before = node->visits * node->value;
        node->visits++;
        node->sum += result;
        node->squares += result * result;
        node->value = value_of(s, node);
        if (i == 0) continue;
        bc_search_node *parent = &s->nodes[w->path[i - 1]];
        parent->below += node->visits * node->value - before;
        parent->counted++;
    }
}

/* The standard error of the mean of a node's results. */
static double error_of(const bc_search_node *node) {
    const double n = node->visits, mean = node->sum / n;
    if (n < 2) return INFINITY;
    const double variance = (node->squares / n - mean * mean) * n / (n - 1);
    return sqrt((variance > 0 ? variance : 0) / n);
}

/* Section 3.1.3 at the root: a move whose interval lies below that of the best one is selected no more. */
static void prune(bc_search *s) {
    double bar = -INFINITY;
    for (int32_t c = s->nodes[0].child; c >= 0; c = s->nodes[c].next) {
        const bc_search_node *node = &s->nodes[c];
        const double low = node->value - s->prune * error_of(node);
        if (node->visits >= LEAST && low > bar) bar = low;
    }
    for (int32_t c = s->nodes[0].child; c >= 0; c = s->nodes[c].next) {
        bc_search_node *node = &s->nodes[c];
        if (node->visits >= LEAST && node->value + s->prune * error_of(node) < bar) node->pruned = true;
    }
}

void bc_search_run(bc_search *s, int64_t iterations) {
    walk w;
    for (int64_t i = 0; i < iterations; i++) {
        bc_search_deal_draw(s, &w.hand.deal);
        bc_walk_start(s, &w.hand);
        w.path[0] = 0, w.length = 1;
        play(s, &w);
        back_up(s, &w, bc_walk_settle(s, &w.hand));
        s->iterations++;
        if (s->prune > 0 && s->iterations % LOOK == 0) prune(s);
    }
}

/* The results. */

int bc_search_values(const bc_search *s, bc_search_value *values) {
    for (int i = 0; i < s->count; i++) {
        const int32_t child = child_of(s, 0, i);
        values[i] = (bc_search_value){s->moves[i], 0, NAN, INFINITY, false};
        if (child < 0 || s->nodes[child].visits == 0) continue;
        const bc_search_node *node = &s->nodes[child];
        values[i].visits = node->visits;
        values[i].value = node->value + (double)s->state.paid[s->hero];
        values[i].error = error_of(node);
        values[i].pruned = node->pruned;
    }
    return s->count;
}

void bc_search_softmax(const bc_search *s, double temperature, double *chances) {
    bc_search_value values[BC_SEARCH_MOVES];
    const int count = bc_search_values(s, values);
    double best = -INFINITY, total = 0;
    int first = 0;
    for (int i = 0; i < count; i++)
        if (values[i].visits && !values[i].pruned && values[i].value > best)
            best = values[i].value, first = i;
    for (int i = 0; i < count; i++) {
        const bool live = values[i].visits && !values[i].pruned;
        if (temperature > 0)
            chances[i] = live ? exp((values[i].value - best) / temperature) : 0;
        else
            chances[i] = i == first;
        total += chances[i];
    }
    for (int i = 0; i < count; i++) chances[i] /= total;
}

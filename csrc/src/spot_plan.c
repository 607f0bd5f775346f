#include "spot_plan.h"

#include <assert.h>
#include <string.h>

#include "baycarp/rank.h"

/* Bytes of rows that a part of the last street may use: they stay in the cache of a core. */
enum { PART_BYTES = 512 << 10, RANKS = 1 << 16 };

/* Memory that is handed out once; without a base it is only counted. */
typedef struct {
    char *base;
    size_t used;
} arena;

static void *take(arena *a, size_t number, size_t size) {
    const size_t at = a->used;
    a->used += (number * size + 63) & ~(size_t)63;
    return a->base ? a->base + at : NULL;
}

static int padded(int count) {
    return (count + SPOT_LANES - 1) / SPOT_LANES * SPOT_LANES;
}

/* ---- boards ---- */

/* The holdings of a list beside a board, with what is needed to find them again. */
typedef struct {
    int count;
    uint16_t from[BC_SPOT_LIST]; /* the place on the board before */
    uint8_t card[BC_SPOT_LIST][2];
    uint16_t rank[BC_SPOT_LIST]; /* on the river */
} list;

typedef struct {
    const bc_spot_game *spot;
    bc_spot_solver *solver; /* NULL while counting */
    arena memory;
    int streets, cells[BC_SPOT_STREETS][2], choices[BC_SPOT_STREETS][2];
    size_t all_cells, all_choices, boards;
    int most[BC_SPOT_STREETS][2];
} builder;

static int holding_of(const uint8_t card[2]) {
    return bc_holding(card[0], card[1]);
}

/* The list of the first board: by cards, then by place in the given list. */
static void first_list(const bc_spot_game *spot, int player, uint64_t known, list *to) {
    uint16_t count[BC_HOLDINGS + 1] = {0};
    const uint8_t (*card)[2] = (const uint8_t (*)[2])spot->card[player];
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < spot->count[player]; i++) {
            if (known & (bc_bit(card[i][0]) | bc_bit(card[i][1])) || !(spot->weight[player][i] > 0)) continue;
            const int h = holding_of(card[i]);
            if (pass == 0)
                count[h + 1]++;
            else {
                to->from[count[h]] = (uint16_t)i;
                memcpy(to->card[count[h]++], card[i], 2);
            }
        }
        if (pass == 0)
            for (int h = 0; h < BC_HOLDINGS; h++) count[h + 1] = (uint16_t)(count[h + 1] + count[h]);
        to->count = count[BC_HOLDINGS];
    }
}

/* The holdings that stay possible after one more card. */
static void next_list(const list *before, int card, list *to) {
    to->count = 0;
    for (int i = 0; i < before->count; i++) {
        if (before->card[i][0] == card || before->card[i][1] == card) continue;
        to->from[to->count] = (uint16_t)i;
        memcpy(to->card[to->count++], before->card[i], 2);
    }
}

/* In ascending order of ranks, byte by byte; equal ranks stay in their order, so that equal cards stay
 * together. */
static void sort_list(const uint8_t board[5], list *to) {
    const bc_hand base = bc_hand_of(board, 5);
    for (int i = 0; i < to->count; i++) {
        const bc_hand one = bc_hand_add(base, bc_hand_card(to->card[i][0]));
        to->rank[i] = (uint16_t)bc_rank(bc_hand_add(one, bc_hand_card(to->card[i][1])));
    }
    for (int shift = 0; shift < 16; shift += 8) {
        const list before = *to;
        int start[257] = {0};
        for (int i = 0; i < to->count; i++) start[(before.rank[i] >> shift & 255) + 1]++;
        for (int byte = 0; byte < 256; byte++) start[byte + 1] += start[byte];
        for (int i = 0; i < to->count; i++) {
            const int at = start[before.rank[i] >> shift & 255]++;
            to->from[at] = before.from[i];
            to->rank[at] = before.rank[i];
            memcpy(to->card[at], before.card[i], 2);
        }
    }
}

static int group_ends(const list both[2], uint16_t (*group)[2]) {
    int groups = 0;
    for (int a = 0, b = 0; a < both[0].count || b < both[1].count; groups++) {
        int rank = RANKS;
        if (a < both[0].count) rank = both[0].rank[a];
        if (b < both[1].count && both[1].rank[b] < rank) rank = both[1].rank[b];
        while (a < both[0].count && both[0].rank[a] == rank) a++;
        while (b < both[1].count && both[1].rank[b] == rank) b++;
        if (group) {
            group[groups][0] = (uint16_t)a;
            group[groups][1] = (uint16_t)b;
        }
    }
    return groups;
}

/* The first place of each holding, and how often it stands there. */
typedef struct {
    uint16_t at[BC_HOLDINGS], count[BC_HOLDINGS];
} finder;

static void find_all(const list *of, finder *to) {
    memset(to, 0, sizeof *to);
    for (int i = 0; i < of->count; i++) {
        const int h = holding_of(of->card[i]);
        if (!to->count[h]++) to->at[h] = (uint16_t)i;
    }
}

static int swapped(int card, int a, int b) {
    const int suit = bc_suit_of(card);
    return suit == a ? card - a + b : suit == b ? card - b + a : card;
}

static void write_side(const spot_board *board, const list *own, const finder *where, const finder *other,
                       int none, const list *before, spot_side *side) {
    memcpy(side->parent, own->from, (size_t)own->count * sizeof *side->parent);
    memcpy(side->card, own->card, (size_t)own->count * sizeof *side->card);
    for (int i = 0; i < own->count; i++) {
        const int h = holding_of(own->card[i]);
        side->twin[i] = (uint16_t)((other->count[h] ? other->at[h] : none) << 4 | other->count[h]);
    }
    for (int k = 0; before && k < board->images; k++)
        for (int j = 0, type = 0; j < padded(before->count); j++) {
            side->into[k][j] = (uint16_t)side->padded;
            if (j >= before->count) continue;
            const uint8_t *card = before->card[j];
            type = j && holding_of(before->card[j - 1]) == holding_of(card) ? type + 1 : 0;
            const int a = bc_suit_of(board->image[0]), b = bc_suit_of(board->image[k]);
            const uint8_t to[2] = {(uint8_t)swapped(card[0], a, b), (uint8_t)swapped(card[1], a, b)};
            const int h = holding_of(to);
            if (where->count[h]) side->into[k][j] = (uint16_t)(where->at[h] + type);
        }
}

static void build_board(builder *b, int street, spot_board *board, const uint8_t *cards, const list *before,
                        spot_board *slot) {
    list own[2];
    const int last = street == b->streets - 1;
    for (int p = 0; p < 2; p++) {
        if (before)
            next_list(&before[p], board->card, &own[p]);
        else
            first_list(b->spot, p, board->known, &own[p]);
        if (last) sort_list(cards, &own[p]);
    }
    for (int p = 0; p < 2; p++) {
        spot_side *side = &board->side[p];
        const size_t count = (size_t)own[p].count;
        side->count = own[p].count;
        side->padded = padded(own[p].count);
        if (side->padded > b->most[street][p]) b->most[street][p] = side->padded;
        side->base = b->all_cells;
        b->all_cells += (size_t)b->cells[street][p] * (size_t)side->padded;
        side->choice = b->all_choices;
        b->all_choices += (size_t)b->choices[street][p];
        side->parent = take(&b->memory, count, sizeof *side->parent);
        side->card = take(&b->memory, count, sizeof *side->card);
        side->twin = take(&b->memory, count, sizeof *side->twin);
        for (int k = 0; before && k < board->images; k++)
            side->into[k] = take(&b->memory, (size_t)padded(before[p].count), sizeof *side->into[k]);
    }
    board->groups = last ? group_ends(own, NULL) : 0;
    board->group = take(&b->memory, (size_t)board->groups, sizeof *board->group);
    if (slot) {
        finder where[2];
        for (int p = 0; p < 2; p++) find_all(&own[p], &where[p]);
        for (int p = 0; p < 2; p++)
            write_side(board, &own[p], &where[p], &where[1 - p], board->side[1 - p].padded,
                       before ? &before[p] : NULL, &board->side[p]);
        if (last) group_ends(own, board->group);
    }
    board->child = (int)b->boards;
    board->children = 0;
    spot_board next[BC_DECK];
    for (int card = 0; !last && card < BC_DECK; card++) {
        if (board->known & bc_bit(card)) continue;
        spot_board *to = &next[board->children];
        memset(to, 0, sizeof *to);
        for (int s = 0; s < 4; s++)
            if (board->suit[s] == board->suit[bc_suit_of(card)] && s >= bc_suit_of(card))
                to->image[to->images++] = (uint8_t)(card - bc_suit_of(card) + s);
        int first = 1;
        for (int s = 0; s < bc_suit_of(card); s++) first &= board->suit[s] != board->suit[bc_suit_of(card)];
        if (!first) continue;
        to->card = (uint8_t)card;
        to->known = board->known | bc_bit(card);
        memcpy(to->suit, board->suit, sizeof to->suit);
        to->suit[bc_suit_of(card)] = (uint8_t)(8 + street);
        to->parent = (int)(slot ? slot - b->solver->board : 0);
        board->children++;
    }
    b->boards += (size_t)board->children;
    if (slot) *slot = *board;
    for (int i = 0; i < board->children && street + 1 < BC_SPOT_STREETS; i++) {
        uint8_t dealt[5];
        memcpy(dealt, cards, 5);
        dealt[b->spot->cards + street] = next[i].card;
        build_board(b, street + 1, &next[i], dealt, own, slot ? b->solver->board + board->child + i : NULL);
    }
}

static void build_boards(builder *b, spot_board *slot) {
    spot_board root = {0};
    const bc_spot_game *spot = b->spot;
    uint16_t ranks[4] = {0};
    for (int i = 0; i < spot->cards; i++) {
        root.known |= bc_bit(spot->board[i]);
        ranks[bc_suit_of(spot->board[i])] |= (uint16_t)(1 << bc_rank_of(spot->board[i]));
    }
    for (int s = 0; s < 4; s++) {
        root.suit[s] = (uint8_t)s;
        for (int t = s - 1; t >= 0; t--)
            if (spot->suit[s] == spot->suit[t] && ranks[s] == ranks[t]) root.suit[s] = root.suit[t];
    }
    root.parent = -1;
    b->boards = 1;
    build_board(b, 0, &root, spot->board, NULL, slot);
}

/* ---- betting ---- */

/* The lines of a street: the first nodes of its bettings, and the showdowns that wait for its cards. */
static void find_lines(const bc_spot_tree *tree, int node, int *lines, int32_t *line) {
    const int kind = tree->kind[node];
    if (kind == BC_SPOT_DEAL) line[(*lines)++] = tree->first[node];
    if (kind == BC_SPOT_SHOWDOWN) line[(*lines)++] = node;
    if (kind == BC_SPOT_DECISION || kind == BC_SPOT_SUM)
        for (int i = 0; i < tree->count[node]; i++) find_lines(tree, tree->first[node] + i, lines, line);
}

/* The cells of a street: for each player's decisions in turn. */
static void count_cells(const bc_spot_tree *tree, int node, int street, bc_spot_solver *s, spot_street *to) {
    const int kind = tree->kind[node];
    if (s && s->level[node] < 0) s->level[node] = (int8_t)street; /* a showdown waits on later streets */
    if (kind == BC_SPOT_DECISION) {
        const int player = tree->player[node];
        if (s) s->cell[node] = to->cells[player], s->choice[node] = to->choices[player];
        to->cells[player] += tree->count[node];
        to->choices[player]++;
    }
    if (kind == BC_SPOT_DECISION || kind == BC_SPOT_SUM)
        for (int i = 0; i < tree->count[node]; i++) count_cells(tree, tree->first[node] + i, street, s, to);
}

/* A part of a street while it is written, for one traverser. */
typedef struct {
    const bc_spot_tree *tree;
    const bc_spot_solver *solver; /* NULL while counting */
    spot_part *part;
    int traverser;
    bool river;
} writer;

static void add_leaf(spot_leaves *leaves, int *count, int node, int reach, int value) {
    if (leaves) {
        spot_leaves *to = &leaves[*count / SPOT_LANES];
        const int lane = *count % SPOT_LANES;
        to->node[lane] = node;
        to->reach[lane] = reach;
        to->value[lane] = value;
        to->fold[lane] = to->folded[lane] = -1;
        to->count = lane + 1;
    }
    ++*count;
}

static void write_node(writer *w, int node, int reach, int value);

/* The own decision between a showdown and a fold: both have one reach, so one lane is enough. */
static bool is_shared(const writer *w, int node, int child) {
    const bc_spot_tree *tree = w->tree;
    if (!w->river || tree->kind[child] != BC_SPOT_END) return false;
    for (int i = tree->first[node]; i < child; i++)
        if (tree->kind[i] == BC_SPOT_END) return false;
    for (int i = 0; i < tree->count[node]; i++)
        if (tree->kind[tree->first[node] + i] == BC_SPOT_SHOWDOWN) return true;
    return false;
}

static void write_own(writer *w, int node, int reach, int value) {
    const bc_spot_tree *tree = w->tree;
    spot_part *part = w->part;
    const int first = tree->first[node], count = tree->count[node], from = part->values;
    part->values += count;
    for (int i = 0; i < count; i++)
        if (!is_shared(w, node, first + i)) write_node(w, first + i, reach, from + i);
    for (int i = 0; i < count; i++) {
        if (!is_shared(w, node, first + i) || !part->showdown) continue;
        /* The lane of the node's own showdown: the last with this reach. */
        for (int lane = part->showdowns - 1; lane >= 0; lane--) {
            spot_leaves *group = &part->showdown[lane / SPOT_LANES];
            if (group->reach[lane % SPOT_LANES] != reach || group->fold[lane % SPOT_LANES] >= 0) continue;
            group->fold[lane % SPOT_LANES] = from + i;
            group->folded[lane % SPOT_LANES] = first + i;
            group->folds = true;
            break;
        }
    }
    if (part->backward)
        part->backward[part->backwards] = (spot_backward){.node = node,
                                                          .cell = w->solver->cell[node],
                                                          .actions = count,
                                                          .from = from,
                                                          .value = value,
                                                          .reach = reach};
    part->backwards++;
}

static void write_other(writer *w, int node, int reach, int value) {
    const bc_spot_tree *tree = w->tree;
    spot_part *part = w->part;
    const int first = tree->first[node], count = tree->count[node], to = part->reaches;
    part->reaches += count;
    if (part->forward)
        part->forward[part->forwards] = (spot_forward){.node = node,
                                                       .cell = w->solver->cell[node],
                                                       .actions = count,
                                                       .reach = reach,
                                                       .to = to,
                                                       .value = value};
    part->forwards++;
    for (int i = 0; i < count; i++) write_node(w, first + i, to + i, value);
}

static void write_node(writer *w, int node, int reach, int value) {
    const bc_spot_tree *tree = w->tree;
    spot_part *part = w->part;
    switch (tree->kind[node]) {
    case BC_SPOT_DECISION:
        (tree->player[node] == w->traverser ? write_own : write_other)(w, node, reach, value);
        return;
    case BC_SPOT_SUM:
        for (int i = 0; i < tree->count[node]; i++) write_node(w, tree->first[node] + i, reach, value);
        return;
    case BC_SPOT_END:
        add_leaf(part->end, &part->ends, node, reach, value);
        return;
    case BC_SPOT_GIVEN:
        if (part->given) part->given[part->givens] = (spot_given){node, reach, value, false};
        part->givens++;
        return;
    case BC_SPOT_SHOWDOWN:
        if (w->river) {
            add_leaf(part->showdown, &part->showdowns, node, reach, value);
            return;
        }
        /* fall through */
    default:
        if (part->exit) part->exit[part->exits] = (spot_exit){node, reach, value, false};
        part->exits++;
    }
}

/* What is written first to a row replaces it; leaves come first, then later streets, then own decisions. */
static void set_adds(spot_part *part, uint8_t *written) {
    memset(written, 0, (size_t)part->values);
    for (int kind = 0; kind < 2; kind++) {
        spot_leaves *leaves = kind ? part->showdown : part->end;
        const int count = kind ? part->showdowns : part->ends;
        for (int i = 0; i < count; i++) {
            spot_leaves *group = &leaves[i / SPOT_LANES];
            const int lane = i % SPOT_LANES;
            group->add[lane] = written[group->value[lane]]++;
            if (group->fold[lane] >= 0) group->fold_add[lane] = written[group->fold[lane]]++;
            if (written[group->value[lane]] > 1) written[group->value[lane]] = 1;
        }
    }
    for (int i = 0; i < part->givens; i++) {
        part->given[i].add = written[part->given[i].value];
        written[part->given[i].value] = 1;
    }
    for (int i = 0; i < part->exits; i++) {
        part->exit[i].add = written[part->exit[i].value];
        written[part->exit[i].value] = 1;
    }
    for (int i = 0; i < part->backwards; i++) {
        part->backward[i].add = written[part->backward[i].value];
        written[part->backward[i].value] = 1;
    }
}

static int groups_of(int leaves) {
    return (leaves + SPOT_LANES - 1) / SPOT_LANES;
}

static void write_part(writer *w, const int *line, spot_part *part) {
    part->forwards = part->backwards = part->exits = part->ends = part->showdowns = part->givens = 0;
    part->reaches = part->values = part->lines;
    w->part = part;
    for (int i = 0; i < part->lines; i++) write_node(w, line[part->line + i], i, i);
}

/* The parts of a street: all lines before the river; on it as many as keep their rows in the cache. */
static void build_parts(builder *b, int street, const int *line, int lines, spot_street *to) {
    const bool river = street == b->streets - 1;
    const int *most = b->most[street];
    for (int t = 0; t < 2; t++) {
        int parts = 0, begin = 0;
        const size_t row[2] = {sizeof(float) * (size_t)most[1 - t], sizeof(float) * (size_t)most[t]};
        while (begin < lines) {
            spot_part part = {.line = begin, .lines = 0};
            writer w = {&b->spot->tree, NULL, NULL, t, river};
            for (int end = begin + 1; end <= lines; end++) {
                spot_part more = {.line = begin, .lines = end - begin};
                write_part(&w, line, &more);
                const size_t bytes = (size_t)more.reaches * row[0] + (size_t)more.values * row[1];
                if (river && end > begin + 1 && bytes > PART_BYTES) break;
                part = more;
            }
            part.forward = take(&b->memory, (size_t)part.forwards, sizeof *part.forward);
            part.backward = take(&b->memory, (size_t)part.backwards, sizeof *part.backward);
            part.exit = take(&b->memory, (size_t)part.exits, sizeof *part.exit);
            part.given = take(&b->memory, (size_t)part.givens, sizeof *part.given);
            part.end = take(&b->memory, (size_t)groups_of(part.ends), sizeof *part.end);
            part.showdown = take(&b->memory, (size_t)groups_of(part.showdowns), sizeof *part.showdown);
            uint8_t *written = take(&b->memory, (size_t)part.values, 1);
            if (b->solver) {
                memset(part.end, 0, (size_t)groups_of(part.ends) * sizeof *part.end);
                memset(part.showdown, 0, (size_t)groups_of(part.showdowns) * sizeof *part.showdown);
                w.solver = b->solver;
                write_part(&w, line, &part);
                set_adds(&part, written);
                to->part[t][parts] = part;
            }
            if (part.reaches > to->reaches[t]) to->reaches[t] = part.reaches;
            if (part.values > to->values[t]) to->values[t] = part.values;
            if (part.exits > to->exits) to->exits = part.exits;
            begin += part.lines;
            parts++;
        }
        to->parts[t] = parts;
    }
}

/* ---- all together ---- */

static size_t row_bytes(int holdings) {
    return sizeof(double) * (size_t)(holdings + SPOT_LANES);
}

static int most_actions(const bc_spot_tree *tree) {
    int most = 0;
    for (int i = 0; i < tree->nodes; i++)
        if (tree->kind[i] == BC_SPOT_DECISION && tree->count[i] > most) most = tree->count[i];
    return most;
}

/* Rows of every street, and what leaves need: both players' holdings by lane. */
static size_t scratch_bytes(const builder *b, const spot_street *street) {
    size_t most = 0;
    for (int t = 0; t < 2; t++) {
        size_t bytes = 0;
        for (int s = 0; s < b->streets; s++)
            bytes += (size_t)street[s].reaches[t] * row_bytes(b->most[s][1 - t]) +
                     (size_t)(street[s].values[t] + street[s].exits) * row_bytes(b->most[s][t]);
        int widest[2] = {0, 0};
        for (int s = 0; s < b->streets; s++)
            for (int p = 0; p < 2; p++)
                if (b->most[s][p] > widest[p]) widest[p] = b->most[s][p];
        bytes += (row_bytes(widest[0]) + row_bytes(widest[1])) * SPOT_LANES;
        const int wider = widest[0] > widest[1] ? widest[0] : widest[1];
        bytes += row_bytes(wider);
        if (b->spot->bits == 16)
            bytes += sizeof(float) * 2 * (size_t)most_actions(&b->spot->tree) * (size_t)wider;
        if (bytes > most) most = bytes;
    }
    return (most + 4095) & ~(size_t)4095;
}

static void copy_tree(builder *b, bc_spot_solver *s) {
    const bc_spot_tree *tree = &b->spot->tree;
    const size_t nodes = (size_t)tree->nodes;
    int8_t *kind = take(&b->memory, nodes, 1), *player = take(&b->memory, nodes, 1);
    int8_t *level = take(&b->memory, nodes, 1);
    uint8_t *locked = take(&b->memory, nodes, 1);
    int32_t *first = take(&b->memory, nodes, sizeof *first), *count = take(&b->memory, nodes, sizeof *count);
    int32_t *cell = take(&b->memory, nodes, sizeof *cell), *choice = take(&b->memory, nodes, sizeof *choice);
    double *payoff = take(&b->memory, nodes * 6, sizeof *payoff);
    if (!s) return;
    memcpy(kind, tree->kind, nodes);
    memcpy(player, tree->player, nodes);
    memset(level, -1, nodes);
    memset(locked, 0, nodes);
    memcpy(first, tree->first, nodes * sizeof *first);
    memcpy(count, tree->count, nodes * sizeof *count);
    memcpy(payoff, tree->payoff, nodes * 6 * sizeof *payoff);
    s->kind_of = kind, s->player_of = player, s->level = level, s->locked = locked;
    s->first = first, s->count = count, s->cell = cell, s->choice = choice, s->payoff = payoff;
    for (int node = 0; node < tree->nodes; node++)
        if (kind[node] == BC_SPOT_SUM)
            return; /* what is taken from its leaves is not the same for all actions */
    for (int node = tree->nodes - 1; node >= 0; node--)
        if (kind[node] == BC_SPOT_END || kind[node] == BC_SPOT_SHOWDOWN) {
            const double *of = payoff + 6 * node;
            for (int p = 0; p < 2; p++) s->middle[p] = (of[0] + of[2] + of[3] + of[5]) / 4;
        }
}

/* The lists of the first board and what is given, by holding. */
static void copy_lists(builder *b, bc_spot_solver *s) {
    for (int p = 0; p < 2; p++) {
        uint16_t *list = take(&b->memory, (size_t)b->most[0][p], sizeof *list);
        float *weight = take(&b->memory, (size_t)b->most[0][p], sizeof *weight);
        if (!s) continue;
        const spot_side *side = &s->board[0].side[p];
        for (int i = 0; i < side->count; i++) {
            list[i] = side->parent[i];
            weight[i] = b->spot->weight[p][list[i]];
        }
        s->list[p] = list;
        s->weight[p] = weight;
    }
    const bc_spot_tree *tree = &b->spot->tree;
    double **given = take(&b->memory, (size_t)tree->nodes, sizeof *given);
    if (s) s->given = given;
    for (int node = 0; node < tree->nodes; node++) {
        double *chips = NULL;
        const size_t holdings = (size_t)b->most[0][tree->player[node] == 1];
        if (tree->kind[node] == BC_SPOT_GIVEN) chips = take(&b->memory, holdings, sizeof *chips);
        if (!s) continue;
        given[node] = chips;
        if (chips) memset(chips, 0, holdings * sizeof *chips);
    }
}

/* Lines and cells of every street. */
static void build_streets(builder *b, spot_street *street, int32_t *work) {
    const bc_spot_tree *tree = &b->spot->tree;
    for (int i = 0; i < b->streets; i++) {
        spot_street *to = &street[i];
        int32_t *line = work + (size_t)i * (size_t)tree->nodes;
        if (i == 0) line[to->lines++] = 0;
        for (int k = 0; i && k < street[i - 1].lines; k++)
            find_lines(tree, street[i - 1].line[k], &to->lines, line);
        int32_t *kept = take(&b->memory, (size_t)to->lines, sizeof *kept);
        if (kept) memcpy(kept, line, (size_t)to->lines * sizeof *kept);
        to->line = kept ? kept : line;
        for (int k = 0; k < to->lines; k++) count_cells(tree, line[k], i, b->solver, to);
        for (int p = 0; p < 2; p++) b->cells[i][p] = to->cells[p], b->choices[i][p] = to->choices[p];
    }
}

size_t spot_plan(const bc_spot_game *spot, int32_t *work, void *memory) {
    builder b = {.spot = spot, .memory = {memory, 0}, .streets = 6 - spot->cards};
    bc_spot_solver *s = take(&b.memory, 1, sizeof *s);
    spot_street street[BC_SPOT_STREETS] = {0};
    b.solver = s;
    if (s) memset(s, 0, sizeof *s);
    copy_tree(&b, s);
    build_streets(&b, street, work);

    /* Boards are counted first: their array comes before what they own. */
    builder count = b;
    count.solver = NULL;
    count.memory.base = NULL;
    build_boards(&count, NULL);
    spot_board *board = take(&b.memory, count.boards, sizeof *board);
    if (s) s->board = board;
    build_boards(&b, board);
    for (int i = 0; i < b.streets; i++) {
        for (int t = 0; t < 2; t++) {
            street[i].most[t] = b.most[i][t];
            street[i].part[t] = take(&b.memory, (size_t)street[i].lines, sizeof *street[i].part[t]);
        }
        build_parts(&b, i, street[i].line, street[i].lines, &street[i]);
    }
    copy_lists(&b, s);

    const size_t cell = spot->bits == 16 ? sizeof(int16_t) : sizeof(float);
    const size_t scales = spot->bits == 16 ? b.all_choices : 0;
    const bc_spot_tables tables = {.cells = b.all_cells,
                                   .scales = scales,
                                   .regret = take(&b.memory, b.all_cells, cell),
                                   .sum = take(&b.memory, b.all_cells, cell),
                                   .regret_scale = take(&b.memory, scales, sizeof(float)),
                                   .sum_scale = take(&b.memory, scales, sizeof(float))};
    const size_t scratch = scratch_bytes(&b, street);
    char *all_scratch = take(&b.memory, (size_t)spot->threads, scratch);
    double *values =
        take(&b.memory, (size_t)(b.most[0][0] > b.most[0][1] ? b.most[0][0] : b.most[0][1]), sizeof *values);
    const int turns = street[1].parts[0] > street[1].parts[1] ? street[1].parts[0] : street[1].parts[1];
    atomic_int *turn = take(&b.memory, (size_t)turns, sizeof *turn);
    if (!s) return b.memory.used;

    s->streets = b.streets, s->cards = spot->cards, s->threads = spot->threads, s->bits = spot->bits;
    s->nodes = spot->tree.nodes;
    memcpy(s->start, spot->board, 5);
    memcpy(s->listed, spot->count, sizeof s->listed);
    s->boards = (int)b.boards;
    s->tables = tables;
    s->values = values;
    s->scratch = all_scratch, s->scratch_size = scratch;
    s->turn = turn;
    memcpy(s->street, street, sizeof street);
    for (int i = 0, at = 0; i < b.streets; i++) {
        s->street[i].board = at;
        s->street[i].boards = i == 0 ? 1 : 0;
        for (int k = 0; i && k < s->street[i - 1].boards; k++)
            s->street[i].boards += s->board[s->street[i - 1].board + k].children;
        at += s->street[i].boards;
    }
    return b.memory.used;
}

#include "search_walk.h"

#include "baycarp/rank.h"

const int bc_search_shown[BC_STREETS] = {0, 3, 4, 5};

static void add_raise(bc_move *moves, int *count, int64_t amount) {
    for (int i = 0; i < *count; i++)
        if (moves[i].kind == BC_RAISE && moves[i].amount == amount) return;
    moves[(*count)++] = (bc_move){BC_RAISE, amount};
}

int bc_search_moves(const bc_search *s, const bc_state *state, bc_move *moves) {
    const bc_legal legal = bc_state_legal(&s->variant, state);
    int count = 0;
    if (legal.owed > 0) moves[count++] = (bc_move){BC_FOLD, 0};
    moves[count++] = (bc_move){BC_CALL, 0};
    if (legal.least == 0) return count;
    add_raise(moves, &count, legal.least);
    if (s->variant.limit) return count;
    const double pot = (double)(bc_state_pot(&s->variant, state) + legal.owed);
    for (int i = 0; i < s->size_count; i++) {
        const double total = (double)state->level + s->sizes[i] * pot;
        if (total > (double)legal.least && total < (double)legal.most)
            add_raise(moves, &count, (int64_t)total);
        else if (s->sized && total >= (double)legal.most)
            add_raise(moves, &count, legal.most);
    }
    if (!s->sized) add_raise(moves, &count, legal.most);
    return count;
}

void bc_search_begin(bc_search *s, uint64_t seed) {
    s->hero = s->state.to_act;
    s->shown = bc_search_shown[s->state.street];
    s->iterations = s->forced = 0;
    s->count = bc_search_moves(s, &s->state, s->moves);
    bc_search_deal_start(s);
    if (s->textured) bc_texture_of(s->board, s->state.street, &s->texture);
    bc_rng_seed(&s->rng, seed);
}

void bc_walk_start(const bc_search *s, bc_walk *w) {
    w->state = s->state, w->past = s->past, w->textured = -1;
}

bool bc_walk_over(const bc_search *s, const bc_walk *w) {
    return bc_state_over(&w->state) || !(w->state.in >> s->hero & 1);
}

int bc_walk_bucket(const bc_search *s, bc_walk *w, int seat) {
    const int street = w->state.street;
    int16_t *bucket = &w->deal.bucket[seat][street];
    if (*bucket < 0) {
        const uint8_t *hole = w->deal.hole[seat];
        const int holding = bc_holding(hole[0], hole[1]);
        *bucket = (int16_t)s->bucket(s->bucket_context, w->deal.board, bc_search_shown[street], holding);
    }
    return *bucket;
}

static const bc_texture *texture_of(const bc_search *s, bc_walk *w) {
    const int street = w->state.street;
    if (street == s->state.street) return &s->texture;
    if (w->textured != street) bc_texture_of(w->deal.board, street, &w->texture);
    w->textured = street;
    return &w->texture;
}

double bc_walk_chances(const bc_search *s, bc_walk *w, const bc_move *moves, int count, double *chances) {
    const int seat = w->state.to_act;
    double total = 0;
    bc_decision query = {
        &s->variant, &w->state, moves, count, w->deal.cluster[seat], bc_walk_bucket(s, w, seat), NULL, NULL};
    if (s->featured) query.past = &w->past;
    if (s->textured) query.texture = texture_of(s, w);
    s->policy(s->policy_context, &query, chances);
    for (int i = 0; i < count; i++) total += chances[i];
    return total;
}

int bc_walk_choice(const double *chances, int count, double total, double unit) {
    double at = unit * total;
    int last = 0;
    for (int i = 0; i < count; i++) {
        if (chances[i] <= 0) continue;
        last = i;
        if ((at -= chances[i]) < 0) break;
    }
    return last;
}

void bc_walk_act(const bc_search *s, bc_walk *w, bc_move move) {
    if (s->textured)
        bc_past_act(&s->variant, &w->state, &w->past, move.kind, move.amount);
    else if (move.kind == BC_RAISE) {
        w->past.aggressive[w->state.street]++;
        w->past.aggressor[w->state.street] = w->state.to_act;
    }
    bc_state_apply(&s->variant, &w->state, move.kind, move.amount);
}

double bc_walk_settle(const bc_search *s, const bc_walk *w) {
    if (!(w->state.in >> s->hero & 1)) return -(double)w->state.paid[s->hero];
    uint16_t ranks[BC_SEATS] = {0};
    int64_t payoffs[BC_SEATS];
    bc_hand board = bc_hand_empty();
    for (int i = 0; i < 5; i++) board = bc_hand_add(board, bc_hand_card(w->deal.board[i]));
    for (int seat = 0; seat < s->variant.seats; seat++) {
        if (!(w->state.in >> seat & 1)) continue;
        const bc_hand hand = bc_hand_add(board, bc_hand_card(w->deal.hole[seat][0]));
        ranks[seat] = bc_rank(bc_hand_add(hand, bc_hand_card(w->deal.hole[seat][1])));
    }
    bc_state_payoffs(&s->variant, &w->state, ranks, payoffs);
    return (double)payoffs[s->hero];
}

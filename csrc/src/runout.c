#include "baycarp/runout.h"

#include <assert.h>
#include <string.h>

#include "baycarp/card.h"
#include "baycarp/rank.h"

/* Pot shares between two calls of stop: some milliseconds. */
enum { PLAYERS = 10, STOP_SHARES = 1 << 18 };

typedef struct {
    const bc_runout *run;
    int64_t *won, boards, shares; /* shares: since the last call of stop */
    bool stopped;
    bc_hand holes[PLAYERS];
    uint8_t deck[BC_DECK]; /* cards to come */
    int left;
} runout;

static runout start(const bc_runout *run, int64_t *won) {
    assert(1 <= run->players && run->players <= PLAYERS && 0 <= run->shown && run->shown <= 5);
    runout r = {.run = run, .won = won};
    uint64_t known = run->dead;
    for (int i = 0; i < run->shown; i++) known |= bc_bit(run->board[i]);
    for (int i = 0; i < run->players; i++) {
        const uint8_t *hole = run->holes + 2 * i;
        known |= bc_bit(hole[0]) | bc_bit(hole[1]);
        r.holes[i] = bc_hand_add(bc_hand_card(hole[0]), bc_hand_card(hole[1]));
    }
    for (int card = 0; card < BC_DECK; card++)
        if (!(known & bc_bit(card))) r.deck[r.left++] = (uint8_t)card;
    assert(r.left >= 5 - run->shown);
    memset(won, 0, (size_t)run->count * (size_t)run->players * sizeof *won);
    return r;
}

/* The winners of each set on a complete board share its pot. */
static void share_pots(runout *r, bc_hand board) {
    const bc_runout *run = r->run;
    uint16_t rank[PLAYERS];
    for (int i = 0; i < run->players; i++) rank[i] = bc_rank(bc_hand_add(board, r->holes[i]));
    for (int k = 0; k < run->count; k++) {
        uint16_t best = 0;
        int winners[PLAYERS], n = 0;
        for (int i = 0; i < run->players; i++) {
            if (!(run->sets[k] >> i & 1) || rank[i] < best) continue;
            if (rank[i] > best) n = 0;
            best = rank[i];
            winners[n++] = i;
        }
        for (int i = 0; i < n; i++) r->won[k * run->players + winners[i]] += BC_PORTIONS / n;
    }
    r->boards++;
    r->shares += (int64_t)(run->count + 1) * run->players;
    if (r->shares < STOP_SHARES) return;
    r->shares = 0;
    r->stopped = bc_stopped(run->stop);
}

/* All combinations of the missing cards, in ascending order of their places in the deck. */
static void complete(runout *r, bc_hand board, int missing, int first) {
    if (!missing) {
        share_pots(r, board);
        return;
    }
    for (int i = first; i <= r->left - missing && !r->stopped; i++)
        complete(r, bc_hand_add(board, bc_hand_card(r->deck[i])), missing - 1, i + 1);
}

int64_t bc_runout_exact(const bc_runout *run, int64_t *won) {
    runout r = start(run, won);
    complete(&r, bc_hand_of(run->board, run->shown), 5 - run->shown, 0);
    return r.boards;
}

void bc_runout_sampled(bc_rng *rng, const bc_runout *run, int64_t boards, int64_t *won) {
    runout r = start(run, won);
    const bc_hand shown = bc_hand_of(run->board, run->shown);
    while (r.boards < boards && !r.stopped) {
        bc_hand board = shown;
        for (int i = 0; i < 5 - run->shown; i++) { /* the order of the deck does not matter */
            const int j = i + (int)bc_rng_below(rng, (uint32_t)(r.left - i));
            const uint8_t card = r.deck[j];
            r.deck[j] = r.deck[i];
            r.deck[i] = card;
            board = bc_hand_add(board, bc_hand_card(card));
        }
        share_pots(&r, board);
    }
}

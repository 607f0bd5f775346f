/* The source of every form of bc_standing_changes.

   Without a flush a rank depends on the ranks of cards alone, so the next cards of a rank, and the rivals of
   two ranks, are counted together: by pairs of ranks, 91 x 91 for each of 13 next ranks
   (potential_ranks.h). Where three cards of a suit lie after the next card, the holdings of two cards of
   that suit are counted anew (potential_flush.h).

   The next cards after which four of a suit lie there are counted one by one. A rank has a place among the
   different ranks on its board, now and after the card. A table of the holdings below each pair of places
   answers in a few look-ups how many holdings stand in each way to one; the few that share a card with it,
   its mates, are counted apart and subtracted. */
#include "potential.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "baycarp/rank.h"
#include "potential_flush.h"
#include "potential_ranks.h"

/* The unblocked holdings in ascending order; their index is a place in the other arrays. */
typedef struct {
    int count;
    uint16_t holding[BC_HOLDINGS], rank[BC_HOLDINGS];
    uint8_t card[BC_HOLDINGS][2];
} live;

static void rank_all(const uint8_t *board, int n, live *all) {
    const bc_hand base = bc_hand_of(board, n);
    const uint64_t known = set_of(board, n);
    all->count = 0;
    for (int hi = 1; hi < BC_DECK; hi++) {
        if (known & bc_bit(hi)) continue;
        const bc_hand with = bc_hand_add(base, bc_hand_card(hi));
        for (int lo = 0; lo < hi; lo++) {
            if (known & bc_bit(lo)) continue;
            const int i = all->count++;
            all->holding[i] = (uint16_t)bc_holding(hi, lo);
            all->rank[i] = bc_rank(bc_hand_add(with, bc_hand_card(lo)));
            all->card[i][0] = (uint8_t)hi;
            all->card[i][1] = (uint8_t)lo;
        }
    }
}

/* order[]: places by ascending rank, stable; two counting passes over bytes. */
static void sort_by_rank(int count, const uint16_t *rank, uint16_t *order) {
    uint16_t half[BC_HOLDINGS], from[2][257] = {{0}};
    for (int i = 0; i < count; i++) {
        from[0][(rank[i] & 255) + 1]++;
        from[1][(rank[i] >> 8) + 1]++;
    }
    for (int byte = 0; byte < 256; byte++) {
        from[0][byte + 1] = (uint16_t)(from[0][byte + 1] + from[0][byte]);
        from[1][byte + 1] = (uint16_t)(from[1][byte + 1] + from[1][byte]);
    }
    for (int i = 0; i < count; i++) half[from[0][rank[i] & 255]++] = (uint16_t)i;
    for (int i = 0; i < count; i++) order[from[1][rank[half[i]] >> 8]++] = half[i];
}

enum {
    /* Different ranks on a board of three to five cards: 91 pairs of ranks without a flush, and in the only
       suit that can flush at most 45 pairs and 10 single cards, or the board itself. */
    PLACES = 147,
    ROW = 152, /* PLACES + 1, rounded up to whole vectors */
    MATES = 64 /* holdings with a card: 47 on the flop; a whole number of vectors */
};

/* Pairs of places: how many holdings are below both. */
typedef struct {
    int now, then; /* the numbers of places */
    int16_t below[PLACES + 1][ROW];
} table;

/* The place of each rank; returns the number of places. */
static int places_of(int count, const uint16_t *rank, uint8_t *place) {
    uint16_t order[BC_HOLDINGS];
    int last = -1;
    sort_by_rank(count, rank, order);
    for (int k = 0; k < count; k++) {
        if (k == 0 || rank[order[k]] != rank[order[k - 1]]) last++;
        place[order[k]] = (uint8_t)last;
    }
    assert(last < PLACES);
    return last + 1;
}

static void fill(int count, const uint8_t *now, const uint8_t *then, table *t) {
    for (int a = 0; a <= t->now; a++) memset(t->below[a], 0, sizeof t->below[a]);
    for (int i = 0; i < count; i++) t->below[now[i] + 1][then[i] + 1]++;
    for (int a = 1; a <= t->now; a++) {
        const int16_t *under = t->below[a - 1];
        int16_t *row = t->below[a];
        for (int b = 1; b <= t->then; b++) row[b] = (int16_t)(row[b] + row[b - 1]);
        for (int b = 1; b <= t->then; b++) row[b] = (int16_t)(row[b] + under[b]);
    }
}

/* Of a holding against all others: two for a change between ahead and behind, one to or from a tie. */
static change changed(const table *t, int now, int then) {
    const int16_t *under = t->below[now], *upto = t->below[now + 1], *all = t->below[t->now];
    const int most = t->then;
    const int lost_below = all[then] - upto[then];                     /* ahead of it now, behind it then */
    const int lost_tied = all[then + 1] - upto[then + 1] - lost_below; /* ahead now, tied then */
    const int tied_below = upto[then] - under[then];                   /* tied now, behind then */
    const int won_above = under[most] - under[then + 1];               /* behind now, ahead then */
    const int won_tied = under[then + 1] - under[then];                /* behind now, tied then */
    const int tied_above = upto[most] - upto[then + 1] - won_above;    /* tied now, ahead then */
    return (change){2 * lost_below + lost_tied + tied_below, 2 * won_above + won_tied + tied_above};
}

/* The mates of a card: their holdings, places, and sums; lanes beyond the count are not read. */
typedef struct {
    int count;
    uint16_t holding[MATES];
    int8_t now[MATES], then[MATES], rise[MATES], fall[MATES];
} mates;

/* The changes among the mates of one card: no sum exceeds twice their number. */
static void change_among(mates *m) {
    memset(m->rise, 0, sizeof m->rise);
    memset(m->fall, 0, sizeof m->fall);
    for (int j = 0; j < m->count; j++) {
        const int8_t now = m->now[j], then = m->then[j];
        for (int i = 0; i < MATES; i++) {
            const int8_t before = (int8_t)((m->now[i] > now) - (m->now[i] < now));
            const int8_t delta = (int8_t)((m->then[i] > then) - (m->then[i] < then) - before);
            m->rise[i] = (int8_t)(m->rise[i] + (delta > 0 ? delta : 0));
            m->fall[i] = (int8_t)(m->fall[i] - (delta < 0 ? delta : 0));
        }
    }
}

/* Places as signed numbers in the same order, which lanes compare faster. */
static int8_t in_order(uint8_t place) {
    return (int8_t)(place - 128);
}

/* Card by card. Add the changes on the board with one more card. */
static void add_card(const live *all, const uint8_t *place_now, int places, bc_changes *sum) {
    uint8_t now[BC_HOLDINGS], then[BC_HOLDINGS];
    mates of[BC_DECK];
    table t = {.now = places};
    for (int card = 0; card < BC_DECK; card++) of[card].count = 0;
    t.then = places_of(all->count, all->rank, then);
    for (int i = 0; i < all->count; i++) {
        now[i] = place_now[all->holding[i]];
        for (int side = 0; side < 2; side++) {
            mates *m = &of[all->card[i][side]];
            m->holding[m->count] = all->holding[i];
            m->now[m->count] = in_order(now[i]);
            m->then[m->count++] = in_order(then[i]);
        }
    }
    fill(all->count, now, then, &t);
    for (int i = 0; i < all->count; i++) {
        const change c = changed(&t, now[i], then[i]);
        sum->rise[all->holding[i]] += c.rise;
        sum->fall[all->holding[i]] += c.fall;
    }
    for (int card = 0; card < BC_DECK; card++) {
        mates *m = &of[card];
        memset(m->now + m->count, 0, (size_t)(MATES - m->count));
        memset(m->then + m->count, 0, (size_t)(MATES - m->count));
        change_among(m);
        for (int i = 0; i < m->count; i++) {
            sum->rise[m->holding[i]] -= m->rise[i];
            sum->fall[m->holding[i]] -= m->fall[i];
        }
    }
}

/* Add the next cards one by one. */
static void add_cards(const uint8_t *board, int n, uint64_t cards, bc_changes *sum) {
    live today, later;
    uint8_t place[BC_HOLDINGS], place_now[BC_HOLDINGS], next[5];
    rank_all(board, n, &today);
    const int places = places_of(today.count, today.rank, place);
    for (int i = 0; i < today.count; i++) place_now[today.holding[i]] = place[i];
    memcpy(next, board, (size_t)n);
    for (int card = 0; card < BC_DECK; card++) {
        if (!(cards & bc_bit(card))) continue;
        next[n] = (uint8_t)card;
        rank_all(next, n + 1, &later);
        add_card(&later, place_now, places, sum);
    }
}

void FORM(bc_standing_changes)(const uint8_t *board, int n, bc_changes *sum) {
    const uint64_t deck = ((uint64_t)1 << BC_DECK) - 1, known = set_of(board, n),
                   clubs = deck / 15; /* every fourth bit */
    uint64_t single = 0;              /* counted one by one */
    pairs p;
    memset(sum, 0, sizeof *sum);
    list_pairs(board, n, &p);
    for (int suit = 0; suit < 4; suit++) {
        const uint64_t of_suit = clubs << suit;
        const int shown = __builtin_popcountll(known & of_suit);
        if (shown == 4) single |= deck;
        if (shown == 3) single |= of_suit;
        if (shown == 2) add_flushes(&p, board, n, suit, of_suit & ~known, false, sum);
        if (shown == 3) add_flushes(&p, board, n, suit, ~of_suit & deck & ~known, true, sum);
    }
    const uint64_t by_rank = deck & ~known & ~single;
    for (int own = 0; own < PAIRS && by_rank; own++) add_ranks(&p, own, by_rank, sum);
    if (single) add_cards(board, n, single & ~known, sum);
}

/* The source of every form of bc_standing_changes.

   Without a flush a rank depends on the ranks of cards alone, so the next cards of a rank, and the rivals of
   two ranks, are counted together: by pairs of ranks, 91 x 91 for each of 13 next ranks. This holds for a
   next card of a suit with at most one card on the board, as long as no suit has three.

   The other next cards are counted one by one. A rank has a place among the different ranks on its board, now
   and after the card. A table of the holdings below each pair of places answers in a few look-ups how many
   holdings stand in each way to one; the few that share a card with it, its mates, are counted apart and
   subtracted. */
#include "potential.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "baycarp/rank.h"

/* The change of standings of a holding: increases and decreases. */
typedef struct {
    int rise, fall;
} change;

/* By ranks alone. */
enum {
    RANKS = 13,
    PAIRS = 91, /* pairs of ranks hi >= lo, numbered hi * (hi + 1) / 2 + lo */
    LANES = 96  /* the pairs, rounded up to whole vectors */
};

typedef struct {
    int shown[RANKS];                       /* cards of the board by rank */
    int16_t hi[LANES], lo[LANES];           /* the ranks of a pair */
    int16_t now[LANES], then[RANKS][LANES]; /* hand ranks, by the rank of the next card */
} pairs;

static inline int pair_of(int hi, int lo) {
    return hi * (hi + 1) / 2 + lo;
}

/* Rank every pair that the cards on a board of this key, by rank, leave. */
static void rank_pairs(uint32_t board, const uint32_t *keys, const int *shown, int16_t *row) {
    for (int hi = 0; hi < RANKS; hi++)
        for (int lo = 0; lo <= hi && shown[hi] < 4; lo++)
            if (shown[lo] < 4 - (lo == hi))
                row[pair_of(hi, lo)] = (int16_t)(bc_rank((bc_hand){board + keys[hi] + keys[lo], 0}) - 32768);
}

static void list_pairs(const uint8_t *board, int n, pairs *p) {
    uint32_t keys[RANKS], key = 0;
    memset(p, 0, sizeof *p);
    for (int hi = 0; hi < RANKS; hi++) {
        keys[hi] = (uint32_t)bc_hand_card(4 * hi).key;
        for (int lo = 0; lo <= hi; lo++)
            p->hi[pair_of(hi, lo)] = (int16_t)hi, p->lo[pair_of(hi, lo)] = (int16_t)lo;
    }
    for (int i = 0; i < n; i++) key += keys[bc_rank_of(board[i])], p->shown[bc_rank_of(board[i])]++;
    rank_pairs(key, keys, p->shown, p->now);
    for (int next = 0; next < RANKS; next++) {
        if (p->shown[next] == 4) continue;
        p->shown[next]++;
        rank_pairs(key + keys[next], keys, p->shown, p->then[next]);
        p->shown[next]--;
    }
}

/* The rivals of a holding of two ranks: how many there are of each pair, and how many of them a next card of
   the pair's higher and lower rank takes away; and its standing to them now. */
typedef struct {
    int16_t ways[LANES], lost_hi[LANES], lost_lo[LANES], standing[LANES];
} rivals;

/* Whether the deck has such a holding. */
static bool list_rivals(const pairs *p, int own, rivals *r) {
    int left[RANKS];
    for (int rank = 0; rank < RANKS; rank++) {
        left[rank] = 4 - p->shown[rank] - (p->hi[own] == rank) - (p->lo[own] == rank);
        if (left[rank] < 0) return false;
    }
    memset(r, 0, sizeof *r);
    for (int q = 0; q < PAIRS; q++) {
        const int hi = left[p->hi[q]], lo = left[p->lo[q]];
        const bool equal = p->hi[q] == p->lo[q];
        r->ways[q] = (int16_t)(equal ? hi * (hi - 1) / 2 : hi * lo);
        r->lost_hi[q] = (int16_t)lo;
        r->lost_lo[q] = (int16_t)(equal ? -1 : hi);
        r->standing[q] = (int16_t)((p->now[own] > p->now[q]) - (p->now[own] < p->now[q]));
    }
    return true;
}

/* Against all rivals that a next card of this rank leaves. */
static change changed_by(const pairs *p, const rivals *r, int own, int next) {
    const int16_t ours = p->then[next][own], *theirs = p->then[next];
    int16_t rise = 0, fall = 0; /* at most 2 * 1081 */
    for (int q = 0; q < LANES; q++) {
        const int16_t lost_hi = p->hi[q] == next ? r->lost_hi[q] : 0;
        const int16_t lost_lo = p->lo[q] == next ? r->lost_lo[q] : 0;
        const int16_t ways = (int16_t)(r->ways[q] - lost_hi - lost_lo);
        const int16_t delta = (int16_t)((ours > theirs[q]) - (ours < theirs[q]) - r->standing[q]);
        rise = (int16_t)(rise + ways * (delta > 0 ? delta : 0));
        fall = (int16_t)(fall - ways * (delta < 0 ? delta : 0));
    }
    return (change){rise, fall};
}

/* Add the changes by these next cards to every holding of two ranks. */
static void add_ranks(const pairs *p, int own, uint64_t next, bc_changes *sum) {
    rivals r;
    change by[RANKS], all = {0, 0};
    if (!list_rivals(p, own, &r)) return;
    for (int rank = 0; rank < RANKS; rank++) {
        by[rank] = changed_by(p, &r, own, rank);
        for (int suit = 0; suit < 4; suit++)
            if (next & bc_bit(4 * rank + suit)) all.rise += by[rank].rise, all.fall += by[rank].fall;
    }
    const change none = {0, 0};
    for (int a = 4 * p->hi[own]; a < 4 * p->hi[own] + 4; a++)
        for (int b = 4 * p->lo[own]; b < 4 * p->lo[own] + 4 && b < a; b++) {
            const change of_a = next & bc_bit(a) ? by[p->hi[own]] : none; /* its own cards do not come */
            const change of_b = next & bc_bit(b) ? by[p->lo[own]] : none;
            sum->rise[bc_holding(a, b)] += all.rise - of_a.rise - of_b.rise;
            sum->fall[bc_holding(a, b)] += all.fall - of_a.fall - of_b.fall;
        }
}

/* The unblocked holdings in ascending order; their index is a place in the other arrays. */
typedef struct {
    int count;
    uint16_t holding[BC_HOLDINGS], rank[BC_HOLDINGS];
    uint8_t card[BC_HOLDINGS][2];
} live;

static uint64_t set_of(const uint8_t *cards, int n) {
    uint64_t set = 0;
    for (int i = 0; i < n; i++) set |= bc_bit(cards[i]);
    return set;
}

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

/* The next cards after which no holding has a flush, if none has one now. */
static uint64_t plain_cards(const uint8_t *board, int n) {
    int suited[4] = {0};
    uint64_t cards = 0;
    for (int i = 0; i < n; i++) suited[bc_suit_of(board[i])]++;
    for (int suit = 0; suit < 4; suit++)
        if (suited[suit] >= 3) return 0;
    for (int card = 0; card < BC_DECK; card++)
        if (suited[bc_suit_of(card)] < 2) cards |= bc_bit(card);
    return cards & ~set_of(board, n);
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
                   plain = plain_cards(board, n);
    pairs p;
    memset(sum, 0, sizeof *sum);
    if (plain) {
        list_pairs(board, n, &p);
        for (int own = 0; own < PAIRS; own++) add_ranks(&p, own, plain, sum);
    }
    if (plain != (deck & ~known)) add_cards(board, n, deck & ~known & ~plain, sum);
}

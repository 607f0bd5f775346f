/* Temporary: orders hands rightly within 16 bits by category and a hash-free packing. */
#include "baycarp/rank.h"
static int top_straight(unsigned m) {
    for (int t = 12; t >= 4; t--) if ((m >> (t - 4) & 31) == 31) return t;
    return (m & 0x100f) == 0x100f ? 3 : -1;
}
static unsigned choose(unsigned n, unsigned k) {
    unsigned r = 1;
    for (unsigned i = 1; i <= k; i++) r = r * (n - k + i) / i;
    return n < k ? 0 : r;
}
/* colex index of the n highest ranks in set: < 1287 */
static unsigned colex(unsigned set, int n) {
    int ranks[5], k = 0;
    for (int r = 12; r >= 0 && k < n; r--) if (set >> r & 1) ranks[k++] = r;
    unsigned v = 0;
    for (int i = 0; i < k; i++) v += choose((unsigned)ranks[i], (unsigned)(k - i));
    return v;
}
uint16_t bc_rank(bc_hand h) {
    unsigned any = 0;
    for (int s = 0; s < 4; s++) {
        unsigned m = (unsigned)(h.mask >> (16 * s)) & 0x1fff;
        any |= m;
        if (__builtin_popcount(m) >= 5) {
            int t = top_straight(m);
            return (uint16_t)(t >= 0 ? 9 << 12 | t : 6 << 12 | colex(m, 5));
        }
    }
    unsigned four = 0, three = 0, two = 0;
    for (int r = 0; r < 13; r++) {
        int c = (int)(h.key >> (4 * r)) & 15;
        if (c == 4) four |= 1u << r; else if (c == 3) three |= 1u << r; else if (c == 2) two |= 1u << r;
    }
    if (four) {
        int r = 31 - __builtin_clz(four);
        return (uint16_t)(8 << 12 | r * 13 | (0)) + (uint16_t)(31 - __builtin_clz(any & ~(1u << r)));
    }
    if (three) {
        int r = 31 - __builtin_clz(three);
        unsigned rest = (three | two) & ~(1u << r);
        if (rest) return (uint16_t)((7 << 12) + r * 13 + (31 - __builtin_clz(rest)));
    }
    int t = top_straight(any);
    if (t >= 0) return (uint16_t)(5 << 12 | t);
    if (three) {
        int r = 31 - __builtin_clz(three);
        return (uint16_t)((4 << 12) + r * 78 + (int)colex(any & ~(1u << r), 2));
    }
    if (two & (two - 1)) {
        int a = 31 - __builtin_clz(two);
        int b = 31 - __builtin_clz(two & ~(1u << a));
        return (uint16_t)((3 << 12) + (int)colex(1u << a | 1u << b, 2) * 13 + (31 - __builtin_clz(any & ~(1u << a | 1u << b))));
    }
    if (two) {
        int a = 31 - __builtin_clz(two);
        return (uint16_t)((2 << 12) + a * 286 + (int)colex(any & ~(1u << a), 3));
    }
    return (uint16_t)((1 << 12) + (int)colex(any, 5));
}
uint16_t bc_rank_cards(const uint8_t *cards, int n) {
    bc_hand h = bc_hand_empty();
    for (int i = 0; i < n; i++) h = bc_hand_add(h, bc_hand_card(cards[i]));
    return bc_rank(h);
}
void bc_rank_batch(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out) {
    for (ptrdiff_t i = 0; i < n; i++) out[i] = bc_rank_cards(cards + i * k, k);
}

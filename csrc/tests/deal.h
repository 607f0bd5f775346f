/* Random cards for tests. */
#include "baycarp/card.h"
#include "baycarp/rng.h"

/* Different cards of the first `suits` suits: few suits give many flushes. */
static inline void deal(bc_rng *rng, int suits, uint8_t *cards, int n) {
    uint64_t dealt = 0;
    for (int i = 0; i < n;) {
        const int card = 4 * (int)bc_rng_below(rng, 13) + (int)bc_rng_below(rng, (uint32_t)suits);
        if (dealt & bc_bit(card)) continue;
        dealt |= bc_bit(card);
        cards[i++] = (uint8_t)card;
    }
}

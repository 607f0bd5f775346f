/* Temporary. */
#ifndef BAYCARP_RANK_H
#define BAYCARP_RANK_H
#include <stddef.h>
#include <stdint.h>
typedef struct {
    uint64_t key, mask;
} bc_hand;
static inline bc_hand bc_hand_empty(void) { return (bc_hand){0, 0}; }
static inline bc_hand bc_hand_card(int card) {
    return (bc_hand){(uint64_t)1 << (4 * (card >> 2)), (uint64_t)1 << (16 * (card & 3) + (card >> 2))};
}
static inline bc_hand bc_hand_add(bc_hand a, bc_hand b) { return (bc_hand){a.key + b.key, a.mask | b.mask}; }
uint16_t bc_rank(bc_hand hand);
uint16_t bc_rank_cards(const uint8_t *cards, int n);
void bc_rank_batch(const uint8_t *cards, ptrdiff_t n, int k, uint16_t *out);
static inline int bc_category(uint16_t rank) { return rank >> 12; }
#endif

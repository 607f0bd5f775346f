/* Numbers and cards out of the bytes of a fuzzer's input; zeros once it has ended. */
#ifndef BAYCARP_FUZZ_SOURCE_H
#define BAYCARP_FUZZ_SOURCE_H

#include <stdint.h>

#include "baycarp/card.h"

typedef struct {
    const uint8_t *at, *end;
} source;

static inline uint8_t take_byte(source *from) {
    return from->at < from->end ? *from->at++ : 0;
}

/* 0..n-1, n <= 2^24. */
static inline uint32_t take(source *from, uint32_t n) {
    uint32_t number = take_byte(from);
    if (n > 256) number = number << 8 | take_byte(from);
    if (n > 65536) number = number << 8 | take_byte(from);
    return number % n;
}

static inline uint64_t take_seed(source *from) {
    return (uint64_t)take_byte(from) << 8 | take_byte(from);
}

/* n different cards. */
static inline void take_cards(source *from, uint8_t *cards, int n) {
    uint64_t taken = 0;
    for (int i = 0; i < n; i++) {
        int card = (int)take(from, BC_DECK);
        while (taken & bc_bit(card)) card = (card + 1) % BC_DECK;
        taken |= bc_bit(card);
        cards[i] = (uint8_t)card;
    }
}

#endif

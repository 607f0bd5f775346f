/* Instructions a random hand of seven, counted by valgrind; the count does not move with the machine's load.

       cc -O3 -DNDEBUG -Icsrc/include -o rank_instructions benchmarks/rank_instructions.c \
          csrc/src/rank.c csrc/src/rank_tables.c csrc/src/simd.c
       valgrind --tool=callgrind --toggle-collect=bc_rank_cards ./rank_instructions
       valgrind --tool=callgrind --toggle-collect=bc_rank_batch ./rank_instructions

   Divide `Collected` by 100,000. */
#include "baycarp/rank.h"
#include "baycarp/rng.h"

enum { HANDS = 100000, CARDS = 7 };

static uint8_t cards[HANDS * CARDS];
static uint16_t ranks[HANDS];

int main(void) {
    bc_rng rng;
    bc_rng_seed(&rng, 1);
    for (int i = 0; i < HANDS; i++) {
        uint64_t dealt = 0;
        for (int j = 0; j < CARDS;) {
            int card = (int)bc_rng_below(&rng, BC_DECK);
            if (dealt & bc_bit(card)) continue;
            dealt |= bc_bit(card);
            cards[i * CARDS + j++] = (uint8_t)card;
        }
    }
    for (int i = 0; i < HANDS; i++) ranks[i] = bc_rank_cards(cards + i * CARDS, CARDS);
    return bc_rank_batch(BC_BASE, cards, HANDS, CARDS, ranks) != -1;
}

/* The game of the tests of simulation and search: blinds 1 and 2, in fixed limit bets of 2 and 4. */
#include <stdbool.h>

#include "baycarp/game.h"

static inline bc_variant small_game(int seats, bool limit) {
    bc_variant v = {.seats = (uint8_t)seats, .limit = limit, .big_blind = 2};
    v.blinds[seats == 2] = 1;
    v.blinds[seats != 2] = 2;
    v.first[0] = (uint8_t)(seats == 2 ? 1 : 2 % seats);
    for (int street = 0; street < 4; street++) {
        v.raise_sizes[street] = !limit ? 0 : street < 2 ? 2 : 4;
        v.max_raises[street] = !limit ? BC_NO_CAP : street ? 4 : 3;
    }
    return v;
}

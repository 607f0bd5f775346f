/* Two hands that were counted by others, for the tests of strength. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "baycarp/strength.h"

/* Ad Qc on 3h 4c Jh; 8d 7d on 9d 6c 2d */
static const uint8_t ADQC[] = {49, 40}, JACK_HIGH[] = {6, 8, 38};
static const uint8_t DRAW[] = {25, 21}, NINE_HIGH[] = {29, 16, 1};

static inline void check_row(const double found[3], double ahead, double tied, double behind) {
    assert(found[BC_AHEAD] == ahead && found[BC_TIED] == tied && found[BC_BEHIND] == behind);
}

/* adqc: two cards ahead; draw: one. */
static inline void check_worked_hands(const bc_standings *adqc, const bc_standings *draw) {
    check_row(adqc->now, 628, 9, 444);
    check_row(adqc->then[BC_AHEAD], 628 * 990 - 3211 - 169504, 3211, 169504);
    check_row(adqc->then[BC_TIED], 0, 9 * 990 - 540, 540);
    check_row(adqc->then[BC_BEHIND], 91981, 1036, 444 * 990 - 91981 - 1036);
    assert(fabs(bc_hs(adqc) - 0.5851) < 5e-5 && fabs(bc_ppot(adqc) - 0.2083) < 5e-5);
    assert(fabs(bc_npot(adqc) - 0.2737) < 5e-5);
    check_row(draw->now, 120, 9, 952);
    assert(fabs(bc_ppot(draw) - 0.4077) < 5e-5 && fabs(bc_npot(draw) - 0.0750) < 5e-5);
}

/* The forms of bc_standing_changes, built from potential_form.h for one instruction set each. */
#ifndef BAYCARP_SIMD_POTENTIAL_H
#define BAYCARP_SIMD_POTENTIAL_H

#include <stdint.h>

#include "baycarp/card.h"

/* By holding, summed over all rivals and next cards. The standing of a pair of holdings is 1 (ahead), 0
   (tied) or -1 (behind), now and after the next card: its increases, and its decreases. */
typedef struct {
    int32_t rise[BC_HOLDINGS], fall[BC_HOLDINGS];
} bc_changes;

/* The changes on a board of n = 3 or 4 cards; those of blocked holdings are undefined. */
void bc_standing_changes_base(const uint8_t *board, int n, bc_changes *sum);
void bc_standing_changes_avx2(const uint8_t *board, int n, bc_changes *sum);
void bc_standing_changes_avx512(const uint8_t *board, int n, bc_changes *sum);

#endif

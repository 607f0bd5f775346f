/* The forms of bc_cfr_visit, built from cfr_form.h for one instruction set each. */
#ifndef BAYCARP_SIMD_CFR_H
#define BAYCARP_SIMD_CFR_H

#include "baycarp/cfr.h"

void bc_cfr_visit_avx2(const bc_cfr_walk *walk, float *value);
void bc_cfr_visit_avx512(const bc_cfr_walk *walk, float *value);

#endif

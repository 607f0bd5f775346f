/* The forms of bc_showdowns_run, built from showdown_form.h for one instruction set each. */
#ifndef BAYCARP_SIMD_SHOWDOWN_H
#define BAYCARP_SIMD_SHOWDOWN_H

#include "baycarp/showdown.h"

void bc_showdowns_run_avx2(bc_showdowns *s);
void bc_showdowns_run_avx512(bc_showdowns *s);

#endif

/* e^x for x <= 0 with the same bits on every machine, and vectorisable, unlike exp of the C library.

   Within one unit in the last place of the true value (csrc/tests/test_exp_nonpositive.c); 1 at 0; 0 below
   -708, near the subnormal numbers. x = n ln 2 + r, |r| <= ln 2 / 2, and e^r by its series, whose fifteenth
   term is below a sixteenth of the last bit. Branch-free arithmetic, which compilers vectorise. */
#ifndef BAYCARP_EXP_NONPOSITIVE_H
#define BAYCARP_EXP_NONPOSITIVE_H

#include <stdint.h>
#include <string.h>

static inline double bc_exp_nonpositive(double x) {
    const double whole = 6755399441055744.0; /* 1.5 * 2^52: adding it rounds to an integer */
    const double shifted = x * 1.4426950408889634 + whole, n = shifted - whole;
    /* ln 2 in two parts; the products of the first, of few bits, are exact */
    const double r = x - n * 0x1.62e42fefa0000p-1 - n * 0x1.cf79abc9e3b3ap-40;
    double sum = 1.0 / 6227020800.0, power;
    uint64_t bits;
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = 1.0 + (r + r * r * sum);
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 1023) << 52;
    memcpy(&power, &bits, sizeof power);
    return x < -708.0 ? 0.0 : sum * power;
}

#endif

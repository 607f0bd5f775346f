/* The loop that nearly every step of an elimination comes to: a vector times a matrix.

   out[j] = sum over i of weight[i] * a[i * down + j], for rows i and columns j, on top of what out holds
   where it goes on. Each sum runs over rising i and multiplies before it adds, so every form rounds alike. */
#ifndef BAYCARP_PRODUCT_H
#define BAYCARP_PRODUCT_H

#include <stdint.h>

typedef void bc_product(const double *weight, const double *a, int64_t down, int32_t rows,
                        double *restrict out, int32_t columns, int goes_on);

bc_product bc_product_avx2, bc_product_avx512;

#endif

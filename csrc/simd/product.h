/* The main loop of an elimination: a vector times a matrix.

   out[j] = sum over i of weight[i] * a[i * down + j], for rows i and columns j, added to out if it
   continues a sum. Sums are in ascending order of i without fused operations: every form rounds equally. */
#ifndef BAYCARP_PRODUCT_H
#define BAYCARP_PRODUCT_H

#include <stdint.h>

typedef void bc_product(const double *weight, const double *a, int64_t down, int32_t rows,
                        double *restrict out, int32_t columns, int goes_on);

bc_product bc_product_avx2, bc_product_avx512;

#endif

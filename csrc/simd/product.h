/* The main loop of an elimination: a vector times the product of matrices, cell by cell.

   out[i * apart + j] += weight[i] * a[0][i * down[0] + j] * a[1][i * down[1] + j] * ..., for rows i and
   columns j; out begins as 0 unless the sum goes on. Apart is 0 for a sum over the rows, or at least the
   number of columns. At least one matrix. Products are in ascending order of the matrices and sums in that of
   i, without fused operations: every form rounds equally. */
#ifndef BAYCARP_PRODUCT_H
#define BAYCARP_PRODUCT_H

#include <stdint.h>

typedef void bc_product(const double *weight, const double *const *a, const int64_t *down, int matrices,
                        int32_t rows, double *restrict out, int64_t apart, int32_t columns, int goes_on);

bc_product bc_product_avx2, bc_product_avx512;

#endif

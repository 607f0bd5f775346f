/* Converts rows of states to narrow codes, checks and counts them.

   A code is the index of a state of its variable; -1 = not observed, if allowed. */
#ifndef BAYCARP_COUNT_H
#define BAYCARP_COUNT_H

#include <stdint.h>

/* The largest number of states of a narrow code. */
#define BC_NARROW 32767

/* The largest number of columns counted together. */
#define BC_MEMBERS 64

/* Copy n rows of `columns` codes; returns the place (row * columns + column) of the first code that is not
   0..states-1 of its column, or n * columns. */
int64_t bc_code_rows(const int64_t *given, int64_t n, int32_t columns, const int32_t *states, int32_t *codes);

/* Copy one column of codes; returns the first row that is not -1..states-1 (states <= BC_NARROW), or n. */
int64_t bc_code_column(const int64_t *given, int64_t n, int32_t states, int16_t *codes);

/* Count n rows by the cell of a table: sum over columns of code * stride. Rows with a code of -1 are left
   out. Adds to counts, of size cells and one more as work space. */
void bc_count(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t n, int64_t size,
              int64_t *counts);

#endif

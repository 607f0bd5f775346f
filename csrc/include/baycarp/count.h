/* Rows of states: brought into narrow codes, checked, and counted.

   A code numbers a state of its variable, from 0; -1 = not observed, where that is allowed. */
#ifndef BAYCARP_COUNT_H
#define BAYCARP_COUNT_H

#include <stdint.h>

/* The most states that a narrow code numbers. */
#define BC_NARROW 32767

/* Columns that count together. */
#define BC_MEMBERS 64

/* Copy n rows of given codes, `columns` a row; returns the place of the first that is not 0..states-1 of
   its column (row * columns + column), or n * columns. */
int64_t bc_code_rows(const int64_t *given, int64_t n, int32_t columns, const int32_t *states, int32_t *codes);

/* Copy one column of given codes; returns the first row that is not -1..states-1 (states <= BC_NARROW), or n.
 */
int64_t bc_code_column(const int64_t *given, int64_t n, int32_t states, int16_t *codes);

/* Count n rows by the cell of a table that they fall into: sum over columns of code * stride. A row with a
   code of -1 falls into none. counts has size cells and one more to work with; it is added to. */
void bc_count(const int16_t *const *columns, const int32_t *stride, int32_t members, int64_t n, int64_t size,
              int64_t *counts);

#endif

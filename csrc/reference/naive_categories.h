/* categories.h by its definition: every holding, every complete board, all seven cards ranked at once. */
#ifndef BAYCARP_NAIVE_CATEGORIES_H
#define BAYCARP_NAIVE_CATEGORIES_H

#include <stdint.h>

void bc_naive_categories(const uint8_t *board, int shown, int32_t *counts, int32_t *orders);

#endif

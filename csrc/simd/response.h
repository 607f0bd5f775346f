/* The dispatched walks of response.c, over one group of eight streets; reach and value have a row for each of
   all holdings.
 */
#ifndef BAYCARP_SIMD_RESPONSE_H
#define BAYCARP_SIMD_RESPONSE_H

#include "baycarp/response.h"

/* The street of a group: its policies and chips. */
typedef struct {
    const bc_street *s;
    const double *policy;
    bc_lanes paid;
    bc_lanes *reached;      /* out: [BC_STREET_ENDS][holdings] */
    const bc_lanes *valued; /* in: the same; NULL on the last street */
} bc_group;

void bc_group_reach_avx2(const bc_group *g, const bc_lanes *reach);
void bc_group_reach_avx512(const bc_group *g, const bc_lanes *reach);
void bc_group_value_avx2(const bc_group *g, const bc_lanes *reach, bc_lanes *value);
void bc_group_value_avx512(const bc_group *g, const bc_lanes *reach, bc_lanes *value);

#endif

/* Kuhn's poker (1950): its value is -1/18, and the second player's equilibrium strategy is unique. */
#include "baycarp/mccfr.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    CHECK_BET,
    AFTER_CHECK,
    AFTER_BET,
    AFTER_CHECK_BET,
    NODES,
    CELLS = NODES * 3 * 2,
    DEALS = 600000,
    BATCH = 600
};

static const int32_t edge[NODES + 1] = {0, 2, 4, 6, 8};
/* check or bet; check or bet; fold or call; fold or call */
static const int32_t child[8] = {AFTER_CHECK, AFTER_BET, -1, AFTER_CHECK_BET, -2, -3, -4, -3};
static const uint8_t actor[NODES] = {0, 1, 1, 0}, street[NODES] = {0};
static const float chips[4] = {1, 1, 2, 1};
static const int8_t folded[4] = {-1, 1, -1, 0};
static const int64_t cell[NODES] = {0, 6, 12, 18};
static const bc_mccfr_game kuhn = {NODES, edge, child, actor, street, chips, folded, cell};

static bc_dealt deals[BATCH], six[6];
static float regret[CELLS], average[CELLS], other[CELLS], sums[CELLS], response[CELLS];
static int stops;

static int stop_soon(void) {
    return stops++ == 3;
}

static double share(const float *cells, int node, int card, int action) {
    const float *row = cells + cell[node] + 2 * card;
    return row[0] + row[1] > 0 ? (double)(row[action] / (row[0] + row[1])) : 0.5;
}

int main(void) {
    for (int i = 0, k = 0; i < 9; i++)
        if (i / 3 != i % 3) {
            six[k].bucket[0][0] = (uint16_t)(i / 3);
            six[k].bucket[1][0] = (uint16_t)(i % 3);
            six[k++].won = (int8_t)(i / 3 > i % 3 ? 1 : -1);
        }
    for (int i = 0; i < BATCH; i++) deals[i] = six[i % 6];
    const bc_mccfr_run run = {&kuhn, {1, 1}, regret, regret, average, 1000, 3};
    for (int first = 0; first < DEALS; first += BATCH)
        assert(bc_mccfr_learn(&run, first, BATCH, deals, NULL) == BATCH);

    double value[6], mean = 0;
    const float *const both[2] = {average, average};
    assert(bc_mccfr_values(&kuhn, both, 6, six, value, NULL) == 6);
    for (int i = 0; i < 6; i++) mean += value[i] / 6;
    assert(fabs(mean + 1.0 / 18) < 0.005);
    assert(fabs(share(average, AFTER_CHECK, 0, 1) - 1.0 / 3) < 0.03); /* bluffs a third of the jacks */
    assert(fabs(share(average, AFTER_BET, 1, 1) - 1.0 / 3) < 0.03);   /* calls with a third of the queens */
    assert(share(average, AFTER_CHECK, 2, 1) > 0.99 && share(average, AFTER_BET, 2, 1) > 0.99);
    assert(share(average, AFTER_BET, 0, 1) < 0.01 && share(average, AFTER_CHECK, 1, 1) < 0.03);

    /* Against a fixed opponent that always checks and calls, the first player bets its kings. */
    float passive[CELLS];
    for (int i = 0; i < CELLS; i++) passive[i] = (i % 2 == 0) == (i < 12);
    const bc_mccfr_run against = {&kuhn, {1, 0}, response, passive, NULL, 1000, 3};
    bc_mccfr_learn(&against, 0, BATCH, deals, NULL);
    assert(response[4] < 0 && response[5] > 0 && response[6 * AFTER_CHECK] == 0);

    /* A stopped run has the tables of the iterations that it returns. */
    float tables[2][CELLS];
    memcpy(tables[0], memset(regret, 0, sizeof regret), sizeof regret);
    memset(average, 0, sizeof average);
    const int64_t done = bc_mccfr_learn(&run, 0, BATCH, deals, stop_soon);
    assert(0 < done && done < BATCH);
    assert(bc_mccfr_learn(&run, done, BATCH - done, deals + done, NULL) == BATCH - done);
    memset(other, 0, sizeof other);
    const bc_mccfr_run whole = {&kuhn, {1, 1}, other, other, sums, 1000, 3};
    bc_mccfr_learn(&whole, 0, BATCH, deals, NULL);
    assert(!memcmp(other, regret, sizeof other) && !memcmp(sums, average, sizeof sums));
    return 0;
}

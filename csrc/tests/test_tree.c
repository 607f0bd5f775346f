/* Trees on rows small enough to check by hand. */
#include "baycarp/tree.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

enum { ROWS = 8, ROOM = 15 };

static const uint8_t BINS[ROWS * 2] = {0, 1, 1, 0, 0, 2, 1, 1, 2, 0, 3, 1, 2, 2, 3, 0};
static int32_t order[ROWS], spare[ROWS], leaf[ROWS];
static double edges[2 * BC_TREE_BINS], histogram[2 * BC_TREE_BINS * 2], values[ROOM];
static bc_node nodes[ROOM];

static void test_classes(void) {
    const uint8_t classes[ROWS] = {0, 0, 0, 0, 1, 1, 1, 1}; /* by the first feature alone */
    const double weights[ROWS] = {1, 1, 1, 1, 1, 1, 1, 1};
    bc_growth g = {BINS, edges, ROWS, 2, classes, 2, weights, NULL, 3, 1, 0.5};
    assert(bc_tree_grow(&g, order, spare, histogram, leaf, nodes, values, ROOM) == 3);
    assert(nodes[0].feature == 0 && nodes[0].threshold == 1.5 && nodes[0].next == 1);
    assert(fabs(values[0] - 4.5 / 5) < 1e-15 && fabs(values[3] - 4.5 / 5) < 1e-15);
    assert(leaf[0] == 0 && leaf[7] == 1 && bc_tree_valid(nodes, 3, 2, 2));
    assert(bc_tree_leaf(nodes, (double[]){1.5, 9}) == 0 && bc_tree_leaf(nodes, (double[]){1.6, 0}) == 1);
    g.least = 5; /* no side may have it */
    assert(bc_tree_grow(&g, order, spare, histogram, leaf, nodes, values, ROOM) == 1);
    g.least = 1;
    assert(bc_tree_grow(&g, order, spare, histogram, leaf, nodes, values, 2) == 1); /* no room for children */
}

static void test_gradients(void) {
    const double slopes[ROWS] = {1, 1, 1, 1, -2, -2, -2, -2}, curvatures[ROWS] = {1, 1, 1, 1, 1, 1, 1, 1};
    const bc_growth g = {BINS, edges, ROWS, 2, NULL, 1, curvatures, slopes, 1, 1, 1};
    assert(bc_tree_grow(&g, order, spare, histogram, leaf, nodes, values, ROOM) == 3);
    assert(nodes[0].feature == 0 && values[0] == -4.0 / 5 && values[1] == 8.0 / 5);
}

int main(void) {
    for (int i = 0; i < 2 * BC_TREE_BINS; i++) edges[i] = i % BC_TREE_BINS + 0.5;
    test_classes();
    test_gradients();
    const bc_node cycle[1] = {{0, 0, 0}};
    assert(!bc_tree_valid(cycle, 1, 2, 1) && !bc_tree_valid(cycle, 0, 2, 1));
    return 0;
}

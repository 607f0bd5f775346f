/* Histogram decision trees: growth on binned rows, and a flat form that a search reads.

   A node is a comparison of one feature with a threshold, or a leaf with a row of values. The classes of a
   leaf are frequencies with a Laplace prior; the value of a gradient tree is a Newton step. Node 0 is the
   root, the children of a node are adjacent and follow it. */
#ifndef BAYCARP_TREE_H
#define BAYCARP_TREE_H

#include <stdbool.h>
#include <stdint.h>

enum { BC_TREE_BINS = 64, BC_TREE_CLASSES = 16, BC_TREE_DEPTH = 24 };

typedef struct {
    double threshold; /* left where the feature is at most this */
    int32_t feature;  /* -1 = a leaf */
    int32_t next;     /* the left child, the right one is the next node; of a leaf, its row of values */
} bc_node;

typedef struct {
    const uint8_t *bins; /* rows x features, each below BC_TREE_BINS */
    const double *edges; /* features x BC_TREE_BINS: bin b holds values up to edges[b] */
    int64_t rows;
    int32_t features;
    /* classes: the class of each row and its weight >= 0; or NULL for a tree of gradients */
    const uint8_t *classes;
    int32_t width;         /* classes, at most BC_TREE_CLASSES; a tree of gradients: 1 */
    const double *weights; /* of rows; a tree of gradients: second derivatives >= 0 */
    const double *slopes;  /* first derivatives, or NULL */
    int32_t depth;         /* comparisons on a path, 0..BC_TREE_DEPTH */
    double least;          /* smallest sum of weights in a leaf, > 0 */
    double prior;          /* added to each class of a leaf, or to the sum of second derivatives; > 0 */
} bc_growth;

/* Scratch: order and spare have `rows` entries each, histogram features x BC_TREE_BINS x max(width, 2).
   `leaf` (rows) receives the leaf of each row. nodes has room for `room` >= 1 nodes, values for (room + 1) /
   2 rows of `width`; growth ends when they are full. Splits maximise the gain of entropy, or of the quadratic
   loss; equal gains take the first feature and bin. Returns the number of nodes. */
int32_t bc_tree_grow(const bc_growth *growth, int32_t *order, int32_t *spare, double *histogram,
                     int32_t *leaf, bc_node *nodes, double *values, int32_t room);

/* Whether every path through the nodes ends in one of `leaves` rows of values. */
bool bc_tree_valid(const bc_node *nodes, int32_t count, int32_t features, int32_t leaves);

/* The row of values of a valid tree. */
static inline int32_t bc_tree_leaf(const bc_node *nodes, const double *x) {
    int32_t at = 0;
    while (nodes[at].feature >= 0) at = nodes[at].next + !(x[nodes[at].feature] <= nodes[at].threshold);
    return nodes[at].next;
}

#endif

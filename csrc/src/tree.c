#include "baycarp/tree.h"

#include <math.h>
#include <string.h>

typedef struct {
    int64_t from, to; /* rows of `order` */
    int32_t node, depth;
} span;

typedef struct {
    double gain;
    int32_t feature, bin;
} split;

static double xlogx(double x) {
    return x > 0 ? x * log(x) : 0;
}

/* What a split minimises, of one side: the entropy times the weight; or less the loss that a Newton step
 * gains. */
static double loss_of(const bc_growth *g, const double *sums) {
    if (!g->classes) return -sums[0] * sums[0] / (sums[1] + g->prior);
    double total = 0, parts = 0;
    for (int c = 0; c < g->width; c++) {
        total += sums[c];
        parts += xlogx(sums[c]);
    }
    return xlogx(total) - parts;
}

static double weight_of(const bc_growth *g, const double *sums) {
    if (!g->classes) return sums[1];
    double total = 0;
    for (int c = 0; c < g->width; c++) total += sums[c];
    return total;
}

static int stats_of(const bc_growth *g) {
    return g->classes ? g->width : 2;
}

/* The sums of each bin of each feature over the rows of a span, and over all of them. */
static void count_bins(const bc_growth *g, const int32_t *order, span s, double *histogram, double *all) {
    const int n = stats_of(g);
    memset(histogram, 0, sizeof *histogram * (size_t)g->features * BC_TREE_BINS * (size_t)n);
    for (int c = 0; c < n; c++) all[c] = 0;
    for (int64_t i = s.from; i < s.to; i++) {
        const int32_t row = order[i];
        const uint8_t *bin = g->bins + (int64_t)row * g->features;
        const double weight = g->weights[row];
        if (g->classes) {
            double *at = histogram + g->classes[row];
            for (int f = 0; f < g->features; f++, at += BC_TREE_BINS * n) at[bin[f] * n] += weight;
            all[g->classes[row]] += weight;
        } else {
            const double slope = g->slopes[row];
            double *at = histogram;
            for (int f = 0; f < g->features; f++, at += BC_TREE_BINS * 2) {
                at[bin[f] * 2] += slope;
                at[bin[f] * 2 + 1] += weight;
            }
            all[0] += slope;
            all[1] += weight;
        }
    }
}

static void try_feature(const bc_growth *g, const double *bins, const double *all, int feature, split *best) {
    const int n = stats_of(g);
    double left[BC_TREE_CLASSES] = {0}, right[BC_TREE_CLASSES];
    const double before = loss_of(g, all);
    for (int b = 0; b < BC_TREE_BINS - 1; b++) {
        bool any = false;
        for (int c = 0; c < n; c++) {
            any |= bins[b * n + c] != 0;
            left[c] += bins[b * n + c];
            right[c] = all[c] - left[c] > 0 || !g->classes ? all[c] - left[c] : 0;
        }
        if (!any || weight_of(g, left) < g->least) continue;
        if (weight_of(g, right) < g->least) return;
        const double gain = before - loss_of(g, left) - loss_of(g, right);
        if (gain > best->gain) *best = (split){gain, feature, b};
    }
}

/* The best split of a span; feature -1 where none gains. */
static split find_split(const bc_growth *g, const double *histogram, const double *all) {
    split best = {1e-9, -1, 0};
    const size_t apart = (size_t)BC_TREE_BINS * (size_t)stats_of(g);
    for (int f = 0; f < g->features; f++) try_feature(g, histogram + (size_t)f * apart, all, f, &best);
    return best;
}

/* Order the rows of a span, those of the left child first; returns where the right one begins. */
static int64_t part(const bc_growth *g, int32_t *order, int32_t *spare, span s, split by) {
    int64_t left = s.from, right = 0;
    for (int64_t i = s.from; i < s.to; i++) {
        const int32_t row = order[i];
        if (g->bins[(int64_t)row * g->features + by.feature] <= by.bin) {
            order[left++] = row;
        } else {
            spare[right++] = row;
        }
    }
    memcpy(order + left, spare, sizeof *order * (size_t)right);
    return left;
}

static void fill_leaf(const bc_growth *g, const double *all, double *values) {
    if (!g->classes) {
        values[0] = -all[0] / (all[1] + g->prior);
        return;
    }
    const double total = weight_of(g, all) + g->prior * g->width;
    for (int c = 0; c < g->width; c++) values[c] = (all[c] + g->prior) / total;
}

int32_t bc_tree_grow(const bc_growth *g, int32_t *order, int32_t *spare, double *histogram, int32_t *leaf,
                     bc_node *nodes, double *values, int32_t room) {
    span pending[BC_TREE_DEPTH + 2];
    int waiting = 0;
    int32_t count = 1, leaves = 0;
    for (int64_t i = 0; i < g->rows; i++) order[i] = (int32_t)i;
    pending[waiting++] = (span){0, g->rows, 0, 0};
    while (waiting > 0) {
        const span s = pending[--waiting];
        double all[BC_TREE_CLASSES];
        count_bins(g, order, s, histogram, all);
        split by = {0, -1, 0};
        if (s.depth < g->depth && count + 2 <= room) by = find_split(g, histogram, all);
        if (by.feature >= 0) {
            const int64_t middle = part(g, order, spare, s, by);
            const double edge = g->edges[(int64_t)by.feature * BC_TREE_BINS + by.bin];
            nodes[s.node] = (bc_node){edge, by.feature, count};
            pending[waiting++] = (span){middle, s.to, count + 1, s.depth + 1};
            pending[waiting++] = (span){s.from, middle, count, s.depth + 1};
            count += 2;
            continue;
        }
        fill_leaf(g, all, values + (int64_t)leaves * g->width);
        for (int64_t i = s.from; i < s.to; i++) leaf[order[i]] = leaves;
        nodes[s.node] = (bc_node){0, -1, leaves++};
    }
    return count;
}

bool bc_tree_valid(const bc_node *nodes, int32_t count, int32_t features, int32_t leaves) {
    for (int32_t i = 0; i < count; i++) {
        const bc_node *node = &nodes[i];
        if (node->feature < 0) {
            if (node->next < 0 || node->next >= leaves) return false;
        } else if (node->feature >= features || node->next <= i || node->next >= count - 1) {
            return false;
        }
    }
    return count > 0;
}

# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
"""Histogram decision trees by tree.h, and their evaluation."""

from libc.math cimport isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from baycarp.errors import ArgumentError, brief
from baycarp.kernels cimport csrc
from baycarp.kernels.arguments import array, real, whole

__all__ = ["BINS", "CLASSES", "DEPTH", "NODE", "add_values", "grow_classes", "grow_gradients"]

BINS, CLASSES, DEPTH = csrc.BC_TREE_BINS, csrc.BC_TREE_CLASSES, csrc.BC_TREE_DEPTH
NODE = np.dtype([("threshold", "<f8"), ("feature", "<i4"), ("next", "<i4")])


cdef object checked(given, kind, tuple shape, str name):
    found = np.ascontiguousarray(array(given, name, kind))
    if found.shape != shape:
        raise ArgumentError(f"{name}: expected shape {shape}, got {found.shape}")
    return found


cdef double above_zero(given, str name) except? -1:
    cdef double number = real(given, name)
    if not (isfinite(number) and number > 0):
        raise ArgumentError(f"{name}: expected a finite number above 0, got {brief(given)}")
    return number


cdef object non_negative(given, int64_t rows, str name):
    found = checked(given, np.float64, (rows,), name)
    if rows and not (np.isfinite(found).all() and found.min() >= 0):
        raise ArgumentError(f"{name}: expected finite numbers of at least 0")
    return found


cdef tuple grow(csrc.bc_growth *g, bins, edges, depth, least, prior):
    cdef const uint8_t[:, ::1] binned
    cdef const double[:, ::1] upper
    if bins.ndim != 2 or bins.dtype != np.uint8 or not bins.shape[0] or not bins.shape[1]:
        raise ArgumentError("bins: expected at least one row and one feature of uint8")
    if bins.shape[0] >= 1 << 30 or bins.max() >= csrc.BC_TREE_BINS:
        raise ArgumentError(f"bins: expected numbers below {BINS} and fewer than 2**30 rows")
    binned = np.ascontiguousarray(bins)
    upper = checked(edges, np.float64, (bins.shape[1], csrc.BC_TREE_BINS), "edges")
    g.bins, g.edges, g.rows, g.features = &binned[0, 0], &upper[0, 0], binned.shape[0], <int32_t> binned.shape[1]
    g.depth = whole(depth, "depth", 0, DEPTH)
    g.least, g.prior = above_zero(least, "least"), above_zero(prior, "prior")
    cdef int64_t most = min(2 * g.rows - 1, (<int64_t> 2 << g.depth) - 1)
    cdef int32_t room = <int32_t> most, count
    nodes, values = np.zeros(room, NODE), np.zeros(((room + 1) // 2, g.width))
    scratch, leaf = np.empty((2, g.rows), np.int32), np.empty(g.rows, np.int32)
    cdef double[::1] histogram = np.empty(g.features * BINS * max(g.width, 2))
    cdef int32_t[:, ::1] order = scratch
    cdef int32_t[::1] leaves = leaf
    cdef double[:, ::1] value = values
    cdef uint8_t[::1] raw = nodes.view(np.uint8)
    with nogil:
        count = csrc.bc_tree_grow(g, &order[0, 0], &order[1, 0], &histogram[0], &leaves[0],
                                  <csrc.bc_node *> &raw[0], &value[0, 0], room)
    return nodes[:count].copy(), values[:(count + 1) // 2].copy(), leaf


def grow_classes(bins, edges, classes, weights, width, depth, least, prior):
    cdef csrc.bc_growth g
    cdef const uint8_t[::1] of_rows
    cdef const double[::1] weight
    bins = array(bins, "bins")
    g.width = whole(width, "classes", 1, CLASSES)
    g.slopes = NULL
    rows, numbers = len(bins), array(classes, "classes")
    if not rows or numbers.dtype.kind not in "iu" or not 0 <= numbers.min(initial=0) <= numbers.max(initial=0) < g.width:
        raise ArgumentError(f"classes: expected whole numbers below {width}, one a row")
    of_rows = checked(numbers, np.uint8, (rows,), "classes")
    weight = non_negative(weights, rows, "weights")
    g.classes, g.weights = &of_rows[0], &weight[0]
    return grow(&g, bins, edges, depth, least, prior)


def grow_gradients(bins, edges, slopes, curvatures, depth, least, prior):
    cdef csrc.bc_growth g
    cdef const double[::1] slope
    cdef const double[::1] curvature
    bins = array(bins, "bins")
    rows = len(bins)
    slope = checked(slopes, np.float64, (rows,), "slopes")
    curvature = non_negative(curvatures, rows, "curvatures")
    if not rows or not np.isfinite(slope).all():
        raise ArgumentError("slopes: expected finite numbers, one a row")
    g.width, g.classes, g.slopes, g.weights = 1, NULL, &slope[0], &curvature[0]
    return grow(&g, bins, edges, depth, least, prior)


def add_values(nodes, values, rows, into):
    cdef const double[:, ::1] x = np.ascontiguousarray(array(rows, "rows", np.float64))
    cdef const double[:, ::1] value = np.ascontiguousarray(array(values, "values", np.float64))
    cdef double[:, ::1] total
    cdef int64_t i
    cdef int32_t leaf, c, width = <int32_t> value.shape[1]
    if getattr(nodes, "dtype", None) != NODE:
        raise ArgumentError(f"nodes: expected an array of {NODE}")
    flat, shape = np.ascontiguousarray(nodes), (x.shape[0], width)
    if flat.ndim != 1 or not flat.size:
        raise ArgumentError(f"nodes: expected at least one, got shape {flat.shape}")
    if getattr(into, "dtype", None) != np.float64 or into.shape != shape or not into.flags.carray:
        raise ArgumentError(f"sums: expected a writable array of float64 of shape {shape}")
    total = into
    cdef const uint8_t[::1] raw = flat.view(np.uint8)
    cdef const csrc.bc_node *tree = <const csrc.bc_node *> &raw[0]
    if not csrc.bc_tree_valid(tree, <int32_t> flat.size, <int32_t> x.shape[1], <int32_t> value.shape[0]):
        raise ArgumentError(f"nodes: expected a tree over {x.shape[1]} features with {value.shape[0]} leaves")
    with nogil:
        for i in range(x.shape[0]):
            leaf = csrc.bc_tree_leaf(tree, &x[i, 0])
            for c in range(width):
                total[i, c] += value[leaf, c]

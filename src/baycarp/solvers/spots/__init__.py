"""Spots of hold'em, range against range, from the flop on: trees of betting, and their equilibria.

``sizes``     bet sizes as people write them
``tree``      the betting of a spot: built from sizes, edited by hand, as arrays
``spot``      what is solved: board, pot, stack, ranges, sizes
"""

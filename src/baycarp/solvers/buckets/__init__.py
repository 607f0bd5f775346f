"""Abstractions of hold'em: which holdings on a board are one to a solver.

``abstraction``  buckets of all streets, as a value; ``histograms``  clusters by the next card
``boards``       boards up to the suits' names; ``tables``  an abstraction on all flops and turns, in a file
"""

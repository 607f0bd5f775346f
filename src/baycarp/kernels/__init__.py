"""Thin Cython over csrc: converts, checks, releases the GIL, calls; contains no algorithms."""

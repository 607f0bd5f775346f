"""Thin Cython over csrc: convert, check, release the GIL, call. No algorithm lives here."""

"""The parts: one module each, with ``add`` (its options) and ``run``."""

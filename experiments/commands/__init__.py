"""The commands: one module each, with ``add`` (its options) and ``run``."""

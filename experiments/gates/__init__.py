"""The gates: what is tried against the package, how often, and what was found."""

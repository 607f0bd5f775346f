"""Measurements: beliefs, comparisons, learning curves, explanations, predictability, deadlines."""

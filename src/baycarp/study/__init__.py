"""Measurements of what was built: beliefs, comparisons, learning curves, explanations, deadlines."""

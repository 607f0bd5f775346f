"""Experiments on decisions: comparisons, explanations, times."""

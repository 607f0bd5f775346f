"""Explanations: replay from a trace, counterfactual decisions, the effect of evidence, smallest flips."""

"""Explanations: a decision replayed from its trace, made anew with a part changed, and what flips it."""

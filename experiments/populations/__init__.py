"""Populations of players, their habits, and the styles that are fitted to them."""

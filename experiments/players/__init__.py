"""Experiments on models of players for the tree search."""

"""Experiments on solvers of limit."""

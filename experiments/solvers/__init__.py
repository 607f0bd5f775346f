"""Experiments on solvers and best responses: ``python -m experiments.solvers.NAME``."""

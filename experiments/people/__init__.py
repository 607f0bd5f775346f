"""Experiments on logs of people."""

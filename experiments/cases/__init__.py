"""Experiments on case memories."""

"""The Bayesian network of Unger (2011): cards depend on actions."""

"""The belief by the Bayesian network of the thesis."""

"""The action-conditioned model: hypotheses of styles, weighed by every action."""

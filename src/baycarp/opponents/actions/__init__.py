"""The action-conditioned model: actions depend on cards, by hypotheses of styles."""

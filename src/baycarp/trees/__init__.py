"""Decision trees over binned features, grown and evaluated in C; no poker.

``tree``   a tree, the limits of its growth, and the choice of these on held-out rows
"""

from baycarp.trees.tree import GROWTHS, Bins, DecisionTree, Growth, fit, log_losses, select

__all__ = ["GROWTHS", "Bins", "DecisionTree", "Growth", "fit", "log_losses", "select"]

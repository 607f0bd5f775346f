"""Decision trees over binned features, grown and evaluated in C; no poker.

``tree``   a tree, the bins of its features, and the limits of its growth
"""

from baycarp.trees.tree import Bins, DecisionTree, Growth, fit, log_losses

__all__ = ["Bins", "DecisionTree", "Growth", "fit", "log_losses"]

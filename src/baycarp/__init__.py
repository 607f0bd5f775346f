"""Poker decisions from Bayesian networks and case-based reasoning, on a compiled core."""

from baycarp.card import cards, text
from baycarp.errors import BaycarpError

__all__ = ["BaycarpError", "cards", "text"]

"""Hands in foreign notations: ACPC states and logs, PHH, the IRC database.

``hand`` is the record that every reader returns, with its replay; each notation has a module of its own.
"""

from baycarp.game.notation.hand import Hand, Refused, replay, states

__all__ = ["Hand", "Refused", "replay", "states"]

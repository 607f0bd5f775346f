"""Hands in the notations of others: ACPC states and logs, PHH, the IRC database, the Meerkat line.

``hand`` is the record that all of them give, with its replay; one module a notation beside it.
"""

from baycarp.game.notation.hand import Hand, Refused, replay, states

__all__ = ["Hand", "Refused", "replay", "states"]

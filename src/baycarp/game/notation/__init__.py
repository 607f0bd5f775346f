"""Hands in foreign notations: ACPC states and logs, PHH, the IRC database.

``hand`` is the record that every reader returns, with its replay; each notation has a module of its own,
``rooms`` those of poker rooms. ``format`` is what a reader is to ``door``, which recognises the format of a
text, a file, a folder or an archive by its content.
"""

from baycarp.game.notation.format import Format
from baycarp.game.notation.hand import Hand, Origin, Refused, replay, states

__all__ = ["Format", "Hand", "Origin", "Refused", "replay", "states"]

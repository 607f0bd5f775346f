"""The texts of poker rooms, one module a room."""

from baycarp.game.notation.format import Format

__all__ = ["ROOMS"]

ROOMS: tuple[Format, ...] = ()
"""The readers of all rooms; at most one recognises a text."""

"""The texts of poker rooms: one module a room, each a small grammar as data, over one machine.

``grammar`` turns the lines of a hand into ``events`` on a ``statement``; ``posts`` finds the game, ``build``
plays the actions under the rules, ``results`` makes the chips add up. ``amounts``, ``cards`` and ``header``
read what many rooms print. A new room is a module that names its grammar, and a place in ``ROOMS``.
"""

from baycarp.game.notation.format import Format
from baycarp.game.notation.rooms.bovada import BOVADA
from baycarp.game.notation.rooms.fulltilt import FULL_TILT
from baycarp.game.notation.rooms.ggpoker import GGPOKER
from baycarp.game.notation.rooms.ipoker import IPOKER
from baycarp.game.notation.rooms.pacific import PACIFIC
from baycarp.game.notation.rooms.party import PARTY
from baycarp.game.notation.rooms.pokernow import POKERNOW
from baycarp.game.notation.rooms.stars import STARS
from baycarp.game.notation.rooms.winamax import WINAMAX

__all__ = ["ROOMS"]

ROOMS: tuple[Format, ...] = (
    *(room.format() for room in (STARS, GGPOKER, WINAMAX, PACIFIC, PARTY, FULL_TILT, BOVADA)),
    IPOKER,
    POKERNOW,
)
"""The readers of all rooms; at most one recognises a text."""

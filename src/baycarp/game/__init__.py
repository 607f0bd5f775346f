"""Hold'em as data.

What was agreed (``variant``), what is done (``action``), what has happened and what a seat may know of it
(``state``), what it is told (``event``), who can win what (``pots``), and the texts that others
write hands in (``notation``).
"""

from baycarp.game.action import ACTIONS, Act, Action
from baycarp.game.event import Acted, Event, HandOver
from baycarp.game.pots import Pot, pots
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant

__all__ = [
    "ACTIONS",
    "Act",
    "Acted",
    "Action",
    "Event",
    "HandOver",
    "Observation",
    "Pot",
    "State",
    "Variant",
    "pots",
]

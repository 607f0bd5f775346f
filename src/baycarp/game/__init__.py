"""Hold'em as data.

The game (``variant``), the actions (``action``), a hand's state and a seat's observation of it
(``state``), an agent's events (``event``), pots and their contenders (``pots``), all-in values
(``showdowns``), the names of seats (``seats``), and the text formats of hands (``notation``).
"""

from baycarp.game.action import ACTIONS, STREETS, Act, Action
from baycarp.game.event import Acted, Event, HandOver
from baycarp.game.pots import Pot, pots
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant

__all__ = [
    "ACTIONS",
    "STREETS",
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

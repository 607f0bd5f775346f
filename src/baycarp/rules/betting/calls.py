"""The price of a call: calls divided by price, or pot odds beside them (Unger 2011, section 8.1.1).

Unger (2011) proposes both, since 67 % of its network's faults are calls: all calls share one state there.
"""

from baycarp.game.action import Act
from baycarp.rules.betting.acts import FLOP, LATER, PREFLOP, most_aggressive
from baycarp.rules.reading import PlayerView

__all__ = ["ODDS", "PRICED_FLOP", "PRICED_LATER", "PRICED_PREFLOP", "call_odds", "priced"]

_PREFLOP_CALLS = ("CallHalf", "Call", "CallRaise", "CallThreeBet")
_CALLS = ("Call", "CallRaise")

ODDS = ("NoCall", "a0_10", "a10_20", "a20_30", "a30_50")
"""The states of a pot-odds node, in percent of the pot after the call; the widths are our choice."""


def _dearer(states: tuple[str, ...], calls: tuple[str, ...]) -> tuple[str, ...]:
    at = states.index("Call")
    return (*states[:at], *calls, *states[at + 1 :])


PRICED_PREFLOP = _dearer(PREFLOP, _PREFLOP_CALLS)
PRICED_FLOP, PRICED_LATER = _dearer(FLOP, _CALLS), _dearer(LATER, _CALLS)
"""The states of ``PREFLOP``, ``FLOP`` and ``LATER`` with a state a price in place of the call."""


def priced(street: int, view: PlayerView) -> str | None:
    """Name the most aggressive act of a player on a street; calls are named by the dearest.

    Before the flop: half a bet (the small blind), a bet, a raise, a three-bet or more; later a bet, or a
    raise or more. The number of bets counts, not the part of them that the caller had paid.

    Returns
    -------
    str or None
        None without an action there.

    Source: Unger (2011), section 8.1.1; that a call of a three-bet is a state of its own is our choice.
    """
    name = most_aggressive(view.observation, view.position, street)
    if name != "Call":
        return name
    return max((_call(view, act) for act in _calls(view, street)), key=_PREFLOP_CALLS.index)


def _call(view: PlayerView, act: Act) -> str:
    if act.street:
        return "Call" if act.bets == 1 else "CallRaise"
    if act.bets <= 1:
        return "CallHalf" if act.owed < view.observation.variant.big_blind else "Call"
    return "CallRaise" if act.bets == 2 else "CallThreeBet"


def _calls(view: PlayerView, street: int) -> list[Act]:
    own = (act for act in view.observation.acts if act.seat == view.position and act.street == street)
    return [act for act in own if act.action.name == "call"]


def call_odds(street: int, view: PlayerView) -> str | None:
    """Name the worst pot odds at which a player called on a street, one of ``ODDS``.

    Returns
    -------
    str or None
        ``NoCall`` where it did something else; None without an action there.

    Source: Unger (2011), section 8.1.1.
    """
    if most_aggressive(view.observation, view.position, street) is None:
        return None
    shares = [act.paid / (act.pot + act.paid) for act in _calls(view, street)]
    return ODDS[1 + min(int(10 * max(shares)), 3)] if shares else "NoCall"

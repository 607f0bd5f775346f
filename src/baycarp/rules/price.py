"""What a call cost: calls divided by price, or pot odds beside it (Unger 2011, section 8.1.1).

Unger (2011) proposes both, since 67 % of its network's faults are calls: all calls share one state there.
"""

from collections.abc import Callable, Iterator

from baycarp.game.action import Act
from baycarp.rules.betting import FLOP, LATER, PREFLOP, most_aggressive
from baycarp.rules.reading import PlayerView, Reading

__all__ = ["ODDS", "READINGS", "pot_odds", "priced"]

_PREFLOP_CALLS = ("CallHalf", "Call", "CallRaise", "CallThreeBet")
_CALLS = ("Call", "CallRaise")

ODDS = ("NoCall", "a0_10", "a10_20", "a20_30", "a30_50")
"""The states of a pot-odds node, in percent of the pot after the call; the widths are our choice."""


def _dearer(states: tuple[str, ...], calls: tuple[str, ...]) -> tuple[str, ...]:
    at = states.index("Call")
    return (*states[:at], *calls, *states[at + 1 :])


def priced(view: PlayerView, street: int) -> str | None:
    """Name the most aggressive act of a player on a street, a call by the dearest that it made.

    Before the flop: half a bet (the small blind), a bet, a raise, a three-bet or more; later a bet, or a
    raise or more. What counts is how many bets were made, not how much of them the caller had paid.

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


def _calls(view: PlayerView, street: int) -> Iterator[Act]:
    for act in view.observation.acts:
        if act.seat == view.position and act.street == street and act.action.name == "call":
            yield act


def pot_odds(view: PlayerView, street: int) -> str | None:
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
    if not shares:
        return "NoCall"
    tenths = min(int(10 * max(shares)), 3)
    return ODDS[1 + tenths]


def _of(read: Callable[[PlayerView, int], str | None], street: int) -> Callable[[PlayerView], str | None]:
    return lambda view: read(view, street)


_SOURCE = "Unger (2011), section 8.1.1"

READINGS = (
    Reading("PricedAction", _dearer(PREFLOP, _PREFLOP_CALLS), _of(priced, 0), _SOURCE),
    Reading("PricedActionFlop", _dearer(FLOP, _CALLS), _of(priced, 1), _SOURCE),
    Reading("PricedActionTurn", _dearer(LATER, _CALLS), _of(priced, 2), _SOURCE),
    Reading("PricedActionRiver", _dearer(LATER, _CALLS), _of(priced, 3), _SOURCE),
    Reading("PotOdds", ODDS, _of(pot_odds, 0), _SOURCE),
    Reading("PotOddsFlop", ODDS, _of(pot_odds, 1), _SOURCE),
    Reading("PotOddsTurn", ODDS, _of(pot_odds, 2), _SOURCE),
    Reading("PotOddsRiver", ODDS, _of(pot_odds, 3), _SOURCE),
)
"""They stand where Action, ActionFlop, ActionTurn and ActionRiver stand, or beside them."""

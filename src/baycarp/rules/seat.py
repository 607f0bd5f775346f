"""A player's position, the players still in, and the player's type."""

from functools import cache, partial
from typing import Literal

from baycarp.rules.reading import Interval, PlayerView, Reading

__all__ = ["AGGRESSION", "PFR", "POSITIONS", "READINGS", "VPIP", "interval", "position"]

POSITIONS = ("Blinds", "Early", "Middle", "Late")
"""The states of Position."""

VPIP = ("a0_10", "a10_20", "a20_30", "a30_40", "a40_50", "a50_60", "a60_100")
"""The states of VPIP, in percent. The widths are Unger's; that the last is open from 60 % on is our
choice."""

PFR = ("a0_5", "a5_10", "a10_15", "a15_20", "a20_25", "a25_100")
"""The states of PFR, in percent. The widths are Unger's; that the last is open from 25 % on is our
choice."""


AGGRESSION = ("a0_10", "a10_20", "a20_30", "a30_40", "a40_50", "a50_60", "a60_100")
"""The states of the aggression on a later street, in percent; our choice, as for VPIP."""


def position(position: int, seats: int) -> str:
    """Name a seat by when it acts pre-flop: the blinds apart, the others in thirds, the button always late.

    Heads-up both are blinds.

    Parameters
    ----------
    position
        The position, 0 = small blind, 1 = big blind, ``seats - 1`` = button (heads-up 0 = big blind).
    seats
        2..10.

    Returns
    -------
    str
        One of ``POSITIONS``.

    Source: Unger (2011), section 5.3.2; the thirds are our choice.

    Examples
    --------
    >>> [position(index, 6) for index in range(6)]
    ['Blinds', 'Blinds', 'Early', 'Early', 'Middle', 'Late']
    """
    if position < 2:
        return "Blinds"
    if position == seats - 1:
        return "Late"
    return POSITIONS[1 + (position - 2) * 3 // (seats - 2)]


def interval(share: float, states: tuple[str, ...]) -> str:
    """Name the interval that a share falls in, its lower end included.

    Parameters
    ----------
    share
        0..1.
    states
        ``VPIP``, ``PFR`` or ``AGGRESSION``.

    Examples
    --------
    >>> interval(0.25, VPIP), interval(0.05, PFR)
    ('a20_30', 'a5_10')
    """
    return states[min(int(100 * share / _width(states[0])), len(states) - 1)]


@cache
def _width(first: str) -> int:
    """The width of the intervals, from the name of the first one."""
    return int(first.removeprefix("a0_"))


def _habit(name: Literal["vpip", "pfr"], states: tuple[str, ...], view: PlayerView) -> str | None:
    share: float | None = getattr(view.habits, name, None)
    return None if share is None else interval(share, states)


def _aggression(street: int, view: PlayerView) -> str | None:
    share = view.habits.aggression(street) if view.habits else None
    return None if share is None else interval(share, AGGRESSION)


def _started(view: PlayerView) -> list[int]:
    """The positions in at the start of the street, in the order in which they act on it."""
    state, variant = view.observation.state, view.observation.variant
    street = state.street
    seats = variant.seats
    folded = [act.seat for act in state.acts if act.street == street and act.action.name == "fold"]
    first = variant.first[street]
    return sorted((*state.seats_in, *folded), key=lambda seat: (seat - first) % seats)


def _yet_to_act(view: PlayerView) -> float:
    """The others that still have a decision on this street if the player calls."""
    state = view.observation.state
    street, bets = state.street, state.bets
    done = {act.seat for act in state.acts if act.street == street}
    most = max(bets)
    others = set(state.seats_in) - set(state.all_in) - {view.position}
    return float(sum(seat not in done or bets[seat] < most for seat in others))


def _relative_position(view: PlayerView) -> float | None:
    """0 = first to act on the street, 1 = last, of the players in at its start."""
    order = _started(view)
    return order.index(view.position) / (len(order) - 1) if view.position in order else None


_CASE = "Unger (2011), section 5.4.1; Rubin and Watson 2007, table 1"

READINGS = (
    Reading(
        "Position",
        POSITIONS,
        lambda view: position(view.position, view.observation.variant.seats),
        "Unger (2011), section 5.3.2; the thirds are our choice",
    ),
    Reading("VPIP", VPIP, partial(_habit, "vpip", VPIP), "Unger (2011), section 5.3.2"),
    Reading("PFR", PFR, partial(_habit, "pfr", PFR), "Unger (2011), section 5.3.2"),
    *(
        Reading(f"Aggression{street}", AGGRESSION, partial(_aggression, number), "Unger (2011), section 9.1")
        for number, street in enumerate(("Flop", "Turn", "River"), start=1)
    ),
    Reading("number_of_players", Interval(2, 10, "players"), lambda view: float(len(_started(view))), _CASE),
    Reading(
        "players_in_hand",
        Interval(0, 9, "opponents"),
        lambda view: float(len(set(view.observation.state.seats_in) - {view.position})),
        _CASE,
    ),
    Reading("players_yet_to_act", Interval(0, 9, "opponents"), _yet_to_act, _CASE),
    Reading("relative_position", Interval(0, 1, "share of the order"), _relative_position, _CASE),
)

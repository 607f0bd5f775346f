"""The actions of a player on a street, named by their context (Unger 2011, sections 2.3.7, 5.3.2)."""

from collections.abc import Mapping, Sequence

from baycarp.game import Act, Observation, State, Variant

__all__ = ["AGGRESSION", "FLOP", "LATER", "PREFLOP", "act_name", "aggressor", "most_aggressive"]

AGGRESSION = {
    "Fold": 0,
    "Check": 1,
    "Call": 2,
    "Bet": 3,
    "ContinuationBet": 3,
    "DonkBet": 3,
    "Raise": 4,
    "CheckRaise": 5,
    "ThreeBet": 6,
    "Cap": 7,
}
"""The order of the named acts by aggression. It is our choice; no player makes two of the three
bets on one street."""

PREFLOP = ("Check", "Call", "Raise", "ThreeBet", "Cap")
"""The states of Action. Pre-flop the big blind is the first bet, so that there is no other."""

FLOP = ("Check", "Call", "Bet", "ContinuationBet", "DonkBet", "Raise", "CheckRaise", "ThreeBet", "Cap")
"""The states of ActionFlop."""

LATER = tuple(state for state in FLOP if state != "ContinuationBet")
"""The states of ActionTurn and ActionRiver."""

_PASSIVE = {"fold": "Fold", "check": "Check", "call": "Call"}

_ENDLESS_CAP = 4
"""The bet that counts as the cap where the rules set none (no-limit): our choice."""


def act_name(observation: Observation, index: int) -> str:
    """Name one act of a hand as players do.

    A raise is the second bet of its street, counting the big blind; a check-raise that of a player that has
    checked on the street; a three-bet the third bet, or a later one that does not end the raising; a cap the
    raise that does. A continuation bet opens the flop and comes from the last to raise pre-flop; a donk bet
    opens a street while the last to bet or raise on the street before has yet to act.

    Parameters
    ----------
    observation
        The hand.
    index
        Which of ``observation.acts``.

    Returns
    -------
    str
        One of ``AGGRESSION``; Fold is named for cases and is no state of a network's node.

    Source: Unger (2011), section 2.3.7.
    """
    act = observation.acts[index]
    if act.action.name in _PASSIVE:
        return _PASSIVE[act.action.name]
    return _bet_name(observation, index) if act.street and not act.bets else _raise_name(observation, index)


def _bet_name(observation: Observation, index: int) -> str:
    act = observation.acts[index]
    last = aggressor(observation, act.street - 1)
    if last == act.seat:
        return "ContinuationBet" if act.street == 1 else "Bet"
    if last is None or _did(observation.acts[:index], last, act.street):
        return "Bet"
    # An all-in player that acts no more was all-in before the street: it has no action here.
    idle = last in observation.state.all_in and all(later.seat != last for later in observation.acts[index:])
    return "Bet" if idle else "DonkBet"


def _raise_name(observation: Observation, index: int) -> str:
    act = observation.acts[index]
    bet = act.bets + 1
    raises = observation.variant.max_raises[act.street]
    cap = _ENDLESS_CAP if raises is None else raises + (act.street == 0)
    if bet >= cap:
        return "Cap"
    if bet >= 3:
        return "ThreeBet"
    checked = act.street and "check" in _did(observation.acts[:index], act.seat, act.street)
    return "CheckRaise" if checked else "Raise"


def _did(acts: Sequence[Act], position: int, street: int) -> list[str]:
    """The actions of a player on a street, by name."""
    return [act.action.name for act in acts if act.seat == position and act.street == street]


def aggressor(observation: Observation, street: int) -> int | None:
    """The position of the last to bet or raise on a street; None = none did."""
    raisers = (
        act.seat
        for act in reversed(observation.acts)
        if act.street == street and act.action.name in ("bet", "raise")
    )
    return next(raisers, None)


def most_aggressive(observation: Observation, position: int, street: int) -> str | None:
    """Name the most aggressive act of a player on a street; folding, which ends its hand, is none.

    Parameters
    ----------
    observation
        The hand so far.
    position
        The player's position.
    street
        0 pre-flop, 1 flop, 2 turn, 3 river.

    Returns
    -------
    str or None
        One of ``PREFLOP``, ``FLOP`` or ``LATER``; None without an action there.

    Source: Unger (2011), section 5.3.2.
    """
    return _boldest(observation).get((position, street))


class _LatestNames:
    """The acts that were read last, and in which state: all players are described from the same acts."""

    read: tuple[tuple[Act, ...], State | None, Mapping[tuple[int, int], str]] = ((), None, {})


def _boldest(observation: Observation) -> Mapping[tuple[int, int], str]:
    """The name of the most aggressive act, other than a fold, by position and street."""
    state, acts = observation.state, observation.state.acts
    read, under, known = _LatestNames.read
    if read is acts and under is not None and (under is state or _rules(under) == _rules(state)):
        return known
    names: dict[tuple[int, int], str] = {}
    for index, act in enumerate(acts):
        if act.action.name == "fold":
            continue
        name = act_name(observation, index)
        place = (act.seat, act.street)
        if place not in names or AGGRESSION[name] > AGGRESSION[names[place]]:
            names[place] = name
    _LatestNames.read = acts, state, names  # replaced as a whole, for other threads
    return names


def _rules(state: State) -> tuple[Variant, tuple[int, ...]]:
    """What else the name of an act depends on."""
    return state.variant, state.all_in

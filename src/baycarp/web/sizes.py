"""The sizes of a bet that the page offers: by name, and as the steps of a slider."""

from collections.abc import Mapping
from typing import Any

from baycarp.game import Action, Observation

__all__ = ["sizes"]

POT_SHARES = {"1/3 pot": 1 / 3, "1/2 pot": 1 / 2, "2/3 pot": 2 / 3, "pot": 1.0}
"""By name, as parts of the pot after a call."""

BIG_BLINDS = {"2.5 bb": 2.5, "3 bb": 3.0, "4 bb": 4.0}
"""Before the flop: totals in big blinds, by name."""

POT_STEPS = (1 / 4, 1 / 3, 2 / 5, 1 / 2, 3 / 5, 2 / 3, 3 / 4, 9 / 10, 1.0, 5 / 4, 3 / 2, 2.0, 5 / 2, 3.0)
"""Steps of the slider as parts of the pot after a call; beyond them each is a half greater than the last."""

BLIND_STEPS = (2.0, 2.25, 2.5, 2.75, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0)
"""Steps of the slider before the flop, in big blinds."""

GROWTH = 1.5


def sizes(observation: Observation, stay: Action, bets: list[Action]) -> Mapping[str, Any]:
    """The sizes of the player to act; every amount is the total on the street after the bet.

    Parameters
    ----------
    observation
        Of the player to act.
    stay
        Its check or call.
    bets
        Its least and greatest bet; one alone, where there is no choice.

    Returns
    -------
    dict
        ``kind`` bet or raise; ``least``, ``most``; ``allIn``, whether the greatest is the whole stack;
        ``level``, ``pot``, the bet to match and the pot after a call, so that a bet of x is (x - level) / pot
        of the pot; ``sizes`` by name, ``steps`` rising; both empty where there is no choice.
    """
    state = observation.state
    assert state.to_act is not None
    least, most = bets[0].amount, bets[-1].amount
    own, stack = state.bets[state.to_act], state.stacks[state.to_act]
    level, pot, big = own + stay.amount, state.pot + stay.amount, observation.variant.big_blind
    named = {name: level + part * pot for name, part in POT_SHARES.items()}
    totals = [level + part * pot for part in POT_STEPS]
    if observation.street == 0:
        named = {name: count * big for name, count in BIG_BLINDS.items()} | {"pot": level + pot}
        totals = [count * big for count in BLIND_STEPS if count * big < 3 * level] + [3 * level]
    usual = {name: round(total) for name, total in named.items() if least <= round(total) < most}
    usual.setdefault("pot", min(most, max(least, level + pot)))
    highest = {"all-in" if most == own + stack else "most": most}
    choice = most > least
    return {
        "kind": bets[0].name,
        "least": least,
        "most": most,
        "allIn": most == own + stack,
        "level": level,
        "pot": pot,
        "sizes": {"least": least, **usual, **highest} if choice else {},
        "steps": _steps(least, most, totals) if choice else [],
    }


def _steps(least: int, most: int, totals: list[float]) -> list[int]:
    """The totals between the least and the greatest bet, continued by growing steps to the greatest."""
    reached = max(least, totals[-1])
    while (reached := reached * GROWTH) < most:
        totals = [*totals, reached]
    return sorted({least, most, *(size for total in totals if least < (size := round(total)) < most)})

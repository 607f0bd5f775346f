"""The betting tree of heads-up limit as tables for the walk of a flop: chips, and the opponent's policies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.agents.cases.classes import checked_policies
from baycarp.errors import TableError
from baycarp.game import State, Variant
from baycarp.kernels.response import ANSWERS, ENDS, LANES, zeros

__all__ = ["Seat", "StreetPolicies", "verify_game"]

AFTER_CHECK = 5
"""The number of the decision after a check: see ``csrc/include/baycarp/response.h``."""

Starts = list[list[State | None]]
"""The states at the start of a street, by group and lane."""


@dataclass(frozen=True, slots=True)
class StreetPolicies:
    """The betting of a street, as ``kernels.response.Street`` takes it."""

    policy: NDArray[np.float64]
    paid: NDArray[np.float64]
    bet: float
    bets: int


def verify_game(variant: Variant) -> None:
    """Raise the reason if best responses of a game are not computed.

    Raises
    ------
    TableError
        The game is not heads-up fixed limit with one to four bets a street and seven sequences before the
        flop at most.
    """
    fits = (
        variant.seats == 2
        and variant.betting == "limit"
        and variant.stacks is None
        and not any(variant.antes)
    )
    caps = variant.max_raises
    if not fits or not all(most is not None and 1 <= most <= 4 for most in caps[1:]):
        raise TableError(
            f"game {variant.name!r}: expected heads-up fixed limit with one to four bets a street"
        )
    if caps[0] is None or caps[0] > 3:
        raise TableError(f"game {variant.name!r}: expected at most three raises before the flop")


@dataclass(frozen=True, slots=True)
class Seat:
    """The tables of a responder's position: its opponent's policies on the flop, the turn and the river.

    Parameters
    ----------
    position
        The responder's: 0 acts first after the flop, 1 is the button.
    streets
        The betting of flop, turn and river: 1, 9 and 81 groups. A lane is a sequence before the flop.
    """

    position: int
    streets: tuple[StreetPolicies, StreetPolicies, StreetPolicies]

    @staticmethod
    def of(player: ClassPolicies, position: int, starts: Sequence[State]) -> "Seat":
        """The tables of a player as the opponent of this position.

        Parameters
        ----------
        player
            The opponent.
        position
            The responder's.
        starts
            The states in which the flop is dealt, at most eight.
        """
        groups: Starts = [[*starts, *[None] * (LANES - len(starts))]]
        streets = []
        for _ in range(3):
            betting, groups = _street(player, position, groups)
            streets.append(betting)
        flop, turn, river = streets
        return Seat(position, (flop, turn, river))


def _street(player: ClassPolicies, position: int, starts: Starts) -> tuple[StreetPolicies, Starts]:
    ends: Starts = [[None] * LANES for _ in range(len(starts) * ENDS)]
    paid = np.zeros((len(starts), LANES))
    answers: dict[tuple[int, int, int], NDArray[np.float64]] = {}
    some = next(state for states in starts for state in states if state is not None)
    for group, states in enumerate(starts):
        for lane, state in enumerate(states):
            if state is None:
                continue
            paid[group, lane] = state.pot / 2
            for number, decision in _decisions(state):
                if decision.to_act != position:
                    policies = checked_policies(player.class_policies(decision), decision)
                    answers[group, number // 2, lane] = policies
                _end(decision, number, state.street, ends, group, lane)
    cells = max(len(policies) for policies in answers.values())
    policy = zeros(len(starts), ANSWERS, cells, 3)
    for (group, number, lane), policies in answers.items():
        policy[group, number, : len(policies), :, lane] = policies
    street, variant = some.street, some.variant
    return StreetPolicies(
        policy, paid, float(variant.raise_sizes[street]), int(variant.max_raises[street] or 0)
    ), ends


def _decisions(start: State) -> list[tuple[int, State]]:
    found, waiting = [], [(0, start)]
    while waiting:
        number, state = waiting.pop()
        found.append((number, state))
        for action in state.legal_actions():
            after = state.copy()
            after.apply(action)
            if not after.is_over and after.street == start.street:
                waiting.append((AFTER_CHECK if action.name == "check" else number + 1, after))
    return found


def _end(decision: State, number: int, street: int, ends: Starts, group: int, lane: int) -> None:
    """Record the start of the next street, if a check or call leads there."""
    after = decision.copy()
    after.apply(decision.named("call" if decision.owed else "check"))
    if number and not after.is_over and after.street > street:
        ends[group * ENDS + number - 1][lane] = after

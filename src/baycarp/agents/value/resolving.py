"""The turn and the river heads-up by re-solving: the ranges there, what is promised, what is followed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.resolve.promises import Promises, promises
from baycarp.agents.resolve.solve import FollowedModel, Resolved, TurnSolve, solve
from baycarp.agents.resolve.subgame import Subgame, street_start
from baycarp.agents.value.blueprint import FollowedBlueprint
from baycarp.agents.value.readings import TableReading
from baycarp.agents.value.stages import ActionValue
from baycarp.card import blocked_by, holding_index
from baycarp.errors import VariantError
from baycarp.game import Action, Observation
from baycarp.game.state import State
from baycarp.opponents.model import opponents_of

__all__ = ["action_values", "can_be_resolved", "resolved", "turn_solve"]

Array = NDArray[np.float64]

UNSOLVED = 0.02
"""The least error of a value, as a share of the pot at the root: one holding is farther off than the mean."""

SELDOM = 1e-6
"""The least share of the opponent's range that is held to come to a decision."""


def can_be_resolved(observation: Observation) -> bool:
    """Whether a hand is on the turn or the river, with two players and chips to bet."""
    if observation.street < 2:
        return False
    try:
        Subgame.of(observation.state)
    except VariantError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Posed:
    """The rest of a hand as it is solved: own and other range at the start of the street, the model."""

    subgame: Subgame
    player: int
    ranges: tuple[Array, Array]
    follow: FollowedModel | None


def resolved(
    observation: Observation,
    blueprint: FollowedBlueprint,
    reading: TableReading,
    trust: float,
    iterations: int,
    turn: Resolved | None = None,
) -> Resolved:
    """Solve the rest of a hand.

    Parameters
    ----------
    observation
        For which ``can_be_resolved``.
    blueprint
        Played up to the start of the street, where no other policy was recorded.
    reading
        The model of the opponent, that it follows with the probability ``trust``.
    iterations
        Of the solve.
    turn
        On the river, the re-solve of the turn of this hand: what is promised is what it left.
    """
    posed = _posed(observation, blueprint, reading, trust)
    promised = turn.promises(posed.subgame) if turn is not None else _promised(posed, blueprint)
    return solve(
        posed.subgame,
        posed.player,
        posed.ranges,
        promised=promised,
        follow=posed.follow,
        iterations=iterations,
    )


def turn_solve(
    observation: Observation, blueprint: FollowedBlueprint, reading: TableReading, trust: float
) -> TurnSolve:
    """The same on the turn under a time limit, before its first round."""
    posed = _posed(observation, blueprint, reading, trust)
    promised = _promised(posed, blueprint)
    return TurnSolve(posed.subgame, posed.player, posed.ranges, promised=promised, follow=posed.follow)


def _posed(
    observation: Observation, blueprint: FollowedBlueprint, reading: TableReading, trust: float
) -> _Posed:
    seat, start = observation.seat, street_start(observation.state)
    assert seat is not None
    opponent = next(each for each in start.seats_in if each != seat)
    free = np.where(blocked_by(start.board), 0.0, 1.0)
    own = blueprint.reach(observation, start, seat) * free
    other = _share(blueprint.reach(observation, start, opponent) * free)
    follow = None
    if trust:
        name = opponents_of(observation)[opponent]
        believed = reading.likelihood(observation, (opponent, name), observation.street)
        other = (1 - trust) * other + trust * _share(believed * free)

        def shares(state: State, actions: Sequence[Action]) -> Array:
            return reading.shares(observation, state, actions, name)

        follow = FollowedModel(shares, trust)
    subgame = Subgame.of(observation.state)
    return _Posed(subgame, subgame.seats.index(seat), (own, other), follow)


def _promised(posed: _Posed, blueprint: FollowedBlueprint) -> Promises | None:
    """What the blueprint leaves the opponent; None = the betting is not that of the solved game."""
    if not blueprint.tables.is_solved(posed.subgame.start):
        return None
    return promises(posed.subgame, blueprint.tables, posed.player, posed.ranges[0])


def action_values(found: Resolved, observation: Observation) -> tuple[ActionValue, ...]:
    """What each action is worth for the own holding; the error is what the solve may be off for it.

    The solve is off by its gap over all decisions. Where the opponent seldom comes, it may be off by much:
    the values are those against the few holdings that come there in the solved game, and a fold of all others
    would invite more of them.
    """
    values = np.nan_to_num(found.values[:, holding_index(*observation.hole)])
    pot = found.subgame.start.pot
    most = pot + float(np.abs(values).max())
    error = min(max(found.gap, UNSOLVED) * pot / max(found.reached, SELDOM), most)
    return tuple(
        ActionValue(action, 0.0) if action.name == "fold" else ActionValue(action, float(chips), error)
        for action, chips in zip(found.actions, values, strict=True)
    )


def _share(weights: Array) -> Array:
    return np.asarray(weights / weights.sum())

"""Re-solves at the table, all in: promises by the blueprint, the solve, the policy of all holdings."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from baycarp.agents.resolve.blueprint import Blueprint, LimitTables, NoLimitTables
from baycarp.agents.resolve.promises import promises
from baycarp.agents.resolve.solve import FollowedModel, resolve
from baycarp.agents.resolve.subgame import Subgame
from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL
from baycarp.game import Observation
from baycarp.game.notation.observe import observe
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.styles import load_styles
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_most

__all__ = ["resolve_goals"]

LIMIT, NO_LIMIT = "holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.100bb"
RIVER, TURN = "MATCHSTATE:1:0:{}c/{}c/cc/c:|AhKd/Qs7d2c/3h/6d", "MATCHSTATE:1:0:{}c/{}c/c:|AhKd/Qs7d2c/3h"

MOST = {(LIMIT, "river"): 20.0, (LIMIT, "turn"): 400.0}
"""Milliseconds, at most."""


def resolve_goals() -> Iterator[Goal]:
    """A row a game and street; all holdings are possible for both players."""
    blueprints: dict[str, Blueprint] = {
        LIMIT: LimitTables(Equilibrium()),
        NO_LIMIT: NoLimitTables(EquilibriumNL()),
    }
    for game, tables in blueprints.items():
        bets = ("r", "cr") if game == LIMIT else ("r250", "cr500")
        for street, line in (("river", RIVER), ("turn", TURN)):
            observation = observe(line.format(*bets), game=game)
            (took,) = medians(partial(_all_in, observation, tables), rounds=5)
            name, most = f"re-solve: {game}, {street}", MOST.get((game, street))
            yield Goal(name, 1000 * took, "ms") if most is None else at_most(name, most, 1000 * took, "ms")
    follow = FollowedModel(PlayerModels(load_styles()).shares, 0.5)
    observation = observe(RIVER.format("r", "cr"), game=LIMIT)
    (took,) = medians(partial(_all_in, observation, blueprints[LIMIT], follow), rounds=5)
    yield Goal(f"re-solve: {LIMIT}, river, half trust in a model", 1000 * took, "ms")


def _all_in(observation: Observation, tables: Blueprint, follow: FollowedModel | None = None) -> None:
    every = np.ones(1326)
    assert observation.seat is not None
    subgame = Subgame.of(observation.state)
    promised = promises(subgame, tables, subgame.seats.index(observation.seat), every)
    _ = resolve(observation, every, every, promised=promised, follow=follow).policy

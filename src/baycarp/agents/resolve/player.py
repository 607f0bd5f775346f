"""``equilibrium(resolve=True)``, ``equilibriumnl(resolve=True)``: re-solved from the turn on."""

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Agent, Decision, Plays, Seeded
from baycarp.agents.policy import by_action
from baycarp.agents.resolve.blueprint import Blueprint, LimitTables, NoLimitTables
from baycarp.agents.resolve.carry import ResolvedHands
from baycarp.agents.resolve.stages import ResolveStage
from baycarp.agents.sampling import draw, generator
from baycarp.agents.solved.equilibrium import Equilibrium, EquilibriumNL, SolvedPlayer
from baycarp.budget import Budget
from baycarp.card import holding_index
from baycarp.errors import ModelError, brief
from baycarp.game import Observation, State, Variant
from baycarp.game.action import STREETS
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = ["ResolvedPlayer", "equilibrium", "equilibriumnl"]

NEEDED = {2: 8.0, 3: 0.2}
"""Seconds that a re-solve may take, of the turn one with a wide gap; with less left the blueprint decides."""


class ResolvedPlayer(Seeded):
    """Plays a solved strategy before the turn, and re-solves it from there on.

    The work is counted: the same hand has the same policy. With less time than a re-solve may take, the
    solved strategy decides.

    Parameters
    ----------
    blueprint
        Plays the solved strategy.
    tables
        The strategy as the re-solve reads it.
    root
        The first street that is re-solved: ``"turn"`` or ``"river"``.

    Raises
    ------
    ModelError
        Another street.
    """

    def __init__(self, blueprint: SolvedPlayer, tables: Blueprint, root: str = "turn") -> None:
        if root not in STREETS[2:]:
            raise ModelError(f"root {brief(root)}: expected turn or river")
        self.blueprint = blueprint
        self.plays: Plays = blueprint.plays
        self.hands = ResolvedHands(tables, root=STREETS.index(root))

    @property
    def loaded_from(self) -> list[str]:
        """The digest of the blueprint's file."""
        return self.blueprint.loaded_from

    @property
    def size(self) -> str:
        """The size of the blueprint."""
        return self.blueprint.size

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take the seed; refuse a game that was not solved (``TableError``)."""
        super().sit(seat, variant, seed)
        self.blueprint.sit(seat, variant, seed)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action with the probabilities of the re-solve; see ``Agent.decide``."""
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        self.plays.verify_turn(observation)
        assert observation.seat is not None
        in_time = recorder.meter.left() >= NEEDED.get(observation.street, 0.0)
        solved = self.hands.at(observation.state, observation.seat) if in_time else None
        if solved is None:
            return self.blueprint.decide(observation, time_limit, budget)
        chances = solved.policy[:, holding_index(*observation.hole)].tolist()
        policy = by_action(
            dict(zip(map(str, solved.actions), chances, strict=True)),
            {str(each): each for each in solved.actions},
        )
        action = draw(policy, generator(self._seed, observation).random())
        root = STREETS[observation.street]
        recorder.add(
            ResolveStage(root, solved.safe, solved.engine.iterations, solved.gap, seconds=recorder.lap())
        )
        reason = f"re-solved from the {root} on, {'safe' if solved.safe else 'unsafe'}"
        return recorder.decision(Answer(action, policy, reason))

    def policies(self, state: State) -> NDArray[np.float64]:
        """The policies of all holdings at fixed limit, as in ``agents.base.ClassPolicies``."""
        found, actions = np.zeros((1326, 3)), state.legal_actions()
        shares = self.hands.shares(state, actions)
        found[:, [FOLD_CALL_RAISE[action.name] for action in actions]] = shares.T
        return found


def equilibrium(
    strategy: str = "", threshold: float = 0.0, resolve: bool = False, root: str = "turn"
) -> Agent:
    """A solved strategy of fixed limit.

    Parameters
    ----------
    strategy
        A file of ``baycarp solve``; none named, the shipped one.
    threshold
        Probabilities below it, 0..1, count as 0, and the others in proportion.
    resolve
        Whether the rest of a hand is solved anew at the table.
    root
        The first street of which: ``"turn"``, within seconds, or ``"river"``, within 20 to 60 ms.
    """
    blueprint = Equilibrium(strategy, threshold)
    return ResolvedPlayer(blueprint, LimitTables(blueprint), root) if resolve else blueprint


def equilibriumnl(
    strategy: str = "",
    threshold: float = 0.0,
    jitter: float = 0.0,
    resolve: bool = False,
    root: str = "turn",
) -> Agent:
    """Solved no-limit strategies, with any stacks.

    Parameters
    ----------
    strategy
        A file of ``baycarp solve``; none named, the shipped ones.
    threshold
        Probabilities below it, 0..1, count as 0, and the others in proportion.
    jitter
        The greatest change of a bet before the turn, as a share of it, 0 to below 1.
    resolve
        Whether the rest of a hand is solved anew at the table.
    root
        The first street of which: ``"turn"``, within seconds, or ``"river"``, within 20 to 60 ms.
    """
    blueprint = EquilibriumNL(strategy, threshold, jitter)
    if not resolve:
        return blueprint
    return ResolvedPlayer(blueprint, NoLimitTables(EquilibriumNL(strategy, threshold)), root)

"""The protocol of an agent, and the decision that it returns."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.cases.stages import (
    BeliefStage,
    OpponentBelief,
    RetrievalStage,
    RetrievedCase,
    ReuseStage,
)
from baycarp.agents.policy import by_kind, policy_text
from baycarp.agents.report import as_html, as_text
from baycarp.agents.trace import VERSION, Stage, stage_of, trace_record
from baycarp.budget import Budget
from baycarp.errors import IllegalAction, brief
from baycarp.files import plain_text
from baycarp.game import Action, Event, Observation, State, Variant
from baycarp.game.plays import Plays
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.opponents.belief import Belief

__all__ = [
    "Agent",
    "Believer",
    "ClassPolicies",
    "Decision",
    "Plays",
    "Seeded",
    "Stage",
    "Stateless",
    "Supposing",
    "as_decision",
]


@dataclass(frozen=True, slots=True)
class Decision:
    """An action with its reasons and its record.

    Parameters
    ----------
    action
        A legal action.
    policy
        Probability by action, each size of a bet separately; sums to 1. An action that is not in it has
        probability 0.
    elapsed
        Its duration in seconds.
    exact
        Whether every stage was done and none was sampled.
    trace
        The stages, in order: the agent's own record, from which every explanation is drawn.
    reason
        Why, in one sentence.
    """

    action: Action
    policy: Mapping[Action, float]
    elapsed: float = 0.0
    exact: bool = True
    trace: tuple[Stage, ...] = field(default=(), repr=False)
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.action}: {self.reason}" if self.reason else str(self.action)

    def policy_by_kind(self) -> dict[str, float]:
        """The policy with all sizes of a bet or raise together: ``{"fold": 0.25, "raise": 0.75}``."""
        return by_kind(self.policy)

    @property
    def beliefs(self) -> Sequence[OpponentBelief]:
        """The belief about each opponent still in; empty for an agent that describes its cases by none."""
        stage = stage_of(self.trace, BeliefStage)
        return stage.opponents if stage else ()

    @property
    def retrieved(self) -> Sequence[RetrievedCase]:
        """The nearest of the retrieved cases, at most five; empty for an agent without cases."""
        stage = stage_of(self.trace, RetrievalStage)
        return stage.nearest if stage else ()

    @property
    def votes(self) -> dict[str, int]:
        """The number of retrieved cases by solution, of all memories together."""
        stage = stage_of(self.trace, ReuseStage)
        return dict(sum((Counter(memory.votes) for memory in stage.memories), Counter())) if stage else {}

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values.

        ``policy`` is by the text of the action, ``{"fold": 0.25, "raise 20": 0.75}``:
        ``agents.policy.policy_from_text`` reads them. Amounts are those of ``Action``.
        ``trace`` is described by ``agents.trace_json.json_schema``.
        """
        return {
            "action": self.action.name,
            "amount": self.action.amount,
            "policy": policy_text(self.policy),
            "elapsed": self.elapsed,
            "exact": self.exact,
            "reason": self.reason,
            "version": VERSION,
            "trace": trace_record(self.trace),
        }

    def explain(self) -> str:
        """Why, in full, from the trace alone."""
        return as_text(self.to_dict())

    def _repr_html_(self) -> str:
        return plain_text(as_html(self.to_dict()))


def as_decision(found: object, player: str) -> Decision:
    """What an agent returned, which may be of another package, as the decision that it has to be.

    Raises
    ------
    IllegalAction
        It is none; the player is named.

    Examples
    --------
    >>> as_decision("fold", "Ann")
    Traceback (most recent call last):
    baycarp.errors.IllegalAction: Ann returned 'fold': expected Decision(action, {action: 1.0}) \
of one of observation.legal_actions()
    """
    if isinstance(found, Decision) and isinstance(found.action, Action):
        return found
    raise IllegalAction(
        f"{player} returned {brief(found, 80)}: expected Decision(action, {{action: 1.0}}) "
        "of one of observation.legal_actions()"
    )


class Agent(Protocol):
    """A player. Seeds are arguments; nothing is drawn from a global generator."""

    plays: Plays

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat at the table for a session: statistics start afresh.

        A recorded session may change its game, as when a player leaves: an observation carries the game of
        its hand, and that one is decided.
        """

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose a legal action; ``time_limit`` (seconds) is short for ``Budget(time=...)``."""
        ...

    def learn(self, event: Event) -> None:
        """Observe the others' actions, the cards shown, and the end of the hand."""


@runtime_checkable
class Believer(Protocol):
    """An agent that holds beliefs about its opponents."""

    def beliefs(self, observation: Observation) -> Mapping[int, Belief]:
        """The belief about each opponent still in, by position; empty where it needs none."""
        ...


@runtime_checkable
class Supposing(Protocol):
    """An agent whose belief about the holdings of its opponents can be replaced."""

    def suppose(self, ranges: Mapping[int, NDArray[np.float64]]) -> None:
        """Replace the belief.

        Parameters
        ----------
        ranges
            By position, until the agent sits down again: weights, float64, shape (1326,), of which some are
            compatible with every card that is known.
        """
        ...


class Stateless:
    """The base of agents that keep nothing from hand to hand and draw no numbers."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat; see ``Agent.sit``."""

    def learn(self, event: Event) -> None:
        """Nothing is learned."""


class Seeded(Stateless):
    """The base of agents that keep nothing from hand to hand but the seed of their draws."""

    _seed = 0

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take the seed; see ``Agent.sit``."""
        self._seed = whole(seed, "seed", 0, MOST_SEED)


class ClassPolicies(Protocol):
    """A player that answers as a table: betting sequence by class of holding.

    Its policy depends on the public state and on its own cards alone, and its classes do not depend on the
    names of suits.
    """

    def hand_classes(self, state: State) -> NDArray[np.uint16]:
        """The class of each holding; uint16, shape (1326,). It depends on the game and the board alone."""
        ...

    def class_policies(self, state: State) -> NDArray[np.float64]:
        """The policies by class, shape (classes, 3), as in ``policies``; they do not depend on the board."""
        ...

    def policies(self, state: State) -> NDArray[np.float64]:
        """The policies of all holdings of the player to act.

        Parameters
        ----------
        state
            Without hole cards; the board of its street is known.

        Returns
        -------
        float64 array, shape (1326, 3)
            The probabilities of (fold, check or call, bet or raise) by holding index: each row sums to 1, and
            an action that is not legal has 0. Rows of holdings that the board blocks have no meaning.
        """
        return self.class_policies(state)[self.hand_classes(state)]

"""The stages of a decision by cases: beliefs, the situation, the retrieved cases, and their reuse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.computed import Computed
from baycarp.agents.trace import UNRECORDED, Stage
from baycarp.cases import Distribution
from baycarp.errors import ArgumentError
from baycarp.game.action import Action
from baycarp.opponents.belief import Belief
from baycarp.ranges import Range

__all__ = ["BeliefStage", "CaseStage", "OpponentBelief", "RetrievalStage", "RetrievedCase", "ReuseStage"]


@dataclass(frozen=True, slots=True)
class OpponentBelief:
    """The belief about one opponent.

    Parameters
    ----------
    position, player
        Position in the hand, and name.
    evidence
        The observations of the player: node, or action, by its state.
    groups, types
        The likeliest hand groups (four) and hand types (three), with their probabilities, 0..1.
    holdings
        Number of holdings in the range, 0..1326.
    weights
        Of the holdings, float64, shape (1326,); in no JSON, and None in a trace that was read from it.
    """

    position: int
    player: str
    evidence: Mapping[str, str]
    groups: Mapping[str, float]
    types: Mapping[str, float]
    holdings: int
    weights: NDArray[np.float64] | None = field(default=None, repr=False, compare=False, metadata=UNRECORDED)

    @property
    def range(self) -> Range:
        """The believed range: its weights, its ``classes()`` as a grid, its ``draw()``.

        Raises
        ------
        ArgumentError
            The trace was read from JSON, which has no weights.
        """
        if self.weights is None:
            raise ArgumentError(f"the range of {self.player}: expected a decision, not its JSON")
        return Range(self.weights)

    @classmethod
    def of(cls, belief: Belief) -> "OpponentBelief":
        """The summary of a belief."""
        return cls(
            belief.position,
            belief.player,
            belief.evidence,
            groups=_likeliest(belief.groups, 4),
            types=_likeliest(belief.types, 3),
            holdings=int(np.count_nonzero(belief.weights)),
            weights=belief.weights,
        )


def _likeliest(chances: Mapping[str, float], count: int) -> dict[str, float]:
    return dict(sorted(chances.items(), key=lambda item: -item[1])[:count])


@dataclass(frozen=True, slots=True)
class BeliefStage(Stage, name="beliefs"):
    """The beliefs about every opponent still in."""

    opponents: Sequence[OpponentBelief] = ()

    @classmethod
    def of(cls, beliefs: Mapping[int, Belief], seconds: float) -> "BeliefStage":
        """The stage of the beliefs by position."""
        return cls(Computed(partial(_summaries, beliefs)), seconds=seconds)


def _summaries(beliefs: Mapping[int, Belief]) -> list[OpponentBelief]:
    return [OpponentBelief.of(belief) for belief in beliefs.values()]


@dataclass(frozen=True, slots=True)
class CaseStage(Stage, name="case"):
    """The situation, by feature: a number, a symbol, or the probability of the likeliest states."""

    base: str
    values: Mapping[str, float | str | Mapping[str, float]]

    @classmethod
    def of(cls, base: str, values: Mapping[str, Any], seconds: float) -> "CaseStage":
        """The stage of a situation; most values are floats."""
        shown = {name: value if type(value) is float else _short(value) for name, value in values.items()}
        return cls(base, shown, seconds=seconds)


def _short(value: Any) -> float | str | Mapping[str, float]:
    """The likeliest states of a prediction; of the keys of a symbol the finest."""
    if isinstance(value, tuple):
        return str(value[0])
    return dict(list(value.items())[:3]) if isinstance(value, Mapping) else value


@dataclass(frozen=True, slots=True)
class RetrievedCase:
    """One of the retrieved cases.

    Parameters
    ----------
    case
        Its number in the case-base.
    similarity
        0..1.
    solution, outcome
        The solution, and its outcome.
    columns
        Local similarity by column, 0..1; empty where the case is cited alone.
    """

    case: int
    similarity: float
    solution: str
    outcome: float
    columns: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RetrievalStage(Stage, name="retrieval"):
    """How many cases were retrieved, of how many stored; how many were compared; the five nearest."""

    cases: int
    stored: int
    compared: int
    fell_back: bool
    nearest: Sequence[RetrievedCase] = ()


@dataclass(frozen=True, slots=True)
class ReuseStage(Stage, name="reuse"):
    """From the retrieved cases to an action: everything that the policy weighs.

    Parameters
    ----------
    policy
        Its ``repr``.
    legal
        By legal solution, its action.
    memories
        The sums of each memory that was queried, the player's own first; under run-time selection of the
        one that was selected.
    explore
        The probability with which any legal action is taken, 0..1.
    draw
        The uniform number that a mixed strategy was drawn with; None = nothing was drawn.
    cited
        The cases that had most influence on the action.
    together
        How the memories were combined: one of ``cases.COMBINATIONS``.
    """

    policy: str
    legal: Mapping[str, Action]
    memories: tuple[Distribution, ...]
    explore: float = 0.0
    draw: float | None = None
    cited: Sequence[RetrievedCase] = ()
    together: str = "mean"

"""What an agent is: four members, and the decision that it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from baycarp.agents.explain import as_html, as_text
from baycarp.agents.policy import by_kind, policy_text
from baycarp.budget import Budget
from baycarp.card import text
from baycarp.errors import CardError, IllegalAction, TableError
from baycarp.game.action import Action
from baycarp.game.event import Event
from baycarp.game.observation import SHOWN, Observation
from baycarp.game.variant import Variant

__all__ = ["Agent", "Decision", "Plays", "Stage"]


@dataclass(frozen=True, slots=True)
class Plays:
    """What an agent can play: kinds of betting ("limit", "no-limit") and a number of seats."""

    betting: frozenset[str]
    fewest: int = 2
    most: int = 10

    def __str__(self) -> str:
        return f"{' and '.join(sorted(self.betting))}, {self.fewest} to {self.most} seats"

    def fits(self, variant: Variant) -> bool:
        """Whether the agent can sit in this game."""
        return variant.betting in self.betting and self.fewest <= variant.seats <= self.most

    def verify(self, variant: Variant) -> None:
        """Raise the reason if the agent cannot sit in this game.

        Raises
        ------
        TableError
            It names the game and what the agent plays.
        """
        if not self.fits(variant):
            raise TableError(f"{variant.name} ({variant.betting}, {variant.seats} seats): expected {self}")

    def verify_turn(self, seen: Observation) -> None:
        """Raise the reason if there is nothing for the agent to decide.

        Raises
        ------
        TableError
            A game that it does not play.
        IllegalAction
            It is not the seat's turn.
        CardError
            The seat's own cards, or cards of the board on this street, are unknown.
        """
        self.verify(seen.variant)
        if seen.seat is None or seen.seat != seen.state.to_act:
            raise IllegalAction(f"position {seen.seat} cannot act: to act is {seen.state.to_act}")
        if len(seen.hole) != 2:
            raise CardError(f"hole cards of position {seen.seat}: expected two, got none")
        if len(seen.board) != SHOWN[seen.street]:
            known = text(seen.board)
            raise CardError(f"board {known!r}: expected {SHOWN[seen.street]} cards, got {len(seen.board)}")


@dataclass(frozen=True, slots=True)
class Stage:
    """One step on the way to a decision: its name, seconds, whether it was done, and what it said.

    Parameters
    ----------
    told
        What it said at once.
    later
        Finds out the rest, from things as they were then, for who reads ``said``: most traces are never read.
    """

    name: str
    seconds: float
    done: bool
    told: dict[str, Any] = field(default_factory=dict)
    later: Callable[[], dict[str, Any]] | None = field(default=None, compare=False, repr=False)

    @property
    def said(self) -> dict[str, Any]:
        """All of what it said."""
        return self.told | self.later() if self.later else self.told


@dataclass(frozen=True, slots=True)
class Decision:
    """An action with its reasons and its receipt.

    Parameters
    ----------
    action
        A legal action.
    policy
        Probability by action, each size of a bet by itself; sums to 1. An action that is not in it has
        probability 0.
    elapsed
        Seconds that it took.
    exact
        Whether every stage was done and none was sampled.
    trace
        What each stage said, in order: the agent's own record, from which every explanation is drawn.
    reason
        Why, in one sentence.
    """

    action: Action
    policy: Mapping[Action, float]
    elapsed: float = 0.0
    exact: bool = True
    trace: tuple[Stage, ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.action}: {self.reason}" if self.reason else str(self.action)

    def policy_by_kind(self) -> dict[str, float]:
        """The policy with all sizes of a bet or raise together: ``{"fold": 0.25, "raise": 0.75}``."""
        return by_kind(self.policy)

    def to_dict(self) -> dict[str, Any]:
        """Everything, in what JSON can hold.

        ``policy`` is by the text of the action, ``{"fold": 0.25, "raise 20": 0.75}``:
        ``agents.policy.policy_from_text`` gives the actions back. Amounts are those of ``Action``.
        """
        return {
            "action": self.action.name,
            "amount": self.action.amount,
            "policy": policy_text(self.policy),
            "elapsed": self.elapsed,
            "exact": self.exact,
            "reason": self.reason,
            "trace": [
                {"stage": s.name, "seconds": s.seconds, "done": s.done, "said": s.said} for s in self.trace
            ],
        }

    def explain(self) -> str:
        """Why, in full, from the trace alone."""
        return as_text(self.to_dict())

    def _repr_html_(self) -> str:
        return as_html(self.to_dict())


class Agent(Protocol):
    """A player. Seeds are arguments; nothing is drawn from a global generator."""

    plays: Plays

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat at the table for a session: statistics start afresh."""

    def decide(
        self, seen: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose a legal action; ``time_limit`` (seconds) is short for ``Budget(time=...)``."""
        ...

    def learn(self, event: Event) -> None:
        """Hear what others did, what was shown, and how the hand ended."""

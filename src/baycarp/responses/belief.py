"""A belief about a player whose policy is read: the weights of its holdings after its actions."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent
from baycarp.agents.cases.classes import checked_policies, offers_classes
from baycarp.agents.resolve.player import ResolvedPlayer
from baycarp.card import HOLDINGS, blocked_by, holding_index
from baycarp.evaluation import equity
from baycarp.game import State
from baycarp.rules.betting.context import FOLD_CALL_RAISE

__all__ = [
    "PLAYER",
    "POSSIBLE",
    "RESPONDER",
    "SAMPLED",
    "HoldingBelief",
    "HoldingPlayer",
    "ReadPlayer",
    "TablePlayer",
    "read_player",
]

SAMPLED = 100
"""Holdings of a belief about a player that decides for one holding at a time, by default."""

POSSIBLE = 40
"""Holdings that such a player may have, its own among them, over which results are averaged."""

Policies = NDArray[np.float64]
"""The probabilities of fold, check or call, bet or raise by holding: shape (holdings, 3)."""

APART = 1_000_000
"""Hands between the hand in play and the one by whose random numbers the belief reads the policy."""

PLAYER, RESPONDER = "player", "responder"
"""The names at the table, in both positions."""


@dataclass(frozen=True, slots=True)
class TablePlayer:
    """A player that answers as a table; the belief is about all holdings."""

    player: Agent
    hand: int = 0

    def apart(self) -> "TablePlayer":
        """The player as an opponent may know it: a table has no random numbers."""
        return self

    def believed(self, free: NDArray[np.int64], draw: np.random.Generator) -> NDArray[np.int64]:
        """The holdings of a belief."""
        return free

    def possible(self, free: NDArray[np.int64], actual: int, draw: np.random.Generator) -> NDArray[np.int64]:
        """The holdings that a result is averaged over."""
        return free

    def policies(self, state: State, holdings: NDArray[np.int64]) -> Policies:
        """The policies of some holdings of the player to act."""
        policies: Policies = self.player.policies(state)  # type: ignore[attr-defined]
        return policies[holdings]


@dataclass(frozen=True, slots=True)
class HoldingPlayer:
    """A player that decides for one holding at a time; the belief is about a sample of them."""

    player: Agent
    hand: int = 0
    sampled: int = SAMPLED

    def apart(self) -> "HoldingPlayer":
        """The player as an opponent may know it: with other random numbers than those of the hand in play."""
        return replace(self, hand=self.hand + APART)

    def believed(self, free: NDArray[np.int64], draw: np.random.Generator) -> NDArray[np.int64]:
        """The holdings of a belief: drawn without a look at the cards of the player."""
        return draw.choice(free, min(self.sampled, len(free)), replace=False)

    def possible(self, free: NDArray[np.int64], actual: int, draw: np.random.Generator) -> NDArray[np.int64]:
        """The holdings that a result is averaged over: a random set with the player's own among them."""
        others = free[free != actual]
        return np.append(draw.choice(others, min(POSSIBLE - 1, len(others)), replace=False), actual)

    def policies(self, state: State, holdings: NDArray[np.int64]) -> Policies:
        """The policies of some holdings of the player to act."""
        seat = state.to_act
        assert seat is not None
        names = (RESPONDER, PLAYER) if seat else (PLAYER, RESPONDER)
        made = np.zeros((len(holdings), 3))
        for row, pair in enumerate(HOLDINGS[holdings]):
            own = state.copy()
            own.deal(holes={seat: pair})
            policy = self.player.decide(own.observe(seat, names, self.hand)).policy
            for action, probability in policy.items():
                made[row, FOLD_CALL_RAISE[action.name]] += probability
        return made


ReadPlayer = TablePlayer | HoldingPlayer
"""A player whose policy is read; it receives no events, so that nothing is learned."""


def read_player(player: Agent, hand: int = 0, sampled: int = SAMPLED) -> ReadPlayer:
    """A player as its kind is read; ``sampled`` holdings are believed where each needs a decision."""
    is_table = offers_classes(player) or isinstance(player, ResolvedPlayer)
    return TablePlayer(player, hand) if is_table else HoldingPlayer(player, hand, sampled)


@dataclass(slots=True)
class HoldingBelief:
    """The responder's cards, and the weights of some of the player's holdings.

    Parameters
    ----------
    player
        The player.
    own
        The responder's cards.
    holdings, weights
        Of the player; weights of at least 0.
    answers
        The policies read in this hand, by betting.
    """

    player: ReadPlayer
    own: NDArray[np.uint8]
    holdings: NDArray[np.int64]
    weights: NDArray[np.float64]
    answers: dict[str, Policies]

    def block(self, board: tuple[int, ...]) -> None:
        """Forget the holdings that a board blocks; where none is left, all others count alike."""
        free = ~blocked_by(board)[self.holdings]
        after = self.weights * free
        self.weights = after if after.sum() > 0 else free.astype(np.float64)

    def policies(self, state: State) -> Policies:
        """The policies of the holdings where the player is to act; 0 for those of weight 0."""
        if state.betting not in self.answers:
            live = self.weights > 0
            made = np.zeros((len(self.holdings), 3))
            made[live] = checked_policies(self.player.policies(state, self.holdings[live]), state)
            self.answers[state.betting] = made
        return self.answers[state.betting]

    def observe(self, state: State, column: int) -> None:
        """Condition on an action of the player; one that no holding would choose changes nothing."""
        after = self.weights * self.policies(state)[:, column]
        if after.sum() > 0:
            self.weights = after

    def share(self, board: tuple[int, ...], weights: NDArray[np.float64]) -> float:
        """The responder's share of the pot at a showdown after checks and calls."""
        own, other = np.zeros(1326), np.zeros(1326)
        own[holding_index(*self.own)] = 1.0
        other[self.holdings] = weights / weights.max()
        return equity(own, other, np.array(board, np.uint8))

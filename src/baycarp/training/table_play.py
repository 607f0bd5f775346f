"""Hands between two players that answer as tables, many at once: each decision is drawn for all its hands."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import ClassPolicies
from baycarp.agents.cases.classes import checked_policies
from baycarp.card import holding_indices
from baycarp.game import State, Variant
from baycarp.game.state import SHOWN
from baycarp.kernels.hands import rank
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from baycarp.training.holding_classes import HoldingClasses

__all__ = ["BatchPlay", "PlayedHands"]

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PublicNode:
    """A decision of the public tree.

    By class of holding a uniform number below the first of ``below`` folds, below the second checks or calls.
    ``children`` has by column of the policy the decision or the ending that follows, once it is reached.
    """

    state: State
    actor: int
    below: NDArray[np.float64]
    children: dict[int, "PublicNode | int"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayedHands:
    """Hands that are over.

    Parameters
    ----------
    endings
        int64, shape (hands,): the place of the ending in ``BatchPlay.endings``.
    outcomes
        int64, shape (hands,): 1 where position 0 has the better hand at a showdown, -1 where position 1 has;
        0 for equals, and where a player folded.
    """

    endings: Rows
    outcomes: Rows


class BatchPlay:
    """Plays hands of a game of two.

    Parameters
    ----------
    players
        By position.
    variant
        Heads-up fixed limit.

    Raises
    ------
    TableError
        The policy of a player to act is none.
    """

    def __init__(self, players: tuple[HoldingClasses, HoldingClasses], variant: Variant) -> None:
        self.players = players
        self.endings: list[State] = []
        root = State(variant)
        self._root = self._decision(root)

    def play(self, decks: NDArray[np.uint8], draw: np.random.Generator) -> PlayedHands:
        """Play hands.

        Parameters
        ----------
        decks
            uint8, shape (hands, 9): two hole cards a position, then the board.
        draw
            Its numbers choose the actions.
        """
        endings = np.zeros(len(decks), np.int64)
        holdings = holding_indices(decks[:, :4].reshape(-1, 2, 2))
        waiting = [(self._root, np.arange(len(decks)))]
        for street in range(4):
            if not waiting:
                break
            rows = np.concatenate([rows for _, rows in waiting])
            classes = np.zeros((len(decks), 2), np.uint16)
            classes[rows] = self._classes(street, decks[rows, 4 : 4 + SHOWN[street]], holdings[rows])
            waiting = self._street(waiting, classes, draw, endings)
        return PlayedHands(endings, self._outcomes(decks, endings))

    def _classes(self, street: int, boards: NDArray[np.uint8], holdings: Rows) -> NDArray[np.uint16]:
        one, other = self.players
        if one is other:
            return one.of(street, boards, holdings)
        parts = [one.of(street, boards, holdings[:, :1]), other.of(street, boards, holdings[:, 1:])]
        return np.concatenate(parts, axis=1)

    def _street(
        self,
        waiting: list[tuple[PublicNode, Rows]],
        classes: NDArray[np.uint16],
        draw: np.random.Generator,
        endings: Rows,
    ) -> list[tuple[PublicNode, Rows]]:
        """Play the betting of a street; gives the first decisions of the next one with their hands."""
        later: list[tuple[PublicNode, Rows]] = []
        street = waiting[0][0].state.street
        while waiting:
            decision, rows = waiting.pop()
            below = decision.below[classes[rows, decision.actor]]
            columns = (draw.random(len(rows))[:, None] >= below).sum(axis=1)
            for column in range(3):
                chosen = rows[columns == column]
                if not len(chosen):
                    continue
                after = self._after(decision, column)
                if isinstance(after, int):
                    endings[chosen] = after
                else:
                    (waiting if after.state.street == street else later).append((after, chosen))
        return later

    def _after(self, decision: PublicNode, column: int) -> "PublicNode | int":
        """What follows an action: a decision, or the place of an ending."""
        if column not in decision.children:
            state = decision.state.copy()
            action = next(a for a in state.legal_actions() if FOLD_CALL_RAISE[a.name] == column)
            state.apply(action)
            if state.is_over:
                self.endings.append(state)
                decision.children[column] = len(self.endings) - 1
            else:
                decision.children[column] = self._decision(state)
        return decision.children[column]

    def _decision(self, state: State) -> PublicNode:
        actor = int(state.to_act or 0)
        player: ClassPolicies = self.players[actor].player
        policies = checked_policies(player.class_policies(state), state)
        below = np.cumsum(policies, axis=1)[:, :2]
        below[policies[:, 2] == 0, 1] = 1.0  # a sum may be less by rounding
        return PublicNode(state, actor, below)

    def _outcomes(self, decks: NDArray[np.uint8], endings: Rows) -> Rows:
        shown = np.array([len(state.seats_in) == 2 for state in self.endings], bool)[endings]
        outcomes = np.zeros(len(decks), np.int64)
        board = decks[shown, 4:]
        if len(board):
            one, other = (
                np.asarray(rank(np.concatenate([decks[shown, low : low + 2], board], axis=1)), np.int64)
                for low in (0, 2)
            )
            outcomes[shown] = np.sign(one - other)
        return outcomes

"""Play against a solution: hands are dealt from both ranges, the other player acts by its strategy."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baycarp.card import HOLDINGS, HOLDS, text
from baycarp.errors import IllegalAction
from baycarp.kernels.arguments import seeded
from baycarp.kernels.hands import rank
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.locks import seat
from baycarp.solvers.spots.sizes import PLAYERS
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.view import SpotView

__all__ = ["PlayedStep", "SpotHand", "SpotTable"]


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """A step of the person, and what it cost.

    Parameters
    ----------
    line
        To the decision.
    step
        What was done.
    loss
        The EV in chips of the best action less that of this one, against the solution; at least 0.
    share
        How often the solution does it with this holding.
    best
        The action of the greatest EV.
    """

    line: str
    step: str
    loss: float
    share: float
    best: str


class SpotHand:
    """A hand in play against a solution.

    Parameters
    ----------
    solution
        The opponent, and the judge.
    player
        ``"oop"`` or ``"ip"``: the person's.
    draw
        Deals cards, and draws the opponent's actions.

    Attributes
    ----------
    steps : list of PlayedStep
        The person's, so far.
    won : float or None
        What the person has at the end, in chips since the start of the spot; None before.
    """

    def __init__(self, solution: Solution, player: str, draw: np.random.Generator) -> None:
        self.solution = solution
        self.player = seat(player)
        self.steps: list[PlayedStep] = []
        self.won: float | None = None
        self._draw = draw
        self._holdings = self._dealt()
        self._line = ""
        self._advance()

    def _dealt(self) -> list[int]:
        """A pair of holdings, as often as both ranges have it."""
        weights = [self.solution.spot.weights(player) for player in (0, 1)]
        while True:
            pair = [int(self._draw.choice(1326, p=each / each.sum())) for each in weights]
            if len({*HOLDINGS[pair[0]].tolist(), *HOLDINGS[pair[1]].tolist()}) == 4:
                return pair

    @property
    def hole(self) -> str:
        """The person's cards."""
        return text(HOLDINGS[self._holdings[self.player]])

    @property
    def shown(self) -> str:
        """The opponent's cards; empty while the hand is on."""
        return text(HOLDINGS[self._holdings[1 - self.player]]) if self.is_over else ""

    @property
    def view(self) -> SpotView:
        """The solution where the hand is."""
        return self.solution.at(self._line)

    @property
    def is_over(self) -> bool:
        """Whether the hand is over."""
        return self.won is not None

    @property
    def actions(self) -> tuple[str, ...]:
        """What the person may do; empty when the hand is over."""
        return () if self.is_over else self.view.actions

    def act(self, word: str) -> PlayedStep:
        """Take a step of the tree, and let the opponent and the dealer act until the next decision.

        Raises
        ------
        IllegalAction
            The hand is over.
        ArgumentError
            No step of the tree.
        """
        if self.is_over:
            raise IllegalAction("the hand is over: expected a new one")
        view, own = self.view, self._holdings[self.player]
        at = view.node.steps.index(self.solution.tree.step(view.node, word))
        evs, shares = view.action_ev[:, own], view.strategy[:, own]
        best = int(np.nanargmax(evs)) if not np.isnan(evs).all() else at
        loss = float(evs[best] - evs[at]) if best != at else 0.0
        step = PlayedStep(self._line, view.actions[at], loss, float(shares[at]), view.actions[best])
        self.steps.append(step)
        self._append(view.actions[at])
        self._advance()
        return step

    def _append(self, word: str) -> None:
        self._line = f"{self._line}, {word}" if self._line else word

    def _advance(self) -> None:
        """Deal and act for the opponent, until the person is to act or the hand is over."""
        while not self.is_over:
            view = self.view
            if view.node.kind is Kind.DEAL:
                self._append(text([self._card(view.board)]))
            elif view.node.kind is not Kind.DECISION:
                self.won = self._payoff(view)
            elif view.node.now.player == self.player:
                return
            else:
                shares = np.nan_to_num(view.strategy[:, self._holdings[1 - self.player]])
                shares = shares / shares.sum() if shares.sum() else np.full(len(shares), 1 / len(shares))
                self._append(view.actions[int(self._draw.choice(len(shares), p=shares))])

    def _card(self, board: Sequence[int]) -> int:
        held = np.asarray(HOLDS[:, self._holdings].any(axis=1))
        held[list(board)] = True
        return int(self._draw.choice(np.flatnonzero(~held)))

    def _payoff(self, view: SpotView) -> float:
        tree, now = self.solution.tree, view.node.now
        payoff = tree.rules.payoff(view.node.kind, now, tree.root.now.totals)[self.player]
        if view.node.kind is Kind.FOLD:
            return payoff[0]
        board = [*view.board]
        while len(board) < 5:
            board.append(self._card(board))
        ranks = [rank(np.array([*HOLDINGS[each], *board], np.uint8)) for each in self._holdings]
        own, other = int(ranks[self.player]), int(ranks[1 - self.player])
        return payoff[0 if own > other else 1 if own == other else 2]


class SpotTable:
    """Hands against a solution, one after another.

    Parameters
    ----------
    solution
        The opponent, and the judge.
    player
        ``"oop"`` or ``"ip"``: the person's.
    seed
        Of the cards and of the opponent's actions.

    Examples
    --------
    >>> import baycarp
    >>> spot = baycarp.Spot("Td9d6hQc2s", 200, 900, oop="QQ,54s", ip="TT", sizes="a", raises="")
    >>> hand = SpotTable(baycarp.solve(spot), "oop", seed=1).deal()
    >>> hand.actions
    ('check', 'all-in 900')
    """

    def __init__(self, solution: Solution, player: str, seed: int = 1) -> None:
        self.solution = solution
        self.player = PLAYERS[seat(player)]
        self.hands: list[SpotHand] = []
        self._draw = seeded(seed)

    def deal(self) -> SpotHand:
        """A new hand."""
        self.hands.append(SpotHand(self.solution, self.player, self._draw))
        return self.hands[-1]

    @property
    def loss(self) -> float:
        """What all steps lost, in chips of EV."""
        return sum(step.loss for hand in self.hands for step in hand.steps)

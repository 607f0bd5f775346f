"""The model of one opponent: it begins as its style's and adapts to its acts (Unger 2011, section 9.1).

A style is a kind of player, learned from many (``train.styles``). The style of a new player follows from its
moves by Bayes. Conjugate Dirichlet updates at two levels then adapt its tables: little evidence changes the
coarse level, more evidence the details:

    price      its count of each choice against its style's expectation: a tilt of the style's tables
    situation  counts by bucket, weighted by the posterior of the holding; a shown holding counts as shown

Every hand fades with a half-life, so that the model follows changes of play. van der Kleij (2010), section
7.2.1, proposes the mixture of group and opponent; the levels and the tilt are our choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.card import Cards
from baycarp.opponents.actions import SHAPES, ActionModel, likelihood, normalized
from baycarp.opponents.buckets import BLOCKED, partition
from baycarp.opponents.moves import PRICE_OF, PRICES, Move
from baycarp.opponents.styles import Styles
from baycarp.rules.income import IncomeGroup

__all__ = ["USUAL", "Pace", "PlayerModel"]

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast an opponent's model leaves its style.

    Parameters
    ----------
    tilt
        Weight of the style in moves, where choices are counted by street and price.
    detail
        Weight of the style in moves, in each situation and bucket.
    half_life
        Hands of the player after which a hand counts half.
    """

    tilt: float = 10.0
    detail: float = 6.0
    half_life: float = 500.0


USUAL = Pace()
"""Of six, within 0.0003 nats a choice of the best for players of the default table that were left out of the
styles one at a time, and faster than the best: new players need that."""


class PlayerModel:
    """The action model of one opponent.

    Parameters
    ----------
    styles
        The styles.
    pace
        How fast the model leaves the style.
    """

    def __init__(self, styles: Styles, pace: Pace = USUAL) -> None:
        self.styles, self.pace = styles, pace
        self.hands = 0
        self._log = np.log(np.asarray(styles.shares))
        self._counts = [np.zeros(shape) for shape in SHAPES]
        self._chosen = np.zeros((4, len(PRICES), 3))
        self._expected = np.zeros((4, len(PRICES), 3))
        self._tables, self._usual = _stacked(styles)
        self._model: ActionModel | None = None

    @property
    def weights(self) -> Array:
        """The probability of each style."""
        weights = np.exp(self._log - self._log.max())
        return np.asarray(weights / weights.sum())

    @property
    def model(self) -> ActionModel:
        """The player's action model, by the hands so far."""
        if self._model is None:
            everything = [np.arange(shape[0]) for shape in SHAPES]
            self._model = ActionModel(tuple(self._rows(s, which) for s, which in enumerate(everything)))
        return self._model

    def posterior(
        self, moves: Sequence[Move], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """``model.posterior``; only the tables that it needs are computed."""
        return normalized(self.likelihood(moves, board, income_group, known))

    def likelihood(
        self, moves: Sequence[Move], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """``actions.likelihood`` by this model; only the tables that it needs are computed."""
        return likelihood(moves, lambda s, now: self._rows(s, np.array([now]))[0], board, income_group, known)

    def _rows(self, street: int, which: NDArray[np.intp]) -> Array:
        """Its table in some situations: the style's, tilted to its choices by price, moved by its counts."""
        prior, trust = self._style(street, which), float(self.weights @ self.styles.worth)
        usual = np.einsum("k,kpc->pc", self.weights, self._usual[street])
        worth = np.where(usual > 0, trust * self.pace.tilt * usual, 1.0)
        tilt = (self._chosen[street] + worth) / (self._expected[street] + worth)
        tilted = prior * tilt[PRICE_OF[street][which]][:, None, :]
        tilted *= trust * self.pace.detail / tilted.sum(axis=2, keepdims=True)
        rows = tilted + self._counts[street][which]
        return np.asarray(rows / rows.sum(axis=2, keepdims=True))

    def _style(self, street: int, which: NDArray[np.intp]) -> Array:
        """The style's table in some situations: the mean of all styles, weighted by probability."""
        return np.asarray(np.tensordot(self.weights, self._tables[street][:, which], 1))

    def learn(
        self, moves: Sequence[Move], board: tuple[int, ...], income_group: IncomeGroup, holding: int = -1
    ) -> None:
        """Update the model with a finished hand of the player.

        Parameters
        ----------
        moves
            All its moves.
        board
            The board at its last action.
        income_group
            Which income rates order its holdings before the flop (``moves.income_groups``).
        holding
            The holding that it showed; -1 = none.
        """
        fade = 0.5 ** (1 / self.pace.half_life)
        for array in (*self._counts, self._chosen, self._expected):
            array *= fade
        shares = np.log(np.asarray(self.styles.shares))
        self._log = shares + fade * (self._log - shares)
        self.hands += 1
        if moves:
            self._count(moves, board, income_group, holding)
        self._model = None

    def _count(
        self, moves: Sequence[Move], board: tuple[int, ...], income_group: IncomeGroup, holding: int
    ) -> None:
        bucket, count, cell = partition(board, tuple(sorted({move.street for move in moves})), income_group)
        held = [np.where(of == BLOCKED, 0, of) for of in bucket.T.astype(np.intp)]
        weight = count.copy() if holding < 0 else np.equal(np.arange(len(count)), cell[holding]) * 1.0
        by_style = np.repeat(weight[None], len(self.styles.models), axis=0)
        counted = []
        for _, street, situation, choice in moves:
            at, which = held[street], np.array([situation])
            mass = np.bincount(at, weight / weight.sum(), minlength=SHAPES[street][1])
            counted.append(
                (mass @ self._style(street, which)[0], street, int(PRICE_OF[street][situation]), choice)
            )
            weight *= self._rows(street, which)[0, at, choice]
            by_style *= self._tables[street][:, situation, at, choice]
        for expected, street, price, choice in counted:  # all at once, when the hand is over
            self._expected[street, price] += expected
            self._chosen[street, price, choice] += 1.0
        for _, street, situation, choice in moves:
            mass = np.bincount(held[street], weight / weight.sum(), minlength=SHAPES[street][1])
            self._counts[street][situation, :, choice] += mass
        self._log += np.log(np.maximum(by_style.sum(axis=1), 1e-300))
        self._log -= self._log.max()


@lru_cache(maxsize=4)
def _stacked(styles: Styles) -> tuple[list[Array], list[Array]]:
    """By street, of every style: its table, and its mean frequency of each choice at each price."""
    tables = [np.stack([model.tables[street] for model in styles.models]) for street in range(4)]
    by_price = (
        [table.mean(axis=1).reshape(len(PRICES), -1, 3).mean(axis=1) for table in each] for each in tables
    )
    return tables, [np.stack(each) for each in by_price]

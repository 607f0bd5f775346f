"""The model of one opponent: its style, the power of each kind of its actions, and whether they say anything.

Three things are learned, each from what can show it:

    styles   from the actions, with all holdings that the player may have had, to a power below 1, and from
             shown holdings in full (``Confidence.actions``)
    powers   of each kind of action, from shown holdings alone, given the actions: an over-read raiser shows
             weaker holdings than its raises promise, and its raises count less
    blind    whether the actions say anything about the cards at all, from shown holdings alone

The frequencies of the actions move ``shifts`` besides, which keep the order of the holdings. Between hands a
small part of each weight returns to its prior, so that the model follows a change of style (Unger 2011,
section 9.1, proposes a network for each style; the hierarchical prior is our choice). The priors themselves
follow the other players of the table (``table_prior``).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, Cards, as_cards
from baycarp.errors import EvidenceError
from baycarp.kernels import evidence
from baycarp.opponents.actions.hypotheses import hypotheses
from baycarp.opponents.actions.shifts import Shifts
from baycarp.opponents.actions.situations import PRICE_OF, PRICES, SITUATIONS, CodedAct, is_legal
from baycarp.opponents.actions.styles import Styles
from baycarp.opponents.reliance import USUAL, Confidence, Reliance, kind_of
from baycarp.opponents.weights import updated
from baycarp.rules.income import IncomeGroup

__all__ = ["Coded", "PlayerModel", "TableShifts"]

Array = NDArray[np.float64]
Coded = tuple[NDArray[np.uint8], NDArray[np.float32]]
"""The code of each holding, shape (1326,), and the probability of an act by code and style."""

OWN_WORTH, TABLE_WORTH = 4.0, 2.0
"""The precision of the prior of a player's shifts, and of those of all players of a table."""

_KINDS_OF = np.array([[kind_of(street, choice) for choice in range(3)] for street in (0, 1)])
"""The kind of each choice, before the flop and after it."""

_FIRST = tuple(sum(SITUATIONS[:street]) for street in range(len(SITUATIONS)))
"""The first situation of each street among those of all."""

_OWN_CELLS = np.concatenate([len(PRICES) * street + prices for street, prices in enumerate(PRICE_OF)])
"""The cell of each of them among a player's own shifts: street and price."""

CERTAIN = 0.01
"""A player that is blind with a lower probability is expected to act as an informed one."""


class TableShifts(Shifts):
    """The shifts that all players of a table share, by situation.

    ``version`` counts their changes.
    """

    def __init__(self) -> None:
        super().__init__(sum(SITUATIONS), TABLE_WORTH)
        self.version = 0

    def count(self, expected: Sequence[tuple[CodedAct, Array]]) -> None:
        """Count acts of a finished hand: see ``PlayerModel.learn``."""
        for act, shares in expected:
            self.add(self.cell(act.street, act.situation), shares, act.choice)
        self.version += 1

    @staticmethod
    def cell(street: int, situation: int) -> int:
        """The cell of a situation, street after street."""
        return _FIRST[street] + situation


class PlayerModel:
    """The action model of one opponent.

    Parameters
    ----------
    styles
        The styles.
    confidence
        The prior of a new player.
    table
        The shifts of all players of its table; None = its own alone count.
    """

    def __init__(
        self, styles: Styles, confidence: Confidence = USUAL, table: TableShifts | None = None
    ) -> None:
        self.hands = 0
        self.confidence = confidence
        self.hypotheses = hypotheses(styles, confidence)
        self.styles: Array = self.hypotheses.shares.copy()
        self.reliance = Reliance(confidence)
        self._table = table or TableShifts()
        self._shifts = Shifts(len(SITUATIONS) * len(PRICES), OWN_WORTH)
        self._forget()

    def adjust(self, powers: Array, blind: float) -> None:
        """Set the priors that the player's own hands move: see ``Reliance.adjust``."""
        self.reliance.adjust(powers, blind)
        self._forget()

    def _forget(self) -> None:
        self._version = self._table.version
        self._factors: NDArray[np.float32] | None = None
        self._powers = self.reliance.powers[_KINDS_OF].astype(np.float32)
        self._rows: dict[tuple[int, int, IncomeGroup], NDArray[np.float32]] = {}

    @property
    def blind(self) -> float:
        """The probability that the player's actions say nothing about its cards."""
        return self.reliance.blind

    @property
    def weights(self) -> Array:
        """The probability of each hypothesis: the styles, and last the blind player; sums to 1."""
        return np.append((1 - self.blind) * self.styles, self.blind)

    def choices(self, street: int, situation: int, income_group: IncomeGroup) -> NDArray[np.float32]:
        """The probability of each choice in a situation by this player's powers and shifts.

        Returns
        -------
        float32, shape (3, codes, styles), read-only
            Sums to 1 over the choices. The codes are those of ``Hypotheses.codes``.
        """
        if self._version != self._table.version:
            self._forget()
        key = street, situation, income_group if street == 0 else IncomeGroup.IR2
        found = self._rows.get(key)
        if found is None:
            found = self._rows[key] = self._mixed(street, situation, income_group)
        return found

    def _mixed(self, street: int, situation: int, income_group: IncomeGroup) -> NDArray[np.float32]:
        factor = self.factors()[TableShifts.cell(street, situation)]
        weights = self._powers[int(street > 0)] * factor[:, None]
        table = self.hypotheses.tables[street][situation]
        codes = self.hypotheses.buckets_of(street, income_group)
        mixed = evidence.mixed_choices(table, weights, codes)
        mixed.flags.writeable = False
        return mixed

    def likelihood(
        self, moves: Sequence[CodedAct], board: Cards, income_group: IncomeGroup, known: Cards = ()
    ) -> Array:
        """The probability of the player's moves, given each holding; float64, shape (1326,).

        Parameters are those of ``hand_actions.ActionModel.posterior``; 0 where a known card is needed. A
        blind player makes the moves as often as the others do on average, with any holding.
        """
        shown = tuple(as_cards(board, "board", (0, 3, 4, 5)).tolist())
        cards = dict.fromkeys([*as_cards(known, "known cards").tolist(), *shown])
        found: Array = evidence.by_holding([self.seen(moves, shown, income_group)], list(cards))[0]
        return found

    def seen(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup
    ) -> tuple[list[Coded], Array, float]:
        """The player's moves, the weights of its styles, and its blindness, for ``evidence.by_holding``."""
        return self._acts(moves, board, income_group), self.styles, self.blind

    def _acts(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup
    ) -> list[Coded]:
        """Moves on the streets of a board as acts of ``kernels.evidence``."""
        found = []
        for _, street, situation, choice in moves:
            codes = self.hypotheses.codes(board[: street + 2] if street else (), income_group)
            found.append((codes, self.choices(street, situation, income_group)[choice]))
        return found

    def shares(
        self, moves: Sequence[CodedAct], situation: int, board: tuple[int, ...], income_group: IncomeGroup
    ) -> Array:
        """How the player acts next: the probability of each choice, given each holding.

        Parameters
        ----------
        moves
            Its own of the hand before.
        situation
            Of ``situations``, on the street of the board.
        board, income_group
            As for ``likelihood``.

        Returns
        -------
        float64, shape (3, 1326). Holdings that the board blocks have no meaning.
        """
        street, before = max(len(board) - 2, 0), self._acts(moves, board, income_group)
        codes = self.hypotheses.codes(board, income_group)
        rows = self.choices(street, situation, income_group)
        seen = [([*before, (codes, row)], self.styles, self.blind) for row in rows]
        found = evidence.by_holding(seen, board)
        total = found.sum(axis=0)
        return np.asarray(np.divide(found, total, out=np.zeros_like(found), where=total > 0))

    def factors(self) -> NDArray[np.float32]:
        """The factor of each choice by the shifts, street after street; float32, shape (situations, 3)."""
        if self._version != self._table.version:
            self._forget()
        if self._factors is None:
            self._factors = np.exp(self._shifts.of[_OWN_CELLS] + self._table.of).astype(np.float32)
        return self._factors

    def habits(self) -> tuple[Array, Array, Array]:
        """What tells the player's choices from those of its styles.

        Returns
        -------
        powers, factors, blindly
            float64: the weight of each power before the flop and after it, by choice, shape (2, 3, powers);
            by situation of all streets, shape (350, 3), the factor of each choice by the shifts, and its
            probability if the player is blind.
        """
        powers, factors = self.reliance.powers[_KINDS_OF], self.factors().astype(np.float64)
        means = [
            np.einsum("scp,cp->sc", mean @ self.styles, powers[int(street > 0)])
            for street, mean in enumerate(self.hypotheses.means)
        ]
        blindly = np.concatenate(means) * factors
        return powers, factors, blindly / blindly.sum(axis=1, keepdims=True)

    def predict(
        self, moves: Sequence[CodedAct], act: CodedAct, board: tuple[int, ...], income_group: IncomeGroup
    ) -> Array:
        """The probability of each choice at an act of the player after earlier moves, its cards unknown.

        Parameters
        ----------
        moves
            Its earlier ones.
        act
            Where it acts; its choice does not count.
        board, income_group
            As in ``likelihood``.

        Returns
        -------
        float64, shape (3,)
            Sums to 1; 0 where a choice is not legal.
        """
        before = self._acts(moves, board, income_group)
        codes = self.hypotheses.codes(board[: act.street + 2] if act.street else (), income_group)
        rows = self.choices(act.street, act.situation, income_group)
        found = evidence.alternatives(before, (codes, rows), self.styles, board)
        found /= found.sum()
        if before and self.blind > CERTAIN:
            blind = evidence.alternatives((), (codes, rows), self.styles, board)
            found = (1 - self.blind) * found + self.blind * blind / blind.sum()
        return np.asarray(found)

    def learn(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup, holding: int = -1
    ) -> list[tuple[CodedAct, Array]]:
        """Update the model with a finished hand of the player.

        Parameters
        ----------
        moves
            All its moves; those that are not legal, as folds where a check is free, say nothing.
        board
            The board at its last action.
        income_group
            Which income rates order its holdings before the flop (``situations.HandMoves``).
        holding
            The holding that it showed; -1 = none.

        Returns
        -------
        list
            Its legal moves, each with the probability of each choice that was expected, for ``TableShifts``.

        Raises
        ------
        EvidenceError
            A shown holding that the board blocks.
        """
        self.hands += 1
        if holding >= 0 and set(HOLDINGS[holding].tolist()) & set(board):
            raise EvidenceError(f"holding {holding}: expected one without a card of the board {board}")
        moves = list(filter(is_legal, moves))
        if not moves:
            return []
        expected = [
            (act, self.predict(moves[:at], act, board[: act.street + 2] if act.street else (), income_group))
            for at, act in enumerate(moves)
        ]
        self._learn_styles(moves, board, income_group, holding)
        for act, shares in expected:
            cell = _OWN_CELLS[TableShifts.cell(act.street, act.situation)]
            self._shifts.add(cell, shares, act.choice)
        self._forget()
        return expected

    def _learn_styles(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup, holding: int
    ) -> None:
        change, count = self.confidence.change, len(self.styles)
        acts = self._acts(moves, board, income_group)
        hidden = evidence.by_hypothesis(acts, count, board)
        likelihood: Array = hidden**self.confidence.actions
        if holding >= 0:
            shown = evidence.by_hypothesis(acts, count, board, holding)
            ratio = np.divide(shown, hidden, out=np.zeros_like(hidden), where=hidden > 0)
            likelihood *= ratio
            informed = self.styles * hidden
            explained = float(informed @ ratio / informed.sum()) if informed.any() else 0.0
            by_power = self._by_power(moves, board, income_group, holding)
            self.reliance.learn(by_power, explained)
        self.styles = updated(self.styles, likelihood, self.hypotheses.shares, change)

    def _by_power(
        self, moves: Sequence[CodedAct], board: tuple[int, ...], income_group: IncomeGroup, holding: int
    ) -> Array:
        """The probability of a shown holding by the power of each act, the other acts at their mean ones."""
        acts = self._acts(moves, board, income_group)
        likelihood = np.ones_like(self.reliance.powers)
        for at, act in enumerate(moves):
            table = self.hypotheses.tables[act.street][act.situation]
            table = table * self.factors()[TableShifts.cell(act.street, act.situation)][:, None, None, None]
            rows = table[act.choice] / table.sum(axis=0)
            buckets = self.hypotheses.buckets_of(act.street, income_group)
            tried = acts[at][0], np.stack([row[of] for row, of in zip(rows, buckets, strict=True)])
            others = [*acts[:at], *acts[at + 1 :]]
            shown, hidden = (
                evidence.alternatives(others, tried, self.styles, board, each) for each in (holding, -1)
            )
            likelihood[kind_of(act.street, act.choice)] *= np.divide(
                shown, hidden, out=np.zeros_like(shown), where=hidden > 0
            )
        return likelihood

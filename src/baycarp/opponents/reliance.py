"""How far the actions of a player are relied on: a belief about its cards has to be earned by shown ones.

A model that was learned from some players may be wrong about others. Each kind of action has a power: 1 = it
depends on the cards as the model has it, 0.5 = half the log-odds, 2 = twice. And the whole player may be
*blind*: its actions say nothing about its cards, and the belief is the deal. Both are learned from shown
holdings, given the actions; no frequency of actions changes them. The action-conditioned model and the models
of moves rely on actions by this one class.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import SchemaError
from baycarp.opponents.weights import updated

__all__ = ["CALLS", "KINDS", "USUAL", "Confidence", "Reliance", "kind_of"]

Array = NDArray[np.float64]

KINDS = ("passive before the flop", "raise before the flop", "passive after it", "bet or raise after it")
"""The kinds of action that have a power of their own."""

CALLS = 1
"""The greatest number of a choice that is no bet or raise."""

STRICTEST = 4.0
"""The greatest power."""


def kind_of(street: int, choice: int) -> int:
    """The kind of an action, as an index into ``KINDS``; choice 0 is a fold, 1 a check or call."""
    return 2 * (street > 0) + (choice > CALLS)


@dataclass(frozen=True, slots=True)
class Confidence:
    """What is believed of a new player, and how soon it may change.

    Parameters
    ----------
    powers
        The powers that a kind of action may have, above 0.
    prior
        Of each kind of ``KINDS`` the prior weight of each power.
    blind
        The prior probability that a player's actions say nothing about its cards, at least 0 and below 1.
    actions
        The power, above 0 and at most 1, of the probability of a hand's actions by which models of a player
        are compared; that of a shown holding given the actions counts in full. No model is exactly a
        player's, and at 1 the one of the most similar frequencies of actions soon excludes all others,
        whatever the cards that the player shows.
    change
        The probability, from hand to hand, that a player is another one from now on: after a change of
        style the weights recover in about ``log(1 / change)`` nats of evidence (Herbster and Warmuth 1998).

    Raises
    ------
    SchemaError
        Probabilities or powers out of range.
    """

    powers: tuple[float, ...] = (0.25, 0.5, 1.0, 2.0)
    prior: tuple[tuple[float, ...], ...] = ((0.2, 0.3, 0.35, 0.15),) * len(KINDS)
    blind: float = 0.15
    actions: float = 0.5
    change: float = 0.003

    def __post_init__(self) -> None:
        if not self.powers or not all(0 < power <= STRICTEST for power in self.powers):
            raise SchemaError(f"powers {self.powers}: expected some above 0, at most {STRICTEST}")
        rows = np.array(self.prior, np.float64)
        if rows.shape != (len(KINDS), len(self.powers)) or not (rows > 0).all():
            raise SchemaError(
                f"prior {self.prior}: expected {len(KINDS)} rows of {len(self.powers)} weights above 0"
            )
        if not (0 <= self.change < 1 and 0 < self.actions <= 1 and 0 <= self.blind < 1):
            raise SchemaError(f"{self}: expected blind and change from 0 and below 1, actions in 0..1")

    @property
    def by_kind(self) -> Array:
        """The prior of the powers; float64, shape (kinds, powers), rows that sum to 1."""
        rows = np.array(self.prior, np.float64)
        return np.asarray(rows / rows.sum(axis=1, keepdims=True))


USUAL = Confidence()
"""The numbers are our choice, on populations that are not those reported (experiments/NOTES.md)."""


class Reliance:
    """How far one player's actions are relied on.

    Parameters
    ----------
    confidence
        The prior of a new player.
    """

    def __init__(self, confidence: Confidence = USUAL) -> None:
        self.confidence = confidence
        self._own_powers: Array = confidence.by_kind
        self._own_blind: Array = _pair(confidence.blind)
        self.adjust(self._own_powers, confidence.blind)

    def adjust(self, powers: Array, blind: float) -> None:
        """Set the priors that the player's own hands move.

        Parameters
        ----------
        powers
            Of the powers; float64, shape (kinds, powers), rows that sum to 1.
        blind
            Of being blind.
        """
        self._priors = powers, blind
        weights = self._own_powers * (powers / self.confidence.by_kind)
        self.powers: Array = weights / weights.sum(axis=1, keepdims=True)
        pair = self._own_blind
        if self.confidence.blind > 0:
            pair = pair * _pair(blind) / _pair(self.confidence.blind)
        self.blind = float(pair[1] / pair.sum())

    @property
    def power(self) -> Array:
        """The mean power of each kind of action, shape (kinds,)."""
        return np.asarray(self.powers @ np.array(self.confidence.powers))

    def learn(self, by_power: Array, informed: float) -> None:
        """Learn from a holding that was shown.

        Parameters
        ----------
        by_power
            Its probability given the actions, by kind and power, up to a factor for each kind; float64, shape
            (kinds, powers). 1 for kinds that did not occur.
        informed
            Its probability given the actions, times the number of possible holdings.
        """
        confidence = self.confidence
        self._own_powers = updated(self._own_powers, by_power, confidence.by_kind, confidence.change)
        pair = np.array([informed, 1.0])
        self._own_blind = updated(self._own_blind, pair, _pair(confidence.blind), confidence.change)
        self.adjust(*self._priors)


def _pair(blind: float) -> Array:
    """The probabilities that the actions say something, and that they do not."""
    return np.array([1 - blind, blind])

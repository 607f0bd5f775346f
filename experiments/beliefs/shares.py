"""Base lines without a model: shares of the judged population itself, smoothed and cross-fitted.

The shares of a fold of hands are counted on the other folds, and smoothed by backing off from each level of
detail to the coarser one and at last to the deal. How strongly is chosen among the other folds as well, each
of them predicted from the rest: nothing that concerns a judged hand is fitted on it. Labels that are noise
therefore gain nothing in expectation (shares counted on the judged hands themselves do).

Levels of the true holding's starting class: the street; the position on it; for a player's own shares the
player. Levels of an action: the price on the street; the situation.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES
from baycarp.opponents.actions.situations import LEGAL, SITUATIONS
from experiments.beliefs.moments import Choices, Judged, Moments
from experiments.beliefs.scores import FLOOR, free_of, score

__all__ = [
    "BASE_LINES",
    "DEAL",
    "OWN",
    "SHARES",
    "SITUATION",
    "CrossFit",
    "base_lines",
    "choice_losses",
    "cross_fit",
]

Array = NDArray[np.float64]
Ints = NDArray[np.intp]

DEAL, SHARES, OWN = "deal", "street and position", "player's own"
"""The base lines of beliefs by name: all possible holdings alike, and two kinds of shares."""

BASE_LINES = (DEAL, SHARES, OWN)

SITUATION = "situation"
"""The base line of actions: the share of each choice in the situation."""

FOLDS = 10
"""Of hands: hand ``n`` is in fold ``n % FOLDS``."""

STRENGTHS = tuple(10.0**power for power in np.arange(0.0, 5.5, 0.5))
"""Weights of the coarser level, in rows, from which one is chosen for each level."""

CHUNK = 2048
"""Beliefs in memory at a time."""

_SIZES: Array = np.bincount(CLASS_OF, minlength=len(CLASSES)).astype(np.float64)


@dataclass(frozen=True, slots=True)
class CrossFit:
    """Shares of outcomes by levels of detail, for each fold from the other folds.

    Parameters
    ----------
    tables
        By fold: float64, shape (keys of the finest level, outcomes), each row summing to 1.
    strengths
        By fold, the strength chosen for each level.
    key, fold
        Of each row.
    """

    tables: tuple[Array, ...]
    strengths: tuple[tuple[float, ...], ...]
    key: Ints
    fold: Ints

    def rows(self, which: Ints | slice) -> Array:
        """The shares of every outcome for some rows; float64, shape (rows, outcomes)."""
        keys, folds = self.key[which], self.fold[which]
        found = np.empty((len(keys), self.tables[0].shape[1]))
        for fold in np.unique(folds):
            at = folds == fold
            found[at] = self.tables[fold][keys[at]]
        return found


def cross_fit(outcome: Ints, levels: Sequence[Ints], hand: Ints, prior: Array) -> CrossFit:
    """Fit shares for each fold of hands on the others.

    Parameters
    ----------
    outcome
        Of each row, an index into ``prior``.
    levels
        The key of each row at each level, coarse to fine: rows with one fine key have one coarse key.
    hand
        The number of the hand of each row, which determines its fold.
    prior
        float64: the shares before any row, which the coarsest level backs off to.

    Raises
    ------
    ValueError
        No row.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> outcome, level = rng.integers(0, 2, 400), np.zeros(400, np.intp)
    >>> found = cross_fit(outcome, [level], np.arange(400), np.array([0.9, 0.1]))
    >>> bool(abs(found.rows(slice(None))[:, 0] - 0.5).max() < 0.1)
    True
    """
    if not len(outcome):
        raise ValueError("no row: expected at least one to count")
    dense = [np.unique(level, return_inverse=True)[1] for level in levels]
    fold = hand % FOLDS
    joint = [np.unique(level * len(prior) + outcome, return_inverse=True)[1] for level in dense]
    counted = _Counted(outcome, tuple(dense), tuple(joint), fold, prior)
    chosen = tuple(counted.choose(number) for number in range(FOLDS))
    tables = tuple(counted.table(number, strengths) for number, strengths in enumerate(chosen))
    return CrossFit(tables, chosen, dense[-1], fold)


@dataclass(frozen=True, slots=True)
class _Counted:
    """Rows with dense keys: ``levels`` of each level, ``joint`` of each level and outcome."""

    outcome: Ints
    levels: tuple[Ints, ...]
    joint: tuple[Ints, ...]
    fold: Ints
    prior: Array

    def choose(self, judged: int) -> tuple[float, ...]:
        """The strengths that predict each fold but the judged one best from the rest, level by level."""
        inner = [fold for fold in np.unique(self.fold).tolist() if fold != judged]
        before = self.prior[self.outcome]
        found = []
        for level, joint in zip(self.levels, self.joint, strict=True):
            predicted = np.full((len(STRENGTHS), len(before)), np.nan)
            for fold in inner:
                at, used = self.fold == fold, (self.fold != fold) & (self.fold != judged)
                have = np.bincount(joint[used], minlength=joint.max() + 1)[joint[at]]
                of = np.bincount(level[used], minlength=level.max() + 1)[level[at]]
                for number, strength in enumerate(STRENGTHS):
                    predicted[number, at] = (have + strength * before[at]) / (of + strength)
            best = int(np.argmax(np.nansum(np.log(predicted), axis=1))) if inner else len(STRENGTHS) - 1
            found.append(STRENGTHS[best])
            before = np.where(np.isnan(predicted[best]), before, predicted[best])
        return tuple(found)

    def table(self, judged: int, strengths: tuple[float, ...]) -> Array:
        """The shares at every key of the finest level, from all folds but the judged one."""
        used, outcomes = self.fold != judged, len(self.prior)
        shares, coarse = self.prior[None], np.zeros(len(self.outcome), np.intp)
        for level, strength in zip(self.levels, strengths, strict=True):
            keys = int(level.max()) + 1
            flat = np.bincount(level[used] * outcomes + self.outcome[used], minlength=keys * outcomes)
            counts = flat.reshape(keys, outcomes)
            parent = np.zeros(keys, np.intp)
            parent[level] = coarse
            shares = (counts + strength * shares[parent]) / (counts.sum(axis=1) + strength)[:, None]
            coarse = level
        return np.asarray(shares)


def base_lines(judged: Judged) -> dict[str, dict[str, Array]]:
    """The base lines of beliefs at the queries of sessions: ``DEAL``, ``SHARES`` and ``OWN``.

    Parameters
    ----------
    judged
        The queries: the population that the shares are counted on.

    Returns
    -------
    dict of dicts of arrays
        As ``Judged.scores``.
    """
    moments = judged.moments
    prior = _SIZES / _SIZES.sum()
    _, player = np.unique(moments.player, return_inverse=True)
    cell = moments.street * 8 + moments.place
    levels = [moments.street, cell, player * 32 + cell]
    outcome = CLASS_OF[moments.holding].astype(np.intp)
    shares = cross_fit(outcome, levels[:2], moments.hand, prior)
    own = cross_fit(outcome, levels, moments.hand, prior)
    return {
        DEAL: _scored(moments, None),
        SHARES: _scored(moments, shares),
        OWN: _scored(moments, own),
    }


def _scored(moments: Moments, shares: CrossFit | None) -> dict[str, Array]:
    parts = []
    for first in range(0, len(moments), CHUNK):
        which = slice(first, first + CHUNK)
        free = free_of(moments.board[which])
        weights = np.ones(free.shape) if shares is None else (shares.rows(which) / _SIZES)[:, CLASS_OF]
        beliefs = np.where(free, weights, 0.0)
        beliefs /= beliefs.sum(axis=1, keepdims=True)
        parts.append(score(beliefs, moments.holding[which], moments.board[which]))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def choice_losses(choices: Choices) -> Array:
    """The losses of the base line of actions, ``SITUATION``, nats; float64, shape (actions,)."""
    if not len(choices.choice):
        return np.empty(0)
    price = choices.street * 8 + choices.price
    situation = choices.street * max(SITUATIONS) + choices.situation
    found = cross_fit(choices.choice, [price, situation], choices.hand, np.full(3, 1 / 3)).rows(slice(None))
    found = np.where(LEGAL[choices.price], found, 0.0)
    chance = found[np.arange(len(found)), choices.choice] / found.sum(axis=1)
    return np.asarray(-np.log(np.maximum(chance, FLOOR)))

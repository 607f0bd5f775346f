"""Sartre (Rubin and Watson 2012, sections 5.1 to 5.4): heads-up fixed limit, learned from an expert's hands.

A case is the hole cards' class (before the flop) or strength, the betting sequence, and after the flop the
texture of the board; similarity is the mean of the features', unweighted. Three snapshots are three
strategies: that of 2009 (section 5.4.1), of 2010 (5.4.2) and of 2011 (5.4.3).

Our choices: k of equation 2; the classes before the flop, compared by their order; 284 hand categories;
where several cases are equally similar, all of them are reused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES, blocked_by, holding_index
from baycarp.cases import Feature, Linear, Majority, Matrix, Nested, Otherwise, Proportional, Schema
from baycarp.evaluation import expected_strength
from baycarp.game import Action, Observation, State
from baycarp.game.action import STREETS
from baycarp.game.plays import Plays
from baycarp.rules.betting.sequence import betting_sequence, sequence_keys
from baycarp.rules.buckets import by_value
from baycarp.rules.categories import CATEGORIES, UNUSED, categories
from baycarp.rules.hand import class_ranks
from baycarp.rules.outcome import no_outcome, payoff
from baycarp.rules.texture import TEXTURES, texture
from baycarp.strategies.spec import Beliefs, Strategy

__all__ = [
    "GAME", "MATRIX", "SARTRE2009", "SARTRE2010", "SARTRE2011", "SOLUTIONS", "STEPS",
    "Categories", "Strengths", "action_of", "identical_schemas", "schemas", "solution_of",
]  # fmt: skip

GAME = "holdem.limit.2p.reverse_blinds"

SOLUTIONS = ("fold", "call", "raise")
"""Check is call, bet is raise: A_limit."""

STEPS = (1.0, 0.9, 0.8)
"""Similarities of betting sequences by ``rules.betting.sequence.sequence_keys`` (section 5.3.2)."""

MATRIX = (
    (1, 0, 0, 0, 0, 0, 0, 0, 0),
    (0, 1, 0.8, 0.7, 0, 0, 0, 0, 0),
    (0, 0.8, 1, 0.7, 0, 0, 0, 0, 0),
    (0, 0.7, 0.7, 1, 0, 0, 0, 0, 0),
    (0, 0, 0, 0, 1, 0.8, 0.7, 0, 0.6),
    (0, 0, 0, 0, 0.8, 1, 0.7, 0, 0.5),
    (0, 0, 0, 0, 0.7, 0.7, 1, 0.8, 0.8),
    (0, 0, 0, 0, 0, 0, 0.8, 1, 0.8),
    (0, 0, 0, 0, 0.6, 0.5, 0.8, 0.8, 1),
)
"""Similarities of the textures A to I (figure 3)."""

BUCKETS = 50
"""Of E[HS^2] (section 5.3.1)."""

DECAY = 1.0
"""k of equation 2, max(1 - k |f1 - f2| / T, 0), which is not printed: our choice."""

DIGITS = 9
"""Strengths that agree to this number of decimals are in one bucket: larger differences than rounding
errors, smaller than those of strengths."""

LETTERS = "".join(TEXTURES)


class _Cards:
    """Describes the betting, and what a class of holdings fixes: a value of the hand, and the texture."""

    values: int
    """The number of values of a hand on a board."""

    def __call__(self, observation: Observation, beliefs: Beliefs, schema: Schema) -> Mapping[str, Any]:
        """The features of the decision; beliefs are not used."""
        number = self.class_of(observation.hole, observation.board)
        return {**self.features(number, observation.street), **self.betting(observation.state)}

    def count(self, street: int) -> int:
        """The number of classes on a street."""
        return self.values * len(LETTERS) if street else len(CLASSES)

    def class_of(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The class of two hole cards on a board: what ``classes`` has for them."""
        return int(self.classes(board)[holding_index(*hole)])

    def classes(self, board: Sequence[int]) -> NDArray[np.uint16]:
        """The class of each holding on a board.

        Parameters
        ----------
        board
            Ids of no card, or of three to five.

        Returns
        -------
        uint16 array, shape (1326,)
            Below ``count``; 0 for holdings that the board blocks.
        """
        if not board:
            return CLASS_OF.astype(np.uint16)
        numbers = len(LETTERS) * self.valued(board) + LETTERS.index(texture(board))
        return np.where(blocked_by(board), 0, numbers).astype(np.uint16)

    def valued(self, board: Sequence[int]) -> NDArray[np.int64]:
        """The value of each holding on a board, below ``values``; shape (1326,)."""
        raise NotImplementedError

    def features(self, number: int, street: int) -> dict[str, Any]:
        """The features of a class of holdings, all but the betting."""
        raise NotImplementedError

    def betting(self, state: State) -> dict[str, Any]:
        """The feature of the betting."""
        raise NotImplementedError


@dataclass(frozen=True)
class Categories(_Cards):
    """Describes a decision by the category of the hand; bettings are alike or not (section 5.4.1)."""

    values: int = field(default=len(CATEGORIES), init=False)

    def valued(self, board: Sequence[int]) -> NDArray[np.int64]:
        """The category of each holding on a board."""
        found = categories(board)
        return np.where(found == UNUSED, 0, found).astype(np.int64)

    def features(self, number: int, street: int) -> dict[str, Any]:
        """The class of the hole cards, or the category and the texture."""
        if not street:
            return {"hole": CLASSES[number]}
        value, letter = divmod(number, len(LETTERS))
        return {"strength": CATEGORIES[value], "texture": LETTERS[letter]}

    def betting(self, state: State) -> dict[str, Any]:
        """The sequence."""
        return {"sequence": sequence_keys(betting_sequence(state))[:1]}


@dataclass(frozen=True)
class Strengths(_Cards):
    """Describes a decision by strength, and by a sequence that others resemble (sections 5.2.1 and 5.3).

    Parameters
    ----------
    values
        The number of buckets.
    moment
        1 = E[HS], 2 = E[HS^2].
    """

    values: int = BUCKETS
    moment: Literal[1, 2] = 2

    def class_of(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The class of two hole cards on a board; their strength alone is computed."""
        if not board:
            return super().class_of(hole, board)
        strength = _strengths(tuple(sorted(hole)), tuple(sorted(board)))[self.moment - 1]
        value = np.round(np.array([strength]), DIGITS)
        return len(LETTERS) * int(by_value(value, self.values)[0]) + LETTERS.index(texture(board))

    def valued(self, board: Sequence[int]) -> NDArray[np.int64]:
        """The bucket of each holding on a board."""
        strengths = np.round(expected_strength(None, board)[self.moment - 1], DIGITS)
        return np.maximum(by_value(strengths, self.values), 0)

    def features(self, number: int, street: int) -> dict[str, Any]:
        """The rank of the class of the hole cards, or the bucket, from 1, and the texture."""
        if not street:
            return {"hole": float(class_ranks()[number])}
        value, letter = divmod(number, len(LETTERS))
        return {"strength": float(value + 1), "texture": LETTERS[letter]}

    def betting(self, state: State) -> dict[str, Any]:
        """The keys of the sequence."""
        return {"sequence": sequence_keys(betting_sequence(state))}


@lru_cache(maxsize=64)
def _strengths(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[float, float]:
    """Of a holding that acts several times on a street."""
    return expected_strength(hole, board)


def schemas(buckets: int = BUCKETS, k: float = DECAY) -> Mapping[str, Schema]:
    """The case-bases by street, of cases that ``Strengths`` describes.

    Parameters
    ----------
    buckets
        Of strength.
    k
        Of equation 2, above 0.

    Examples
    --------
    >>> [feature.name for feature in schemas()["river"].features], schemas()["river"].most
    (['strength', 'sequence', 'texture'], 1)
    """
    hole = Feature("hole", 1, Linear(len(CLASSES) / k), (1, len(CLASSES)))
    strength = Feature("strength", 1, Linear(buckets / k), (1, buckets))
    sequence = Feature("sequence", 1, Nested(STEPS))
    board = Feature("texture", 1, Matrix(tuple(LETTERS), MATRIX))
    nearest = {"threshold": 0.0, "fallback": 1, "most": 1, "ties": True, "merged": True}
    return _by_street((hole, sequence), (strength, sequence, board), nearest)


def identical_schemas() -> Mapping[str, Schema]:
    """The case-bases by street, of cases that ``Categories`` describes.

    Similarity is all-or-nothing, a case is one decision, and nothing is retrieved where no case is identical.
    """
    names = ("hole", "strength", "sequence", "texture")
    hole, strength, sequence, board = (Feature(name, 1, Nested((1.0,))) for name in names)
    return _by_street((hole, sequence), (strength, sequence, board), {"threshold": 1.0, "fallback": 0})


def _by_street(
    preflop: tuple[Feature, ...], later: tuple[Feature, ...], rule: Mapping[str, Any]
) -> Mapping[str, Schema]:
    """A schema a street, with the features of the street and the rule of retrieval."""
    return {
        name: Schema(name, later if street else preflop, SOLUTIONS, **rule)
        for street, name in enumerate(STREETS)
    }


def action_of(solution: str, observation: Observation) -> Action | None:
    """The legal action of a solution: a free fold is a check, a raise beyond the cap a call or a check."""
    kinds = {"fold": ("fold", "check"), "call": ("call", "check"), "raise": ("bet", "raise", "call", "check")}
    legal = {action.name: action for action in observation.legal_actions()}
    return next(legal[kind] for kind in kinds[solution] if kind in legal)


def solution_of(action: Action, observation: Observation) -> str:
    """The solution of an action."""
    return {"fold": "fold", "check": "call", "call": "call"}.get(action.name, "raise")


SARTRE2010 = Strategy(
    name="sartre2010",
    bases=schemas(),
    describe=Strengths(),
    policy=Proportional(),
    outcome=payoff,
    action=action_of,
    solution=solution_of,
    measured=frozenset({"hole", "strength"}),
    price="",
    game=GAME,
    plays=Plays(frozenset({"limit"}), 2, 2),
    complete=True,
)
"""E[HS^2], stepped sequences, the matrix of textures, vectors, the nearest case, probabilistic."""

SARTRE2009 = replace(
    SARTRE2010,
    name="sartre2009",
    bases=identical_schemas(),
    describe=Categories(),
    policy=Otherwise(Majority(), "call"),
    outcome=no_outcome,
)
"""Categories, all-or-nothing, one case a decision, all identical cases, max-frequency, else always-call."""

SARTRE2011 = replace(SARTRE2010, name="sartre", policy=Majority())
"""As 2010 with max-frequency; several experts are combined at the table (``CasePlayer``)."""

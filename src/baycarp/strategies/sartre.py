"""Sartre (Rubin and Watson 2012, sections 5.1 to 5.4): heads-up fixed limit, learned from an expert's hands.

A case is the hole cards' class (before the flop) or strength, the betting sequence, and after the flop the
texture of the board; similarity is the mean of the features', unweighted. Three snapshots are three
strategies: that of 2009 (section 5.4.1), of 2010 (5.4.2) and of 2011 (5.4.3).

Our choices: k of equation 2; the classes before the flop, compared by their order; 284 hand categories;
where several cases are equally similar, all of them are reused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES, blocked_by, holding_index
from baycarp.cases import Feature, Linear, Majority, Matrix, Nested, Otherwise, Policy, Proportional, Schema
from baycarp.cases.similarity import Similarity
from baycarp.evaluation import expected_strength
from baycarp.game import Action, Observation, State
from baycarp.game.action import STREETS
from baycarp.game.plays import Plays
from baycarp.rules.betting.sequence import betting_sequence, sequence_keys
from baycarp.rules.buckets import Bucketing, by_value
from baycarp.rules.categories import CATEGORIES, UNUSED, categories
from baycarp.rules.hand import class_ranks
from baycarp.rules.outcome import NoOutcome, Payoff
from baycarp.rules.texture import TEXTURES, texture
from baycarp.strategies.spec import Beliefs, Strategy

__all__ = [
    "GAME", "MATRIX", "SARTRE2009", "SARTRE2010", "SARTRE2011", "SOLUTIONS", "STEPS",
    "Description", "action_of", "schemas", "solution_of",
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

Strength = Literal["E[HS^2]", "E[HS]", "categories"]


@dataclass(frozen=True)
class Description:
    """Describes a decision of Sartre; its features are the betting, and what a class of holdings fixes.

    Parameters
    ----------
    strength
        The value for hole cards on a board (section 5.2.1).
    buckets
        Of E[HS^2] or E[HS].
    by_rank
        Whether a bucket is a share of the holdings on a board; otherwise an interval of strengths.
    """

    strength: Strength = "E[HS^2]"
    buckets: int = BUCKETS
    by_rank: bool = False

    def __call__(self, observation: Observation, beliefs: Beliefs, schema: Schema) -> Mapping[str, Any]:
        """The features of the decision; beliefs are not used."""
        number = self.class_of(observation.hole, observation.board)
        return {**self.features(number, observation.street), **self.betting(observation.state)}

    def betting(self, state: State) -> dict[str, Any]:
        """The feature of the betting."""
        keys = sequence_keys(betting_sequence(state))
        return {"sequence": keys[:1] if self.strength == "categories" else keys}

    def features(self, number: int, street: int) -> dict[str, Any]:
        """The features of a class of holdings, all but the betting."""
        if not street:
            hole = CLASSES[number] if self.strength == "categories" else float(class_ranks()[number])
            return {"hole": hole}
        value, letter = divmod(number, len(LETTERS))
        category = self.strength == "categories"
        return {"strength": CATEGORIES[value] if category else float(value + 1), "texture": LETTERS[letter]}

    def count(self, street: int) -> int:
        """The number of classes on a street."""
        values = len(CATEGORIES) if self.strength == "categories" else self.buckets
        return values * len(LETTERS) if street else len(CLASSES)

    def class_of(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The class of two hole cards on a board: what ``classes`` has for them."""
        holding = holding_index(*hole)
        if not board:
            return int(CLASS_OF[holding])
        if self.strength == "categories" or self.by_rank:
            return int(self.classes(board)[holding])
        return self._numbered(_strengths(tuple(sorted(hole)), tuple(sorted(board))), board)

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
        if self.strength == "categories":
            found = np.where(categories(board) == UNUSED, 0, categories(board)).astype(np.int64)
        else:
            strengths = np.round(self._chosen(expected_strength(None, board)), DIGITS)
            if self.by_rank:
                found = np.maximum(Bucketing.uniform(self.buckets).hard(strengths), 0)
            else:
                found = np.maximum(by_value(strengths, self.buckets), 0)
        numbers = len(LETTERS) * found + LETTERS.index(texture(board))
        return np.where(blocked_by(board), 0, numbers).astype(np.uint16)

    def _numbered(self, strengths: tuple[float, float], board: Sequence[int]) -> int:
        value = np.round(np.array([self._chosen(strengths)]), DIGITS)
        return len(LETTERS) * int(by_value(value, self.buckets)[0]) + LETTERS.index(texture(board))

    def _chosen(self, strengths: tuple[Any, Any]) -> Any:
        return strengths[self.strength == "E[HS^2]"]


@lru_cache(maxsize=64)
def _strengths(hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[float, float]:
    """Of a holding that acts several times on a street."""
    return expected_strength(hole, board)


def schemas(description: Description = Description(), k: float = DECAY) -> Mapping[str, Schema]:
    """The case-bases by street.

    Parameters
    ----------
    description
        Of the cases; with categories similarity is all-or-nothing, a case is one decision, and nothing is
        retrieved where no case is identical.
    k
        Of equation 2, above 0.

    Examples
    --------
    >>> [feature.name for feature in schemas()["river"].features], schemas()["river"].most
    (['strength', 'sequence', 'texture'], 1)
    """
    if description.strength == "categories":
        return {name: _identical(name) for name in STREETS}
    hole, strength = Linear(len(CLASSES) / k), Linear(description.buckets / k)
    cards = {False: (("hole", hole, len(CLASSES)),), True: (("strength", strength, description.buckets),)}
    stepped, matrix = (
        Feature("sequence", 1, Nested(STEPS)),
        Feature("texture", 1, Matrix(tuple(LETTERS), MATRIX)),
    )
    return {
        name: Schema(
            name,
            (
                *(Feature(each, 1, how, (1, most)) for each, how, most in cards[street > 0]),
                stepped,
                *((matrix,) if street else ()),
            ),
            SOLUTIONS,
            threshold=0.0,
            fallback=1,
            most=1,
            ties=True,
            merged=True,
        )
        for street, name in enumerate(STREETS)
    }


def _identical(name: str) -> Schema:
    same: Similarity = Nested((1.0,))
    names = ("hole", "sequence") if name == STREETS[0] else ("strength", "sequence", "texture")
    features = tuple(Feature(each, 1, same) for each in names)
    return Schema(name, features, SOLUTIONS, threshold=1.0, fallback=0)


def action_of(solution: str, observation: Observation) -> Action | None:
    """The legal action of a solution: a free fold is a check, a raise beyond the cap a call or a check."""
    kinds = {"fold": ("fold", "check"), "call": ("call", "check"), "raise": ("bet", "raise", "call", "check")}
    legal = {action.name: action for action in observation.legal_actions()}
    return next(legal[kind] for kind in kinds[solution] if kind in legal)


def solution_of(action: Action, observation: Observation) -> str:
    """The solution of an action."""
    return {"fold": "fold", "check": "call", "call": "call"}.get(action.name, "raise")


def _snapshot(name: str, policy: Policy, strength: Strength = "E[HS^2]") -> Strategy:
    description = Description(strength)
    return Strategy(
        name=name,
        bases=schemas(description),
        describe=description,
        policy=policy,
        outcome=NoOutcome() if strength == "categories" else Payoff(),
        action=action_of,
        solution=solution_of,
        measured=frozenset({"hole", "strength"}),
        price="",
        game=GAME,
        plays=Plays(frozenset({"limit"}), 2, 2),
        complete=True,
    )


SARTRE2009 = _snapshot("sartre2009", Otherwise(Majority(), "call"), "categories")
"""Categories, all-or-nothing, one case a decision, all identical cases, max-frequency, else always-call."""

SARTRE2010 = _snapshot("sartre2010", Proportional())
"""E[HS^2], stepped sequences, the matrix of textures, vectors, the nearest case, probabilistic."""

SARTRE2011 = _snapshot("sartre", Majority())
"""As 2010 with max-frequency; several experts are combined at the table (``CasePlayer``)."""

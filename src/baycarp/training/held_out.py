"""Predictions of a case-base for cases that it does not hold: held-out log loss."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import CaseBase, Schema, Situation, retrieve_all, tally
from baycarp.cases.maintain import queries as situations_of
from baycarp.errors import ModelError
from baycarp.game.action import ACTIONS, STREETS
from baycarp.kernels.arguments import seeded
from baycarp.strategies.by_seats import shared_name
from baycarp.strategies.kinds import NEIGHBOURS, legal_kinds

__all__ = ["FOLDS", "HeldOutCases", "held_out_cases"]

FOLDS = 5
"""Parts of the hands: one is held out to choose by, another to measure the choice."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldOutCases:
    """A case-base, and held-out cases of other hands.

    Parameters
    ----------
    memory
        The case-base.
    queries
        The situations of the held-out cases.
    actions
        The action of each.
    hands
        The number of the hand of each: cases of one hand are not independent.
    price
        The feature that is above 0 if there is a bet to call.
    """

    memory: CaseBase
    queries: tuple[Situation, ...]
    actions: tuple[str, ...]
    hands: NDArray[np.int64]
    price: str

    def losses(self, schema: Schema) -> NDArray[np.float64]:
        """The log loss of each action in nats, with the similarity of this schema.

        The retrieved cases' shares of the legal actions predict it, as in ``Proportional``; one more vote is
        divided among all legal actions, so that none is impossible.
        """
        memory = self.memory.under(schema)
        found = retrieve_all(memory, self.queries)
        kinds = set(schema.solutions) <= set(ACTIONS)
        price = [feature.name for feature in schema.numbers].index(self.price) if kinds else 0
        name = shared_name(schema.name, STREETS)
        street = STREETS.index(name) if name in STREETS else 1
        losses = np.empty(len(found))
        for i, (retrieved, query, did) in enumerate(zip(found, self.queries, self.actions, strict=True)):
            legal = legal_kinds(street, float(query.numbers[price]), did) if kinds else schema.solutions
            votes = tally(retrieved, memory, legal, NEIGHBOURS if kinds else None).votes
            losses[i] = -np.log((votes[did] + 1 / len(legal)) / (sum(votes.values()) + 1))
        return losses


def held_out_cases(
    casebase: CaseBase, most: int, seed: int, price: str = "bets_to_call"
) -> tuple[HeldOutCases, HeldOutCases]:
    """Two held-out tests of one case-base: to choose by, and to measure the choice.

    Three fifths of the hands are the memory of both; each test has cases of another fifth. The states of a
    stored prediction count as equally likely (``cases.maintain``).

    Parameters
    ----------
    casebase
        With cases of several hands.
    most
        The greatest number of cases in each test, drawn with the seed.
    seed
        Of the draw.
    price
        The feature that is above 0 if there is a bet to call.

    Raises
    ------
    ModelError
        Cases of fewer hands than there are folds.
    """
    columns = casebase.columns()
    played = np.stack([columns["provenance"][name] for name in ("session", "hand")])
    hands = np.unique(played, axis=1, return_inverse=True)[1].ravel().astype(np.int64)
    if not len(casebase) or hands.max() + 1 < FOLDS:
        raise ModelError(f"case-base {casebase.schema.name}: expected cases of at least {FOLDS} hands")
    memory, kept = CaseBase(casebase.schema), hands % FOLDS >= 2
    memory.extend_columns({name: np.ascontiguousarray(column[..., kept]) for name, column in columns.items()})
    memory.fold_in()
    names = casebase.schema.solutions

    def held_out(fold: int) -> HeldOutCases:
        rows = np.flatnonzero(hands % FOLDS == fold)
        rows = np.sort(seeded(seed, fold).permutation(rows)[:most])
        actions = tuple(names[code] for code in columns["solutions"][rows].tolist())
        return HeldOutCases(memory, tuple(situations_of(casebase, rows)), actions, hands[rows], price)

    return held_out(0), held_out(1)

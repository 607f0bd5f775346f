"""Reuse: from the retrieved cases to a distribution over the solutions that are allowed now.

A policy is a frozen value that is called with the retrieved cases. BayCaRP's two versions differ in nothing
else (Unger 2011, section 6.2.1): version 1 reuses ``BestOutcome()``, version 2 ``Majority()``. Sartre's three
(Rubin and Watson 2012, section 5.2.5) are ``Proportional()``, ``Majority()`` on raw counts, and
``BestOutcome("mean")``.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from math import isnan
from typing import Literal, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from baycarp.cases.casebase import CaseBase
from baycarp.cases.retrieve import Retrieved, Totals
from baycarp.errors import SchemaError, brief

__all__ = [
    "COMBINATIONS",
    "POLICIES",
    "BestOutcome",
    "Distribution",
    "Found",
    "Majority",
    "MostSimilar",
    "Otherwise",
    "Policy",
    "Proportional",
    "Repair",
    "Weighing",
    "combine",
    "read_as",
    "tally",
    "vote",
]

Array: TypeAlias = NDArray[np.float64]

Sums = TypeVar("Sums", float, Array)
"""Of one solution, or of many."""

Found: TypeAlias = Retrieved | Totals
"""Retrieved cases, or the sums over them."""

Repair: TypeAlias = Mapping[str, str | Sequence[str]] | Callable[[str], str | None]
"""How a retrieved solution that is not allowed is read: by a function, or as the first allowed of several."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Sums of the retrieved cases for each allowed solution.

    Parameters
    ----------
    votes, outcomes, similarities
        Cases, sum of their outcomes, sum of their similarities, by allowed solution.
    probabilities
        The policy's choice. Empty if no case could be read as an allowed solution: the caller must have
        another way to decide.
    """

    votes: dict[str, int]
    outcomes: dict[str, float]
    similarities: dict[str, float]
    probabilities: dict[str, float] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.probabilities)

    @property
    def choice(self) -> str | None:
        """The most probable solution, of equals the cheapest; None if there is none."""
        return max(self.probabilities, key=self.probabilities.__getitem__) if self.probabilities else None


class Policy(Protocol):
    """Anything that turns retrieved cases into a distribution."""

    def __call__(
        self, retrieved: Found, casebase: CaseBase, allowed: Iterable[str], repair: Repair | None = None
    ) -> Distribution:
        """Weigh the solutions of the retrieved cases."""
        ...


class Weighing(ABC):
    """A policy that computes the worth of each solution from sums over its cases."""

    __slots__ = ()

    def __call__(
        self, retrieved: Found, casebase: CaseBase, allowed: Iterable[str], repair: Repair | None = None
    ) -> Distribution:
        """Weigh the solutions of the retrieved cases."""
        return self.choose(tally(retrieved, casebase, allowed, repair))

    def choose(self, found: Distribution) -> Distribution:
        """The policy for given sums: all probability to the solution that is worth most.

        Of equals the one with the larger sum of similarities wins, then the cheaper one.

        Raises
        ------
        SchemaError
            A policy by similarities, and totals without them.
        """
        worth, alike = self.worth(found), found.similarities
        if any(map(isnan, worth.values())):
            raise SchemaError(f"totals without similarities: expected them, for {self}")
        best = max(worth, key=lambda name: (worth[name], alike[name]), default=None)
        chances = {} if best is None else {name: float(name == best) for name in found.votes}
        return Distribution(found.votes, found.outcomes, alike, chances)

    def choose_all(self, votes: Array, outcomes: Array, similarities: Array) -> Array:
        """The policy for many sums at once: what ``choose`` gives for each column.

        Parameters
        ----------
        votes, outcomes, similarities
            float64, shape (allowed solutions, n), cheapest first.

        Returns
        -------
        float64 array, same shape
            The probability of each solution; a column without a vote is 0.
        """
        tried = votes > 0
        worth = np.where(tried, self.weigh(np.where(tried, votes, 1.0), outcomes, similarities), -np.inf)
        best = tried & (worth == worth.max(axis=0))
        alike = np.where(best, similarities, -np.inf)
        first = (best & (alike == alike.max(axis=0))).argmax(axis=0)
        chosen = np.arange(len(votes))[:, None] == first
        return np.asarray(chosen & tried.any(axis=0), np.float64)

    def worth(self, found: Distribution) -> dict[str, float]:
        """The worth of each solution that a case holds."""
        return {
            name: self.weigh(float(votes), found.outcomes[name], found.similarities[name])
            for name, votes in found.votes.items()
            if votes
        }

    @abstractmethod
    def weigh(self, votes: Sums, outcomes: Sums, similarities: Sums) -> Sums:
        """The worth of a solution with a given number and sum of cases; or of many solutions."""


@dataclass(frozen=True, slots=True)
class BestOutcome(Weighing):
    """The solution whose outcomes are best: summed, as in Unger (2011, section 5.4.4), or on average.

    Of equals the one with the larger sum of similarities wins, then the cheaper one.
    """

    by: Literal["sum", "mean"] = "sum"

    def __post_init__(self) -> None:
        if self.by not in ("sum", "mean"):
            raise SchemaError(f"by {brief(self.by)}: expected 'sum' or 'mean'")

    def weigh(self, votes: Sums, outcomes: Sums, similarities: Sums) -> Sums:
        """By outcomes."""
        return outcomes if self.by == "sum" else outcomes / votes


@dataclass(frozen=True, slots=True)
class Majority(Weighing):
    """The solution that most cases hold; of equals as ``BestOutcome``.

    Unger (2011), section 6.2.1; on the counts of merged cases it is Sartre's max-frequency
    (Rubin and Watson 2012, section 5.2.5).
    """

    def weigh(self, votes: Sums, outcomes: Sums, similarities: Sums) -> Sums:
        """By votes."""
        return votes


@dataclass(frozen=True, slots=True)
class Proportional(Majority):
    """Solutions as often as the cases hold them: a mixed strategy (Rubin and Watson 2012, section 5.2.5)."""

    def choose(self, found: Distribution) -> Distribution:
        """Give each solution its share of the votes."""
        total = sum(found.votes.values())
        chances = {name: votes / total for name, votes in found.votes.items()} if total else {}
        return replace(found, probabilities=chances)

    def choose_all(self, votes: Array, outcomes: Array, similarities: Array) -> Array:
        """The shares of the votes of each column."""
        return np.asarray(votes / np.maximum(votes.sum(axis=0), 1))


@dataclass(frozen=True, slots=True)
class MostSimilar(Weighing):
    """The solution with the largest sum of similarities."""

    def weigh(self, votes: Sums, outcomes: Sums, similarities: Sums) -> Sums:
        """By similarities."""
        return similarities


@dataclass(frozen=True, slots=True)
class Otherwise(Weighing):
    """A policy, and one solution where it has no case.

    The default policy of Rubin and Watson (2012), section 5.2.2.

    Parameters
    ----------
    policy
        Weighs the retrieved cases.
    solution
        Receives all probability where none was retrieved, if it is allowed.
    """

    policy: Weighing
    solution: str

    def choose(self, found: Distribution) -> Distribution:
        """The policy's choice, or the default."""
        chosen = self.policy.choose(found)
        if chosen or self.solution not in found.votes:
            return chosen
        return replace(found, probabilities={name: float(name == self.solution) for name in found.votes})

    def weigh(self, votes: Sums, outcomes: Sums, similarities: Sums) -> Sums:
        """As the policy."""
        return self.policy.weigh(votes, outcomes, similarities)


POLICIES: Mapping[str, Policy] = {
    "best outcome": BestOutcome(),
    "best mean outcome": BestOutcome("mean"),
    "majority": Majority(),
    "proportional": Proportional(),
    "most similar": MostSimilar(),
}
"""By name."""


def combine(distributions: Sequence[Distribution]) -> Distribution:
    """One distribution of several memories, which count alike: their sums, and the mean of their choices.

    A memory without a result is not counted. Sartre combined several imitated experts in 2011 (Rubin
    and Watson 2012, section 5.4.3, which leaves it to another paper how): the mean is our choice.

    Examples
    --------
    >>> one = Distribution({"call": 3, "raise": 1}, {"call": 0.0, "raise": 0.0}, {"call": 2.9, "raise": 1.0},
    ...                    {"call": 1.0, "raise": 0.0})
    >>> other = replace(one, probabilities={"call": 0.5, "raise": 0.5})
    >>> combine([one, other]).probabilities
    {'call': 0.75, 'raise': 0.25}
    """
    counted = [each for each in distributions if each] or list(distributions[:1])
    names = [name for each in counted[:1] for name in each.votes]
    return Distribution(
        {name: sum(each.votes[name] for each in counted) for name in names},
        {name: sum(each.outcomes[name] for each in counted) for name in names},
        {name: sum(each.similarities[name] for each in counted) for name in names},
        {name: sum(each.probabilities[name] for each in counted) / len(counted) for name in names}
        if any(counted)
        else {},
    )


def vote(distributions: Sequence[Distribution]) -> Distribution:
    """One distribution of several memories: their sums, and the solution that most of them would choose.

    Each memory with a result has one vote, for its most probable solution. Of equals the one with the larger
    mean probability wins, then the cheaper one. Our choice, as for ``combine``.

    Examples
    --------
    >>> one = Distribution({"call": 3, "raise": 1}, {"call": 0.0, "raise": 0.0}, {"call": 2.9, "raise": 1.0},
    ...                    {"call": 0.6, "raise": 0.4})
    >>> other = replace(one, probabilities={"call": 0.0, "raise": 1.0})
    >>> vote([one, one, other]).probabilities, vote([one, other]).probabilities
    ({'call': 1.0, 'raise': 0.0}, {'call': 0.0, 'raise': 1.0})
    """
    mean = combine(distributions)
    cast = [each.choice for each in distributions if each]
    best = max(
        mean.probabilities, key=lambda name: (cast.count(name), mean.probabilities[name]), default=None
    )
    return replace(mean, probabilities={name: float(name == best) for name in mean.probabilities})


COMBINATIONS: Mapping[str, Callable[[Sequence[Distribution]], Distribution]] = {"mean": combine, "vote": vote}
"""How several memories become one distribution, by name."""


def tally(
    retrieved: Found, casebase: CaseBase, allowed: Iterable[str], repair: Repair | None = None
) -> Distribution:
    """Count votes and sum outcomes and similarities by allowed solution; no choice is made yet.

    Raises
    ------
    SchemaError
        An allowed solution that the schema does not name.
    """
    solutions, legal = casebase.schema.solutions, frozenset(allowed)
    if not legal.issubset(solutions):
        raise SchemaError(
            f"allowed {sorted(legal - set(solutions))}: expected some of {', '.join(solutions)}"
        )
    if isinstance(retrieved, Totals):
        votes = retrieved.votes
        outcomes = retrieved.outcomes
        similarities = retrieved.similarities
    else:
        votes, outcomes, similarities = casebase.sums(retrieved.ids, retrieved.similarities)
    names = [name for name in solutions if name in legal]
    counts = dict.fromkeys(names, 0)
    paid = dict.fromkeys(names, 0.0)
    alike = dict.fromkeys(names, 0.0)
    columns = solutions, votes.tolist(), outcomes.tolist(), similarities.tolist()
    for solution, count, outcome, similarity in zip(*columns, strict=True):
        name = read_as(solution, legal, repair) if count else None
        if name is not None:
            counts[name] += count
            paid[name] += outcome
            alike[name] += similarity
    return Distribution(counts, paid, alike)


def read_as(solution: str, legal: Set[str], repair: Repair | None) -> str | None:
    """How a retrieved solution counts where these are allowed; None = not at all."""
    if solution in legal or repair is None:
        return solution if solution in legal else None
    if callable(repair):
        named: Sequence[str] = (repair(solution) or "",)
    else:
        given = repair.get(solution, ())
        named = (given,) if isinstance(given, str) else given
    return next((name for name in named if name in legal), None)

"""Systems of experiments that no specification makes, by their place: ``experiments.systems:NET``."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from baycarp.agents.cases.system import Learning, ModelSource, Opponents
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.cases import BestOutcome, CaseBase, Exponential, Linear, Majority, Schema
from baycarp.rules.betting.sizes import SARTRE_NL_2010
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies import casper, sartre
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.model import Model
from baycarp.strategies.sartre import SARTRE2011
from baycarp.strategies.sartre_nl import SARTRENL2010, Lettered
from baycarp.strategies.sartre_three import SARTRE3P
from baycarp.strategies.spec import Strategy

__all__ = [
    "CASPER01_SCALED",
    "CASPER02_SCALED",
    "CASPER_500",
    "CASPER_2000",
    "GENERALISED",
    "NET",
    "OUTCOME",
    "RETAINS",
    "SARTRE3P_WITHOUT_SWITCHING",
    "SARTRENL_WITHOUT_ALL_IN",
    "SARTRE_K2",
    "SARTRE_K4",
    "WITHOUT_ADAPTATION",
    "ComparedCases",
    "GeneralisedCases",
    "LightCases",
    "generalised",
    "lighter",
]


@dataclass(frozen=True)
class LightCases(ModelSource):
    """Merged cases that weigh little beside the player's own, reused from a similarity on.

    Parameters
    ----------
    prior
        A situation's stored decisions count as this many at most, 1 or more.
    at_least
        All cases of this similarity or more are reused, above 0 and at most 1; else the most similar.
    """

    prior: int = 1
    at_least: float = 0.97

    def load(self, strategy: Strategy, networked: bool = True) -> tuple[Model, list[Model]]:
        """The model for a strategy, and the experts."""
        model, experts = super().load(strategy, networked)
        light = {name: lighter(base, self.prior) for name, base in model.casebases.items()}
        light_model = replace(model, casebases=light)
        return self._reaching(light_model), [self._reaching(expert) for expert in experts]

    def _reaching(self, model: Model) -> Model:
        """The same cases, of which all of the similarity are reused."""
        rule: dict[str, Any] = {"threshold": self.at_least, "most": None, "ties": False}
        casebases = {
            name: base.under(replace(base.schema, **rule, fallback=max(base.schema.fallback, 1)))
            for name, base in model.casebases.items()
        }
        return replace(model, casebases=casebases)


@dataclass(frozen=True)
class ComparedCases(ModelSource):
    """The same cases under other measures of similarity.

    Parameters
    ----------
    schemas
        By street, of the same features.
    """

    schemas: Mapping[str, Schema] = field(default_factory=dict)

    def load(self, strategy: Strategy, networked: bool = True) -> tuple[Model, list[Model]]:
        """The model for a strategy, and the experts."""
        model, experts = super().load(strategy, networked)
        bases = {name: base.under(self.schemas[name]) for name, base in model.casebases.items()}
        return replace(model, casebases=bases), experts


@dataclass(frozen=True)
class GeneralisedCases(ModelSource):
    """Cases of similar situations as one case, as Unger (2011), section 9.1, proposes.

    Parameters
    ----------
    steps
        Values of a number, evenly over its largest difference; at least 1. Predicted hand types stay as they
        are.
    """

    steps: int = 10

    def load(self, strategy: Strategy, networked: bool = True) -> tuple[Model, list[Model]]:
        """The model for a strategy, and the experts."""
        model, experts = super().load(strategy, networked)
        bases = {name: generalised(base, self.steps) for name, base in model.casebases.items()}
        return replace(model, casebases=bases), experts


def generalised(casebase: CaseBase, steps: int) -> CaseBase:
    """Cases whose numbers are equal once rounded, as one: it counts their solutions and sums their outcomes.

    Parameters
    ----------
    casebase
        Of single cases, at least one; it does not change.
    steps
        As in ``GeneralisedCases``.
    """
    columns = dict(casebase.columns())
    kinds = [each.similarity for each in casebase.schema.numbers]
    largest = [kind.max for kind in kinds if isinstance(kind, Linear | Exponential)]
    width = np.array(largest, np.float32)[:, None] / steps
    del columns["ids"]
    made = CaseBase(replace(casebase.schema, merged=True))
    numbers = columns["numbers"]
    least, most = numbers.min(axis=1, keepdims=True), numbers.max(axis=1, keepdims=True)
    made.extend_columns(columns | {"numbers": np.clip(np.rint(numbers / width) * width, least, most)})
    return made


def lighter(casebase: CaseBase, most: int) -> CaseBase:
    """The same merged cases, each with a number of decisions at most, so that later ones weigh more.

    The shares of the solutions, rounded up to whole decisions, and the mean outcome of each are kept.

    Parameters
    ----------
    casebase
        Merged; it does not change.
    most
        Decisions of a case that are to be counted, 1 or more; rounding may leave one more a solution.
    """
    columns = casebase.columns()
    counts, sums = columns["counts"], columns["sums"]
    share = np.minimum(1.0, most / np.maximum(counts.sum(axis=0), 1))
    fewer = np.ceil(counts * share - 1e-9).astype(np.int64)
    kept = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    kept |= {"counts": fewer, "sums": sums * fewer / np.maximum(counts, 1)}
    made = CaseBase(casebase.schema)
    made.extend_columns(kept)
    return made


STYLED = replace(SYSTEMS["baycarp2"], opponents=Opponents("styles"))
"""The vote of the cases that the default agent decides by the values of its actions."""

NET = replace(
    STYLED,
    strategy=replace(BAYCARP2, policy=BestOutcome("mean")),
    model=ModelSource(empty=True),
    opponents=Opponents("network"),
    learning=Learning(outcome=OUTCOMES["net"]),
)
"""Begins without a case, and takes the action with the best mean of all that it brought."""

WITHOUT_ADAPTATION = replace(STYLED, opponents=Opponents("styles", adaptive=False))
"""Its opponent models learn nothing from finished hands: every player remains a new one."""

OUTCOME = replace(
    SYSTEMS["sartre"],
    strategy=replace(SARTRE2011, policy=BestOutcome("mean")),
    model=LightCases(),
)
"""Sartre by the best mean outcome of all cases of a similarity, each situation as one decision."""

RETAINS = replace(OUTCOME, learning=Learning())
"""The same, which stores its own decisions."""

SARTRENL_WITHOUT_ALL_IN = replace(
    SYSTEMS["sartrenl2010"],
    strategy=replace(SARTRENL2010, describe=Lettered(SARTRE_NL_2010), policy=Majority()),
)
"""The sizes of 2010 with the translation and the reuse of 2011."""

SARTRE3P_WITHOUT_SWITCHING = replace(SYSTEMS["sartre3p"], strategy=replace(SARTRE3P, at_table=None))
"""Its heads-up cases answer a table of two alone."""

SARTRE_K2, SARTRE_K4 = (
    replace(SYSTEMS["sartre"], model=ComparedCases(schemas=sartre.schemas(k=k))) for k in (2.0, 4.0)
)
"""Sartre with twice and four times the k of equation 2 (Rubin and Watson 2012), which is not printed."""

GENERALISED = replace(SYSTEMS["baycarp2"], model=GeneralisedCases())
"""BayCaRP2 whose similar cases are one."""

SCALED = casper.schemas(scaled=True)
"""CASPER's differences divided by their largest before they decay, as in Unger (2011), section 5.4.3."""

CASPER01_SCALED = replace(SYSTEMS["casper01"], model=ComparedCases(hands=7000, schemas=SCALED))
CASPER02_SCALED = replace(SYSTEMS["casper02"], model=ComparedCases(schemas=SCALED))
CASPER_500, CASPER_2000 = (
    replace(SYSTEMS["casper01"], model=ModelSource(hands=hands)) for hands in (500, 2000)
)
"""CASPER with the cases of fewer hands."""

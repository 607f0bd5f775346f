"""Systems of experiments that no specification makes, by their place: ``experiments.systems:NET``."""

from dataclasses import replace

from baycarp.agents.cases.system import Learning, ModelSource, Opponents
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.cases import BestOutcome
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.sartre_three import SARTRE3P_ALONE

__all__ = ["NET", "SARTRE3P_WITHOUT_SWITCHING"]

NET = replace(
    SYSTEMS["baycarp"],
    strategy=replace(BAYCARP2, policy=BestOutcome("mean")),
    model=ModelSource(empty=True),
    opponents=Opponents("network"),
    learning=Learning(outcome=OUTCOMES["net"]),
)
"""Begins without a case, and takes the action with the best mean of all that it brought."""

SARTRE3P_WITHOUT_SWITCHING = replace(SYSTEMS["sartre3p"], strategy=SARTRE3P_ALONE)
"""Its heads-up cases answer a table of two alone."""

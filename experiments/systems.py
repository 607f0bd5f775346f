"""Systems of experiments that no specification makes, by their place: ``experiments.systems:NET``."""

from dataclasses import replace

from baycarp.agents.cases.system import Learning, ModelSource, Opponents
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.cases import BestOutcome
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import BAYCARP2
from baycarp.strategies.sartre import SARTRE2011
from baycarp.strategies.sartre_three import SARTRE3P_ALONE

__all__ = ["NET", "OUTCOME", "RETAINS", "SARTRE3P_WITHOUT_SWITCHING", "WITHOUT_ADAPTATION"]

NET = replace(
    SYSTEMS["baycarp"],
    strategy=replace(BAYCARP2, policy=BestOutcome("mean")),
    model=ModelSource(empty=True),
    opponents=Opponents("network"),
    learning=Learning(outcome=OUTCOMES["net"]),
)
"""Begins without a case, and takes the action with the best mean of all that it brought."""

WITHOUT_ADAPTATION = replace(SYSTEMS["baycarp"], opponents=Opponents("styles", adaptive=False))
"""Its opponent models learn nothing from finished hands: every player remains a new one."""

OUTCOME = replace(
    SYSTEMS["sartre"],
    strategy=replace(SARTRE2011, policy=BestOutcome("mean")),
    model=ModelSource(prior=1, at_least=0.97),
)
"""Sartre by the best mean outcome of all cases of a similarity, each situation as one decision."""

RETAINS = replace(OUTCOME, learning=Learning())
"""The same, which stores its own decisions."""

SARTRE3P_WITHOUT_SWITCHING = replace(SYSTEMS["sartre3p"], strategy=SARTRE3P_ALONE)
"""Its heads-up cases answer a table of two alone."""

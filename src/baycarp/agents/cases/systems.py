"""The case-based systems of the registry, each with its one line."""

from collections.abc import Mapping

from baycarp.agents.cases.system import Learning, ModelSource, System
from baycarp.strategies.baycarp import BAYCARP1, BAYCARP2
from baycarp.strategies.casey import CASEY
from baycarp.strategies.casper import CASPER
from baycarp.strategies.sartre import SARTRE2009, SARTRE2010, SARTRE2011
from baycarp.strategies.sartre_nl import SARTRENL2010, SARTRENL2011
from baycarp.strategies.sartre_three import SARTRE3P
from baycarp.strategies.spec import Strategy

__all__ = ["SYSTEMS"]


def _watched(strategy: Strategy, about: str, hands: int | None = None) -> System:
    return System(strategy, ModelSource(hands=hands), learning=Learning(stores=False), about=about)


SYSTEMS: Mapping[str, System] = {
    "baycarp1": System(
        BAYCARP1, about="network, ranges and cases; reuse by the best summed outcome (Unger 2011)"
    ),
    "baycarp2": System(BAYCARP2, about="network, ranges and cases; reuse by majority (Unger 2011)"),
    "cases": System(None, about="the strategy of any model: cases(model='folder')"),
    "casper01": _watched(
        CASPER, "cases of 7,000 watched hands, no opponent model (Rubin and Watson 2007)", hands=7000
    ),
    "casper02": _watched(CASPER, "cases of 13,000 watched hands, no opponent model (Rubin and Watson 2007)"),
    "casey": System(
        CASEY,
        about="learns plans from its own play, and starts without a case (Sandven and Tessem 2006)",
    ),
    "sartre": _watched(SARTRE2011, "cases of 200,000 hands of an equilibrium (Rubin and Watson 2012)"),
    "sartre2009": _watched(SARTRE2009, "the same with 20,000 hands and the metrics of 2009"),
    "sartre2010": _watched(SARTRE2010, "the same with 40,000 hands and the metrics of 2010"),
    "sartrenl": _watched(
        SARTRENL2011,
        "no-limit: cases of a rule player by strength, sizes and texture (Rubin and Watson 2012)",
    ),
    "sartrenl2010": _watched(SARTRENL2010, "the same with the metrics of 2010"),
    "sartre3p": _watched(
        SARTRE3P, "cases of three rule players; heads-up cases of an equilibrium once one has folded"
    ),
}
"""By name. The default departs from the paper by ``Opponents.earned`` alone."""

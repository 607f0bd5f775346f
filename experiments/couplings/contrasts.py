"""Arms and contrasts, written down before any play: a change of this file makes another journal.

Every arm has the same 10,000 watched hands; where arms have cases, or the network, these are the same.
"""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["ARMS", "CONTRASTS", "CORE", "GOAL", "HANDS", "HYPOTHESES", "Contrast", "digest_of_plan"]

HANDS = 100_000
"""Hands an arm and table, at most."""

GOAL = 0.01
"""Half of the interval of a contrast, in small bets a hand, that the hands are to reach."""

CORE = tuple(
    f"{reader}-{decider}" for reader in ("none", "network", "cases") for decider in ("cases", "network")
)
"""The factorial core: reader of opponents by decider. ``network-cases`` is BN-CBR-2 with features."""

CONTROLS = ("filter", "g-bucks", "baycarp2", "casper")
"""The other arms of the contrasts."""

FIELD = ("plans", "posterior", "exemplars", "adapted", "local tables", "retrieved network", "parallel")

ARMS: Mapping[str, tuple[str, ...]] = {"core": CORE, "contrasts": CONTROLS, "field": FIELD}
"""By stage, in the order in which the budget is spent."""


class Contrast(NamedTuple):
    """A difference that is tested: the first arm less the second."""

    one: str
    other: str
    question: str


CONTRASTS = (
    Contrast("network-cases", "none-cases", "does a network that reads opponents win, where cases decide"),
    Contrast("network-cases", "cases-cases", "does a network read better than cases, where cases decide"),
    Contrast("network-cases", "network-network", "do cases decide better than a network, where it reads"),
    Contrast("network-cases", "filter", "do features (BN-CBR-2) win more than switches (BN-CBR-1)"),
    Contrast("g-bucks", "network-cases", "do outcomes by G-bucks win more than the majority"),
    Contrast("baycarp2", "casper", "does BayCaRP2 as published beat CASPER on the same watched hands"),
)
"""The six. Holm's procedure runs over them, and apart from them over all other pairs of arms."""

HYPOTHESES: Mapping[str, tuple[int, ...]] = {
    "Two tasks, a network for opponents and cases for decisions, beat either alone": (0, 1, 2),
    "A network that decides loses by discretising": (2,),
    "Outcomes win once they are judged well": (4,),
    "A network and cases beat CASPER, after the same hands": (5,),
    "Features beat switches": (3,),
}
"""The thesis' hypotheses (sections 4.2.5, 8.2.1 to 8.2.3), by the contrasts that bear on them; the last is of
the framework."""


def digest_of_plan() -> str:
    """All of the above as text, for the header of a journal."""
    return repr((ARMS, CONTRASTS, HANDS, GOAL))

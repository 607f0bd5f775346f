"""Betting sequences of no-limit and of three players (Rubin and Watson 2012, sections 6.3.4 and 7.1.1)."""

from collections.abc import Mapping

from baycarp.cases import Nested
from baycarp.rules.betting.sequence import sequence_keys
from baycarp.rules.betting.switching import heads_up_keys
from baycarp.strategies.sartre import STEPS
from baycarp.strategies.sartre_nl import SARTRENL2011
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run
from experiments.papers.verdict import Made, Value

__all__ = ["MAKERS"]


def _bet_sizes(entry: Entry, run: Run) -> Made:
    """Section 6.3.4: two sequences of bet sizes."""
    schema = SARTRENL2011.bases["flop"]
    names = (feature.name for feature in schema.symbols)
    measure = dict(zip(names, schema.comparisons, strict=True))["sequence"]

    def similarity(row: str) -> list[Value]:
        one, other = row.split(", ")
        return [measure(one, other)]

    return Made.of(entry, similarity)


def _mapping(entry: Entry, run: Run) -> Made:
    """Figure 9: a three-player sequence beside a heads-up one."""
    stepped = Nested(STEPS)

    def similarity(row: str) -> list[Value]:
        three, two = row.split(", ")
        keys = heads_up_keys(three)
        return [stepped(stepped.text(keys), stepped.text(sequence_keys(two))) if keys else 0.0]

    return Made.of(entry, similarity)


MAKERS: Mapping[str, Maker] = {"001-sec6.3.4": _bet_sizes, "001-fig9": _mapping}

"""Gambler's Coma network (Matthews 2005, figure 1, section 6): exact posteriors."""

from baycarp.bn import Inference, Network, Structure
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run
from experiments.papers.verdict import Made, Value

__all__ = ["COMA", "MAKERS"]

STATES = ("T", "F")
COMA = Network(
    Structure(dict.fromkeys("abcde", STATES), {"b": "a", "c": "a", "d": "bc", "e": "c"}),
    {
        "a": [0.2, 0.8],
        "b": [[0.8, 0.2], [0.2, 0.8]],
        "c": [[0.2, 0.8], [0.05, 0.95]],
        "d": [[[0.8, 0.2], [0.8, 0.2]], [[0.8, 0.2], [0.05, 0.95]]],
        "e": [[0.8, 0.2], [0.6, 0.4]],
    },
)
"""Figure 1: a causes b and c, both cause d, c causes e."""


def posteriors(entry: Entry, run: Run) -> Made:
    """Percent of T for the printed nodes, given each row's evidence."""
    inference, cells = Inference(COMA), {}
    for row, printed in entry.rows:
        asked = [column.name for column, text in zip(entry.columns, printed, strict=True) if text]
        found = inference.posterior(_evidence(row), asked)
        chances = {name: 100 * float(found[name][0]) for name in asked}
        cells[row] = [chances.get(column.name) for column in entry.columns]
    return Made(cells)


def joints(entry: Entry, run: Run) -> Made:
    """Percent of each pair of states of d and e, given a."""
    inference = Inference(COMA)
    whole, alone = inference.plan(["a", "d", "e"], ()), inference.plan(["a"], ())
    pairs = [dict(zip("de", column.name, strict=True)) for column in entry.columns]

    def percents(row: str) -> list[Value]:
        given = _evidence(row)
        return [100 * whole.probability(given | pair) / alone.probability(given) for pair in pairs]

    return Made.of(entry, percents)


def _evidence(row: str) -> dict[str, str]:
    """``"a=T d=F"`` as evidence."""
    return dict(fact.split("=") for fact in row.split() if "=" in fact)


MAKERS: dict[str, Maker] = {"003-sec6": posteriors, "003-sec6-trees": joints}

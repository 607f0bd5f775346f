"""Gambler's Coma network (Matthews 2005, figure 1, section 6): exact posteriors."""

from collections.abc import Callable

from baycarp.bn import Inference, Network, Structure
from baycarp.papers.entry import Entry
from baycarp.papers.run import Run
from baycarp.papers.verdict import Made

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
        cells[row] = [
            100 * float(found[column.name][0]) if column.name in asked else None for column in entry.columns
        ]
    return Made(cells)


def joints(entry: Entry, run: Run) -> Made:
    """Percent of each pair of states of d and e, given a."""
    inference = Inference(COMA)
    whole, alone = inference.plan(["a", "d", "e"], ()), inference.plan(["a"], ())
    cells = {}
    for row, _ in entry.rows:
        given = _evidence(row)
        of = alone.probability(given)
        pairs = [dict(zip("de", column.name, strict=True)) for column in entry.columns]
        cells[row] = [100 * whole.probability(given | pair) / of for pair in pairs]
    return Made(cells)


def _evidence(row: str) -> dict[str, str]:
    """``"a=T d=F"`` as evidence."""
    return dict(fact.split("=") for fact in row.split() if "=" in fact)


MAKERS: dict[str, Callable[[Entry, Run], Made]] = {"003-sec6": posteriors, "003-sec6-trees": joints}

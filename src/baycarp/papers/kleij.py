"""The example of a biased back-up (van der Kleij 2010, section 3.6.1): exact expectations."""

from itertools import product
from math import prod

from baycarp.papers.entry import Entry
from baycarp.papers.run import Maker, Run
from baycarp.papers.verdict import Made

__all__ = ["MAKERS", "backed_up"]

CHANCES, VALUES, SAMPLES = (0.1, 0.9), (0.0, 1.0), 2
"""Of the children a and b; the number of samples."""


def backed_up(drawn: tuple[int, ...], by_probability: bool) -> float:
    """The value of a node after samples of its children.

    Parameters
    ----------
    drawn
        The child of each sample: 0 or 1.
    by_probability
        Whether children count by their probability once both are sampled; otherwise by how often they are.

    Examples
    --------
    >>> backed_up((0, 1), by_probability=True), backed_up((0, 1), by_probability=False)
    (0.9, 0.5)
    """
    if by_probability and len(set(drawn)) == len(VALUES):
        return sum(chance * value for chance, value in zip(CHANCES, VALUES, strict=True))
    return sum(VALUES[child] for child in drawn) / len(drawn)


def _expected(by_probability: bool) -> float:
    draws = product(range(len(VALUES)), repeat=SAMPLES)
    return sum(prod(CHANCES[child] for child in drawn) * backed_up(drawn, by_probability) for drawn in draws)


def bias(entry: Entry, run: Run) -> Made:
    """The expectation over all samples, by the weights of the children."""
    return Made.of(entry, lambda row: [_expected(by_probability=row == "by probability")])


MAKERS: dict[str, Maker] = {"004-sec3.6.1": bias}

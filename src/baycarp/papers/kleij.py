"""The example of a biased back-up, and holdings by EM (van der Kleij 2010: 3.6.1, figures 5.4 and 5.5)."""

from itertools import product
from math import prod

from baycarp.game import Variant
from baycarp.papers.entry import Entry
from baycarp.papers.run import Maker, Run
from baycarp.papers.verdict import Estimate, Made
from baycarp.study.hidden_cards import best_bucket_folds, population_hands, shown_times
from baycarp.train.holding_rows import HoldingRows
from baycarp.train.holdings_em import HoldingsEM

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


LEAST_FOLDS = 0.02
"""The share of folds from which a bucket counts as folding; ours."""


def _population(seats: int, run: Run) -> HoldingRows:
    game = Variant.load(f"holdem.nolimit.{seats}p.100bb")
    return HoldingRows.of(population_hands(game, run.hands, run.seed))


def shown(entry: Entry, run: Run) -> Made:
    """The probability of holdings that were shown, beside that of the deal."""
    mean, margin = shown_times(_population(9, run), HoldingsEM(seed=run.seed))
    return Made.of(entry, lambda row: [Estimate(mean, mean - margin, mean + margin)], run.hands)


def strong_folds(entry: Entry, run: Run) -> Made:
    """Whether the strongest bucket folds on the flop."""
    found = best_bucket_folds(_population(2, run), HoldingsEM(seed=run.seed))
    return Made.of(entry, lambda row: ["folds" if found[row] >= LEAST_FOLDS else "hardly folds"], run.hands)


MAKERS: dict[str, Maker] = {
    "004-sec3.6.1": bias,
    "004-fig5.4": shown,
    "004-fig5.5": strong_folds,
}

"""Make ``data/income_rates.csv``: the earnings of the 169 starting hands if all players stay to the end.

    python -m experiments.recipes.income src/baycarp/data/income_rates.csv

``baycarp.rules.income`` defines the rates. The order of IR7 is the ranking of the 169 classes that CASPER and
BayCaRP use: AA first, JTs 18th, 72o last.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from baycarp.card import CLASS_OF, CLASSES, HOLDINGS
from baycarp.kernels.sweeps import share
from baycarp.rules.income import TABLES

__all__ = ["DEALS", "line", "lines", "main"]

DEALS = 2_000_000
"""Deals for each class and number of players; the standard error of a seven-handed rate is about 1.6."""


def line(number: int, deals: int = DEALS) -> str:
    """The rates of one class; its number is its seed, so that the lines are independent.

    Parameters
    ----------
    number
        The class, 0..168.
    deals
        Sampled deals for each number of players, at least 2.

    Examples
    --------
    >>> line(0, deals=1000).split(",")[0]
    'AA'
    """
    hole = HOLDINGS[CLASS_OF.tolist().index(number)]
    rates = (1000 * (players * share(hole, players, deals, number)[0] - 1) for players in TABLES)
    return ",".join((CLASSES[number], *(f"{rate:.1f}" for rate in rates)))


def lines(deals: int = DEALS) -> Iterator[str]:
    """The file, line by line."""
    made = "python -m experiments.recipes.income"
    yield f"# made by {made}: {deals} sampled deals a class and number of players"
    yield "class," + ",".join(f"ir{players}" for players in TABLES)
    for number in range(len(CLASSES)):
        yield line(number, deals)


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--deals", type=int, default=DEALS, help="sampled a class and number of players")
    given = parser.parse_args(argv)
    given.file.write_text("".join(f"{each}\n" for each in lines(given.deals)), "utf-8")


if __name__ == "__main__":
    main()

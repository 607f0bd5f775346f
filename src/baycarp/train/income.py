"""Make ``data/income_rates.csv``: what each of the 169 starting hands earns when everybody stays to the end.

    python -m baycarp.train.income src/baycarp/data/income_rates.csv

What the rates mean stands in ``baycarp.rules.income``. IR7's order is the ranking of the 169 classes that
CASPER and BayCaRP use: AA first, JTs 18th, 72o last.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from baycarp.card import CLASS_OF, CLASSES, HOLDINGS
from baycarp.kernels.sweeps import share

__all__ = ["DEALS", "PLAYERS", "lines"]

PLAYERS = (2, 4, 7)
"""The numbers of players for which rates are made."""

DEALS = 2_000_000
"""A class and number of players: seven-handed the standard error of a rate is then about 1.6."""


def lines(deals: int = DEALS) -> Iterator[str]:
    """The file, line by line; a class's seed is its number, so every line can be made alone."""
    yield f"# made by python -m baycarp.train.income: {deals} sampled deals a class and number of players"
    yield "class," + ",".join(f"ir{players}" for players in PLAYERS)
    for number, name in enumerate(CLASSES):
        hole = HOLDINGS[CLASS_OF.tolist().index(number)]
        rates = (1000 * (players * share(hole, players, deals, number)[0] - 1) for players in PLAYERS)
        yield ",".join((name, *(f"{rate:.1f}" for rate in rates)))


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("".join(line + "\n" for line in lines()), "utf-8")

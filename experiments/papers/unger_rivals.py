"""What Unger (2011) says in words of other systems: of CASPER, and of the Bayesian Poker Player's twin."""

import numpy as np

from baycarp.agents.table import TABLE
from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import Rate, interval
from baycarp.arena.session import Table
from baycarp.game import Variant
from experiments.papers.entry import Entry
from experiments.papers.run import Maker, Run, estimate, sessions
from experiments.papers.verdict import UNDECIDED, Estimate, Made

__all__ = ["MAKERS"]

JUDGE = "control"

SEATED = {"BayCaRP2": "baycarp2(published=True)", "Casper02": "casper02"}
"""Who takes the seat among the seven of the default table, by row."""

TWINS = ("bpp", "bpp(combinatorial=True)")


def same_seat(entry: Entry, run: Run) -> Made:
    """What each wins in the same seat, on the same decks."""

    def won(row: str) -> list[Estimate]:
        names = (row, *(name.capitalize() for name in TABLE))
        return [estimate(_won(Variant.ring(len(names)), names, (SEATED[row], *TABLE), run))]

    return Made.of(entry, won, run.hands)


def twin(entry: Entry, run: Run) -> Made:
    """Whether the network loses to the enumeration in its place, and what."""
    rate = _won(Variant.load("holdem.limit.2p.reverse_blinds"), ("network", "twin"), TWINS, run)
    word = "loss" if rate.mean < -rate.margin else "gain" if rate.mean > rate.margin else UNDECIDED
    return Made.of(entry, lambda row: [word, estimate(rate)], run.hands)


def _won(game: Variant, names: tuple[str, ...], specs: tuple[str, ...], run: Run) -> Rate:
    """What the first player wins, in small bets a hand."""
    played = sessions(Table(game, names, specs, run.seed, estimators=(JUDGE,)), PLAYED, run)
    return interval(np.concatenate([each.estimates[JUDGE][:, 0] for each in played]) / game.small_bet)


MAKERS: dict[str, Maker] = {"000-sec4.3.1": twin, "000-sec8.2.2": same_seat}

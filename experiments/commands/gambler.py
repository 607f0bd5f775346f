"""Gambler's networks, measured: ``python -m experiments gambler``.

The reversal against brute-force Bayes, the calibration of inferred hole cards, P(win) against equity, sampled
against exact inference, and the times of a decision.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from time import process_time

import numpy as np

from baycarp.agents.gambler import Gambler
from baycarp.arena.hand import play_hand
from baycarp.cli.options import count, option, options
from baycarp.cli.output import console, grid, print_each
from baycarp.game import State, Variant
from baycarp.kernels.categories import categories
from baycarp.opponents.gambler.draws import draws_on
from baycarp.opponents.gambler.reverse import FORMS, Form, Networks
from benchmarks.parts.goal import Goal, at_most, missed
from benchmarks.records import sessions_of
from experiments.gambler.bayes import largest_difference
from experiments.gambler.calibration import Calibration, calibration
from experiments.gambler.curves import Point, curves
from experiments.gambler.equity import Agreement, agreement
from experiments.gambler.spots import spots
from experiments.gambler.tables import table_gain
from experiments.options import JSON

__all__ = ["add", "run"]

ITERATIONS = (1_000, 10_000, 50_000)

SHOWN, SESSIONS = 5000, 12
"""Shown holdings that tables are learned from, at least; sessions of 500 hands that judge them."""

WIDTH = 118
"""Columns that the tables take."""

add = options(
    JSON,
    option("--spots", type=count, default=500, help="decisions that are reversed by brute force"),
    option("--compared", type=count, default=1000, help="decisions compared with equity"),
    option("--calibrated", type=count, default=2000, help="hands whose inferred cards are compared"),
    option(
        "--shown", type=Path, metavar="RECORD", help="tables learned from people's hands, and nothing else"
    ),
)

SIX = Variant.ring(6)


def run(args: Namespace) -> int:
    """Measure and print; 3 when a goal is missed."""
    if args.shown:
        return _learned(args)
    found = {form: calibration(Networks.ours(form), SIX, args.calibrated, seed=4) for form in FORMS}
    near = agreement(Networks.ours(), SIX, args.compared, seed=5)
    points = list(curves(ITERATIONS, seed=1))
    read = (goal for form in FORMS for goal in _read(form, found[form], args.spots))
    goals = [*read, *_times()]
    if args.json:
        print_each([*goals, *near, *points])
        return missed(goals)
    _print(goals, found, near, points)
    return missed(goals)


def _learned(args: Namespace) -> int:
    """Tables learned from the holdings shown in a record, on the hands that follow."""
    gain = table_gain(sessions_of(args.shown, None), SHOWN, SESSIONS)
    if args.json:
        print_each([gain])
        return 0
    title = f"{gain.shown:,} shown holdings of {gain.hands:,} hands; {gain.points:,} held-out decision points"
    table = grid("tables", "log loss, nats", title=title, words=("tables",))
    for name, loss in gain.losses.items():
        table.add_row(name, f"{loss:.3f}")
    console(WIDTH).print(table)
    print(
        f"learned better than ours by {gain.gain.value:.3f} ± {gain.gain.margin:.3f} nats (95 %, over hands)"
    )
    return 0


def _read(form: Form, found: Calibration, number: int) -> Iterator[Goal]:
    """The reversal of one form: against brute force, and against the cards dealt."""
    networks = Networks.ours(form)
    difference = largest_difference(networks, islice(spots(networks, SIX, seed=3), number))
    name = f"{form}: reversal against brute force, {number:,} decisions"
    yield at_most(name, 1e-12, difference, "probability")
    yield at_most(f"{form}: expected calibration error of the group", 0.01, found.error, "probability")
    yield Goal(f"{form}: the same of a perfectly calibrated model", found.noise, "probability")
    yield Goal(f"{form}: true holding, inferred", found.log_loss, "nats")
    yield Goal(f"{form}: true holding, by the deal", found.uniform, "nats")


def _print(
    goals: Sequence[Goal],
    found: Mapping[Form, Calibration],
    near: Sequence[Agreement],
    points: Sequence[Point],
) -> None:
    wide = console(WIDTH)
    table = grid("goal", "must", "measured", "unit", "met", words=("goal", "unit", "met"))
    for goal in goals:
        met = "-" if goal.met is None else "yes" if goal.met else "NO"
        must = "-" if goal.must is None else f"{goal.must:g}"
        table.add_row(goal.goal, must, f"{goal.measured:.4g}", goal.unit, met)
    wide.print(table)
    for form, one in found.items():
        title = f"groups of hole cards, {form}, {one.posteriors:,} posteriors"
        table = grid("predicted", "true", "number", title=title)
        for number, predicted, true in one.bins.tolist():
            if number:
                table.add_row(f"{predicted:.1%}", f"{true:.1%}", f"{number:,.0f}")
        wide.print(table)
    names = (
        "form",
        "street",
        "opponents",
        "decisions",
        "mean |difference|",
        "mean difference",
        "rank correlation",
    )
    table = grid(*names, title="P(win) against equity with the same ranges", words=("form", "street"))
    for each in near:
        street = ("flop", "turn", "river")[each.street - 1]
        opponents = "1" if each.opponents == 1 else "2 and more"
        gaps = f"{each.difference:.4f}", f"{each.bias:+.4f}", f"{each.ranks:.3f}"
        table.add_row(each.form, street, opponents, str(each.spots), *gaps)
    wide.print(table)
    table = grid(
        "network",
        "query",
        "method",
        "iterations",
        "error, % points",
        "ms",
        title="mean error of sampled inference",
        words=("network", "query", "method"),
    )
    for point in points:
        cells = point.network, point.query, point.method, f"{point.iterations:,}"
        table.add_row(*cells, f"{point.error:.4f}", f"{1000 * point.seconds:,.2f}")
    wide.print(table)


class _Timed(Gambler):
    """A player whose calls are timed, in processor seconds."""

    def __init__(self, form: str) -> None:
        super().__init__(form=form)
        self.decided: list[float] = []
        self.read: list[float] = []

    def decide(self, observation, time_limit=None, budget=None):  # type: ignore[no-untyped-def]
        """As the player's, timed."""
        began = process_time()
        decision = super().decide(observation, time_limit, budget)
        self.decided.append(process_time() - began)
        return decision

    def learn(self, event):  # type: ignore[no-untyped-def]
        """As the player's, timed."""
        began = process_time()
        super().learn(event)
        self.read.append(process_time() - began)


def _times() -> Iterator[Goal]:
    """A player among five others in whole hands; then decisions without any event before them."""
    for form in FORMS:
        timed = _Timed(form)
        others = [Gambler(form=form) for _ in range(5)]
        for agent in (timed, *others):
            agent.sit(0, SIX, 1)
        rng = np.random.default_rng(9)
        for number in range(120):
            draws_on.cache_clear()
            agents = [*others[number % 6 :], timed, *others[: number % 6]]
            names = tuple("p" + str(agents.index(agent)) for agent in agents)
            play_hand(State(SIX, deck=rng.permutation(52)[:17].astype(np.uint8)), agents, names, number)
        for what, seconds in (("decide", timed.decided), ("reading of an event", timed.read)):
            took = 1000 * np.array(seconds)
            bounds = (1.0, 5.0) if what == "decide" else (None, None)
            for name, must, share in zip(("p50", "p99"), bounds, (50, 99), strict=True):
                value = float(np.percentile(took, share))
                goal = f"{form}: {what}, {name}"
                yield Goal(goal, value, "ms", must, met=None if must is None else value < must)
    for board in ("Qs7d2c", "Qs7d2c9h", "Qs7d2c9h3s"):
        began = process_time()
        for _ in range(50):
            categories(board)
        yield Goal(f"categories of {len(board) // 2} cards", 1e6 * (process_time() - began) / 50, "us")

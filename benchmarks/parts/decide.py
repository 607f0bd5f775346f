"""Processor time of a decision in real play, by seats, street and opponents: ``python -m benchmarks decide``.

Each row is of first decisions of a street, on boards that have not been met; the last rows are of everything
that a seat costs: its decisions, the actions of all players, the end of the hand.
"""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import baycarp
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.table import EIGHTH, TABLE
from baycarp.cli.options import JSON, count, option, options, seed
from baycarp.cli.output import console, grid, print_each
from baycarp.errors import ModelError
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand
from baycarp.game.variant import Variant
from benchmarks.decision_time import Times, measure, new_boards, played
from benchmarks.parts.goal import Goal, at_most, missed
from benchmarks.parts.sizes import sized
from benchmarks.records import sessions_of

__all__ = ["add", "run"]

AGENTS = ("baycarp", "baycarp2")

LIMITS = {
    "baycarp": (0.8, 2.0),
    "baycarp2": (0.4, 1.5),
    "gambler(form='independent')": (1.5, 2.5),
}
"""Milliseconds of a decision on the flop, nine seats, three opponents: median and 99th percentile."""

SEAT = {"baycarp": 3.0}
"""Milliseconds of everything that a seat costs at nine seats, a decision."""

FEW = 20
"""Decisions without which no row is printed."""

add = options(
    JSON,
    option("--decider", nargs="+", default=AGENTS, metavar="AGENT", help="the agents that decide"),
    option("--record", type=Path, help="hands of people: an archive or a log (default: own agents' hands)"),
    option("--game", help="the game of an ACPC log, like holdem.limit.3p"),
    option("--tables", type=count, nargs="+", default=[9, 2], metavar="SEATS", help="seats of each table"),
    option("--hands", type=count, default=2000, help="of each number of seats, at most"),
    option(
        "--deal-seed", type=seed, default=1, help="fixes the cards that a record lacks, and all of own hands"
    ),
    option(
        "--remembers",
        type=count,
        nargs="+",
        default=[0],
        metavar="CASES",
        help="this number of cases a street instead of the model's: its first ones, or more drawn from them",
    ),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """One agent at tables of some seats."""

    agent: str
    seats: int
    times: Times

    def milliseconds(self, street: int, opponents: int) -> list[float]:
        """The first decisions on a street against a number of opponents; 0 = any number."""
        return [
            1000 * each.seconds
            for each in self.times.first
            if each.street == street and opponents in (0, each.opponents)
        ]


def run(args: Namespace) -> int:
    """Measure and print; 1 when a goal is missed."""
    tables = {seats: list(_hands(args, seats)) for seats in args.tables}
    found = [
        Measured(f"{spec}, {cases:,} cases" if cases else spec, seats, _times(spec, cases, hands))
        for seats, hands in tables.items()
        for spec in args.decider
        for cases in args.remembers
    ]
    goals = [goal for each in found for goal in _goals(each)]
    if args.json:
        print_each(goals)
        return missed(goals)
    out = console(WIDTH)
    out.print(_decisions(found))
    out.print(_seats(found))
    for goal in goals:
        if goal.met is False:
            out.print(f"missed: {goal.goal}: {goal.measured:.3g}, must be {goal.must:.3g} {goal.unit}")
    return missed(goals)


WIDTH = 100


def _hands(args: Namespace, seats: int) -> Iterator[Hand]:
    """The first hands of the record, or hands of the package's agents, that are new and of these seats."""
    if args.record:
        game = Variant.load(args.game) if args.game else None
        met = [hand for session in sessions_of(args.record, game) for hand in session]
    else:
        table = (*TABLE, EIGHTH) * 2
        met = played(table[:seats], args.hands, args.deal_seed)
    for number, hand in enumerate(new_boards(met, seats, args.deal_seed)):
        if number == args.hands:
            return
        yield hand


def _times(spec: str, cases: int, hands: list[Hand]) -> Times:
    agent = baycarp.load(spec)
    if cases:
        if not isinstance(agent, CasePlayer):
            raise ModelError(f"{spec}: expected a case player")
        agent.casebases = {name: sized(met, cases)[0] for name, met in agent.model.casebases.items()}
    return measure(agent, hands)


def _decisions(found: list[Measured]) -> object:
    titles = ("agent", "seats", "street", "opponents", "decisions", "p50", "p99")
    table = grid(
        *titles,
        title="first decision of a street, board not met: ms of processor time",
        words=("agent", "street"),
    )
    for each in found:
        for street, name in enumerate(STREETS):
            for opponents in range(each.seats):
                times = each.milliseconds(street, opponents)
                if len(times) >= FEW and (opponents or each.seats > 2):
                    p50, p99 = (f"{float(np.percentile(times, share)):.3f}" for share in (50, 99))
                    against = str(opponents or "any")
                    table.add_row(each.agent, str(each.seats), name, against, str(len(times)), p50, p99)
        table.add_section()
    return table


def _seats(found: list[Measured]) -> object:
    titles = ("agent", "seats", "decisions", "deciding", "others' actions", "learning", "all")
    table = grid(
        *titles,
        title="what a seat costs: ms of processor time a decision",
    )
    for each in found:
        times = each.times
        parts = (times.deciding, times.observing, times.learning)
        cells = [f"{1000 * part / times.decisions:.3f}" for part in parts]
        table.add_row(each.agent, str(each.seats), str(times.decisions), *cells, f"{1000 * times.seat:.3f}")
    return table


def _goals(each: Measured) -> Iterator[Goal]:
    """The figures; those of nine seats have bounds, twice as wide against five opponents."""
    for street, name in enumerate(STREETS):
        for opponents in range(1, each.seats):
            times = each.milliseconds(street, opponents)
            if len(times) < FEW:
                continue
            what = f"{each.agent}, {each.seats} seats, {name}, {opponents} opponents"
            wide = {3: 1, 5: 2}.get(opponents) if (street, each.seats) == (1, 9) else None
            bounds = [wide * limit for limit in LIMITS.get(each.agent, ())] if wide else []
            for place, share in enumerate((50, 99)):
                measured = float(np.percentile(times, share))
                goal = f"{what}: p{share} of {len(times)}"
                yield at_most(goal, bounds[place], measured, "ms") if bounds else Goal(goal, measured, "ms")
    goal, cost = f"{each.agent}, {each.seats} seats: all, a decision", 1000 * each.times.seat
    bound = SEAT.get(each.agent) if each.seats == 9 else None
    yield at_most(goal, bound, cost, "ms") if bound else Goal(goal, cost, "ms")

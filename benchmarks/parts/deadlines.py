"""Decisions under 20, 100 and 1,000 ms, on a busy and on an idle machine."""

from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from os import cpu_count

import numpy as np

from baycarp.agents.registry import DEFAULT, load
from baycarp.cli.options import JSON, count, flag, option, options
from baycarp.cli.output import print_each
from benchmarks.parts.goal import Goal, at_least, at_most, missed
from benchmarks.timed import Timed, busy, in_own_session, measure

__all__ = ["add", "run"]

LIMITS = (20, 100, 1000)
"""Milliseconds a decision."""

USES_UP = 0.02
"""Of an agent that may use up its time."""

AGENTS = {DEFAULT: None, "simulation": USES_UP}
"""Agents; for one that uses up its time, the seconds a decision that set the number of its decisions."""

FEWEST = 20
"""Decisions of each agent, at least."""

DECISIONS = 1000
"""Decisions by default; the documented figures have 100,000."""

TITLES = ("agent", "limit", "", "n", "late", "worst", "p99.9", "full", "wall", "CPU")
LAYOUT = " {:<10} {:>5} {:<4} {:>6} {:>6} {:>7} {:>7} {:>4} {:>6} {:>6}"
"""Lines rather than a grid: in a run of an hour each is printed as it is done."""

Figures = tuple[str, float, Timed, Timed]
"""Of an agent under a limit: on a busy and on an idle machine."""


add = options(
    JSON,
    option(
        "--timed", metavar="AGENT", help="one agent, a name or specification, in place of the default ones"
    ),
    option("--limits", type=count, nargs="+", default=LIMITS, metavar="MS", help="milliseconds a decision"),
    option("--decisions", type=count, default=DECISIONS, help="for each agent, limit and load"),
    option("--seats", type=count, default=0, help="of each table (default: two to eight)"),
    flag("--same-session", "the agent is in the session of the busy processes, not in one of its own"),
)


def run(args: Namespace) -> int:
    """Measure, and print each line as soon as it is measured; 1 when a goal is missed."""
    goals: list[Goal] = []
    if not args.json:
        print(LAYOUT.format(*TITLES), flush=True)
    for figures in _figures(args):
        lines = list(_goals(*figures))
        goals += lines
        if args.json:
            print_each(lines)
        else:
            print(*_rows(*figures), sep="\n", flush=True)
    if not args.json:
        print("busy: beside twice as many busy processes as cores, these in one session;")
        print("late: over by more than 2 ms and 5 %; full: nothing left undone;")
        print("worst, p99.9: ms over the limit; wall, CPU: mean ms a decision")
        for goal in goals:
            if goal.met is False:
                print(f"missed: {goal.goal}: {goal.measured:.4g}, must be {goal.must:.4g} {goal.unit}")
    return missed(goals)


def _figures(args: Namespace) -> Iterator[Figures]:
    measured = _timed if args.same_session else partial(in_own_session, _timed)
    agents = {args.timed: AGENTS.get(args.timed, USES_UP)} if args.timed else AGENTS
    for name, share in agents.items():
        for limit in (each / 1000 for each in args.limits):
            number = args.decisions if share is None else max(FEWEST, int(args.decisions * share / limit))
            with busy(2 * (cpu_count() or 1)):
                loaded = measured(name, limit, number, args.seats)
            yield name, limit, loaded, measured(name, limit, number, args.seats)


def _timed(name: str, limit: float, decisions: int, seats: int) -> Timed:
    return measure(load(name), limit, decisions, seats=seats)


def _goals(name: str, limit: float, loaded: Timed, idle: Timed) -> Iterator[Goal]:
    what = f"{name}, {1000 * limit:.0f} ms"
    yield Goal(f"{what}: decisions", len(loaded.wall), "under either load")
    yield at_most(f"{what}: illegal", 0, loaded.illegal + idle.illegal, "actions")
    yield at_most(f"{what}, busy: late", 0.1, 100 * loaded.late, "%")
    yield at_most(f"{what}, busy: worst", 25, 1000 * float(loaded.over.max()), "ms over")
    yield at_most(f"{what}, else: p99.9", 1, 1000 * float(np.percentile(idle.over, 99.9)), "ms over")
    for when, timed in (("busy", loaded), ("else", idle)):
        share = 100 * float(timed.complete.mean())
        goal = f"{what}, {when}: complete"
        yield at_least(goal, 50, share, "%") if when == "busy" else Goal(goal, share, "%")
        yield Goal(f"{what}, {when}: wall, mean", 1000 * float(timed.wall.mean()), "ms")
        yield Goal(f"{what}, {when}: CPU, mean", 1000 * float(timed.cpu.mean()), "ms")


def _rows(name: str, limit: float, loaded: Timed, idle: Timed) -> Iterator[str]:
    for when, timed in (("busy", loaded), ("else", idle)):
        worst, nearly = 1000 * np.percentile(timed.over, (100, 99.9))
        yield LAYOUT.format(
            name,
            f"{1000 * limit:.0f}",
            when,
            len(timed.wall),
            f"{timed.late:.2%}",
            f"{worst:+.1f}",
            f"{nearly:+.1f}",
            f"{timed.complete.mean():.0%}",
            f"{1000 * timed.wall.mean():.1f}",
            f"{1000 * timed.cpu.mean():.1f}",
        )

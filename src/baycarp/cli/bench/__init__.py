"""Measure this machine against the goals of one or several parts, in one run."""

import json
from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO

from rich.console import Console

from baycarp.cli.bench import (
    agreement,
    bn,
    cases,
    deadlines,
    decide,
    explanations,
    gambler,
    game,
    kernels,
    moves,
    networks,
    opponents,
    players,
    reading,
    retrieval,
    robustness,
    signature,
    solve,
    starvation,
    styles,
    tables,
    translation,
    web,
)
from baycarp.cli.bench.goal import Goal, missed
from baycarp.cli.options import count, flag, group, option, options
from baycarp.cli.output import as_json, grid, print_each
from baycarp.errors import ArgumentError


def run(args: Namespace) -> int:
    """Measure part after part, and print; ``MISSED`` when a goal is missed."""
    _verify(args)
    if len(args.parts) == 1:
        return _measure(args.parts[0], args)
    return max([(_as_object if args.json else _titled)(part, args) for part in args.parts])


def _titled(part: str, args: Namespace) -> int:
    """One of several parts, under a heading."""
    Console().rule(part)
    return _measure(part, args)


def _as_object(part: str, args: Namespace) -> int:
    """One of several parts as one JSON object; an interrupted part has the results so far."""
    lines = StringIO()
    try:
        with redirect_stdout(lines):
            return _measure(part, args)
    finally:
        results = [json.loads(line) for line in lines.getvalue().splitlines()]
        print(as_json({"part": part, "results": results}), flush=True)


def _measure(part: str, args: Namespace) -> int:
    if part in LONGER:
        return LONGER[part](args)
    goals = list(PARTS[part](args))
    if args.json:
        print_each(goals)
        return missed(goals)
    table = grid("goal", "must", "stretch", "measured", "unit", "met", words=("goal", "unit", "met"))
    for goal in goals:
        must, stretch = ("-" if x is None else f"{x:,.6g}" for x in (goal.must, goal.stretch))
        met = "-" if goal.met is None else "yes" if goal.met else "NO"
        table.add_row(goal.goal, must, stretch, f"{goal.measured:,.4g}", goal.unit, met)
    Console().print(table)
    return missed(goals)


PARTS: dict[str, Callable[[Namespace], Iterator[Goal]]] = {
    "game": lambda args: game.goals(),
    "kernels": lambda args: kernels.goals(),
    "bn": lambda args: bn.goals(),
    "cases": cases.goals,
    "networks": lambda args: networks.goals(),
    "retrieval": retrieval.goals,
    "solve": lambda args: solve.goals(),
    "web": web.goals,
}

LONGER: dict[str, Callable[[Namespace], int]] = {
    "agreement": agreement.run,
    "deadlines": deadlines.run,
    "decide": decide.run,
    "explanations": explanations.run,
    "gambler": gambler.run,
    "moves": moves.run,
    "opponents": opponents.run,
    "players": players.run,
    "reading": reading.run,
    "robustness": robustness.run,
    "signature": signature.run,
    "starvation": starvation.run,
    "styles": styles.run,
    "tables": tables.run,
    "translation": translation.run,
}
"""Parts with a table of their own."""

OWN = {
    "agreement": agreement.add,
    "cases": cases.add,
    "deadlines": deadlines.add,
    "explanations": explanations.add,
    "gambler": gambler.add,
    "moves": moves.add,
    "opponents": opponents.add,
    "players": players.add,
    "reading": reading.add,
    "robustness": robustness.add,
    "starvation": starvation.add,
    "styles": styles.add,
    "tables": tables.add,
    "translation": translation.add,
    "decide": decide.add,
    "retrieval": retrieval.add,
    "web": web.add,
}
"""Options of single parts."""

SHARED = {"explanations": {"seed"}, "players": {"people", "people_game"}}
"""Options of other parts that a part takes, too."""


def _verify(args: Namespace) -> None:
    """Refuse an option of a part that is not measured.

    Raises
    ------
    ArgumentError
        It would change nothing.
    """
    own = {action.dest for part in args.parts for action in _options(part)}
    own = own.union(*(SHARED.get(part, ()) for part in args.parts))
    for name in OWN:
        for action in _options(name):
            if action.dest not in own and getattr(args, action.dest) != action.default:
                measured = " ".join(args.parts)
                raise ArgumentError(f"{action.option_strings[0]}: of bench {name}, not of bench {measured}")


def _options(part: str) -> list[Action]:
    parser = ArgumentParser(add_help=False)
    OWN.get(part, options())(parser)
    return parser._actions


def _summaries() -> str:
    """What each part measures, by the first lines of the modules."""
    parts = {name: import_module(f"{__name__}.{name}") for name in sorted([*PARTS, *LONGER])}
    firsts = {name: str(part.__doc__).partition("\n")[0].partition("``")[0] for name, part in parts.items()}
    return "; ".join(f"{name} = {first.rstrip(' :,.')}" for name, first in firsts.items())


add = options(
    option("parts", nargs="+", choices=sorted([*PARTS, *LONGER]), metavar="PART", help=_summaries()),
    flag("--json", "one JSON object a line for each goal; of several parts, one for each part"),
    option("--workers", type=count, default=1, help="processes, where a part takes them"),
    *(group(name, None, part) for name, part in OWN.items()),
)

"""Measure this machine against the goals of a part, in one run."""

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from importlib import import_module

from rich.console import Console

from baycarp.cli.bench import (
    agreement,
    bn,
    deadlines,
    decide,
    explanations,
    gambler,
    game,
    kernels,
    moves,
    neighbors,
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
from baycarp.cli.output import grid, print_each
from baycarp.errors import ArgumentError


def run(args: Namespace) -> int:
    """Measure and print; ``MISSED`` when a goal is missed."""
    _verify(args)
    if args.part in LONGER:
        return LONGER[args.part](args)
    goals = list(PARTS[args.part](args))
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
    "neighbors": neighbors.goals,
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
    "deadlines": deadlines.add,
    "explanations": explanations.add,
    "gambler": gambler.add,
    "moves": moves.add,
    "neighbors": neighbors.add,
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
    """Refuse an option of another part.

    Raises
    ------
    ArgumentError
        It would change nothing.
    """
    own = SHARED.get(args.part, set()) | {action.dest for action in _options(args.part)}
    for name in OWN:
        for action in _options(name):
            if action.dest not in own and getattr(args, action.dest) != action.default:
                raise ArgumentError(f"{action.option_strings[0]}: of bench {name}, not of bench {args.part}")


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
    option("part", choices=sorted([*PARTS, *LONGER]), metavar="PART", help=_summaries()),
    flag("--json", "one JSON object a line for each goal"),
    option("--workers", type=count, default=1, help="processes, where a part takes them"),
    *(group(name, None, part) for name, part in OWN.items()),
)

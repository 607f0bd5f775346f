"""Approach an equilibrium of a game, and measure how much the strategy can lose."""

from argparse import Namespace
from collections.abc import Callable

from baycarp.cli.options import JSON, SEEDED, group, option, options
from baycarp.cli.solve import holdem, limit, nolimit, small
from baycarp.solvers import GAMES

SOLVED: dict[str, Callable[[Namespace], int]] = {
    **dict.fromkeys(GAMES, small.run),
    limit.GAME: limit.run,
    nolimit.GAME: nolimit.run,
}
"""By the name of a game, what solves it and prints the results."""

add = options(
    option("problem", metavar="GAME", choices=sorted(SOLVED), help=f"one of {', '.join(sorted(SOLVED))}"),
    SEEDED,
    JSON,
    group("small games", None, small.add),
    group("heads-up hold'em", None, holdem.add),
    group("heads-up fixed limit", None, limit.add),
)


def run(args: Namespace) -> int:
    """Solve the game that is named."""
    return SOLVED[args.problem](args)

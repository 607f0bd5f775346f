"""The moves of the no-limit population beside the published ones: ``python -m experiments moves``.

Van der Kleij (2010), table 4.2 and appendix C, printed the moves of people at tables of two, six and nine
seats; a record of no-limit hands of people or programs is counted beside them (``--people``).
"""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from baycarp.cli.options import count, option, options, seed
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import progress
from baycarp.errors import NotationError
from baycarp.game import ACTIONS, STREETS, Variant
from baycarp.game.plays import Plays
from baycarp.rules.betting.sizes import KLEIJ
from baycarp.training.logs import Logs, read
from experiments.options import JSON
from experiments.papers.registry import find
from experiments.players.moves import ALL_IN, Moves, moves, population

__all__ = ["PUBLISHED_SIZES", "add", "run"]

SEATS = (2, 6, 9)

NAMES = (*ACTIONS, ALL_IN)

PUBLISHED_SIZES: Mapping[tuple[int, str], tuple[float, ...]] = {
    (2, "bet"): (5.77, 5.66, 16.36, 68.04, 3.14, 0.47, 0.57),
    (6, "bet"): (5.97, 13.32, 29.30, 45.80, 3.95, 0.75, 0.91),
    (9, "bet"): (3.95, 11.66, 37.22, 41.10, 4.29, 0.94, 0.84),
    (2, "raise"): (9.80, 0.00, 0.02, 0.22, 85.00, 4.24, 0.72),
    (6, "raise"): (5.63, 8.56, 55.25, 25.81, 2.64, 0.70, 1.41),
    (9, "raise"): (54.55, 14.17, 21.46, 6.35, 1.84, 0.78, 0.86),
}
"""Percent of the bets or raises by letter of ``KLEIJ``: the sums of the actual sizes, tables C.1 to C.6."""

add = options(
    JSON,
    option("--deals", type=count, default=2000, help="hands of the population at each number of seats"),
    option(
        "--people",
        type=Path,
        metavar="LOG",
        help="a record of people: counted too (moves), or judged instead (players)",
    ),
    option("--people-game", metavar="GAME", help="the game of an ACPC log; PHH contains it"),
    option("--moves-seed", type=seed, default=1, help="fixes seats, cards and draws"),
)


def run(args: Namespace) -> int:
    """Count and print."""
    found: dict[str, Moves] = {}
    with progress("hands", args.deals * len(SEATS)) as tick:
        for seats in SEATS:
            counted = Moves()
            for hand in population(game(seats), args.deals, args.moves_seed):
                counted.add(hand)
                tick(args.deals * SEATS.index(seats) + counted.hands)
            found[f"{seats} seats"] = counted
    if args.people:
        found[args.people.name] = _people(args.people, args.people_game)
    if args.json:
        print(as_json({name: _to_dict(each) for name, each in found.items()}))
        return 0
    console = Console()
    console.print(_moves(found))
    for name, each in found.items():
        console.print(_streets(name, each))
    console.print(_sizes(found))
    return 0


def game(seats: int) -> Variant:
    """The population's game."""
    return Variant.load(f"holdem.nolimit.{seats}p.100bb")


def _people(path: Path, name: str | None) -> Moves:
    variant = Variant.load(name) if name else None
    entries = chain.from_iterable(Logs((path,), variant).sessions())
    counted = moves(read(entries, lambda refused: None, Plays(frozenset({"no-limit"}))))
    if not counted.hands:
        raise NotationError(f"{path}: expected no-limit hands")
    return counted


def _moves(found: Mapping[str, Moves]) -> Grid:
    """All streets together, ours before the published ones."""
    published = dict(find("004-4.2").rows)
    ours = [f"{seats} seats" for seats in SEATS]
    titles = chain.from_iterable((name, "published") if name in ours else (name,) for name in found)
    table = grid("move", *titles, words=("move",))
    for action in NAMES:
        cells = []
        for name, each in found.items():
            cells.append(_percent(each.share(action)))
            if name in ours:
                cells.append(published[action][ours.index(name)] if action in published else "-")
        table.add_row(action, *cells)
    table.title = "% of all moves (van der Kleij 2010, table 4.2)"
    table.caption = ", ".join(f"{name}: {each.hands:,} hands" for name, each in found.items())
    return table


def _streets(name: str, each: Moves) -> Grid:
    table = grid("move", *STREETS, words=("move",), title=f"% of the moves of a street, {name}")
    for action in NAMES:
        table.add_row(action, *(_percent(each.share(action, street)) for street in range(len(STREETS))))
    return table


def _sizes(found: Mapping[str, Moves]) -> Grid:
    titles = ("min", "1/4", "1/2", "3/4", "pot", "3/2", "2+")
    table = grid("", "of", *titles, words=("", "of"), title="% of bets and raises by size, shares of the pot")
    for kind in ("bet", "raise"):
        for name, each in found.items():
            table.add_row(name, kind, *(_percent(each.size(kind, letter)) for letter in KLEIJ.letters))
            if name.endswith(" seats"):
                table.add_row("  published", kind, *_printed(PUBLISHED_SIZES[int(name[0]), kind]))
    return table


def _printed(shares: Sequence[float]) -> list[str]:
    return [f"{share:.2f}" for share in shares]


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def _to_dict(each: Moves) -> dict[str, object]:
    streets = {
        street: {name: each.share(name, number) for name in NAMES} for number, street in enumerate(STREETS)
    }
    sizes = {kind: {letter: each.size(kind, letter) for letter in KLEIJ.letters} for kind in ("bet", "raise")}
    return {"hands": each.hands, "all": {name: each.share(name) for name in NAMES}, **streets, "sizes": sizes}

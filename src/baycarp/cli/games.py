"""List the shipped games in words."""

from argparse import Namespace
from dataclasses import asdict

from baycarp.cli.options import JSON
from baycarp.cli.output import as_json, console, grid
from baycarp.game.variant import Variant, shipped

__all__ = ["add", "run"]

add = JSON


def run(args: Namespace) -> int:
    """Print one line for each game that ships with the package."""
    games = [Variant.load(name) for name in shipped()]
    if args.json:
        records = [asdict(game) for game in games]
        print(
            as_json(
                [{name: value for name, value in r.items() if name != "rules"} for r in records], indent=2
            )
        )
        return 0
    table = grid("game", "seats", "blinds", "bets, stacks", words=("game", "blinds", "bets, stacks"))
    table.columns[0].no_wrap = True
    for game in games:
        table.add_row(game.name, str(game.seats), _blinds(game), _chips(game))
    screen = console()
    screen.print(table)
    screen.print(
        "Blinds and bets are in chips. A game of your own: an ACPC .game file, where --game is an option."
    )
    return 0


def _blinds(game: Variant) -> str:
    return "/".join(str(blind) for blind in sorted(filter(None, game.blinds)))


def _chips(game: Variant) -> str:
    """The bets of fixed limit and their number a street; the stacks of no-limit."""
    if game.betting == "limit":
        counts = "/".join("any" if most is None else str(most) for most in game.max_raises)
        bets = f"limit {game.small_bet}/{game.big_bet}, {counts} raises a street"
    else:
        bets = "no-limit"
    if game.stacks is None:
        return bets
    depth = min(game.stacks) / game.big_blind
    same = len(set(game.stacks)) == 1
    return f"{bets}, stacks of {depth:g} big blinds{'' if same else ' at least'}"

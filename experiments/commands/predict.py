"""Predict the next action of people in a record, from public information and who they are; or their cards."""

from argparse import Namespace
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from rich.console import Console

from baycarp.cli.options import JSON, count, flag, option, options, seed
from baycarp.cli.output import as_json, console, grid
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from benchmarks.records import sessions_of
from experiments.people.dealt_cards import FIRST, DealtCards, judge_dealt
from experiments.people.dealt_rows import DealtRows
from experiments.people.people import Scored, judge_people
from experiments.people.rows import people_rows

__all__ = ["add", "run"]

WIDTH = 120
"""Columns of the table of hidden cards."""

ANY = Plays(frozenset({"limit", "no-limit"}))

add = options(
    option(
        "--people",
        type=Path,
        required=True,
        metavar="FILE",
        help="an ACPC log, PHH, PHHS (.gz), a folder, or IRC's .tar.gz, in time",
    ),
    option("--game", help="the game of an ACPC log, like holdem.limit.2p.reverse_blinds"),
    option("--hands", type=count, help="at most (default: all)"),
    option("--seed", type=seed, default=1, help="fixes the trees"),
    flag("--hidden", "predict the hidden cards in place of the action, where the record has all of them"),
    flag("--no-rival", "leave out scikit-learn's trees"),
    JSON,
)


def run(args: Namespace) -> int:
    """Train on the first four fifths of the hands, score the last, and print."""
    game = Variant.load(args.game) if args.game else None
    hands = list(chain.from_iterable(sessions_of(args.people, game, args.hands, ANY)))
    if args.hidden:
        return _run_hidden(args, hands)
    rows = people_rows(hands)
    found = judge_people(rows, args.seed, rival=not args.no_rival)
    if args.json:
        print(as_json([asdict(each) for each in found]))
        return 0
    _show(f"{args.people.name}: {len(hands):,} hands, {len(rows):,} decisions", found)
    return 0


def _run_hidden(args: Namespace, hands: list[Hand]) -> int:
    """Beliefs of hidden cards on the last fifth."""
    found = judge_dealt(DealtRows.of(hands), args.seed, rival=not args.no_rival)
    if args.json:
        print(as_json([asdict(each) for each in found]))
    else:
        _show_hidden(f"{args.people.name}: {len(hands):,} hands", found)
    return 0


def _show_hidden(title: str, found: list[DealtCards]) -> None:
    headings = ("log loss", *STREETS, "reciprocal rank", *(f"among {first}, %" for first in FIRST))
    table = grid("model", *headings, title=title, words=("model",))
    for each in found:
        table.add_row(
            each.name,
            "{:.3f} ± {:.3f}".format(*each.loss),
            *(f"{mean:.2f}" for mean, _ in each.streets),
            "{:.4f} ± {:.4f}".format(*each.reciprocal),
            *(f"{100 * mean:.1f} ± {100 * wide:.1f}" for mean, wide in each.among),
        )
    table.caption = (
        f"the true holding of {found[0].points:,} players in at the end of a street, last fifth of the "
        "hands; nats, rank among 1,326; 95 % margins by hand"
    )
    console(WIDTH).print(table)


def _show(title: str, found: list[Scored]) -> None:
    table = grid(
        "model", "log loss", "less than the table", "right, %", "calibration", title=title, words=("model",)
    )
    for each in found:
        table.add_row(
            each.name,
            "{:.4f} ± {:.4f}".format(*each.loss),
            "{:.4f} ± {:.4f}".format(*each.gain),
            f"{100 * each.right[0]:.1f} ± {100 * each.right[1]:.1f}",
            f"{each.calibration:.4f}",
        )
    table.caption = (
        "fold, check or call, bet or raise on the last fifth of the hands, nats; 95 % margins by hand"
    )
    Console().print(table)

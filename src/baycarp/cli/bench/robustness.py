"""Malformed messages for every parser, and random hands for the chips: ``baycarp bench robustness``.

``--full`` runs the gates of ``baycarp.study.robustness.gates`` instead, in parts that a journal records.
"""

import json
import time
from argparse import ArgumentTypeError, Namespace, _ArgumentGroup
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.workers import processes
from baycarp.cli.bench import gates
from baycarp.cli.options import seed
from baycarp.errors import VariantError, WorkerError
from baycarp.game.variant import Variant
from baycarp.kernels.game import random_hands
from baycarp.study.robustness.gate import Share
from baycarp.study.robustness.messages import Figures, bombard
from baycarp.study.robustness.parsers import PARSERS

__all__ = ["add", "run"]

GAMES = (
    *(Variant.ring(seats) for seats in (2, 3, 6, 8, 10)),
    Variant.ring(2, 100, betting="no-limit", stacks=(20_000, 20_000)),
    Variant.ring(6, 100, betting="no-limit", stacks=(150, 900, 20_000, 333, 5_000, 100), ante=7),
)


def _conserve(number: int, hands: int, seed: int) -> Figures:
    """Random hands of one game; ``random_hands`` ends with an error where payoffs do not sum to 0."""
    game, began = GAMES[number], time.process_time()
    figures = Figures(f"chips, {game.betting}, {game.seats} seats", seed, hands)
    try:
        random_hands(game, hands, seed)
        figures.accepted = hands
    except VariantError as error:
        figures.untyped = 1
        figures.failures.append(str(error))
    figures.seconds = time.process_time() - began
    return figures


def add(group: _ArgumentGroup) -> None:
    """Name the options."""
    group.add_argument("--messages", type=int, default=20_000, help="to each parser (default: %(default)s)")
    group.add_argument(
        "--random-hands", type=int, default=1_000_000, help="in all games together (default: %(default)s)"
    )
    group.add_argument(
        "--only", default="", metavar="WORD", help="parsers, games or gates with this in their name"
    )
    group.add_argument("--seed", type=seed, default=1, help="fixes every message, hand and accident")
    group.add_argument(
        "--full", action="store_true", help="run the gates, for hours; the same command goes on"
    )
    group.add_argument(
        "--scale", type=scale, default=1.0, help="share of the size of each gate, to 1 (default: 1)"
    )
    group.add_argument(
        "--out",
        type=Path,
        default=Path("robustness"),
        help="folder of the gates (default: ./%(default)s)",
    )


def scale(text: str) -> float:
    """A share, above 0, at most 1."""
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ArgumentTypeError(f"{text!r}: expected a share above 0, at most 1")
    return share


def run(args: Namespace) -> int:
    """Send the messages, play the hands, print the outcomes; 1 when something was found."""
    if args.full:
        return gates.run(args)
    jobs = [
        (name, partial(bombard, name, Share(0, args.messages, args.seed)))
        for name in PARSERS
        if args.messages
    ]
    share = -(-args.random_hands // len(GAMES))
    jobs += [(game.name, partial(_conserve, at, share, args.seed)) for at, game in enumerate(GAMES) if share]
    jobs = [(name, job) for name, job in jobs if args.only.lower() in name.lower()]
    sound = True
    lines = []
    for figures in _done(jobs, args):
        sound = sound and figures.sound
        lines.append(figures)
        if args.json:
            print(json.dumps(asdict(figures)), flush=True)
    if not args.json:
        _show(lines)
    return 0 if sound else 1


def _done(jobs: Sequence[tuple[str, Callable[[], Figures]]], args: Namespace) -> Iterator[Figures]:
    """Each job in a process of its own, so that a crash is one line of the table."""
    for name, job in jobs:
        try:
            with processes(1) as pool:
                yield pool.submit(job).result()
        except WorkerError:
            yield Figures(name, args.seed, args.messages, crashed=1)


def _show(lines: Sequence[Figures]) -> None:
    grid = Grid(title="outcomes of malformed messages, and of random hands", box=SIMPLE, padding=(0, 1, 0, 0))
    for column in ("to", "number", "accepted", "refused", "untyped", "slow", "crash", "most ms", "CPU s"):
        grid.add_column(column, justify="left" if column == "to" else "right", no_wrap=True)
    for one in lines:
        counts = (one.messages, one.accepted, one.refused, one.untyped, one.slow, one.crashed)
        slowest = f"{one.slowest:.1f}" if one.slowest else "-"
        grid.add_row(one.parser, *(f"{count:,}" for count in counts), slowest, f"{one.seconds:.0f}")
    console = Console()
    console.print(grid)
    for one in lines:
        for failure in one.failures:
            console.print(f"{one.parser}: {failure}", markup=False, highlight=False, soft_wrap=True)

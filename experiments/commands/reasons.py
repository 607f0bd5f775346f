"""Does the stated reason hold: sentences or claims about hands, checked against them.

Without a file the checker itself is scored on 300 sentences of known truth, 100 of them held back while it
was built. A file has a JSON object a line: a position as ``baycarp.arena.engine`` has it (``game``, ``seat``,
``holes``, ``board``, ``actions``), and ``reason``, a text, or ``claims`` (``experiments.reasons.claims``).
"""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from baycarp.cli.options import option, options
from baycarp.cli.output import console, grid, print_each
from baycarp.errors import NotationError
from baycarp.files import read_bytes
from baycarp.game.notation.wire import parse, read_hand
from benchmarks.parts.goal import MISSED
from experiments.options import JSON
from experiments.reasons.check import VERDICTS, StatedReason, check_claims, check_reason, score, sentences

__all__ = ["add", "run"]

GOAL = 0.95
"""Precision on the held-back sentences."""

LONGEST = 1 << 26
"""Bytes of a file of reasons."""

add = options(
    JSON,
    option(
        "reasons", nargs="?", type=Path, help="a file of positions with reasons; none = score the checker"
    ),
)


def run(args: Namespace) -> int:
    """Check, and print; 3 where the checker is less precise than its goal."""
    if args.reasons is None:
        return _scored()
    found = list(_checked(args.reasons))
    if args.json:
        print_each(found)
    counts = Counter(each.verdict for each in found)
    if not args.json:
        for each in found:
            print(f"{each.verdict:<14}  {each.text}{f'  ({each.left})' if each.left else ''}")
        print(", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS))
    return 0


def _scored() -> int:
    table = grid("sentences", "precision", "recall", "holds", "fails", "understood", words=("sentences",))
    met = True
    for name in ("building", "held_back"):
        found, _ = score(sentences(name))
        shares = (found.precision, found.recall, found.holds, found.fails, found.understood)
        table.add_row(name.replace("_", " "), *(f"{share} {100 * share.value:.1f} %" for share in shares))
        met = met and found.precision.value >= GOAL
    console().print(table)
    return 0 if met else MISSED


def _checked(path: Path) -> Iterator[StatedReason]:
    for number, line in enumerate(read_bytes(path, LONGEST).splitlines(), 1):
        message = parse(line)
        hand, seat = read_hand(message, None)
        if seat is None:
            raise NotationError(f"{path}, line {number}: expected the seat whose reason it is")
        observation = hand.observe(seat)
        if isinstance(message.get("reason"), str):
            yield from check_reason(message["reason"], observation)
        elif isinstance(message.get("claims"), list):
            yield from check_claims(message["claims"], observation)
        else:
            raise NotationError(f"{path}, line {number}: expected a reason or claims")

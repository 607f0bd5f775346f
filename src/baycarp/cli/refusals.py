"""What cannot be read, counted by reason: one line each, with the first."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from baycarp.cli.output import counted
from baycarp.game.notation.hand import Refusal, Refused

__all__ = ["refusals"]


@contextmanager
def refusals() -> Iterator[Refusal]:
    """Something to call with refusals; at the end of the block each reason is printed on a line of stderr."""
    counts: Counter[str] = Counter()
    first: dict[str, Refused] = {}

    def count(refused: Refused) -> None:
        counts[refused.reason] += 1
        first.setdefault(refused.reason, refused)

    try:
        yield count
    finally:
        for reason, number in counts.most_common():
            others = f" and {counted(number - 1, 'other')}" if number > 1 else ""
            print(f"not read: {first[reason]}{others}", file=sys.stderr)

"""How many hands of people's files are read, by format, and why the others are not."""

import time
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path

from rich.console import Console

from baycarp.cli.options import option, options
from baycarp.cli.output import as_json, grid
from baycarp.game.notation.door import recognised
from baycarp.game.notation.hand import Refused
from baycarp.game.notation.sources import texts
from experiments.options import JSON

__all__ = ["add", "run"]

FIRST_LINES = 100
"""Lines that a format is recognised by."""

add = options(JSON, option("files", type=Path, help="a file, a folder or an archive"))


@dataclass
class Count:
    """The files and hands of a format, and the reasons of those refused."""

    files: int = 0
    read: int = 0
    seconds: float = 0.0
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def hands(self) -> int:
        """All that were found."""
        return self.read + self.reasons.total()

    def refuse(self, refused: Refused) -> None:
        """Count a hand that cannot be read."""
        self.reasons[refused.reason] += 1


def run(args: Namespace) -> int:
    """Read all hands, and print the table of formats."""
    counts = counted(args.files)
    if args.json:
        rows = ({"format": name, "hands": each.hands} | vars(each) for name, each in counts.items())
        print(as_json(list(rows)))
        return 0
    table = grid("format", "files", "hands", "read", "ms a hand", "not read", words=("format", "not read"))
    for name, each in counts.items():
        reasons = ", ".join(f"{count} {reason}" for reason, count in each.reasons.most_common())
        milliseconds = f"{1000 * each.seconds / max(each.hands, 1):.2f}"
        table.add_row(name, str(each.files), str(each.hands), str(each.read), milliseconds, reasons or "-")
    Console().print(table)
    return 0


def counted(path: Path) -> dict[str, Count]:
    """Read all texts of a path; the counts by format."""
    counts: dict[str, Count] = {}
    for text in texts(path, counts.setdefault("-", Count()).refuse):
        lines = text.lines()
        first = list(islice(lines, FIRST_LINES))
        found = recognised("".join(first))
        count = counts.setdefault(found.name if found else "unknown", Count())
        count.files += 1
        if found is None:
            continue
        began = time.process_time()
        for _ in found.read(chain(first, lines), text.where, count.refuse):
            count.read += 1
        count.seconds += time.process_time() - began
    return {name: count for name, count in sorted(counts.items()) if count.files or count.reasons}

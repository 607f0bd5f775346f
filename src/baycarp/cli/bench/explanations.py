"""Whether explanations are true: how much further decisions move without what is cited than a control."""

import json
from argparse import Namespace, _ArgumentGroup
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.registry import DEFAULT
from baycarp.agents.table import TABLE
from baycarp.arena.session import Table
from baycarp.cases import POLICIES, Weighing
from baycarp.cli.grids import add_numbers
from baycarp.cli.options import count
from baycarp.game.action import STREETS
from baycarp.game.variant import Variant
from baycarp.study.faithfulness import Factor, Moved, factor, moved_by_cases, moved_by_evidence, situations

__all__ = ["add", "run"]

WORDS = {
    ("cited", "others"): "the five cited cases, beside five of all other retrieved cases",
    ("cited", "supporters"): "the five cited cases, beside five other supporters of the action",
    ("nearest", "others"): "the five nearest cases, beside five of all other retrieved cases",
    ("by decision", "pieces"): "the evidence that moves the decision most on the other half of the cases",
    ("by case", "pieces"): "the evidence that moves the case most",
    ("by belief", "pieces"): "the evidence that moves the belief most",
}
"""What is taken away, and the control."""

WIDTH = 124
"""Columns that a table takes."""

EXPLAINS = (("cited", "supporters"), ("by decision", "pieces"))
"""What explanations cite, beside the strictest control; the others are there to compare."""


@dataclass(frozen=True, slots=True)
class _Line:
    what: str
    policy: str
    street: str
    factor: Factor
    met: bool | None


def add(group: _ArgumentGroup) -> None:
    """Name the options."""
    group.add_argument(
        "--agent",
        default=f"{DEFAULT}(learning=False)",
        help="the agent that explains (default: %(default)s)",
    )
    group.add_argument("--played", type=count, default=200, help="hands that it plays (default: %(default)s)")


def run(args: Namespace) -> int:
    """Measure and print; 1 where what explanations cite moves decisions less than its control.

    "Less" is an interval below 1: few hands do not refute an explanation.
    """
    lines = list(_lines(args.agent, args.played, args.seed))
    if args.json:
        for line in lines:
            print(json.dumps(asdict(line)))
    else:
        console = Console()
        console.width = max(console.width, WIDTH)
        for what in dict.fromkeys(line.what for line in lines):
            console.print(_grid(what, [line for line in lines if line.what == what]))
    return int(any(line.met is False for line in lines))


def _lines(agent: str, hands: int, seed: int) -> Iterator[_Line]:
    """Every other seat is the agent's; the others are those of the default table."""
    specs = [spec for other in TABLE[:4] for spec in (agent, other)]
    players = tuple(f"{number}" for number in range(8))
    table, moved = Table(Variant.ring(8), players, tuple(specs), seed), list[Moved]()
    policies = {name: policy for name, policy in POLICIES.items() if isinstance(policy, Weighing)}
    for hand, if_not in situations(table, hands):
        moved += moved_by_cases(if_not, hand, policies, seed=seed)
        moved += moved_by_evidence(if_not, hand, policies)
    for kind, words in WORDS.items():
        for policy in policies:
            mine = [m for m in moved if (m.what, m.control, m.policy) == (*kind, policy)]
            for street in (None, *range(4)):
                some = [m for m in mine if street in (None, m.street)]
                if not some:
                    continue
                result, name = factor(some, seed), "all" if street is None else STREETS[street]
                met = result.times.high >= 1 if street is None and kind in EXPLAINS else None
                yield _Line(words, policy, name, result, met)


def _grid(what: str, lines: Sequence[_Line]) -> Grid:
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0), title=f"without {what}")
    grid.caption = (
        "flipped: share of decisions whose likeliest action changes; times: of movement; 95 % over hands"
    )
    for title in ("policy", "street"):
        grid.add_column(title, no_wrap=True)
    add_numbers(grid, ("asked", "flipped, %", "by control, %", "moved", "control", "times", "met"))
    for line in lines:
        found = line.factor
        grid.add_row(
            line.policy,
            line.street,
            f"{found.situations:,}",
            found.flipped.percent(),
            found.flipped_at_random.percent(),
            f"{found.chosen:.4f}",
            f"{found.random:.4f}",
            str(found.times),
            "-" if line.met is None else "yes" if line.met else "NO",
        )
    return grid

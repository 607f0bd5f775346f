"""Whether explanations are true: how much further decisions move without what is cited than at random."""

import json
from argparse import Namespace, _ArgumentGroup
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.registry import DEFAULT
from baycarp.agents.schemas import STREETS
from baycarp.agents.table import TABLE
from baycarp.arena.faithfulness import Factor, Moved, factor, moved_by_cases, moved_by_evidence, situations
from baycarp.arena.session import Table
from baycarp.cases import POLICIES, Weighing
from baycarp.cli.options import count
from baycarp.game.variant import Variant

__all__ = ["add", "run"]

MUST = 3.0
"""So many times further."""

WORDS = {
    "cited": "the five cited cases",
    "nearest": "the five nearest cases",
    "by decision": "the evidence that moves the decision most",
    "by case": "the evidence that moves the case most",
    "by belief": "the evidence that moves the belief most",
}
"""What is taken away."""

EXPLAINS = ("cited", "by decision")
"""What explanations cite; the others are there to compare."""


@dataclass(frozen=True, slots=True)
class _Line:
    what: str
    policy: str
    street: str
    factor: Factor

    @property
    def met(self) -> bool | None:
        """Whether it reaches what it must; a mixture need not: see ``run``."""
        must = self.what in EXPLAINS and self.street == "all" and self.policy != "proportional"
        return self.factor.times >= MUST if must else None


def add(group: _ArgumentGroup) -> None:
    """Name the options."""
    group.add_argument(
        "--agent", default=f"{DEFAULT}(learning=False)", help="who explains himself (default: %(default)s)"
    )
    group.add_argument("--played", type=count, default=200, help="hands he plays (default: %(default)s)")


def run(args: Namespace) -> int:
    """Measure and print; 1 where less than three times.

    A mixture of votes moves by the share of those taken away; of equal voters no five can move it much
    further than any five, so that there the factor is told and not asked for.
    """
    lines = list(_lines(args.agent, args.played, args.seed))
    if args.json:
        for line in lines:
            told = {"what": WORDS[line.what], "policy": line.policy, "street": line.street}
            print(json.dumps({**told, **asdict(line.factor), "met": line.met}))
    else:
        console = Console()
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
    for what in WORDS:
        for policy in policies:
            mine = [m for m in moved if (m.what, m.policy) == (what, policy)]
            for street in (None, *range(4)):
                some = [m for m in mine if street in (None, m.street)]
                if some:
                    yield _Line(
                        what, policy, "all" if street is None else STREETS[street], factor(some, seed)
                    )


def _grid(what: str, lines: Sequence[_Line]) -> Grid:
    grid = Grid(box=SIMPLE, padding=(0, 1, 0, 0), title=f"how far decisions move without {WORDS[what]}")
    grid.caption = "at random: as many of the other cases, or pieces of evidence; 95 % over hands"
    for title in ("policy", "street"):
        grid.add_column(title, no_wrap=True)
    for title in ("asked", "moved", "at random", "times (95 %)", "met"):
        grid.add_column(title, justify="right", no_wrap=True)
    for line in lines:
        found = line.factor
        grid.add_row(
            line.policy,
            line.street,
            f"{found.situations:,}",
            f"{found.chosen:.2%}",
            f"{found.random:.2%}",
            f"{found.times:.1f} ({found.low:.1f} .. {found.high:.1f})",
            "-" if line.met is None else "yes" if line.met else "NO",
        )
    return grid

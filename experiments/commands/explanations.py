"""Faithfulness of explanations: the effect of removing the cited evidence, compared with a control."""

from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rich.table import Table as Grid

from baycarp.agents.table import TABLE
from baycarp.arena.session import Table
from baycarp.cases import POLICIES, Weighing
from baycarp.cli.options import SEEDED, count, option, options
from baycarp.cli.output import console, grid, print_each
from baycarp.game import STREETS, Variant
from benchmarks.parts.goal import MISSED
from experiments.decisions.faithfulness import (
    Factor,
    Moved,
    factor,
    moved_by_cases,
    moved_by_evidence,
    situations,
)
from experiments.options import JSON

__all__ = ["add", "run"]

WORDS = {
    ("cited", "others"): "the five cited cases, beside five of all other retrieved cases",
    ("cited", "supporters"): "the five cited cases, beside five other supporters of the action",
    ("nearest", "others"): "the five nearest cases, beside five of all other retrieved cases",
    ("by decision", "pieces"): "the evidence that moves the decision most on the other half of the cases",
    ("by case", "pieces"): "the evidence that moves the case most",
    ("by belief", "pieces"): "the evidence that moves the belief most",
}
"""The removed evidence, and the control."""

WIDTH = 124
"""Columns that a table takes."""

EXPLAINS = (("cited", "supporters"), ("by decision", "pieces"))
"""The evidence that explanations cite, with the strictest control; the others are for comparison."""


@dataclass(frozen=True, slots=True)
class _Line:
    what: str
    policy: str
    street: str
    factor: Factor
    met: bool | None


add = options(
    JSON,
    SEEDED,
    option("--agent", default="baycarp2(opponents='styles', learning=False)", help="the agent that explains"),
    option("--played", type=count, default=200, help="hands that it plays"),
)


def run(args: Namespace) -> int:
    """Measure and print; 1 where the cited evidence moves decisions less than its control.

    "Less" is an interval below 1: few hands do not refute an explanation.
    """
    lines = list(_lines(args.agent, args.played, args.seed))
    if args.json:
        print_each(lines)
    else:
        for what in dict.fromkeys(line.what for line in lines):
            console(WIDTH).print(_grid(what, [line for line in lines if line.what == what]))
    return MISSED * any(line.met is False for line in lines)


def _lines(agent: str, hands: int, seed: int) -> Iterator[_Line]:
    """Every other seat is the agent's; the others are those of the default table."""
    specs = [spec for other in TABLE[:4] for spec in (agent, other)]
    players = tuple(f"{number}" for number in range(8))
    table, moved = Table(Variant.ring(8), players, tuple(specs), seed), list[Moved]()
    policies = {name: policy for name, policy in POLICIES.items() if isinstance(policy, Weighing)}
    for hand, if_not in situations(table, hands):
        moved += moved_by_cases(if_not, hand, policies, seed=seed)
        moved += moved_by_evidence(if_not, hand, policies)
    for (kind, words), policy, street in product(WORDS.items(), policies, (None, *range(4))):
        wanted = (*kind, policy)
        some = [m for m in moved if (m.what, m.control, m.policy) == wanted and street in (None, m.street)]
        if some:
            result, name = factor(some, seed), "all" if street is None else STREETS[street]
            met = result.times.high >= 1 if street is None and kind in EXPLAINS else None
            yield _Line(words, policy, name, result, met)


def _grid(what: str, lines: Sequence[_Line]) -> Grid:
    titles = ("policy", "street", "asked", "flipped, %", "by control, %", "moved", "control", "times", "met")
    table = grid(
        *titles,
        words=titles[:2],
        title=f"without {what}",
        caption="flipped: share of decisions whose likeliest action changes; times: of movement; "
        "95 % over hands",
    )
    for line in lines:
        found = line.factor
        table.add_row(
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
    return table

"""The gap of imitators to their teacher by the number of hands watched: Sartre's, and BayCaRP2's."""

import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from functools import partial
from math import nan

from rich.console import Console
from rich.table import Table as Grid

from baycarp.arena.measure import Rate
from baycarp.cases import POLICIES
from baycarp.cli.options import JSON, SEEDED, WORKERS, count, folder, option, options
from baycarp.cli.output import as_json, drawn, grid
from baycarp.cli.progress import progress, stages
from baycarp.game import Variant
from baycarp.strategies.sartre import GAME
from experiments.cases.imitation import Duel, Imitation, duels, gaps, learn
from experiments.cases.policy_agreement import policy_agreement
from experiments.pictures import save_learning

__all__ = ["add", "run"]

HANDS, RIVALS = (10_000, 30_000, 100_000), (10_000, 30_000)
"""Hands watched by default."""

add = options(
    option("--teacher", default="equilibrium", metavar="AGENT", help="answers as a table"),
    option("--hands", type=count, nargs="+", default=list(HANDS), help="numbers of hands watched"),
    option("--rivals", type=count, nargs="*", default=list(RIVALS), help="those BayCaRP2 watches, too"),
    option("--policies", nargs="+", choices=POLICIES, default=["majority"], help="Sartre's re-use of cases"),
    option("--boards", type=count, default=100, help="of five cards, on which a Sartre is valued exactly"),
    option("--deals", type=count, default=1000, help="of each match of a BayCaRP2, in both seatings"),
    option("--teacher-hands", type=count, default=500, help="held out, to compare cases with its policy"),
    SEEDED,
    WORKERS,
    folder("imitation", "folder of models and journals; it is completed after an interruption"),
    JSON,
)


def run(args: Namespace) -> int:
    """Make the models that the folder lacks, measure, print and draw."""
    hands, rivals = (tuple(sorted({*numbers})) for numbers in (args.hands, args.rivals))
    plan = Imitation(args.out, hands, rivals, args.teacher, args.seed, tuple(args.policies))
    command = ["baycarp", "imitation", "--teacher", args.teacher, "--seed", str(args.seed), "--hands"]
    with stages() as tick:
        learn(plan, shlex.join([*command, *map(str, hands)]), args.workers, tick)
    with progress("boards", args.boards) as done:
        found = gaps(plan, args.boards, args.seed, args.workers, done)
    apart = _divergences(plan, args.teacher_hands)
    played = duels(plan, args.deals, args.seed, args.workers)
    if args.json:
        print(as_json(_to_dict(plan, found, apart, played)))
        return 0
    Console().print(_grid(plan, found, apart, played))
    print(f"against {plan.teacher}: {args.boards} boards; BayCaRP2: {2 * args.deals} hands a match; 95 %")
    hands_held_out = f"{args.teacher_hands:,} held-out hands"
    print(f"KL of Sartre's cases from the teacher's policy: nats a decision, {hands_held_out}")
    print(_draw(plan, found, played))
    return 0


def _divergences(plan: Imitation, hands: int) -> list[Rate]:
    """How far each Sartre's cases are from the teacher's policy; the hands have a seed of their own."""
    specs = [plan.sartre(watched) for watched in plan.hands]
    with progress("hands", hands) as done:
        found = policy_agreement(specs, plan.teacher, Variant.load(GAME), hands, plan.seed + 1, done)
    return [found.divergence(player, predictor=0) for player in range(len(specs))]


def _grid(
    plan: Imitation,
    found: Mapping[str, Sequence[Rate]],
    apart: Sequence[Rate],
    played: Sequence[Duel],
) -> Grid:
    """A line for each number of hands."""
    by_hands = {duel.hands: duel for duel in played}
    title = "small bets a hand, by hands watched"
    names = (f"sartre, {policy}" for policy in found)
    table = grid("watched", *names, "KL", "baycarp2", "sartre from it", words=(), title=title)
    for place, hands in enumerate(plan.hands):
        duel = by_hands.get(hands)
        cells = ["-", "-"] if duel is None else [duel.gap.cell(), duel.won.cell()]
        exact = (line[place].cell(4) for line in found.values())
        table.add_row(f"{hands:,}", *exact, apart[place].cell(), *cells)
    return table


def _draw(plan: Imitation, found: Mapping[str, Sequence[Rate]], played: Sequence[Duel]) -> str:
    """Draw the curves where matplotlib is installed; the line to print about it."""
    by_hands = {duel.hands: (duel.gap.mean, duel.gap.margin) for duel in played}
    lines = {f"sartre, {name}": [(each.mean, each.margin) for each in line] for name, line in found.items()}
    if played:
        lines["baycarp2"] = [by_hands.get(hands, (nan, nan)) for hands in plan.hands]
    panels = {f"small bets a hand from {plan.teacher}": lines}
    draw = partial(save_learning, panels, plan.hands, hands="hands watched")
    return drawn("the curves", plan.folder / "imitation.svg", draw)


def _to_dict(
    plan: Imitation,
    found: Mapping[str, Sequence[Rate]],
    apart: Sequence[Rate],
    played: Sequence[Duel],
) -> dict[str, object]:
    return {
        "teacher": plan.teacher,
        "watched": list(plan.hands),
        "sartre": {policy: [each.to_dict() for each in line] for policy, line in found.items()},
        "divergence": [{"mean": each.mean, "margin": each.margin, "decisions": each.n} for each in apart],
        "baycarp2": [
            {"watched": duel.hands, "gap": duel.gap.to_dict(), "sartre wins": duel.won.to_dict()}
            for duel in played
        ],
    }

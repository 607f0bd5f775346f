"""The cases of players beside the policy of their teacher, in held-out hands."""

from argparse import Namespace

from baycarp.cli.options import JSON, count, option, options, seed
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.game import Variant
from baycarp.game.action import STREETS
from baycarp.strategies.sartre import GAME
from experiments.cases.policy_agreement import PREDICTORS, PolicyAgreement, policy_agreement

__all__ = ["add", "run"]

add = options(
    JSON,
    option("--learners", nargs="+", default=["sartre"], metavar="AGENT", help="case players"),
    option("--teacher", default="equilibrium", metavar="AGENT", help="plays against itself"),
    option("--teacher-hands", type=count, default=2000, help="held out: other ones than the players watched"),
    option(
        "--teacher-seed", type=seed, default=2, help="of the held-out hands: not the seed of those watched"
    ),
    option("--teacher-game", default=GAME, metavar="GAME", help="a shipped game or a .game file"),
)


def run(args: Namespace) -> int:
    """Play the held-out hands, and print the divergences by street."""
    with progress("hands", args.teacher_hands) as tick:
        found = policy_agreement(
            args.learners,
            args.teacher,
            Variant.load(args.teacher_game),
            args.teacher_hands,
            args.teacher_seed,
            tick,
        )
    rows = [
        _row(found, place, street) for place in range(len(args.learners)) for street in (None, 0, 1, 2, 3)
    ]
    if args.json:
        named = [spec for spec in args.learners for _ in range(5)]
        print(as_json([{"agent": spec, **row} for spec, row in zip(named, rows, strict=True)]))
        return 0
    for place, spec in enumerate(args.learners):
        table = grid("street", "decisions", "entropy", "log loss", *_HEADS, words=("street",), title=spec)
        for street in (0, 1, 2, 3, None):
            table.add_row(*_cells(found, place, street))
        console(WIDTH).print(table)
    hands = f"{args.teacher_hands:,} held-out hands"
    print(f"nats a decision, 95 % by hand; KL from the policy of {args.teacher}: {hands}")
    return 0


WIDTH = 110
"""Columns that the table needs."""

_HEADS = ("KL of the cases re-used", "of the nearest betting", "of the street")


def _cells(found: PolicyAgreement, player: int, street: int | None) -> list[str]:
    """A line of the table."""
    row = found.entropy(player, street)
    return [
        "all" if street is None else STREETS[street],
        f"{row.n:,}",
        f"{row.mean:.3f}",
        f"{found.loss(player, 0, street).mean:.3f}",
        *(found.divergence(player, place, street).cell() for place in range(len(PREDICTORS))),
    ]


def _row(found: PolicyAgreement, player: int, street: int | None) -> dict[str, object]:
    """The same as JSON values."""
    apart = {name: found.divergence(player, place, street) for place, name in enumerate(PREDICTORS)}
    return {
        "street": "all" if street is None else STREETS[street],
        "decisions": found.entropy(player, street).n,
        "entropy": found.entropy(player, street).mean,
        "loss": found.loss(player, 0, street).mean,
        "divergence": {name: {"mean": each.mean, "margin": each.margin} for name, each in apart.items()},
    }

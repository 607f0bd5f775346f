"""Tune feature weights, similarity constants and thresholds of a model's cases, and measure the gain."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from baycarp.cli.options import CLUSTER, JSON, WORKERS, count, fields, flag, folder, option, options, seed
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import stages
from baycarp.cli.runs import workers_of
from baycarp.errors import ModelError
from baycarp.strategies.model import SHIPPED, play_with
from baycarp.training.tune import Tuned, TunePlan, tune

SETTINGS = {
    "generations": (count, "of the search of each street, at most"),
    "ask": (count, "held-out cases of a street to choose by, at most, and as many to measure the gain"),
    "finalists": (count, "number of weights that play against the thesis'"),
    "deals": (seed, "of that match, each in all seatings; 0 = none"),
    "seed": (seed, "fixes every card and draw"),
}
"""Fields of a plan that are options: type and help."""

add = options(
    option(
        "model", nargs="?", type=Path, default=SHIPPED, help="a model's folder (default: the shipped one)"
    ),
    folder("tuned", "folder of journals and weights"),
    fields(TunePlan(SHIPPED, Path()), SETTINGS),
    WORKERS,
    CLUSTER,
    flag("--keep", "put the weights into the model's manifest, to be played with"),
    JSON,
)


def run(args: Namespace) -> int:
    """Tune, and print the gain."""
    if args.keep and args.model.resolve() == SHIPPED:
        raise ModelError("--keep: expected a model of your own; the shipped one is not changed")
    settings = {name: getattr(args, name) for name in SETTINGS}
    model = "" if args.model == SHIPPED else f" {args.model}"
    command = f"baycarp tune{model} " + " ".join(f"--{name} {value}" for name, value in settings.items())
    with workers_of(args) as workers, stages() as progress:
        tuned = tune(TunePlan(args.model, args.out, **settings), command, workers, progress)
    if args.keep:
        play_with(args.model, tuned.weights)
    if args.json:
        record = {
            "changes": {street: asdict(change) for street, change in tuned.changes.items()},
            "match": [asdict(rate) for rate in tuned.match],
            "weights": tuned.weights.to_dict(),
        }
        print(as_json(record))
    else:
        _show(tuned, _spec(args.model, args.out / "weights.json"))
    return 0


def _spec(model: Path, weights: Path) -> str:
    """The agent that plays with the weights."""
    own = "" if model == SHIPPED else f"model='{model}', "
    return f"{'cases' if own else 'baycarp2'}({own}weights='{weights}')"


def _show(tuned: Tuned, agent: str) -> None:
    console = Console(highlight=False)
    titles = ("street", "cases", "the thesis'", "tuned", "difference")
    table = grid(*titles, padding=(0, 2, 0, 0), title="actions of held-out cases: log loss (nats, 95 %)")
    for street, change in tuned.changes.items():
        losses = (f"{loss[0]:.3f}" for loss in (change.before, change.after))
        table.add_row(street, str(change.asked), *losses, "{:+.3f} ± {:.3f}".format(*change.difference))
    console.print(table)
    for place, rate in enumerate(tuned.match, 1):
        console.print(f"finalist {place} won {rate} more over {rate.n} hands than the thesis' weights")
    lost = "every finalist lost to the thesis' weights, which stay"
    console.print(agent if tuned.improved else lost, soft_wrap=True)

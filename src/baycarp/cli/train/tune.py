"""The similarity of a model's cases, tuned by held-out cases and by matches."""

from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from baycarp.api.printing import Console
from baycarp.cli.options import count, flag, folder, option, options, seed
from baycarp.cli.output import as_json, grid
from baycarp.cli.progress import stages
from baycarp.cli.runs import workers_of
from baycarp.errors import ModelError
from baycarp.strategies.model import SHIPPED, play_with
from baycarp.training.tune import Tuned, TunePlan, tune

__all__ = ["USED", "add", "run"]

USED = {"tune", "seed", "generations", "ask", "deals", "keep", "out"}
"""The options of tuning, but those of all trainings."""

USUAL = TunePlan(SHIPPED, Path())

add = options(
    option("--generations", type=count, default=USUAL.generations, help="of each street's search, at most"),
    option(
        "--ask",
        type=count,
        default=USUAL.ask,
        help="held-out cases of a street to choose by, at most, and as many to measure the gain",
    ),
    option(
        "--deals",
        type=seed,
        default=USUAL.deals,
        help="of the finalists' match, each in all seatings; 0 = none",
    ),
    flag("--keep", "put the weights into the model's manifest, to be played with"),
    folder("tuned", "folder of journals and weights"),
)


def run(args: Namespace) -> int:
    """Tune, and print the gain."""
    if args.keep and args.folder.resolve() == SHIPPED:
        raise ModelError("--keep: expected a model of your own; the shipped one is not changed")
    names = ("generations", "ask", "deals", "seed")
    settings = {name: getattr(args, name) for name in names}
    words = " ".join(f"--{name} {value}" for name, value in settings.items())
    command = f"baycarp train {args.folder} --tune {words}"
    with workers_of(args) as workers, stages() as progress:
        tuned = tune(TunePlan(args.folder, args.out, **settings), command, workers, progress)
    if args.keep:
        play_with(args.folder, tuned.weights)
    if args.json:
        record = {
            "changes": {street: asdict(change) for street, change in tuned.changes.items()},
            "match": [asdict(rate) for rate in tuned.match],
            "weights": tuned.weights.to_dict(),
        }
        print(as_json(record))
    else:
        _show(tuned, _spec(args.folder, args.out / "weights.json"))
    return 0


def _spec(model: Path, weights: Path) -> str:
    """The agent that plays with the weights."""
    own = "" if model.resolve() == SHIPPED else f"model='{model}', "
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

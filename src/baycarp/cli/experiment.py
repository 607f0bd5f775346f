"""The thesis' experiment with controls: BayCaRP, its parts alone, and two trivial players."""

import argparse
import json
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from baycarp.arena.measure import Rate
from baycarp.arena.scores import NET, Scores
from baycarp.arena.tally import Tally
from baycarp.arena.variance import ESTIMATORS
from baycarp.cli.match import rate_to_dict
from baycarp.cli.options import count, seconds
from baycarp.cli.progress import stages
from baycarp.cli.runs import add_run, play_rounds
from baycarp.draw import save_rates
from baycarp.files import write_whole
from baycarp.papers.experiment import EXPERIMENT_TABLES, Experiment, compared, narrowest, play_arm

REDUCED = tuple(name for name in ("control",) if name in ESTIMATORS)
"""The estimators that are reckoned beside the chips won."""


def add(parser: argparse.ArgumentParser) -> None:
    """Name the options."""
    parser.add_argument(
        "--table", choices=tuple(EXPERIMENT_TABLES), help="one of the two tables (default: both)"
    )
    parser.add_argument(
        "--hands-at-most", type=count, default=100_000, help="an arm and table (default: %(default)s)"
    )
    parser.add_argument(
        "--precision",
        type=seconds,
        default=0.03,
        help="stop when every difference is known so well, in small bets a hand (default: %(default)s)",
    )
    parser.add_argument(
        "--playouts", type=count, default=100, help="of a simulated decision (default: %(default)s)"
    )
    parser.add_argument(
        "--train-hands", type=count, default=10_000, help="watched for the models (default: %(default)s)"
    )
    parser.add_argument(
        "--session-hands", type=count, default=500, help="between fresh statistics (default: %(default)s)"
    )
    add_run(parser, "experiment")


def run(args: argparse.Namespace) -> int:
    """Train and play what is missing, and report the results."""
    for name in [args.table] if args.table else EXPERIMENT_TABLES:
        experiment = Experiment(
            name,
            args.out / name,
            args.seed,
            args.train_hands,
            args.session_hands,
            args.playouts,
            REDUCED,
        )
        with stages() as progress:
            experiment.train(args.workers, progress)
        _play(args, experiment)
    return 0


def _play(args: argparse.Namespace, experiment: Experiment) -> None:
    rounds = experiment.rounds(args.hands_at_most)
    results = play_rounds(
        args,
        partial(play_arm, experiment.matches()),
        experiment.header(),
        rounds,
        sum(map(len, rounds)) * experiment.hands,
        lambda found: compared(experiment.scores(found), args.precision),
    )
    if results is None:
        return
    scored, tallies = experiment.scores(results), experiment.tallies(results)
    written = as_markdown(experiment.table, scored, tallies)
    record = to_dict(experiment, scored, tallies)
    print(json.dumps(record) if args.json else written)
    save(experiment.folder, written, record, scored, quiet=args.json)


def as_markdown(table: str, scores: Scores, tallies: dict[str, Tally]) -> str:
    """The arms' table, and the matrix of their differences by the narrowest estimator."""
    reduced = narrowest(scores)
    lines = [f"Table `{table}`. {EXPERIMENT_TABLES[table].why}", ""]
    columns = ["chips won", *(name for name in scores.blocks if name != NET)]
    head = ["arm", "hands", *(f"sb/h, {column}" for column in columns)]
    lines += _rows([*head, "played", "showdowns", "won there"], _arms(scores, tallies))
    lines += ["", f"Row less column, sb/h on the same decks (estimator: {_called(reduced)}; 95 %):", ""]
    lines += _rows(["", *scores.players], _matrix(scores, reduced))
    lines += ["", "`>` the row wins more, `<` less, `~` the difference is not significant."]
    return "\n".join(lines)


def _arms(scores: Scores, tallies: dict[str, Tally]) -> list[list[str]]:
    rows = []
    for arm in scores.players:
        shares = tallies[arm].shares()
        rates = [scores.rate(arm, name) for name in scores.blocks]
        habits = [f"{shares[name]:.0f} %" for name in ("played", "showdowns", "showdowns_won")]
        rows.append([arm, f"{rates[0].n:,}", *(rate.cell() for rate in rates), *habits])
    return rows


def _matrix(scores: Scores, estimator: str) -> list[list[str]]:
    rows = []
    for one in scores.players:
        cells = []
        for other in scores.players:
            difference = scores.difference(one, other, estimator)
            cells.append("" if one == other else f"{_sign(difference)} {difference.cell()}")
        rows.append([one, *cells])
    return rows


def _sign(difference: Rate) -> str:
    if not abs(difference.mean) > difference.margin:
        return "~"
    return ">" if difference.mean > 0 else "<"


def _called(estimator: str) -> str:
    return "chips won" if estimator == NET else estimator


def _rows(head: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table that is also aligned in the source."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |"
        for line in lines
    ]


def to_dict(experiment: Experiment, scores: Scores, tallies: dict[str, Tally]) -> dict[str, Any]:
    """The whole result, in what JSON can hold."""
    return {
        "table": experiment.table,
        "why": EXPERIMENT_TABLES[experiment.table].why,
        "seed": experiment.seed,
        "playouts": experiment.playouts,
        "unit": scores.unit,
        "arms": {
            arm: {
                "agent": spec,
                "counts": tallies[arm].to_dict(),
                **{_called(name): rate_to_dict(scores.rate(arm, name)) for name in scores.blocks},
            }
            for arm, spec in zip(scores.players, experiment.matches(), strict=True)
        },
        "differences": [
            {
                "arms": [one, other],
                "verdict": scores.verdict(one, other, narrowest(scores)),
                **{
                    _called(name): rate_to_dict(scores.difference(one, other, name)) for name in scores.blocks
                },
            }
            for one, other in combinations(scores.players, 2)
        ],
    }


def save(folder: Path, written: str, record: dict[str, Any], scores: Scores, quiet: bool) -> None:
    """Write the results as Markdown and JSON, and as a picture where matplotlib is installed."""
    write_whole(folder / "experiment.md", written + "\n")
    write_whole(folder / "experiment.json", json.dumps(record, indent=2) + "\n")
    lines = [f"\nresults: {folder / 'experiment.md'}, {folder / 'experiment.json'}"]
    try:
        found = {arm: [scores.rate(arm, name) for name in scores.blocks] for arm in scores.players}
        rates = {arm: [(rate.mean, rate.margin) for rate in line] for arm, line in found.items()}
        save_rates(rates, [_called(name) for name in scores.blocks], folder / "experiment.png")
        lines.append(f"picture: {folder / 'experiment.png'}")
    except ImportError as hint:
        lines.append(str(hint))
    if not quiet:
        print("\n".join(lines))

"""The thesis' experiment with controls: BayCaRP, its parts alone, and two trivial players."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from baycarp.api.settings import Plan
from baycarp.arena.journal import Journal
from baycarp.arena.measure import Rate
from baycarp.arena.run import Results
from baycarp.arena.run import run as play
from baycarp.arena.scores import NET, Scores
from baycarp.arena.tally import Tally
from baycarp.arena.workers import Workers
from baycarp.cli.options import count, folder, option, options, seconds
from baycarp.cli.output import as_json, drawn
from baycarp.cli.progress import stages
from baycarp.cli.runs import journalled, run_plan, workers_of
from baycarp.draw import save_rates
from baycarp.files import write_whole
from experiments.markdown import rows
from experiments.papers.experiment import EXPERIMENT_TABLES, Experiment, compared, narrowest, play_arm

add = options(
    option("--table", choices=tuple(EXPERIMENT_TABLES), help="one of the two tables (default: both)"),
    option("--hands-at-most", type=count, default=100_000, help="an arm and table"),
    option(
        "--precision",
        type=seconds,
        default=0.03,
        help="stop when the interval of every difference is at most this wide, in small bets a hand",
    ),
    option("--playouts", type=count, default=100, help="of a simulated decision"),
    option("--train-hands", type=count, default=10_000, help="watched for the models"),
    option("--session-hands", type=count, default=500, help="between fresh statistics"),
    journalled(folder("experiment")),
)


@dataclass(frozen=True, slots=True)
class ExperimentPlan(Plan[Results]):
    """The arms of one table that are to be played."""

    experiment: Experiment
    hands: int
    precision: float

    @property
    def units(self) -> tuple[str, int]:
        """The hands, at most."""
        return "hands", sum(map(len, self.experiment.rounds(self.hands))) * self.experiment.hands

    @property
    def header(self) -> dict[str, Any]:
        """The header of its journal."""
        return self.experiment.header()

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Results:
        """Play what the journal in a folder lacks, until all differences are precise."""
        own = self.experiment
        rounds, arm = own.rounds(self.hands), partial(play_arm, own.matches())
        with Journal(folder / self.journal, self.header) as journal:
            return play(arm, rounds, journal, workers, tick, self._is_precise)

    def _is_precise(self, results: Results) -> bool:
        return compared(self.experiment.scores(results), self.precision)


def run(args: Namespace) -> int:
    """Train and play what the folder lacks, and report the results."""
    sizes = (args.train_hands, args.session_hands, args.playouts)
    for name in [args.table] if args.table else EXPERIMENT_TABLES:
        experiment = Experiment(name, args.out / name, args.seed, *sizes, ("control",))
        with workers_of(args) as workers, stages() as progress:
            experiment.train(workers, progress)
        _play(args, experiment)
    return 0


def _play(args: Namespace, experiment: Experiment) -> None:
    results, _ = run_plan(args, ExperimentPlan(experiment, args.hands_at_most, args.precision))
    scored, tallies = experiment.scores(results), experiment.tallies(results)
    written = as_markdown(experiment.table, scored, tallies)
    record = to_dict(experiment, scored, tallies)
    lines = save(experiment.folder, written, record, scored)
    print(as_json(record) if args.json else "\n".join([written, "", *lines]))


def as_markdown(table: str, scores: Scores, tallies: dict[str, Tally]) -> str:
    """The arms' table, and the matrix of their differences by the narrowest estimator."""
    reduced = narrowest(scores)
    lines = [f"Table `{table}`. {EXPERIMENT_TABLES[table].why}", ""]
    columns = ["chips won", *(name for name in scores.blocks if name != NET)]
    head = ["arm", "hands", *(f"sb/h, {column}" for column in columns)]
    lines += rows([*head, "played", "showdowns", "won there"], _arms(scores, tallies))
    lines += ["", f"Row less column, sb/h on the same decks (estimator: {_called(reduced)}; 95 %):", ""]
    lines += rows(["", *scores.players], _matrix(scores, reduced))
    lines += ["", "`>` the row wins more, `<` less, `~` the difference is not significant."]
    return "\n".join(lines)


def _arms(scores: Scores, tallies: dict[str, Tally]) -> list[list[str]]:
    rows = []
    for arm in scores.players:
        rates = [scores.rate(arm, name) for name in scores.blocks]
        shares = tallies[arm].shares()
        habits = [f"{shares[name]:.0f} %" for name in ("played", "showdowns", "showdowns_won")]
        rows.append([arm, f"{rates[0].n:,}", *(rate.cell() for rate in rates), *habits])
    return rows


def _matrix(scores: Scores, estimator: str) -> list[list[str]]:
    def cell(one: str, other: str) -> str:
        difference = scores.difference(one, other, estimator)
        return "" if one == other else f"{_sign(difference)} {difference.cell()}"

    return [[one, *(cell(one, other) for other in scores.players)] for one in scores.players]


def _sign(difference: Rate) -> str:
    if not abs(difference.mean) > difference.margin:
        return "~"
    return ">" if difference.mean > 0 else "<"


def _called(estimator: str) -> str:
    return "chips won" if estimator == NET else estimator


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
                **{_called(name): scores.rate(arm, name).to_dict() for name in scores.blocks},
            }
            for arm, spec in zip(scores.players, experiment.matches(), strict=True)
        },
        "differences": [
            {"arms": [*pair], "verdict": scores.verdict(*pair, narrowest(scores))}
            | {_called(name): scores.difference(*pair, name).to_dict() for name in scores.blocks}
            for pair in combinations(scores.players, 2)
        ],
    }


def save(folder: Path, written: str, record: dict[str, Any], scores: Scores) -> list[str]:
    """Write the results as Markdown, JSON and, with matplotlib, a picture; the lines that name the files."""
    write_whole(folder / "experiment.md", written + "\n")
    write_whole(folder / "experiment.json", as_json(record, 2) + "\n")
    found = {arm: [scores.rate(arm, name) for name in scores.blocks] for arm in scores.players}
    rates = {arm: [(rate.mean, rate.margin) for rate in line] for arm, line in found.items()}
    draw = partial(save_rates, rates, [_called(name) for name in scores.blocks])
    return [
        f"results: {folder / 'experiment.md'}, {folder / 'experiment.json'}",
        drawn("picture", folder / "experiment.png", draw),
    ]

"""Measure models of hidden cards against an oracle that has the players' policies, in played hands."""

import io
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Grid

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import HELD_OUT, LEARNED, numbers
from baycarp.arena.session import HANDS, Table
from baycarp.arena.workers import Workers, in_order
from baycarp.cli.options import CLUSTER, count, flag, option, options, play
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import progress
from baycarp.cli.runs import workers_of
from baycarp.files import write_whole
from baycarp.game.variant import Variant
from baycarp.rules.seat import position
from baycarp.training.rows import NetworkRow, rows_of_session
from baycarp.training.watch import hands_in, hands_of, watch
from experiments.beliefs.acting import ACTING, read_acts
from experiments.beliefs.contest import CONTEST, STRUCTURES, Base, build
from experiments.beliefs.frozen import Session, freeze, judge, save
from experiments.beliefs.information import Line, line
from experiments.beliefs.intervals import mean
from experiments.beliefs.measure import judge_session, known_of_session
from experiments.beliefs.moments import Judged
from experiments.beliefs.queries import Model, queries_of_session
from experiments.beliefs.scores import among
from experiments.commands.models import MODEL, load_models
from experiments.recipes.action_cells import HandRow, hand_rows

UNMET = {
    "Ada": "formula(level='loose', shift=20, tightness=0.3, aggression=0.8)",
    "Ben": "formula(level='moderate', shift=-60, tightness=0.6, aggression=0.5)",
    "Cleo": "formula(level='tight', shift=0, tightness=0.35, aggression=0.2)",
    "Dan": "formula(level='loose', shift=-40, tightness=0.5, aggression=0.45, model=0.5)",
    "Eva": "formula(level='moderate', shift=100, tightness=0.45, aggression=0.9)",
    "Finn": "formula(level='tight', shift=-50, tightness=0.55, aggression=0.7, deception=0.3)",
    "Gus": "formula(level='moderate', shift=30, tightness=0.2, aggression=0.3, implied=2)",
    "Hope": "formula(level='loose', shift=90, tightness=0.4, aggression=0.6, mixing=40)",
}
"""Players with settings that no training has met."""

GOALS = {"pool": 0.6, "held-out": 0.4}
"""The least share of oracle information."""

ERROR = 0.02
"""The greatest calibration error."""

WIDTH = 118
"""Columns that the tables take."""

add = options(
    option("folder", type=Path, help="of the hands; existing files are used again"),
    play(10_000, "hands of the default players: half for training, half for the test"),
    option("--held-out", type=count, metavar="HANDS", help="test on hands of held-out players as well"),
    option("--oracle", type=count, default=4, metavar="SESSIONS", help="with an oracle"),
    MODEL,
    option(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        choices=(*CONTEST, *ACTING),
        help="of the models, beside the plain network",
    ),
    option("--export", type=Path, metavar="DIR", help="write the oracle's queries to files"),
    option("--score", type=Path, metavar="FILE", help="judge these beliefs; the folder is a DIR"),
    CLUSTER,
    flag("--json", "print the folder's results.json, no tables"),
)


class _Tested(NamedTuple):
    """A table of players, its test sessions, and the result of each."""

    table: Table
    logs: Sequence[Path]
    judged: list[Judged]


class _Learned(NamedTuple):
    """What a session teaches: rows of the networks and of hand -> action, and counts of the base."""

    rows: list[NetworkRow]
    hand_rows: list[HandRow]
    counts: NDArray[np.float64]


def run(args: Namespace) -> int:
    """Train, test and print; or score external beliefs."""
    if args.score:
        return _score(args)
    with workers_of(args) as workers:
        tested = _test(args, workers)
    if args.export:
        _export(args, tested)
    results = {name: Judged.joined(each.judged) for name, each in tested.items()}
    text = _written(args.folder / "results.json", {name: _to_dict(each) for name, each in results.items()})
    if args.json:
        print(text)
        return 0
    for name, judged in results.items():
        _print(name, judged)
    return 0


def _test(args: Namespace, workers: Workers) -> dict[str, _Tested]:
    """Train on one half of the pool's sessions; test on the other, and on held-out players."""
    mine = load_models(args.model)
    if args.export:
        args.export.mkdir(parents=True, exist_ok=True)
    specs = (*TABLE, EIGHTH)
    pool = Table(Variant.ring(8), tuple(spec.capitalize() for spec in specs), specs, args.seed)
    half = -(-args.hands // (2 * HANDS))
    logs = _watched(args, "pool", pool, numbers(LEARNED, 2 * half), workers)
    texts = (log.read_text("utf-8") for log in logs[:half])
    with closing(in_order(partial(_learn, table=pool), texts, workers)) as rows:
        learned = [each for _, each in rows]
    models = _models(learned, dict.fromkeys(["plain", *(args.only or (*CONTEST, *ACTING))])) | mine
    tested = {"pool": _Tested(pool, logs[half:], _judge(args, pool, logs[half:], models, workers))}
    if args.held_out:
        table = Table(Variant.ring(8), tuple(UNMET), tuple(UNMET.values()), args.seed)
        fresh = _watched(args, "held-out", table, numbers(HELD_OUT, -(-args.held_out // HANDS)), workers)
        tested["held-out"] = _Tested(table, fresh, _judge(args, table, fresh, models, workers))
    return tested


def _written(path: Path, record: object) -> str:
    """The record as JSON, which is also written to a file."""
    text = as_json(record, 1)
    write_whole(path, text + "\n")
    return text


def _watched(
    args: Namespace, name: str, table: Table, sessions: Sequence[int], workers: Workers
) -> list[Path]:
    with progress(f"hands: {name}", len(sessions) * HANDS) as tick:
        return watch(table, sessions, HANDS, args.folder / name, workers, tick)


def _export(args: Namespace, tested: Mapping[str, _Tested]) -> None:
    """Write the queries that have an oracle to files; see ``study.beliefs.frozen``."""
    tables = {}
    for name, (table, logs, judged) in tested.items():
        players = dict(zip(table.players, table.specs, strict=True))
        tables[name] = freeze(
            Session(log.read_text("utf-8"), list(hands_of(log, table)), players, each)
            for log, each in zip(logs[: args.oracle], judged, strict=False)
        )
    asked = f" --held-out {args.held_out}" if args.held_out else ""
    only = "".join(f" --only {name!r}" for name in args.only)
    options = f"--hands {args.hands} --seed {args.seed}{asked} --oracle {args.oracle}{only}"
    save(tables, args.export, f"python -m experiments oracle FOLDER {options} --export DIR")


def _score(args: Namespace) -> int:
    """Score external beliefs; the JSON is written beside them."""
    found = judge(args.folder, args.score)
    record = {name: [asdict(each) for each in lines] for name, lines in found.items()}
    text = _written(args.score.with_suffix(".json"), record)
    if args.json:
        print(text)
        return 0
    for name, lines in found.items():
        _scores(f"{name}: {lines[0].rows} moments", lines)
    return 0


def _learn(log: str, table: Table) -> _Learned:
    hands = list(hands_in(log, table))
    rows = list(rows_of_session(hands, STRUCTURES))
    return _Learned(rows, list(hand_rows(hands)), Base.count(queries_of_session(hands)))


def _models(learned: Sequence[_Learned], names: Iterable[str]) -> dict[str, Model]:
    """The base, and the models of these names."""
    models: dict[str, Model] = {"base": Base.of(np.sum([each.counts for each in learned], axis=0))}
    models |= build([row for each in learned for row in each.rows], [n for n in names if n in CONTEST])
    return models | read_acts([row for each in learned for row in each.hand_rows], tuple(names))


class _Unit(NamedTuple):
    """A session to test on: its log, whether an oracle is wanted, and the oracle's losses if stored."""

    log: str
    oracle: bool
    known: NDArray[np.float64] | None


def _judge(
    args: Namespace, table: Table, logs: Sequence[Path], models: Mapping[str, Model], workers: Workers
) -> list[Judged]:
    """Test all models on all sessions; the first ones have an oracle, which takes a minute each."""
    stored = [log.with_suffix(".oracle.npy") if at < args.oracle else None for at, log in enumerate(logs)]

    def units() -> Iterator[_Unit]:
        for log, path in zip(logs, stored, strict=True):
            known = np.load(path, allow_pickle=False) if path and path.exists() else None
            yield _Unit(log.read_text("utf-8"), path is not None, known)

    found: list[Judged] = []
    work = partial(_session, table=table, models=models)
    with progress("sessions tested", len(logs)) as tick, closing(in_order(work, units(), workers)) as done:
        for path, (unit, (judged, known)) in zip(stored, done, strict=True):
            if path is not None and known is not None and unit.known is None:
                data = io.BytesIO()
                np.save(data, known, allow_pickle=False)
                write_whole(path, data.getvalue())
            found.append(judged)
            tick(len(found))
    return found


def _session(
    unit: _Unit, table: Table, models: Mapping[str, Model]
) -> tuple[Judged, NDArray[np.float64] | None]:
    hands, known = list(hands_in(unit.log, table)), unit.known
    if unit.oracle and known is None:
        known = known_of_session(hands, dict(zip(table.players, table.specs, strict=True)))
    return judge_session(hands, models, known, types=True), known


def _lines(judged: Judged) -> list[Line]:
    return [line(judged, name, "base", "plain") for name in judged.scores]


def _to_dict(judged: Judged) -> dict[str, object]:
    """All results of a table of players, as JSON can hold them."""
    return {
        "moments": len(judged.moments),
        "hands": int(judged.moments.hand.max()) + 1,
        "moments with an oracle": int((~np.isnan(judged.known)).sum()),
        "log loss of the oracle": float(mean(judged.known, judged.moments.hand).value),
        "models": [asdict(each) for each in _lines(judged)],
        "group below the top four, of those asked": {name: _faults(judged, name) for name in judged.scores},
    }


def _faults(judged: Judged, name: str) -> dict[str, tuple[float, int]]:
    """Figures 7.1 and 7.2: by position and by action before the flop, (faults, asked); ties by share."""
    mine, moments = judged.scores[name], judged.moments
    wrong = 1 - among(mine["group_above"], mine["group_tied"], 4)
    found: dict[str, list[float]] = {}
    for row in np.flatnonzero(moments.street == 0):
        seat = position(int(moments.position[row]), int(moments.seats[row]))
        for key in (seat, str(moments.action[row])):
            found.setdefault(key, []).append(float(wrong[row]))
    return {key: (sum(each), len(each)) for key, each in found.items()}


def _print(name: str, judged: Judged) -> None:
    known = judged.known[~np.isnan(judged.known)]
    oracle = f", {len(known)} with an oracle, whose log loss is {known.mean():.3f} nats" if len(known) else ""
    lines = _lines(judged)
    wide = _scores(
        f"{name}: {len(judged.moments)} moments of {int(judged.moments.hand.max()) + 1} hands{oracle}", lines
    )
    wide.print(_where(judged))
    if name in GOALS:
        best = max(lines, key=lambda each: each.share.value)
        met = best.share.value >= GOALS[name] and best.error <= ERROR
        wide.print(
            f"best: {best.name!r}, {best.share} of oracle information (goal {GOALS[name]}), calibration "
            f"error {best.error:.3f} (goal {ERROR}): {'met' if met else 'NOT met'}\n",
            highlight=False,
            soft_wrap=True,
        )


def _scores(title: str, lines: Sequence[Line]) -> Console:
    """Print the title and the tables of all models; the console."""
    wide = console(WIDTH)
    wide.print(f"{title}; 95 % intervals over hands", highlight=False, soft_wrap=True)
    wide.print(_losses(lines))
    wide.print(_places(lines))
    return wide


def _losses(lines: Sequence[Line]) -> Grid:
    table = grid("model", "log loss", "better by", "of oracle", "above deal", "ECE", "Brier: group", "type")
    for each in lines:
        figures = (each.loss, each.gain, each.share, each.above_deal)
        rest = (each.error, each.brier.value, each.brier_type.value)
        table.add_row(each.name, *map(str, figures), *(f"{value:.3f}" for value in rest))
    return table


def _places(lines: Sequence[Line]) -> Grid:
    table = grid("model", *(f"group {k}" for k in (1, 2, 3, 4)), *(f"type {k}" for k in (1, 2, 3)), "±")
    for each in lines:
        figures = (*each.groups, *each.types)
        widest = max(figure.margin for figure in figures)
        table.add_row(each.name, *(f"{100 * x:.1f}" for x in (*(figure.value for figure in figures), widest)))
    return table


def _where(judged: Judged) -> Grid:
    """Of the queries before the flop, the share with the true group below the top four."""
    faults = {name: _faults(judged, name) for name in ("plain", "all") if name in judged.scores}
    table = grid("group below the top four", "asked", *faults)
    for key, (_, asked) in next(iter(faults.values())).items():
        table.add_row(key, str(asked), *(f"{counts[key][0] / asked:.0%}" for counts in faults.values()))
    return table

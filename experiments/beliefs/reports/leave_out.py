"""``beliefs --leave-out FOLDER``: each population in turn, judged by models of all others."""

from argparse import Namespace
from dataclasses import asdict, replace
from hashlib import blake2b
from math import isnan
from pathlib import Path

from rich.table import Table as Grid

import baycarp
from baycarp.cli.output import as_json, console, grid
from baycarp.cli.progress import stages
from baycarp.cli.runs import workers_of
from baycarp.errors import ModelError
from baycarp.files import write_whole
from baycarp.game.variant import Variant
from experiments.beliefs.decision_points import Model
from experiments.beliefs.fitting import FITS
from experiments.beliefs.goals import Goal, goals
from experiments.beliefs.leave_out import LeftOut, Plan, leave_out
from experiments.beliefs.populations import BLIND, Population, archive, play
from experiments.beliefs.reports.models import load_models
from experiments.beliefs.reports.tables import WIDTH, losses, places, print_all
from experiments.beliefs.shipped import shipped_models
from experiments.beliefs.summary import summary
from experiments.beliefs.unobserved import UNOBSERVED
from experiments.populations.kinds import POPULATIONS

__all__ = ["people", "run"]

HANDS = 200
"""Hands of a session."""

SESSIONS, PEOPLE_HANDS = 27, 5000
"""Sessions of each population, of 2 to 10 seats in turn; hands read of an archive, at most."""


def run(args: Namespace) -> int:
    """Play, fit, judge and print; the results are also FOLDER/results.json.

    FOLDER keeps the played and the judged sessions, so that the same command continues after an interruption.
    """
    mine = _shipped(args.beside) | load_models(args.model)
    folder: Path = args.leave_out
    archives = [people(text, args.people_hands or PEOPLE_HANDS) for text in args.people]
    if unknown := sorted(set(args.only) - {*POPULATIONS, *(each.name for each in archives)}):
        raise ModelError(
            f"population {unknown[0]!r}: expected one of {', '.join(POPULATIONS)}, or an archive"
        )
    if unknown := sorted(set(args.fit) - set(FITS)):
        raise ModelError(f"model {unknown[0]!r}: expected one of {', '.join(FITS)}")
    fits = {name: fit for name, fit in FITS.items() if name in (args.fit or FITS)}
    plan = Plan(fits, folder, mine, _origin(args, [*fits, *mine]), args.changes or 0, tuple(args.only))
    results = []
    with workers_of(args) as workers, stages() as tick:
        sessions = args.sessions or SESSIONS
        total = sessions * len(POPULATIONS)
        played = play(
            sessions,
            args.hands or HANDS,
            args.seed,
            folder / "sessions",
            workers,
            lambda done: tick("sessions played", done, total),
        )
        for left in leave_out([*played, *archives], replace(plan, workers=workers), tick):
            results.append(left)
            write_whole(folder / "results.json", as_json([_to_dict(each) for each in results], 1) + "\n")
    if args.json:
        print((folder / "results.json").read_text("utf-8"), end="")
        return 0
    for left in results:
        _print(left)
    return 0


def _origin(args: Namespace, models: list[str]) -> dict[str, object]:
    """What the judged sessions depend on: the version, the sessions, the archives, the models by name."""
    archives = [[text, blake2b(_archive(text)[0].read_bytes()).hexdigest()[:16]] for text in args.people]
    return {
        "version": baycarp.__version__,
        "sessions": [args.sessions or SESSIONS, args.hands or HANDS, args.seed],
        "people": archives,
        "people_hands": args.people_hands or PEOPLE_HANDS,
        "models": models,
    }


def _shipped(names: list[str]) -> dict[str, Model]:
    """The shipped models of these names, or each."""
    models = shipped_models()
    if unknown := sorted(set(names) - set(models)):
        raise ModelError(f"shipped model {unknown[0]!r}: expected one of {', '.join(models)}")
    return {name: model for name, model in models.items() if name in (names or models)}


def people(text: str, most: int = PEOPLE_HANDS) -> Population:
    """An archive as a population."""
    path, game = _archive(text)
    return archive(path, Variant.load(game) if game else None, most)


def _archive(text: str) -> tuple[Path, str]:
    """The path of an archive, and the game of an ACPC log behind a colon."""
    path, _, game = text.rpartition(":")
    return (Path(path), game) if path and not Path(text).exists() else (Path(text), "")


def _models(left: LeftOut) -> list[str]:
    """The judged models, without base lines and the copies that have observed no hand."""
    return [name for name in left.judged.scores if name + UNOBSERVED in left.judged.scores]


def _goals(left: LeftOut, name: str) -> list[Goal]:
    return goals(left.judged, name, left.population == BLIND, left.lags.get(name, ()))


def _to_dict(left: LeftOut) -> dict[str, object]:
    return {
        "population": left.population,
        "models": [asdict(summary(left.judged, name)) for name in left.judged.scores],
        "goals": {name: [asdict(goal) for goal in _goals(left, name)] for name in _models(left)},
    }


def _print(left: LeftOut) -> None:
    lines = [summary(left.judged, name) for name in left.judged.scores]
    wide, points = console(WIDTH), len(left.judged.points)
    title = f"{left.population} left out: {points:,} decision points; nats, 95 % over hands"
    print_all(wide, title, losses(lines), places(lines), _goal_table(left))


def _goal_table(left: LeftOut) -> Grid:
    """The goals of each model beside the mean entropy of its belief, which shows a belief that is capped."""
    by_model = {name: _goals(left, name) for name in _models(left)}
    names = [goal.goal for goal in max(by_model.values(), key=len)]
    table = grid("model", *names, "entropy")
    for name, found in by_model.items():
        cells = [*map(_cell, found), *["-"] * (len(names) - len(found))]
        table.add_row(name, *cells, f"{summary(left.judged, name).entropy:.3f}")
    return table


def _cell(goal: Goal) -> str:
    if goal.verdict == "too few":
        return f"{goal.points:,} points\ntoo few"
    values = (f"{each.value:.3f}" if isnan(each.margin) else str(each) for each in goal.figures)
    return f"{', '.join(values)}\n{goal.verdict}"

"""Tune how cases are compared: by their predictions of held-out cases first, by their win rate second.

Each street by itself, from the thesis' numbers. Every evaluation and its loss is in a journal, so
that a search that was killed comes to what it would have come to, as it does for any number of workers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.table import TABLE
from baycarp.arena.ablation import arms
from baycarp.arena.decks import STUDIED
from baycarp.arena.journal import Journal
from baycarp.arena.measure import Rate, interval, mean_by_hand
from baycarp.arena.series import play_series
from baycarp.arena.session import Table
from baycarp.arena.workers import processes
from baycarp.cases import Schema
from baycarp.errors import JournalError
from baycarp.game.variant import Variant
from baycarp.strategies.model import Model, load_model
from baycarp.strategies.weights import Weights, save_weights
from baycarp.train.evolve import evolve
from baycarp.train.imitation import HeldOutCases, held_out_cases
from baycarp.train.parameters import parameters, with_parameters

__all__ = ["Change", "Plan", "Tuned", "tune"]

HERO = "the arm"
JUDGE = "control"
"""What takes luck out of the match."""

Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is searched, and how long.

    Parameters
    ----------
    model
        Folder of the model whose cases are retrieved.
    out
        Folder of the journals and of the weights.
    generations
        Of the search of each street, at most.
    ask
        Held-out cases of a street to select by, at most; and as many others to report.
    finalists
        How many weights play against the thesis'.
    deals
        Of that match, each in all seatings; 0 = no match.
    seed
        Fixes every draw and card.
    """

    model: Path
    out: Path
    generations: int = 60
    ask: int = 2000
    finalists: int = 3
    deals: int = 50
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Change:
    """A street's log loss on cases that took no part in the choice; means and 95 % margins, in nats."""

    asked: int
    before: tuple[float, float]
    after: tuple[float, float]
    difference: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tuned:
    """The weights that were chosen, and what chose them.

    Parameters
    ----------
    weights
        The finalist's; the thesis' where every finalist lost to them.
    changes
        By street, of the finalist that was chosen.
    match
        What each finalist won more a hand than the thesis' weights, the longest search first.
    improved
        Whether the weights are a finalist's.
    """

    weights: Weights
    changes: Mapping[str, Change]
    match: tuple[Rate, ...]
    improved: bool


def tune(
    plan: Plan, command: str, workers: int = 1, progress: Progress = lambda what, done, of: None
) -> Tuned:
    """Search, let the best play, and write ``weights.json``.

    The finalists are what was best after equal parts of the search, for less of a search fits the cases less
    closely. The longest is chosen, unless it is significantly worse than the thesis' weights: then
    the next.

    Parameters
    ----------
    plan
        What is searched; an earlier run of it that was cut is gone on with.
    command
        The command line, recorded in the file.
    workers
        Processes; they change nothing but the time.
    progress
        Called with (the step, how much of it is done, of how much).

    Raises
    ------
    JournalError
        The folder holds another search.
    ImportError
        ``cma`` is not installed.
    """
    model = _published(plan.model)
    schemas = [casebase.schema for casebase in model.casebases.values()]
    cases = {schema.name: model.manifest["files"][f"{schema.name}.npz"]["sha256"] for schema in schemas}
    header = {"cases": cases, "ask": plan.ask, "seed": plan.seed}
    with Journal(plan.out / "search.journal", header) as journal, _askers(plan, workers) as ask:
        found = [_search(plan, schema, journal, ask, progress) for schema in schemas]
    candidates = list(zip(*found, strict=True))
    files = [plan.out / f"finalist-{place}.json" for place in range(1, 1 + len(candidates))]
    finalists = [Weights.of(each, header | {"command": command}) for each in candidates]
    for file, weights in zip(files, finalists, strict=True):
        save_weights(file, weights)
    match = _match(plan, files, workers, progress) if plan.deals else ()
    lost = [rate.mean + rate.margin < 0 for rate in match]
    place = lost.index(False) if False in lost else None if lost else 0
    chosen = candidates[place] if place is not None else schemas
    changes = {
        schema.name: _change(held_out_cases(casebase, plan.ask, plan.seed, model.strategy.price)[1], schema)
        for schema, casebase in zip(chosen, model.casebases.values(), strict=True)
    }
    weights = model.published()
    if place is not None:
        losses = {street: _figures(change) for street, change in changes.items()}
        more = [{"mean": rate.mean, "margin": rate.margin, "hands": rate.n} for rate in match]
        origin = {**finalists[place].origin, "losses": losses, "match": more, "finalist": place + 1}
        weights = replace(finalists[place], origin=origin)
    save_weights(plan.out / "weights.json", weights)
    return Tuned(weights, changes, match, place is not None)


def _published(folder: Path) -> Model:
    """The model with the weights that its strategy is defined with."""
    model = load_model(folder)
    return model.weighed(model.published())


# Losses are computed here or in worker processes, which build the held-out tests themselves.

_chosen_by: dict[str, tuple[Schema, HeldOutCases]] = {}


def _sit(folder: Path, most: int, seed: int) -> None:
    model = _published(folder)
    for name, casebase in model.casebases.items():
        _chosen_by[name] = (casebase.schema, held_out_cases(casebase, most, seed, model.strategy.price)[0])


def _loss(street: str, point: Sequence[float]) -> float:
    schema, held_out = _chosen_by[street]
    return float(held_out.losses(with_parameters(schema, point)).mean())


Ask = Callable[[str, Sequence[Sequence[float]]], Iterator[float]]


@contextmanager
def _askers(plan: Plan, workers: int) -> Iterator[Ask]:
    """What answers a street's points, here or in processes."""
    arguments = (plan.model, plan.ask, plan.seed)
    if workers == 1:
        _sit(*arguments)
        yield lambda street, points: map(partial(_loss, street), points)
        return
    with processes(workers, _sit, *arguments) as pool:
        yield lambda street, points: pool.map(partial(_loss, street), points)


def _search(plan: Plan, schema: Schema, journal: Journal, ask: Ask, progress: Progress) -> list[Schema]:
    """The best of a street after all of the search, and after equal parts less and less of it."""
    name, size = schema.name, len(parameters(schema))
    best: list[tuple[float, NDArray[np.float64]]] = []

    def losses(number: int, points: Sequence[NDArray[np.float64]]) -> list[float]:
        values = _answered(journal, name, number, points, ask)
        place = int(np.argmin(values))
        found = (values[place], points[place])
        best.append(min([*best[-1:], found], key=lambda each: each[0]))
        return values

    losses(-1, [np.zeros(size)])  # the thesis': nothing that loses more is ever chosen
    streets = list(load_model(plan.model).casebases)
    seed = plan.seed * len(streets) + streets.index(name)
    for done, _ in enumerate(evolve(losses, size, plan.generations, seed), 1):
        progress(f"{name}, generations", done, plan.generations)
    after = [len(best) * part // plan.finalists for part in range(plan.finalists, 0, -1)]
    return [with_parameters(schema, best[max(at, 1) - 1][1]) for at in after]


def _answered(
    journal: Journal, street: str, number: int, points: Sequence[NDArray[np.float64]], ask: Ask
) -> list[float]:
    """The losses of a generation; losses in the journal are not computed again."""
    units = {(street, number, place): point.tolist() for place, point in enumerate(points)}
    missing = {unit: point for unit, point in units.items() if unit not in journal.records}
    for (unit, point), loss in zip(missing.items(), ask(street, list(missing.values())), strict=True):
        journal.append(unit, {"point": point, "loss": loss})
    for unit, point in units.items():
        if journal.records[unit].get("point") != point:
            raise JournalError(f"{journal.path}: {unit} was another point; is it of another version of cma?")
        if not isinstance(found := journal.records[unit].get("loss"), float):
            raise JournalError(f"{journal.path}: {unit} has the loss {found!r}: expected a number")
    return [journal.records[unit]["loss"] for unit in units]


def _match(plan: Plan, files: Sequence[Path], workers: int, progress: Progress) -> tuple[Rate, ...]:
    """What each finalist wins more than the thesis' weights, in the same seat on the same decks."""
    specs = [
        f"cases(model={str(plan.model)!r}, weights={weights!r})" for weights in ("thesis", *map(str, files))
    ]
    names = tuple(name.capitalize() for name in TABLE)
    game = Variant.ring(1 + len(TABLE))
    table = Table(game, (HERO, *names), (specs[0], *TABLE), plan.seed, estimators=(JUDGE,))
    series = arms(table, specs)
    total = series.hands(plan.deals)
    journal = plan.out / "match.journal"
    progress_of = lambda done: progress("hands", done, total)  # noqa: E731
    played = play_series(series, plan.deals, journal, workers, progress_of, STUDIED)
    won = [scores.won(HERO, JUDGE) for scores in series.scores(played)]
    return tuple(interval(arm - won[0], game.seats) for arm in won[1:])


def _change(held_out: HeldOutCases, after: Schema) -> Change:
    before, now = held_out.losses(held_out.memory.schema), held_out.losses(after)
    figures = (mean_by_hand(losses, held_out.hands) for losses in (before, now, now - before))
    return Change(len(before), *figures)


def _figures(change: Change) -> dict[str, Any]:
    figures = {"before": change.before, "after": change.after, "difference": change.difference}
    record = {name: {"mean": mean, "margin": margin} for name, (mean, margin) in figures.items()}
    return {"asked": change.asked, **record}

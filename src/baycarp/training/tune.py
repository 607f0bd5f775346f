"""Tune the similarity of cases: by predictions of held-out cases first, by the win rate second.

Each street is tuned separately, from the thesis' numbers. Every evaluation and its loss is in a journal, so
that an interrupted search has the result of an uninterrupted one, for any number of workers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.table import TABLE
from baycarp.arena.decks import STUDIED
from baycarp.arena.journal import Journal
from baycarp.arena.measure import Rate, interval, mean_by_hand
from baycarp.arena.series import arms, play_series
from baycarp.arena.session import Table
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order, opened
from baycarp.cases import Exponential, Linear, Schema
from baycarp.errors import JournalError
from baycarp.game.variant import Variant
from baycarp.strategies.model import Model, load_model
from baycarp.strategies.weights import Weights, save_weights
from baycarp.training.evolve import evolve
from baycarp.training.held_out import HeldOutCases, held_out_cases
from baycarp.training.model import Progress

__all__ = ["StreetChange", "TunePlan", "Tuned", "parameters", "tune", "with_parameters"]

HERO = "the arm"
JUDGE = "control"
"""The estimator of win rates, which reduces their variance."""

LOOSEST = 0.5
"""The least threshold."""

CONSTANTS = {Exponential: "k", Linear: "max"}
"""The tunable constant of each similarity; an exponential one has only the ratio of ``max`` to ``k``."""


@dataclass(frozen=True, slots=True)
class TunePlan:
    """The extent of a search.

    Parameters
    ----------
    model
        Folder of the model whose cases are retrieved.
    out
        Folder of the journals and of the weights.
    generations
        The greatest number of generations of each street's search.
    ask
        The greatest number of a street's held-out cases to select by; as many others are for the report.
    finalists
        The number of weights that play against the thesis'.
    deals
        Deals of that match, each in all seatings; 0 = no match.
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
class StreetChange:
    """A street's log loss on cases not used for the choice; means and 95 % margins, in nats."""

    asked: int
    before: tuple[float, float]
    after: tuple[float, float]
    difference: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tuned:
    """The chosen weights and their measurements.

    Parameters
    ----------
    weights
        The chosen finalist's; the thesis' if every finalist lost to them.
    changes
        By street, of the chosen finalist.
    match
        The win rate of each finalist less that of the thesis' weights, the longest search first.
    improved
        Whether the weights are a finalist's.
    """

    weights: Weights
    changes: Mapping[str, StreetChange]
    match: tuple[Rate, ...]
    improved: bool


def tune(
    plan: TunePlan,
    command: str,
    workers: Workers = THIS_PROCESS,
    progress: Progress = lambda what, done, of: None,
) -> Tuned:
    """Search, play a match of the finalists, and write ``weights.json``.

    The finalists are the best points after equal parts of the search, since a shorter search fits the cases
    less closely. The longest is chosen, unless it is significantly worse than the thesis' weights: then the
    next.

    Parameters
    ----------
    plan
        The search; an interrupted run of the same plan is continued.
    command
        The command line, recorded in the file.
    workers
        The processes, or a pool whose machines have the model and ``out`` at the same paths; the result does
        not depend on them.
    progress
        See ``training.model.Progress``.

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
    with Journal(plan.out / "search.journal", header) as journal, opened(workers) as ready:
        compute = partial(_losses, (plan.model, plan.ask, plan.seed, tuple(cases.values())), ready)
        seeds = range(plan.seed * len(schemas), (plan.seed + 1) * len(schemas))
        searched = [
            _search(plan, *each, journal, compute, progress) for each in zip(schemas, seeds, strict=True)
        ]
    candidates = list(zip(*searched, strict=True))
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
        losses = {street: _record(change) for street, change in changes.items()}
        more = [{"mean": rate.mean, "margin": rate.margin, "hands": rate.n} for rate in match]
        origin = {**finalists[place].origin, "losses": losses, "match": more, "finalist": place + 1}
        weights = replace(finalists[place], origin=origin)
    save_weights(plan.out / "weights.json", weights)
    return Tuned(weights, changes, match, place is not None)


def parameters(schema: Schema) -> list[tuple[str, str]]:
    """The tunable parameters, (feature, name): weights, constants of similarities, and last the threshold."""
    weights = [(feature.name, "weight") for feature in schema.features]
    tuned = [feature for feature in schema.features if type(feature.similarity) in CONSTANTS]
    return [*weights, *((f.name, CONSTANTS[type(f.similarity)]) for f in tuned), ("", "threshold")]


def with_parameters(schema: Schema, point: Sequence[float] | NDArray[np.float64]) -> Schema:
    """The schema with every parameter multiplied by e to the point; the sum of the weights is kept.

    The distance of the threshold from 1 is multiplied. Four digits are kept, since a file holds the measured
    values.

    Examples
    --------
    >>> from baycarp.strategies.baycarp import SCHEMAS
    >>> with_parameters(SCHEMAS[1], [0.0] * len(parameters(SCHEMAS[1]))) == SCHEMAS[1]
    True
    """
    factor = dict(zip(parameters(schema), np.exp(point).tolist(), strict=True))
    weights = {f.name: f.weight * factor[f.name, "weight"] for f in schema.features}
    scale = sum(f.weight for f in schema.features) / sum(weights.values())
    features = []
    for feature in schema.features:
        similarity: Any = feature.similarity
        if name := CONSTANTS.get(type(similarity)):
            value = getattr(similarity, name) * factor[feature.name, name]
            similarity = replace(similarity, **{name: _short(value)})
        weight = _short(scale * weights[feature.name])
        features.append(replace(feature, weight=weight, similarity=similarity))
    threshold = max(LOOSEST, 1 - (1 - schema.threshold) * factor["", "threshold"])
    return replace(schema, features=tuple(features), threshold=_short(threshold))


def _short(value: float) -> float:
    return float(f"{value:.4g}")


def _published(folder: Path) -> Model:
    """The model with the weights that its strategy is defined with, and the case-bases that have weights."""
    model = load_model(folder)
    published = model.published()
    own = {name: casebase for name, casebase in model.casebases.items() if name in published.streets}
    return replace(model, casebases=own).weighed(published)


Held = tuple[Path, int, int, tuple[str, ...]]
"""The model's folder, the number of cases, the seed, and the digests of the cases."""

Losses = Callable[[str, Sequence[Sequence[float]]], Iterator[float]]
"""From a street and its points to their losses, in order."""


@cache
def _chosen_by(held: Held) -> dict[str, tuple[Schema, HeldOutCases]]:
    """The schemas and held-out tests by street, built once in each process."""
    folder, most, seed, _ = held
    model = _published(folder)
    return {
        name: (casebase.schema, held_out_cases(casebase, most, seed, model.strategy.price)[0])
        for name, casebase in model.casebases.items()
    }


def _loss(held: Held, street: str, point: Sequence[float]) -> float:
    schema, held_out = _chosen_by(held)[street]
    return float(held_out.losses(with_parameters(schema, point)).mean())


def _losses(held: Held, workers: Workers, street: str, points: Sequence[Sequence[float]]) -> Iterator[float]:
    return (loss for _, loss in in_order(partial(_loss, held, street), points, workers))


def _search(
    plan: TunePlan, schema: Schema, seed: int, journal: Journal, compute: Losses, progress: Progress
) -> list[Schema]:
    """The best of a street after the whole search, and after decreasing equal parts of it."""
    name, size = schema.name, len(parameters(schema))
    best: list[tuple[float, NDArray[np.float64]]] = []

    def generation(number: int, points: Sequence[NDArray[np.float64]]) -> list[float]:
        values = _answered(journal, name, number, points, compute)
        place = int(np.argmin(values))
        best.append(min([*best[-1:], (values[place], points[place])], key=lambda each: each[0]))
        return values

    generation(-1, [np.zeros(size)])  # the thesis' point: no point with a greater loss is chosen
    for done, _ in enumerate(evolve(generation, size, plan.generations, seed), 1):
        progress(f"{name}, generations", done, plan.generations)
    after = [len(best) * part // plan.finalists for part in range(plan.finalists, 0, -1)]
    return [with_parameters(schema, best[max(at, 1) - 1][1]) for at in after]


def _answered(
    journal: Journal, street: str, number: int, points: Sequence[NDArray[np.float64]], compute: Losses
) -> list[float]:
    """The losses of a generation; losses in the journal are not computed again."""
    units = {(street, number, place): point.tolist() for place, point in enumerate(points)}
    missing = {unit: point for unit, point in units.items() if unit not in journal.records}
    for (unit, point), loss in zip(missing.items(), compute(street, list(missing.values())), strict=True):
        journal.append(unit, {"point": point, "loss": loss})
    for unit, point in units.items():
        if journal.records[unit].get("point") != point:
            raise JournalError(f"{journal.path}: {unit} was another point; is it of another version of cma?")
        if not isinstance(found := journal.records[unit].get("loss"), float):
            raise JournalError(f"{journal.path}: {unit} has the loss {found!r}: expected a number")
    return [journal.records[unit]["loss"] for unit in units]


def _match(plan: TunePlan, files: Sequence[Path], workers: Workers, progress: Progress) -> tuple[Rate, ...]:
    """The win rate of each finalist less that of the thesis' weights, in the same seat on the same decks."""
    specs = [
        f"cases(model={str(plan.model)!r}, weights={weights!r})" for weights in ("thesis", *map(str, files))
    ]
    names = (HERO, *(name.capitalize() for name in TABLE))
    game = Variant.ring(len(names))
    series = arms(Table(game, names, (specs[0], *TABLE), plan.seed, estimators=(JUDGE,)), specs)
    total = series.hands(plan.deals)
    played = play_series(
        series,
        plan.deals,
        plan.out / "match.journal",
        workers,
        lambda done: progress("hands", done, total),
        STUDIED,
    )
    won = [scores.won(HERO, JUDGE) for scores in series.scores(played)]
    return tuple(interval(arm - won[0], game.seats) for arm in won[1:])


def _change(held_out: HeldOutCases, after: Schema) -> StreetChange:
    before, now = held_out.losses(held_out.memory.schema), held_out.losses(after)
    return StreetChange(
        len(now), *(mean_by_hand(each, held_out.hands) for each in (before, now, now - before))
    )


def _record(change: StreetChange) -> dict[str, Any]:
    figures = {"before": change.before, "after": change.after, "difference": change.difference}
    record = {name: {"mean": mean, "margin": margin} for name, (mean, margin) in figures.items()}
    return {"asked": change.asked, **record}

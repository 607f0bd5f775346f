"""Leave one population out: models fitted on all populations but one, judged on that one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.errors import ModelError
from baycarp.training.watch import claim
from experiments.beliefs.columns import Judged
from experiments.beliefs.decision_points import Model
from experiments.beliefs.fitting import Fit, TrainingRows, training_rows
from experiments.beliefs.measure import judge_session
from experiments.beliefs.populations import Population, PopulationSession
from experiments.beliefs.stored_sessions import judge_each
from experiments.beliefs.style_change import (
    Change,
    Lag,
    changes,
    judge_player,
    lag,
    play_changes,
    sessions_of,
)
from experiments.beliefs.summary import beside_base_lines
from experiments.beliefs.unobserved import with_unobserved

__all__ = ["LeftOut", "Plan", "leave_out"]

Models = Mapping[str, Model]
Fitted = Callable[[], Models]
"""The models of one population, fitted when they are needed."""

Tick = Callable[[str, int, int], None]
"""Receives the name of a piece of work, the units done, and all of them."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How populations are left out.

    Parameters
    ----------
    fits
        The models that are fitted, by name; see ``fitting.FITS``.
    folder
        Of the judged sessions, and of the sessions of players that change their style.
    models
        Models that are judged as they are, by name.
    origin
        Everything that the judged sessions depend on, as JSON values: a folder of another origin is refused.
    pairs
        Pairs of players of each population that change their style; 0 = none.
    only
        The populations that are left out; empty = each.
    workers
        Processes.
    """

    fits: Mapping[str, Fit]
    folder: Path
    models: Models
    origin: Mapping[str, Any] = field(default_factory=dict)
    pairs: int = 0
    only: tuple[str, ...] = ()
    workers: Workers = THIS_PROCESS


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The result of one population.

    Parameters
    ----------
    population
        Its name.
    judged
        The models without it at the decision points of its members, each followed by its copy that has
        observed no hand (``unobserved``), beside the base lines.
    lags
        By model, after a change of style.
    """

    population: str
    judged: Judged
    lags: Mapping[str, Sequence[Lag]]


def leave_out(
    populations: Sequence[Population], plan: Plan, tick: Tick = lambda what, done, of: None
) -> Iterator[LeftOut]:
    """Leave out each population in turn, as soon as its result is there.

    Sessions that the folder has as judged are not judged again.

    Nothing of the population that is judged reaches the models: neither its players nor their company teach
    while it is left out, and everywhere only the members of a population teach for it.

    Parameters
    ----------
    populations
        With sessions; at least two.
    plan
        See there.
    tick
        See ``Tick``.

    Raises
    ------
    ModelError
        Fewer than two populations, two of one name, an unknown one to leave out, or a folder of another
        origin.
    """
    names = [population.name for population in populations]
    unknown = sorted(set(plan.only) - set(names))
    if unknown or len(set(names)) < max(2, len(names)):
        raise ModelError(f"populations {unknown or names}: expected two or more, of different names")
    plan.folder.mkdir(parents=True, exist_ok=True)
    claim(plan.folder / "judged.json", plan.origin)
    training = cache(lambda: _training(populations, plan.workers, tick))
    for population in populations:
        if not plan.only or population.name in plan.only:
            yield _left_out(
                population, cache(partial(_models, population.name, training, plan, tick)), plan, tick
            )


def _left_out(population: Population, models: Fitted, plan: Plan, tick: Tick) -> LeftOut:
    """The result of one population; no model is fitted where every session is judged already."""
    judged = judge_each(
        population.sessions,
        lambda: partial(_judge_one, models=models()),
        plan.folder / "judged" / population.name,
        plan.workers,
        partial(tick, f"{population.name}: sessions judged"),
    )
    return LeftOut(
        population.name, beside_base_lines(Judged.joined(judged)), _lags(population, models, plan, tick)
    )


def _models(left: str, training: Callable[[], Mapping[str, TrainingRows]], plan: Plan, tick: Tick) -> Models:
    """The models without a population, and those that are judged as they are."""
    rows = {name: each for name, each in training().items() if name != left}
    fitted = {}
    for done, (name, fit) in enumerate(plan.fits.items(), start=1):
        fitted[name] = fit(rows)
        tick(f"{left}: models fitted", done, len(plan.fits))
    return {**fitted, **plan.models}


def _training(populations: Sequence[Population], workers: Workers, tick: Tick) -> dict[str, TrainingRows]:
    named = [(each.name, session) for each in populations for session in each.sessions]
    parts: dict[str, list[TrainingRows]] = {population.name: [] for population in populations}
    with closing(in_order(_rows, named, workers)) as found:
        for done, ((name, _), rows) in enumerate(found, start=1):
            parts[name].append(rows)
            tick("sessions read", done, len(named))
    return {
        name: TrainingRows(
            tuple(row for part in each for row in part.actions),
            tuple(row for part in each for row in part.nodes),
        )
        for name, each in parts.items()
    }


def _rows(named: tuple[str, PopulationSession]) -> TrainingRows:
    name, session = named
    return training_rows(session.hands, session.members, f"{name}: ")


def _judge_one(session: PopulationSession, models: Models) -> Judged:
    return judge_session(session.hands, with_unobserved(models), players=session.members)


def _lags(population: Population, models: Fitted, plan: Plan, tick: Tick) -> Mapping[str, Sequence[Lag]]:
    found: list[Change] = changes(population, plan.pairs) if plan.pairs else []
    if not found:
        return {}
    count = partial(tick, f"{population.name}: changes of style played")
    folder = plan.folder / "changes" / population.name
    played = play_changes(found, folder, plan.workers, lambda done: count(done, 2 * len(found)))
    judged = judge_each(
        sessions_of(found, played),
        lambda: partial(judge_player, models=models()),
        folder / "judged",
        plan.workers,
        partial(tick, f"{population.name}: changes of style judged"),
    )
    return lag(found, judged)

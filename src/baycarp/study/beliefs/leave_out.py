"""Leave one population out: models fitted on all populations but one, judged on that one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.errors import ModelError
from baycarp.study.beliefs.fitting import Fit, TrainingRows, training_rows
from baycarp.study.beliefs.measure import judge_session
from baycarp.study.beliefs.moments import Judged
from baycarp.study.beliefs.populations import Population, Sitting
from baycarp.study.beliefs.queries import Model
from baycarp.study.beliefs.style_change import Change, Lag, changes, lag, play_changes
from baycarp.study.beliefs.summary import beside_base_lines
from baycarp.study.beliefs.unobserved import with_unobserved

__all__ = ["LeftOut", "Plan", "leave_out"]

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
        Of the sessions of players that change their style.
    models
        Models that are judged as they are, by name.
    pairs
        Pairs of players of each population that change their style; 0 = none.
    only
        The populations that are left out; empty = each.
    workers
        Processes.
    """

    fits: Mapping[str, Fit]
    folder: Path
    models: Mapping[str, Model]
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
        Fewer than two populations, two of one name, or an unknown one to leave out.
    """
    names = [population.name for population in populations]
    unknown = sorted(set(plan.only) - set(names))
    if unknown or len(set(names)) < max(2, len(names)):
        raise ModelError(f"populations {unknown or names}: expected two or more, of different names")
    training = _training(populations, plan.workers, tick)
    for population in populations:
        if plan.only and population.name not in plan.only:
            continue
        fitted = {}
        for done, (name, fit) in enumerate(plan.fits.items(), start=1):
            fitted[name] = fit({other: rows for other, rows in training.items() if other != population.name})
            tick(f"{population.name}: models fitted", done, len(plan.fits))
        models = {**fitted, **plan.models}
        judged = _judge(
            population, models, plan.workers, partial(tick, f"{population.name}: sessions judged")
        )
        yield LeftOut(population.name, beside_base_lines(judged), _lags(population, models, plan, tick))


def _training(populations: Sequence[Population], workers: Workers, tick: Tick) -> dict[str, TrainingRows]:
    named = [(each.name, sitting) for each in populations for sitting in each.sittings]
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


def _rows(named: tuple[str, Sitting]) -> TrainingRows:
    name, sitting = named
    return training_rows(sitting.hands, sitting.members, f"{name}: ")


def _judge(
    population: Population, models: Mapping[str, Model], workers: Workers, tick: Callable[[int, int], None]
) -> Judged:
    found = []
    with closing(in_order(partial(_judge_one, models=models), population.sittings, workers)) as each:
        for _, judged in each:
            found.append(judged)
            tick(len(found), len(population.sittings))
    return Judged.joined(found)


def _judge_one(sitting: Sitting, models: Mapping[str, Model]) -> Judged:
    return judge_session(sitting.hands, with_unobserved(models), players=sitting.members)


def _lags(
    population: Population, models: Mapping[str, Model], plan: Plan, tick: Tick
) -> Mapping[str, Sequence[Lag]]:
    found: list[Change] = changes(population, plan.pairs) if plan.pairs else []
    if not found:
        return {}
    count = partial(tick, f"{population.name}: changes of style played")
    folder = plan.folder / population.name
    played = play_changes(found, folder, plan.workers, lambda done: count(done, 2 * len(found)))
    return lag(found, played, models, plan.workers)

"""The settings that the functions of the package share, and plans that are carried out by them."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields, is_dataclass
from inspect import getdoc, signature
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any, Protocol, TypedDict, TypeVar, get_args

from baycarp.arena.run import Results
from baycarp.arena.series import Series, play_series
from baycarp.arena.session import Stacks
from baycarp.arena.workers import Workers
from baycarp.budget import Budget
from baycarp.errors import ArgumentError, TableError, brief, one_of
from baycarp.kernels.arguments import MOST_INT64, whole

__all__ = [
    "Plan",
    "PlayOptions",
    "PlaySettings",
    "RunOptions",
    "RunSettings",
    "SeriesPlan",
    "WorkOptions",
    "WorkSettings",
    "carry_out",
    "settings_of",
    "with_settings",
]

Kind = TypeVar("Kind")
Made = TypeVar("Made", covariant=True)
Function = TypeVar("Function", bound=Callable[..., Any])


class Plan(Protocol[Made]):
    """Work to be done, whose finished units are in a journal: a command and a function carry it out alike."""

    __slots__ = ()

    @property
    def units(self) -> tuple[str, int]:
        """What ``tick`` counts, and how many there are."""

    @property
    def journal(self) -> str:
        """The name of the journal in the folder."""
        return "whole.journal"

    @property
    def header(self) -> Mapping[str, Any]:
        """The header of the journal."""

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Made:
        """Do what the journal in the folder lacks, and give the result."""


@dataclass(frozen=True, slots=True)
class SeriesPlan(Plan[Made]):
    """A plan of matches on the same decks, each of this number of deals in all seatings."""

    series: Series
    deals: int

    @property
    def units(self) -> tuple[str, int]:
        """The hands."""
        return "hands", self.series.hands(self.deals)

    @property
    def header(self) -> Mapping[str, Any]:
        """The header of its journal."""
        return self.series.header()

    def play(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> Results:
        """Play what the journal in a folder lacks."""
        return play_series(self.series, self.deals, folder / self.journal, workers, tick)


class WorkOptions(TypedDict, total=False):
    """The names and types of ``WorkSettings``."""

    seed: int
    workers: int


class RunOptions(WorkOptions, total=False):
    """The names and types of ``RunSettings``."""

    tick: Callable[[int], None] | None


class PlayOptions(RunOptions, total=False):
    """The names and types of ``PlaySettings``."""

    estimators: Sequence[str]
    budget: Budget | None
    stacks: Stacks
    out: Path | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkSettings:
    """The settings of everything that may take long.

    Parameters
    ----------
    seed
        Of all that is drawn; the result is the same for any number of workers.
    workers
        Processes.
    """

    seed: int = 1
    workers: int = 1

    def __post_init__(self) -> None:
        whole(self.seed, "seed", 0, MOST_INT64)
        whole(self.workers, "workers", 1, MOST_INT64)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings(WorkSettings):
    """The settings of what counts hands, iterations or flops; the others are those of ``WorkSettings``.

    Parameters
    ----------
    tick
        Called with the number that is done.
    """

    tick: Callable[[int], None] | None = None

    def done(self, count: int) -> None:
        """Call ``tick`` where there is one."""
        if self.tick is not None:
            self.tick(count)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaySettings(RunSettings):
    """The settings of matches and tournaments.

    Parameters
    ----------
    estimators
        Unbiased estimators with less luck, such as ``("control",)``; the first one judges.
    budget
        Of every decision.
    stacks
        ``"reset"`` before every hand, or ``"carried"`` through a session.
    out
        A folder for the journal: what was interrupted, or shorter, is continued there, by the command too.
    """

    estimators: Sequence[str] = ()
    budget: Budget | None = None
    stacks: Stacks = "reset"
    out: Path | str | None = None

    def __post_init__(self) -> None:
        RunSettings.__post_init__(self)
        if self.stacks not in get_args(Stacks):
            raise TableError(f"stacks {brief(self.stacks)}: expected one of {get_args(Stacks)}")
        if isinstance(self.estimators, str):
            raise TableError(f"estimators {brief(self.estimators)}: expected several, not one text")

    @property
    def conditions(self) -> dict[str, Any]:
        """What every table has, as in ``arena.session.Table``."""
        names = ("seed", "budget", "stacks")
        return {"estimators": tuple(self.estimators), **{name: getattr(self, name) for name in names}}


def with_settings(kind: type) -> Callable[[Function], Function]:
    """Add the settings of a class, and of those that it extends, to the parameters in a function's help."""

    def documented(function: Function) -> Function:
        parts = (function.__doc__ or "").partition("\n\n    Raises\n")
        own = {*signature(function).parameters}
        entries = [entry for each in kind.__mro__ if is_dataclass(each) for entry in _parameters(each)]
        listed = [entry for entry in entries if entry.strip().partition("\n")[0] not in own]
        if parts[1]:  # not where docstrings are left out
            function.__doc__ = "\n".join([parts[0], *listed]) + "".join(parts[1:])
        return function

    return documented


def _parameters(kind: type) -> list[str]:
    """The entries of the section "Parameters" of a class, indented as in a function's help."""
    section = getdoc(kind).partition("Parameters\n----------\n")[2].partition("\n\n")[0]  # type: ignore[union-attr]
    return [indent(entry, " " * 4) for entry in re.split(r"\n(?=\S)", section) if entry]


def settings_of(
    kind: type[Kind], given: Mapping[str, Any], function: Callable[..., Any] | None = None
) -> Kind:
    """Settings by name.

    Parameters
    ----------
    kind
        Their class.
    given
        By name.
    function
        That takes them: its other parameters are named too where a name is wrong.

    Raises
    ------
    ArgumentError
        A name that is no field.

    Examples
    --------
    >>> settings_of(RunSettings, {"seed": 3}).seed
    3
    """
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]
    own = [name for name in signature(function).parameters if name != "settings"] if function else []
    for name in given:
        if name not in names:
            raise ArgumentError(f"setting {name!r}: {one_of(name, [*own, *names])}")
    return kind(**given)


def carry_out(plan: Plan[Made], settings: RunSettings, out: Path | str | None = None) -> Made:
    """Carry out a plan by settings, with its journal in a folder; None = in one that is gone afterwards."""
    with nullcontext(out) if out else TemporaryDirectory() as folder:
        return plan.run(Path(folder), Workers(settings.workers), settings.done)

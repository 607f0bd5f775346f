"""Settings by name: few parameters in the code, all of them in the signature."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, TypeVar, get_args

from baycarp.arena.session import Stacks
from baycarp.budget import Budget
from baycarp.errors import ArgumentError, TableError
from baycarp.kernels.arguments import MOST_INT64, whole

__all__ = ["PlaySettings", "RunSettings", "settings_of", "takes"]

Kind = TypeVar("Kind")
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """The settings of everything that may take long.

    Parameters
    ----------
    seed
        Of all that is drawn; the result is the same for any number of workers.
    workers
        Processes.
    tick
        Called with the number of hands (iterations, flops) done.
    """

    seed: int = 1
    workers: int = 1
    tick: Callable[[int], None] | None = None

    def __post_init__(self) -> None:
        whole(self.seed, "seed", 0, MOST_INT64)
        whole(self.workers, "workers", 1, MOST_INT64)

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
        A folder for the journal: what was interrupted, or shorter, is continued there, by the command
        with ``--out`` as well.
    """

    estimators: Sequence[str] = ()
    budget: Budget | None = None
    stacks: Stacks = "reset"
    out: Path | str | None = None

    def __post_init__(self) -> None:
        RunSettings.__post_init__(self)
        if self.stacks not in get_args(Stacks):
            raise TableError(f"stacks {self.stacks!r:.60}: expected one of {get_args(Stacks)}")
        if isinstance(self.estimators, str):
            raise TableError(f"estimators {self.estimators!r:.60}: expected several, not one text")


def takes(kind: type) -> Callable[[Function], Function]:
    """Give a function the signature with the fields of its settings, which help and completion show.

    Examples
    --------
    >>> @takes(RunSettings)
    ... def work(hands: int, **settings: Any) -> None:
    ...     print(settings_of(RunSettings, settings).seed)
    >>> list(signature(work).parameters)
    ['hands', 'seed', 'workers', 'tick']
    """

    def decorate(function: Function) -> Function:
        own = signature(function)
        kept = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        added = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in signature(kind).parameters.values()]
        function.__signature__ = own.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
        return function

    return decorate


def settings_of(kind: type[Kind], given: Mapping[str, Any]) -> Kind:
    """Settings by name.

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
    for name in given:
        if name not in names:
            raise ArgumentError(f"setting {name!r}: expected one of {', '.join(names)}")
    return kind(**given)

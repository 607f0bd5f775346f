"""Agents of other packages: entry points of the group ``baycarp.agents``.

A package names in its ``pyproject.toml`` what takes an agent's settings and returns the agent:

    [project.entry-points."baycarp.agents"]
    shark = "sharks.limit:Shark"

Once it is installed, ``baycarp.load("shark(bites=3)")`` loads it. A name of this package takes precedence.
"""

from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from baycarp.errors import ModelError

__all__ = ["GROUP", "plugin", "plugins"]

GROUP = "baycarp.agents"
_MEMBERS = ("plays", "sit", "decide", "learn")


def plugins() -> list[str]:
    """The names that other packages offer."""
    return sorted(entry_points(group=GROUP).names)


def plugin(name: str) -> Callable[..., Any] | None:
    """The factory of the external agent of that name; None where no package offers it.

    Raises
    ------
    ModelError
        Two packages offer it, or it cannot be loaded; the packages are named.
    """
    offers = {_package(entry): entry for entry in entry_points(group=GROUP, name=name)}
    if not offers:
        return None
    if len(offers) > 1:
        raise ModelError(f"agent {name!r}: expected it of one package, {' and '.join(offers)} offer it")
    ((package, entry),) = offers.items()
    try:
        make = entry.load()
    except Exception as error:  # an external module may raise any error on import
        raise ModelError(_fault(name, package, error)) from error

    def checked(**settings: Any) -> Any:
        try:
            agent = make(**settings)
        except Exception as error:
            raise ModelError(_fault(name, package, error)) from error
        if missing := [member for member in _MEMBERS if not hasattr(agent, member)]:
            raise ModelError(f"agent {name!r} of package {package}: has no {', '.join(missing)}")
        return agent

    return checked


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value


def _fault(name: str, package: str, error: Exception) -> str:
    return f"agent {name!r} of package {package}: {type(error).__name__}: {error}"

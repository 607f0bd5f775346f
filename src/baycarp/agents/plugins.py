"""Agents of other packages: entry points of the group ``baycarp.agents``.

A package names a factory, from an agent's settings to the agent, in its ``pyproject.toml``:

    [project.entry-points."baycarp.agents"]
    shark = "sharks.limit:Shark"

Once it is installed, ``baycarp.load("shark(bites=3)")`` loads it. A name of this package takes precedence.
"""

from collections.abc import Callable
from functools import partial
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
        Two packages offer it; the factory raises one if the agent cannot be loaded. The packages are named.
    """
    offers = {_package(entry): entry for entry in entry_points(group=GROUP, name=name)}
    if len(offers) > 1:
        raise ModelError(f"agent {name!r}: expected it of one package, {' and '.join(offers)} offer it")
    return next((partial(_make, name, *offer) for offer in offers.items()), None)


def _make(name: str, package: str, entry: EntryPoint, /, **settings: Any) -> Any:
    """The agent with its settings, after a check of its members."""
    where = f"agent {name!r} of package {package}"
    try:
        agent = entry.load()(**settings)
    except Exception as error:  # an external module may raise any error
        raise ModelError(f"{where}: {type(error).__name__}: {error}") from error
    if missing := [member for member in _MEMBERS if not hasattr(agent, member)]:
        raise ModelError(f"{where}: has no {', '.join(missing)}")
    return agent


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value

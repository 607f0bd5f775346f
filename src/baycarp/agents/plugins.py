"""Agents that are not of this package: classes in a file or a module, and entry points of other packages.

``baycarp.load("bots/mine.py:Cautious(limit=3)")`` and ``load("mypackage.players:Cautious")`` load a class, or
a function that makes an agent, by its place. Loading executes the file or imports the module.

For a name of its own (group ``baycarp.agents``) a package names a factory, from an agent's settings to the
agent, in its ``pyproject.toml``:

    [project.entry-points."baycarp.agents"]
    shark = "sharks.limit:Shark"

Once it is installed, ``baycarp.load("shark(bites=3)")`` loads it. A name of this package takes precedence.
"""

import re
from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from baycarp.errors import ModelError, one_of
from baycarp.files.modules import module_digest, named_module, run_module

__all__ = ["GROUP", "MEMBERS", "PLACE", "plugin", "plugins", "source_digest"]

GROUP = "baycarp.agents"
PLACE = r"(?:[^():]+\.py|[A-Za-z_][\w.]*):[A-Za-z_]\w*"
"""A regular expression of the place of a class: FILE.py:NAME or MODULE:NAME."""
MEMBERS = ("plays", "sit", "decide", "learn")
"""What an agent has."""


def plugins() -> list[str]:
    """The names that other packages offer."""
    return sorted(entry_points(group=GROUP).names)


def plugin(name: str) -> Callable[..., Any] | None:
    """The factory of the external agent of that name or place; None where no package offers it.

    Raises
    ------
    ModelError
        Two packages offer it; they are named. The factory raises one if the agent cannot be loaded.
    """
    if re.fullmatch(PLACE, name):
        return partial(_make, f"agent {name!r}", _at(name))
    offers = {_package(entry): entry for entry in entry_points(group=GROUP, name=name)}
    if len(offers) > 1:
        raise ModelError(f"agent {name!r}: expected it of one package, {' and '.join(offers)} offer it")
    made = (
        partial(_make, f"agent {name!r} of package {package}", entry.load)
        for package, entry in offers.items()
    )
    return next(made, None)


def source_digest(name: str) -> str:
    """The SHA-256 of the file that an agent's place names, the module's where it has one; otherwise empty.

    Examples
    --------
    >>> source_digest("baycarp"), len(source_digest("baycarp.agents.static.simple:AlwaysCall"))
    ('', 16)
    """
    if not re.fullmatch(PLACE, name):
        return ""
    module, _, _ = name.rpartition(":")
    return module_digest(module)


def _at(place: str) -> Callable[[], Any]:
    module, _, name = place.rpartition(":")

    def loaded() -> Any:
        found = run_module(Path(module)) if module.endswith(".py") else named_module(module)
        if not hasattr(found, name):
            classes = _classes(found)
            raise ModelError(f"no {name} in it: {one_of(name, classes) if classes else 'expected a class'}")
        return getattr(found, name)

    return loaded


def _classes(module: ModuleType) -> list[str]:
    """The names of the classes that a module makes itself, in its order."""
    made = vars(module).items()
    return [name for name, each in made if isinstance(each, type) and each.__module__ == module.__name__]


def _make(where: str, loaded: Callable[[], Any], /, **settings: Any) -> Any:
    """The agent with its settings, after a check of its members."""
    try:
        agent = loaded()(**settings)
    except ModelError as error:
        raise ModelError(f"{where}: {error}") from None
    except (Exception, SystemExit) as error:  # an external module may raise any error
        raise ModelError(f"{where}: {type(error).__name__}: {error}") from error
    if missing := [member for member in MEMBERS if not hasattr(agent, member)]:
        raise ModelError(f"{where}: has no {', '.join(missing)}")
    return agent


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value

"""How an agent is made of settings: the entries of the registry, and their settings in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from inspect import Parameter, formatannotation, getdoc, signature
from types import UnionType
from typing import Any, get_args, get_origin

from baycarp.agents.base import Agent
from baycarp.errors import ModelError, brief, one_of

__all__ = ["PUBLISHED", "Factory", "Setting", "annotations", "described", "typed"]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of an agent, as a specification names it.

    Parameters
    ----------
    name
        Of the setting.
    default
        Its value where the specification does not name it; ``inspect.Parameter.empty`` = it must be named.
    meaning
        In words.
    """

    name: str
    default: Any
    meaning: str

    @property
    def text(self) -> str:
        """``name=default`` as a specification writes it."""
        return f"{self.name}={'...' if self.default is Parameter.empty else repr(self.default)}"


PUBLISHED = Setting("published", False, "Whether it has the form that its author describes.")


class Factory:
    """An agent whose settings are the parameters of its class, and of a value that the class takes.

    Parameters
    ----------
    make
        The class, or a function that makes the agent.
    about
        What the agent is, in one line.
    published
        The settings of the form that its author describes; None = no author describes it.
    values
        By the parameter of ``make`` that takes it: a frozen value, or the class of one, whose fields are
        settings.

    Examples
    --------
    >>> from baycarp.agents.static.simple import Frequency
    >>> Factory(Frequency, "fixed frequencies")(fold=0.5).fold
    0.5
    """

    def __init__(
        self,
        make: Callable[..., Agent],
        about: str,
        published: Mapping[str, Any] | None = None,
        **values: Any,
    ) -> None:
        self.make, self.about, self.published, self.values = make, about, published, values

    def settings(self) -> tuple[Setting, ...]:
        """What a specification may set."""
        found = [each for each in described(self.make) if each.name not in self.values]
        for value in self.values.values():
            found += described(value)
        return (*found, *([] if self.published is None else [PUBLISHED]))

    def __call__(self, **given: Any) -> Agent:
        """The agent with these settings."""
        own = {name: kind for name, kind in annotations(self.make).items() if name not in self.values}
        parts = {name: annotations(_class(value)) for name, value in self.values.items()}
        kinds = own | {name: kind for part in parts.values() for name, kind in part.items()}
        typed(kinds if self.published is None else kinds | {"published": bool}, given)
        if self.published is not None and given.pop("published", False):
            given = {**self.published, **given}
        taken = {name: given[name] for name in own if name in given}
        for name, value in self.values.items():
            fields = {field: given[field] for field in parts[name] if field in given}
            taken[name] = value(**fields) if isinstance(value, type) else replace(value, **fields)
        return self.make(**taken)


def _class(value: Any) -> type:
    return value if isinstance(value, type) else type(value)


def annotations(make: Callable[..., Any]) -> dict[str, Any]:
    """The type of each parameter of a class or function."""
    return {each.name: each.annotation for each in _named(make)}


def _named(make: Callable[..., Any]) -> list[Parameter]:
    """The parameters with a name; a protocol as base shows others where a class takes none."""
    unnamed = Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD
    found = signature(make, eval_str=True).parameters.values()
    return [each for each in found if each.kind not in unnamed]


def typed(kinds: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Check that each setting is known, and of its type.

    Raises
    ------
    ModelError
        Another setting, or a value of another type.
    """
    if foreign := sorted({*given} - {*kinds}):
        raise ModelError(f"setting {brief(foreign[0])}: {one_of(foreign[0], kinds or ['none'])}")
    for name, value in given.items():
        if not _is(value, kinds[name]):
            raise ModelError(f"{name}={brief(value)}: expected {formatannotation(kinds[name])}")


def _is(value: Any, kind: Any) -> bool:
    """Whether a literal is of a type: a whole number does for a float, a bool for no number."""
    if isinstance(kind, UnionType):
        return any(_is(value, one) for one in get_args(kind))
    if get_origin(kind) is tuple:
        kinds = get_args(kind)
        return isinstance(value, tuple) and len(value) == len(kinds) and all(map(_is, value, kinds))
    if get_origin(kind) is Sequence:
        return isinstance(value, list | tuple) and all(_is(each, *get_args(kind)) for each in value)
    return kind is Any or type(value) is kind or (type(value), kind) == (int, float)


def described(value: Any) -> tuple[Setting, ...]:
    """The parameters of a class or function as settings; of a frozen value its fields, with its own numbers.

    Examples
    --------
    >>> from baycarp.agents.poki.formula import Style
    >>> described(Style(level="tight"))[0].text
    "level='tight'"
    """
    make: Callable[..., Any] = value if callable(value) else type(value)
    meanings = _meanings(make)
    return tuple(
        Setting(
            each.name,
            each.default if make is value else getattr(value, each.name),
            meanings.get(each.name, ""),
        )
        for each in _named(make)
    )


@cache
def _meanings(make: Callable[..., Any]) -> Mapping[str, str]:
    """The parameters of docstrings in the style of numpy, of a class and its bases, each on one line."""
    found: dict[str, str] = {}
    for each in reversed(getattr(make, "__mro__", (make,))):
        found |= _parameters(getdoc(each) or "")
    return found


def _parameters(text: str) -> dict[str, str]:
    section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w[^\n]*\n-+\n|\Z)", text, re.S | re.M)
    found: dict[str, str] = {}
    names: list[str] = []
    for line in section[1].splitlines() if section else ():
        if line and not line.startswith(" "):
            names = [name.strip() for name in line.split(":")[0].split(",")]
        for name in names if line.startswith(" ") else ():
            found[name] = f"{found.get(name, '')} {line.strip()}".strip().replace("``", "")
    return found

"""The names of players."""

import re
from collections.abc import Sequence
from itertools import chain, count

from baycarp.agents.given import Given
from baycarp.agents.plugins import PLACE
from baycarp.agents.table import TABLES
from baycarp.errors import TableError, brief
from baycarp.files.escaped import is_text

__all__ = ["distinct", "named"]


def named(agents: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and specifications of agents, each ``AGENT`` or ``NAME=AGENT``; a repeated name is numbered.

    The name of a table (``agents.table.TABLES``) stands for its players.

    Raises
    ------
    TableError
        A name with a lone surrogate, as of an argument that is not UTF-8.

    Examples
    --------
    >>> named(["karma", "karma", "Bob=rule"])
    (('karma', 'karma-2', 'Bob'), ('karma', 'karma', 'rule'))
    >>> named(["bots/mine.py:Cautious"])  # a class is named without its place
    (('Cautious',), ('bots/mine.py:Cautious',))
    >>> named(["rule", "people"])[0][:3]
    ('rule', 'tight-1', 'tight-2')
    """
    names: list[str] = []
    specs = []
    for agent in chain.from_iterable(TABLES.get(agent, (agent,)) for agent in agents):
        name, equals, spec = agent.partition("=")
        if isinstance(agent, Given):
            name, spec = agent.name, agent
        elif not equals or "(" in name:
            name, spec = _without_place(agent), agent
        if not is_text(name):
            raise TableError(f"player {brief(name)}: expected text that UTF-8 can express")
        names.append(name)
        specs.append(spec)
    return distinct(names), tuple(specs)


def distinct(names: Sequence[str], taken: Sequence[str] = ()) -> tuple[str, ...]:
    """Different names: one that is taken already is numbered.

    Examples
    --------
    >>> distinct(["karma", "karma", "You"], ["You"])
    ('karma', 'karma-2', 'You-2')
    """
    found = list(taken)
    for name in names:
        numbered = (f"{name}-{number}" for number in count(2))
        found.append(next(free for free in chain([name], numbered) if free not in found))
    return tuple(found[len(taken) :])


def _without_place(spec: str) -> str:
    """A specification from the name of its class on."""
    found = re.match(PLACE, spec)
    return spec[found[0].rindex(":") + 1 :] if found else spec

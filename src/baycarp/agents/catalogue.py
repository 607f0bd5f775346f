"""The agents of the registry in words: what each is, its games, its settings, and the size of its model."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from baycarp.agents.external.program import Program
from baycarp.agents.factory import Setting
from baycarp.agents.registry import AGENTS, load, parse
from baycarp.agents.table import PLAYERS

__all__ = ["LINES", "Description", "described", "settings"]

LINES: Mapping[str, str] = {
    **{name: agent.about for name, agent in AGENTS.items()},
    **{name: f"of the default table: a {parse(spec)[0]} player" for name, spec in PLAYERS.items()},
}
"""What each agent is, in one line."""


@dataclass(frozen=True, slots=True)
class Description:
    """An agent in words.

    Parameters
    ----------
    name, line
        The agent, and what it is.
    games
        The betting and the seats that it plays.
    model
        The size of what it is loaded with; empty = it has no model.
    settings
        What a specification may set.
    """

    name: str
    line: str
    games: str
    model: str
    settings: tuple[Setting, ...]


def described(name: str) -> Description:
    """The description of a shipped agent; its model is loaded.

    Raises
    ------
    ModelError
        No such agent.

    Examples
    --------
    >>> described("rule").games
    'limit, 2 to 10 seats'
    >>> described("formula").settings[0].text
    "level='moderate'"
    """
    if name == "program":  # starts with a command of the user's
        return Description(name, LINES[name], str(Program.plays), "", settings(name))
    agent = load(name)
    return Description(name, LINES[name], str(agent.plays), getattr(agent, "size", ""), settings(name))


def settings(name: str) -> tuple[Setting, ...]:
    """The settings of a shipped agent, with its own defaults."""
    kind, own = parse(PLAYERS[name]) if name in PLAYERS else (name, {})
    return tuple(replace(each, default=own.get(each.name, each.default)) for each in AGENTS[kind].settings())

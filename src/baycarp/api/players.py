"""Agents as they are given, and the game that they play."""

from collections.abc import Mapping, Sequence

from baycarp.agents.base import Agent
from baycarp.agents.external.program import Program
from baycarp.agents.given import Given
from baycarp.agents.registry import load
from baycarp.arena.names import named
from baycarp.errors import ArgumentError, TableError, brief
from baycarp.game.variant import Variant

__all__ = ["Agents", "as_spec", "as_texts", "names_and_specs", "variant_of", "verify_programs"]

Agents = Sequence[str | Agent] | Mapping[str, str | Agent]
"""Specifications, each ``AGENT`` or ``NAME=AGENT``, or agents; or both by name."""


def as_texts(agents: Agents, workers: int = 1) -> list[str]:
    """Agents as ``AGENT`` or ``NAME=AGENT``; those that are objects as ``Given``.

    Raises
    ------
    TableError
        None, or an object at two seats.
    ModelError
        Values that are no texts and no agents.
    ArgumentError
        An object that the workers cannot receive.
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence | Mapping):
        raise TableError(f"agents {brief(agents)}: expected several, not one")
    if not agents:
        raise TableError("no agent: expected one or more")
    named = agents.items() if isinstance(agents, Mapping) else [("", agent) for agent in agents]
    objects = [id(agent) for _, agent in named if not isinstance(agent, str)]
    if len({*objects}) < len(objects):
        raise TableError("an agent is there twice: expected another object for each seat, as load gives it")
    return [as_spec(agent, name, workers) for name, agent in named]


def as_spec(agent: str | Agent, name: str = "", workers: int = 1) -> str:
    """An agent as ``AGENT`` or ``NAME=AGENT``, or as ``Given``; errors as of ``as_texts``."""
    if isinstance(agent, str):
        return f"{name}={agent}" if name else agent
    spec = Given.of(agent, name)
    if workers > 1 and not spec.pickled:
        raise ArgumentError(f"workers {workers}: expected 1, or the name of {spec.name}: it is not pickled")
    return spec


def names_and_specs(agents: Agents, workers: int = 1) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and specifications of the agents of a match.

    Raises
    ------
    TableError, ModelError, ArgumentError
        Fewer than two; and as of ``as_texts``.

    Examples
    --------
    >>> names_and_specs(["call", "Bob=raise"])
    (('call', 'Bob'), ('call', 'raise'))
    """
    players, specs = named(as_texts(agents, workers))
    if len(specs) < 2:
        raise TableError(f"{players[0]} alone: expected two agents or more")
    return players, specs


def variant_of(game: str | Variant, seats: int) -> Variant:
    """A game by name or file; empty = fixed limit with this number of seats."""
    if isinstance(game, Variant):
        return game
    return Variant.load(game) if game else Variant.ring(seats)


def verify_programs(variant: Variant, specs: Sequence[str]) -> None:
    """Refuse an external program that does not start: it would lose every hand.

    Raises
    ------
    ModelError
        It did not answer its first message.
    """
    for spec in specs:
        agent = load(spec)
        if isinstance(agent, Program):
            agent.verify_start(variant)

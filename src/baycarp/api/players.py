"""Agents as they are given, and the game that they play."""

from collections.abc import Mapping, Sequence

from baycarp.agents.external.program import Program
from baycarp.agents.registry import load
from baycarp.arena.names import named
from baycarp.errors import TableError
from baycarp.game.variant import Variant

__all__ = ["Agents", "as_texts", "names_and_specs", "variant_of", "verify_programs"]

Agents = Sequence[str] | Mapping[str, str]
"""Specifications, each ``AGENT`` or ``NAME=AGENT``, or specifications by name."""


def as_texts(agents: Agents) -> list[str]:
    """Agents as ``AGENT`` or ``NAME=AGENT``.

    Raises
    ------
    TableError
        None, or values that are no texts.
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence | Mapping):
        raise TableError(f"agents {agents!r:.60}: expected several, not one text")
    if not agents:
        raise TableError("no agent: expected one or more")
    for each in agents.values() if isinstance(agents, Mapping) else agents:
        if not isinstance(each, str):
            raise TableError(f"agent {each!r:.60}: expected a text such as 'rule' or 'mine.py:Cautious'")
    return [f"{name}={spec}" for name, spec in agents.items()] if isinstance(agents, Mapping) else [*agents]


def names_and_specs(agents: Agents) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and specifications of the agents of a match.

    Raises
    ------
    TableError
        Fewer than two, or values that are no texts.

    Examples
    --------
    >>> names_and_specs(["call", "Bob=raise"])
    (('call', 'Bob'), ('call', 'raise'))
    """
    players, specs = named(as_texts(agents))
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

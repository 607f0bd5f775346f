"""Agents that are given as objects, where a specification is expected: a text that has its agent with it."""

from hashlib import sha256
from itertools import count
from multiprocessing.reduction import ForkingPickler
from typing import Any

from baycarp.agents.plugins import MEMBERS
from baycarp.errors import ModelError, brief

__all__ = ["Given"]

_NUMBERS = count(1)


class Given(str):
    """A specification that has its agent: the name of the class, and a digest of what it holds.

    Of an agent that cannot be pickled the text has a number in place of the digest, so that no journal is
    continued with it, and it plays in this process alone.

    Attributes
    ----------
    agent
        The agent itself, which plays.
    name : str
        Its name at the table.
    pickled : bool
        Whether other processes can receive it.

    Examples
    --------
    >>> from baycarp.agents.static.simple import AlwaysCall
    >>> spec = Given.of(AlwaysCall())
    >>> spec.name, spec == Given.of(AlwaysCall()), Given.of(spec.agent, "Ann").name
    ('AlwaysCall', True, 'Ann')
    """

    agent: Any
    name: str
    pickled: bool

    @classmethod
    def of(cls, agent: Any, name: str = "") -> "Given":
        """The specification of an agent; its name is that of its class, if none is given.

        Raises
        ------
        ModelError
            Something that is no agent.
        """
        kind = type(agent).__name__
        missing = [member for member in MEMBERS if not hasattr(agent, member)]
        if missing or isinstance(agent, type):
            why = "is a class" if isinstance(agent, type) else f"has no {', '.join(missing)}"
            raise ModelError(f"agent {brief(agent)} {why}: expected a text such as 'rule', or an agent")
        try:
            held = sha256(ForkingPickler.dumps(agent)).hexdigest()[:16]
        except Exception:  # any that a foreign class raises
            held = f"number {next(_NUMBERS)}"
        spec = cls(f"{kind} {held}")
        spec.agent, spec.name, spec.pickled = agent, name or kind, not held.startswith("number")
        return spec

    def __deepcopy__(self, _memo: object) -> "Given":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Given.of, (self.agent, self.name)

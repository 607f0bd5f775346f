"""What the reader of a format is to the door: a name, a test of a text's beginning, a function."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from baycarp.game.notation.hand import Hand, Refusal

__all__ = ["Format", "Read"]

Read: TypeAlias = Callable[[Iterable[str], str, Refusal | None], Iterator[Hand]]
"""Called with lines, a place and a refusal (``Format.read``)."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of hands.

    Parameters
    ----------
    name
        As people call it: ``"PokerStars"``. It is also ``Origin.room`` of its hands, except where a format is
        of no room.
    recognises
        Whether a text is of this format, from its first few thousand characters: decoded, without a
        byte-order mark, with line feeds as line ends. It may begin with a comment, a blank line or the end of
        a hand that was cut. It must be quick and must not raise.
    read
        The hands of a text. It is given the lines (decoded, without a byte-order mark, with or without their
        line ends), the place that they are from (a file's name; "" = none), and a refusal. It reads one hand
        at a time and keeps no more. A hand that cannot be read is given to the refusal as a ``Refused`` whose
        ``where`` begins with the place and has the line on which the hand begins, like
        ``in.txt, line 12 (hand 7)``, and reading goes on with the next; without a refusal it is raised.
        ``notation.hand.attempt`` does both.
        Nothing but a ``NotationError`` is raised, whatever the lines are.
    """

    name: str
    recognises: Callable[[str], bool]
    read: Read

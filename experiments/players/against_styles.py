"""An agent against members of the no-limit population that it meets for the first time: win rates by hand.

A session is one opponent, or one table of opponents; the agent begins it without an observation of them, so
that the win rate by the number of the hand is how fast the agent adapts.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import PLAYED, numbers
from baycarp.arena.measure import Rate, interval
from baycarp.arena.session import Table, play_session
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.budget import Budget
from baycarp.errors import ArgumentError
from baycarp.game.variant import Variant

__all__ = ["Meeting", "by_hand", "drawn_styles", "meet", "pooled"]

Array = NDArray[np.float64]

UNIT = "small blinds"

SESSIONS = 20
"""With fewer sessions, the interval is over hands."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Sessions of an agent against styles of ``sizer``.

    Parameters
    ----------
    game
        No-limit; as many opponents sit down as it has other seats.
    agent
        The specification of the agent.
    styles
        Settings of ``sizer``; session ``k`` takes those from ``k * (seats - 1)`` on, in a circle.
    sessions, hands
        Their number, and the hands of each.
    seed
        Fixes every card and draw.
    budget
        Of every decision of the agent and of its opponents; None = their own.

    Raises
    ------
    ArgumentError
        No style, or a number below 1.
    """

    game: Variant
    agent: str
    styles: tuple[str, ...]
    sessions: int
    hands: int
    seed: int = 1
    budget: Budget | None = None

    def __post_init__(self) -> None:
        if not self.styles or self.sessions < 1 or self.hands < 1:
            raise ArgumentError(
                f"{len(self.styles)} styles, {self.sessions} sessions of {self.hands} hands: "
                "expected at least 1"
            )

    def table(self, session: int) -> Table:
        """The seats of a session; the agent has the first one."""
        others = self.game.seats - 1
        styles = [self.styles[(session * others + k) % len(self.styles)] for k in range(others)]
        players = (self.agent, *(f"sizer({style})" for style in styles))
        names = ("agent", *(f"opponent {k + 1}" for k in range(others)))
        return Table(self.game, names, players, self.seed, self.budget, estimators=("all-in",))


def drawn_styles(first: int, count: int) -> tuple[str, ...]:
    """The settings of members ``first`` .. ``first + count - 1`` of the population (``sizer(number=...)``).

    Examples
    --------
    >>> drawn_styles(100, 2)
    ('number=100', 'number=101')
    """
    return tuple(f"number={number}" for number in range(first, first + count))


def meet(meeting: Meeting, workers: Workers = THIS_PROCESS) -> Iterator[Array]:
    """Play, and yield what the agent won in each session.

    Parameters
    ----------
    meeting
        The sessions.
    workers
        The results are the same for any number of them.

    Yields
    ------
    float64, shape (hands,)
        Small blinds by hand, by all-in equity.
    """
    meeting.table(0).verify_players()
    units = list(numbers(PLAYED, meeting.sessions))
    with closing(in_order(partial(_play, meeting), units, workers)) as done:
        for _, won in done:
            yield won


def _play(meeting: Meeting, number: int) -> Array:
    played = play_session(meeting.table(number - PLAYED), number, meeting.hands)
    small = min(blind for blind in meeting.game.blinds if blind)
    return np.asarray(played.estimates["all-in"][:, 0] / small)


def pooled(won: Sequence[Array]) -> Rate:
    """The win rate over all hands; its interval is over sessions from 20 sessions on, else over hands."""
    if len(won) >= SESSIONS:
        return interval(np.array([each.mean() for each in won]), len(won[0]), UNIT)
    return interval(np.concatenate(won), 1, UNIT)


def by_hand(won: Sequence[Array], edges: Sequence[int]) -> dict[tuple[int, int], Rate]:
    """The win rate in each range of hands of the sessions.

    Parameters
    ----------
    won
        By session: small blinds by hand.
    edges
        Ascending: hands ``edges[i] + 1`` to ``edges[i + 1]`` are a range.

    Returns
    -------
    dict
        By the first and the last hand of a range, counted from 1.
    """
    return {(a + 1, b): pooled([each[a:b] for each in won]) for a, b in pairwise(edges)}

"""Recorded hands as input of an agent, so that it repeats the decisions of the time when they were played.

A decision depends on earlier hands: the agent counts the actions of its opponents, and retains its own
decisions as cases. A table's log marks the beginning of each session, with its seed.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Self

from baycarp.agents.base import Agent
from baycarp.arena.session import agent_seed
from baycarp.errors import CardError
from baycarp.game import Acted, HandOver, Observation, Variant
from baycarp.game.notation.acpc_log import is_no_hand
from baycarp.game.notation.door import HandSource, read
from baycarp.game.notation.hand import Hand, Refusal, Refused, lines, replay, states

__all__ = ["SessionMark", "read_session", "sit_through"]

_MARK = re.compile(r"# session ([0-9]{1,18}), seed ([0-9]{1,19})\s*")


@dataclass(frozen=True, slots=True)
class SessionMark:
    """A comment in an ACPC log: the hands after it are those of one session, from its first on.

    Parameters
    ----------
    number
        Of the session.
    seed
        Of the table.

    Examples
    --------
    >>> str(SessionMark(2000000, seed=1))
    '# session 2000000, seed 1'
    >>> SessionMark.parse("# session 2000000, seed 1")
    SessionMark(number=2000000, seed=1)
    """

    number: int
    seed: int

    def __str__(self) -> str:
        return f"# session {self.number}, seed {self.seed}"

    @classmethod
    def parse(cls, line: str) -> Self | None:
        """The mark that a line is; None = it is something else."""
        found = _MARK.fullmatch(line)
        return cls(*map(int, found.groups())) if found else None


def read_session(
    source: HandSource,
    game: str | Path | Variant | None,
    number: int,
    refusal: Refusal | None = None,
) -> tuple[list[Hand], SessionMark | None]:
    """The hands of one session of a log, up to the hand of that number in the log.

    Parameters
    ----------
    source, game, refusal
        As of ``game.notation.door.read``.
    number
        Counted from 1 over the whole log.

    Returns
    -------
    hands : list of Hand
        The last of them is the requested one; empty where the log has fewer.
    mark : SessionMark or None
        None where the log has none: the whole log is one session.

    Raises
    ------
    NotationError
        A hand that cannot be read.
    """
    refused = list[Refused]()
    hands = list(islice(read(source, refused.append if refusal else None, game), number))
    for each in refused:
        refusal(each) if refusal else None
    if len(hands) < number:
        return [], None
    before, mark = (0, None) if refused else _marked(source, number)
    return hands[before:], mark


def _marked(source: HandSource, number: int) -> tuple[int, SessionMark | None]:
    """How many hands are before the session of a hand of an ACPC log, and the mark where it begins."""
    before, mark, hands = 0, None, 0
    is_text = isinstance(source, str) and "\n" in source
    if not is_text and (str(source) == "-" or not Path(source).is_file()):
        return before, mark
    for line in source.splitlines() if is_text else lines(source, "replace"):  # type: ignore[union-attr]
        if found := SessionMark.parse(line):
            before, mark = hands, found
        hands += not is_no_hand(line)
        if hands == number:
            break
    return before, mark


def sit_through(
    agent: Agent,
    hands: Sequence[Hand],
    last: Observation,
    mark: SessionMark | None = None,
    decides: bool = True,
    tick: Callable[[int], None] = lambda hands: None,
) -> None:
    """Seat an agent, and give it the events of a session up to a decision, which it can then repeat.

    The agent decides wherever the player in its seat did, without a time limit, and learns the recorded
    actions; hands without that player, or without names, are skipped.

    Parameters
    ----------
    agent
        Of a kind that plays the last hand.
    hands
        From the first of the session to the one of the decision.
    last
        The observation of the deciding player, in the last hand.
    mark
        Gives the seed that the agent had; None = 0.
    decides
        Without, the agent only observes the others, and retains nothing.
    tick
        Called after each hand before the last with their number so far.
    """
    *earlier, hand = hands
    assert last.seat is not None
    player = hand.players[last.seat] if hand.players else ""
    seat, seed = last.seat, 0
    if mark:  # in its first hand the button is the first seat
        seat = (1 + hands[0].players.index(player)) % hand.variant.seats
        seed = agent_seed(mark.seed, mark.number, seat)
    agent.sit(seat, hand.variant, seed)
    for count, each in enumerate(earlier, start=1):
        if player in each.players and agent.plays.fits(each.variant):
            _go_through(agent, each, each.players.index(player), decides)
        tick(count)
    _go_through(agent, hand, last.seat, decides, len(last.acts))


def _go_through(agent: Agent, hand: Hand, position: int, decides: bool, acts: int | None = None) -> None:
    """One hand, or the given number of its actions: own decisions, all players' actions, and the end."""
    number, final = hand.id if isinstance(hand.id, int) else 0, replay(hand)
    try:
        payoffs = final.payoffs() if final.is_over else ()
    except CardError:
        payoffs = ()
    settled = bool(payoffs) or acts is not None
    for state, act in zip(states(hand), final.acts[:acts], strict=False):
        if act.seat == position and decides and settled and state.hole_of(position):
            agent.decide(state.observe(position, hand.players, number))
        agent.learn(Acted(state.observe(None, hand.players, number), act))
    if acts is None and final.is_over:
        agent.learn(HandOver(final.observe(None, hand.players, number), payoffs))

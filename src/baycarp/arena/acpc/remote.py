"""An external client in a seat of this package's dealer: to the hand loop, an agent."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from baycarp.agents.base import Decision
from baycarp.arena.acpc.answer import read_answer
from baycarp.arena.acpc.wire import Wire
from baycarp.budget import Budget
from baycarp.errors import NotationError
from baycarp.game.action import Action
from baycarp.game.event import Acted, Event
from baycarp.game.notation.acpc import format_matchstate
from baycarp.game.plays import Plays
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant

__all__ = ["Conduct", "Limits", "Remote"]

FLOOD = 10_000
"""Lines that a client may send beside the one that is awaited; one that answers every state sends fewer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of a client in seconds: for an answer, for a hand, for a hand on average over the match.

    The defaults are the original dealer's.
    """

    answer: float = 600.0
    hand: float = 600.0
    average: float = 7.0


@dataclass(slots=True)
class Conduct:
    """The faults of a client.

    ``ignored`` counts lines that were not awaited, ``mended`` answers that were not the text of a legal
    action, and ``lost`` gives the hand and the reason where the seat lost its right to act.
    """

    ignored: int = 0
    mended: int = 0
    lost: str = ""

    def __str__(self) -> str:
        text = f"{self.ignored} lines ignored, {self.mended} actions mended"
        return f"{text}, right to act lost {self.lost}" if self.lost else text


class Remote:
    """An agent that is a client at the other end of a wire.

    It receives every state of the hand, in its own view, and answers when it is its turn. A client that takes
    too long, hangs up or floods loses its seat's right to act for the rest of the match: the seat then checks
    where that is free, and folds. (The original dealer ends the whole match there.)

    Parameters
    ----------
    wire
        The connection, after the version line.
    hands
        Hands of the match, over which the average time is allowed.
    limits
        See ``Limits``. The time that it takes to send to a client that reads slowly is the client's, too.
    clock
        Seconds that only grow.
    """

    plays = Plays(frozenset({"limit", "no-limit"}))

    def __init__(
        self,
        wire: Wire,
        hands: int,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.conduct = Conduct()
        self._wire, self._limits, self._clock = wire, limits or Limits(), clock
        self._match_left = hands * self._limits.average
        self._hand_left = self._limits.hand
        self._hand, self._seat = 0, 0
        self._state: State | None = None

    def close(self) -> None:
        """Hang up, when the match is over."""
        if not self.conduct.lost:
            self._wire.finish()

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Nothing is drawn here."""

    def deal(self, state: State, seat: int, hand: int) -> None:
        """Begin a hand; ``state`` holds every card, and the client receives the view of position ``seat``."""
        self._state, self._seat, self._hand = state, seat, hand
        self._hand_left = self._limits.hand
        self._send_state(state)

    def learn(self, event: Event) -> None:
        """Send the client the state after an action."""
        if isinstance(event, Acted):
            assert self._state is not None
            self._state.apply(event.act.action)
            self._send_state(self._state)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Await the client's answer; the dealer's limits hold, and no others."""
        stay_or_leave = observation.state.named("fold" if observation.state.owed else "check")
        action = self._timed(lambda: self._await_action(observation)) or stay_or_leave
        return Decision(action, {action: 1.0}, reason=self.conduct.lost)

    def _send_state(self, state: State) -> None:
        line = format_matchstate(state.observe(self._seat, hand=self._hand))
        self._timed(lambda: self._wire.send(line, self._left()))

    def _await_action(self, observation: Observation) -> Action:
        line, allowed = format_matchstate(observation), self._left()
        until = self._clock() + allowed
        for _ in range(FLOOD):
            try:
                answer = self._wire.receive(until - self._clock())
            except TimeoutError:
                break
            if self._clock() > until:
                break
            if answer.startswith(line):
                colon, text = answer[len(line) : len(line) + 1], answer[len(line) + 1 :]
                action, mended = read_answer(observation.state, text if colon == ":" else "")
                self.conduct.mended += mended
                return action
            self.conduct.ignored += not answer.startswith(("#", ";"))
        else:
            raise ConnectionError(f"{FLOOD} lines and no answer among them")
        raise TimeoutError(f"no answer in {allowed:.3g} s")

    def _left(self) -> float:
        return min(self._limits.answer, self._hand_left, self._match_left)

    def _timed(self, do: Callable[[], Action | None]) -> Action | None:
        """Do a thing on the client's time, while it has the right to act; None where it loses that."""
        if self.conduct.lost:
            return None
        began = self._clock()
        try:
            return do()
        except (OSError, NotationError) as error:
            self.conduct.lost = f"in hand {self._hand}: {error}"
            self._wire.close()
            return None
        finally:
            taken = self._clock() - began
            self._hand_left -= taken
            self._match_left -= taken

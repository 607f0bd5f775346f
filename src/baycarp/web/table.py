"""The table that connections share: a session or a log, one change at a time, each sent to all."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from baycarp.errors import BaycarpError, TableError
from baycarp.game.notation.hand import Hand
from baycarp.game.notation.wire import string, whole
from baycarp.web.frames import Frame
from baycarp.web.review import advice, parse, steps
from baycarp.web.sitting import Sitting

__all__ = ["Listener", "Table"]

Listener = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass
class Table:
    """A session with a person, or a log to be replayed.

    Parameters
    ----------
    sitting
        The session; None = only replay.
    log
        Recorded hands.
    adviser
        The agent that decides in replays.
    open_cards
        Study mode: decisions can be opened before the hand is over.
    pace
        Least seconds between two actions of agents.
    """

    sitting: Sitting | None = None
    log: list[Hand] = field(default_factory=list)
    adviser: str = ""
    open_cards: bool = False
    pace: float = 0.7
    paused: bool = False
    listeners: set[Listener] = field(default_factory=set)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self) -> None:
        """Let agents act whenever they are to; ends when it is cancelled."""
        while self.sitting:
            self._changed.clear()
            if self.paused or self.sitting.waits:
                await self._changed.wait()
                continue
            await asyncio.sleep(self.pace)
            async with self._lock:
                try:
                    if not self.paused and not self.sitting.waits:
                        await asyncio.to_thread(self.sitting.step)
                except BaycarpError as error:
                    self.paused = True
                    await self._send({"type": "error", "error": type(error).__name__, "reason": str(error)})
            await self._send(await self.greeting())

    async def greeting(self) -> Frame:
        """Everything that the page shows at first, and again after each change."""
        if not self.sitting:
            hands = [{"id": str(hand.id), "players": list(hand.players)} for hand in self.log]
            return {"type": "log", "hands": hands, "adviser": self.adviser}
        return {
            "type": "table",
            "game": self.sitting.seating.variant.name,
            "unit": self.sitting.seating.variant.small_bet,
            "frame": self.sitting.frame(),
            "results": self.sitting.results(),
            "paused": self.paused,
            "pace": self.pace,
            "open": self.open_cards,
            "adviser": self.sitting.seating.adviser,
        }

    async def act(self, action: str, hand: int, at: int) -> None:
        """An action of the person; see ``Sitting.act``."""
        async with self._lock:
            await asyncio.to_thread(self._session().act, action, hand, at)
        await self._change()

    async def next_hand(self, hand: int) -> None:
        """The next hand; see ``Sitting.next_hand``."""
        async with self._lock:
            self._session().next_hand(hand)
        await self._change()

    async def pause(self, paused: bool) -> None:
        """Stop the agents, or let them go on."""
        self.paused = paused
        await self._change()

    async def panel(self, message: dict[str, Any]) -> Frame:
        """A decision of the session, of the log, or of the hand of a link."""
        act = whole(message, "act", None)
        if "line" in message:
            hand = parse(string(message, "line"), string(message, "game"))
            found = await asyncio.to_thread(advice, [hand], 0, act, self._adviser())
            return {"type": "panel", **found}
        number = whole(message, "hand", None)
        async with self._lock:
            if self.sitting:
                found = await asyncio.to_thread(self.sitting.panel, number, act, self.open_cards)
            else:
                found = await asyncio.to_thread(advice, self.log, number, act, self._adviser())
        return {"type": "panel", **found}

    async def replay(self, message: dict[str, Any]) -> Frame:
        """All states of a hand: of the session once it is over, of the log, or of a link."""
        if "line" in message:
            hand, number = parse(string(message, "line"), string(message, "game")), None
        else:
            number = whole(message, "hand", None)
            hand = self._recorded(number)
        return {"type": "replay", "hand": number, **await asyncio.to_thread(steps, hand)}

    def _recorded(self, number: int) -> Hand:
        count = len(self.sitting.finished) if self.sitting else len(self.log)
        if number >= count:
            raise TableError(f"hand {number}: expected a finished one, below {count}")
        return self.sitting.finished[number].record() if self.sitting else self.log[number]

    def _session(self) -> Sitting:
        if self.sitting is None:
            raise TableError("a log is replayed here: nobody can act")
        return self.sitting

    def _adviser(self) -> str:
        adviser = self.sitting.seating.adviser if self.sitting else self.adviser
        if not adviser:
            raise TableError("no adviser sits at this table")
        return adviser

    async def _change(self) -> None:
        self._changed.set()
        await self._send(await self.greeting())

    async def _send(self, message: Frame) -> None:
        for listener in tuple(self.listeners):
            try:
                await listener(message)
            except Exception:  # a cut line ends its own conversation
                self.listeners.discard(listener)

"""The table that connections share: a session or a log, one change at a time, each sent to all."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from baycarp.errors import NotationError, TableError
from baycarp.game.notation.hand import Hand
from baycarp.game.notation.wire import string, whole
from baycarp.web.again import opening, others
from baycarp.web.frames import Frame
from baycarp.web.review import advice, parse, steps
from baycarp.web.sitting import PERSON, Seating, Sitting

__all__ = ["BrowserTable", "Listener"]

Listener = Callable[[dict[str, Any]], None]
"""Takes a message for one connection; it never waits, so that every connection gets all in one order."""

FIRST_PACE = 0.1
"""Greatest pace, in seconds, before the person's first turn, so that it comes soon after the start."""

SENDING = 0.02
"""Seconds in which an answer is sent before agents, in another thread, compete for the interpreter."""


@dataclass
class BrowserTable:
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
    practice
        The session of a hand that is played again, in place of the other one until it is left; not recorded.
    """

    sitting: Sitting | None = None
    log: list[Hand] = field(default_factory=list)
    adviser: str = ""
    open_cards: bool = False
    pace: float = 0.7
    paused: bool = False
    practice: Sitting | None = None
    listeners: set[Listener] = field(default_factory=set)
    _practices: int = 0
    _turns: bool = False
    _acted: float = 0.0
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _shown: Frame = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._observe()

    async def run(self) -> None:
        """Let agents act whenever they are to; ends when it is cancelled."""
        while True:
            self._changed.clear()
            if (sitting := self.practice or self.sitting) and sitting.behind:
                await asyncio.sleep(SENDING)
                await self._agents_do(sitting.catch_up)
                continue
            if self._may_step() is None:
                await self._changed.wait()
                continue
            wait = self._acted + self._pace() - monotonic()
            if wait > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), wait)
                continue
            await self._agents_do(self._step)

    async def _agents_do(self, work: Callable[[], None]) -> None:
        """Let agents decide or learn in another thread; one that fails pauses the table, which shows why."""
        async with self._lock:
            try:
                await asyncio.to_thread(work)
            except Exception as error:  # of an agent
                self.paused = True
                self._send({"type": "error", "error": type(error).__name__, "reason": str(error)})
            self._observe()
        self._send(self.greeting())

    def _step(self) -> None:
        if sitting := self._may_step():
            sitting.step()

    def greeting(self) -> Frame:
        """Everything that the page shows at first, and again after each change."""
        if self._shown["type"] == "log":
            return self._shown
        return self._shown | {"paused": self.paused, "pace": self.pace}

    def _observe(self) -> None:
        """Keep what the page shows, while nothing changes: agents decide in another thread."""
        sitting = self.practice or self.sitting
        self._acted = monotonic()
        if not sitting:
            hands = [{"id": str(hand.id), "players": list(hand.players)} for hand in self.log]
            self._shown = {"type": "log", "hands": hands, "adviser": self.adviser}
            return
        self._turns = self._turns or sitting.waits
        self._shown = {
            "type": "table",
            "game": sitting.seating.variant.name,
            "unit": sitting.seating.variant.small_bet,
            "frame": sitting.frame(),
            "results": sitting.results(),
            "practice": self._practices if sitting is self.practice else 0,
            "open": self.open_cards,
            "adviser": sitting.seating.adviser,
        }

    def _pace(self) -> float:
        """Seconds between two actions, now."""
        return self.pace if self._turns else min(self.pace, FIRST_PACE)

    async def answer(self, message: dict[str, Any]) -> Frame | None:
        """Do what a message of the page asks for.

        Raises
        ------
        BaycarpError
            It is refused; the type names the cause.
        """
        match kind := string(message, "type"):
            case "act":
                action, hand = string(message, "action"), whole(message, "hand", None)
                await self.act(action, hand, whole(message, "at", None))
            case "next":
                await self.next_hand(whole(message, "hand", None))
            case "pause":
                self.pause(bool(whole(message, "on", None, most=1)))
            case "pace":
                self.set_pace(whole(message, "milliseconds", None, most=10_000) / 1000)
            case "panel":
                return await self.panel(message)
            case "replay":
                return await self.replay(message)
            case "again":
                await self.again(message)
            case "leave":
                await self.leave()
            case _:
                expected = "act, next, pause, pace, panel, replay, again or leave"
                raise NotationError(f"type {kind[:40]!r}: expected {expected}")
        return None

    async def act(self, action: str, hand: int, at: int) -> None:
        """An action of the person; the table that has it is sent before agents observe it."""
        async with self._lock:
            await asyncio.to_thread(self._session().take, action, hand, at)
            self._observe()
        self._change()

    async def next_hand(self, hand: int) -> None:
        """The next hand; see ``Sitting.next_hand``."""
        async with self._lock:
            await asyncio.to_thread(self._session().next_hand, hand)
            self._observe()
        self._change()

    def pause(self, paused: bool) -> None:
        """Stop the agents, or let them go on."""
        self.paused = paused
        self._change()

    def set_pace(self, seconds: float) -> None:
        """Change the pace, also of the action that is waited for."""
        self.pace = seconds
        self._change()

    async def again(self, message: dict[str, Any]) -> None:
        """Play a hand again from one of its decisions; see ``opening``.

        The agents of the session have the seats that they had, the adviser all others.
        """
        act = whole(message, "act", None)
        async with self._lock:
            hand = await asyncio.to_thread(self._hand, message)
            self.practice = await asyncio.to_thread(self._again, hand, act)
            self._practices += 1
            self._observe()
        self._change()

    async def leave(self) -> None:
        """End the hand that is played again: the session, or the log, is shown where it was."""
        async with self._lock:
            self.practice = None
            self._observe()
        self._change()

    async def panel(self, message: dict[str, Any]) -> Frame:
        """A decision of the session, of the log, or of the hand of a link."""
        act = whole(message, "act", None)
        if "line" in message:
            hand = parse(string(message, "line"), string(message, "game"))
            found = await asyncio.to_thread(advice, [hand], 0, act, self._adviser())
            source = {"hand": None, "line": message["line"], "game": message["game"]}
            return {"type": "panel", **found, **source}
        number = whole(message, "hand", None)
        async with self._lock:
            if sitting := self.practice or self.sitting:
                found = await asyncio.to_thread(sitting.panel, number, act, self.open_cards)
            else:
                found = await asyncio.to_thread(advice, self.log, number, act, self._adviser())
        return {"type": "panel", **found}

    async def replay(self, message: dict[str, Any]) -> Frame:
        """All states of a hand: of the session once it is over, of the log, or of a link."""
        number = None if "line" in message else whole(message, "hand", None)
        async with self._lock:
            hand = await asyncio.to_thread(self._hand, message)
        return {"type": "replay", "hand": number, **await asyncio.to_thread(steps, hand)}

    async def recorded(self, message: dict[str, Any]) -> tuple[list[Hand], str]:
        """The hand that a message names, after those before it; and the adviser, "" where there is none."""
        async with self._lock:
            hand = await asyncio.to_thread(self._hand, message)
            sitting = self.practice or self.sitting
            adviser = self.sitting.seating.adviser if self.sitting else self.adviser
            if "line" in message:
                return [hand], adviser
            number = whole(message, "hand", None)
            hands = [each.record() for each in sitting.finished[:number]] if sitting else self.log[:number]
        return [*hands, hand], adviser

    def _hand(self, message: dict[str, Any]) -> Hand:
        """The hand of a link, or the one of that number: of the session once it is over, or of the log."""
        if "line" in message:
            return parse(string(message, "line"), string(message, "game"))
        number, sitting = whole(message, "hand", None), self.practice or self.sitting
        if sitting:
            sitting.catch_up()
        count = len(sitting.finished) if sitting else len(self.log)
        if number >= count:
            raise TableError(f"hand {number}: expected a finished one, below {count}")
        return sitting.finished[number].record() if sitting else self.log[number]

    def _again(self, hand: Hand, act: int) -> Sitting:
        seed = self.sitting.seating.seed if self.sitting else 1
        start, adviser = opening(hand, act, seed), self._adviser()
        names = others(hand, start, PERSON)
        agents = (
            dict(zip(self.sitting.seating.names, self.sitting.seating.specs, strict=True))
            if self.sitting
            else {}
        )
        specs = tuple(agents.get(name, adviser) for name in names)
        seating = Seating(hand.variant, names, specs, adviser, seed)
        folder = self.sitting.folder if self.sitting else Path()
        return Sitting(seating, start=start, folder=folder)

    def _may_step(self) -> Sitting | None:
        """The session in which an agent may act now."""
        sitting = self.practice or self.sitting
        return None if sitting is None or self.paused or sitting.waits else sitting

    def _session(self) -> Sitting:
        sitting = self.practice or self.sitting
        if sitting is None:
            raise TableError("a log is replayed here: nobody can act")
        return sitting

    def _adviser(self) -> str:
        adviser = self.sitting.seating.adviser if self.sitting else self.adviser
        if not adviser:
            raise TableError("no adviser sits at this table")
        return adviser

    def _change(self) -> None:
        self._send(self.greeting())
        self._changed.set()

    def _send(self, message: Frame) -> None:
        for listener in self.listeners:
            listener(message)

"""The table that connections share: a session or a log, one change at a time, each sent to all."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from baycarp.errors import IllegalAction, NotationError, TableError
from baycarp.game import Variant
from baycarp.game.notation.hand import Hand
from baycarp.game.notation.wire import string, whole
from baycarp.web.again import opening, others
from baycarp.web.frames import Frame
from baycarp.web.lobby import Lobby
from baycarp.web.review import PAGE, advice, parse, steps, summaries
from baycarp.web.sitting import PERSON, Seating, Sitting
from baycarp.web.turns import ChosenAhead, DecisionClock, TableSettings, choose_ahead

__all__ = ["BrowserTable", "Listener"]

Listener = Callable[[dict[str, Any]], None]
"""Takes a message for one connection; it never waits, so that every connection gets all in one order."""

TYPES = (
    *("act", "next", "pause", "pace", "settings", "ahead", "skip", "summary", "lobby", "sit"),
    *("panel", "hint", "open", "hands", "replay", "again", "leave"),
)
"""The types of messages."""

SHOWN = 2.0
"""Least seconds in which a finished hand is shown before the next one begins by itself."""

POLL = 0.5
"""Seconds after which it is looked again whether anybody is connected."""

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
    lobby
        The tables that a new session may have; None = the page begins none.
    practice
        The session of a hand that is played again, in place of the other one until it is left; not recorded.
    """

    sitting: Sitting | None = None
    log: list[Hand] = field(default_factory=list)
    adviser: str = ""
    open_cards: bool = False
    pace: float = 0.7
    paused: bool = False
    lobby: Lobby | None = None
    settings: TableSettings = field(default_factory=TableSettings)
    practice: Sitting | None = None
    listeners: set[Listener] = field(default_factory=set)
    _practices: int = 0
    _sessions: int = 0
    _ahead: ChosenAhead | None = None
    _skipped: int = -1
    _turn: tuple[int, ...] | None = None
    _clock: DecisionClock = field(default_factory=DecisionClock)
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
            if (due := self._due()) is None:
                await self._changed.wait()
                continue
            work, wait = due
            if wait > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), wait)
                continue
            await self._agents_do(work)

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

    def _due(self) -> tuple[Callable[[], None], float] | None:
        """What happens next without the person, and in how many seconds; None = nothing."""
        sitting, now = self.practice or self.sitting, monotonic()
        if sitting is None or self.paused:
            return None
        if not sitting.waits:
            return self._step, self._acted + self._pace(sitting) - now
        if sitting.over:
            rest = self._acted + max(self.pace, SHOWN) - now
            return (self._go_on, self._while_watched(rest)) if self.settings.goes_on else None
        if self._ahead and self._ahead.hand == sitting.hand:
            return self._act_ahead, 0
        if self.settings.clock and self._turn:
            return self._end_turn, self._while_watched(self._left(now))
        return None

    def _while_watched(self, wait: float) -> float:
        """A wait that does not end while nobody is connected, which is looked at every ``POLL`` seconds."""
        return min(wait, POLL) if self.listeners else POLL

    def _left(self, now: float) -> float:
        """Seconds left of the person's decision."""
        runs = bool(self.listeners) and not self.paused
        return self.settings.clock - self._clock.spent(self._turn, runs, now)

    def _step(self) -> None:
        if sitting := self._may_step():
            sitting.step()

    def _go_on(self) -> None:
        if (sitting := self.practice or self.sitting) and sitting.over:
            sitting.next_hand(sitting.hand)

    def _act_ahead(self) -> None:
        sitting, ahead = self._session(), self._ahead
        self._ahead = None
        if ahead and sitting.waits and not sitting.over and (action := ahead.action(sitting)):
            sitting.take(action, sitting.hand, len(sitting.observe().acts))

    def _end_turn(self) -> None:
        """The clock has run out: the person checks, else folds."""
        sitting = self._session()
        if sitting.waits and not sitting.over and self._left(monotonic()) <= 0:
            action = "check" if sitting.stay == "check" else "fold"
            sitting.take(action, sitting.hand, len(sitting.observe().acts))

    def close(self) -> None:
        """Release the journal of the session."""
        if self.sitting:
            self.sitting.close()

    def greeting(self) -> Frame:
        """Everything that the page shows at first, and again after each change."""
        if self._shown["type"] == "log":
            return self._shown
        sitting = self.practice or self.sitting
        ahead = self._ahead.choice if self._ahead and sitting and self._ahead.hand == sitting.hand else ""
        shown = self._shown | {"paused": self.paused, "pace": self.pace, "ahead": ahead}
        left = round(1000 * self._left(monotonic())) if self.settings.clock and self._turn else None
        return shown | {"settings": self.settings.record(), "left": left}

    def _observe(self) -> None:
        """Keep what the page shows, while nothing changes: agents decide in another thread."""
        sitting = self.practice or self.sitting
        self._acted = monotonic()
        if not sitting:
            self._shown = {"type": "log", "hands": len(self.log), "adviser": self.adviser}
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
            "session": self._sessions,
            "depth": _depth(sitting.seating.variant),
            "aided": sitting.is_aided,
            "folded": sitting.has_folded,
            "lobby": self.lobby is not None,
        }
        turn = self._practices, self._sessions, sitting.hand, len(self._shown["frame"]["acts"])
        self._turn = turn if self._shown["frame"]["choices"] else None

    def _pace(self, sitting: Sitting) -> float:
        """Seconds between two actions, now."""
        if sitting.has_folded and (self.settings.skips or self._skipped == sitting.hand):
            return 0
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
            case "settings":
                self.settings = TableSettings.of(message)
                self._change()
            case "ahead":
                self._ahead = choose_ahead(self._session(), message)
                self._change()
            case "skip":
                self.skip(whole(message, "hand", None))
            case "summary":
                return await self.summary()
            case "lobby":
                return self._lobby().record()
            case "sit":
                await self.sit(message)
            case "panel":
                return await self.panel(message)
            case "hint":
                return await self.hint(message)
            case "open":
                await self.show_cards()
            case "hands":
                return await self.hands(message)
            case "replay":
                return await self.replay(message)
            case "again":
                await self.again(message)
            case "leave":
                await self.leave()
            case _:
                raise NotationError(f"type {kind[:40]!r}: expected {', '.join(TYPES)}")
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

    def skip(self, hand: int) -> None:
        """Let the agents end a hand at once that the person has folded.

        Raises
        ------
        IllegalAction
            Another hand than the present one, or the person is in it.
        """
        sitting = self._session()
        if hand != sitting.hand or not sitting.has_folded:
            raise IllegalAction(f"hand {hand}: expected the present one, after your fold")
        self._skipped = hand
        self._change()

    async def summary(self) -> Frame:
        """The results of the session and its biggest pots; see ``Sitting.summary``."""
        async with self._lock:
            sitting = self._session()
            return {"type": "summary", **await asyncio.to_thread(sitting.summary)}

    async def sit(self, message: dict[str, Any]) -> None:
        """Begin a new session at a table of the lobby; the present one is kept in its folder."""
        lobby = self._lobby()
        async with self._lock:
            sitting = await asyncio.to_thread(lobby.begin, message)
            self.close()
            self.sitting, self.practice, self._ahead = sitting, None, None
            self._sessions += 1
            self.paused = self._turns = False
            self._observe()
        self._change()

    def _lobby(self) -> Lobby:
        if self.lobby is None:
            raise TableError("no session is begun here")
        return self.lobby

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

    async def hint(self, message: dict[str, Any]) -> Frame:
        """The adviser's decision for the person's turn; see ``Sitting.hint``."""
        hand, at = whole(message, "hand", None), whole(message, "at", None)
        async with self._lock:
            panel = await asyncio.to_thread(self._session().hint, hand, at)
            found = await asyncio.to_thread(panel.hint)
            self._observe()
        self._change()
        return {"type": "hint", **found, "hand": hand, "act": at}

    async def show_cards(self) -> None:
        """Show all cards of the hand that is played: in study mode alone."""
        if not self.open_cards:
            raise TableError("the cards are closed: expected a table in study mode")
        async with self._lock:
            self._session().open_cards()
            self._observe()
        self._change()

    async def hands(self, message: dict[str, Any]) -> Frame:
        """Some of the finished hands of the session, or of the log's, in a line each; see ``summaries``."""
        first = whole(message, "from", None)
        async with self._lock:
            sitting = self.practice or self.sitting
            if sitting:
                await asyncio.to_thread(sitting.catch_up)
                finished = sitting.finished[first : first + PAGE]
                hands, count = [each.record() for each in finished], len(sitting.finished)
                aided = [each.is_aided for each in finished]
            else:
                hands, count, aided = self.log[first : first + PAGE], len(self.log), []
        found = await asyncio.to_thread(summaries, hands)
        for summary, is_aided in zip(found, aided, strict=False):
            summary["aided"] = is_aided
        return {"type": "hands", "from": first, "count": count, "hands": found}

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


def _depth(variant: Variant) -> int | None:
    """Big blinds of the smallest stack; None in limit, where stacks cover every bet."""
    if variant.stacks is None or variant.betting == "limit":
        return None
    return min(variant.stacks) // variant.big_blind

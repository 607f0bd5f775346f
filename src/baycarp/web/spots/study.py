"""The study that connections share: one spot, its solution and one kept beside it, one solve at a time."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from baycarp.errors import ArgumentError, BaycarpError, NotationError, TableError
from baycarp.game.notation.wire import number, string, whole
from baycarp.solvers.spots.bonuses import NEAR
from baycarp.solvers.spots.locks import RangeFrequency, SpotLock, seat
from baycarp.solvers.spots.memory import memory_limit
from baycarp.solvers.spots.solution import Solution
from baycarp.solvers.spots.solver import SpotPoint
from baycarp.solvers.spots.spot import Spot
from baycarp.web.frames import Frame
from baycarp.web.spots.fields import PRESETS, USUAL, Games, SpotFields, grid_of, measured
from baycarp.web.spots.locks import FollowedPlayers, read_locks
from baycarp.web.spots.opened import OpenedDecision, open_decision
from baycarp.web.spots.views import ViewCache
from baycarp.web.spots.work import SpotWork, aside
from baycarp.web.table import BrowserTable, Listener

__all__ = ["Study"]

TARGET = 0.3
"""Exploitability in per cent of the pot, at which a solve ends unless the page names another."""

CLOSEST = 0.001
"""The least target."""

NOTED = 20
"""Decisions that a model is asked about between two notes."""


_Before: TypeAlias = tuple[SpotWork | None, SpotPoint | None, float | None]


@dataclass
class Study:
    """A spot that is studied.

    Parameters
    ----------
    table
        Whose hands may be opened; None = those of links alone.
    fields
        Of the spot that the page begins with.
    shown
        The line that it begins with.
    target
        Of the first solve.
    """

    table: BrowserTable | None = None
    fields: dict[str, str] = field(default_factory=lambda: dict(USUAL))
    shown: str = ""
    target: float = TARGET
    listeners: set[Listener] = field(default_factory=set)
    _games: Games = field(default_factory=Games)
    _players: FollowedPlayers = field(default_factory=FollowedPlayers)
    _opened: OpenedDecision | None = None
    _locks: list[Any] = field(default_factory=list)
    _work: SpotWork | None = None
    _is_solving: bool = False
    _now: ViewCache | None = None
    _kept: ViewCache | None = None
    _kept_label: str = ""
    _label: str = ""
    _solved: dict[str, str] = field(default_factory=dict)
    _number: int = 0
    _note: str = ""
    _point: SpotPoint | None = None
    _free: float | None = None
    _task: "asyncio.Task[None] | None" = None
    _measuring: asyncio.Lock = field(default_factory=asyncio.Lock)
    _viewing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _latest: int = 0

    async def run(self) -> None:
        """Nothing is done unless it is asked for; at the end a solve is stopped."""
        try:
            await asyncio.Event().wait()
        finally:
            if self._work:
                self._work.stop()

    def greeting(self) -> Frame:
        """Everything but the nodes: fields, lists, and how far the solve is."""
        point, solution = self._point, self._now.solution if self._now else None
        return {
            "type": "study",
            "fields": self.fields,
            "solvedFields": self._solved,
            "line": self.shown,
            "presets": PRESETS,
            "games": self._games.names(),
            "agents": {"limit": self._players.names(True), "other": self._players.names(False)},
            "opened": self._opened.about if self._opened else None,
            "target": self.target,
            "solving": self._is_solving,
            "number": self._number,
            "solved": solution is not None,
            "label": self._label,
            "kept": self._kept_label if self._kept else None,
            "locks": self._locks,
            "note": self._note,
            "iterations": point.iterations if point else 0,
            "exploitability": round(point.exploitability, 4) if point else None,
            "free": None if self._free is None else round(self._free, 4),
            "seconds": round(point.seconds, 2) if point else 0,
        }

    async def answer(self, message: dict[str, Any]) -> Frame | None:
        """Do what a message asks for.

        Raises
        ------
        BaycarpError
            It is refused; the type names the cause.
        """
        kind = string(message, "type")
        match kind:
            case "check":
                return await self._check(message)
            case "open":
                await self._open(message)
            case "solve":
                await self._solve(message)
            case "stop":
                self._stop()
            case "more":
                await self._more(message)
            case "keep":
                self._keep(bool(whole(message, "on", None, most=1)))
            case "view":
                line = string(message, "line")
                return await self._view(message, lambda cache: cache.node(line))
            case "equity":
                line = string(message, "line")
                return await self._view(message, lambda cache: cache.equity(line))
            case "cards":
                line = string(message, "line")
                return await self._view(message, lambda cache: cache.cards(line))
            case "holdings":
                return await self._holdings(message)
            case _:
                expected = "check, open, solve, stop, more, keep, view, equity, cards or holdings"
                raise NotationError(f"type {kind[:40]!r}: expected {expected}")
        return None

    async def _check(self, message: dict[str, Any]) -> Frame:
        """What is wrong with the fields, both ranges as grids, and what the spot would take."""
        fields = SpotFields.of(message)
        turn = self._latest = self._latest + 1
        found: Frame = {"type": "check", "id": whole(message, "id", 0)}
        found["errors"] = await aside(fields.errors, self._games)
        found["ranges"] = {
            name: grid_of(fields.texts[name]) for name in ("oop", "ip") if name not in found["errors"]
        }
        if not found["errors"]:
            async with self._measuring:
                if turn == self._latest:  # else a later question waits
                    found |= await aside(self._measured, fields, turn)
        return found

    def _measured(self, fields: SpotFields, turn: int) -> Frame:
        try:
            held = 0 if self._is_solving else self._held()
            return measured(fields.spot(self._games), held, lambda: turn == self._latest)
        except BaycarpError as error:
            return {"errors": {"spot": str(error)}}

    def _held(self) -> float:
        """Bytes of the present solution, which a new one may take the place of."""
        return float(self._now.solution.solver.bytes) if self._now else 0.0

    async def _open(self, message: dict[str, Any]) -> None:
        """Have the fields be those of a decision of the table, or of the hand of a link."""
        self._verify_idle()
        act = whole(message, "act", None)
        async with self._measuring:
            hands, adviser = await self._hands(message)
            opened = await aside(open_decision, hands, act, adviser)
        self._opened, self.fields = opened, dict(opened.fields)
        self._games = Games(
            {opened.variant.name: opened.variant} if opened.variant.betting == "limit" else {}
        )
        self._players = FollowedPlayers(opened.record, dict(opened.readers))
        self._note = ""
        self._send()

    async def _hands(self, message: dict[str, Any]) -> tuple[list[Any], str]:
        table = self.table or BrowserTable(log=[])
        return await table.recorded(message)

    async def _solve(self, message: dict[str, Any]) -> None:
        self._verify_idle()
        fields, target = SpotFields.of(message), self._target(message)
        given, keeps = message.get("locks", []), bool(whole(message, "keep", 0, most=1))
        errors = await aside(fields.errors, self._games)
        if errors:
            raise ArgumentError("; ".join(errors.values()))
        spot = fields.spot(self._games)
        players = self._players_of(fields)
        read_locks(
            [each for each in given if not _is_slow(each)] if isinstance(given, list) else given,
            spot,
            players,
            lambda: False,
        )  # refused at once
        size = await aside(measured, spot, 0.0)
        self._verify_idle()
        if keeps and self._now:
            self._kept, self._kept_label = self._now, self._label
        elif not size["fits"]:
            size = await aside(measured, spot, self._held())
            self._now = self._now if not size["fits"] else None
        if not size["fits"]:
            less = size.get("smaller")
            hint = (
                f"sizes {less['sizes']!r}, raises {less['raises']!r} take {less['size']}"
                if less
                else ("expected a later street or narrower ranges")
            )
            raise ArgumentError(f"the spot takes {size['size']}, above {size['limit']}: {hint}")
        self.target, self.fields = target, dict(fields.texts)
        before = self._work, self._point, self._free
        self._begin()
        solve = self._build_and_run((spot, given, players), target, fields, before)
        self._task = asyncio.create_task(self._noted(solve))

    def _players_of(self, fields: SpotFields) -> FollowedPlayers:
        """The players of an opened hand lead to its own spot alone; to others a hand is made up."""
        same = ("board", "pot", "stack", "line", "betting")
        opened = self._opened
        if opened and all(fields.texts[name] == opened.fields[name] for name in same):
            return self._players
        return FollowedPlayers()

    def _begin(self) -> None:
        self._is_solving, self._note, self._point, self._free = True, "", None, None
        self._work = SpotWork(self._reporter())
        self._send()

    def _reporter(self) -> Callable[[SpotPoint], None]:
        loop = asyncio.get_running_loop()
        return lambda point: loop.call_soon_threadsafe(self._measure, point)  # type: ignore[return-value]

    def _say(self, note: str) -> None:
        if self._is_solving:
            self._note = note
            self._send()

    def _measure(self, point: SpotPoint) -> None:
        self._point = point
        self._send()

    async def _build_and_run(
        self, what: tuple[Spot, Any, FollowedPlayers], target: float, fields: SpotFields, before: _Before
    ) -> None:
        """Make the engine, and solve; where it is not made, what was there ``before`` is kept."""
        (spot, given, players), work = what, self._work
        assert work is not None
        memory = memory_limit(None)

        made, loop = count(1), asyncio.get_running_loop()

        def asked() -> bool:
            """Whether to stop; a model is asked about one more decision."""
            if (number := next(made)) % NOTED == 0:
                loop.call_soon_threadsafe(self._say, f"a model was asked about {number:,} decisions")
            return work.is_stopped

        def locks() -> list[SpotLock | RangeFrequency]:
            return read_locks(given, spot, players, asked)

        try:
            await aside(work.build, spot, locks, target, memory)
        except Exception:
            self._work, self._point, self._free = before
            raise
        assert work.solution is not None
        self._now, self._locks, self._solved = ViewCache(work.solution), list(given), dict(fields.texts)
        self._number, self._note = self._number + 1, ""
        self._label = _label(self._number, given)
        self._send()
        await self._run(work, target)

    async def _run(self, work: SpotWork, target: float) -> None:
        """Solve, once nobody looks at the engine; from then on ``work`` is asked for views."""
        async with self._viewing:
            pass
        await aside(work.run, target)
        self._is_solving = False
        await aside(work.serve)
        solution = work.solution
        assert solution is not None
        self._point, self._free = solution.points[-1], work.free
        self._note = "; ".join(_missed(solution))

    async def _more(self, message: dict[str, Any]) -> None:
        self._verify_idle()
        if self._now is None or self._work is None or self._work.solution is not self._now.solution:
            raise TableError("nothing is solved yet: expected a solve to continue")
        self.target, work = self._target(message), self._work
        self._is_solving, work.is_stopped, self._note = True, False, ""
        self._send()

        self._task = asyncio.create_task(self._noted(self._run(work, self.target)))

    async def _noted(self, solve: Coroutine[Any, Any, None]) -> None:
        """Await a solve; why it fails is a note of the page."""
        try:
            await solve
        except Exception as error:  # of an agent that is asked, too
            self._note = str(error) or type(error).__name__
        finally:
            self._is_solving = False
            self._send()

    def _stop(self) -> None:
        if self._work and self._is_solving:
            self._work.stop()

    def _keep(self, keeps: bool) -> None:
        """Keep the present solution beside the next one, or give the kept one up."""
        if keeps and self._now is None:
            raise TableError("nothing is solved yet: expected a solution to keep")
        self._kept, self._kept_label = (self._now, self._label) if keeps else (None, "")
        self._send()

    async def _view(self, message: dict[str, Any], work: Callable[[ViewCache], Frame]) -> Frame:
        """What a cache of one of the solutions has; of the one in work, between its iterations.

        The answer has the label of its solution and the ``id`` of the question.
        """
        kind, which = string(message, "type"), string(message, "which", "now")
        if which not in ("now", "kept"):
            raise NotationError(f"which {which[:20]!r}: expected now or kept")
        cache = self._now if which == "now" else self._kept
        if cache is None:
            raise TableError("nothing is solved yet" if which == "now" else "no solution is kept")
        about = {"type": kind, "which": which, "id": whole(message, "id", 0)}
        about["label"] = self._label if which == "now" else self._kept_label
        found: Frame
        if self._is_solving and self._work and self._work.solution is cache.solution:
            future: Future[Frame] = self._work.ask(lambda: work(cache))
            found = await asyncio.wrap_future(future)
        else:
            async with self._viewing:
                found = await aside(work, cache)
        return {**about, **found}

    async def _holdings(self, message: dict[str, Any]) -> Frame:
        line, player, name = (string(message, key) for key in ("line", "player", "class"))
        seat(player)
        return await self._view(message, lambda cache: cache.holdings(line, player, name))

    def _target(self, message: dict[str, Any]) -> float:
        target = number(message, "target")
        if target is None or not CLOSEST <= target <= 100:
            raise ArgumentError(f"target {target!r}: expected {CLOSEST:g} to 100 % of the pot")
        return target

    def _verify_idle(self) -> None:
        if self._is_solving:
            raise TableError("a spot is being solved: stop it first")

    def _send(self) -> None:
        for listener in self.listeners:
            listener(self.greeting())


def _is_slow(lock: Any) -> bool:
    """Whether a lock asks a model: this is done in the thread of the solve."""
    return isinstance(lock, dict) and lock.get("kind") == "player"


def _missed(solution: Solution) -> list[str]:
    """What of the frequencies asked for is not reached."""
    return [
        f"a frequency is off by {100 * error:+.1f} points"
        for error in solution.frequency_errors
        if not abs(error) <= NEAR
    ]


def _label(number: int, locks: Any) -> str:
    return f"solution {number}" + (f", {len(locks)} locks" if len(locks) > 1 else ", 1 lock" if locks else "")

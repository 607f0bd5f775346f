"""The solve of a spot: the engine is run and measured until a target, a limit of time, or a stop."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf, perm
from time import monotonic, process_time
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError, brief
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.kernels.spots import SCHEMES, Engine, Probe, engine_bytes
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.bonuses import EVERY, MOST_STEERED, NEAR, Bonuses
from baycarp.solvers.spots.given import EngineInput, FixedRows, engine_input
from baycarp.solvers.spots.locks import RangeFrequency, Restricted, SpotLock
from baycarp.solvers.spots.memory import in_units, memory_limit
from baycarp.solvers.spots.smaller import smaller
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import SpotNode, SpotTree

__all__ = ["SpotPoint", "SpotSettings", "SpotSolver"]


Response: TypeAlias = Literal["locked", "free"]
"""Best responses within the locks, or free of them."""

BATCH = 10
"""Iterations between two measurements, at first; later a tenth of those done."""

SMALL = 1 << 20
"""Bytes below which the memory that is available is not looked up."""

PAUSE = 0.2
"""Seconds of iterations between two looks at the clock and at ``stop``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotSettings:
    """How a spot is solved, and when the solve ends: at the first of target, time, iterations, stop.

    Parameters
    ----------
    target
        Exploitability in per cent of the pot: half of what both best responses gain.
    time
        Seconds, by the clock; None = no limit.
    iterations
        In all, with those of a solution that is continued; None = no limit.
    memory
        Bytes that the solve may take, or a text such as ``"4 GB"``; None = 70 % of what is available.
    bits
        32, or 16: half of the memory.
    threads
        At least 1; the result is the same for any number.
    discount
        A name of ``kernels.spots.SCHEMES``, or four numbers as there (Brown and Sandholm 2019).
    locks
        Fixed parts of the strategies.
    restricted
        A player that follows a model with a probability.
    stop
        Ends the solve when it gives True; it is called several times a second.
    report
        Called with every measurement.

    Raises
    ------
    ArgumentError
        A number outside its range.
    """

    target: float = 0.3
    time: float | None = None
    iterations: int | None = None
    memory: int | float | str | None = None
    bits: int = 32
    threads: int = 1
    discount: str | tuple[float, float, float, int] = "dcfr"
    locks: Sequence[SpotLock | RangeFrequency] = ()
    restricted: Restricted | None = None
    stop: Callable[[], bool] = lambda: False
    report: Callable[["SpotPoint"], None] = lambda point: None

    def __post_init__(self) -> None:
        for name in ("target", "time"):
            given = getattr(self, name)
            if given is not None and not 0 <= given < inf:
                raise ArgumentError(f"{name} {brief(given)}: expected a number, at least 0")
        if self.iterations is not None:
            whole(self.iterations, "iterations", 1, MOST_INT64)
        if self.bits not in (16, 32):
            raise ArgumentError(f"bits {brief(self.bits)}: expected 16 or 32")
        whole(self.threads, "threads", 1, 1024)
        if not (self.discount in SCHEMES if isinstance(self.discount, str) else _weighs(self.discount)):
            raise ArgumentError(
                f"discount {brief(self.discount)}: expected one of {', '.join(SCHEMES)}, or three exponents "
                "within ±100 or infinite, the last from 0 up and finite, and a whole number to 1048576"
            )


def _weighs(discount: object) -> bool:
    """Whether these are exponents that keep sums of 64 bits finite, and a restart."""
    if not isinstance(discount, tuple | list) or len(discount) != 4:
        return False
    *exponents, restart = discount
    if type(restart) is not int or any(type(each) not in (int, float) for each in exponents):
        return False
    regrets, average = [each for each in exponents[:2] if abs(each) != inf], exponents[2]
    return all(-100 <= each <= 100 for each in regrets) and 0 <= average <= 100 and 0 <= restart <= 1 << 20


@dataclass(frozen=True, slots=True)
class SpotPoint:
    """A measurement.

    Parameters
    ----------
    iterations
        So far.
    exploitability
        Of the game as it is locked, in per cent of the pot: half of what both best responses gain.
    seconds
        Processor time of iterations and measurements so far.
    frequencies
        What is reached of every ``RangeFrequency``, in the order of the locks.
    """

    iterations: int
    exploitability: float
    seconds: float
    frequencies: tuple[float, ...] = ()


class SpotSolver:
    """A spot in the engine.

    Parameters
    ----------
    spot
        The spot.
    settings
        How it is solved.
    tree
        The betting; None = that of the spot.
    saved
        What is fixed, and the suits, of a solve that is read from a file.

    Raises
    ------
    ArgumentError
        A solve that takes more memory than it may; the message has its size, and sizes that fit.
    """

    def __init__(
        self,
        spot: Spot,
        settings: SpotSettings,
        tree: SpotTree | None = None,
        saved: tuple[tuple[FixedRows, ...], tuple[int, int, int, int]] | None = None,
    ) -> None:
        self.spot = spot
        self.settings = settings
        self.tree = tree or spot.build_tree()
        self.given = engine_input(spot, self.tree, settings.locks, settings.restricted)
        if saved is not None:
            self.given = replace(self.given, fixed=saved[0], suits=saved[1])
        self.bytes = needed_bytes(self.given, settings)
        _verify_memory(spot, settings, self.bytes)
        self.engine = Engine(
            *self.given.arguments, suits=self.given.suits, bits=settings.bits, threads=settings.threads
        )
        for each in self.given.fixed:
            self.engine.lock(each.node, each.cards, each.shares)
        asked = [lock for lock in settings.locks if isinstance(lock, RangeFrequency)]
        self.bonuses = Bonuses(asked, spot, self.tree, self.given)
        self.points: list[SpotPoint] = []
        self._clock = 0.0

    @property
    def is_locked(self) -> bool:
        """Whether a part of a strategy is fixed."""
        return bool(self.given.fixed or self.bonuses)

    def run(self) -> None:
        """Iterate and measure, until the end that the settings name; what is done before is continued."""
        settings, begun = self.settings, monotonic()
        self._clock = process_time() - (self.points[-1].seconds if self.points else 0.0)
        unlimited = MOST_STEERED if self.bonuses else inf
        end = unlimited if settings.iterations is None else settings.iterations
        most = inf if settings.time is None else settings.time

        def is_over() -> bool:
            return self.engine.iterations >= end or monotonic() - begun >= most or settings.stop()

        fixed = [player for player in (0, 1) if self.given.fixed and self._is_fixed(player)]
        if fixed:
            self._respond(fixed)
            return
        while not is_over() and not self._is_reached():
            done = self.engine.iterations
            pause = done + max(BATCH, done // 10 // BATCH * BATCH)
            self._iterate(int(min(pause, end)), is_over)
            self._measure()
        if not self.points:
            self._measure()

    def _is_fixed(self, player: int) -> bool:
        """Whether every share of a player is locked, at all its decisions on all boards."""
        boards, cards = self.given.arrays, len(self.spot.cards)
        fixed = dict[int, int]()
        for each in self.given.fixed:
            if not np.isnan(each.shares).any():
                on_all = each.cards is None
                dealt = perm(52 - cards, int(boards.cards[each.node]) - cards)
                fixed[each.node] = fixed.get(each.node, 0) + (dealt if on_all else 1)
        own = np.flatnonzero((boards.kind == Kind.DECISION) & (boards.player == player))
        return all(
            fixed.get(node, 0) == perm(52 - cards, int(boards.cards[node]) - cards) for node in own.tolist()
        )

    def _respond(self, fixed: Sequence[int]) -> None:
        """Where a player has no choice, the other's best response is the solution: one exact pass."""
        if len(fixed) == 1:
            self.engine.respond(1 - fixed[0])
        self._measure()

    def _is_reached(self) -> bool:
        if not self.points or not self.engine.iterations:
            return False
        last = self.points[-1]
        near = all(abs(error) <= NEAR for error in self.bonuses.errors(last.frequencies))
        return last.exploitability <= self.settings.target and near

    def _iterate(self, pause: int, is_over: Callable[[], bool]) -> None:
        """Iterate to a number of iterations, a few at a time, so that the clock and ``stop`` are read."""
        batch = 1
        while self.engine.iterations < pause:
            at = monotonic()
            self.engine.run(min(batch, pause - self.engine.iterations), self.settings.discount)
            spent = max(monotonic() - at, 1e-6)
            batch = max(1, min(2 * batch, int(batch * PAUSE / spent), EVERY if self.bonuses else pause))
            if self.bonuses:
                self.bonuses.steer(self.engine)
            if is_over():
                break

    def _measure(self) -> None:
        found = self.exploitability("locked"), self.bonuses.reached(self.engine)
        seconds = process_time() - self._clock
        self.points.append(SpotPoint(self.engine.iterations, found[0], seconds, found[1]))
        self.settings.report(self.points[-1])

    def exploitability(self, response: Response) -> float:
        """Half of what both best responses gain, in per cent of the pot.

        Parameters
        ----------
        response
            ``"locked"``: in the game as it is locked. ``"free"``: in the game without locks.
        """
        with self._bonuses_are_paid(response == "locked"):
            best = float(self.engine.values(response).sum())
            is_exact = self.spot.rake == 0 and not self.bonuses
            own = self.spot.root_pot if is_exact else float(self.engine.values().sum())
        return max(0.0, 50 * (best - own) / self.spot.root_pot)

    def values(self, response: Response | None = None) -> NDArray[np.float64]:
        """The EVs of both players in chips, without bonuses; they sum to the pot less the rake.

        Parameters
        ----------
        response
            None: of both strategies. ``"locked"`` or ``"free"``: of each player's best response to the
            other's strategy, with its locks or without.
        """
        with self._bonuses_are_paid(False):
            return np.asarray(self.engine.values(response))

    @contextmanager
    def _bonuses_are_paid(self, are_paid: bool) -> Iterator[None]:
        """Whether bonuses count meanwhile; afterwards they do."""
        self.bonuses.pay(self.engine, are_paid)
        try:
            yield
        finally:
            self.bonuses.pay(self.engine)

    def verify_frequencies(self) -> None:
        """Raise ``ArgumentError`` where a frequency is not reached."""
        self.bonuses.verify(self.points[-1].frequencies, self.engine.iterations)

    def probe(self, node: SpotNode, cards: Sequence[int]) -> Probe:
        """The engine at a node on dealt cards, without bonuses: reach, strategy, values of rows."""
        with self._bonuses_are_paid(False):
            return self.engine.probe(self.given.arrays.index[node], bytes(cards))


def needed_bytes(given: EngineInput, settings: SpotSettings) -> int:
    """The memory of a solve, before any of it is allocated."""
    return int(
        engine_bytes(*given.arguments, suits=given.suits, bits=settings.bits, threads=settings.threads)
    )


def _verify_memory(spot: Spot, settings: SpotSettings, needed: int) -> None:
    if settings.memory is None and needed < SMALL:
        return
    limit = memory_limit(settings.memory)
    if needed <= limit:
        return
    words = f"a solve of {in_units(needed)}: expected at most {in_units(limit)}"
    if settings.bits == 32:
        halved = needed_bytes(engine_input(spot, spot.build_tree()), replace(settings, bits=16))
        if halved <= limit:
            raise ArgumentError(f"{words}; with bits=16 it takes {in_units(halved)}")
    found = smaller(
        spot, lambda other: needed_bytes(engine_input(other, other.build_tree()), settings), limit
    )
    if found is None:
        raise ArgumentError(f"{words}; expected a later street or narrower ranges")
    other, size = found
    raise ArgumentError(f"{words}; sizes={other.sizes!r}, raises={other.raises!r} take {in_units(size)}")

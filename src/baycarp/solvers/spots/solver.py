"""The solve of a spot: the engine is run and measured until a target, a limit of time, or a stop."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf, perm
from time import monotonic, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ArgumentError
from baycarp.kernels.arguments import MOST_INT64, whole
from baycarp.kernels.spots import SCHEMES, Engine, engine_bytes
from baycarp.solvers.spots.betting import Kind
from baycarp.solvers.spots.equity import beside
from baycarp.solvers.spots.given import EngineInput, FixedRows, engine_input
from baycarp.solvers.spots.locks import RangeFrequency, Restricted, SpotLock
from baycarp.solvers.spots.memory import in_units, memory_limit
from baycarp.solvers.spots.smaller import smaller
from baycarp.solvers.spots.spot import Spot
from baycarp.solvers.spots.tree import SpotNode, SpotTree

__all__ = ["SpotPoint", "SpotSettings", "SpotSolver"]


BATCH = 10
"""Iterations between two measurements, at first; later a tenth of those done."""

PAUSE = 0.2
"""Seconds of iterations between two looks at the clock and at ``stop``."""

GAIN = 0.1
"""Pots of bonus for an error of 1 in a frequency, at the first measurement."""

FASTER, SLOWER = 1.3, 0.5
"""The factors on this gain after an error of the same sign, and after one of the other sign."""

MOST_STEERED = 5_000
"""Iterations after which a frequency that is not reached is refused."""

NEAR = 0.005
"""A frequency is reached within this."""


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
                raise ArgumentError(f"{name} {given!r}: expected a number, at least 0")
        if self.iterations is not None:
            whole(self.iterations, "iterations", 1, MOST_INT64)
        if self.bits not in (16, 32):
            raise ArgumentError(f"bits {self.bits!r}: expected 16 or 32")
        whole(self.threads, "threads", 1, 1024)
        if isinstance(self.discount, str) and self.discount not in SCHEMES:
            raise ArgumentError(
                f"discount {self.discount!r}: expected four numbers or one of {', '.join(SCHEMES)}"
            )


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
        self._frequencies = [lock for lock in settings.locks if isinstance(lock, RangeFrequency)]
        self._places = [each.place(spot, self.tree) for each in self._frequencies]
        self.bonuses = np.zeros(len(self._frequencies))
        self._gains = np.full(len(self._frequencies), GAIN * spot.root_pot)
        self._errors = np.zeros(len(self._frequencies))
        self.points: list[SpotPoint] = []

    def resume(self, points: Sequence[SpotPoint], bonuses: NDArray[np.float64]) -> None:
        """Continue from the measurements of a file.

        Raises
        ------
        ArgumentError
            Not one bonus a frequency.
        """
        if bonuses.shape != self.bonuses.shape or not np.isfinite(bonuses).all():
            raise ArgumentError(f"bonuses of shape {bonuses.shape}: expected {self.bonuses.shape}")
        self.points, self.bonuses = [*points], np.array(bonuses, np.float64)
        self._pay(self.bonuses)

    @property
    def is_locked(self) -> bool:
        """Whether a part of a strategy is fixed."""
        return bool(self.given.fixed or self._frequencies)

    def run(self) -> None:
        """Iterate and measure, until the end that the settings name; what is done before is continued."""
        settings, begun = self.settings, monotonic()
        unlimited = MOST_STEERED if self._frequencies else inf
        end = unlimited if settings.iterations is None else settings.iterations
        most = inf if settings.time is None else settings.time

        def is_over() -> bool:
            return self.engine.iterations >= end or monotonic() - begun >= most or settings.stop()

        fixed = [player for player in (0, 1) if self._is_fixed(player)]
        if fixed:
            self._respond(fixed)
            return
        while not is_over() and not self._is_reached():
            done = self.engine.iterations
            pause = done + max(BATCH, done // 10 // BATCH * BATCH if not self._frequencies else 0)
            clock = process_time()
            self._iterate(int(min(pause, end)), is_over)
            self._steer()
            self._measure(process_time() - clock)
        if not self.points:
            self._measure(0.0)

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
        clock = process_time()
        if len(fixed) == 1:
            self.engine.respond(1 - fixed[0])
        self._measure(process_time() - clock)

    def _is_reached(self) -> bool:
        if not self.points or not self.engine.iterations:
            return False
        last = self.points[-1]
        near = all(abs(error) <= NEAR for error in self.frequency_errors)
        return last.exploitability <= self.settings.target and near

    @property
    def frequency_errors(self) -> list[float]:
        """What is reached of every ``RangeFrequency`` less what is asked for, at the last measurement."""
        reached = self.points[-1].frequencies
        return [got - wanted.share for got, wanted in zip(reached, self._frequencies, strict=True)]

    def _iterate(self, pause: int, is_over: Callable[[], bool]) -> None:
        """Iterate to a number of iterations, a few at a time, so that the clock and ``stop`` are read."""
        batch = 1
        while self.engine.iterations < pause:
            at = monotonic()
            self.engine.run(min(batch, pause - self.engine.iterations), self.settings.discount)
            spent = max(monotonic() - at, 1e-6)
            batch = max(1, min(2 * batch, int(batch * PAUSE / spent)))
            if is_over():
                break

    def _measure(self, seconds: float) -> None:
        begun = process_time()
        found = self.exploitability("locked"), tuple(self._reached())
        seconds += process_time() - begun + (self.points[-1].seconds if self.points else 0.0)
        self.points.append(SpotPoint(self.engine.iterations, found[0], seconds, found[1]))
        self.settings.report(self.points[-1])

    def exploitability(self, response: str) -> float:
        """Half of what both best responses gain, in per cent of the pot.

        Parameters
        ----------
        response
            ``"locked"``: in the game as it is locked. ``"free"``: in the game without locks.
        """
        with self._bonuses_are_paid(response == "locked"):
            best = float(self.engine.values(response).sum())
            is_exact = self.spot.rake == 0 and not self._frequencies
            own = self.spot.root_pot if is_exact else float(self.engine.values().sum())
        return max(0.0, 50 * (best - own) / self.spot.root_pot)

    def values(self, response: str | None = None) -> NDArray[np.float64]:
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
        if not are_paid:
            self._pay(np.zeros(len(self.bonuses)))
        try:
            yield
        finally:
            self._pay(self.bonuses)

    def _pay(self, bonuses: NDArray[np.float64]) -> None:
        for place, bonus in zip(self._places, bonuses.tolist(), strict=True):
            payoff = np.zeros((2, 3))
            payoff[place[0].now.player] = bonus
            self.engine.set_payoff(self.given.arrays.bonus[place], payoff)

    def _reached(self) -> Iterator[float]:
        """The frequency of every ``RangeFrequency``, over the range that reaches its decision."""
        for node, at in self._places:
            probe = self.probe(node, ())
            reach = probe.reach[node.now.player] * self.met(node.now.player, probe.reach)
            yield float(probe.strategy[at] @ reach / reach.sum()) if reach.sum() else np.nan

    def met(self, player: int, reach: Sequence[NDArray[np.floating]]) -> NDArray[np.float64]:
        """The weight of the other's holdings that each row may meet."""
        rows, other = self.given.rows[player], self.given.rows[1 - player]
        weights = np.asarray(np.bincount(other.holdings, reach[1 - player], 1326), np.float64)
        return beside(weights)[rows.holdings]

    def _steer(self) -> None:
        """Change the bonuses so that frequencies come nearer to what is asked for."""
        reached = np.array(list(self._reached()))
        errors = np.array([each.share for each in self._frequencies]) - np.nan_to_num(reached)
        self._gains *= np.where(errors * self._errors < 0, SLOWER, np.where(self._errors, FASTER, 1.0))
        self._errors = errors
        self.bonuses += self._gains * errors
        self._pay(self.bonuses)

    def verify_frequencies(self) -> None:
        """Raise ``ArgumentError`` where a frequency is not reached."""
        for error, wanted in zip(self.frequency_errors, self._frequencies, strict=True):
            if not abs(error) <= NEAR:
                raise ArgumentError(
                    f"{wanted.step!r} at {wanted.line!r}: {100 * (wanted.share + error):.1f} % after "
                    f"{self.engine.iterations:,} iterations: expected {100 * wanted.share:.1f} % within "
                    f"{100 * NEAR} points; other locks may forbid it"
                )

    def probe(self, node: SpotNode, cards: Sequence[int]) -> Any:
        """The engine at a node on dealt cards, without bonuses: reach, strategy, values of rows."""
        with self._bonuses_are_paid(False):
            return self.engine.probe(self.given.arrays.index[node], bytes(cards))


def needed_bytes(given: EngineInput, settings: SpotSettings) -> int:
    """The memory of a solve, before any of it is allocated."""
    return int(
        engine_bytes(*given.arguments, suits=given.suits, bits=settings.bits, threads=settings.threads)
    )


def _verify_memory(spot: Spot, settings: SpotSettings, needed: int) -> None:
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

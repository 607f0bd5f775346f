"""Kuhn and Leduc beside OpenSpiel's solvers in C++, on the same information sets."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

from baycarp.solvers import CFR, ExternalSampling, GameTree, nash_conv
from benchmarks.parts.clock import medians
from benchmarks.parts.goal import Goal, at_least

GAMES = {"kuhn": "kuhn_poker", "leduc": "leduc_poker(suit_isomorphism=True)"}
"""By our name. Leduc by ranks, as ours is: by cards it has 936 information sets instead of 288."""

AGREED = 20
"""Iterations after which both must have the same NashConv."""

ROUND = 50
"""Iterations that are timed at once."""

TIMES = 5.0
"""Times as many iterations of CFR+ on Leduc, at least; Kuhn is too small for arrays to pay."""

RESIDENT, PAGE = Path("/proc/self/statm"), 4
"""The pages of this process in memory, on Linux, and KiB of a page."""

SOLVERS = 200
"""Solvers that are held at once to measure what one takes."""


def goals(trees: Mapping[str, GameTree]) -> Iterator[Goal]:
    """Compare NashConv after the same iterations, then time both sides in turn."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return
    for name, tree in trees.items():
        game = pyspiel.load_game(GAMES[name])
        ours, theirs = CFR(tree, plus=True), pyspiel.CFRPlusSolver(game)
        _repeat(ours.step, AGREED)()
        _repeat(theirs.evaluate_and_update_policy, AGREED)()
        off = nash_conv(ours.average()) - pyspiel.nash_conv(game, theirs.average_policy())
        if not abs(off) < 1e-9:
            raise ArithmeticError(f"{name}: NashConv off by {off}")
        if RESIDENT.is_file():
            yield Goal(f"{name}: cfr+, OpenSpiel's memory", _resident(pyspiel, game), "KiB")
        must = TIMES if name == "leduc" else None
        yield from _timed(f"{name}: cfr+", ours.step, theirs.evaluate_and_update_policy, must)
        sampled = pyspiel.ExternalSamplingMCCFRSolver(game, 1)
        yield from _timed(f"{name}: mccfr", ExternalSampling(tree, 1).step, sampled.run_iteration)


def _timed(
    label: str, ours: Callable[[], object], theirs: Callable[[], object], must: float | None = None
) -> Iterator[Goal]:
    fast, slow = medians(_repeat(ours), _repeat(theirs), rounds=5)
    yield Goal(f"{label}, OpenSpiel", ROUND / slow, "iterations/s")
    unit, text = f"times OpenSpiel {version('open_spiel')}", f"{label}, iterations"
    yield Goal(text, slow / fast, unit) if must is None else at_least(text, must, slow / fast, unit)


def _repeat(step: Callable[[], object], times: int = ROUND) -> Callable[[], None]:
    def work() -> None:
        for _ in range(times):
            step()

    return work


def _resident(pyspiel: Any, game: Any) -> float:
    """KiB by which this process grows with each of OpenSpiel's solvers."""
    before, held = _pages(), []
    for _ in range(SOLVERS):
        held.append(pyspiel.CFRPlusSolver(game))
        held[-1].evaluate_and_update_policy()
    return (_pages() - before) * PAGE / len(held)


def _pages() -> int:
    return int(RESIDENT.read_text().split()[1])

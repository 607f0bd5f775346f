"""The registry of gates, in the order of the table: what a property of ``tests/robustness`` cannot do."""

from collections.abc import Iterator
from functools import partial

from experiments.gates import absurd, deadlines, disk, forge, kills, sanitizers
from experiments.gates.clone import missing
from experiments.gates.gate import Gate
from experiments.gates.learner import killed_learner

__all__ = ["GATES"]


def _kills() -> Iterator[Gate]:
    yield Gate("kills: store", "kills", 1000, 200, kills.killed_store, 0.2, partial(missing, "pytest"))
    yield Gate("kills: learning agent", "kills", 1000, 50, killed_learner, 0.4)
    yield Gate("kills: match", "kills", 1000, 50, partial(kills.killed, kills.MATCH), 0.4)
    yield Gate("kills: train", "kills", 1000, 50, partial(kills.killed, kills.TRAIN), 0.5, missing)


def _faults() -> Iterator[Gate]:
    for name, calls in disk.CALLS.items():
        run = partial(disk.faulty_disk, name)
        yield Gate(f"disk: {name}", "faults", 4 * calls, 32, run, 0.4, disk.needs_disk)


def _forged() -> Iterator[Gate]:
    for kind in forge.FORGED:
        run, cost = partial(forge.forged, kind), forge.COSTS.get(kind, 0.03)
        yield Gate(f"forged: {kind}", "files", 2000, 100, run, cost, partial(missing, "hypothesis"))


def _deadlines() -> Iterator[Gate]:
    for name, expected in deadlines.TIMED.items():
        for limit, (size, part) in deadlines.LIMITS.items():
            title, cost = f"decisions: {name}, {1000 * limit:.0f} ms", min(expected, limit)
            yield Gate(title, "decisions", size, part, partial(deadlines.timed, name, limit), cost)


def _spots() -> Iterator[Gate]:
    for limit, (size, part) in absurd.LIMITS.items():
        title = f"spots: nothing absurd, {1000 * limit:.0f} ms"
        yield Gate(title, "spots", size, part, partial(absurd.searched, limit), 0.03 + limit)


def _sanitizers() -> Iterator[Gate]:
    fuzz, threads = sanitizers.fuzz, sanitizers.threads
    yield Gate("fuzzing: ASan, UBSan", "core-seconds", 8 * 3600, 600, fuzz, 1.0, sanitizers.needs_compiler)
    yield Gate("threaded tests: TSan", "rounds", 100, 20, threads, 13.0, sanitizers.needs_tsan)


GATES: tuple[Gate, ...] = (*_kills(), *_faults(), *_forged(), *_deadlines(), *_spots(), *_sanitizers())

"""The registry of gates, in the order of the table: what a property of ``tests/robustness`` cannot do."""

from collections.abc import Iterator
from functools import partial

from experiments.gates import (
    absurd,
    cluster,
    compared,
    deadlines,
    disk,
    forge,
    kills,
    learner,
    memory,
    sanitizers,
)
from experiments.gates.clone import missing
from experiments.gates.gate import Gate
from experiments.gates.victims import VICTIMS

__all__ = ["GATES"]


SECONDS = {"match": 0.6, "play": 0.2, "solve": 3.5, "convert": 0.7}
"""Of processor time that a kill of a command takes; of others 1.2."""


def _kills() -> Iterator[Gate]:
    store, needs_pytest = (kills.killed_store, kills.forgetful_store, 100), partial(missing, "pytest")
    yield Gate("kills: store", "kills", 1000, 200, *store, 0.2, needs_pytest)
    agents = (learner.killed_learner, learner.forgetful_learner, 4)
    yield Gate("kills: learning agent", "kills", 1000, 50, *agents, 0.4)
    for name, victim in VICTIMS.items():
        killed = partial(kills.killed, victim)
        planted = partial(killed, goes_on=False)
        rest = (killed, planted, 4, SECONDS.get(name, 1.2), disk.needs_disk, 4.0)
        yield Gate(f"kills: {name}", "kills", 200, 20, *rest)
    for which in cluster.KILLED:
        killed = partial(cluster.killed, which)
        planted = partial(killed, goes_on=False)
        yield Gate(
            f"kills: cluster, {which}", "kills", 200, 50, killed, planted, 1, 2.0, cluster.needs_cluster
        )


def _faults() -> Iterator[Gate]:
    for name, calls in disk.CALLS.items():
        run, hasty = partial(disk.faulty_disk, name), partial(disk.hasty, name)
        yield Gate(f"disk: {name}", "faults", 4 * calls, 32, run, hasty, 8, 0.4, disk.needs_disk)
    for name, victim in VICTIMS.items():
        filled = partial(kills.filled, victim)
        planted = partial(filled, goes_on=False)
        rest = (filled, planted, 4, 2 * SECONDS.get(name, 1.2), disk.needs_disk, 4.0)
        yield Gate(f"full disk: {name}", "disks", 200, 20, *rest)


def _forged() -> Iterator[Gate]:
    for kind in forge.FORGED:
        run, believed = partial(forge.forged, kind), partial(forge.believed, kind)
        cost, needs = forge.COSTS.get(kind, 0.03), partial(missing, "hypothesis")
        yield Gate(f"forged: {kind}", "files", 2000, 100, run, believed, 4, cost, needs)


def _compared() -> Iterator[Gate]:
    hands, networks = (
        (compared.odd_chips, compared.to_the_first),
        (compared.read_back, compared.without_properties),
    )
    yield Gate(
        "odd chips: 4 to 9 seats", "hands", 60_000, 1000, *hands, 200, 0.01, partial(missing, "pokerkit")
    )
    yield Gate(
        "networks: written and read",
        "networks",
        10_000,
        1000,
        *networks,
        50,
        0.006,
        partial(missing, "pytest"),
    )


def _deadlines() -> Iterator[Gate]:
    for name, expected in deadlines.TIMED.items():
        for limit, (size, part) in deadlines.LIMITS.items():
            title, cost = f"decisions: {name}, {1000 * limit:.0f} ms", min(expected, limit)
            run, late = (partial(each, name, limit) for each in (deadlines.timed, deadlines.late))
            yield Gate(title, "decisions", size, part, run, late, 5, cost)


def _spots() -> Iterator[Gate]:
    for limit, (size, part) in absurd.LIMITS.items():
        title = f"spots: nothing absurd, {1000 * limit:.0f} ms"
        run, folding = (partial(each, limit) for each in (absurd.searched, absurd.folding))
        yield Gate(title, "spots", size, part, run, folding, 20, 0.065 + limit)


def _memory() -> Iterator[Gate]:
    for name, game in memory.SEATED:
        run, leaking = (partial(each, name, game) for each in (memory.grown, memory.leaking))
        hands = memory.HANDS[name in memory.LEARNERS]
        yield Gate(f"memory: {name}, {game}", "hands", hands, hands, run, leaking, 500, 0.015)


def _sanitizers() -> Iterator[Gate]:
    fuzz, threads = sanitizers.fuzz, sanitizers.threads
    planted, racing = sanitizers.planted_fuzz, sanitizers.racing_threads
    needs = sanitizers.needs_compiler
    yield Gate("fuzzing: ASan, UBSan", "core-seconds", 8 * 3600, 600, fuzz, planted, 10, 1.0, needs)
    yield Gate("threaded tests: TSan", "rounds", 100, 20, threads, racing, 1, 13.0, sanitizers.needs_tsan)


GATES: tuple[Gate, ...] = (
    *(*_kills(), *_faults(), *_forged(), *_compared()),
    *(*_deadlines(), *_spots(), *_memory(), *_sanitizers()),
)

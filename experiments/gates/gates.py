"""The registry of gates, in the order of the table."""

from collections.abc import Iterator
from functools import partial

from experiments.gates import chips, decisions, disk, functions, kills, sanitizers
from experiments.gates.clone import missing
from experiments.gates.commands import CALLS, damaged_commands
from experiments.gates.files import KINDS as FILES
from experiments.gates.files import damaged_files
from experiments.gates.game_files import KINDS as GAMES
from experiments.gates.gate import Gate
from experiments.gates.hostile import FUNCTIONS
from experiments.gates.learner import killed_learner
from experiments.gates.messages import messages
from experiments.gates.parsers import PARSERS

__all__ = ["GATES"]

HANDS = 50_000_000
"""Of all kinds of games together."""

DAY = 86_400
"""Seconds without an end that are allowed to what counts processor time, or builds before it begins."""


def _chips() -> Iterator[Gate]:
    share = HANDS // len(GAMES)
    for kind in GAMES:
        yield Gate(f"chips: {kind}", "hands", share, 1_000_000, partial(chips.conserve, kind), 1e-6)
    ready = chips.needs_reference
    yield Gate("pots: second calculator", "hands", HANDS, 1_000_000, chips.pots_agree, 5e-6, ready)
    pokerkit = partial(missing, "pokerkit")
    yield Gate("pokerkit", "hands", 200_000, 5000, chips.beside_pokerkit, 0.0072, pokerkit)


def _kills() -> Iterator[Gate]:
    yield Gate("kills: store", "kills", 1000, 200, kills.killed_store, 0.2, partial(missing, "pytest"))
    yield Gate("kills: learning agent", "kills", 1000, 50, killed_learner, 0.4)
    yield Gate("kills: match", "kills", 1000, 50, partial(kills.killed, kills.MATCH), 0.4)
    train = partial(kills.killed, kills.TRAIN)
    yield Gate("kills: train", "kills", 1000, 50, train, 0.5, missing)
    for name, calls in disk.CALLS.items():
        run = partial(disk.faulty_disk, name)
        yield Gate(f"disk: {name}", "faults", 4 * calls, 32, run, 0.4, disk.needs_disk)


def _hostile() -> Iterator[Gate]:
    for name in FILES:
        cost = 0.6 if "BIF" in name else 0.01
        yield Gate(f"files: {name}", "files", 1000, 100, partial(damaged_files, name), cost)
    for name in PARSERS:
        yield Gate(f"messages: {name}", "messages", 1_000_000, 20_000, partial(messages, name), 1e-4)
    yield Gate("command lines", "calls", 100 * len(CALLS), 2 * len(CALLS), damaged_commands, 0.2)
    for name in FUNCTIONS:
        part, run = functions.CALLS // functions.PARTS, partial(functions.hostile_calls, name)
        yield Gate(f"function: {name}", "calls", functions.CALLS, part, run, 0.0005)


def _running() -> Iterator[Gate]:
    for name in decisions.AGENTS:
        yield Gate(f"agent: {name}", "tables", 1000, 50, partial(decisions.play_tables, name), 0.05)
    for name, expected in decisions.TIMED.items():
        for limit, (size, part) in decisions.LIMITS.items():
            title, cost = f"decisions: {name}, {1000 * limit:.0f} ms", min(expected, limit)
            yield Gate(title, "decisions", size, part, partial(decisions.timed, name, limit), cost)
    seconds, ready = 8 * 3600, sanitizers.needs_compiler
    yield Gate("fuzzing: ASan, UBSan", "core-seconds", seconds, 600, sanitizers.fuzz, 1.0, ready, DAY)
    rounds, ready = 100, sanitizers.needs_tsan
    yield Gate("threaded tests: TSan", "rounds", rounds, 20, sanitizers.threads, 13.0, ready, DAY)


GATES: tuple[Gate, ...] = (*_chips(), *_kills(), *_hostile(), *_running())

"""The checks of an agent: each raises a ``FailedCheck`` with its reason, or returns what it tried."""

import gc
import os
import random
import signal
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from select import select
from statistics import median
from threading import Thread
from time import perf_counter
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from baycarp.budget import Budget
from baycarp.errors import brief
from baycarp.files.library import pickled_copy
from baycarp.game import Acted, HandOver, State, Variant
from baycarp.kit.games import random_action, random_deck
from baycarp.kit.trial import BUDGET, PART, SHARE, FailedCheck, Seen, Trial, Witness, late, moment, verify

__all__ = ["CHECKS", "Check"]

Check = Callable[[Trial], str]
"""Tries an agent: returns what was tried, or raises ``FailedCheck``."""

UNUSUAL = 10
"""Random game files at which legality is tried."""

SPOTS = 30
"""Decisions of a game in which unseen cards are dealt again."""

LIMITS = (0.02, 0.2)
"""Time limits of a decision, in seconds."""

GRACE = 0.1
"""Seconds by which a decision may be late: a busy machine, or one step of the agent."""

GROWTH = 256
"""KiB a hand by which the memory of an agent may grow: what it learns, and caches that are filled."""

PATIENCE = 20.0
"""Seconds for a forked process."""


def legal(trial: Trial) -> str:
    """Legality at tables of every kind that the agent plays: usual ones, and those of random game files."""
    began, tried = perf_counter(), 0
    for game in (*trial.usual(), *trial.unusual(UNUSUAL)):
        if late(began):
            break
        trial.play(trial.seated(game), game, range(game.seats if game.seats < 6 else 3))
        tried += 1
    return f"{tried} games"


def observation(trial: Trial) -> str:
    """What the agent is given stays as it is; it may change a copy."""
    game = trial.game()
    witness = trial.play(trial.seated(game), game, range(6))
    if fault := witness.faults.get("observation"):
        raise FailedCheck(f"{fault}: expected it unchanged; state.copy() may be changed")
    return f"{len(witness.decisions)} decisions"


def seeded(trial: Trial) -> str:
    """Two agents of one seed decide alike, whatever the global generators would draw."""
    count = 0
    for game in trial.games():
        found = []
        for number in (1, 2):
            with _generators_at(number):
                found.append(trial.play(trial.seated(game), game, range(8)).decisions)
        _same(found[0], found[1], f"with one seed in {game.name}")
        count += len(found[0])
    return f"{count} decisions"


def generators(trial: Trial) -> str:
    """The global generators of random numbers are others' too: nothing is drawn from or seeded in them."""
    game = trial.game()
    with _generators_at(12345):
        before = _generators()
        trial.play(trial.seated(game), game, range(4))
        for name, state in _generators().items():
            if state != before[name]:
                raise FailedCheck(
                    f"the global generator {name} has another state: expected draws by sit's seed"
                )
    return " and ".join(before)


@contextmanager
def _generators_at(seed: int) -> Iterator[None]:
    """Seed the global generators; afterwards they are as they were."""
    states = random.getstate(), np.random.get_state()  # noqa: NPY002, an agent may use the old one
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002


def _generators() -> dict[str, str]:
    """The states of the global generators, by name."""
    _, keys, *place = np.random.get_state(legacy=True)  # noqa: NPY002
    return {"random": str(random.getstate()), "numpy.random": f"{np.asarray(keys).tolist()} {place}"}


def unseen(trial: Trial) -> str:
    """Cards that the seat does not see change nothing: they are dealt again, and the decision stays."""
    count = 0
    for game in trial.games():
        one, other = (_in_spots(trial, game, redeal) for redeal in (False, True))
        _same(one, other, f"with other cards unseen in {game.name}")
        count += len(other)
    return f"{count} decisions"


def _in_spots(trial: Trial, game: Variant, redeal: bool) -> list[Seen]:
    """The decisions of a new agent in the spots of random hands, the unseen cards dealt again or not."""
    began, witness = perf_counter(), trial.seated(game)
    for state, seat, names, hand in trial.spots(game, range(4)):
        if len(witness.decisions) >= SPOTS or late(began, PART):
            break
        dealt = _redealt(state, seat, random.Random(hand)) if redeal else state.copy()
        _decide_in(dealt, seat, names, hand, witness)
    return witness.decisions


def _decide_in(state: State, seat: int, names: tuple[str, ...], hand: int, witness: Witness) -> None:
    witness.decide(state.observe(seat, names, hand), budget=BUDGET)


def _redealt(state: State, seat: int, draw: random.Random) -> State:
    """A state with the same observation of the seat, but other unseen cards."""
    hole, board = [*state.hole_of(seat)], [*state.board]
    left = [card for card in draw.sample(range(52), 52) if card not in hole + board]
    other = state.begun()
    holes = {
        place: hole if place == seat else [left.pop(), left.pop()] for place in range(state.variant.seats)
    }
    for act in state.acts:
        other.apply(act.action)
    other.deal(holes, board)
    return other


def events(trial: Trial) -> str:
    """Events of hands of others, of hands without payoffs, of several sessions are borne, in their order."""
    game = trial.game()
    witness = trial.seated(game)
    for session in range(2):
        witness.sit(session % game.seats, game, session)
        for hand in range(6):
            _hand_of_others(trial, game, witness, hand)
        trial.play(witness, game, range(3))
    return "2 sessions of 9 hands"


def _hand_of_others(trial: Trial, game: Variant, witness: Witness, hand: int) -> None:
    """The events of a hand without the agent; half of the hands lack names and payoffs, as records do."""
    draw = random.Random(f"{trial.seed} others {hand}")
    state = State(game, deck=random_deck(draw, game))
    names = tuple(f"player {seat}" for seat in range(game.seats)) if hand % 2 else ()
    while not state.is_over:
        before = state.observe(None, names, hand)
        witness.learn(Acted(before, state.apply(random_action(draw, state))))
    witness.learn(HandOver(state.observe(None, names, hand), state.payoffs() if hand % 2 else ()))


def deadline(trial: Trial) -> str:
    """A time limit is kept: of seven decisions of each limit at least half are in time."""
    game, words = trial.game(), []
    for limit in LIMITS:
        began, times = perf_counter(), list[float]()
        witness = trial.seated(game)
        for state, seat, names, hand in trial.spots(game, range(20)):
            seen = state.observe(seat, names, hand)
            start = perf_counter()
            decision = _timed(witness, seen, limit, len(times) % 2 == 0)
            times.append(perf_counter() - start)
            verify(decision, seen.state, moment(seen))
            if len(times) >= 7 or late(began):
                break
        if (usual := median(times)) > limit + GRACE:
            raise FailedCheck(f"{usual:.3f} s with {limit} s: expected at most {GRACE} s more")
        words.append(f"{1000 * usual:.0f} ms of {1000 * limit:.0f} ms")
    return ", ".join(words)


def _timed(witness: Witness, seen: Any, limit: float, short: bool) -> Any:
    """A decision with a time limit, given as ``time_limit`` or as a budget."""
    try:
        if short:
            return witness.agent.decide(seen, time_limit=limit)
        return witness.agent.decide(seen, budget=Budget(time=limit))
    except Exception as error:
        words = f"time_limit={limit}" if short else f"budget=Budget(time={limit})"
        raise FailedCheck(f"decide(..., {words}) raises {brief(error, 200)}") from error


def apart(trial: Trial) -> str:
    """Agents in one process are apart: one decides as it does alone while another plays in between."""
    game = trial.game()
    alone = trial.play(trial.seated(game), game, range(8)).decisions
    one, other, began = trial.seated(game), trial.seated(game, seed=11), perf_counter()
    for hand in range(8):
        if late(began):
            break
        trial.play(one, game, [hand])
        trial.play(other, game, [hand + 100, hand + 101])
    _same(alone, one.decisions, "while another agent of the class plays")
    return f"{len(alone)} decisions"


def threads(trial: Trial) -> str:
    """An agent that is moved between threads, with others that decide at once, decides as it does alone."""
    game = trial.game()
    alone = trial.play(trial.seated(game), game, range(6)).decisions
    moved, began = [trial.seated(game) for _ in range(3)], perf_counter()
    for hand in range(6):
        if late(began):
            break
        faults: list[FailedCheck] = []
        at_once = [Thread(target=_play_or_keep, args=(trial, each, game, hand, faults)) for each in moved]
        for thread in at_once:
            thread.start()
        for thread in at_once:
            thread.join()
        if faults:
            raise type(faults[0])(f"in another thread: {faults[0]}") from faults[0]
    for each in moved:
        _same(alone, each.decisions, "in other threads")
    return f"{len(alone)} decisions of three agents"


def _play_or_keep(
    trial: Trial, witness: Witness, game: Variant, hand: int, faults: list[FailedCheck]
) -> None:
    try:
        trial.play(witness, game, [hand])
    except FailedCheck as fault:
        faults.append(fault)


def forks(trial: Trial) -> str:
    """A process that was forked decides as its parent does."""
    if sys.platform == "win32":
        return "this system has no fork"
    game = trial.game()
    witness = trial.play(trial.seated(game), game, range(3))

    def goes_on() -> bytes:
        return sha256(repr(trial.play(witness, game, range(3, 5), PATIENCE).decisions).encode()).digest()

    with _forked(goes_on) as pipe:
        expected = goes_on()
        ready, _, _ = select([pipe], [], [], PATIENCE)
        found = os.read(pipe, 4096) if ready else b""
    if found != expected:
        seen = "no answer" if not ready else "an error" if len(found) != len(expected) else "other decisions"
        raise FailedCheck(f"{seen} in a forked process: expected the decisions of its parent")
    return "2 hands"


@contextmanager
def _forked(answer: Callable[[], bytes]) -> Iterator[int]:
    """A process that answers on a pipe; at the end of the block it is killed."""
    ours, theirs = os.pipe()
    with catch_warnings():
        simplefilter("ignore", DeprecationWarning)  # of a fork beside threads: that is what is tried
        child = os.fork()
    if not child:
        _as_child(answer, theirs)
    os.close(theirs)
    try:
        yield ours
    finally:
        os.close(ours)
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _as_child(answer: Callable[[], bytes], pipe: int) -> None:
    """Answer, and end at once, without what the interpreter does at its end."""
    try:
        os.write(pipe, answer())
    except BaseException as error:  # whatever it is, the parent goes on
        os.write(pipe, f"{error!r}"[:60].encode())
    finally:
        os._exit(0)


def memory(trial: Trial) -> str:
    """The memory of an agent does not grow with the hands beyond what it may learn from them."""
    game, began, traced = trial.game(), perf_counter(), tracemalloc.is_tracing()
    witness = trial.play(trial.seated(game), game, range(4))
    tracemalloc.start()
    try:
        trial.play(witness, game, range(4, 10))
        before, hands = _held(witness), 0
        while hands < 24 and not late(began):
            trial.play(witness, game, range(10 + hands, 14 + hands))
            hands += 4
        growth = (_held(witness) - before) / 1024 / max(hands, 1)
    finally:
        if not traced:
            tracemalloc.stop()
    if growth > GROWTH:
        raise FailedCheck(f"{growth:.0f} KiB a hand over {hands} hands: expected at most {GROWTH}")
    return f"{max(growth, 0):.1f} KiB a hand over {hands} hands"


def _held(witness: Witness) -> int:
    """Bytes that are held now."""
    witness.decisions.clear()
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def pickles(trial: Trial) -> str:
    """An agent that was pickled in a session goes on as the original does."""
    if not trial.pickles:
        return ""
    game = trial.game()
    witness = trial.play(trial.seated(game), game, range(3))
    try:
        copied = pickled_copy(witness.agent)
    except Exception as error:
        raise FailedCheck(f"pickling raises {brief(error, 200)}") from error
    other = replace(witness, agent=copied, decisions=[], faults={})
    witness.decisions.clear()
    _same(
        trial.play(witness, game, range(3, 8)).decisions,
        trial.play(other, game, range(3, 8)).decisions,
        "after pickling",
    )
    return f"{len(other.decisions)} decisions"


def learns(trial: Trial) -> str:
    """What was observed changes decisions: of two agents one has learned from hands, and they differ."""
    if not trial.learns:
        return ""
    game = trial.game()
    one, other = trial.seated(game), trial.seated(game)
    trial.play(one, game, range(40), SHARE)
    one.decisions.clear()
    for state, seat, names, hand in trial.spots(game, range(200, 240)):
        for witness in (one, other):
            _decide_in(state.copy(), seat, ("agent", *names[1:]), hand, witness)
    if one.decisions == other.decisions:
        raise FailedCheck(
            f"{len(one.decisions)} decisions are the same with and without 40 hands before them"
        )
    differ = sum(a != b for a, b in zip(one.decisions, other.decisions, strict=True))
    return f"{differ} of {len(one.decisions)} decisions differ after 40 hands"


def _same(one: list[Seen], other: list[Seen], when: str) -> None:
    """Raise the first difference of two lists of decisions; of a slow agent one of them may end sooner."""
    for number, (expected, found) in enumerate(zip(one, other, strict=False), 1):
        if expected != found:
            raise FailedCheck(f"decision {number} {when}: {_shown(found)}: expected {_shown(expected)}")


def _shown(seen: Seen) -> str:
    return f"{seen[0]} ({', '.join(f'{action} {share:.3g}' for action, share in seen[1])})"


CHECKS: Mapping[str, tuple[Check, str]] = {
    "legal": (legal, "decides legally in all games of its plays, with a policy that sums to 1"),
    "observation": (observation, "leaves observations and events as they are"),
    "seed": (seeded, "decides alike with one seed"),
    "generators": (generators, "leaves the global random generators alone"),
    "unseen cards": (unseen, "decides alike whatever lies unseen"),
    "events": (events, "bears every event, in the order of play"),
    "deadline": (deadline, "decides in time"),
    "apart": (apart, "shares nothing with another agent of its class"),
    "threads": (threads, "decides alike in other threads"),
    "forks": (forks, "decides alike in a forked process"),
    "memory": (memory, "keeps little from hand to hand"),
    "pickles": (pickles, "goes on alike after pickling"),
    "learns": (learns, "decides otherwise after what it observed"),
}
"""By name: the check, and what an agent must do."""

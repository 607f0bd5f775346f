"""Memory over time: every shipped agent alone in its process beside ``call``, for thousands of hands.

The resident bytes are read every ``LOOK`` hands. After ``WARM`` hands, when models are loaded and caches are
full, the upper end of the 95 % interval of their slope must be at most ``MOST`` bytes a hand.
"""

import gc
import os
from ctypes import CDLL
from multiprocessing.connection import Connection

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.registry import load_for
from baycarp.arena.hand import play_hand
from baycarp.arena.workers import CONTEXT
from baycarp.budget import Budget
from baycarp.files import read_text
from baycarp.game import State, Variant
from experiments.gates.gate import Result, Share

__all__ = ["HANDS", "LEARNERS", "SEATED", "grown", "leaking", "slope"]

MOST = 100.0
"""Bytes a hand that the upper end of the slope may be."""

WARM, LOOK, BLOCKS, T95 = 2000, 10, 20, 2.101
"""Hands before the slope is measured, at most two fifths of all; hands between two looks; means of looks that
the slope is fitted to, and the quantile of Student's t for it."""

LEAST = Budget(time=0.0)
"""The least tier decides."""

_ANY_TABLE = (
    *("baycarp", "frequency", "formula", "simulation", "baycarp1", "baycarp2", "cases", "casper01"),
    *("casper02", "casey", "coupled", "network", "gambler", "mcts", "alike"),
)
LEARNERS = (*_ANY_TABLE, "bpp")
"""Agents that learn from the hands that they see."""

HANDS = {True: 20_000, False: 5000}
"""Hands of an agent that learns, and of another."""

_RING = ("random", "call", "raise", "rule", "jag", "maniac", "station", "folder")
_HEADS_UP = ("sartre", "sartre2009", "sartre2010", "sartre3p", "responder", "equilibrium")
_NO_LIMIT = ("sizer", "sartrenl", "sartrenl2010", "equilibriumnl")

SEATED: tuple[tuple[str, str], ...] = (
    *((name, "holdem.limit.2p.reverse_blinds") for name in (*LEARNERS, *_RING, *_HEADS_UP)),
    *((name, "holdem.nolimit.2p.100bb") for name in _NO_LIMIT),
    *((name, "holdem.limit.6p") for name in (*_ANY_TABLE, *_RING)),
    ("sizer", "holdem.nolimit.6p.100bb"),
)
"""Agents and their games."""

RESIDENT, PAGE = "/proc/self/statm", 1 << 12
"""The file of a process' memory, and bytes of it."""


def grown(name: str, game: str, share: Share) -> Result:
    """The hands of one agent, and the slope of its memory."""
    return _measured(name, game, share, 0)


def leaking(name: str, game: str, share: Share) -> Result:
    """The same with the planted fault: 10,000 bytes of each hand are kept."""
    return _measured(name, game, share, 10_000)


def _measured(name: str, game: str, share: Share, leak: int) -> Result:
    hands, result = share.stop - share.start, Result()
    here, there = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_play, args=(there, name, game, (share.seed, hands, leak)))
    process.start()
    there.close()
    try:
        looks = np.array(here.recv())
    except EOFError:
        result.find("crashes", f"{name}: its process ended")
        return result
    finally:
        process.join()
    result.done = hands
    middle, error = slope(looks[min(WARM, 2 * hands // 5) // LOOK :])
    result.counts["bytes a hand, upper end"] = round(middle + error)
    result.counts["MB at the end"] = round(looks[-1] / 1e6)
    if middle + error > MOST:
        result.find("other", f"{name}: {middle:,.0f} +- {error:,.0f} bytes a hand, {looks[-1] / 1e6:.0f} MB")
    return result


def slope(looks: NDArray[np.float64]) -> tuple[float, float]:
    """Bytes a hand, and half of the 95 % interval, of the looks of a process."""
    size = len(looks) // BLOCKS
    means = looks[: size * BLOCKS].reshape(BLOCKS, size).mean(axis=1)
    hands = np.arange(BLOCKS) * size * LOOK
    across = hands - hands.mean()
    middle = across @ means / (across @ across)
    rest = means - means.mean() - middle * across
    return float(middle), float(T95 * np.sqrt(rest @ rest / (BLOCKS - 2) / (across @ across)))


def _play(pipe: Connection, name: str, game: str, settings: tuple[int, int, int]) -> None:
    """In the process: play the hands, and send the bytes of each look."""
    seed, hands, leak = settings
    variant, kept, looks = Variant.load(game), [], []
    agents = [load_for(variant, each) for each in (name, *["call"] * (variant.seats - 1))]
    players = ("hero", *(f"p{seat}" for seat in range(1, variant.seats)))
    for seat, agent in enumerate(agents):
        agent.sit(seat, variant, seed)
    rng = np.random.default_rng(seed)
    for hand in range(hands):
        deck = rng.permutation(52)[: 2 * variant.seats + 5].tolist()
        turn = hand % variant.seats
        order = [*range(turn, variant.seats), *range(turn)]
        state = State(variant, deck=deck)
        play_hand(
            state, [agents[seat] for seat in order], tuple(players[seat] for seat in order), hand, LEAST
        )
        if leak:
            kept.append(bytearray(leak))
        if hand % LOOK == 0:
            looks.append(_resident())
    pipe.send(looks)


def _resident() -> int:
    """Resident bytes, after what is free was returned to the system: else a leak hides in it for long."""
    gc.collect()
    if trim := getattr(CDLL(None), "malloc_trim", None):  # glibc's alone
        trim(0)
    return int(read_text(RESIDENT, PAGE).split()[1]) * os.sysconf("SC_PAGE_SIZE")

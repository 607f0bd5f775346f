"""Reads: what a person believes that an opponent holds, in a few groups, scored by the agent's belief."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log2

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.value.player import ValuePlayer
from baycarp.card import blocked_by
from baycarp.errors import NotationError, brief
from baycarp.game import Observation
from baycarp.game.seats import seat_label
from baycarp.rules.hand import TYPES, hand_types
from baycarp.web.panels import combos

__all__ = ["GROUPS", "LEVELS", "OpponentRead", "ReadScore", "belief_read", "read_score"]

STARTS = ("Busted", "LowPair", "TenPair", "KingPairWeak", "TwoPair", "Straight")
"""The weakest type of each group."""

GROUPS = (
    "no pair, draws included",
    "a pair of nines or lower",
    "a pair of tens to queens",
    "a pair of kings or aces",
    "two pair or three of a kind",
    "a straight or better",
)
"""The groups that a person shades, weakest first; a holding is in one of them."""

LEVELS = (0, 1, 2, 4)
"""How often the opponent holds a group: never, seldom, sometimes, often; weights for each card."""

SLIP = 0.05
"""The share of a read that is spread over all groups, so that no group counts as impossible."""

LEAST = 0.001
"""Bits that a belief knows beyond the cards, to be a measure of a read."""

WORDS = (
    (0.8, "Nearly the belief"),
    (0.4, "A good read: most of what the betting shows is in it"),
    (0.05, "A part of what the betting shows is in it"),
    (-inf, "No better than no read"),
)
"""A score in words, from the least on."""


@dataclass(frozen=True, slots=True)
class OpponentRead:
    """The agent's belief about the one opponent of a decision after the flop.

    Parameters
    ----------
    opponent
        The position with the name.
    chances
        The probability of each group, in the order of ``GROUPS``.
    unread
        The same of an opponent who may hold anything.
    held, of
        Combos of each starting hand, as of ``web.panels.combos``.
    """

    opponent: str
    chances: tuple[float, ...]
    unread: tuple[float, ...]
    held: tuple[float, ...]
    of: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReadScore:
    """A read beside the belief.

    Parameters
    ----------
    score
        The part of what the belief knows beyond the cards alone, in information, that the read knows, too:
        1 = all of it, 0 = nothing, below 0 = less than nothing. None where the belief knows nothing.
    sentence
        The score, and the group that is farthest off, in words.
    """

    score: float | None
    sentence: str


def belief_read(agent: ValuePlayer, observation: Observation) -> OpponentRead | None:
    """The belief of an agent; None before the flop and of several opponents."""
    if not observation.board or len(observation.state.seats_in) != 2:
        return None
    (belief,) = agent.beliefs(observation).values()
    known = (*observation.hole, *observation.board)
    free = np.where(blocked_by(known), 0.0, 1.0)
    label = seat_label(observation.variant, belief.position, observation.players)
    board, held = observation.board, combos(belief.weights, known)
    return OpponentRead(
        label,
        _chances(belief.weights * free, board),
        _chances(free, board),
        tuple(held["held"]),
        tuple(held["of"]),
    )


def read_score(read: OpponentRead, levels: Sequence[int]) -> ReadScore:
    """Score a person's read by the logarithmic rule (Good 1952).

    Parameters
    ----------
    read
        The belief.
    levels
        The index in ``LEVELS`` of each group.

    Raises
    ------
    NotationError
        Another number of levels, or all are "never".

    Examples
    --------
    >>> unread = (0.5, 0.2, 0.1, 0.1, 0.05, 0.05)
    >>> read = OpponentRead("BTN Ann", (0.1, 0.2, 0.2, 0.2, 0.2, 0.1), unread, (), ())
    >>> read_score(read, (1, 1, 1, 1, 1, 1)).score, read_score(read, (1, 2, 3, 3, 3, 3)).score > 0.5
    (0.0, True)
    """
    if len(levels) != len(GROUPS) or not all(0 <= level < len(LEVELS) for level in levels) or not any(levels):
        raise NotationError(f"levels {brief(levels)}: expected {len(GROUPS)} of 0..3, not all 0")
    shaded = [LEVELS[level] * share for level, share in zip(levels, read.unread, strict=True)]
    total = sum(shaded) or 1.0
    own = [(1 - SLIP) * each / total + SLIP * share for each, share in zip(shaded, read.unread, strict=True)]
    missing, all_of_it = _divergence(read.chances, own), _divergence(read.chances, read.unread)
    off = max(range(len(GROUPS)), key=lambda at: abs(own[at] - read.chances[at]))
    given, true = f"{own[off]:.0%}".replace("%", " %"), f"{read.chances[off]:.0%}".replace("%", " %")
    farthest = f"farthest off: {GROUPS[off]}, {given} in your read and {true} in the belief"
    if all_of_it < LEAST:
        return ReadScore(None, "The betting shows nothing here: the belief is that of any two cards.")
    score = round(1 - missing / all_of_it, 4) + 0.0
    return ReadScore(score, f"{next(words for least, words in WORDS if score >= least)}; {farthest}.")


def _chances(weights: NDArray[np.float64], board: tuple[int, ...]) -> tuple[float, ...]:
    """The probability of each group; float64 weights of shape (1326,), 0 of known cards."""
    free = weights > 0
    types = hand_types(board)[free].astype(np.intp)
    by_type = np.bincount(types, weights[free], minlength=len(TYPES)) / weights[free].sum()
    parts = np.add.reduceat(by_type, [TYPES.index(name) for name in STARTS])
    return tuple(round(float(each), 6) for each in parts)


def _divergence(one: Sequence[float], other: Sequence[float]) -> float:
    """The Kullback-Leibler divergence, in bits."""
    return sum(p * log2(p / max(q, 1e-9)) for p, q in zip(one, other, strict=True) if p > 0)

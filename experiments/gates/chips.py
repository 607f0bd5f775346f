"""Chips are neither made nor lost: random hands of every kind of game.

Their payoffs sum to 0, and are those of a second calculator (``csrc/reference/naive_payoffs.h``); other hands
are played beside pokerkit.
"""

import importlib.util
import re
from importlib import import_module
from random import Random

import numpy as np

from baycarp.errors import VariantError
from baycarp.kernels.game import random_hands
from experiments.gates.clone import from_tests
from experiments.gates.game_files import KINDS, random_game
from experiments.gates.gate import Result, Share

__all__ = ["beside_pokerkit", "conserve", "needs_reference", "pots_agree"]

HANDS = 1000
"""Compiled hands of one random game."""

COMPARED = 50
"""Hands of one random game that are settled twice."""

NEEDS_REFERENCE = "needs the slow references: pip install -C cmake.define.BAYCARP_REFERENCE=ON ."


def conserve(kind: str, share: Share) -> Result:
    """Compiled hands of one kind of game, whose payoffs must sum to 0; the first fault ends a game."""
    result = Result()
    for number, hands in share.blocks(HANDS):
        seed = f"{share.seed} {number}"
        try:
            random_hands(random_game(kind, seed), hands, Random(seed).getrandbits(63))
            result.done += hands
        except VariantError as error:
            hand = re.search(r"hand (\d+)", str(error))
            result.done += int(hand[1]) + 1 if hand else 1
            result.find("losses", f"game {seed!r}: {error}")
    return result


def pots_agree(share: Share) -> Result:
    """Compiled hands of all kinds of games in turn; payoffs must be those of their definition."""
    reference = import_module("baycarp_reference")
    result, kinds = Result(), list(KINDS)
    for number, hands in share.blocks(COMPARED):
        kind, seed = kinds[number // COMPARED % len(kinds)], f"{share.seed} {number}"
        ours, expected = reference.payoffs_twice(random_game(kind, seed), hands, Random(seed).getrandbits(63))
        result.done += hands
        result.counts[f"of {kind!r}"] += hands
        for hand in np.flatnonzero((ours != expected).any(axis=1)).tolist():
            what = "losses" if ours[hand].sum() else "other"
            payoffs = f"{ours[hand].tolist()}, expected {expected[hand].tolist()}"
            result.find(what, f"{kind}, hand {hand} of {seed!r}: payoffs {payoffs}")
    return result


def needs_reference() -> str:
    """What is missing for ``pots_agree``; empty = nothing."""
    return "" if importlib.util.find_spec("baycarp_reference") else NEEDS_REFERENCE


def beside_pokerkit(share: Share) -> Result:
    """A share of hands beside pokerkit; a difference in the rules that the tests do not list is a finding."""
    referee = from_tests("reference.referee")
    result = Result()
    result.counts.update(dict.fromkeys(referee.DIFFERENCES, 0))
    for number in share:
        result.done += 1
        try:
            referee.referee_hand(Random(f"{share.seed} {number}"), result.counts)
        except AssertionError as error:
            result.find("other", f"hand {number}: {str(error).splitlines()[:1]}")
    return result

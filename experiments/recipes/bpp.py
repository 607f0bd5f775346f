"""Make ``data/bpp.npz``: the tables of the Bayesian Poker Player, from dealt cards and watched hands.

    python -m experiments.recipes.bpp src/baycarp/data/bpp.npz

Cards are counted on random boards. The typical opponent is the mean of players of ours that play each other
heads-up; all hole cards are seen.
"""

import argparse
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.registry import load
from baycarp.arena.hand import play_hand
from baycarp.card import HOLDINGS, blocked_by, holding_index
from baycarp.files import write_arrays
from baycarp.game import State, Variant
from baycarp.game.state import SHOWN
from baycarp.opponents.bpp.acts import LEGAL, POT_GROUP, SHAPE, holding_segments, responses
from baycarp.opponents.bpp.hands import BOARDS, TYPES, board_state, draws, hand_types

__all__ = ["count_acts", "count_cards", "main"]

GAME = Variant.load("holdem.limit.2p.reverse_blinds")

PLAYERS = ("doyle", "hari", "jake", "karma", "rule", "jag", "station")
"""The typical opponent is their mean; our choice."""

PAIRS = 400
"""Pairs of holdings a board."""

SESSION = 50
"""Hands between two players before others sit down."""


def count_cards(boards: int, seed: int) -> dict[str, NDArray[np.int64]]:
    """Counts of types on random boards; see ``opponents.bpp.network.FORM``."""
    kinds = len(TYPES)
    final = np.zeros((kinds, kinds), np.int64)
    current = np.zeros((4, kinds, kinds, 2), np.int64)
    lying = np.zeros((4, kinds, len(BOARDS)), np.int64)
    rng = np.random.default_rng(seed)
    for _ in range(boards):
        board = tuple(rng.permutation(52)[:5].tolist())
        free = np.flatnonzero(~blocked_by(board))
        ends = hand_types(board)
        one, other = rng.choice(free, (2, PAIRS))
        apart = ~(HOLDINGS[one][:, :, None] == HOLDINGS[other][:, None, :]).any(axis=(1, 2))
        np.add.at(final, (ends[one[apart]], ends[other[apart]]), 1)
        for street, cards in enumerate(SHOWN):
            shown = board[:cards]
            types = hand_types(shown)[free]
            drawing = draws(shown)[free].astype(np.intp)
            np.add.at(current[street], (ends[free], types, drawing), 1)
            lying[street, :, board_state(shown)] += np.bincount(types, minlength=kinds)
    return {"final": final, "current": current, "board": lying}


def count_acts(hands: int, seed: int) -> NDArray[np.int64]:
    """Actions of both players by the segments of their cards; int64, shape ``SHAPE``."""
    counts = np.zeros(SHAPE, np.int64)
    rng = np.random.default_rng(seed)
    tables = list(permutations(PLAYERS, 2))
    agents = []
    for hand in range(hands):
        if hand % SESSION == 0:
            names = tables[hand // SESSION % len(tables)]
            agents = [load(name) for name in names]
            for seat, agent in enumerate(agents):
                agent.sit(seat, GAME, seed + hand)
        deck = rng.permutation(52)[:9].astype(np.uint8)
        turned = (agents[::-1], names[::-1]) if hand % 2 else (agents, names)
        played = play_hand(State(GAME, deck=deck), *turned, hand)
        board = tuple(deck[4:].tolist())
        for seat in range(2):
            holding = holding_index(*deck[2 * seat : 2 * seat + 2].tolist())
            for each in responses(played.acts, seat, GAME):
                if LEGAL[each.before, each.act]:
                    segment = holding_segments(board[: SHOWN[each.street]], each.street)[holding]
                    counts[each.street, POT_GROUP[each.pot], each.before, segment, each.act] += 1
    return counts


def main(argv: Sequence[str] | None = None) -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--hands", type=int, default=10_500, help="watched for the typical opponent")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(argv)
    acts = count_acts(given.hands, given.seed)
    write_arrays(given.file, {**count_cards(given.boards, given.seed), "acts": acts})


if __name__ == "__main__":
    main()

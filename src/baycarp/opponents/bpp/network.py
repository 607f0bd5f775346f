"""The Bayesian network of the Bayesian Poker Player, one for all rounds, and its exact queries.

Nodes are those of Nicholson, Korb and Boulton (2006), after Unger (2011), section 4.3.1. Arcs of cards run
from the final hand to the current one, as in Korb, Nicholson and Jitnah (1999), and from the opponent's
current hand to the board, as in the re-implementation github.com/juanjoneri/SURP-2018. Ours are the draws,
and the segment between the opponent's cards and its action, which keeps the table of ``OPP_Action`` small.

The tables of cards are counts of dealt boards (``data/bpp.npz``). ``BPP_Win`` is exact: of two final types
the later one wins, and of equal ones each wins half.
"""

from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.inference import Inference
from baycarp.bn.network import Network, Structure
from baycarp.files import ArrayForm, FileForm, read_arrays
from baycarp.game import STREETS
from baycarp.opponents.bpp.acts import ACTS, POTS, SHAPE, ActTable
from baycarp.opponents.bpp.hands import BOARDS, SEGMENT_OF, SEGMENTS, TYPES

__all__ = ["FILE", "FORM", "STRUCTURE", "CardQuery", "network", "typical"]

FILE = Path(__file__).parents[2] / "data" / "bpp.npz"
"""Made by ``python -m experiments.recipes.bpp``."""

N = len(TYPES)

FORM = FileForm(
    {
        "final": ArrayForm("int64", (N, N), 0),
        "current": ArrayForm("int64", (4, N, N, 2), 0),
        "board": ArrayForm("int64", (4, N, len(BOARDS)), 0),
        "acts": ArrayForm("int64", SHAPE, 0),
    }
)
"""Counts: final types of two players; round, final and current type, draw; round, type, board; actions."""

_YES = ("no", "yes")

STRUCTURE = Structure(
    {
        "Round": STREETS,
        "Pot": POTS,
        "BPP_Action": ACTS,
        "BPP_Final": TYPES,
        "BPP_Current": TYPES,
        "BPP_Draw": _YES,
        "OPP_Final": TYPES,
        "OPP_Current": TYPES,
        "OPP_Draw": _YES,
        "Board": BOARDS,
        "OPP_Segment": SEGMENTS,
        "OPP_Action": ACTS,
        "BPP_Win": _YES,
    },
    {
        "BPP_Current": ("Round", "BPP_Final"),
        "BPP_Draw": ("Round", "BPP_Final", "BPP_Current"),
        "OPP_Final": ("BPP_Final",),
        "OPP_Current": ("Round", "OPP_Final"),
        "OPP_Draw": ("Round", "OPP_Final", "OPP_Current"),
        "Board": ("Round", "OPP_Current"),
        "OPP_Segment": ("Board", "OPP_Current", "OPP_Draw"),
        "OPP_Action": ("Round", "Pot", "BPP_Action", "OPP_Segment"),
        "BPP_Win": ("BPP_Final", "OPP_Final"),
    },
)

LEAST = 0.01
"""Counts of a cell beside those that were dealt, so that no observation is impossible."""


@cache
def _counts() -> Mapping[str, NDArray[np.float64]]:
    return {name: counts.astype(np.float64) for name, counts in read_arrays(FILE, FORM).items()}


def typical() -> ActTable:
    """The static table of a typical opponent."""
    return ActTable(_counts()["acts"])


@lru_cache(maxsize=1)
def _cards() -> dict[str, NDArray[np.float64]]:
    """The tables of all nodes but ``OPP_Action``; the two players are alike."""
    counts = _counts()
    final = counts["final"] + counts["final"].T + LEAST
    current = counts["current"] + LEAST
    kinds = _rows(current.sum(axis=-1))
    better = np.arange(N)[:, None] - np.arange(N)
    win = np.where(better == 0, 0.5, better > 0)
    return {
        "Round": np.full(4, 0.25),
        "Pot": np.full(len(POTS), 1 / len(POTS)),
        "BPP_Action": np.full(len(ACTS), 1 / len(ACTS)),
        "BPP_Final": final.sum(axis=1) / final.sum(),
        "BPP_Current": kinds,
        "BPP_Draw": _rows(current),
        "OPP_Final": _rows(final),
        "OPP_Current": kinds,
        "OPP_Draw": _rows(current),
        "Board": _rows(counts["board"] + LEAST),
        "OPP_Segment": np.eye(len(SEGMENTS))[SEGMENT_OF],
        "BPP_Win": np.stack([1 - win, win], axis=-1),
    }


def _rows(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    rows: NDArray[np.float64] = counts / counts.sum(axis=-1, keepdims=True)
    return rows


def network(acts: ActTable) -> Network:
    """The network against one opponent.

    Examples
    --------
    >>> network(typical()).cpt("OPP_Action").shape
    (4, 11, 8, 8, 8)
    """
    return Network(STRUCTURE, {**_cards(), "OPP_Action": acts.cpt()})


class CardQuery:
    """Queries of the network given actions as likelihoods of the segments, the same as observed actions.

    So one network of cards serves every opponent, however its table moves.
    """

    def __init__(self) -> None:
        self._inference = Inference(network(typical()))
        self.segments_given_final = lru_cache(maxsize=256)(self._segments_given_final)

    def _segments_given_final(self, street: int, board: int) -> NDArray[np.float64]:
        """P(OPP_Segment | OPP_Final, round, board), shape (25, 8)."""
        evidence = {"Round": STREETS[street], "Board": BOARDS[board]}
        joint = self._inference.posterior(evidence, [("OPP_Final", "OPP_Segment")])
        return _rows(joint["OPP_Final", "OPP_Segment"])

    def win(
        self, evidence: Mapping[str, str], now: NDArray[np.float64], before: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64]]:
        """P(BPP wins), and the distribution of the opponent's final type.

        Parameters
        ----------
        evidence
            The round, the board, the own current type and draw, as states.
        now
            The likelihood of the opponent's actions on this street by segment, shape (8,).
        before
            That of its earlier actions by final type, shape (25,).
        """
        found = self._inference.posterior(
            evidence, ("BPP_Win", "OPP_Final"), {"OPP_Segment": now, "OPP_Final": before}
        )
        return float(found["BPP_Win"][1]), found["OPP_Final"]

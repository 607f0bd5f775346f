"""Parallel: network and cases decide alike, and the one with the larger calibrated margin acts."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.couplings.deciding import NetworkDecides
from baycarp.agents.couplings.discretised import ACTION, action_network, discretised, network_of
from baycarp.agents.couplings.player import Coupled, Features
from baycarp.agents.trace import Stage
from baycarp.cases import CaseBase, retrieve_all, tally
from baycarp.cases.schema import Situation
from baycarp.strategies.episode import DecisionPoint

__all__ = ["Calibration", "Parallel", "ParallelStage", "Sides", "calibrated"]

SAMPLE = 400
"""Stored cases of a case-base whose margins are calibrated, evenly through the watched hands; our choice."""

BINS = 10
FOLDS = 10


class Calibration(NamedTuple):
    """By tenth of the margin, how often the action was that of the watched player: shape (10,), rising."""

    right: NDArray[np.float64]

    def __call__(self, margin: float) -> float:
        """The probability of being right at a margin, 0..1."""
        return float(self.right[min(int(margin * BINS), BINS - 1)])


class Sides(NamedTuple):
    """The calibration of the cases, and that of the network."""

    cases: Calibration
    network: Calibration


Calibrate: TypeAlias = Callable[[CaseBase], Sides]


@dataclass(frozen=True, slots=True)
class ParallelStage(Stage, name="parallel"):
    """The margins of both sides, 0..1, and the calibrated probabilities that they are right."""

    cases: float
    network: float
    cases_right: float
    network_right: float


class Parallel(Features):
    """Parallel: both classify from all inputs, and the more certain one is selected.

    Horizontal; no sequence, so neither loose nor tight: cases and network each take I and the reader's D and
    give C. A margin is the share of the first action less that of the second; it is calibrated by stored
    cases, whose hands both sides leave out, so that the margins of a vote and of a posterior compare.

    Parameters
    ----------
    calibrate
        The calibration of a case-base.
    """

    def __init__(self, calibrate: Calibrate | None = None) -> None:
        self.calibrate = calibrate or calibrated
        self.network = NetworkDecides()

    def answer(self, player: Coupled, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The answer of the side that is likelier to be right; of equals the cases."""
        base = player.model.casebases[point.schema.name]
        choices = player.strategy.choices(point.observation, point.schema)
        votes = dict.fromkeys(choices.legal, 0.0)
        shares = dict.fromkeys(choices.legal, 0.0)
        found = self.similar(player.casebases[point.schema.name], point.situation)
        own = tally(found, base, choices.legal, choices.counted)
        votes |= {name: float(count) for name, count in own.votes.items()}
        for solution, chance in action_network(base).chances(point.situation).items():
            if solution in choices.counted:
                shares[choices.counted[solution]] += chance
        sides = self.calibrate(base)
        margins = _margin(list(votes.values())), _margin(list(shares.values()))
        right = sides.cases(margins[0]), sides.network(margins[1])
        recorder.add(ParallelStage(*margins, *right, seconds=recorder.lap()))
        if right[1] > right[0]:
            return self.network.answer(player, point, recorder)
        return super().answer(player, point, recorder)


def _margin(weights: list[float]) -> float:
    """The share of the greatest less that of the second; of a single one all."""
    total = sum(weights)
    if not total:
        return 0.0
    first, *rest = sorted(weights, reverse=True)
    return (first - (rest[0] if rest else 0.0)) / total


@lru_cache(maxsize=16)
def calibrated(casebase: CaseBase) -> Sides:
    """Calibrate both sides on stored cases.

    Of the cases all of the query's own hand are left out, of the network a tenth of all hands.
    """
    schema, now, actions = casebase.schema, casebase.snapshot(), discretised(casebase)[1][ACTION]
    rows = np.arange(0, now.count, max(1, now.count // SAMPLE))
    hands = _hands(now.provenance[: now.count])
    networks = [network_of(casebase, hands % FOLDS != fold) for fold in range(FOLDS)]
    queries = [_situation(casebase, int(row)) for row in rows]
    margins, hits = np.zeros((2, len(rows))), np.zeros((2, len(rows)), np.bool_)
    for place, (row, found) in enumerate(zip(rows, retrieve_all(casebase, queries), strict=True)):
        near = now.rows(found.ids)
        others = now.solutions[near[hands[near] != hands[row]]]
        votes = np.bincount(others, minlength=len(schema.solutions)).astype(np.float64)
        chances = np.array(list(networks[hands[row] % FOLDS].chances(queries[place]).values()))
        for side, weights in enumerate((votes, chances)):
            margins[side, place] = _margin(weights.tolist())
            hits[side, place] = weights.argmax() == actions[row]
    return Sides(*(_calibration(*each) for each in zip(margins, hits, strict=True)))


def _hands(provenance: NDArray[np.void]) -> NDArray[np.int64]:
    """A number for the hand of each case: cases of one hand of one session have the same."""
    pairs = np.stack([provenance["session"], provenance["hand"]], axis=1)
    return np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)


def _situation(casebase: CaseBase, row: int) -> Situation:
    """A stored case as a query; its predicted states are held as certain as they can be."""
    now = casebase.snapshot()
    codes = np.ascontiguousarray(now.codes[:, row])
    return Situation(
        np.ascontiguousarray(now.numbers[:, row]), codes, np.full(len(codes), 1 / max(1, len(codes)))
    )


def _calibration(margins: NDArray[np.float64], hits: NDArray[np.bool_]) -> Calibration:
    """Tenths with one right and one wrong case in advance; a greater margin is never less often right."""
    tenth = np.minimum((margins * BINS).astype(np.int64), BINS - 1)
    right = np.bincount(tenth, hits, BINS) + 1
    return Calibration(np.maximum.accumulate(right / (np.bincount(tenth, minlength=BINS) + 2)))

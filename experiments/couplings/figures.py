"""From played units to figures: win rates of arms, contrasts with Holm's correction, and the field."""

from collections.abc import Mapping
from itertools import combinations
from math import erfc, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Rate, interval, quantile
from baycarp.arena.run import Results
from baycarp.coach.findings import holm
from experiments.couplings.contrasts import CONTRASTS
from experiments.couplings.study import CouplingStudy

__all__ = ["Difference", "Won", "contrasts", "field", "rate", "won"]

LEVEL = 0.05

FEWEST = 100
"""Deals from which on a difference is tested: the normal distribution is that of a mean of many."""

Won = Mapping[str, Mapping[int | str, NDArray[np.float64]]]
"""By arm and session: small bets a hand on each deal, the mean over its seatings; float64, shape (deals,)."""


class Difference(NamedTuple):
    """The first arm less the second, on the decks that both have played.

    ``chance`` is that of a difference as great if there is none, 0..1; ``certain``: whether Holm's procedure
    over its family rejects that there is none, at 5 %.
    """

    one: str
    other: str
    rate: Rate
    chance: float
    certain: bool


def won(study: CouplingStudy, results: Results) -> Won:
    """The winnings of each arm by ``control``, of the sessions that it has played in every seating."""
    matches = study.matches()
    found: dict[str, dict[int | str, NDArray[np.float64]]] = {}
    for name, (arm, match) in zip(study.arms(), matches.items(), strict=True):
        chip = 1 / match.table.variant.small_bet
        sessions: dict[int | str, list[NDArray[np.float64]]] = {}
        for unit, played in results.items():
            if unit[0] == arm:
                sessions.setdefault(unit[1], []).append(chip * played.estimates["control"][:, 0])
        whole = {key: each for key, each in sessions.items() if len(each) == len(match.seatings)}
        found[name] = {key: np.mean(each, axis=0) for key, each in sorted(whole.items())}
    return found


def rate(study: CouplingStudy, played: Won, arm: str) -> Rate:
    """The win rate of an arm, on all its decks."""
    return interval(_joined([*played[arm].values()]), _seatings(study))


def _seatings(study: CouplingStudy) -> int:
    return 1 + len(study.place.met)


def _joined(sessions: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    return np.concatenate(sessions) if sessions else np.empty(0)


def _difference(study: CouplingStudy, played: Won, one: str, other: str) -> tuple[Rate, float]:
    """The difference on common decks, and the chance of one as great."""
    both = [key for key in played.get(one, {}) if key in played.get(other, {})]
    apart = _joined([played[one][key] - played[other][key] for key in both])
    found = interval(apart, _seatings(study))
    if len(apart) < FEWEST or not found.margin:
        return found, 1.0
    error = found.margin / quantile(len(apart) - 1)
    return found, erfc(abs(found.mean) / error / sqrt(2))


def _family(study: CouplingStudy, played: Won, pairs: list[tuple[str, str]]) -> list[Difference]:
    """The differences of some pairs, corrected over those that were played."""
    found = [(*pair, *_difference(study, played, *pair)) for pair in pairs]
    tested = [each for each in found if each[2].n]
    certain = iter(holm([chance for *_, chance in tested], LEVEL))
    return [Difference(*each, next(certain) if each[2].n else False) for each in found]


def contrasts(study: CouplingStudy, played: Won) -> list[Difference]:
    """The six, in order."""
    return _family(study, played, [(each.one, each.other) for each in CONTRASTS])


def field(study: CouplingStudy, played: Won) -> list[Difference]:
    """All other pairs of arms that have played."""
    named = {frozenset((each.one, each.other)) for each in CONTRASTS}
    arms = [arm for arm, sessions in played.items() if sessions]
    return _family(study, played, [pair for pair in combinations(arms, 2) if frozenset(pair) not in named])

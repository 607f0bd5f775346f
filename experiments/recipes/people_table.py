"""Fit the people's table to habits of IRC players: ``python -m experiments.recipes.people_table``.

Eight formula players, two or three around each quartile of looseness, that differ within it in settings that
are given here. Stochastic approximation, as in ``calibrate``: the shift of the thresholds before the flop is
moved by VPIP, that of raising by PFR; aggression by the aggression factor and tightness by the folds to bets,
after the flop. The table has nine seats; a guest, equal to ``median-1``, has the ninth.

``--people FILE`` prints the habits of the players of a record, ``--check HANDS`` those of the shipped table.
Nothing of a record is used but the targets below, which are aggregates of at least 24 players.
"""

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.table import PEOPLE
from baycarp.arena.decks import LEARNED
from baycarp.arena.session import HANDS, Table, play_session
from baycarp.arena.workers import Workers, in_order
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.game.plays import Plays
from baycarp.game.variant import Variant
from benchmarks.records import sessions_of
from experiments.populations.habits import (
    COUNTS,
    HABITS,
    QUARTILES,
    Measured,
    around_quartiles,
    habit_counts,
    measured,
)
from experiments.recipes.calibrate import spec

__all__ = ["BANDS", "TARGETS", "fit", "like", "people", "quartile_of", "table_habits", "together"]

TARGETS = {
    "lower quartile": (29.0, 6.0, 1.0, 39.0),
    "median": (40.0, 6.0, 1.0, 38.0),
    "upper quartile": (53.0, 6.0, 1.0, 32.0),
}
"""The first four ``HABITS``: VPIP, PFR and aggression of IRC players of limit at nine seats, 1999; folds to
bets of those of April 1995 at eight to ten seats, which ``--people`` prints."""

BANDS = (3.0, 1.5, 0.2, 4.0)
"""The largest distances from ``TARGETS`` that count as alike; our choice."""

SETTINGS: dict[str, dict[str, Any]] = {
    "tight-1": {"level": "moderate"},
    "tight-2": {"level": "loose", "mixing": 60, "deception": 0.2},
    "tight-3": {"level": "tight", "model": 0.5, "implied": 2},
    "median-1": {"level": "moderate", "mixing": 30},
    "median-2": {"level": "loose", "deception": 0.3, "model": 0.6},
    "loose-1": {"level": "moderate", "model": 0.8},
    "loose-2": {"level": "loose", "mixing": 100, "deception": 0.1},
    "loose-3": {"level": "tight", "model": 0.4, "implied": 3},
}
"""What the players of a quartile differ in; not fitted."""

START = {
    quartile: {"shift": shift, "raising": 100.0 - shift, "tightness": tightness, "aggression": aggression}
    for quartile, shift, tightness, aggression in zip(
        QUARTILES, (-70.0, -170.0, -320.0), (0.58, 0.52, 0.48), (0.7, 0.75, 0.95), strict=True
    )
}
"""The fitted settings by quartile, with their first values, near the result of a first fit."""

STEPS = {"shift": 8.0, "raising": 25.0, "tightness": 0.015, "aggression": 0.25}
"""The change of each setting by a distance of 1 in its habit, in the first round."""

SEATS = (8, 9, 10)
LEAST = 100
"""Of a record, the numbers of seats and the hands of a player that count."""


def quartile_of(player: str) -> str:
    """The quartile that a player of the table is fitted to."""
    kinds = ("tight", "median", "loose")
    return QUARTILES[kinds.index(player.partition("-")[0])]


def table_habits(
    specs: Mapping[str, str], hands: int, seed: int, workers: int = 1
) -> dict[str, NDArray[np.int64]]:
    """Play sessions, and return the ``COUNTS`` of each player by session: shape (sessions, 9).

    Parameters
    ----------
    specs
        Specifications of eight players by name.
    hands
        Rounded up to whole sessions.
    seed, workers
        As in ``arena.session``.
    """
    players = (*specs.values(), specs["median-1"])
    table = Table(Variant.ring(len(players)), (*specs, "guest"), players, seed)
    sessions = [(table, LEARNED + number) for number in range(-(-hands // HANDS))]
    played = [counts for _, counts in in_order(_session, sessions, Workers(workers))]
    return {name: np.array([counts[name] for counts in played]) for name in specs}


def _session(unit: tuple[Table, int]) -> dict[str, NDArray[np.int64]]:
    table, number = unit
    return habit_counts(parse_state(line, table.variant) for line in play_session(table, number).log)


def fit(rounds: int, hands: int, seed: int, workers: int = 1) -> dict[str, str]:
    """Fit the players for some rounds of play; their specifications are the means of the second half."""
    fitted = {name: START[quartile_of(name)] for name in SETTINGS}
    late: list[dict[str, dict[str, float]]] = []
    for number in range(rounds):
        played = table_habits(_specs(fitted), hands, seed + number, workers)
        for name, counts in played.items():
            apart = measured(counts).values[: len(BANDS)] - TARGETS[quartile_of(name)]
            fitted[name] = _moved(fitted[name], apart, step=1 / (1 + number / 4))
        late += [dict(fitted)] if 2 * number + 2 > rounds else []
        alike = sum(like(together(played, quartile), quartile) for quartile in QUARTILES)
        print(f"round {number + 1}: {alike} of {len(QUARTILES)} alike", flush=True)
    return _specs({name: _mean([each[name] for each in late]) for name in fitted})


def _specs(fitted: Mapping[str, Mapping[str, float]]) -> dict[str, str]:
    return {name: spec("formula", SETTINGS[name] | {**settings}) for name, settings in fitted.items()}


def _moved(settings: Mapping[str, float], apart: NDArray[np.float64], step: float) -> dict[str, float]:
    """One step against the distances of four habits; the shift leaves the thresholds of raising in place."""
    played, raised, bold, folded = (step * apart).tolist()
    shift = STEPS["shift"] * played
    return {
        "shift": settings["shift"] + shift,
        "raising": settings["raising"] + STEPS["raising"] * raised - shift,
        "tightness": min(max(settings["tightness"] - STEPS["tightness"] * folded, 0.0), 1.0),
        "aggression": min(max(settings["aggression"] - STEPS["aggression"] * bold, 0.0), 1.0),
    }


def _mean(late: list[dict[str, float]]) -> dict[str, float]:
    """The means, rounded."""
    digits = {"shift": None, "raising": None, "tightness": 3, "aggression": 3}
    return {name: round(fmean(each[name] for each in late), places) for name, places in digits.items()}


def together(played: Mapping[str, NDArray[np.int64]], quartile: str) -> Measured:
    """The habits of a quartile's players together, with intervals by session."""
    counts = [each for name, each in played.items() if quartile_of(name) == quartile]
    return measured(np.sum(counts, axis=0))


def like(found: Measured, quartile: str) -> bool:
    """Whether habits are within ``BANDS`` of their targets."""
    return bool((np.abs(found.values[: len(BANDS)] - TARGETS[quartile]) <= BANDS).all())


def people(hands: Iterable[Hand]) -> dict[str, Measured]:
    """The habits around the quartiles of players with ``LEAST`` hands at tables of ``SEATS``.

    Raises
    ------
    ArgumentError
        Fewer than eight such players, or hands without names.
    """
    counts = habit_counts(hand for hand in hands if hand.variant.seats in SEATS)
    rows = [each for each in counts.values() if each[0] >= LEAST]
    return around_quartiles(np.reshape(rows, (-1, len(COUNTS))).astype(np.int64))


def _rows(found: Mapping[str, Measured]) -> Iterator[str]:
    yield " | ".join(("", *HABITS))
    for name, each in found.items():
        cells = zip(each.values.tolist(), each.margins.tolist(), strict=True)
        yield " | ".join((name, *(f"{value:.2f} ± {margin:.2f}" for value, margin in cells)))


def main(argv: Sequence[str] | None = None) -> None:
    """Fit, check with new cards, and print; or print the habits of a record or of the shipped table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=Path, metavar="FILE", help="print the habits of a record")
    parser.add_argument("--check", type=int, metavar="HANDS", help="no fit: play the shipped table")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument(
        "--hands", type=int, default=1000, help="in a round; three times as many in the check"
    )
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(argv)
    if given.people:
        sessions = sessions_of(given.people, None, None, Plays(frozenset({"limit"})))
        print(*_rows(people(chain.from_iterable(sessions))), sep="\n")
        return
    specs, hands, seed = PEOPLE, given.check, given.seed
    if not given.check:
        specs = fit(given.rounds, given.hands, given.seed, given.workers)
        print(*(f'    "{name}": "{text}",' for name, text in specs.items()), sep="\n")
        hands, seed = 3 * given.hands, given.seed - 1
    played = table_habits(specs, hands, seed, given.workers)
    print(*_rows({quartile: together(played, quartile) for quartile in QUARTILES}), sep="\n")
    print(*_rows({name: measured(counts) for name, counts in played.items()}), sep="\n")


if __name__ == "__main__":
    main()

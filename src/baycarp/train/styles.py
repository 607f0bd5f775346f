"""Playing styles: players grouped by their habits, and hand -> action tables for each group.

Habits are VPIP, PFR, and on each later street the share of bets and raises among all actions that are not
free checks (Unger 2011, section 9.1: aggression on the other stages, players in groups, a network for each).
Groups are k-means clusters of standardised habits; the first centres are the players farthest from one
another, so that nothing is random.

``python -m baycarp.train.styles FILE`` makes the file that agents load from watched hands.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.session import Table, split
from baycarp.game.variant import Variant
from baycarp.opponents.actions import ActionModel, sensible
from baycarp.opponents.moves import PRICE_OF, Move
from baycarp.opponents.styles import Styles, save_styles
from baycarp.train.actions import Prior, ascend, fit
from baycarp.train.cells import HandRow, hand_rows, stack
from baycarp.train.watch import hands_of, watch

__all__ = ["STYLES", "Grouped", "fit_styles", "group", "habits", "main"]

Array = NDArray[np.float64]

HABITS = 5
"""VPIP, PFR, aggression on flop, turn and river."""

STYLES = 8
"""Groups of players: each of the default table's eight has its own."""

STYLE = 5.0
"""The weight in moves of the whole population in each situation and bucket of a style's table: the best of
5, 10, 20 and 40 on held-out hands."""

NEUTRAL = 0.1
"""The share of players of no known style, which begin with general tables (``sensible``); our choice."""

STRANGE = 0.25
"""The weight of the general tables beside a style, since no observed player has them; our choice."""


def habits(rows: Iterable[HandRow]) -> tuple[tuple[str, ...], Array]:
    """The habits of each player.

    Parameters
    ----------
    rows
        Whole rows, one a player and hand.

    Returns
    -------
    names, float64 of shape (players, 5)
        In order of first appearance; VPIP, PFR, aggression on flop, turn, river: each a share 0..1 that
        begins as one observation of one half.
    """
    counts: dict[str, Array] = {}
    for row in rows:
        mine = counts.setdefault(row.player, np.tile([0.5, 1.0], (HABITS, 1)))
        paid = {move.choice for move in row.moves if move.street == 0 and _costs(move)}
        mine[:2] += (bool(paid & {1, 2}), 1), (2 in paid, 1)
        for move in row.moves:
            if move.street and _costs(move):
                mine[1 + move.street] += (move.choice == 2, 1)
    found = np.array([mine[:, 0] / mine[:, 1] for mine in counts.values()])
    return tuple(counts), found.reshape(-1, HABITS)


def _costs(move: Move) -> bool:
    """Whether the move was anything but a free check."""
    return move.choice != 1 or bool(PRICE_OF[move.street][move.situation])


@dataclass(frozen=True, slots=True)
class Grouped:
    """Players in groups.

    Parameters
    ----------
    of
        The group of each player.
    centres
        The habits in the middle of each group; float64, (groups, 5).
    """

    of: Mapping[str, int]
    centres: Array


def group(names: Sequence[str], found: Array, styles: int, rounds: int = 100) -> Grouped:
    """Group players by their habits.

    Parameters
    ----------
    names, found
        The result of ``habits``.
    styles
        The greatest number of groups.
    rounds
        The greatest number of rounds of k-means.

    Examples
    --------
    >>> tight, loose = [0.1, 0.05, 0.5, 0.5, 0.5], [0.6, 0.3, 0.9, 0.9, 0.9]
    >>> group(["a", "b", "c"], np.array([tight, loose, tight]), 2).of
    {'a': 0, 'b': 1, 'c': 0}
    """
    spread = found.std(axis=0)
    points = (found - found.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    chosen = [0]
    while len(chosen) < min(styles, len(points)):
        away = np.linalg.norm(points[:, None] - points[chosen], axis=2).min(axis=1)
        chosen.append(int(away.argmax()))
    centres = points[chosen]
    for _ in range(rounds):
        of = np.linalg.norm(points[:, None] - centres, axis=2).argmin(axis=1)
        before, centres = centres, _middles(points, of, centres)
        if np.array_equal(before, centres):
            break
    return Grouped(dict(zip(names, of.tolist(), strict=True)), _middles(found, of, found[chosen]))


def _middles(points: Array, of: NDArray[np.intp], empty: Array) -> Array:
    """The mean of each group; of a group without members, its row of ``empty``."""
    groups = range(len(empty))
    return np.array([points[of == k].mean(axis=0) if (of == k).any() else empty[k] for k in groups])


def fit_styles(
    hand_rows: Sequence[HandRow],
    grouped: Grouped,
    population: ActionModel,
    rounds: int = 30,
    everything: bool = False,
) -> Styles:
    """Fit a model for each group: EM on its players' hands, with the whole population's as prior.

    Parameters
    ----------
    hand_rows
        Whole rows, one for each player and hand; players of no group are left out.
    grouped
        The group of each player.
    population
        The model of all players together.
    rounds
        The greatest number of rounds of EM.
    everything
        Whether to train on all cards, or on a seated player's observations.

    Returns
    -------
    Styles
        In the order of the groups, with their shares of the hands; last the general tables, for new players.
    """
    prior = Prior(tuple(STYLE * table for table in population.tables))
    of = [grouped.of.get(row.player, -1) for row in hand_rows]
    models, sizes = [], []
    for style in sorted({*of} - {-1}):
        cells = stack(row for row, its_style in zip(hand_rows, of, strict=True) if its_style == style)
        known = cells.true >= 0 if everything else cells.shown
        models.append(ActionModel(ascend(cells, known, population.tables, prior, rounds)[0]))
        sizes.append(len(cells))
    shares = [size / sum(sizes) * (1 - NEUTRAL) for size in sizes]
    return Styles((*models, sensible()), (*shares, NEUTRAL), (*(1.0 for _ in models), STRANGE))


def main(argv: Sequence[str] | None = None) -> None:
    """Watch the default table, fit all players and the styles to seated observations, write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--sessions", type=Path, default=Path("sessions"), help="where they are kept")
    given = parser.parse_args(argv)
    specs = (*TABLE, EIGHTH)
    table = Table(Variant.ring(len(specs)), tuple(spec.capitalize() for spec in specs), specs, given.seed)
    count, hands = split(given.hands)
    logs = watch(table, numbers(LEARNED, count), hands, given.sessions, given.workers)
    rows = [row for log in logs for row in hand_rows(hands_of(log, table))]
    cells = stack(rows)
    population = fit(cells, cells.shown).model
    styles = fit_styles(rows, group(*habits(rows), STYLES), population)
    options = f"--hands {given.hands} --seed {given.seed}"
    save_styles(styles, given.file, f"python -m baycarp.train.styles {given.file.name} {options}")


if __name__ == "__main__":
    main()

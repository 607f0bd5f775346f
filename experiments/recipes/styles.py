"""Playing styles: players grouped by their habits, and hand -> action tables for each group.

Habits are VPIP, PFR, and on each later street the share of bets and raises among all actions that are not
free checks, and of folds among the answers to a bet (Unger 2011, section 9.1: aggression on the other stages,
players in groups, a network for each). Groups are k-means clusters of standardised habits; the first centres
are the players farthest from one another, so that nothing is random.

Styles come from several populations (``populations``), fitted one by one. A new player belongs to each of
them with the same probability; how common each style of a population is, follows from its players by
empirical Bayes.

``python -m experiments.recipes.styles FILE`` makes the file that agents load.
"""

import argparse
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.table import EIGHTH, TABLE
from baycarp.arena.decks import LEARNED, numbers
from baycarp.arena.session import HANDS, Table, split
from baycarp.arena.workers import Workers
from baycarp.errors import ModelError
from baycarp.game.variant import Variant
from baycarp.opponents.actions.hand_actions import ActionModel
from baycarp.opponents.actions.situations import PRICE_OF, CodedAct
from baycarp.opponents.actions.styles import Styles, save_styles
from baycarp.training.logs import sessions_of
from baycarp.training.watch import hands_of, watch
from experiments.recipes.action_cells import Cells, HandRow, hand_rows, stack
from experiments.recipes.action_em import Prior, ascend, fit, posterior
from experiments.recipes.populations import POPULATIONS, members, tables

__all__ = ["STYLES", "Grouped", "fit_styles", "group", "habits", "joined", "main"]

Array = NDArray[np.float64]

HABITS = 8
"""VPIP, PFR; aggression, then folds, on flop, turn and river."""

STYLES = 12
"""Groups of players in a population, at most."""

STYLE = 5.0
"""The weight in moves of the whole population in each situation and bucket of a style's table: the best of
5, 10, 20 and 40 on held-out hands of the default table."""

KNOWN = 40
"""Hands of a player from which it counts when groups are made; our choice."""

CROWD = 5
"""Players of a style of people, at least: a style is that of a group, never of one person."""

ROUNDS = 20
"""Rounds of EM for the shares of the styles."""


def habits(rows: Iterable[HandRow]) -> tuple[tuple[str, ...], Array]:
    """The habits of each player.

    Parameters
    ----------
    rows
        Whole rows, one a player and hand.

    Returns
    -------
    names, float64 of shape (players, 8)
        In order of first appearance; VPIP, PFR, aggression on flop, turn, river, folds there: each a share
        0..1 that begins as one observation of one half.
    """
    counts: dict[str, Array] = {}
    for row in rows:
        mine = counts.setdefault(row.player, np.tile([0.5, 1.0], (HABITS, 1)))
        paid = {move.choice for move in row.moves if move.street == 0 and _costs(move)}
        mine[:2] += (bool(paid & {1, 2}), 1), (2 in paid, 1)
        for move in row.moves:
            if move.street and _costs(move):
                mine[1 + move.street] += (move.choice == 2, 1)
                if PRICE_OF[move.street][move.situation]:
                    mine[4 + move.street] += (move.choice == 0, 1)
    found = np.array([mine[:, 0] / mine[:, 1] for mine in counts.values()])
    return tuple(counts), found.reshape(-1, HABITS)


def _costs(move: CodedAct) -> bool:
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
        The habits in the middle of each group; float64, (groups, 8).
    """

    of: Mapping[str, int]
    centres: Array


def group(names: Sequence[str], found: Array, styles: int, rounds: int = 100, least: int = 1) -> Grouped:
    """Group players by their habits.

    Parameters
    ----------
    names, found
        The result of ``habits``.
    styles
        The greatest number of groups.
    rounds
        The greatest number of rounds of k-means.
    least
        Players of a group, at least, where there are as many: those of the smallest groups join the nearest.

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
    sizes = np.bincount(of, minlength=len(centres))
    while len(sizes) > 1 and sizes.min() < least:
        centres = np.delete(centres, sizes.argmin(), axis=0)
        of = np.linalg.norm(points[:, None] - centres, axis=2).argmin(axis=1)
        sizes = np.bincount(of, minlength=len(centres))
    return Grouped(
        dict(zip(names, of.tolist(), strict=True)), _middles(found, of, found[chosen[: len(centres)]])
    )


def _middles(points: Array, of: NDArray[np.intp], empty: Array) -> Array:
    """The mean of each group; of a group without members, its row of ``empty``."""
    groups = range(len(empty))
    return np.array([points[of == k].mean(axis=0) if (of == k).any() else empty[k] for k in groups])


def fit_styles(
    populations: Mapping[str, Sequence[HandRow]],
    styles: int = STYLES,
    everything: Collection[str] = (),
    people: Collection[str] = (),
) -> Styles:
    """Fit the styles of some populations.

    Parameters
    ----------
    populations
        Whole rows, one for each player and hand, by population. Names of players differ between populations.
    styles
        The greatest number of groups in each.
    everything
        The populations whose cards are all known to the learner; of the others it learns what a seated
        player observes: shown cards, and the actions of the rest (EM).
    people
        The populations of people: each style has five players or more, where there are as many.

    Returns
    -------
    Styles
        Population by population. Each population has the same share.

    Raises
    ------
    ModelError
        A population without a hand.
    """
    return joined(
        [
            _fit(name, rows, styles, name in everything, CROWD if name in people else 1)
            for name, rows in populations.items()
        ]
    )


def joined(populations: Sequence[Styles]) -> Styles:
    """The styles of several populations; a new player belongs to each with the same probability."""
    models = tuple(model for styles in populations for model in styles.models)
    shares = tuple(share / len(populations) for styles in populations for share in styles.shares)
    return Styles(models, shares)


def _fit(name: str, rows: Sequence[HandRow], styles: int, everything: bool, least: int) -> Styles:
    """The styles of one population, and the share of each among its players."""
    counts = Counter(row.player for row in rows)
    if not rows:
        raise ModelError(f"population {name}: no hands")
    hands = min(KNOWN, max(counts.values()))
    kept = [row for row in rows if counts[row.player] >= hands]
    grouped = group(*habits(kept), styles, least=least)
    cells = stack(rows)
    population = fit(cells, _known(cells, everything)).model
    prior = Prior(tuple(STYLE * table for table in population.tables))
    of = np.array([grouped.of.get(row.player, -1) for row in rows])
    models = []
    for style in sorted(set(grouped.of.values())):
        own = cells.of_rows(of == style)
        models.append(ActionModel(ascend(own, _known(own, everything), population.tables, prior, 30)[0]))
    return Styles(tuple(models), _shares(models, cells.of_rows(of >= 0), everything))


def _known(cells: Cells, everything: bool) -> NDArray[np.bool_]:
    return cells.true >= 0 if everything else cells.shown


def _shares(models: Sequence[ActionModel], cells: Cells, everything: bool) -> tuple[float, ...]:
    """How common each style is among players: the mixture that makes their hands most probable (EM)."""
    known = _known(cells, everything)
    names, of = np.unique([row.player for row in cells.rows], return_inverse=True)
    logs = np.stack(
        [
            np.bincount(of, np.log(posterior(cells, known, model.tables)[1]), minlength=len(names))
            for model in models
        ]
    )
    shares = np.full(len(models), 1 / len(models))
    for _ in range(ROUNDS):
        weights = np.log(shares)[:, None] + logs
        weights = np.exp(weights - weights.max(axis=0))
        weights /= weights.sum(axis=0)
        shares = (weights.sum(axis=1) + 1 / len(models)) / (len(names) + 1)
    return tuple(float(share) for share in shares)


def main(argv: Sequence[str] | None = None) -> None:
    """Watch the default table and the populations, read the archives, fit the styles, and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--hands", type=int, default=5000, help="of the default table")
    parser.add_argument("--sessions", type=int, default=18, help="of 500 hands, of each other population")
    parser.add_argument("--people", type=Path, action="append", default=[], help="a record of people's hands")
    parser.add_argument("--people-hands", type=int, default=20_000, help="read of each record, at most")
    parser.add_argument("--game", help="of the records that are ACPC logs")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path("sessions"), help="where sessions are kept")
    given = parser.parse_args(argv)
    bots = ("table", *(name for name in POPULATIONS if name != "blind"))
    names = [*bots, *(path.name for path in given.people)]
    if len(set(names)) < len(names):
        raise ModelError(f"populations {', '.join(names)}: expected different names of files")
    rows = {"table": list(_default_table(given))}
    rows |= {name: list(_population(name, given)) for name in bots[1:]}
    game = Variant.load(given.game) if given.game else None
    for path in given.people:
        hands = chain.from_iterable(
            sessions_of(path, None if ".tar" in path.suffixes else game, given.people_hands)
        )
        rows[path.name] = list(hand_rows(hands))
    options = f"--hands {given.hands} --sessions {given.sessions} --seed {given.seed}"
    people = "".join(f" --people {path.name}" for path in given.people)
    if people:
        people += f" --people-hands {given.people_hands}" + (f" --game {given.game}" if given.game else "")
    save_styles(
        fit_styles(rows, everything=bots, people=[path.name for path in given.people]),
        given.file,
        f"python -m experiments.recipes.styles {given.file.name} {options}{people}",
    )


def _default_table(given: argparse.Namespace) -> Iterator[HandRow]:
    specs = (*TABLE, EIGHTH)
    table = Table(Variant.ring(len(specs)), tuple(spec.capitalize() for spec in specs), specs, given.seed)
    count, hands = split(given.hands)
    for log in watch(table, numbers(LEARNED, count), hands, given.folder / "table", Workers(given.workers)):
        yield from hand_rows(hands_of(log, table))


def _population(name: str, given: argparse.Namespace) -> Iterator[HandRow]:
    """The hands of the population's players; those of their company are left out."""
    for number, table in enumerate(tables(name, given.sessions, given.seed)):
        log = watch(table, [LEARNED + number], HANDS, given.folder / name / str(number))[0]
        own = members(name, table)
        yield from (row for row in hand_rows(hands_of(log, table)) if row.player in own)


if __name__ == "__main__":
    main()

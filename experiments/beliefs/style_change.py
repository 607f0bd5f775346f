"""Players that change their style: sessions of two parts, and how far an older model is behind a new one.

The loosest and the tightest member of a population at tables of equal size swap: at the table of each, the
player has its own settings up to the change, and the other's settings from then on. Its name stays, and so
does its company. A model that has watched both parts is compared with one that began at the change, at the
same decision points.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import HELD_OUT
from baycarp.arena.session import Table
from baycarp.arena.workers import THIS_PROCESS, Workers
from baycarp.game.notation.hand import Hand
from baycarp.training.watch import hands_of
from experiments.beliefs.intervals import Figure, mean
from experiments.beliefs.measure import judge_session
from experiments.beliefs.moments import Judged
from experiments.beliefs.populations import Population, Sitting
from experiments.beliefs.queries import Model
from experiments.beliefs.sessions import Session, watch_each
from experiments.recipes.action_cells import hand_rows
from experiments.recipes.styles import habits

__all__ = [
    "DIRECTIONS",
    "Change",
    "Lag",
    "changes",
    "judge_player",
    "lag",
    "play_changes",
    "sessions_of",
]

DIRECTIONS = ("loose to tight", "tight to loose")

BEFORE, SETTLED, AFTER = 500, 300, 500
"""Hands before the change; hands after which the models are compared; hands after the change."""


@dataclass(frozen=True, slots=True)
class Change:
    """A player that changes its style.

    Parameters
    ----------
    direction
        One of ``DIRECTIONS``.
    player
        Its name.
    before, after
        The tables, which differ in its settings alone.
    """

    direction: str
    player: str
    before: Table
    after: Table


@dataclass(frozen=True, slots=True)
class Lag:
    """How far a model that watched the change is behind one that began at it.

    Parameters
    ----------
    direction
        One of ``DIRECTIONS``.
    moments
        The number of decision points, ``SETTLED`` hands and more after the change.
    behind
        The log loss of the older model less that of the new one, nats; 95 % over hands.
    """

    direction: str
    moments: int
    behind: Figure


def changes(population: Population, pairs: int) -> list[Change]:
    """The changes of a population: its greatest differences in VPIP between two members.

    Parameters
    ----------
    population
        Played at tables; the people of an archive cannot change.
    pairs
        The greatest number of pairs of players; each makes a change in either direction.
    """
    seated = [each for sitting in population.sittings for each in _vpip(sitting)]
    found = []
    for _, group in groupby(sorted(seated, key=_seats), key=_seats):
        ranked = sorted(group, key=lambda member: member.vpip)
        for tight, loose in zip(ranked, reversed(ranked), strict=True):
            if tight.vpip < loose.vpip:
                found.append((loose.vpip - tight.vpip, loose, tight))
    found.sort(key=lambda each: -each[0])
    return [
        change
        for _, loose, tight in found[:pairs]
        for change in (_change(DIRECTIONS[0], loose, tight), _change(DIRECTIONS[1], tight, loose))
    ]


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    vpip: float
    table: Table


def _seats(member: _Member) -> int:
    return member.table.variant.seats


def _vpip(sitting: Sitting) -> Iterable[_Member]:
    if sitting.table is None:
        return
    names, found = habits(hand_rows(sitting.hands))
    for name, shares in zip(names, found, strict=True):
        if sitting.members is None or name in sitting.members:
            yield _Member(name, float(shares[0]), sitting.table)


def _change(direction: str, begins: _Member, becomes: _Member) -> Change:
    specs = dict(zip(begins.table.players, begins.table.specs, strict=True))
    specs[begins.name] = dict(zip(becomes.table.players, becomes.table.specs, strict=True))[becomes.name]
    return Change(direction, begins.name, begins.table, replace(begins.table, specs=tuple(specs.values())))


def play_changes(
    found: list[Change],
    folder: Path,
    workers: Workers = THIS_PROCESS,
    tick: Callable[[int], None] = lambda done: None,
) -> list[tuple[list[Hand], list[Hand]]]:
    """The hands before and after each change; sessions that the folder has are not played again."""
    tables = [table for change in found for table in (change.before, change.after)]
    folders = [
        folder / f"{number // 2:03}-{('before', 'after')[number % 2]}" for number in range(len(tables))
    ]
    lengths, numbers = [BEFORE, AFTER] * len(found), [HELD_OUT, HELD_OUT + 1] * len(found)
    sessions, hands = list(map(Session, tables, folders, lengths, numbers)), []
    for done, (log, table) in enumerate(zip(watch_each(sessions, workers), tables, strict=True), start=1):
        hands.append(list(hands_of(log, table)))
        tick(done)
    return list(zip(hands[::2], hands[1::2], strict=True))


Watched = tuple[str, list[Hand]]
"""A player that changes its style, and the hands that a model has watched."""


def sessions_of(found: list[Change], played: list[tuple[list[Hand], list[Hand]]]) -> list[Watched]:
    """The hands of each change twice: as the older model watches them, then as the new one does.

    Parameters
    ----------
    found, played
        Of ``changes`` and ``play_changes``.
    """
    return [
        (change.player, hands)
        for change, (before, after) in zip(found, played, strict=True)
        for hands in ([*before, *after], after)
    ]


def judge_player(watched: Watched, models: Mapping[str, Model]) -> Judged:
    """Judge models at the decision points of the player that changes."""
    player, hands = watched
    return judge_session(hands, models, players=frozenset([player]))


def lag(found: list[Change], judged: Sequence[Judged]) -> dict[str, list[Lag]]:
    """How far each model is behind, by model, in each direction.

    Parameters
    ----------
    found
        Of ``changes``.
    judged
        The models at each of ``sessions_of``.
    """
    pairs = list(zip(judged[::2], judged[1::2], strict=True))
    return {
        name: [_lag(direction, found, pairs, name) for direction in DIRECTIONS] for name in judged[0].scores
    }


def _lag(direction: str, found: list[Change], judged: list[tuple[Judged, Judged]], name: str) -> Lag:
    behind, hands = [np.empty(0)], [np.empty(0, np.intp)]
    for number, (change, (older, new)) in enumerate(zip(found, judged, strict=True)):
        if change.direction == direction:
            at = new.moments.observed >= SETTLED
            later = older.scores[name]["loss"][-len(at) :] if len(at) else np.empty(0)
            behind.append((later - new.scores[name]["loss"])[at])
            hands.append(new.moments.hand[at] + number * AFTER)
    losses: NDArray[np.float64] = np.concatenate(behind)
    block = np.unique(np.concatenate(hands), return_inverse=True)[1]
    return Lag(direction, len(losses), mean(losses, block))

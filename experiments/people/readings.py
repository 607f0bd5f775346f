"""Readings of the players: what each does beyond all players, and how likely its actions of the hand were.

Boosted trees from public features alone give the probabilities of all players' actions; they are trained anew
whenever the hands have doubled, so that those of a decision are of earlier hands. Effects of the player
(``player_effects``) are added to their log odds of a fold, and of a bet or raise where no fold is
made. By the resulting probabilities, the actions of the hand so far are scored: a call that the player was
unlikely to make, or a raise that the aggressor makes often, says what the public features do not.

No reading may be a clock. Effects of all players follow the time, and their variances only fall: with them as
inputs, trees learn the latest hands apart from the others, and err when later hands are like earlier ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.rules.features import NAMES
from experiments.people.boosted_actions import ActionModel
from experiments.people.boosting import Boosting
from experiments.people.player_effects import Effects
from experiments.people.rows import BETS, PUBLIC, PeopleRows

__all__ = ["EFFECTS", "FIRST", "READINGS", "readings", "with_effects"]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

FIRST = 250
"""Hands before the first trees; until then all legal actions are alike, and no effect is learned."""

TREES = Boosting(rounds=150, rate=0.06, depth=6, least=20.0, prior=30.0, rows=0.8)
"""Of the probabilities of all players' actions."""

POT_ODDS = (0.1, 0.15, 0.2, 0.25, 0.33)
"""Between the intervals of pot odds that have an effect each."""

OWN, ALL = 0.03, 0.02
"""The prior variances of an effect of a player and of one of all players."""

LEAST = 1e-3
"""The least probability of an action of the hand, and of what was not done."""

TINY = 1e-6
"""The distance of probabilities from 0 and 1 in log odds."""

SPAN = 1000
"""More than the cells of any effect."""

SEATS = PUBLIC.index("seats")

OF_PLAYER, OF_ALL = 6, 2
"""Effects of the player to act and, after them, of all players."""

EFFECTS = ("fold effect", "variance of the fold effect", "raise effect", "variance of the raise effect")
"""Sums of the effects of a decision."""

ACTED = (
    "stayed", "acted", "last act", "raised", "called", "aggressor's last raise", "aggressor stayed",
    "aggressor acted", "aggressor called", "others stayed", "least of others stayed", "others acted",
    "least of others called", "raises",
)  # fmt: skip
"""Logarithms of the probabilities of earlier actions of the hand.

These are of the player to act, of the last aggressor (1 without one) and of the others. *Stayed*: not to
fold; *acted*: all actions; *raised*, *called*: these actions where no fold was made.
"""

READINGS = (*(f"own {name}" for name in EFFECTS), *ACTED)
"""Sums of the effects of the player to act alone, and the probabilities of actions."""


@dataclass(slots=True)
class _Acts:
    """Sums of logarithms of the probabilities of a player's actions in the hand."""

    stayed: float = 0.0
    acted: float = 0.0
    last: float = 0.0
    raised: float = 0.0
    called: float = 0.0


NOBODY = _Acts(1.0, 1.0, 1.0, 1.0, 1.0)
"""In the place of an aggressor before the first bet."""


def readings(rows: PeopleRows, until: int) -> tuple[Array, Array]:
    """The effects and the readings of every decision, of earlier hands and its hand's earlier actions.

    Parameters
    ----------
    rows
        Decisions in time.
    until
        Trees are trained on hands before this one only.

    Returns
    -------
    effects
        Float64, shape (n, 4): ``EFFECTS``.
    readings
        Float64, shape (n, 18): ``READINGS``.

    Raises
    ------
    ArgumentError
        Hands before the first trees in which all players fold always.
    """
    expected = _expected(rows, until)
    effects, own = _effects(rows, expected)
    return effects, np.hstack([own, _acted(rows, with_effects(expected, effects, rows.owed))])


def with_effects(chances: Array, effects: Array, owed: NDArray[np.bool_]) -> Array:
    """Probabilities of fold, check or call, bet or raise, with the effects added to their log odds."""
    fold, bold = (
        1 / (1 + np.exp(-(margin + effects[:, at]) / np.sqrt(1 + np.pi * effects[:, at + 1] / 8)))
        for margin, at in zip(_margins(chances), (0, 2), strict=True)
    )
    fold = np.where(owed, fold, 0.0)
    return np.column_stack([fold, (1 - fold) * (1 - bold), (1 - fold) * bold])


def _margins(chances: Array) -> tuple[Array, Array]:
    """The log odds of a fold, and of a bet or raise where no fold is made."""
    fold, bold = chances[:, 0], chances[:, 2] / np.maximum(chances[:, 1] + chances[:, 2], TINY)
    fold, bold = (np.clip(each, TINY, 1 - TINY) for each in (fold, bold))
    return np.log(fold / (1 - fold)), np.log(bold / (1 - bold))


def _hands(rows: PeopleRows) -> Iterator[tuple[int, range]]:
    """The number and the decisions of each hand."""
    ends = np.append(np.flatnonzero(np.diff(rows.hands)) + 1, len(rows)).tolist()
    for first, end in zip([0, *ends[:-1]], ends, strict=True):
        yield int(rows.hands[first]), range(first, end)


def _expected(rows: PeopleRows, until: int) -> Array:
    """The probabilities of all players' actions, by trees of the hands before the last doubling."""
    found = np.where(rows.owed[:, None], 1 / 3, np.array([0, 1 / 2, 1 / 2]))
    last, end = min(until, int(rows.hands.max())), FIRST
    while end <= last:
        early = rows[rows.hands < end]
        model = ActionModel.of(early.public, early.choices, early.owed, TREES)
        end *= 2
        asked = (rows.hands >= end // 2) & ((rows.hands < end) | (end > last))
        found[asked] = model(rows.public[asked], rows.owed[asked])
    return found


def _column(rows: PeopleRows, name: str) -> Ints:
    return rows.public[:, PUBLIC.index(name)].astype(np.int64)


def _keys(rows: PeopleRows) -> Ints:
    """What effects a decision has, those of the player to act first; shape (n, 8)."""
    groups, streets = rows.groups, rows.streets
    bold = sum(
        (1 << at) * _column(rows, f"WasAggressor{street}")
        for at, street in enumerate(("Preflop", "Flop", "Turn"))
    )
    bets = np.minimum(rows.public[np.arange(len(rows)), np.array(BETS)[streets]], 4).astype(np.int64)
    odds = np.digitize(rows.public[:, NAMES.index("PotOdds")], POT_ODDS)
    more, two = _column(rows, "PlayersLeftToAct") > 0, _column(rows, "ActivePlayers") <= 2
    own = _column(rows, "OwnPreviousActionCategory") * 2 + (_column(rows, "own bets") > 0)
    of_player = (
        np.zeros_like(groups), 2 * (streets > 0) + rows.owed, rows.cells,
        ((groups * 8 + bold) * 2 + two) * 5 + bets, (groups * 6 + odds) * 2 + more, groups * 10 + own,
    )  # fmt: skip
    cells = np.stack([*of_player, groups, rows.cells], axis=1)
    players = np.column_stack([rows.actors + 1] * OF_PLAYER + [np.zeros_like(rows.actors)] * OF_ALL)
    places = OF_PLAYER + OF_ALL
    return np.asarray((players * SPAN + cells) * places + np.arange(places))


def _effects(rows: PeopleRows, expected: Array) -> tuple[Array, Array]:
    """The mean and variance of the effects on a fold and on a bet or raise, before each hand.

    Those of all players are in the first alone.
    """
    keys, owed, choices = _keys(rows).tolist(), rows.owed.tolist(), rows.choices.tolist()
    fold_margins, raise_margins = (each.tolist() for each in _margins(expected))
    variances = (OWN,) * OF_PLAYER + (ALL,) * OF_ALL
    folds, raises = Effects(variances), Effects(variances)
    found, own = np.empty((len(rows), len(EFFECTS))), np.empty((len(rows), len(EFFECTS)))
    for hand, decisions in _hands(rows):
        for at in decisions:
            found[at] = (*folds.offset(keys[at]), *raises.offset(keys[at]))
            own[at] = (*folds.offset(keys[at], OF_PLAYER), *raises.offset(keys[at], OF_PLAYER))
        for at in decisions if hand >= FIRST else ():
            if owed[at]:
                folds.learn(keys[at], fold_margins[at], choices[at] == 0)
            if choices[at]:
                raises.learn(keys[at], raise_margins[at], choices[at] == 2)
    return found, own


def _acted(rows: PeopleRows, chances: Array) -> Array:
    """How likely the earlier actions of the hand were: the readings after the effects."""
    chances = np.maximum(chances, LEAST)
    stayed = np.log(np.maximum(1 - chances[:, 0], LEAST))
    logs = np.log(chances)
    made = logs[np.arange(len(rows)), rows.choices]
    scores = np.column_stack([stayed, made, logs[:, 1:] - np.log(chances[:, 1:].sum(axis=1))[:, None]])
    found = np.empty((len(rows), len(ACTED)))
    for _, decisions in _hands(rows):
        at = slice(decisions.start, decisions.stop)
        found[at] = _of_hand(
            int(rows.public[at.start, SEATS]),
            rows.seats[at].tolist(), rows.choices[at].tolist(), scores[at].tolist(),
        )  # fmt: skip
    return found


def _of_hand(size: int, seats: list[int], choices: list[int], scores: list[list[float]]) -> list[list[float]]:
    """The same of one hand.

    ``scores`` are logarithms of the probabilities not to fold, of the action, and to call and to raise where
    no fold is made.
    """
    acts, inside = [_Acts() for _ in range(size)], set(range(size))
    aggressor, last, raises, found = NOBODY, 1.0, 0, list[list[float]]()
    for seat, choice, (stayed, made, called, raised) in zip(seats, choices, scores, strict=True):
        own, others = acts[seat], [acts[other] for other in inside if other != seat]
        found.append(
            [
                *(own.stayed, own.acted, own.last, own.raised, own.called),
                *(last, aggressor.stayed, aggressor.acted, aggressor.called),
                sum(other.stayed for other in others) / len(others),
                min(other.stayed for other in others),
                sum(other.acted for other in others) / len(others),
                min(other.called for other in others),
                raises,
            ]
        )
        if choice == 0:
            inside.discard(seat)
            continue
        own.stayed, own.acted, own.last = own.stayed + stayed, own.acted + made, made
        if choice == 1:
            own.called += called
        else:
            own.raised += raised
            aggressor, last, raises = own, raised, raises + 1
    return found

"""K-models beside k-means on habits, one model, and the situation alone: next moves, and known styles.

The first four fifths of the hands, in time, train everything; the limits of the trees are chosen on the last
fifth of those. The last fifth of all hands is scored once.
Source: van der Kleij (2010), section 4.5; the log loss beside the accuracy there, and the adjusted Rand index
against known styles (Hubert and Arabie 1985), are ours.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import mean_by_hand
from baycarp.arena.session import Table, play_session
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand
from baycarp.game.variant import Variant
from baycarp.opponents.moves.tree_policy import MoveRows, fit_policy
from baycarp.training.kmodels import KModels, PlayerClusters, k_models
from baycarp.trees import Growth
from experiments.recipes.styles import group

__all__ = ["STYLES", "Judged", "adjusted_rand", "habits", "judge", "regular", "styled_hands"]

Array = NDArray[np.float64]

STYLES = (
    "looseness=0.5,aggression=0.15",
    "looseness=0.5,aggression=0.9",
    "looseness=1.0,aggression=0.15,bluffing=0.05",
    "looseness=1.0,aggression=0.85,bluffing=0.6",
    "looseness=1.6,aggression=0.1,stickiness=0.9",
    "looseness=1.6,aggression=0.9,bluffing=0.8",
    "looseness=2.4,aggression=0.2,stickiness=0.2",
    "looseness=2.4,aggression=0.9,stickiness=0.9",
)
"""Eight styles of ``sizer``, well apart."""

PLAYERS, HANDS = 4, 200
"""Players of a style, and hands at a table."""

GROWTHS = (Growth(3, 30.0), Growth(5, 50.0), Growth(7, 100.0))
"""The limits of trees that are compared on held-out hands."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A model of next moves, on the last fifth of the hands.

    Parameters
    ----------
    name
        Of the model.
    loss, gain
        Log loss in nats, mean and 95 % margin clustered by hand; the loss of one model for all less this.
    accuracy
        The share of decisions whose likeliest move was made, and its margin.
    rand
        Adjusted Rand index of the groups against the known styles; nan where there are none.
    """

    name: str
    loss: tuple[float, float]
    gain: tuple[float, float]
    accuracy: tuple[float, float]
    rand: float


def styled_hands(game: Variant, hands: int, seed: int) -> Iterator[Hand]:
    """Hands of players with one of ``STYLES`` each; a name begins with the number of the style.

    Raises
    ------
    TableError
        A fixed-limit game.
    """
    rng = np.random.default_rng(seed)
    for number in range(-(-hands // HANDS)):
        seated = rng.choice(len(STYLES) * PLAYERS, game.seats, replace=False).tolist()
        names = tuple(f"{each % len(STYLES)}-{each}" for each in seated)
        specs = tuple(f"sizer({STYLES[each % len(STYLES)]})" for each in seated)
        table = Table(game, names, specs, seed)
        played = play_session(table, PLAYED + number, min(HANDS, hands - number * HANDS))
        yield from (parse_state(line, game) for line in played.log)


def adjusted_rand(one: NDArray[np.int64], other: NDArray[np.int64]) -> float:
    """The adjusted Rand index of two groupings of the same players: 1 = equal, 0 = by chance.

    Examples
    --------
    >>> adjusted_rand(np.array([0, 0, 1, 1]), np.array([5, 5, 3, 3]))
    1.0
    """
    _, rows = np.unique(one, return_inverse=True)
    _, columns = np.unique(other, return_inverse=True)
    table = np.zeros((rows.max() + 1, columns.max() + 1))
    np.add.at(table, (rows, columns), 1)

    def pairs(counts: Array) -> float:
        return float((counts * (counts - 1) / 2).sum())

    both, first, second = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    expected = first * second / max(len(rows) * (len(rows) - 1) / 2, 1)
    most = (first + second) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def habits(choices: MoveRows, players: int) -> Array:
    """VPIP, PFR, the share of bets and raises among paid moves after the flop: shape (players, 3), 0..1."""
    bold, paid = choices.moves >= 2, (choices.moves == 1) & (choices.situations % 2 == 1)
    before = choices.situations < 2
    seen = np.stack([choices.players, choices.hands], axis=1)

    def hands_of(rows: NDArray[np.bool_]) -> Array:
        return np.bincount(np.unique(seen[rows], axis=0)[:, 0], minlength=players).astype(float)

    hands = np.maximum(hands_of(np.ones(len(choices), bool)), 1)
    later = np.bincount(choices.players[~before & bold], minlength=players)
    all_paid = np.bincount(choices.players[~before & (bold | paid)], minlength=players)
    shares = (hands_of(before & (bold | paid)) / hands, hands_of(before & bold) / hands)
    return np.stack([*shares, (later + 0.5) / (all_paid + 1)], axis=1)


def regular(choices: MoveRows, names: tuple[str, ...], least: int) -> tuple[MoveRows, tuple[str, ...]]:
    """The decisions of players with at least ``least`` of them, players numbered anew.

    Raises
    ------
    ArgumentError
        No such player.
    """
    kept = np.bincount(choices.players, minlength=len(names)) >= least
    if not kept.any():
        raise ArgumentError(f"{least} decisions: expected a player with as many among {len(names)}")
    found = choices[kept[choices.players]]
    numbers = np.cumsum(kept) - 1
    return replace(found, players=numbers[found.players]), tuple(np.array(names)[kept].tolist())


def judge(choices: MoveRows, names: tuple[str, ...], settings: KModels, styles: bool) -> list[Judged]:
    """Train on the first four fifths of the hands, and score the last fifth.

    Parameters
    ----------
    choices, names
        The result of ``choices_of``.
    settings
        Of K-models; its growth is replaced by the one chosen on held-out hands.
    styles
        Whether a name begins with the number of a style.

    Raises
    ------
    ArgumentError
        Fewer players than clusters.
    """
    last = int(choices.hands.max()) + 1
    train, test = choices[choices.hands < last * 4 // 5], choices[choices.hands >= last * 4 // 5]
    truth = np.array([int(name.split("-")[0]) for name in names]) if styles else None
    players = len(names)
    grown = replace(settings, growth=_growth(train, players, settings))
    one = k_models(train, players, KModels(1, _growth(train, players, KModels(1))))
    found = {
        "situation alone": k_models(train, players, KModels(1, Growth(0))),
        "one model": one,
        "k-means on habits": _by_habits(train, names, grown),
        "K-models": k_models(train, players, grown),
    }
    return [_judged(name, each, one, test, truth) for name, each in found.items()]


def _growth(train: MoveRows, players: int, settings: KModels) -> Growth:
    """The limits with the least log loss on the last fifth of the training hands, from one start each."""
    cut = int(train.hands.max() + 1) * 4 // 5
    inside, outside = train[train.hands < cut], train[train.hands >= cut]

    def loss(growth: Growth) -> float:
        clusters = k_models(inside, players, replace(settings, growth=growth, starts=1))
        return -float(clusters.log_likelihoods(outside).mean())

    return min(GROWTHS, key=loss)


def _by_habits(train: MoveRows, names: tuple[str, ...], settings: KModels) -> PlayerClusters:
    of = group(names, habits(train, len(names)), settings.clusters).of
    assigned = np.array([of[name] for name in names])
    rows = assigned[train.players]
    policies = [fit_policy(train[rows == each], settings.growth) for each in range(assigned.max() + 1)]
    return PlayerClusters(tuple(policies), assigned, ())


def _judged(
    name: str, clusters: PlayerClusters, one: PlayerClusters, test: MoveRows, truth: NDArray[np.int64] | None
) -> Judged:
    loss = -clusters.log_likelihoods(test)
    right = np.zeros(len(test))
    for each, policy in enumerate(clusters.policies):
        rows = clusters.assigned[test.players] == each
        right[rows] = policy(test[rows]).argmax(axis=1) == test.moves[rows]
    gain = -one.log_likelihoods(test) - loss
    rand = np.nan if truth is None else adjusted_rand(truth, clusters.assigned)
    figures = [mean_by_hand(values, test.hands) for values in (loss, gain, right)]
    return Judged(name, figures[0], figures[1], figures[2], rand)

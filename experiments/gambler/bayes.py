"""Reversed inference by its definition: Bayes' rule holding by holding, over the joint states of the tables.

It shares the tables and the public situation with ``opponents.gambler`` and nothing else: categories are
counted by ranking every complete board, the opponents' draws run over all 512 joint states, and recommend is
summed out by hand. In the joint form each opponent has a lower category or a lower hand of the same one.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, HOLDS, blocked_by
from baycarp.kernels.hands import rank
from baycarp.opponents.gambler.preflop import power_ratings
from baycarp.opponents.gambler.reading import HandReading, Turn
from baycarp.opponents.gambler.reverse import Networks
from baycarp.opponents.gambler.tables import BIASES
from experiments.gambler.spots import Spot

__all__ = ["largest_difference", "posterior"]

Array = NDArray[np.float64]

NORMAL = BIASES.index("normal")


def posterior(networks: Networks, reading: HandReading, turn: Turn, bias: int, action: Array) -> Array:
    """The distribution of the acting player's holding after an action, of evidence ``action``; shape (1326,).

    ``reading`` is that before the action.
    """
    seat = turn.spot.seat
    prior = reading.weights(seat)
    if turn.win is None:
        by_holding = _preflop(networks, turn.key, bias, action)[CLASS_OF]
    else:
        others = [reading.weights(other) for other in sorted(reading.inside - {seat})]
        after_flop = _joint_wins if networks.form == "joint" else _wins
        win = _not_dominated(others) if turn.spot.street == 0 else after_flop(reading.board, others)
        by_holding = _decided(networks, win, turn.key, bias, action)
    held = prior * by_holding
    return np.asarray(held / held.sum())


def _preflop(networks: Networks, key: Sequence[int], bias: int, action: Array) -> Array:
    """P(evidence | class): every group, strategy, recommendation and action."""
    network = networks.preflop
    place, early, mid = key
    out = np.zeros(network.structure.cardinality("hole"))
    strategies = network.cpt("strategy")[place, early, mid]
    for group in range(6):
        for number, chance in enumerate(strategies):
            for recommend in range(3):
                for done in range(3):
                    path = chance * network.cpt("recommend")[number, group, recommend]
                    path *= network.cpt("action")[recommend, bias, done] * action[done]
                    out += network.cpt("group")[:, group] * path
    return out


def _decided(networks: Networks, win: Array, key: Sequence[int], bias: int, action: Array) -> Array:
    network = networks.decision
    out = np.zeros(len(win))
    for won, recommend, done in product(range(2), range(3), range(3)):
        path = network.cpt("recommend")[(won, *key, recommend)]
        path *= network.cpt("action")[recommend, bias, done] * action[done]
        out += (win if won else 1 - win) * path
    return out


def _not_dominated(others: Sequence[Array]) -> Array:
    ratings = power_ratings()[CLASS_OF]
    out = np.ones(len(ratings))
    for weights in others:
        out *= np.array([weights[ratings <= own].sum() for own in ratings])
    return out


def _wins(board: tuple[int, ...], others: Sequence[Array]) -> Array:
    """P(win) in the paper's form of all holdings: the joint states of what the opponents draw, one by one."""
    chances, orders = _outs(board)
    draws = np.array([weights @ chances for weights in others])
    any_draws = 1 - np.prod(1 - draws, axis=0)
    bigger = _bigger(chances, orders, others, draws, any_draws)
    lost = np.zeros(len(CLASS_OF))
    for drawn in product((0, 1), repeat=9):
        highest = max((k for k in range(9) if drawn[k]), default=-1)
        fails = np.full(len(lost), np.prod(np.where(drawn, any_draws, 1 - any_draws)))
        for k in range(max(highest, 0), 9):
            fails *= 1 - chances[:, k] * (bigger[:, k] if k == highest else 1)
        lost += fails
    return 1 - lost


def _joint_wins(board: tuple[int, ...], others: Sequence[Array]) -> Array:
    """P(win) in the joint form of all holdings: by the category that the holding ends in."""
    chances, orders = _outs(board)
    won = np.zeros(len(CLASS_OF))
    for k in range(9):
        beats_all = np.ones(len(CLASS_OF))
        for weights in others:
            lower = float(weights @ chances[:, :k].sum(axis=1))
            beats_all *= lower + _less(orders[:, k], weights * chances[:, k])
        won += chances[:, k] * beats_all
    return won


def _bigger(chances: Array, orders: Array, others: Sequence[Array], draws: Array, any_draws: Array) -> Array:
    """P(a holding's hand of a category beats all of theirs | any draws it); shape (1326, 9)."""
    all_beaten, none = np.ones_like(chances), np.ones(9)
    for weights, draw in zip(others, draws, strict=True):
        for k in range(9):
            all_beaten[:, k] *= 1 - draw[k] + _less(orders[:, k], weights * chances[:, k])
        none *= 1 - draw
    return np.divide(all_beaten - none, any_draws, out=np.zeros_like(chances), where=any_draws > 0)


def _less(values: Array, weights: Array) -> Array:
    """The weight of values below each, and half of that of its equals."""
    order = np.argsort(values)
    sums = np.concatenate([[0.0], np.cumsum(weights[order])])
    sides: tuple[Literal["left"], Literal["right"]] = ("left", "right")
    return np.asarray(sum(sums[np.searchsorted(values[order], values, side)] for side in sides) / 2)


@lru_cache(maxsize=4)
def _outs(board: tuple[int, ...]) -> tuple[Array, Array]:
    """Chances of each category and the mean order in it, by holding: each complete board ranked."""
    chances, orders = np.zeros((len(CLASS_OF), 9)), np.zeros((len(CLASS_OF), 9))
    deck = [card for card in range(52) if card not in board]
    for rest in combinations(deck, 5 - len(board)):
        final = (*board, *rest)
        free = np.flatnonzero(~blocked_by(final))
        hands = np.hstack([_cards(free), np.tile(final, (len(free), 1))])
        found = np.asarray(rank(hands), np.int64)
        np.add.at(chances, (free, (found >> 12) - 1), 1)
        np.add.at(orders, (free, (found >> 12) - 1), found & 0xFFF)
    orders = np.divide(orders, chances, out=np.zeros_like(orders), where=chances > 0)
    total = chances.sum(axis=1, keepdims=True)
    return np.divide(chances, total, out=np.zeros_like(chances), where=total > 0), orders


def _cards(holdings: NDArray[np.intp]) -> NDArray[np.int64]:
    """The two cards of each holding."""
    return np.array([np.flatnonzero(HOLDS[:, holding]) for holding in holdings])


def largest_difference(networks: Networks, spots: Iterable[Spot]) -> float:
    """The largest difference of any holding's posterior, over the three actions at each spot."""
    worst = 0.0
    for spot in spots:
        prior = spot.reading.weights(spot.seat)
        for action in np.eye(3):
            held = prior * spot.turn.likelihood(action)
            expected = posterior(networks, spot.reading, spot.turn, NORMAL, action)
            worst = max(worst, float(np.abs(held / held.sum() - expected).max()))
    return worst

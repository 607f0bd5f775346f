"""How well a player's next action is predicted from public information: gradient-boosted trees, held out.

A player whose actions are predicted from public information alone gives away its next actions, whatever it
holds. The only module that imports scikit-learn (the extra ``train``).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.errors import TableError
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.game.state import Observation
from baycarp.opponents.moves import LEGAL, PRICES
from baycarp.rules.context import FOLD_CALL_RAISE, facing

__all__ = ["FEATURES", "Predicted", "PublicDecision", "predict", "public_decisions"]

Array = NDArray[np.float64]

FEATURES = (
    "street",
    "price",
    "pot odds",
    "pot",
    "position",
    "opponents",
    "yet to act",
    "bets",
    "own acts",
    "own bets",
    "own bets on the street",
    "checked",
    "aggressor before",
    "raises before",
    "highest card",
    "pairs on the board",
    "suited",
    "span",
)
"""The public features of a decision; amounts in small bets, no hole card."""

FOLDS = 5
"""Hands are predicted by what was fitted on the hands of the other parts."""

FLOOR = 0.02
"""Probability that is divided among all that is legal, lest a surprise cost without bound."""


@dataclass(frozen=True, slots=True)
class PublicDecision:
    """A decision by public observation, and the choice: 0 fold, 1 check or call, 2 bet or raise."""

    hand: int
    features: tuple[float, ...]
    price: int
    choice: int


@dataclass(frozen=True, slots=True)
class Predicted:
    """What was predicted of a player.

    Parameters
    ----------
    decisions
        How many.
    loss, by_price
        Log loss of its next choice, mean and 95 % margin in nats: predicted from all that is public, and from
        the price of staying alone. Less = more predictable.
    gain
        How much the one is less than the other.
    right
        How often the likeliest choice was its choice.
    """

    decisions: int
    loss: tuple[float, float]
    by_price: tuple[float, float]
    gain: tuple[float, float]
    right: tuple[float, float]


def public_decisions(hands: Iterable[Hand], player: str) -> Iterator[PublicDecision]:
    """A player's decisions, hand by hand; hands of one number are of one deal, and count as one."""
    for hand in hands:
        number = int(hand.id)
        if player not in hand.players:
            continue
        position = hand.players.index(player)
        for state, act in zip(states(hand), replay(hand).acts, strict=False):
            if act.seat == position:
                observation = state.observe(position, hand.players)
                choice = FOLD_CALL_RAISE[act.action.name]
                yield PublicDecision(number, _features(observation, position), _price(observation), choice)


def _price(observation: Observation) -> int:
    """What staying costs, as a place in ``opponents.moves.PRICES``."""
    spot = facing(observation)
    if not spot.owed:
        return 0
    return min(max(spot.bets, 1), 3) if spot.can_raise else len(PRICES) - 1


def _features(observation: Observation, position: int) -> tuple[float, ...]:
    """The values of ``FEATURES``; its own cards, which ``observation`` shows, are not used."""
    state, spot, acts, street = observation.state, facing(observation), observation.acts, observation.street
    small, owed, pot = observation.variant.small_bet, state.owed, state.pot
    bold = [act for act in acts if act.action.name in ("bet", "raise")]
    before = [act.seat for act in bold if act.street == street - 1]
    own = [act for act in acts if act.seat == position]
    here = [act for act in own if act.street == street]
    ranks = sorted(card // 4 for card in observation.board)
    suits = np.bincount([card % 4 for card in observation.board], minlength=4)
    return (
        street,
        _price(observation),
        owed / (pot + owed),
        pot / small,
        (position - observation.variant.button) % observation.variant.seats,
        spot.opponents,
        spot.behind,
        spot.bets,
        len(own),
        sum(act.seat == position for act in bold),
        sum(act.seat == position for act in bold if act.street == street),
        any(act.action.name == "check" for act in here),
        0 if not before else 2 if before[-1] == position else 1,
        sum(act.street < street for act in bold),
        ranks[-1] if ranks else -1,
        len(ranks) - len(set(ranks)),
        int(suits.max()),
        ranks[-1] - ranks[0] if ranks else -1,
    )


def predict(decisions: Sequence[PublicDecision], seed: int = 0) -> Predicted:
    """Predict every decision by what was fitted on other hands.

    Parameters
    ----------
    decisions
        Of one player, in the order of play.
    seed
        Of the trees.

    Raises
    ------
    ImportError
        scikit-learn is not installed.
    TableError
        Fewer deals than there are parts.
    """
    hands = np.array([decision.hand for decision in decisions], np.int64)
    if len(set(hands.tolist())) < FOLDS:
        raise TableError(f"{len(set(hands.tolist()))} to foretell: expected at least {FOLDS} deals")
    features = np.array([decision.features for decision in decisions], np.float64)
    price = np.array([decision.price for decision in decisions])
    choice = np.array([decision.choice for decision in decisions])
    part = np.unique(hands, return_inverse=True)[1] % FOLDS
    informed, plain = np.empty((len(choice), 3)), np.empty((len(choice), 3))
    for number in range(FOLDS):
        rest, held = part != number, part == number
        informed[held] = _trees(features[rest], choice[rest], features[held], seed)
        plain[held] = _shares(price[rest], choice[rest])[price[held]]
    informed, plain = _legal(informed, price), _legal(plain, price)
    at = np.arange(len(choice)), choice
    losses, by_price = -np.log(informed[at]), -np.log(plain[at])
    right = (informed.argmax(axis=1) == choice).astype(np.float64)
    figures = (mean_by_hand(each, hands) for each in (losses, by_price, by_price - losses, right))
    return Predicted(len(choice), *figures)


def _trees(features: Array, choice: NDArray[np.int64], asked: Array, seed: int) -> Array:
    """The probability of each choice by gradient-boosted trees."""
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise ImportError("predicting needs scikit-learn: pip install 'baycarp[train]'") from error
    found = np.zeros((len(asked), 3))
    if len(known := np.unique(choice)) == 1:
        found[:, known] = 1.0
        return found
    trees = HistGradientBoostingClassifier(
        learning_rate=0.05,
        max_iter=120,
        max_leaf_nodes=12,
        min_samples_leaf=20,
        l2_regularization=1.0,
        early_stopping=False,
        random_state=seed,
    )
    with threadpool_limits(1):  # a small job, for which threads wait longer than they work
        found[:, known] = trees.fit(features, choice).predict_proba(asked)
    return found


def _shares(price: NDArray[np.int64], choice: NDArray[np.int64]) -> Array:
    """The share of each choice at each price; one of each is counted more."""
    counts = np.ones((len(PRICES), 3))
    np.add.at(counts, (price, choice), 1.0)
    shares: Array = counts / counts.sum(axis=1, keepdims=True)
    return shares


def _legal(chances: Array, price: NDArray[np.int64]) -> Array:
    """What is legal at the price, and a little of all that is."""
    legal = LEGAL[price]
    kept = np.where(legal, chances, 0.0) + 1e-12 * legal
    kept /= kept.sum(axis=1, keepdims=True)
    mixed: Array = (1 - FLOOR) * kept + FLOOR * legal / legal.sum(axis=1, keepdims=True)
    return mixed

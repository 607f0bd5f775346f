"""Predictions of a player's next action from public information: gradient-boosted trees on held-out hands.

A player with predictable actions can be exploited whatever it holds. The only module that imports
scikit-learn (the extra ``train``).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.errors import TableError
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.game.state import Observation
from baycarp.opponents.actions.situations import LEGAL, PRICES
from baycarp.rules.betting.context import FOLD_CALL_RAISE, facing
from baycarp.training.priors import normal

__all__ = ["FEATURES", "Predicted", "PublicDecision", "UntunedTrees", "predict", "public_decisions"]

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
"""Parts of the hands; each is predicted by a model of the other parts."""

FLOOR = 0.02
"""Probability divided among all legal choices, which bounds the loss of a choice."""


@dataclass(frozen=True, slots=True)
class PublicDecision:
    """A decision by public observation, and the choice: 0 fold, 1 check or call, 2 bet or raise."""

    hand: int
    features: tuple[float, ...]
    price: int
    choice: int


@dataclass(frozen=True, slots=True)
class Predicted:
    """The predictions of a player.

    Parameters
    ----------
    decisions
        The number of decisions.
    loss, by_price
        Log loss of its next choice, mean and 95 % margin in nats: predicted from all public features, and
        from the price of staying only. Less = more predictable.
    gain
        The second less the first.
    right
        The share of decisions in which the most probable choice was made.
    """

    decisions: int
    loss: tuple[float, float]
    by_price: tuple[float, float]
    gain: tuple[float, float]
    right: tuple[float, float]


def public_decisions(hands: Iterable[Hand], player: str) -> Iterator[PublicDecision]:
    """A player's decisions, hand by hand; hands of one number are of one deal, and count as one."""
    for hand in hands:
        position = hand.players.index(player) if player in hand.players else None
        for state, act in zip(states(hand), replay(hand).acts, strict=False):
            if act.seat == position:
                observation = state.observe(act.seat, hand.players)
                features, price = _features(observation, act.seat), _price(observation)
                yield PublicDecision(int(hand.id), features, price, FOLD_CALL_RAISE[act.action.name])


def _price(observation: Observation) -> int:
    """The price of staying, as an index of ``opponents.moves.PRICES``."""
    spot = facing(observation)
    if not spot.owed:
        return 0
    return min(max(spot.bets, 1), 3) if spot.can_raise else len(PRICES) - 1


def _features(observation: Observation, position: int) -> tuple[float, ...]:
    """The values of ``FEATURES``; the player's own cards, which ``observation`` contains, are not used."""
    variant, spot, street = observation.variant, facing(observation), observation.street
    owed, pot = observation.state.owed, observation.state.pot
    bold = [act for act in observation.acts if act.action.name in ("bet", "raise")]
    before = [act.seat for act in bold if act.street == street - 1]
    own = [act for act in observation.acts if act.seat == position]
    ranks = sorted(card // 4 for card in observation.board)
    suits = np.bincount([card % 4 for card in observation.board], minlength=4)
    return (
        street,
        _price(observation),
        owed / (pot + owed),
        pot / variant.small_bet,
        (position - variant.button) % variant.seats,
        spot.opponents,
        spot.behind,
        spot.bets,
        len(own),
        sum(act.seat == position for act in bold),
        sum(act.seat == position for act in bold if act.street == street),
        any(act.action.name == "check" for act in own if act.street == street),
        0 if not before else 2 if before[-1] == position else 1,
        sum(act.street < street for act in bold),
        ranks[-1] if ranks else -1,
        len(ranks) - len(set(ranks)),
        int(suits.max()),
        ranks[-1] - ranks[0] if ranks else -1,
    )


def predict(decisions: Sequence[PublicDecision], seed: int = 0) -> Predicted:
    """Predict every decision by a model of other hands.

    Parameters
    ----------
    decisions
        The decisions of one player, in the order of play.
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
    deals, deal = np.unique(hands, return_inverse=True)
    if len(deals) < FOLDS:
        raise TableError(f"{len(deals)} deals to predict: expected at least {FOLDS} deals")
    features = np.array([decision.features for decision in decisions], np.float64)
    price, choice = np.array([(decision.price, decision.choice) for decision in decisions]).T
    informed, plain = np.empty((len(choice), 3)), np.empty((len(choice), 3))
    for number in range(FOLDS):
        held = deal % FOLDS == number
        informed[held] = UntunedTrees.of(features[~held], choice[~held], seed, SMALL)(features[held])
        plain[held] = _shares(price[~held], choice[~held])[price[held]]
    informed, plain = _legal(informed, price), _legal(plain, price)
    at = np.arange(len(choice)), choice
    losses, by_price = -np.log(informed[at]), -np.log(plain[at])
    right = (informed.argmax(axis=1) == choice).astype(np.float64)
    figures = losses, by_price, by_price - losses, right
    return Predicted(len(choice), *(mean_by_hand(each, hands) for each in figures))


SMALL: dict[str, object] = {
    "learning_rate": 0.05,
    "max_iter": 120,
    "max_leaf_nodes": 12,
    "min_samples_leaf": 20,
    "l2_regularization": 1.0,
    "early_stopping": False,
}
"""Settings of the trees for few decisions."""

UNTUNED: dict[str, object] = {"max_iter": 300}
"""scikit-learn's settings, but for the rounds; it ends them early by a tenth of the rows."""


@dataclass(frozen=True, slots=True)
class UntunedTrees:
    """scikit-learn's boosted trees of three choices: 300 rounds, the other settings left alone.

    Parameters
    ----------
    model
        The fitted classifier; None where only one choice was made.
    known
        The choices that were made.
    """

    model: Any
    known: NDArray[np.integer]

    @classmethod
    def of(
        cls,
        features: Array,
        choice: NDArray[np.integer],
        seed: int,
        settings: Mapping[str, object] = UNTUNED,
    ) -> "UntunedTrees":
        """Fit them.

        Raises
        ------
        ImportError
            scikit-learn is not installed.
        """
        try:
            from sklearn.ensemble import HistGradientBoostingClassifier
            from threadpoolctl import threadpool_limits
        except ImportError as error:
            raise ImportError(
                "predicting needs scikit-learn: pip install 'baycarp[train]' (in a clone '.[train]')"
            ) from error
        if len(known := np.unique(choice)) == 1:
            return cls(None, known)
        with threadpool_limits(1):  # a small job, for which threads wait longer than they work
            trees = HistGradientBoostingClassifier(**settings, random_state=seed)
            return cls(trees.fit(features, choice), known)

    def __call__(self, asked: Array) -> Array:
        """The probability of each choice, shape (rows, 3)."""
        from threadpoolctl import threadpool_limits

        found = np.zeros((len(asked), 3))
        with threadpool_limits(1):
            found[:, self.known] = 1.0 if self.model is None else self.model.predict_proba(asked)
        return found

    def legal(self, asked: Array, owed: NDArray[np.bool_]) -> Array:
        """The same of legal choices: a decision that owes no chips has no fold."""
        found = np.maximum(self(asked), 1e-9)
        found[~owed, 0] = 0
        return np.asarray(found / found.sum(axis=1, keepdims=True))


def _shares(price: NDArray[np.int64], choice: NDArray[np.int64]) -> Array:
    """The share of each choice at each price, with one more of each."""
    counts = np.ones((len(PRICES), 3))
    np.add.at(counts, (price, choice), 1.0)
    return normal(counts)


def _legal(chances: Array, price: NDArray[np.int64]) -> Array:
    """The probabilities of the legal choices at the price, mixed with the uniform ones: see ``FLOOR``."""
    legal = LEGAL[price].astype(np.float64)
    return (1 - FLOOR) * normal(legal * (chances + 1e-12)) + FLOOR * normal(legal)

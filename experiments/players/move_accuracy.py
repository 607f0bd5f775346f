"""How often K-models predict the kind of the next move, and the size of a bet or raise.

Source: van der Kleij (2010), section 4.5.2. There a tenth of the players of each cluster is held-out; here it
is the last fifth of each player's hands.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.game import ACTIONS
from baycarp.game.notation.hand import Hand
from baycarp.opponents.moves.tree_policy import MoveRows, TreePolicy, fit_policy
from baycarp.rules.features import MOVES
from baycarp.training.kmodels import KModels, k_models
from baycarp.trees import Growth
from experiments.players.choices import choices_of

__all__ = [
    "CLUSTERS", "GROWTH", "Mean", "MoveAccuracy", "PartedMoves",
    "accuracies", "early_and_late", "kinds_of", "predicted_kinds",
]  # fmt: skip

CLUSTERS = 10
"""As in the source's figure 4.2."""

GROWTH = Growth(7, 100.0)

SIZED = 2
"""The first move that is a bet or raise."""

KINDS = np.array([[1, 1, 3], [0, 2, 4]])
"""The place in ``ACTIONS`` of fold, pass and raise: where nothing is owed, and where something is."""

Mean = tuple[float, float]
"""A mean and its 95 % margin, clustered by hand."""


@dataclass(frozen=True, slots=True)
class MoveAccuracy:
    """Shares of the held-out moves.

    Parameters
    ----------
    kinds
        Fold, check or call, bet or raise predicted.
    gain
        The same less that of clusters drawn at random.
    bets, raises
        Of the bets and of the raises, the predicted size.
    commonest_bet, commonest_raise
        The same, predicting the commonest size of the training hands.
    commonest
        The commonest kind of move of the training hands predicted, always.
    by_price
        The commonest where nothing is owed, and the commonest where something is.
    matrix
        By the predicted kind and the actual one, in the order of ``ACTIONS``: shares of all moves.
    """

    kinds: Mean
    gain: Mean
    bets: Mean
    raises: Mean
    commonest_bet: Mean
    commonest_raise: Mean
    commonest: Mean
    by_price: Mean
    matrix: tuple[tuple[Mean, ...], ...]


@dataclass(frozen=True, slots=True)
class PartedMoves:
    """The moves of some players: the first four fifths of each and the last, and how they are clustered."""

    players: int
    train: MoveRows
    test: MoveRows
    settings: KModels

    @staticmethod
    def of(hands: Iterable[Hand], seed: int) -> "PartedMoves":
        """The moves of all hands."""
        choices, names = choices_of(hands)
        train, test = early_and_late(choices, len(names))
        return PartedMoves(len(names), train, test, KModels(CLUSTERS, GROWTH, seed, starts=1))


def accuracies(hands: Iterable[Hand], seed: int) -> MoveAccuracy:
    """Cluster players by the first four fifths of their hands, and predict their moves in the last.

    Parameters
    ----------
    hands
        Of any tables.
    seed
        Of the clustering.

    Raises
    ------
    ArgumentError
        Fewer players than clusters, or no decision.
    """
    moves = PartedMoves.of(hands, seed)
    train, test = moves.train, moves.test
    clusters = k_models(train, moves.players, moves.settings)
    drawn = np.random.default_rng(seed).permutation(moves.players) % CLUSTERS
    random = [fit_policy(train[drawn[train.players] == each], GROWTH) for each in range(CLUSTERS)]
    chances = _chances(clusters.policies, clusters.assigned, test)
    actual, predicted = kinds_of(test), predicted_kinds(chances, test)
    kinds = _equal(predicted, actual)
    gain = kinds - _equal(predicted_kinds(_chances(random, drawn, test), test), actual)
    bets, common_bets, bet_hands = _sizes_right(chances, train, test, owed=0)
    raises, common_raises, raise_hands = _sizes_right(chances, train, test, owed=1)
    return MoveAccuracy(
        mean_by_hand(kinds, test.hands),
        mean_by_hand(gain, test.hands),
        mean_by_hand(bets, bet_hands),
        mean_by_hand(raises, raise_hands),
        mean_by_hand(common_bets, bet_hands),
        mean_by_hand(common_raises, raise_hands),
        mean_by_hand(_equal(_commonest(kinds_of(train)), actual), test.hands),
        mean_by_hand(_equal(_by_price(train, test), actual), test.hands),
        tuple(
            tuple(
                mean_by_hand(_equal(predicted, row) * _equal(actual, column), test.hands)
                for column in range(len(ACTIONS))
            )
            for row in range(len(ACTIONS))
        ),
    )


def kinds_of(rows: MoveRows) -> NDArray[np.int64]:
    """The kind of each move, its place in ``ACTIONS``."""
    return np.asarray(KINDS[rows.situations % 2, np.minimum(rows.moves, SIZED)])


def predicted_kinds(chances: NDArray[np.float64], rows: MoveRows) -> NDArray[np.int64]:
    """The likeliest kind of each decision, from the probabilities of its nine moves."""
    kinds = np.column_stack([chances[:, :SIZED], chances[:, SIZED:].sum(axis=1)])
    return np.asarray(KINDS[rows.situations % 2, kinds.argmax(axis=1)])


def early_and_late(choices: MoveRows, players: int) -> tuple[MoveRows, MoveRows]:
    """The first four fifths of each player's hands, and the last."""
    cuts = [np.quantile(choices.hands[choices.players == each], 0.8) for each in range(players)]
    late = choices.hands > np.array(cuts)[choices.players]
    return choices[~late], choices[late]


def _chances(
    policies: Iterable[TreePolicy], assigned: NDArray[np.int64], test: MoveRows
) -> NDArray[np.float64]:
    found = np.zeros((len(test), len(MOVES)))
    for each, policy in enumerate(policies):
        rows = assigned[test.players] == each
        found[rows] = policy(test[rows])
    return found


def _equal(one: NDArray[np.int64] | int, other: NDArray[np.int64] | int) -> NDArray[np.float64]:
    return np.equal(one, other).astype(float)


def _commonest(kinds: NDArray[np.int64]) -> int:
    return int(np.bincount(kinds, minlength=len(ACTIONS)).argmax())


def _by_price(train: MoveRows, test: MoveRows) -> NDArray[np.int64]:
    """The commonest kind of the training hands for the price of each decision."""
    kinds = kinds_of(train)
    common = [_commonest(kinds[train.situations % 2 == owed]) for owed in (0, 1)]
    return np.array(common)[test.situations % 2]


def _sizes_right(
    chances: NDArray[np.float64], train: MoveRows, test: MoveRows, owed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Of the bets (nothing owed) or the raises: predicted sizes, commonest sizes, and their hands."""
    before, rows = ((each.moves >= SIZED) & (each.situations % 2 == owed) for each in (train, test))
    commonest = np.bincount(train.moves[before], minlength=len(MOVES)).argmax()
    moves = test.moves[rows]
    predicted = SIZED + chances[rows][:, SIZED:].argmax(axis=1)
    return (predicted == moves).astype(float), (moves == commonest).astype(float), test.hands[rows]

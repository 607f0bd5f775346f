"""How often K-models predict the kind of the next move, and the size of a bet or raise.

Source: van der Kleij (2010), section 4.5.2. There a tenth of the players of each cluster is held-out; here it
is the last fifth of each player's hands.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.game.notation.hand import Hand
from baycarp.opponents.moves.tree_policy import MoveRows, TreePolicy, fit_policy
from baycarp.rules.features import MOVES
from baycarp.training.kmodels import KModels, k_models
from baycarp.trees import Growth
from experiments.players.choices import choices_of

__all__ = ["CLUSTERS", "GROWTH", "MoveAccuracy", "accuracies", "early_and_late"]

CLUSTERS = 10
"""As in the source's figure 4.2."""

GROWTH = Growth(7, 100.0)

SIZED = 2
"""The first move that is a bet or raise."""

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
    """

    kinds: Mean
    gain: Mean
    bets: Mean
    raises: Mean
    commonest_bet: Mean
    commonest_raise: Mean


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
    choices, names = choices_of(hands)
    train, test = early_and_late(choices, len(names))
    settings = KModels(CLUSTERS, GROWTH, seed, starts=1)
    clusters = k_models(train, len(names), settings)
    drawn = np.random.default_rng(seed).permutation(len(names)) % CLUSTERS
    random = [fit_policy(train[drawn[train.players] == each], GROWTH) for each in range(CLUSTERS)]
    chances = _chances(clusters.policies, clusters.assigned, test)
    kinds = _kinds_right(chances, test)
    gain = kinds - _kinds_right(_chances(random, drawn, test), test)
    bets, common_bets, bet_hands = _sizes_right(chances, train, test, owed=0)
    raises, common_raises, raise_hands = _sizes_right(chances, train, test, owed=1)
    return MoveAccuracy(
        mean_by_hand(kinds, test.hands),
        mean_by_hand(gain, test.hands),
        mean_by_hand(bets, bet_hands),
        mean_by_hand(raises, raise_hands),
        mean_by_hand(common_bets, bet_hands),
        mean_by_hand(common_raises, raise_hands),
    )


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


def _kinds_right(chances: NDArray[np.float64], test: MoveRows) -> NDArray[np.float64]:
    kinds = np.column_stack([chances[:, :SIZED], chances[:, SIZED:].sum(axis=1)])
    return np.asarray(kinds.argmax(axis=1) == np.minimum(test.moves, SIZED), float)


def _sizes_right(
    chances: NDArray[np.float64], train: MoveRows, test: MoveRows, owed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Of the bets (nothing owed) or the raises: predicted sizes, commonest sizes, and their hands."""
    before, rows = ((each.moves >= SIZED) & (each.situations % 2 == owed) for each in (train, test))
    commonest = np.bincount(train.moves[before], minlength=len(MOVES)).argmax()
    moves = test.moves[rows]
    predicted = SIZED + chances[rows][:, SIZED:].argmax(axis=1)
    return (predicted == moves).astype(float), (moves == commonest).astype(float), test.hands[rows]

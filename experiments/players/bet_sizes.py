"""Sizes found from data beside fixed ones: how well a model that distinguishes them predicts bets.

The first four fifths of the hands find the sizes and train; the limits of the trees are chosen on the last
fifth of those; the last fifth of all hands is scored once. Sets of different sizes are compared by the log
loss of the proportion itself, in narrow bins that are the same for all: the probability of each size by the
trees times the share of the bin among training bets of that size. All of it is ours.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import mean_by_hand
from baycarp.errors import ArgumentError
from baycarp.opponents.moves.tree_policy import MoveRows, fit_policy
from baycarp.rules.betting.sizes import KLEIJ, Sizes
from baycarp.trees import Growth
from experiments.players.players import GROWTHS
from experiments.recipes.bet_sizes import SizedChoices, find_sizes

__all__ = ["SizesJudged", "judge_sizes"]

Array = NDArray[np.float64]
Pair = tuple[float, float]

BINS = 48
"""Narrow bins, at most: quantiles of the training bets."""


@dataclass(frozen=True, slots=True)
class SizesJudged:
    """A set of sizes, on the bets of the last fifth of the hands.

    Parameters
    ----------
    name
        Of the set.
    sizes
        Proportions of the pot after the call, without that of the least bet.
    rarest
        The share of the training bets that the rarest size stands for.
    loss, gain
        Log loss of the proportion in nats, mean and 95 % margin by hand; that of the fixed set less this.
    """

    name: str
    sizes: tuple[float, ...]
    rarest: float
    loss: Pair
    gain: Pair


def judge_sizes(sized: SizedChoices, least: float = 0.05) -> list[SizesJudged]:
    """Compare found sizes with those of van der Kleij (2010), and with a single one.

    Parameters
    ----------
    sized
        Bets and raises of recorded hands.
    least
        The share of the bets that each found size has at least.

    Raises
    ------
    ArgumentError
        Fewer than two bets in the first or in the last fifth.
    """
    end = int(sized.choices.hands.max(initial=0)) + 1
    train = sized.choices.hands < end * 4 // 5
    if min(train.sum(), (~train).sum()) < 2:
        raise ArgumentError(f"{len(sized)} bets: expected some in the first and in the last hands")
    proportions = sized.proportions[train]
    edges = np.unique(np.quantile(proportions, np.linspace(0, 1, BINS + 1)[1:-1], method="inverted_cdf"))
    fine = np.searchsorted(edges, sized.proportions)
    sets = {
        "fixed": KLEIJ,
        "found": find_sizes(proportions, least),
        "one size": Sizes((("b", 1.0),)),
    }
    losses = {name: _losses(sized.by(sizes), fine, train) for name, sizes in sets.items()}
    hands = sized.choices.hands[~train]
    found = []
    for name, sizes in sets.items():
        moves = sized.by(sizes).moves[train] - 2
        rarest = float(np.bincount(moves, minlength=len(sizes.letters)).min() / train.sum())
        values = tuple(proportion for _, proportion in sizes.proportions)
        gain = mean_by_hand(losses["fixed"] - losses[name], hands)
        found.append(SizesJudged(name, values, rarest, mean_by_hand(losses[name], hands), gain))
    return found


def _losses(choices: MoveRows, fine: NDArray[np.int64], train: NDArray[np.bool_]) -> Array:
    """The log loss of the bin of every bet that is not trained on, in nats."""
    end = int(choices.hands[train].max()) + 1
    inside = train & (choices.hands < end * 4 // 5)
    outside = train & ~inside

    def loss(growth: Growth) -> float:
        return float(_scored(choices, fine, inside, outside, growth).mean())

    growth = min(GROWTHS, key=loss) if inside.any() and outside.any() else GROWTHS[0]
    return _scored(choices, fine, train, ~train, growth)


def _scored(
    choices: MoveRows,
    fine: NDArray[np.int64],
    train: NDArray[np.bool_],
    test: NDArray[np.bool_],
    growth: Growth,
) -> Array:
    moves = choices.moves.astype(np.int64) - 2
    policy = fit_policy(choices[train], growth)
    of_size = policy(choices[test])[:, 2:]
    of_size /= of_size.sum(axis=1, keepdims=True)
    counts = np.full((of_size.shape[1], int(fine.max()) + 1), 1 / (int(fine.max()) + 1))
    np.add.at(counts, (moves[train], fine[train]), 1)
    of_bin = counts / counts.sum(axis=1, keepdims=True)
    return np.asarray(-np.log((of_size * of_bin[:, fine[test]].T).sum(axis=1)))

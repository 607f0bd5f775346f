"""Policies by holding of boosted trees, and the beliefs that exact Bayes makes of them.

Taught by all cards, every decision is a row with the holding that was dealt. Taught by showdowns and folds
alone, EM draws the holdings that were not shown: each round the holdings of a player that never showed are
drawn by the policy of the round before (E), and trees are grown on shown and drawn ones (M). The first
round's policy is the order of strength: the weakest holdings fold as often as all players do, the strongest
bet and raise. Its candidates are spread evenly over the order of starting hands, so that narrow ranges have
some. Source of the E-step: van der Kleij (2010), equation 5.2; the draws are a Monte-Carlo EM.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, blocked_by
from baycarp.errors import ArgumentError
from baycarp.evaluation import expected_strength
from experiments.people.boosted_actions import ActionModel
from experiments.people.boosting import Boosting
from experiments.people.holding_inputs import HOLDING_INPUTS, holding_inputs
from experiments.recipes.dealt_rows import DealtRows

__all__ = [
    "LAST",
    "LIMITS",
    "CardPolicy",
    "HiddenEM",
    "beliefs",
    "candidates",
    "dealt_inputs",
    "learn_dealt",
    "learn_hidden",
]

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
CardPolicy: TypeAlias = Callable[[Array, NDArray[np.bool_]], Array]
"""The probabilities of three actions, by the inputs (public, then a holding) and whether chips are owed."""

LIMITS = Boosting(rounds=400, rate=0.04, depth=8, least=5.0, prior=5.0, rows=0.6, features=0.9)
"""Of the policy trained on all cards: chosen on the last fifth of the training hands of Pluribus."""

LAST = replace(LIMITS, rounds=250, rows=0.5, features=0.8)
SHORT = replace(LAST, rounds=60, rate=0.16, features=0.6)
"""Of the last round of EM, and of those before it."""

TOGETHER = 20_000
"""Rows of a block, about."""

WIDTH = 0.1
"""Of the step between actions in the order of strength that EM starts from."""


@dataclass(frozen=True, slots=True)
class HiddenEM:
    """The settings of EM.

    Parameters
    ----------
    rounds
        At least 1.
    candidates, drawn
        The holdings that a hidden one is drawn from, and the number of draws.
    power
        Of the likelihoods in beliefs: draws from few candidates blur a policy. It was chosen, as rounds and
        draws were, on the last fifth of the training hands of Pluribus.
    seed
        Fixes draws and trees.

    Raises
    ------
    ArgumentError
        A number below 1, a power of 0 or less, or a seed below 0.
    """

    rounds: int = 5
    candidates: int = 16
    drawn: int = 3
    power: float = 1.2
    seed: int = 1

    def __post_init__(self) -> None:
        if min(self.rounds, self.candidates, self.drawn) < 1 or not self.power > 0 or self.seed < 0:
            raise ArgumentError(
                f"{self}: expected numbers of at least 1, a power above 0, a seed of at least 0"
            )


def dealt_inputs(data: DealtRows, held: Ints) -> NDArray[np.float32]:
    """The inputs of holdings at every decision.

    Parameters
    ----------
    data
        The decisions.
    held
        Shape (holders, k): the holdings of each holder.

    Returns
    -------
    float32, shape (decisions, k, inputs)
    """
    found = np.empty((len(data.boards), held.shape[1], len(HOLDING_INPUTS)), np.float32)
    for board, at in _by_board(data, np.arange(len(data.boards))):
        known = holding_inputs(board)
        found[at] = known.rows[known.row[held[data.holders[at]]]]
    return found


def learn_dealt(data: DealtRows, inputs: NDArray[np.float32], settings: Boosting) -> ActionModel:
    """The policy trained on all cards; ``inputs`` are those of the holdings dealt, one row a decision."""
    rows = data.decisions
    return ActionModel.of(np.hstack([rows.public, inputs]), rows.choices, rows.owed, settings)


def candidates(data: DealtRows, settings: HiddenEM) -> Ints:
    """Holdings of every holder, spread over the order of starting hands, none on the board it last acted on.

    Returns
    -------
    int64, shape (holders, candidates + 1)
        First the holding that was dealt.
    """
    order = np.argsort(expected_strength(None)[1], kind="stable")
    rng = np.random.default_rng(settings.seed)
    found = np.empty((len(data.holdings), settings.candidates + 1), np.int64)
    found[:, 0] = data.holdings
    last = dict(zip(data.holders.tolist(), data.boards, strict=True))
    for holder, board in last.items():
        free = order[~blocked_by(board)[order]]
        places = (np.arange(settings.candidates) + rng.random()) * len(free) / settings.candidates
        found[holder, 1:] = free[places.astype(np.int64)]
    return found


def learn_hidden(
    data: DealtRows, inputs: NDArray[np.float32], settings: HiddenEM, limits: Boosting = LAST
) -> ActionModel:
    """The policy trained on the holdings of showdowns and by what all players did.

    Parameters
    ----------
    data
        Decisions; the holdings of players without a showdown are not used.
    inputs
        ``dealt_inputs`` of ``candidates``.
    settings
        Of EM.
    limits
        Of the trees of the last round.
    """
    rng = np.random.default_rng(settings.seed)
    logs = _ordered(data, inputs[:, 1:], limits)
    for number in range(settings.rounds):
        chosen = _drawn(data, logs, settings.drawn, rng)
        here = inputs[np.arange(len(inputs))[:, None], chosen[data.holders]]
        rows = np.hstack(
            [np.repeat(data.decisions.public, settings.drawn, axis=0), here.reshape(-1, here.shape[2])]
        )
        choices = np.repeat(data.decisions.choices, settings.drawn)
        owed = np.repeat(data.decisions.owed, settings.drawn)
        last = number == settings.rounds - 1
        model = ActionModel.of(rows, choices, owed, limits if last else SHORT)
        if not last:
            logs = _logs(model, data, inputs[:, 1:])
    return model


def _drawn(data: DealtRows, logs: Array, count: int, rng: np.random.Generator) -> Ints:
    """The columns of candidates drawn for each holder, 0 for shown holdings; shape (holders, count)."""
    sums = np.zeros((len(data.holdings), logs.shape[1]))
    np.add.at(sums, data.holders, logs)
    weight = np.exp(sums - sums.max(axis=1, keepdims=True))
    below = np.cumsum(weight, axis=1)
    drawn = rng.random((len(sums), count)) * below[:, -1:]
    found = np.asarray((drawn[:, :, None] > below[:, None, :]).sum(axis=2) + 1, np.int64)
    found[data.shown] = 0
    return found


def _ordered(data: DealtRows, inputs: NDArray[np.float32], limits: Boosting) -> Array:
    """The logarithms of the probabilities of actions in the order of strength; shape (decisions, k)."""
    rows = data.decisions
    everyone = ActionModel.of(rows.public, rows.choices, rows.owed, replace(SHORT, seed=limits.seed))
    fold, call, _ = everyone(rows.public, rows.owed).T[:, :, None]
    before = HOLDING_INPUTS.index("pre-flop percentile")
    after = HOLDING_INPUTS.index("percentile of E[HS^2]")
    place = np.where(rows.streets[:, None] == 0, inputs[:, :, before], inputs[:, :, after])
    folds, raises = _step(fold - place) * rows.owed[:, None], _step(place - fold - call)
    made = np.stack([folds, np.maximum(1 - folds - raises, 0.02), raises])
    return np.asarray(np.log(made[rows.choices, np.arange(len(rows))] + 0.02))


def _step(distance: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-distance / WIDTH)))


def _logs(model: CardPolicy, data: DealtRows, inputs: NDArray[np.float32]) -> Array:
    """The logarithms of the probabilities of the actions made, by candidate; shape (decisions, k)."""
    found, size = np.empty(inputs.shape[:2]), max(TOGETHER // inputs.shape[1], 1)
    for first in range(0, len(inputs), size):
        part = slice(first, first + size)
        here = inputs[part]
        found[part] = _made(
            model, data, np.arange(*part.indices(len(inputs))), here.reshape(-1, here.shape[2])
        )
    return found


def _made(model: CardPolicy, data: DealtRows, at: Ints, inputs: NDArray[np.floating]) -> Array:
    """The logarithms of the actions made at decisions, each with as many rows of a holding's inputs."""
    each = len(inputs) // len(at)
    rows = data.decisions
    public, owed = np.repeat(rows.public[at], each, axis=0), np.repeat(rows.owed[at], each)
    chances = model(np.hstack([public, inputs]), owed)
    choices = np.repeat(rows.choices[at], each)
    return np.asarray(
        np.log(np.maximum(chances[np.arange(len(choices)), choices], 1e-12)).reshape(len(at), each)
    )


def beliefs(models: Sequence[CardPolicy], data: DealtRows, powers: Sequence[float]) -> Array:
    """The probability of every holding at every moment of the data.

    Parameters
    ----------
    models
        Policies.
    data
        Decisions and moments; the holdings dealt are not used.
    powers
        Of the likelihood by each model; 1 = Bayes.

    Returns
    -------
    float64, shape (models, moments, 1326)
        Each sums to 1: the deal beside the board, times the probabilities of the player's actions so far,
        raised to the power.
    """
    moments = data.moments
    logs = np.zeros((len(models), len(moments), len(HOLDINGS)))
    asked: dict[int, list[int]] = {}
    for number, holder in enumerate(moments.holders.tolist()):
        asked.setdefault(holder, []).append(number)
    wanted = np.flatnonzero(np.isin(data.holders, moments.holders))
    for board, at in _by_board(data, wanted):
        known = holding_inputs(board)
        size = max(TOGETHER // len(known.rows), 1)
        for part in (at[first : first + size] for first in range(0, len(at), size)):
            tiled = np.tile(known.rows, (len(part), 1))
            for model, sums in zip(models, logs, strict=True):
                made = _made(model, data, part, tiled)
                for decision, row in zip(part.tolist(), made, strict=True):
                    street = len(board) and len(board) - 2
                    for number in asked[int(data.holders[decision])]:
                        if moments.streets[number] >= street:
                            sums[number] += row[known.row]
    logs *= np.array(powers)[:, None, None]
    for number, board in enumerate(moments.boards):
        logs[:, number, blocked_by(board)] = -np.inf
    logs -= logs.max(axis=2, keepdims=True)
    np.exp(logs, out=logs)
    logs /= logs.sum(axis=2, keepdims=True)
    return logs


def _by_board(data: DealtRows, chosen: Ints) -> Iterator[tuple[tuple[int, ...], Ints]]:
    found: dict[tuple[int, ...], list[int]] = {}
    for at in chosen.tolist():
        found.setdefault(data.boards[at], []).append(at)
    for board, places in found.items():
        yield board, np.array(places)

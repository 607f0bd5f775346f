"""Both topologies on the same held-out hands: predictions of the true holding and of the next choice.

``action -> hand`` is the thesis' network, fitted on the showdowns; ``hand -> action`` is fitted by EM on the
same hands as a seated player observes them: showdowns shown, all other cards hidden. A model fitted with
every card known is the upper bound. Log loss in nats; less is better.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Share, mean_by_hand
from baycarp.bn import Inference, Network
from baycarp.card import blocked_by
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.actions.buckets import BUCKETS, STRENGTH, buckets
from baycarp.opponents.actions.hand_actions import ActionModel
from baycarp.opponents.actions.situations import LEGAL, PRICE_OF, CodedAct, hand_moves
from baycarp.opponents.network.topology import PARENTS, TYPE_NODES, observed
from baycarp.rules import PlayerView, read
from baycarp.rules.betting.acts import most_aggressive
from baycarp.rules.hand import GROUP_OF, TYPES, hand_types
from baycarp.rules.income import IncomeGroup
from baycarp.training.priors import normal
from experiments.beliefs.decision_points import Model, decision_points
from experiments.populations.action_cells import Cells
from experiments.populations.action_em import expected_counts, legal, price_sums

__all__ = [
    "ActionHand",
    "HandAction",
    "Loss",
    "StrongFolds",
    "choice_losses",
    "holding_losses",
    "next_choice",
    "price_shares",
    "strong_folds",
]

Array = NDArray[np.float64]

ACTION_NODES = ("Action", "ActionFlop", "ActionTurn", "ActionRiver")

PASSIVE = ("Check", "Call")
"""The network's names of actions that are neither a bet nor a raise."""


def next_choice(
    model: ActionModel, posterior: Array, situation: int, board: Sequence[int], income_group: IncomeGroup
) -> Array:
    """The probabilities of fold, check or call, bet or raise of a player that is to act.

    Parameters
    ----------
    model
        The player's.
    posterior
        Of its holdings, as ``ActionModel.posterior`` gives it.
    situation
        The situation that it faces (``situations.to_move``).
    board, income_group
        As in ``ActionModel.posterior``.
    """
    street, free = len(board) - 2 if len(board) else 0, posterior > 0
    held = np.bincount(buckets(tuple(board), income_group)[free], posterior[free], minlength=BUCKETS[street])
    return np.asarray(held @ model.tables[street][situation])


@dataclass(frozen=True, slots=True)
class HandAction:
    """Beliefs of a ``hand -> action`` model.

    Parameters
    ----------
    model
        The tables.
    """

    model: ActionModel

    def __call__(self, view: PlayerView, street: int) -> Array:
        """The probability of each holding: see ``decision_points.Model``."""
        hand = view.observation
        _, by_seat, groups = hand_moves(hand.acts, hand.variant)
        own_moves, group = by_seat.get(view.position, ()), groups.get(view.position, IncomeGroup.IR2)
        return self.model.posterior(own_moves, hand.board, group)


@dataclass(frozen=True, slots=True)
class ActionHand:
    """Beliefs of the thesis' network: its posteriors of group and type, divided among their holdings.

    Parameters
    ----------
    inference
        The fitted network.
    types
        Whether the posterior of hand types is used, or that of hand groups alone.
    """

    inference: Inference
    types: bool = True

    def __call__(self, view: PlayerView, street: int) -> Array:
        """The probability of each holding: see ``decision_points.Model``."""
        nodes = observed(self.inference.network.structure, street)
        evidence = {name: str(state) for name, state in read(view, nodes).items()}
        groups = self.inference.posterior(evidence, ("HandGroup",))["HandGroup"]
        free: NDArray[np.bool_] = np.logical_not(blocked_by(view.observation.board))
        if not street or not self.types:
            return _spread(groups, GROUP_OF, free)
        node = TYPE_NODES[street]
        joint = np.stack(
            [
                share
                * self.inference.posterior(evidence | {"HandGroup": f"HandGroup{number}"}, (node,))[node]
                for number, share in enumerate(groups, start=1)
            ]
        )
        kinds = np.where(free, hand_types(view.observation.board), 0)
        return _spread(joint.ravel(), GROUP_OF.astype(np.intp) * len(TYPES) + kinds, free)


def _spread(shares: Array, of: NDArray[np.integer], free: NDArray[np.bool_]) -> Array:
    """Divide each kind's probability among its free holdings; that of a kind without any is dropped."""
    sizes = np.bincount(of[free], minlength=len(shares))
    return normal(np.where(free, (shares / np.maximum(sizes, 1))[of], 0.0))


@dataclass(frozen=True, slots=True)
class Loss:
    """The losses of several models on the same rows.

    Parameters
    ----------
    street
        The street of each row; int64.
    shown
        Whether the row's hand ended in a showdown with the player.
    hand
        The hand of each row, numbered over sessions: rows of one hand are not independent.
    losses
        By model, in nats; shape (rows,).
    """

    street: NDArray[np.int64]
    shown: NDArray[np.bool_]
    hand: NDArray[np.int64]
    losses: Mapping[str, Array]

    def mean(self, name: str, street: int | None = None, shown: bool = False) -> tuple[float, float, int]:
        """Mean, 95 % margin over hands, number of rows; of one street or all, of all rows or showdowns."""
        at = (self.shown | (not shown)) & (True if street is None else self.street == street)
        return *mean_by_hand(self.losses[name][at], self.hand[at]), int(at.sum())


def holding_losses(sessions: Iterable[Iterable[Hand]], models: Mapping[str, Model]) -> Loss:
    """Score each model on the true holding of each player in at the end of each street."""
    rows = []
    for number, hands in enumerate(sessions):
        for point in decision_points(hands):
            if point.holding >= 0:
                bare = 1 / np.count_nonzero(~blocked_by(point.view.observation.board))
                beliefs = (model(point.view, point.street) for model in models.values())
                chances = [bare, *(max(belief[point.holding], 1e-12) for belief in beliefs)]
                rows.append((point.street, point.showdown, number * 100_000 + point.hand, chances))
    return _loss(("bare cards", *models), rows)


def _loss(names: Sequence[str], rows: Sequence[tuple[int, bool, int, Sequence[float]]]) -> Loss:
    """The losses by name, from (street, shown, hand, probabilities of what happened) of each row."""
    street, shown, hand, chances = map(np.array, zip(*rows, strict=True))
    return Loss(street, shown, hand, dict(zip(names, -np.log(chances.T), strict=True)))


def price_shares(cells: Cells) -> tuple[Array, ...]:
    """The share of each choice in each situation of training, without the cards; by street."""
    shares = []
    for street, price in enumerate(PRICE_OF):
        at, counts = cells.move_street == street, np.zeros((len(price), 3))
        np.add.at(counts, (cells.move_situation[at], cells.move_choice[at]), 1.0)
        shares.append(normal(counts + 10.0 * normal((price_sums(counts, street) + 1.0) * legal(street))))
    return tuple(shares)


def choice_losses(
    sessions: Sequence[Sequence[Hand]],
    network: Network,
    models: Mapping[str, ActionModel],
    shares: Sequence[Array],
) -> Loss:
    """Predict every action: by the situation alone, by the thesis' network, by each model.

    The network has neither a fold nor a price. It receives the share of folds in the situation, and its named
    actions are read as a legal choice: a bet or raise, or none.
    """
    rows = []
    for number, hands in enumerate(sessions):
        for place, hand in enumerate(hands):
            final = replay(hand)
            observation = final.observe(None, hand.players)
            groups = hand_moves(final.acts, hand.variant).income_groups
            moves_of: dict[int, list[CodedAct]] = {}
            for move in hand_moves(final.acts, hand.variant).moves:
                before = moves_of.setdefault(move.seat, [])
                alone = shares[move.street][move.situation]
                last = most_aggressive(observation, move.seat, move.street - 1) if move.street else None
                board, group = hand.board[: move.street + 2] if move.street else (), groups[move.seat]
                each = [alone, _named(network, move, last, alone)]
                for model in models.values():
                    held = model.posterior(before, board, group)
                    each.append(next_choice(model, held, move.situation, board, group))
                before.append(move)
                shown = len(final.seats_in) > 1 and move.seat in final.seats_in
                chances = [choice[move.choice] for choice in each]
                rows.append((move.street, shown, number * 100_000 + place, chances))
    return _loss(("situation alone", "thesis", *models), rows)


def _named(network: Network, move: CodedAct, last: str | None, alone: Array) -> Array:
    """The prediction of the thesis' network: its action of the street given that of the street before."""
    node = ACTION_NODES[move.street]
    states, table = network.structure.states[node], network.cpt(node)
    if move.street:
        known = network.structure.states[PARENTS[node][0]]
        table = table[known.index(last)] if last in known else table.mean(axis=0)
    bold = float(sum(p for state, p in zip(states, table, strict=True) if state not in PASSIVE))
    split = np.array([0.0, 1 - bold, bold]) * LEGAL[PRICE_OF[move.street][move.situation]]
    return np.array([alone[0], *((1 - alone[0]) * normal(split))[1:]])


STRONG = 0.8
"""Strong hands: buckets of at least this ``STRENGTH``.

Before the flop they are the best four of 16, about 7.4 % of the 1,326 holdings; after it the hands with an
effective strength, HS + (1 - HS) PPot, of at least 0.9.
"""


@dataclass(frozen=True, slots=True)
class StrongFolds:
    """The share of folds of strong hands that face a bet, by street.

    Parameters
    ----------
    true
        Folds among the moves of players with strong hands that faced a bet.
    models
        By model, the mean probability of a fold over the same moves; 0..1, nan where there is none.
    """

    true: tuple[Share, ...]
    models: Mapping[str, tuple[float, ...]]


def strong_folds(cells: Cells, models: Mapping[str, ActionModel]) -> StrongFolds:
    """Count folds of strong hands, and average the models' predictions of them.

    Parameters
    ----------
    cells
        Rows with every card known, of hands that no model was fitted on.
    models
        The models by name.
    """
    certain = np.zeros(len(cells.count))
    certain[cells.true] = 1.0
    true, shares = list[Share](), {name: list[float]() for name in models}
    for street, counts in enumerate(expected_counts(cells, certain)):
        strong = np.ix_(PRICE_OF[street] > 0, STRENGTH[street] >= STRONG)
        faced = counts[strong]
        times = faced.sum(axis=2)
        true.append(Share(round(faced[:, :, 0].sum()), round(times.sum())))
        for name, model in models.items():
            folds = model.tables[street][:, :, 0][strong]
            shares[name].append(float((folds * times).sum() / times.sum()) if times.any() else np.nan)
    return StrongFolds(tuple(true), {name: tuple(each) for name, each in shares.items()})

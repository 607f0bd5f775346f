"""Both topologies on the same held-out hands: the true holding, and the next choice.

``action -> hand`` is the thesis' network, fitted on the showdowns; ``hand -> action`` is fitted by EM on the
same hands as a seated player observes them: showdowns shown, everything else with the cards hidden. One with
every card would reach the ceiling. Everything is in nats: log loss, of which less is better.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.measure import Share, mean_by_hand
from baycarp.bn.network import Network
from baycarp.bn.plan import Inference
from baycarp.card import blocked_by
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.actions import ActionModel
from baycarp.opponents.belief import OBSERVED, PARENTS, TYPE_NODES
from baycarp.opponents.buckets import STRENGTH
from baycarp.opponents.moves import LEGAL, PRICE_OF, PRICES, Move, income_groups, moves
from baycarp.rules import PlayerView, read
from baycarp.rules.betting import most_aggressive
from baycarp.rules.hand import GROUP_OF, TYPES, hand_types
from baycarp.rules.income import IncomeGroup
from baycarp.study.beliefs.queries import Model, queries_of_session
from baycarp.train.actions import expected_counts
from baycarp.train.cells import Cells

__all__ = [
    "ActionHand",
    "HandAction",
    "Loss",
    "StrongFolds",
    "choice_losses",
    "holding_losses",
    "price_shares",
    "strong_folds",
]

Array = NDArray[np.float64]

ACTION_NODES = ("Action", "ActionFlop", "ActionTurn", "ActionRiver")

PASSIVE = ("Check", "Call")
"""The named acts that are no bet."""


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
        """The probability of each holding: see ``study.beliefs.queries.Model``."""
        hand = view.observation
        own_moves = [move for move in moves(hand.acts, hand.variant) if move.seat == view.position]
        groups = income_groups(hand.acts, hand.variant)
        group = groups.get(view.position, IncomeGroup.IR2)  # a player without an action: not used
        return self.model.posterior(own_moves, hand.board, group)


@dataclass(frozen=True, slots=True)
class ActionHand:
    """Beliefs of the thesis' network, its group and type posteriors spread over their holdings.

    Parameters
    ----------
    inference
        The fitted network.
    types
        Whether the hand types are folded in; without, hand groups alone speak.
    """

    inference: Inference
    types: bool = True

    def __call__(self, view: PlayerView, street: int) -> Array:
        """The probability of each holding: see ``study.beliefs.queries.Model``."""
        names = [name for nodes in OBSERVED[: street + 1] for name in nodes]
        evidence = {name: str(state) for name, state in read(view, names).items()}
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
    """Share out each kind's probability among its holdings that are free; a kind with none gives its up."""
    sizes = np.bincount(of[free], minlength=len(shares))
    weights = np.where(free, (shares / np.maximum(sizes, 1))[of], 0.0)
    spread: Array = weights / weights.sum()
    return spread


@dataclass(frozen=True, slots=True)
class Loss:
    """The losses of some models on the same rows.

    Parameters
    ----------
    street
        Of each row; int64.
    shown
        Whether the row's hand ended in a showdown with the player.
    hand
        The hand of each row, numbered over sessions: rows of one hand are not independent.
    losses
        By model, nats a row.
    """

    street: NDArray[np.int64]
    shown: NDArray[np.bool_]
    hand: NDArray[np.int64]
    losses: Mapping[str, Array]

    def mean(self, name: str, street: int | None = None, shown: bool = False) -> tuple[float, float, int]:
        """Mean, 95 % margin over hands, number of rows: of a street or all, of all rows or showdowns."""
        at = np.full(len(self.street), True) if street is None else self.street == street
        at &= self.shown | (not shown)
        return *mean_by_hand(self.losses[name][at], self.hand[at]), int(at.sum())


def holding_losses(sessions: Iterable[Iterable[Hand]], models: Mapping[str, Model]) -> Loss:
    """Score each model on the true holding of each player in at the end of each street."""
    found, where = [], []
    for number, hands in enumerate(sessions):
        for query in queries_of_session(hands):
            if query.holding < 0:
                continue
            board = query.view.observation.board
            losses = [np.log(float((~blocked_by(board)).sum()))]
            losses += [
                -np.log(max(model(query.view, query.street)[query.holding], 1e-12))
                for model in models.values()
            ]
            found.append(losses)
            where.append((query.street, query.showdown, number * 100_000 + query.hand))
    street, shown, hand = np.array(where).T
    columns: Array = np.array(found).T
    return Loss(street, shown.astype(bool), hand, dict(zip(("bare cards", *models), columns, strict=True)))


def price_shares(cells: Cells) -> tuple[Array, ...]:
    """How often each choice was made in each situation of training: no hand is looked at; by street."""
    shares = []
    for street, price in enumerate(PRICE_OF):
        at = cells.move_street == street
        counts = np.zeros((len(price), 3))
        np.add.at(counts, (cells.move_situation[at], cells.move_choice[at]), 1.0)
        pooled = np.zeros((len(PRICES), 3))
        np.add.at(pooled, price, counts)
        pooled = (pooled + 1.0) * LEGAL
        prior = 10.0 * pooled / pooled.sum(axis=1, keepdims=True)
        shares.append((counts + prior[price]) / (counts + prior[price]).sum(axis=1, keepdims=True))
    return tuple(shares)


def choice_losses(
    sessions: Sequence[Sequence[Hand]],
    network: Network,
    models: Mapping[str, ActionModel],
    shares: Sequence[Array],
) -> Loss:
    """Predict every act before it is made: by the situation alone, by the thesis' network, by each model.

    The network has no fold and no price. It is given the share of folds in the situation, and its named
    acts are read as what is legal there: some bet or raise, or none.
    """
    found, where = [], []
    for number, hands in enumerate(sessions):
        for place, hand in enumerate(hands):
            final = replay(hand)
            observation = final.observe(None, hand.players)
            groups = income_groups(final.acts, hand.variant)
            moves_of: dict[int, list[Move]] = {}
            for move in moves(final.acts, hand.variant):
                before = moves_of.setdefault(move.seat, [])
                alone = shares[move.street][move.situation]
                last = most_aggressive(observation, move.seat, move.street - 1) if move.street else None
                board, group = hand.board[: move.street + 2] if move.street else (), groups[move.seat]
                each = [alone, _named(network, move, last, alone)]
                for model in models.values():
                    held = model.posterior(before, board, group)
                    each.append(model.next_choice(held, move.situation, board, group))
                before.append(move)
                found.append([-np.log(choice[move.choice]) for choice in each])
                shown = len(final.seats_in) > 1 and move.seat in final.seats_in
                where.append((move.street, shown, number * 100_000 + place))
    street, shown_, at = np.array(where).T
    names = ("situation alone", "thesis", *models)
    return Loss(street, shown_.astype(bool), at, dict(zip(names, np.array(found).T, strict=True)))


def _named(network: Network, move: Move, last: str | None, alone: Array) -> Array:
    """What the thesis' network expects: its act of the street given that of the one before."""
    node = ACTION_NODES[move.street]
    states, table = network.structure.states[node], network.cpt(node)
    if move.street:
        parent = PARENTS[node][0]
        known = network.structure.states[parent]
        table = table[known.index(last)] if last in known else table.mean(axis=0)
    bold = float(sum(p for state, p in zip(states, table, strict=True) if state not in PASSIVE))
    split = np.array([0.0, 1 - bold, bold]) * LEGAL[PRICE_OF[move.street][move.situation]]
    choice: Array = (1 - alone[0]) * split / split.sum()
    choice[0] = alone[0]
    return choice


STRONG = 0.8
"""Strong hands: buckets of at least this ``STRENGTH``.

Before the flop they are the best four of 16, some 7.4 % of the 1,326 holdings; after it the hands whose
effective strength, HS + (1 - HS) PPot, is at least 0.9.
"""


@dataclass(frozen=True, slots=True)
class StrongFolds:
    """How often strong hands fold to a bet, by street.

    Parameters
    ----------
    true
        Folds, of the moves that players with strong hands made when they faced a bet.
    models
        The probability of a fold in the same situations, as often as they came, by model; 0..1, nan where
        none came.
    """

    true: tuple[Share, ...]
    models: Mapping[str, tuple[float, ...]]


def strong_folds(cells: Cells, models: Mapping[str, ActionModel]) -> StrongFolds:
    """Count folds of strong hands, and models' predictions of them.

    Parameters
    ----------
    cells
        Rows with every card known, of hands from which no model has learned.
    models
        By name.
    """
    certain = np.zeros(len(cells.count))
    certain[cells.true] = 1.0
    true, shares = list[Share](), {name: list[float]() for name in models}
    for street, counts in enumerate(expected_counts(cells, certain)):
        strong, priced = STRENGTH[street] >= STRONG, PRICE_OF[street] > 0
        faced = counts[priced][:, strong]
        times = faced.sum(axis=2)
        true.append(Share(round(faced[:, :, 0].sum()), round(times.sum())))
        for name, model in models.items():
            folds = model.tables[street][priced][:, strong, 0]
            shares[name].append(float((folds * times).sum() / times.sum()) if times.any() else np.nan)
    return StrongFolds(tuple(true), {name: tuple(each) for name, each in shares.items()})

"""The model of one player, learned from a record of its hands.

It begins as the mixture of the shipped clusters, and every hand adds the player's actions (``individual``):
to the leaf of the holding where the cards are known, else of all holdings that it may have had, by Bayes.
Hidden cards leave the frequencies of actions wrong, where the player is far from the clusters; so the kinds
of action of each situation are scaled until the model expects as many as the player made.

The file is one of ``players``, so that ``mcts(model=FILE)`` reads its opponents by it, and
``alike(model=FILE)`` plays by it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, blocked_by, holding_index
from baycarp.errors import ArgumentError, brief
from baycarp.game import Observation
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.moves.individual import KINDS, PredictedAct
from baycarp.opponents.moves.players import Players, load_players
from baycarp.opponents.moves.reading import PUBLISHED, Reader, legal_chances
from baycarp.rules.features import SITUATIONS
from baycarp.trees import DecisionTree

__all__ = ["MOST_SEATS", "learn_player"]

Array = NDArray[np.float64]

MOST_SEATS = 9
"""The features of a hand have no place for more players."""

ROUNDS = 8
"""Of scaling; the frequencies then agree to some thousandths."""

EVERY = 10**9
"""All actions count: a record is of one player, and no change of style is followed."""


def learn_player(hands: Iterable[Hand], name: str) -> Players:
    """The model of a player: one cluster, which is also the model of the own play.

    Parameters
    ----------
    hands
        Limit or no-limit, those of other players are ignored. All cards of the record count.
    name
        Of the player.

    Raises
    ------
    ArgumentError
        No hand of the player with an action in them.
    NotationError
        A hand that cannot be replayed.
    """
    clusters = load_players()
    reader = Reader(clusters, window=EVERY, watched={name}, confidence=PUBLISHED)
    record = list[_Turns]()
    for number, hand in enumerate(hands):
        if name in hand.players and hand.variant.seats <= MOST_SEATS and hand.variant.betting != "pot-limit":
            observation = Observation(replay(hand), None, hand.players, number)
            record.append(_Turns.of(observation, name, reader))
            reader.learn(observation)
    if not record:
        raise ArgumentError(f"player {brief(name)}: expected a hand of limit or no-limit hold'em with it")
    values = _scaled(reader.individual(name), record)
    own = tuple(DecisionTree(tree.nodes, each) for tree, each in zip(clusters.trees[-1], values, strict=True))
    return Players((own, own), (1.0,), clusters.buckets)


@dataclass(frozen=True, slots=True)
class _Turns:
    """The player's decisions of a hand, and which holdings it may have had at each: shape (1326,)."""

    acts: tuple[PredictedAct, ...]
    free: tuple[Array, ...]

    @classmethod
    def of(cls, observation: Observation, name: str, reader: Reader) -> "_Turns":
        """Of a finished hand."""
        seat = observation.players.index(name)
        acts = tuple(reader.moves(observation).get(seat, ()))
        shown, board = observation.state.hole_of(seat), observation.board
        free = list[Array]()
        for act in acts:
            known = board[: act.situation // 2 + 2] if act.situation >= 2 else ()
            free.append(np.where(blocked_by(known), 0.0, 1.0))
        if shown:
            free = [np.eye(1, len(HOLDINGS), holding_index(*shown))[0] for _ in acts]
        return cls(acts, tuple(free))


def _scaled(values: list[Array], record: list[_Turns]) -> list[Array]:
    """The leaves with the kinds of action of each situation scaled to as many as the player made."""
    for _ in range(ROUNDS):
        made, expected = np.zeros((2, len(SITUATIONS), len(KINDS)))
        for turns in record:
            held = np.ones(len(HOLDINGS))
            for act, free in zip(turns.acts, turns.free, strict=True):
                held = held * free
                chances = legal_chances(values[act.situation][act.leaves][None], act.legal)[0]
                weights = np.bincount(act.buckets, held, len(chances))
                mean = weights @ chances / weights.sum()
                expected[act.situation] += [mean[kind].sum() for kind in KINDS]
                made[act.situation, min(act.choice, len(KINDS) - 1)] += 1
                held = held * chances[:, act.choice][act.buckets]
        factors = (made + 1) / (expected + 1)
        values = [each.copy() for each in values]
        for leaves, factor in zip(values, factors.tolist(), strict=True):
            for kind, each in zip(KINDS, factor, strict=True):
                leaves[:, kind] *= each
            leaves /= leaves.sum(axis=1, keepdims=True)
    return values

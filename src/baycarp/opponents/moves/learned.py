"""The model of one player, learned from a record of its hands.

It begins as the mixture of the shipped clusters, and every hand adds the player's actions (``individual``):
to the leaf of the holding where the cards are known, else of all holdings that it may have had, by Bayes. The
file is one of ``players``, so that ``mcts(model=FILE)`` reads its opponents by it, and ``alike(model=FILE)``
plays by it.
"""

from collections.abc import Iterable

from baycarp.errors import ArgumentError
from baycarp.game import Observation
from baycarp.game.notation.hand import Hand, replay
from baycarp.opponents.moves.players import Players, load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.trees import DecisionTree

__all__ = ["MOST_SEATS", "learn_player"]

MOST_SEATS = 9
"""The features of a hand have no place for more players."""

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
    reader, learned = Reader(clusters, window=EVERY, watched={name}), 0
    for number, hand in enumerate(hands):
        if name in hand.players and hand.variant.seats <= MOST_SEATS and hand.variant.betting != "pot-limit":
            reader.learn(Observation(replay(hand), None, hand.players, number))
            learned += 1
    if not learned:
        raise ArgumentError(f"player {name!r:.60}: expected a hand of limit or no-limit hold'em with it")
    leaves = zip(clusters.trees[-1], reader.individual(name), strict=True)
    own = tuple(DecisionTree(tree.nodes, values) for tree, values in leaves)
    return Players((own, own), (1.0,))

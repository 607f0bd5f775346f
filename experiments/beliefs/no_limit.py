"""Models of opponents on players that they were not trained on: the next choice, and the hidden holding.

A spectator watches sessions of members of the no-limit population, meets each for the first time, and reads
it by ``opponents.moves.reading``. Every choice is predicted by the joint probability of cluster and holding
before it, without the player's cards; after a player's last action in a hand its true holding is scored,
which the spectator sees only if it is shown.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.arena.decks import PLAYED
from baycarp.arena.measure import mean_by_hand
from baycarp.arena.session import Table, play_session
from baycarp.card import blocked_by, holding_index
from baycarp.errors import ArgumentError
from baycarp.game.notation.acpc import parse_state
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.state import SHOWN
from baycarp.game.variant import Variant
from baycarp.opponents.moves.individual import PredictedAct
from baycarp.opponents.moves.players import Players
from baycarp.opponents.moves.reading import TREES, Reader
from baycarp.opponents.reliance import Confidence
from experiments.players.against_styles import drawn_styles

__all__ = ["Losses", "Scores", "one_model", "scored", "sessions_of_styles"]

Array = NDArray[np.float64]
Pair = tuple[float, float]
Row = tuple[float, float, int, int]


@dataclass(frozen=True, slots=True)
class Losses:
    """Log losses of predictions, in nats: every array has shape (n,).

    Parameters
    ----------
    loss, deal
        Of the model, and of the equal probability of all holdings left; nan where it predicts nothing.
    number, hand
        Int64: the number of the hand in its session, from 0, and of all hands.
    """

    loss: Array
    deal: Array
    number: NDArray[np.int64]
    hand: NDArray[np.int64]

    def mean(self, first: int = 0, end: int | None = None) -> Pair:
        """The mean and its 95 % margin by hand, of hands ``first`` up to ``end`` of the sessions."""
        return self._mean(self.loss, first, end)

    def less_than_deal(self) -> Pair:
        """The loss of the deal less that of the model."""
        return self._mean(self.deal - self.loss)

    def less_than(self, other: "Losses", first: int = 0, end: int | None = None) -> Pair:
        """The loss of another model on the same hands less this."""
        return self._mean(other.loss - self.loss, first, end)

    def _mean(self, values: Array, first: int = 0, end: int | None = None) -> Pair:
        inside = (self.number >= first) & (self.number < (np.inf if end is None else end))
        return mean_by_hand(values[inside], self.hand[inside])


@dataclass(frozen=True, slots=True)
class Scores:
    """What a model predicts of players.

    Parameters
    ----------
    choices
        Every choice, one of ten.
    folded, shown
        The true holding of players that folded, and of those that showed it.
    """

    choices: Losses
    folded: Losses
    shown: Losses


def one_model(players: Players) -> Players:
    """The model of all players as the only cluster, beside those without regard to cards."""
    return Players((players.trees[-1], players.trees[-1]), (1.0,))


def sessions_of_styles(
    game: Variant, first: int, sessions: int, hands: int, seed: int = 1
) -> Iterator[list[Hand]]:
    """Sessions of members ``first`` and on of the population, other ones in each.

    Raises
    ------
    TableError
        A fixed-limit game.
    """
    for number in range(sessions):
        styles = drawn_styles(first + number * game.seats, game.seats)
        names = tuple(f"player {seat + 1}" for seat in range(game.seats))
        table = Table(game, names, tuple(f"sizer({style})" for style in styles), seed)
        table.verify_players()
        yield [parse_state(line, game) for line in play_session(table, PLAYED + number, hands).log]


def scored(
    sessions: Iterable[Sequence[Hand]], players: Players, own: float = 0.5, confidence: Confidence = TREES
) -> Scores:
    """Read the players of sessions, which are new in each.

    Parameters
    ----------
    sessions
        Hands of named players with all hole cards.
    players
        The models.
    own
        The prior share of the model of the individual.
    confidence
        How far the actions of a new player are relied on.

    Raises
    ------
    ArgumentError
        No hand, or hole cards that are not recorded.
    """
    rows: tuple[list[Row], list[Row], list[Row]] = ([], [], [])
    count = 0
    for session in sessions:
        reader = Reader(players, own=own, confidence=confidence)
        for number, hand in enumerate(session):
            over = replay(hand).observe(None, hand.players, number)
            gone = {act.seat for act in over.acts if act.action.name == "fold"}
            for seat, moves in reader.moves(over).items():
                choices, holding = _losses(hand, seat, moves, reader)
                rows[0].extend((loss, np.nan, number, count) for loss in choices)
                if seat in gone or over.state.hole_of(seat):
                    rows[1 if seat in gone else 2].append((*holding, number, count))
            reader.learn(over)
            count += 1
    if not rows[0]:
        raise ArgumentError("sessions: expected at least one decision")
    return Scores(*map(_columns, rows))


def _losses(hand: Hand, seat: int, moves: Sequence[PredictedAct], reader: Reader) -> tuple[list[float], Pair]:
    """Of each choice of a player in a hand, and of its holding by the model and by the deal."""
    if not hand.holes[seat]:
        raise ArgumentError(f"hand {hand.id}: expected known hole cards of all players")
    name, free, found = hand.players[seat], ~blocked_by(()), list[float]()
    blind, prior = reader.reliance(name).blind, reader.membership(name)[:, None]
    joint = prior * np.ones(len(free))
    for move in moves:
        free = ~blocked_by(hand.board[: SHOWN[move.situation // 2]])
        before, joint = joint * free, joint * reader.relied(name, move)[:, move.buckets, move.choice]
        found.append(float(np.log(before.sum()) - np.log((joint * free).sum())))
    deal = prior * free
    holdings = ((1 - blind) * joint * free / (joint * free).sum() + blind * deal / deal.sum()).sum(axis=0)
    return found, (float(-np.log(holdings[holding_index(*hand.holes[seat])])), float(np.log(free.sum())))


def _columns(rows: list[Row]) -> Losses:
    loss, deal, number, hand = np.array(rows, np.float64).reshape(-1, 4).T
    return Losses(loss, deal, number.astype(np.int64), hand.astype(np.int64))

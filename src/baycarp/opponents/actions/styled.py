"""The players of a decision as a look-ahead draws them: hypotheses, holdings, and what each would do.

An opponent's holding is drawn from its probability given the acts of the hand, the mean over the hypotheses;
then its hypothesis, given the holding and the acts. Both together are a draw from the joint probability.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baycarp.card import CLASS_OF, CLASSES, HOLDINGS
from baycarp.game import Observation
from baycarp.kernels.evidence import by_holding
from baycarp.kernels.lookahead import StyledPlayers, StylePolicies
from baycarp.opponents.actions.buckets import BLOCKED, EDGES, buckets
from baycarp.opponents.actions.hand_actions import normalized, sensible
from baycarp.opponents.actions.hypotheses import Hypotheses
from baycarp.opponents.actions.model import PlayerModels
from baycarp.opponents.actions.situations import hand_moves
from baycarp.rules.income import IncomeGroup

__all__ = ["LATER_EDGES", "Styled", "buckets_now", "styled"]

Array = NDArray[np.float64]

LATER_EDGES = ((), EDGES, EDGES, EDGES)
"""The edges of the buckets of later boards, by street."""


class Styled(NamedTuple):
    """The players of a decision.

    Parameters
    ----------
    players
        What each does.
    holdings
        The probability of each holding of each opponent in; float64, shape (seats, 1, 1326).
    """

    players: StyledPlayers
    holdings: Array


def styled(models: PlayerModels, observation: Observation) -> Styled:
    """The opponents still in, given their acts of the hand and all that was learned of them before.

    Raises
    ------
    EvidenceError
        No holding acts so.
    """
    seats, board, known = observation.variant.seats, observation.board, models.of("").hypotheses
    _, by_seat, groups = hand_moves(observation.acts, observation.variant)
    rivals = [seat for seat in observation.state.seats_in if seat != observation.seat]
    names = {seat: observation.players[seat] if observation.players else "" for seat in rivals}
    players = {seat: models.of(name) for seat, name in names.items()}
    seen = [
        player.seen(by_seat.get(seat, ()), board, groups.get(seat, IncomeGroup.IR2))
        for seat, player in players.items()
    ]
    holdings = np.zeros((seats, 1, len(HOLDINGS)))
    weights = np.zeros((seats, len(known.shares) + 1))
    powers, factors, blindly = (np.zeros((seats, *each.shape)) for each in models.of("").habits())
    acts: list[list[tuple[NDArray[np.uint8], NDArray[np.float32]]]] = [[] for _ in range(seats)]
    if rivals:
        found = by_holding(seen, (*observation.hole, *board))
        holdings[rivals, 0] = normalized(found)
        mean = found.sum(axis=1) / (found > 0).sum(axis=1)
        for at, (seat, player) in enumerate(players.items()):
            acts[seat] = seen[at][0]
            weights[seat] = player.weights
            weights[seat, -1] *= mean[at]
            powers[seat], factors[seat], blindly[seat] = player.habits()
    by_position = [int(groups[seat]) if seat in groups else -1 for seat in range(seats)]
    return Styled(
        StyledPlayers(_policies(known), weights, powers, factors, blindly, by_position, acts), holdings
    )


def buckets_now(board: tuple[int, ...]) -> NDArray[np.uint8]:
    """The bucket of every holding on the present board: before the flop the starting class."""
    if not board:
        return CLASS_OF
    codes = buckets(board, IncomeGroup.IR2)
    return np.where(codes == BLOCKED, 0, codes).astype(np.uint8)


@lru_cache(maxsize=8)
def _policies(known: Hypotheses) -> StylePolicies:
    """The tables of all styles; made once a process."""
    of_class = np.unique(CLASS_OF, return_index=True)[1]  # a holding of each class
    preflop = [(known.codes((), group)[of_class], known.buckets_of(0, group)) for group in IncomeGroup]
    first, *later = sensible().tables
    own = (first[:, buckets((), IncomeGroup.IR7)[of_class]], *later)
    assert len(of_class) == len(CLASSES)
    return StylePolicies(preflop, known.tables, own)

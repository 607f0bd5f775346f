"""The 41 public features of a decision, for fixed limit and no-limit, two to ten seats.

``decisions`` computes them in C for whole hands; the tests have the same definitions in Python, for a state.
No feature depends on a hole card or on what follows the decision.
Source: van der Kleij (2010), appendix B. Our choices, where it is silent or contradicts itself:

- Amounts (to call, pot, stacks) are in big blinds; an effective stack is the smaller of two, chips left.
- The ratio of aggressive to passive moves divides by at least one passive move.
- Straight possibilities are the share of the holdings left that have five ranks in a row with the board.
- Bets pre-flop do not count the blinds; before the first raise the largest blind is the aggressor that a
  player faces, but no player was the aggressor pre-flop where none raised.
- Cards of the same rank are those of the whole board; the description reads "on the flop", the name does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.game import Action
from baycarp.game.notation.hand import Hand
from baycarp.kernels.features import hand_features, validity
from baycarp.kernels.game import CALL, DEEP, FOLD, RAISE
from baycarp.rules.betting.sizes import KLEIJ

__all__ = ["MOVES", "NAMES", "SITUATIONS", "VALID", "Decisions", "coded", "decisions"]

NAMES = (
    "ActivePlayers",
    "ActiveToTotalPlayersRatio",
    *(f"AggressiveToPassiveRatio{street}" for street in ("Preflop", "Flop", "Turn", "River")),
    "AllInWithCall",
    "AmountToCall",
    "AverageRank",
    "CallersSinceLastRaise",
    "EffectiveStackVersusActivePlayers",
    "EffectiveStackVersusAggressor",
    *(f"HighestCardOnBoard{street}" for street in ("Flop", "Turn", "River")),
    "ImpliedOddsVersusAggressor",
    "InPositionVersusActivePlayers",
    "InPositionVersusAggressor",
    *(f"MaxCardsFromSameSuit{street}" for street in ("Flop", "Turn", "River")),
    "MaxCardsOfSameRank",
    *(f"NumberOfBets{street}" for street in ("Preflop", "Flop", "Turn", "River")),
    "NumberOfDifferentHighCards",
    "OffTheButton",
    "OwnPreviousAction",
    "OwnPreviousActionCategory",
    "PlayersActed",
    "PlayersLeftToAct",
    "PotOdds",
    "PotSize",
    "StackSize",
    *(f"StraightPossibilities{street}" for street in ("Flop", "Turn", "River")),
    *(f"WasAggressor{street}" for street in ("Preflop", "Flop", "Turn")),
)
"""The names of the source, in the order of the columns."""

SITUATIONS = tuple(
    f"{street}, {kind}" for street in ("preflop", "flop", "turn", "river") for kind in ("CB", "CFR")
)
"""Eight: check or bet, and fold, call or raise, by street."""

MOVES = ("fold", "check or call", *KLEIJ.letters)
"""The nine moves of a model; bets and raises by the letter of their size."""

VALID: NDArray[np.bool_] = validity()
"""Shape (41, 8): whether a feature has a meaning in a situation; it is 0 where it has none."""

_KIND = {"fold": FOLD, "check": CALL, "call": CALL, "bet": RAISE, "raise": RAISE}


@dataclass(frozen=True, slots=True)
class Decisions:
    """The decisions of one hand.

    Parameters
    ----------
    features
        Float64, shape (n, 41).
    seats, situations, moves
        Int8, shape (n,): the position, the index in ``SITUATIONS``, the index in ``MOVES`` of what was done.
    """

    features: NDArray[np.float64]
    seats: NDArray[np.int8]
    situations: NDArray[np.int8]
    moves: NDArray[np.int8]


def decisions(hand: Hand) -> Decisions:
    """The features of every decision of a recorded hand.

    Raises
    ------
    IllegalAction
        A hand whose actions break the rules.
    CardError
        A board with too few cards for a street on which a player acts.

    Examples
    --------
    >>> from baycarp.game import Variant
    >>> from baycarp.game.notation.acpc import parse_state
    >>> game = Variant.load("holdem.nolimit.2p.100bb")
    >>> found = decisions(parse_state("STATE:0:r200c/cr400f:AhKd|7c2s/2c7d9h:200|-200:a|b", game))
    >>> [MOVES[move] for move in found.moves.tolist()]
    ['m', 'check or call', 'check or call', 'h', 'fold']
    """
    stacks = hand.stacks or hand.variant.stacks or (DEEP,) * hand.variant.seats
    rows, labels = hand_features(hand.variant.rules, tuple(stacks), coded(hand.actions), hand.board)
    return Decisions(rows, *np.ascontiguousarray(labels.T))


def coded(actions: Sequence[Action]) -> list[tuple[int, int]]:
    """Actions as the kernels take them: kind and amount of each."""
    return [(_KIND[action.name], action.amount) for action in actions]

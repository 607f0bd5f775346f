"""The 41 public features of a decision, for fixed limit and no-limit, two to ten seats.

``decisions`` computes them in C for whole hands; ``features`` is the same definition in Python, for a state.
No feature depends on a hole card or on what follows the decision.
Source: van der Kleij (2010), appendix B. Our choices, where it is silent or contradicts itself:

- Amounts (to call, pot, stacks) are in big blinds; an effective stack is the smaller of two, chips left.
- The ratio of aggressive to passive moves divides by at least one passive move.
- Straight possibilities are the share of the holdings left that have five ranks in a row with the board.
- Bets pre-flop do not count the blinds; before the first raise the largest blind is the aggressor that a
  player faces, but no player was the aggressor pre-flop where none raised.
- Cards of the same rank are those of the whole board; the description reads "on the flop", the name does not.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import IllegalAction
from baycarp.game import Act, Action, State, Variant
from baycarp.game.notation.hand import Hand
from baycarp.game.state import SHOWN
from baycarp.kernels.features import hand_features, validity
from baycarp.kernels.game import CALL, DEEP, FOLD, RAISE
from baycarp.rules.betting.sizes import KLEIJ, bets, hard

__all__ = ["MOVES", "NAMES", "SITUATIONS", "VALID", "Decisions", "coded", "decisions", "features"]

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
_CODE = {"check": 1, "call": 2, "bet": 3, "raise": 3 + len(KLEIJ.letters)}
_CATEGORY = {"check": 1, "call": 2, "bet": 3, "raise": 4}


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
    >>> from baycarp.game.notation.acpc import parse_state
    >>> game = Variant.load("holdem.nolimit.2p.100bb")
    >>> found = decisions(parse_state("STATE:0:r200c/cr400f:AhKd|7c2s/2c7d9h:200|-200:a|b", game))
    >>> [MOVES[move] for move in found.moves.tolist()]
    ['m', 'check or call', 'check or call', 'h', 'fold']
    """
    stacks = hand.stacks or hand.variant.stacks or (DEEP,) * hand.variant.seats
    rows, labels = hand_features(hand.variant.rules, tuple(stacks), coded(hand.actions), hand.board)
    return Decisions(rows, *np.ascontiguousarray(labels.T))


def features(state: State) -> NDArray[np.float64]:
    """The features of the player to act; hole cards are not used.

    Returns
    -------
    float64, shape (41,)

    Raises
    ------
    IllegalAction
        The hand is over.
    """
    seat = state.to_act
    if seat is None:
        raise IllegalAction("features: the hand is over, no player decides")
    found = _players(state, seat) | _own(state, seat) | _betting(state, seat) | _board(state)
    if state.owed:
        found |= _price(state, seat)
    return np.array([float(found.get(name, 0.0)) for name in NAMES])


def coded(actions: Sequence[Action]) -> list[tuple[int, int]]:
    """Actions as the kernels take them: kind and amount of each."""
    return [(_KIND[action.name], action.amount) for action in actions]


def _order(variant: Variant, seat: int) -> int:
    """The place of a position in the order of play after the flop."""
    return (seat - variant.first[1]) % variant.seats


def _raises(acts: Sequence[Act]) -> list[Act]:
    return [act for act in acts if act.action.name in ("bet", "raise")]


def _players(state: State, seat: int) -> dict[str, float]:
    others = [other for other in state.seats_in if other != seat]
    after = sum(_order(state.variant, other) > _order(state.variant, seat) for other in others)
    acted = {act.seat for act in state.acts if act.street == state.street}
    level = state.bets[seat] + _full_price(state, seat)
    left = [o for o in others if state.stacks[o] and (state.bets[o] < level or o not in acted)]
    big = state.variant.big_blind
    return {
        "ActivePlayers": len(others) + 1,
        "ActiveToTotalPlayersRatio": (len(others) + 1) / state.variant.seats,
        "OffTheButton": after,
        "InPositionVersusActivePlayers": not after,
        "PlayersLeftToAct": len(left),
        "EffectiveStackVersusActivePlayers": max(min(state.stacks[seat], state.stacks[o]) for o in others)
        / big,
        "PotSize": state.pot / big,
        "StackSize": state.stacks[seat] / big,
    }


def _full_price(state: State, seat: int) -> int:
    """The chips from a player's bet up to the bet to match: the big blind, or the last bet or raise."""
    raised = _raises([act for act in state.acts if act.street == state.street])
    level = raised[-1].action.amount if raised else (0 if state.street else state.variant.big_blind)
    return level - state.bets[seat]


def _own(state: State, seat: int) -> dict[str, float]:
    acts = [act for act in state.acts if act.seat == seat]
    found = {f"WasAggressor{name}": False for name in ("Preflop", "Flop", "Turn")[: state.street]}
    for street, name in enumerate(found):
        raised = _raises([act for act in state.acts if act.street == street])
        found[name] = bool(raised) and raised[-1].seat == seat
    if not acts:
        return dict(found)
    name = acts[-1].action.name
    code = _CODE[name]
    if name in ("bet", "raise") and state.variant.betting == "no-limit":
        act, legal = [each for each in bets(state) if each[0].seat == seat][-1]
        code += KLEIJ.letters.index(next(iter(KLEIJ.shares(legal.proportion(act.action), legal, hard))))
    return {**found, "OwnPreviousAction": code, "OwnPreviousActionCategory": _CATEGORY[name]}


def _betting(state: State, seat: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for street, name in enumerate(("Preflop", "Flop", "Turn", "River")[: state.street + 1]):
        counts = Counter(act.action.name for act in state.acts if act.street == street)
        aggressive = counts["bet"] + counts["raise"]
        found[f"NumberOfBets{name}"] = aggressive
        found[f"AggressiveToPassiveRatio{name}"] = aggressive / max(counts["check"] + counts["call"], 1)
    since: list[str] = []
    for act in state.acts:
        if act.street == state.street:
            since = [] if act.action.name in ("bet", "raise") else [*since, act.action.name]
    return {**found, "CallersSinceLastRaise": since.count("call"), "PlayersActed": len(since)}


def _price(state: State, seat: int) -> dict[str, float]:
    raised = _raises([act for act in state.acts if act.street == state.street])
    blinds = state.variant.blinds
    largest = max(position for position, blind in enumerate(blinds) if blind == max(blinds))
    aggressor = raised[-1].seat if raised else largest
    owed, effective = state.owed, min(state.stacks[seat], state.stacks[aggressor])
    big = state.variant.big_blind
    return {
        "AllInWithCall": owed >= state.stacks[seat],
        "AmountToCall": owed / big,
        "PotOdds": owed / (owed + state.pot),
        "ImpliedOddsVersusAggressor": owed / (owed + state.pot + effective),
        "EffectiveStackVersusAggressor": effective / big,
        "InPositionVersusAggressor": _order(state.variant, seat) > _order(state.variant, aggressor),
    }


def _board(state: State) -> dict[str, float]:
    board = state.board
    if not board:
        return {}
    ranks = [card // 4 for card in board]
    found: dict[str, float] = {
        "AverageRank": sum(ranks) / len(ranks),
        "MaxCardsOfSameRank": max(Counter(ranks).values()),
        "NumberOfDifferentHighCards": len({rank for rank in ranks if rank >= 9}),
    }
    for shown, name in zip(SHOWN[1:], ("Flop", "Turn", "River"), strict=True):
        if shown <= len(board):
            found[f"HighestCardOnBoard{name}"] = max(ranks[:shown])
            found[f"MaxCardsFromSameSuit{name}"] = max(Counter(card % 4 for card in board[:shown]).values())
            found[f"StraightPossibilities{name}"] = _straights(board[:shown])
    return found


@lru_cache(maxsize=1024)
def _straights(board: tuple[int, ...]) -> float:
    holdings = list(combinations(sorted(set(range(52)) - set(board)), 2))
    rows = [{12, 0, 1, 2, 3}, *({low, low + 1, low + 2, low + 3, low + 4} for low in range(9))]
    shown = {card // 4 for card in board}
    made = sum(any(row <= shown | {a // 4, b // 4} for row in rows) for a, b in holdings)
    return made / len(holdings)

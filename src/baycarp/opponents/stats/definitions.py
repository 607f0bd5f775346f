"""The statistics of a player, as trackers define them: each docstring is a definition.

Each function takes a player's line of a hand and a street, and returns how often it did so there and how
often it could have. ``STATISTICS`` has the name and the streets of each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from baycarp.opponents.stats.turns import Line, OwnTurn

__all__ = [
    "LATER",
    "STATISTICS",
    "Counted",
    "Statistic",
    "aggression_factor",
    "pfr",
    "vpip",
    "went_to_showdown",
]

Counted: TypeAlias = tuple[int, int]
"""How often it was done, of how many opportunities."""

NONE = 0, 0


def vpip(line: Line, street: int) -> Counted:
    """Hands with a call, bet or raise before the flop, of those in which the player acted there.

    Blinds, straddles, posts and checks are not voluntary. A walk gives the big blind no decision, and so no
    opportunity.
    """
    return _hand(line, street, "call", "raise")


def pfr(line: Line, street: int) -> Counted:
    """Hands with a bet or raise before the flop, of those in which the player acted there."""
    return _hand(line, street, "raise")


def three_bet(line: Line, street: int) -> Counted:
    """Re-raises before the flop, of the hands in which the player faced one raise and had not raised.

    A limp and re-raise is one.
    """
    return _first(line, street, lambda turn: turn.raises == 1 and not turn.raised, "raise")


def fold_to_three_bet(line: Line, street: int) -> Counted:
    """Folds before the flop, of the hands in which the player had made the first raise and was re-raised."""
    return _first(line, street, lambda turn: turn.raises == 2 and turn.raised == 1, "fold")


def continuation_bet(line: Line, street: int) -> Counted:
    """Bets of the player that raised or bet last on the street before, of its chances to bet first.

    If another player bets before it (a donk bet), it has no chance.
    """
    at = line.position
    return _first(line, street, lambda turn: turn.aggressor == at and not turn.raises, "raise")


def fold_to_continuation_bet(line: Line, street: int) -> Counted:
    """Folds, of the times that the player faced a continuation bet which nobody had raised."""
    return _first(line, street, _faces_continuation, "fold")


def check_raise(line: Line, street: int) -> Counted:
    """Raises after a check of the player on the same street, of the times that it checked and faced a bet."""
    return _first(line, street, lambda turn: turn.checked and turn.raises > 0, "raise")


def aggression_factor(line: Line, street: int) -> Counted:
    """Bets and raises after the flop was dealt, for each call there: a ratio, no share."""
    return line.count(street, "raise"), line.count(street, "call")


def aggression_frequency(line: Line, street: int) -> Counted:
    """Bets and raises after the flop was dealt, of all bets, raises, calls and folds there."""
    return line.count(street, "raise"), line.count(street, "raise", "call", "fold")


def went_to_showdown(line: Line, street: int) -> Counted:
    """Hands that the player showed down or mucked at the showdown, of those in which it saw the flop."""
    return int(line.saw_flop and line.showdown), int(line.saw_flop)


def won_at_showdown(line: Line, street: int) -> Counted:
    """Showdowns in which the player took a pot or a share of one, of those whose result is known."""
    return int(line.showdown and bool(line.won)), int(line.showdown and line.won is not None)


def _faces_continuation(turn: OwnTurn) -> bool:
    return turn.raises == 1 and not turn.raised and turn.raiser is not None and turn.raiser == turn.aggressor


def _hand(line: Line, street: int, *kinds: str) -> Counted:
    return int(line.count(street, *kinds) > 0), int(bool(line.turns[street]))


def _first(line: Line, street: int, spot: Callable[[OwnTurn], bool], kind: str) -> Counted:
    """The player's first turn in a spot on the street: whether it was of a kind."""
    for turn in line.turns[street]:
        if spot(turn):
            return int(turn.kind == kind), 1
    return NONE


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic of a player.

    Parameters
    ----------
    name
        In code and in files.
    title
        As trackers write it.
    count
        How often it was done in a hand, and how often it could have been.
    streets
        On which it is counted.
    share
        Whether it is a share of opportunities, and no ratio.
    """

    name: str
    title: str
    count: Callable[[Line, int], Counted]
    streets: tuple[int, ...] = (0,)
    share: bool = True

    @property
    def definition(self) -> str:
        """In words."""
        return " ".join(str(self.count.__doc__).split())


LATER = (1, 2, 3)
"""The streets after the flop was dealt."""

STATISTICS = (
    Statistic("vpip", "VPIP", vpip),
    Statistic("pfr", "PFR", pfr),
    Statistic("three_bet", "3-bet", three_bet),
    Statistic("fold_to_three_bet", "fold to 3-bet", fold_to_three_bet),
    Statistic("continuation_bet", "c-bet", continuation_bet, LATER),
    Statistic("fold_to_continuation_bet", "fold to c-bet", fold_to_continuation_bet, LATER),
    Statistic("check_raise", "check-raise", check_raise, LATER),
    Statistic("aggression_factor", "AF", aggression_factor, LATER, share=False),
    Statistic("aggression_frequency", "AFq", aggression_frequency, LATER),
    Statistic("went_to_showdown", "WTSD", went_to_showdown, (3,)),
    Statistic("won_at_showdown", "W$SD", won_at_showdown, (3,)),
)
"""In the order in which they are shown."""

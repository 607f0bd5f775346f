"""Kuhn's poker: three cards, an ante and a bet of one chip, no raise.

Source: H. W. Kuhn, A simplified two-person poker, Contributions to the Theory of Games I (1950), 97-103.
"""

from collections.abc import Sequence
from typing import TypeAlias

from baycarp.errors import ArgumentError
from baycarp.solvers.small.game import CHANCE, END

__all__ = ["VALUE", "Kuhn", "equilibrium"]

VALUE = -1 / 18
"""What the first player wins in equilibrium, in chips a hand (Kuhn 1950)."""

CARDS = "JQK"
PAYOFFS = {"cc": 1, "rf": 0, "rc": 2, "crf": 0, "crc": 2}
"""By the actions of a finished hand, the chips of a showdown; 0 where a player folded and loses its ante."""

State: TypeAlias = tuple[str, str]
"""The cards dealt so far, the first player's first, and the actions: c check or call, r bet, f fold."""


class Kuhn:
    """The game as ``baycarp.solvers.Game``; payoffs in chips.

    An information set is the card of the player and the actions so far: ``K:cr`` is a king, a check, a bet.

    Examples
    --------
    >>> game = Kuhn()
    >>> game.actions(("KQ", "cr")), game.information(("KQ", "cr")), game.returns(("KQ", "crc"))
    (('fold', 'call'), 'K:cr', (2.0, -2.0))
    """

    name = "kuhn"

    def root(self) -> State:
        """No card is dealt."""
        return "", ""

    def turn(self, state: State) -> int:
        """Chance deals two cards; then the players act in turn."""
        cards, acts = state
        if len(cards) < 2:
            return CHANCE
        return END if acts in PAYOFFS else len(acts) % 2

    def probabilities(self, state: State) -> Sequence[float]:
        """The cards that are left have equal probabilities."""
        left = len(CARDS) - len(state[0])
        return (1 / left,) * left

    def actions(self, state: State) -> Sequence[str]:
        """Check or bet; facing a bet, fold or call. Chance deals a card that is left."""
        if self.turn(state) == CHANCE:
            return tuple(card for card in CARDS if card not in state[0])
        return ("fold", "call") if state[1].endswith("r") else ("check", "bet")

    def information(self, state: State) -> str:
        """The player's own card and the actions."""
        cards, acts = state
        return f"{cards[len(acts) % 2]}:{acts}"

    def play(self, state: State, move: int) -> State:
        """Deal the next card, or act."""
        cards, acts = state
        if len(cards) < 2:
            return cards + [card for card in CARDS if card not in cards][move], acts
        return cards, acts + {"fold": "f", "check": "c", "call": "c", "bet": "r"}[self.actions(state)[move]]

    def returns(self, state: State) -> tuple[float, float]:
        """The ante of the player who folds, or the chips of a showdown."""
        cards, acts = state
        if acts.endswith("f"):
            won = 1.0 if len(acts) % 2 == 0 else -1.0
        else:
            won = float(PAYOFFS[acts] if CARDS.index(cards[0]) > CARDS.index(cards[1]) else -PAYOFFS[acts])
        return won, -won


def equilibrium(alpha: float) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """A member of the family of equilibria that Kuhn derived.

    Parameters
    ----------
    alpha
        The probability that the first player bets a jack, 0 to 1/3.

    Returns
    -------
    tuple
        By player and information set, the probability of each action; ``StrategyProfile.of`` takes it.

    Raises
    ------
    ArgumentError
        ``alpha`` is outside its range.
    """
    if not 0 <= alpha <= 1 / 3:
        raise ArgumentError(f"alpha = {alpha}: expected 0 to 1/3")
    bets = {"J:": alpha, "Q:": 0.0, "K:": 3 * alpha, "J:c": 1 / 3, "Q:c": 0.0, "K:c": 1.0}
    calls = {"J:cr": 0.0, "Q:cr": alpha + 1 / 3, "K:cr": 1.0, "J:r": 0.0, "Q:r": 1 / 3, "K:r": 1.0}
    rows = {key: {"check": 1 - bet, "bet": bet} for key, bet in bets.items()}
    rows |= {key: {"fold": 1 - call, "call": call} for key, call in calls.items()}
    first = {key: row for key, row in rows.items() if len(key) % 2 == 0}
    return first, {key: row for key, row in rows.items() if key not in first}

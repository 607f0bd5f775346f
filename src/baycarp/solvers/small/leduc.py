"""Leduc hold'em: six cards of three ranks, two rounds of at most two bets, one public card.

Source: F. Southey et al., Bayes' bluff: opponent modelling in poker, UAI 2005. Suits have no meaning, and a
card is its rank here: 288 information sets (936 where the two cards of a rank differ; the values are equal).
"""

from collections.abc import Sequence
from typing import TypeAlias

from baycarp.solvers.small.game import CHANCE, END

__all__ = ["VALUE", "Leduc"]

VALUE = -0.0856064240780
"""What the first player wins in equilibrium, in chips a hand: by linear programming, as the tests do."""

RANKS = "JQK"
COPIES = 2
ANTE, BETS = 1, (2, 4)
"""Chips: the ante, and the bet of each round."""
CAP = 2
"""Bets and raises of a round, at most."""

LETTERS = {"fold": "f", "check": "c", "call": "c", "bet": "r", "raise": "r"}

State: TypeAlias = tuple[str, tuple[str, ...]]
"""Ranks dealt so far (first player, second player, public card), and the actions of each round."""


class Leduc:
    """The game as ``baycarp.solvers.Game``; payoffs in chips.

    An information set is the player's card, the public card if there is one, and the actions of each round:
    ``KQ:crc/r`` is a king, a queen on the table, and a bet to call in the second round.

    Examples
    --------
    >>> game = Leduc()
    >>> game.actions(("KQ", ("cr",))), game.information(("KJQ", ("crc", "r")))
    (('fold', 'call', 'raise'), 'JQ:crc/r')
    >>> game.returns(("KJJ", ("rc", "rc")))
    (-7.0, 7.0)
    """

    name = "leduc"

    def root(self) -> State:
        """No card is dealt."""
        return "", ("",)

    def turn(self, state: State) -> int:
        """Chance deals a card to each player, and the public card between the rounds."""
        cards, rounds = state
        acts = rounds[-1]
        if len(cards) < 2 or (_is_over(acts) and len(cards) == 2 and acts[-1] != "f"):
            return CHANCE
        return END if _is_over(acts) else len(acts) % 2

    def probabilities(self, state: State) -> Sequence[float]:
        """By rank, in the order of ``RANKS`` without those of which no card is left."""
        cards = state[0]
        left = [COPIES - cards.count(rank) for rank in _left(cards)]
        return [count / sum(left) for count in left]

    def actions(self, state: State) -> Sequence[str]:
        """Check or bet; facing a bet, fold or call, and raise below the cap. Chance deals a rank."""
        if self.turn(state) == CHANCE:
            return tuple(_left(state[0]))
        acts = state[1][-1]
        if not acts.endswith("r"):
            return "check", "bet"
        return ("fold", "call", "raise") if acts.count("r") < CAP else ("fold", "call")

    def information(self, state: State) -> str:
        """The player's own card, the public card, and the actions."""
        cards, rounds = state
        return f"{cards[len(rounds[-1]) % 2]}{cards[2:]}:{'/'.join(rounds)}"

    def play(self, state: State, move: int) -> State:
        """Deal a card, or act."""
        cards, rounds = state
        if self.turn(state) == CHANCE:
            begun = rounds if len(cards) < 2 else (*rounds, "")
            return cards + _left(cards)[move], begun
        return cards, (*rounds[:-1], rounds[-1] + LETTERS[self.actions(state)[move]])

    def returns(self, state: State) -> tuple[float, float]:
        """What the loser put in; nothing where the hands are equal."""
        cards, rounds = state
        put = [ANTE, ANTE]
        for acts, bet in zip(rounds, BETS, strict=False):
            for number, act in enumerate(acts):
                if act != "f":
                    put[number % 2] = put[1 - number % 2] + bet * (act == "r")
        if rounds[-1].endswith("f"):
            ahead = 1 if len(rounds[-1]) % 2 == 0 else -1
        else:
            first, second = (_strength(card, cards[2]) for card in cards[:2])
            ahead = (first > second) - (first < second)
        won = float(ahead * min(put))
        return won, -won


def _left(cards: str) -> str:
    return "".join(rank for rank in RANKS if cards.count(rank) < COPIES)


def _is_over(acts: str) -> bool:
    return acts.endswith("f") or (len(acts) > 1 and acts.endswith("c"))


def _strength(card: str, public: str) -> int:
    """A pair with the public card is ahead of any rank."""
    return RANKS.index(card) + len(RANKS) * (card == public)

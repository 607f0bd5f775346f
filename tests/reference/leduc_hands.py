"""Leduc hold'em from its rules, in the form in which estimators of hold'em read a hand.

Six cards, two of each rank; an ante of one chip each; two rounds with bets of 2 and 4, at most two a round;
one public card between them. A pair with it wins, else the higher rank.
"""

from itertools import permutations
from types import SimpleNamespace

import numpy as np

from baycarp.game.action import Action

RANKS, COPIES, BETS, CAP = "JQK", 2, (2, 4), 2
CARDS = range(len(RANKS) * COPIES)
BEHIND = 100
"""Chips that a player has left whatever it does."""


def rank(card):
    return card // COPIES


def ahead(one, other, public):
    """1, 0 or -1: the first hand wins, shares or loses."""
    strengths = [rank(card) + len(RANKS) * (rank(card) == rank(public)) for card in (one, other)]
    return (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])


class LeducHand:
    """A hand of two cards and the public one; what has been done, and what it cost."""

    variant = SimpleNamespace(seats=2, small_bet=BETS[0])

    def __init__(self, cards, acts=()):
        self.holes, self._public, self.acts = ((cards[0],), (cards[1],)), cards[2], ()
        self.rounds, self.committed = [""], [1, 1]
        for act in acts:
            self.apply(act)

    def begun(self):
        return LeducHand((self.holes[0][0], self.holes[1][0], self._public))

    def copy(self):
        other = self.begun()
        for act in self.acts:
            other.apply(act.action)
        return other

    @property
    def street(self):
        return len(self.rounds) - 1

    @property
    def to_act(self):
        acts = self.rounds[-1]
        closed = acts.endswith("f") or (len(acts) > 1 and acts.endswith("c"))
        return None if closed else len(acts) % 2

    @property
    def board(self):
        return (self._public,) * (self.street == 1)

    @property
    def seats_in(self):
        acts = self.rounds[-1]
        return (len(acts) % 2,) if acts.endswith("f") else (0, 1)

    @property
    def stacks(self):
        return (BEHIND, BEHIND)

    @property
    def pot(self):
        return sum(self.committed)

    def legal(self):
        acts = self.rounds[-1]
        if not acts.endswith("r"):
            return ("check", "bet")
        return ("fold", "call", "raise") if acts.count("r") < CAP else ("fold", "call")

    def named(self, name):
        assert name in self.legal()
        return Action(name)

    def apply(self, action):
        seat, name = self.to_act, action.name
        assert name in self.legal()
        if name != "fold":
            bold = name in ("bet", "raise")
            self.committed[seat] = self.committed[1 - seat] + BETS[self.street] * bold
        self.rounds[-1] += {"fold": "f", "check": "c", "call": "c"}.get(name, "r")
        self.acts += (SimpleNamespace(seat=seat, action=action),)
        if self.to_act is None and self.street == 0 and name != "fold":
            self.rounds.append("")

    @property
    def information(self):
        """The name of the information set of the player to act, as ``baycarp.solvers`` has it."""
        cards = (self.holes[self.to_act][0], *self.board)
        return f"{''.join(RANKS[rank(card)] for card in cards)}:{'/'.join(self.rounds)}"

    def payoffs(self):
        if len(self.seats_in) == 1:
            won = self.committed[1] if self.seats_in == (0,) else -self.committed[0]
        else:
            won = self.committed[0] * ahead(self.holes[0][0], self.holes[1][0], self._public)
        return (won, -won)


class LeducShowdowns:
    """All-in values by all public cards that may come."""

    def __init__(self, over):
        self.holes, self.board = over.holes, over.board

    def shares(self, board, contenders):
        (one,), (other,) = self.holes
        left = board or [card for card in CARDS if card not in (one, other)]
        share = np.mean([0.5 + ahead(one, other, public) / 2 for public in left])
        return np.array([share, 1 - share])

    def value(self, state, board):
        won = -np.array(state.committed, np.float64)
        if len(state.seats_in) == 1:
            won[state.seats_in[0]] += state.pot
        else:
            won += state.pot * self.shares(board, (0, 1))
        return won


DEALS = tuple(permutations(CARDS, 3))
"""Two hands and the public card, all equally likely."""


def lines(cards, tables, state=None, chance=1.0, policies=()):
    """Every hand of one deal: its probability where both play tables, the hand, the policy of each act."""
    state = state or LeducHand(cards)
    if state.to_act is None:
        yield chance, state, policies
        return
    row = tables[state.to_act][state.information]
    policy = {Action(name): probability for name, probability in row.items()}
    for action, probability in policy.items():
        if probability > 0:
            after = state.copy()
            after.apply(action)
            yield from lines(cards, tables, after, chance * probability, (*policies, policy))

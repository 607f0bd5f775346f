"""The exact best reply to a policy by buckets, in heads-up fixed limit from the turn on, by its definition.

The player is first to act. It has the public actions, its cards, the board of the turn
and, on the river, what ``shows`` returns for the river card. Nothing of the package is used.
"""

from itertools import groupby

BET, MOST = 20, 4


class Street:
    """The bets of one street: position 0 (the player) acts first."""

    def __init__(self, before, number, paid=(0, 0), bets=0, acts=0, to_act=0):
        self.before, self.number, self.paid, self.bets = before, number, paid, bets
        self.acts, self.to_act = acts, to_act

    @property
    def owed(self):
        return max(self.paid) - self.paid[self.to_act]

    def kinds(self):
        """Fold if a bet is owed, check or call, bet or raise below the cap."""
        return [*((0,) if self.owed else ()), 1, *((2,) if self.bets < MOST else ())]

    def price(self):
        if not self.owed:
            return 0
        return 4 if self.bets == MOST else min(self.bets, 3)

    def put(self, kind):
        """After a call or raise: the street, and whether it is over."""
        paid = list(self.paid)
        paid[self.to_act] = max(self.paid) + (BET if kind == 2 else 0)
        over = kind == 1 and self.acts > 0
        after = Street(
            self.before, self.number, tuple(paid), self.bets + (kind == 2), self.acts + 1, 1 - self.to_act
        )
        return after, over


def worth(street, deals, policy, shows):
    """The sum over deals of weight times chips won in the hand, by the best reply.

    A deal is (weight, the opponent's bucket on the turn and on the river, river card, share of the pot).
    """
    if street.to_act == 0:
        return max(worth_of(street, kind, deals, policy, shows) for kind in street.kinds())
    total = 0.0
    for kind in street.kinds():
        left = []
        for weight, turn, river, card, share in deals:
            row = policy[street.number][street.price()][(turn, river)[street.number - 2]]
            chance = row[kind] / sum(row[each] for each in street.kinds())
            left.append((weight * chance, turn, river, card, share))
        if sum(deal[0] for deal in left) > 0:
            total += worth_of(street, kind, left, policy, shows)
    return total


def worth_of(street, kind, deals, policy, shows):
    """The same after an action of the position to act."""
    if kind == 0:
        mine = street.before + street.paid[0]
        other = street.before + street.paid[1]
        return sum(deal[0] for deal in deals) * (-mine if street.to_act == 0 else other)
    after, over = street.put(kind)
    if not over:
        return worth(after, deals, policy, shows)
    pot = street.before + after.paid[0]
    if street.number == 3:
        return sum(weight * (2 * share - 1) * pot for weight, *_, share in deals)
    deals = sorted(deals, key=lambda deal: shows(deal[3]))
    return sum(
        worth(Street(pot, 3), list(same), policy, shows)
        for _, same in groupby(deals, lambda deal: shows(deal[3]))
    )

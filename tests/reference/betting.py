"""Hold'em's betting straight from the rules in game.h: lists, a queue, and pots counted chip by chip."""

from collections import deque
from fractions import Fraction


class Hand:
    """One hand; ``game`` is a Variant, read as plain data."""

    def __init__(self, game, stacks):
        self.game, self.n = game, game.seats
        self.big = game.least_bet or max(game.blinds)
        self.antes = [min(ante, stack) for ante, stack in zip(game.antes, stacks, strict=True)]
        self.stacks = [stack - ante for stack, ante in zip(stacks, self.antes, strict=True)]
        self.total = [0] * self.n
        self.folded = set()
        self.street = 0
        self.over = False
        self.open_street(max(self.big, *game.blinds) if any(game.blinds) else 0)
        for seat, blind in enumerate(game.blinds):
            self.pay(seat, min(blind, self.stacks[seat]))
        if game.first[0] >= 0:
            self.fill_queue(game.first[0], self.n)
        else:  # a bomb pot
            self.street = 1
            self.open_street(0)
            self.fill_queue(game.first[1], self.n)

    def open_street(self, level):
        self.bets = [0] * self.n
        self.level, self.largest, self.raises = level, self.big, 0
        self.level_when_acted = {}

    def pay(self, seat, chips):
        self.stacks[seat] -= chips
        self.bets[seat] += chips
        self.total[seat] += chips

    def players_in(self):
        return [seat for seat in range(self.n) if seat not in self.folded]

    def fill_queue(self, first, count):
        around = [(first + k) % self.n for k in range(count)]
        self.queue = deque(seat for seat in around if seat not in self.folded and self.stacks[seat])
        self.settle_queue()

    def settle_queue(self):
        """Remove players without a decision; go to the next street when no player remains."""
        players = self.players_in()
        if len(players) == 1:
            self.queue.clear()
            self.over = True
            return
        rich = [seat for seat in players if self.stacks[seat]]
        if len(rich) == 0 or (len(rich) == 1 and self.owed(rich[0]) == 0):
            self.queue.clear()
        if self.queue:
            return
        if self.street == 3:
            self.over = True
            return
        self.street += 1
        self.open_street(0)
        self.fill_queue(self.game.first[self.street], self.n)

    @property
    def to_act(self):
        return None if self.over else self.queue[0]

    def owed(self, seat):
        others = [other for other in self.players_in() if other != seat]
        level = self.level
        if not any(self.stacks[other] for other in others):
            level = min(level, max(self.bets[other] for other in others))
        return min(max(0, level - self.bets[seat]), self.stacks[seat])

    def bounds(self):
        """``(least, most)`` bet or raise of the player to act, (0, 0) if it is illegal."""
        seat = self.to_act
        everything = self.bets[seat] + self.stacks[seat]
        limit = self.game.betting == "limit"
        size = self.game.raise_sizes[self.street] if limit else self.largest
        cap = self.game.max_raises[self.street]
        if cap is not None and self.raises >= cap:
            return 0, 0
        if everything <= self.level:
            return 0, 0
        if seat in self.level_when_acted:
            raised_by = self.level - self.level_when_acted[seat]
            if raised_by < (size / 2 if limit else size):
                return 0, 0
        if all(self.bets[i] + self.stacks[i] <= self.level for i in self.players_in() if i != seat):
            return 0, 0
        least = min(self.level + size, everything)
        if self.game.betting == "pot-limit":
            pot = sum(self.total) + sum(self.antes) + self.level - self.bets[seat]
            return least, max(least, min(self.level + pot, everything))
        return least, least if limit else everything

    def act(self, name, amount):
        seat = self.queue.popleft()
        if name == "fold":
            self.folded.add(seat)
        elif name in ("check", "call"):
            self.pay(seat, self.owed(seat))
        else:
            self.largest = max(self.largest, amount - self.level)
            self.level = amount
            self.raises += 1
            self.pay(seat, amount - self.bets[seat])
        self.level_when_acted[seat] = self.level
        if name in ("bet", "raise"):
            self.fill_queue(seat + 1, self.n - 1)
        else:
            self.settle_queue()

    def pots(self):
        """``[[chips, contenders], ...]``, counted chip by chip over all players."""
        dead = len(set(self.game.antes)) > 1
        players = self.players_in()
        matched = [t + (0 if dead else a) for t, a in zip(self.total, self.antes, strict=True)]
        pots = [[sum(self.antes), tuple(players)]] if dead and any(self.antes) else []
        for chip in range(1, max(matched) + 1):
            chips = sum(m >= chip for m in matched)
            contenders = tuple(seat for seat in players if matched[seat] >= chip)
            if not pots:
                contenders = contenders or tuple(players)
            if pots and contenders in (pots[-1][1], ()):  # a folded player's alone: to the last pot
                pots[-1][0] += chips
            else:
                pots.append([chips, contenders])
        return pots

    def payoffs(self, ranks):
        paid = [total + ante for total, ante in zip(self.total, self.antes, strict=True)]
        return settle(paid, self.pots(), ranks)


def settle(paid, pots, ranks, odd="each"):
    """Net chips by position: each pot ``(chips, contenders)`` to its best ranks.

    ``odd``: the chips over go one ``"each"``, from the first winner on, or all to the ``"first"``; or a pot
    is divided in ``"fractions"``.
    """
    net = [-chips for chips in paid]
    for chips, contenders in pots:
        best = max(ranks[seat] for seat in contenders)
        winners = [seat for seat in contenders if ranks[seat] == best]
        for seat in winners:
            net[seat] += Fraction(chips, len(winners)) if odd == "fractions" else chips // len(winners)
        over = 0 if odd == "fractions" else chips % len(winners)
        for number in range(over):
            net[winners[number if odd == "each" else 0]] += 1
    return tuple(net)

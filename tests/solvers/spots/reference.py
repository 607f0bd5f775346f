"""The engine of spots straight from its definition: every pair of holdings, every card dealt, in float64.

It has the interface of ``baycarp.kernels.spots.Engine`` and is its referee. Nothing is merged, sorted or
compacted: a showdown is a matrix of pairs of holdings, a deal visits every card of the deck.

An iteration ``t`` (0, 1, ...) updates player 0 against player 1's strategy, then player 1 against the new
one of player 0. With the regrets R and sums S of a decision by action:

    strategy   R+ / sum R+ of a holding; uniform where no regret is positive
    R          (alpha if R > 0 else beta) * R + counterfactual value of the action - of the strategy,
               while its player is updated
    S          gamma * S + own reach * strategy, while the other player is updated

with alpha = t^a / (t^a + 1), beta = t^b / (t^b + 1), and gamma = (u / (u + 1))^g where u counts iterations
from the last power of a restart's base. ``own reach`` is the weight of the holding times the shares of
its own actions on the way.

A locked holding has fixed shares for some actions; the free actions share the rest by their own regrets,
against the value of the free part alone. A free action may have a least share, which is none of the rest.
With every action fixed nothing is learned.
"""

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import inf

import numpy as np

from baycarp.kernels.hands import rank

DECISION, END, SHOWDOWN, DEAL, SUM = range(5)
SCHEMES = {
    "dcfr": (1.5, 0, 4, 0),
    "dcfr-restart": (1.5, 0, 3, 4),
    "cfr": (inf, inf, 0, 0),
    "cfr+": (inf, -inf, 1, 0),
    "linear": (1, 1, 1, 0),
}
"""Exponents for positive regrets, negative ones and the sums; the base of restarts, 0 = none."""


@dataclass
class Probe:
    reach: tuple
    strategy: np.ndarray
    value: tuple
    action_value: np.ndarray


def discounts(scheme, t):
    """alpha, beta, gamma of iteration t, counted from 0."""
    positive, negative, average, restart = SCHEMES.get(scheme, scheme)
    power = 1 if restart and t else 0
    while power and power * restart <= t:
        power *= restart
    u = t - power
    return _factor(t, positive), _factor(t, negative), (u / (u + 1)) ** average


def _factor(t, exponent):
    if t == 0:
        return 0.0
    return {inf: 1.0, -inf: 0.0}.get(exponent) if abs(exponent) == inf else t**exponent / (t**exponent + 1)


class Engine:
    def __init__(self, board, holdings, weights, kind, player, first, count, payoff, **settings):
        self.board = tuple(board)
        self.holdings = tuple(np.asarray(h, np.uint8) for h in holdings)
        self.weights = tuple(np.asarray(w, np.float64) for w in weights)
        self.kind, self.player = np.asarray(kind), np.asarray(player)
        self.first, self.count = np.asarray(first), np.asarray(count)
        self.payoff = np.array(payoff, np.float64)
        self.iterations = 0
        self.apart = np.array(
            [[not {*a} & {*b} for b in self.holdings[1].tolist()] for a in self.holdings[0].tolist()], float
        )
        self.regret, self.sums, self.locks = {}, {}, {}
        self._shares = {}

    # The tables, by node and the cards dealt on the way to it.

    def _free(self, place):
        """(fixed and least shares, 0 elsewhere; bool free; what the free actions share) of a decision."""
        node, _cards = place
        shape = self.count[node], len(self.holdings[self.player[node]])
        fixed = self.locks.get(place, self.locks.get((node, None)))
        fixed = np.full(shape, np.nan) if fixed is None else fixed
        free = ~(fixed >= 0)
        known = np.abs(np.nan_to_num(fixed, nan=0.0))
        return known, free, 1 - known.sum(axis=0)

    def _shared(self, place, table):
        """A strategy from a table: positive numbers in proportion, uniform where there are none."""
        known, free, rest = self._free(place)
        positive = np.where(free, np.maximum(table, 0), 0.0)
        total = positive.sum(axis=0)
        shares = np.where(
            total > 0, positive / np.where(total > 0, total, 1), free / np.maximum(free.sum(axis=0), 1)
        )
        return known + rest * shares

    def _table(self, tables, place):
        node = place[0]
        return tables.setdefault(place, np.zeros((self.count[node], len(self.holdings[self.player[node]]))))

    def _average(self, place):
        return self._shared(place, self._table(self.sums, place))

    def _current(self, place):
        return self._shared(place, self._table(self.regret, place))

    # Pairs.

    def _alive(self, player, cards):
        return np.array([not {*h} & {*cards} for h in self.holdings[player].tolist()], float)

    def _deck(self, cards):
        known = {*self.board, *cards}
        return [card for card in range(52) if card not in known]

    def _results(self, cards):
        """The probability that player 0 wins, ties, loses, by pair of holdings, over all boards."""
        if cards not in self._shares:
            missing = 5 - len(self.board) - len(cards)
            found, boards = np.zeros((3, *self.apart.shape)), np.zeros(self.apart.shape)
            for rest in combinations(self._deck(cards), missing):
                full = (*self.board, *cards, *rest)
                alive = [self._alive(p, full[len(self.board) :]) for p in (0, 1)]
                ranks = [np.zeros(len(h)) for h in self.holdings]
                for p, h in enumerate(self.holdings):
                    if alive[p].any():
                        held = h[alive[p] > 0]
                        rows = np.column_stack([held, np.tile(np.array(full, np.uint8), (len(held), 1))])
                        ranks[p][alive[p] > 0] = rank(rows)
                possible = np.outer(*alive) * self.apart
                boards += possible
                ahead = np.sign(ranks[0][:, None] - ranks[1][None, :])
                for at, sign in enumerate((1, 0, -1)):
                    found[at] += possible * (ahead == sign)
            self._shares[cards] = found / np.maximum(boards, 1)
        return self._shares[cards]

    def _leaf(self, node, cards, hero, reach):
        if self.kind[node] == END:
            matrix = self.apart * self.payoff[node, hero, 0]
        else:
            win, tie, lose = self._results(cards)
            if hero:
                win, lose = lose, win
            matrix = self.apart * np.einsum("k,kij->ij", self.payoff[node, hero], np.stack([win, tie, lose]))
        return self._alive(hero, cards) * ((matrix if hero == 0 else matrix.T) @ reach)

    # One walk for all purposes: what is done at the hero's decisions differs.

    def _walk(self, node, cards, hero, own, reach, visit):
        """Values of the hero's holdings, summed over the other's reach."""
        kind, children = self.kind[node], range(self.first[node], self.first[node] + self.count[node])
        if kind in (END, SHOWDOWN):
            return self._leaf(node, cards, hero, reach)
        if kind == SUM:
            return sum(self._walk(child, cards, hero, own, reach, visit) for child in children)
        if kind == DEAL:
            total = np.zeros(len(self.holdings[hero]))
            chance = 1 / (52 - len(self.board) - len(cards) - 4)
            for card in self._deck(cards):
                alive = [self._alive(p, (card,)) for p in (0, 1)]
                walked = self._walk(
                    children[0],
                    (*cards, card),
                    hero,
                    own * alive[hero],
                    reach * alive[1 - hero] * chance,
                    visit,
                )
                total += alive[hero] * walked
            return total
        place = node, cards
        if self.player[node] != hero:
            shares = visit.theirs(place, reach)
            return sum(
                self._walk(child, cards, hero, own, reach * share, visit)
                for child, share in zip(children, shares, strict=True)
            )
        shares = visit.shares(place)
        values = np.array(
            [
                self._walk(child, cards, hero, own * share, reach, visit)
                for child, share in zip(children, shares, strict=True)
            ]
        )
        return visit.result(place, own, shares, values)

    def run(self, iterations, discount="dcfr"):
        for _ in range(iterations):
            for hero in (0, 1):
                visit = _Learn(self, *discounts(discount, self.iterations), discount == "cfr+")
                self._walk(0, (), hero, self.weights[hero], self.weights[1 - hero], visit)
                self._write(visit)
            self.iterations += 1

    def _write(self, visit):
        self.regret.update(visit.regret)
        self.sums.update(visit.sums)

    def _mass(self):
        return self.weights[0] @ self.apart @ self.weights[1]

    def values(self, response=None):
        visit = _Average(self) if response is None else _Best(self, free=response == "free")
        return np.array(
            [
                self.weights[hero]
                @ self._walk(0, (), hero, self.weights[hero], self.weights[1 - hero], visit)
                / self._mass()
                for hero in (0, 1)
            ]
        )

    def respond(self, player):
        visit = _Best(self, free=False)
        self._walk(0, (), player, self.weights[player], self.weights[1 - player], visit)
        for place, best in visit.best.items():
            self.sums[place] = best

    def lock(self, node, cards, fixed):
        fixed = np.array(fixed, np.float64)
        self.locks[int(node), None if cards is None else tuple(cards)] = fixed

    def set_payoff(self, node, payoff):
        self.payoff[node] = payoff

    def state(self):
        """Arrays by name."""
        found = {"iterations": np.array(self.iterations)}
        for name, tables in (("regret", self.regret), ("sums", self.sums)):
            for (node, cards), table in tables.items():
                found["-".join([name, str(node), *map(str, cards)])] = table.copy()
        return found

    def restore(self, state):
        self.regret, self.sums = {}, {}
        for key, table in state.items():
            name, *numbers = key.split("-")
            if name == "iterations":
                self.iterations = int(table)
            else:
                node, *cards = map(int, numbers)
                getattr(self, name)[node, tuple(cards)] = np.array(table)

    # One node.

    def _way(self, node):
        """The nodes from the root to a node."""
        way = [node]
        while way[-1]:
            at = way[-1]
            way.append(
                next(
                    i
                    for i in range(at)
                    if self.count[i] and self.first[i] <= at < self.first[i] + self.count[i]
                )
            )
        return way[::-1]

    def probe(self, node, cards):
        node, cards, way = int(node), tuple(cards), self._way(int(node))
        reach, dealt = [w.copy() for w in self.weights], 0
        for at, child in pairwise(way):
            if self.kind[at] == DECISION:
                reach[self.player[at]] *= self._average((at, cards[:dealt]))[child - self.first[at]]
            elif self.kind[at] == DEAL:
                for p in (0, 1):
                    reach[p] *= self._alive(p, cards[dealt : dealt + 1])
                dealt += 1
        assert dealt == len(cards)
        visit = _Average(self)
        mass = [
            self._alive(0, cards) * (self.apart @ reach[1]),
            self._alive(1, cards) * (self.apart.T @ reach[0]),
        ]
        value = tuple(
            _over(self._walk(node, cards, p, reach[p], reach[1 - p], visit), mass[p]) for p in (0, 1)
        )
        strategy, action_value = np.zeros((0, 0)), np.zeros((0, 0))
        if self.kind[node] == DECISION:
            p, strategy = self.player[node], self._average((node, cards))
            action_value = np.array(
                [
                    _over(self._walk(self.first[node] + a, cards, p, reach[p], reach[1 - p], visit), mass[p])
                    for a in range(self.count[node])
                ]
            )
        return Probe(tuple(reach), strategy, value, action_value)


def _over(values, mass):
    return np.where(mass > 0, values / np.where(mass > 0, mass, 1), np.nan)


class _Average:
    def __init__(self, engine):
        self.engine = engine

    def theirs(self, place, reach):
        return self.engine._average(place)

    def shares(self, place):
        return self.engine._average(place)

    def result(self, place, own, shares, values):
        return (shares * values).sum(axis=0)


class _Learn(_Average):
    def __init__(self, engine, alpha, beta, gamma, plus):
        self.engine, self.alpha, self.beta, self.gamma, self.plus = engine, alpha, beta, gamma, plus
        self.regret, self.sums = {}, {}

    def theirs(self, place, reach):
        shares = self.engine._current(place)
        known, free, _rest = self.engine._free(place)
        own = shares - np.where(free, known, 0)
        self.sums[place] = self.gamma * self.engine._table(self.engine.sums, place) + reach * own
        return shares

    def shares(self, place):
        return self.engine._current(place)

    def result(self, place, own, shares, values):
        known, free, rest = self.engine._free(place)
        part = np.where(rest > 0, np.where(free, shares - known, 0) / np.where(rest > 0, rest, 1), 0)
        if (gone := (rest <= 0) & free.any(axis=0)).any():
            part = np.where(gone, free / np.maximum(free.sum(axis=0), 1), part)
        old = self.engine._table(self.engine.regret, place)
        kept = np.where(old > 0, self.alpha, self.beta) * old
        regret = kept + np.where(free, values - (part * values).sum(axis=0), 0)
        self.regret[place] = np.maximum(regret, 0) if self.plus else regret
        return (shares * values).sum(axis=0)


class _Best(_Average):
    def __init__(self, engine, free):
        self.engine, self.free, self.best = engine, free, {}

    def result(self, place, own, shares, values):
        known, free, rest = self.engine._free(place)
        if self.free:
            known, free, rest = np.zeros_like(known), np.ones_like(free), np.ones_like(rest)
        tried = np.where(free, values, -np.inf)
        most = tried.argmax(axis=0)
        self.best[place] = np.where(free, np.arange(len(values))[:, None] == most, 0.0)
        return (known * values).sum(axis=0) + rest * np.where(
            free.any(axis=0), np.where(free, values, -np.inf).max(axis=0, initial=-np.inf), 0
        )


def engine_bytes(board, holdings, weights, kind, player, first, count, payoff, **settings):
    """Of the tables alone, in float32, without merged boards."""
    board, cells = len(board), 0
    streets = [board] * len(kind)
    for node in range(len(kind)):
        for child in range(first[node], first[node] + count[node]):
            streets[child] = streets[node] + (kind[node] == DEAL)
        if kind[node] == DECISION:
            boards = 1
            for dealt in range(board, streets[node]):
                boards *= 52 - dealt
            cells += int(count[node]) * len(holdings[player[node]]) * boards
    return settings.get("bits", 32) // 4 * cells

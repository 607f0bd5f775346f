"""Counterfactual regret minimisation and best responses by their definitions, pair of holdings by pair."""

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from baycarp.card import HOLDINGS
from baycarp.game import Variant
from baycarp.game.state import State

LETTERS = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}


def capped(cap, small=2):
    """Heads-up limit with the same cap of raises on every street."""
    return replace(Variant.ring(2, small), max_raises=(cap,) * 4, name=f"capped at {cap}")


def places(tree):
    """The place of every decision of a game in its betting, by playing the game."""
    found, waiting = {}, [State(tree.variant)]
    while waiting:
        state = waiting.pop()
        if not state.is_over:
            found[state.betting] = tree.place(state.betting)
            for action in state.legal_actions():
                waiting.append(state.copy())
                waiting[-1].apply(action)
    return found


@dataclass
class Toy:
    """A few holdings and boards, all dealt alike; buckets[board] is of shape (4, 1326)."""

    game: Variant
    boards: list
    dealt: np.ndarray
    buckets: list

    def deals(self):
        """(number of the board, holding of position 0, of position 1), all that fit."""
        held = np.flatnonzero(self.dealt)
        for number, board in enumerate(self.boards):
            for one in held:
                for other in held:
                    cards = {*HOLDINGS[one].tolist(), *HOLDINGS[other].tolist(), *board}
                    if len(cards) == 9:
                        yield number, one, other

    def root(self, number, one, other):
        deck = [*HOLDINGS[one].tolist(), *HOLDINGS[other].tolist(), *self.boards[number]]
        return State(self.game, deck=np.array(deck, np.uint8))

    def bucket(self, number, state, hands):
        return int(self.buckets[number][state.street][hands[state.to_act]])


def children(state):
    for action in state.legal_actions():
        after = state.copy()
        after.apply(action)
        yield LETTERS[action.name], after


class SlowCFR:
    def __init__(self, toy):
        self.toy, self.iterations = toy, 0
        self.regret, self.average = defaultdict(lambda: np.zeros(3)), defaultdict(lambda: np.zeros(3))
        self.legal = {}

    def strategy(self, key, sums):
        legal = self.legal[key]
        positive = np.where(legal, np.maximum(sums[key], 0), 0)
        return positive / positive.sum() if positive.sum() > 0 else legal / legal.sum()

    def key(self, number, state, hands):
        key = state.betting, self.toy.bucket(number, state, hands)
        if key not in self.legal:
            self.legal[key] = np.zeros(3)
            for letter, _ in children(state):
                self.legal[key][letter] = 1
        return key

    def iterate(self, step):
        low, high, keep, weight = step
        for hero in (0, 1):
            change, reached = defaultdict(lambda: np.zeros(3)), defaultdict(lambda: np.zeros(3))
            for number, one, other in self.toy.deals():
                self.walk(self.toy.root(number, one, other), number, (one, other), hero, 1.0, change, reached)
            for key, sums in change.items():
                sums = self.regret[key] + sums
                self.regret[key] = sums * np.where(sums < 0, low, high)
            for key in {key for key, _, _ in reached}:
                self.average[key] = keep * self.average[key]
            for (key, _, _), sums in reached.items():
                self.average[key] = self.average[key] + weight * sums
        self.iterations += 1

    def walk(self, state, number, hands, hero, reach, change, reached):
        """What the hero wins; ``reach`` is the other player's probability of playing to here."""
        if state.is_over:
            return state.payoffs()[hero]
        key = self.key(number, state, hands)
        policy = self.strategy(key, self.regret)
        if state.to_act != hero:
            reached[key, number, hands[1 - hero]] = reach * policy  # once, whatever the hero holds
            return sum(
                policy[letter]
                * self.walk(after, number, hands, hero, reach * policy[letter], change, reached)
                for letter, after in children(state)
            )
        worth = np.zeros(3)
        for letter, after in children(state):
            worth[letter] = self.walk(after, number, hands, hero, reach, change, reached)
        value = policy @ worth
        change[key] += reach * (worth - value) * self.legal[key]
        return value


def best_response_value(toy, policy, hero):
    """What the best response wins against ``policy(betting, bucket)`` over all deals.

    The hero knows its holding, and the board from the flop on.
    """
    total = 0.0
    for held in np.flatnonzero(toy.dealt):
        worlds = [
            (number, (one, other), 1.0) for number, one, other in toy.deals() if (one, other)[hero] == held
        ]
        if worlds:
            total += _best(toy, policy, hero, "", worlds)
    return total


def _after(toy, betting, world):
    state = toy.root(world[0], *world[1])
    for letter in betting.replace("/", ""):
        state.apply(next(a for a in state.legal_actions() if LETTERS[a.name] == "fcr".index(letter)))
    return state


def _best(toy, policy, hero, betting, worlds):
    state = _after(toy, betting, worlds[0])
    if state.is_over:
        return sum(
            weight * _after(toy, betting, (number, hands)).payoffs()[hero] for number, hands, weight in worlds
        )
    boards = {number for number, _, _ in worlds}
    if state.street > 0 and len(boards) > 1:
        return sum(
            _best(toy, policy, hero, betting, [world for world in worlds if world[0] == board])
            for board in boards
        )
    letters = [letter for letter, _ in children(state)]
    if state.to_act == hero:
        return max(_best(toy, policy, hero, betting + "fcr"[letter], worlds) for letter in letters)
    value = 0.0
    for letter in letters:
        then = [
            (n, hands, weight * policy(state.betting, toy.bucket(n, state, hands))[letter])
            for n, hands, weight in worlds
        ]
        value += _best(toy, policy, hero, betting + "fcr"[letter], then)
    return value

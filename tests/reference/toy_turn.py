"""A heads-up turn in fixed limit, with a best reply: three holdings, eight rivers, two buckets."""

from functools import cache
from itertools import combinations

import numpy as np
from reference.best_reply import Street, worth_of
from reference.hands import rank

from baycarp.card import HOLDINGS, cards, holding_index
from baycarp.game.state import State
from baycarp.game.variant import Variant
from baycarp.kernels.game import CALL, RAISE

BOARD = [int(card) for card in cards("Ks8h3c2d")]
OPPONENT = {"AhKd": 0.3, "8s7s": 0.3, "QcJc": 0.4}
RIVERS = [int(card) for card in cards("Ac8d7h5s4sJdQh")]
EDGE = 0.6


def holding(text):
    return tuple(int(card) for card in cards(text))


def alive(hole):
    return {*hole, *BOARD, *RIVERS, *(card for text in OPPONENT for card in holding(text))}


def strength(hole, board):
    """The share of all other holdings that lose, ties half, for a board of five."""
    own = rank([*hole, *board])
    left = [card for card in range(52) if card not in {*hole, *board}]
    step = list(combinations(left, 2))[::3]  # a third of them, since no strength is near the edge
    beaten = [(other < own) + (other == own) / 2 for other in (rank([*pair, *board]) for pair in step)]
    return float(np.mean(beaten))


def bucket(hole, board):
    found = strength(hole, board)
    assert abs(found - EDGE) > 0.02
    return int(found >= EDGE)


def make_policy(tight):
    """By street, price, bucket: the chances to fold, call, raise."""
    policy = np.zeros((4, 5, 2, 3))
    for price in range(5):
        policy[:, price, 0] = (0.75, 0.2, 0.05) if tight else (0.15, 0.75, 0.1)
        policy[:, price, 1] = (0.05, 0.45, 0.5) if tight else (0.1, 0.6, 0.3)
    return policy


@cache
def dealt():
    """By own holding: the deals of the toy game and own buckets by river."""
    made = {}
    for text in ("KcTd", "9h7d", "Ad5d"):
        own, deals, buckets = holding(text), [], {}
        deck = alive(own) - {*own, *BOARD}
        for card in deck:
            buckets[card] = bucket(own, [*BOARD, card])
        for (other, weight), number in zip(OPPONENT.items(), range(3), strict=True):
            theirs = holding(other)
            rivers = sorted(deck - set(theirs))
            for card in rivers:
                mine, his = rank([*own, *BOARD, card]), rank([*theirs, *BOARD, card])
                share = (mine > his) + (mine == his) / 2
                river = bucket(theirs, [*BOARD, card])
                deals.append((weight / len(rivers), int(number != 2), river, card, share))
        made[text] = deals, buckets
    return made


def ranges():
    """The weights of the opponent's holdings, and their buckets."""
    weights, now = np.zeros((2, 1, len(HOLDINGS))), np.zeros(len(HOLDINGS), np.int64)
    for number, (other, weight) in enumerate(OPPONENT.items()):
        weights[1, 0, holding_index(*holding(other))] = weight
        now[holding_index(*holding(other))] = int(number != 2)
    return weights, now


def turn():
    """The hand at the first decision of the turn."""
    hand = State(Variant.load("holdem.limit.2p.reverse_blinds"))
    for name in ("call", "check", "check", "check"):
        hand.apply(hand.named(name))
    return hand


def exact(deals, policy, shows):
    return {kind: worth_of(Street(10, 2), kind, deals, policy, shows) + 10 for kind in (CALL, RAISE)}

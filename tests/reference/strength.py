"""Strength and equity by definition: every pair, every board, in integers."""

from fractions import Fraction
from itertools import combinations

from baycarp.kernels.hands import rank

AHEAD, TIED, BEHIND = 0, 1, 2


def standing(ours, theirs):
    return AHEAD if ours > theirs else TIED if ours == theirs else BEHIND


def holdings(weights):
    """Pairs of cards with integer weights above 0."""
    pairs = [(hi, lo) for hi in range(52) for lo in range(hi)]
    return [({*pair}, int(weight)) for pair, weight in zip(pairs, weights, strict=True) if weight]


def ratio(part, whole):
    return Fraction(part, whole) if whole else Fraction(0)


def strength(hole, board, weights, ahead):
    """(HS, PPot, NPot) by Unger (2011), figure 6.4, totals as in Billings et al.: holdings x futures."""
    known = {*hole, *board}
    now, then = [0] * 3, [[0] * 3 for _ in range(3)]
    for pair, weight in holdings(weights):
        if pair & known:
            continue
        row = standing(rank([*hole, *board]), rank([*pair, *board]))
        now[row] += weight
        rest = [card for card in range(52) if card not in known and card not in pair]
        for future in combinations(rest, ahead) if ahead else ():
            later = [*board, *future]
            then[row][standing(rank([*hole, *later]), rank([*pair, *later]))] += weight
    total = [sum(row) for row in then]
    hs = ratio(2 * now[AHEAD] + now[TIED], 2 * sum(now))
    gained = 2 * then[BEHIND][AHEAD] + then[BEHIND][TIED] + then[TIED][AHEAD]
    lost = 2 * then[AHEAD][BEHIND] + then[AHEAD][TIED] + then[TIED][BEHIND]
    return hs, ratio(gained, 2 * total[BEHIND] + total[TIED]), ratio(lost, 2 * total[AHEAD] + total[TIED])


def equity(a, b, board):
    """The share of range a against range b over every completion of the board."""
    halves = total = 0
    ours, theirs = holdings(a), holdings(b)
    for rest in combinations([card for card in range(52) if card not in board], 5 - len(board)):
        table = {*board, *rest}
        met = [(pair, weight, rank([*pair, *table])) for pair, weight in theirs if not pair & table]
        for mine, weight in ours:
            worth = None if mine & table else rank([*mine, *table])
            for pair, other, their_worth in met if worth else ():
                if not mine & pair:
                    total += weight * other
                    halves += weight * other * (2 - standing(worth, their_worth))
    return Fraction(halves, 2 * total)


def expected_strength(hole, board):
    """(E[HS], E[HS^2]): strength against any holding, over every complete board."""
    rest = [card for card in range(52) if card not in {*hole, *board}]
    tables = [[*board, *future] for future in combinations(rest, 5 - len(board))]
    each = [strength(hole, table, [1] * 1326, 0)[0] for table in tables]
    return sum(each) / len(each), sum(hs * hs for hs in each) / len(each)

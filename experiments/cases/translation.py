"""What a player loses by the translation of bets: ``python -m experiments translation``.

A victim has solved the last street with two sizes, the pot and all-in (Rubin and Watson 2012, section 6.1).
An opponent bets other amounts, which the victim translates. The best response to that is exact; a bet takes
what the best response with it wins more than the one with the victim's own sizes.

Both hold one of several random holdings on a random board. Pot, stacks and amounts are those of the paper.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from baycarp.arena.measure import Rate, interval
from baycarp.errors import ArgumentError
from baycarp.kernels.hands import rank
from baycarp.rules.betting.sizes import FCPA, TRANSLATIONS, BetRange
from baycarp.solvers import CFR, StrategyProfile, best_response, flatten
from experiments.cases.river import Opening, River

__all__ = ["AMOUNTS", "HOW", "KNOWN", "Setting", "Taken", "deals", "taken", "translation"]

POT, STACK, LEAST = 20, 400, 10
"""Chips: the pot, what each player has left, and the least bet."""

AMOUNTS = ((180,), (200,), (220,), (180, 200, 220), (60,), (90,), (120,), (60, 90, 120))
"""The bets of the opponent, alone and together. They are taken for all-in from 210 on by distance, from 89.4
on by ratio."""

KNOWN = "known"
"""A victim that has solved the game with the amount as a third size: no translation does better."""

HOW = (*TRANSLATIONS, KNOWN)

LETTERS = {"p": POT, "a": STACK}


@dataclass(frozen=True, slots=True)
class Setting:
    """The games that are solved.

    Parameters
    ----------
    boards
        Random boards, each with random holdings, at least 2.
    holdings
        Of each player, at least 2.
    iterations
        Of CFR+, at least 1.
    seed
        Draws boards and holdings.

    Raises
    ------
    ArgumentError
        A number below its least.
    """

    boards: int = 40
    holdings: int = 12
    iterations: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.boards < 2 or not 2 <= self.holdings <= 100 or self.iterations < 1 or self.seed < 0:
            raise ArgumentError(f"{self}: expected 2 boards, 2 to 100 holdings, 1 iteration or more")


@dataclass(frozen=True, slots=True)
class Taken:
    """A line: the bets, and the chips a hand that they take, by translation.

    Parameters
    ----------
    amounts
        The bets, chips.
    chips
        By one of ``HOW``; the interval is over boards.
    less
        Absolute less soft, paired by board.
    """

    amounts: tuple[int, ...]
    chips: Mapping[str, Rate]
    less: Rate


def deals(rng: np.random.Generator, holdings: int) -> list[tuple[int, int, int]]:
    """A random board, and the showdowns of each player's random holdings that share no card.

    Returns
    -------
    list of (int, int, int)
        The numbers of both holdings, and 1, 0 or -1 where the first wins, splits or loses.
    """
    board, ranks, cards = rng.permutation(52)[:5], [], []
    rest = np.setdiff1d(np.arange(52), board)
    for _ in range(2):
        drawn = np.array([rng.choice(rest, 2, replace=False) for _ in range(holdings)])
        cards.append(drawn)
        hands: list[list[int]] = np.hstack([drawn, np.tile(board, (holdings, 1))]).tolist()
        ranks.append(rank(hands).astype(np.int64))
    return [
        (i, j, int(np.sign(ranks[0][i] - ranks[1][j])))
        for i in range(holdings)
        for j in range(holdings)
        if not set(cards[0][i]) & set(cards[1][j])
    ]


def taken(
    showdowns: Sequence[tuple[int, int, int]], iterations: int
) -> dict[tuple[tuple[int, ...], str], float]:
    """What each bet takes of each victim, on one board.

    Parameters
    ----------
    showdowns
        Of ``deals``.
    iterations
        Of CFR+.

    Returns
    -------
    dict
        Chips a hand by bets and translation.
    """
    solved = _solved(showdowns, {}, iterations)
    victim, without = solved.tables()[1], best_response(solved, 0).value
    found: dict[tuple[tuple[int, ...], str], float] = {}
    for amounts in AMOUNTS:
        for how in TRANSLATIONS:
            openings = {str(each): Opening(each, _shares(each, how)) for each in amounts}
            tree = flatten(River(showdowns, POT, STACK, LETTERS, openings))
            played = StrategyProfile.of(tree, (StrategyProfile.uniform(tree).tables()[0], victim))
            found[amounts, how] = best_response(played, 0).value - without
        own = _solved(showdowns, {str(each): Opening(each) for each in amounts}, iterations)
        found[amounts, KNOWN] = best_response(own, 0).value - without
    return found


def translation(setting: Setting, tick: Callable[[int], None] = lambda done: None) -> Iterator[Taken]:
    """A line for each of ``AMOUNTS``.

    Parameters
    ----------
    setting
        Of the games.
    tick
        Called after each board with the number done.
    """
    boards = []
    for seed in np.random.SeedSequence(setting.seed).spawn(setting.boards):
        boards.append(taken(deals(np.random.default_rng(seed), setting.holdings), setting.iterations))
        tick(len(boards))
    for amounts in AMOUNTS:
        by = {how: np.array([board[amounts, how] for board in boards]) for how in HOW}
        rates = {how: interval(values, unit="chips") for how, values in by.items()}
        yield Taken(amounts, rates, interval(by["absolute"] - by["soft"], unit="chips"))


def _shares(chips: int, how: str) -> dict[str, float]:
    return FCPA.shares(chips / POT, BetRange("bet", 0, POT, LEAST, STACK), TRANSLATIONS[how])


def _solved(
    showdowns: Sequence[tuple[int, int, int]], openings: Mapping[str, Opening], iterations: int
) -> StrategyProfile:
    solver = CFR(flatten(River(showdowns, POT, STACK, LETTERS, openings)), plus=True)
    for _ in range(iterations):
        solver.step()
    return solver.average()

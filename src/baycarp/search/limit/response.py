"""How much a strategy loses inside its abstraction: best responses by policy iteration on sampled boards.

The response chooses one action for each cell of its player. Each round walks the same boards against the
fixed strategy and takes, for each cell, the action of the largest counterfactual value; with recall, and
given enough rounds, that is the best response of the game on these boards. Its value there is an upper estimate of
the value of the best response; on other boards its value is unbiased, and the best response's is no less.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baycarp.kernels.cfr import Betting, Deal
from baycarp.search.limit.solver import PARTS, Cells, in_parts

__all__ = ["Exploitability", "exploitability", "value_by_board"]

Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Exploitability:
    """What a player loses to best responses, the mean of both positions, in chips a hand.

    Parameters
    ----------
    lower
        The value of the found responses on boards that they were not chosen on.
    half_width
        Of its 95 % interval, over the boards.
    upper
        Their value on the boards that they were chosen on.
    boards
        The boards of each.
    """

    lower: float
    half_width: float
    upper: float
    boards: int


def value_by_board(
    betting: Betting, policy: Cells, hero: int, deals: Sequence[Deal], share: float, workers: int = 1
) -> list[float]:
    """What a position wins, in chips a hand, on each board: exact, over all pairs of holdings."""
    values = [0.0] * len(deals)

    def walk(part: int) -> None:
        scratch = betting.scratch()
        for number in range(part, len(deals), PARTS):
            won = betting.visit(deals[number], hero, share, policy, scratch)
            values[number] = float(won.sum(dtype=np.float64)) / deals[number].holdings

    in_parts(walk, workers)
    return values


def respond(
    betting: Betting,
    policy: Cells,
    hero: int,
    deals: Sequence[Deal],
    share: float,
    rounds: int,
    workers: int = 1,
) -> Cells:
    """The policy in which the hero answers the other player best, chosen on these boards."""
    answer = policy.copy()
    sums = [np.zeros(betting.cells, np.float32) for _ in range(PARTS)]

    def walk(part: int) -> None:
        scratch = betting.scratch()
        sums[part][:] = 0
        for deal in deals[part::PARTS]:
            betting.visit(deal, hero, share, answer, scratch, sums[part])

    for _ in range(rounds):
        before = answer.copy()
        in_parts(walk, workers)
        sums[0] += sums[1]
        betting.greedy(hero, sums[0], answer)
        if np.array_equal(before, answer):
            break
    return answer


@dataclass(frozen=True, slots=True)
class ResponseBoards:
    """The boards of a measurement: those that responses are chosen on, and others that they are valued on."""

    chosen: Sequence[Deal]
    valued: Sequence[Deal]
    rounds: int = 4


def exploitability(
    betting: Betting, policy: Cells, boards: ResponseBoards, share: float, workers: int = 1
) -> Exploitability:
    """How much a policy loses to best responses inside its abstraction."""
    fresh, same = [], []
    for hero in (0, 1):
        answer = respond(betting, policy, hero, boards.chosen, share, boards.rounds, workers)
        fresh.append(value_by_board(betting, answer, hero, boards.valued, share, workers))
        same.append(value_by_board(betting, answer, hero, boards.chosen, share, workers))
    by_board = np.mean(fresh, axis=0)
    spread = float(by_board.std(ddof=1)) if len(by_board) > 1 else 0.0
    half_width = Z95 * spread / float(np.sqrt(len(by_board)))
    return Exploitability(float(by_board.mean()), half_width, float(np.mean(same)), len(by_board))

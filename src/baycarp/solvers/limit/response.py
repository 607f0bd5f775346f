"""Best responses to a limit strategy inside its abstraction, by policy iteration on sampled boards.

The response chooses one action for each cell of its player. Each round walks the same boards against the
fixed strategy and takes, for each cell, the action of the largest counterfactual value; with recall, and
given enough rounds, that is the best response of the game on these boards. Its value there is an upper
estimate of the value of the best response; on other boards its value is unbiased, and the best response's is
no less.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from baycarp.kernels.cfr import Betting, Deal
from baycarp.solvers.limit.solver import PARTS, Cells, in_parts
from baycarp.solvers.loss import Loss

__all__ = ["Walks", "exploitability"]


@dataclass(frozen=True, slots=True)
class Walks:
    """How boards are walked: the betting, the weight of one opposing holding, and the threads."""

    betting: Betting
    share: float = 1 / 990
    workers: int = 1

    def values(self, policy: Cells, hero: int, deals: Sequence[Deal]) -> list[float]:
        """What a position wins, in chips a hand, on each board: exact, over all pairs of holdings."""
        values = [0.0] * len(deals)

        def walk(part: int) -> None:
            scratch = self.betting.scratch()
            for number in range(part, len(deals), PARTS):
                won = self.betting.visit(deals[number], hero, self.share, policy, scratch)
                values[number] = float(won.sum(dtype=np.float64)) / deals[number].holdings

        in_parts(walk, self.workers)
        return values

    def respond(self, policy: Cells, hero: int, deals: Sequence[Deal], rounds: int) -> Cells:
        """The policy in which the hero answers the other player best, chosen on these boards."""
        answer = policy.copy()
        sums = [np.zeros(self.betting.cells, np.float32) for _ in range(PARTS)]

        def walk(part: int) -> None:
            scratch = self.betting.scratch()
            sums[part][:] = 0
            for deal in deals[part::PARTS]:
                self.betting.visit(deal, hero, self.share, answer, scratch, sums[part])

        for _ in range(rounds):
            before = answer.copy()
            in_parts(walk, self.workers)
            sums[0] += sums[1]
            self.betting.greedy(hero, sums[0], answer)
            if np.array_equal(before, answer):
                break
        return answer


def exploitability(
    walks: Walks, policy: Cells, chosen: Sequence[Deal], valued: Sequence[Deal], rounds: int = 4
) -> Loss:
    """How much a policy loses to best responses inside its abstraction, in chips a hand.

    Parameters
    ----------
    walks
        The game.
    policy
        Of both players.
    chosen, valued
        The boards that responses are chosen on, and others that they are valued on.
    rounds
        Of policy iteration, at most.
    """
    fresh, same = [], []
    for hero in (0, 1):
        answer = walks.respond(policy, hero, chosen, rounds)
        fresh.append(walks.values(answer, hero, valued))
        same.append(walks.values(answer, hero, chosen))
    by_board = np.mean(fresh, axis=0)
    spread = float(by_board.std(ddof=1)) if len(by_board) > 1 else 0.0
    error = spread / float(np.sqrt(len(by_board)))
    return Loss(float(by_board.mean()), error, float(np.mean(same)), len(by_board))

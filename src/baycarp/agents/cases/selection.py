"""Run-time selection: of several memories one plays a hand, most often the one that would have won most.

The probability of the actions taken is known of every memory, so that a hand that one of them played rates
the others, too: what it won is weighed by how much likelier they were to play so than the mixture of all.
That is what each would have won, unbiased (importance sampling; memories that agree are rated alike). How
Sartre combined several experts in 2011 is left open by Rubin and Watson (2012, section 5.4.3): this is ours.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import Distribution
from baycarp.game import Acted, Action, Event, Observation
from baycarp.kernels.arguments import seeded
from baycarp.strategies.episode import answers

__all__ = ["Selection"]

Array = NDArray[np.float64]


class Selection:
    """Selects a memory for every hand.

    Parameters
    ----------
    count
        Memories; the first one leads at the beginning.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Forget all hands; the seed fixes the draws."""
        self._seed, self.hands, self.won = seed, 0, np.zeros(self.count)
        self._hand: tuple[int | None, int] | None = None
        self.chosen = 0
        self._chances = self.chances()
        self._likely = np.ones(self.count)
        self._pending: tuple[Observation, tuple[Distribution, ...]] | None = None

    def chances(self) -> Array:
        """The probability of each memory in the next hand.

        All but a share of n ** -1/3 after n hands is the leader's; the share is everyone's alike.
        """
        share = (self.hands + 1) ** (-1 / 3)
        chances = np.full(self.count, share / self.count)
        chances[int(self.won.argmax())] += 1 - share
        return chances

    def choose(self, observation: Observation, memories: Sequence[Distribution]) -> int:
        """The place of the memory that decides: one for all decisions of a hand.

        Parameters
        ----------
        observation
            Of the decision.
        memories
            The distribution of each memory over the legal solutions.
        """
        hand = observation.seat, observation.hand
        if hand != self._hand:
            self._hand, self._chances = hand, self.chances()
            self._likely = np.ones(self.count)
            draw = seeded(self._seed, observation.hand, self.count)
            self.chosen = int(draw.choice(self.count, p=self._chances))
        self._pending = observation, tuple(memories)
        return self.chosen

    def learn(self, event: Event, solution: Callable[[Action, Observation], str]) -> None:
        """Rate the memories by an action that answers the last decision, or by a hand that is over.

        Parameters
        ----------
        event
            An action of any player, or the end of a hand.
        solution
            The solution that an action is.
        """
        if isinstance(event, Acted):
            self._act(event, solution)
        else:
            self._over(event.observation, event.payoffs)

    def _act(self, event: Acted, solution: Callable[[Action, Observation], str]) -> None:
        if self._pending is None:
            return
        own, memories = self._pending
        if answers(event, own):
            done = solution(event.act.action, own)
            self._likely *= [each.probabilities.get(done, 0.0) for each in memories]
            self._pending = None

    def _over(self, observation: Observation, payoffs: Sequence[float]) -> None:
        if self._hand is None or self._hand[0] is None or self._hand[1] != observation.hand:
            return
        mixture = float(self._chances @ self._likely)
        if mixture > 0:  # another program may have carried out another action
            won = payoffs[self._hand[0]] / observation.variant.small_bet
            self.won += won * self._likely / mixture
        self.hands += 1
        self._hand = None

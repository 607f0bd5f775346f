"""Hands of Leduc hold'em against one opponent, and what the response to its model wins after them; exact.

The hands are drawn; what a response wins, and what a best response wins from it, is computed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from baycarp.solvers import RestrictedCFR, StrategyProfile, exploitability
from experiments.leduc.frequencies import with_frequencies
from experiments.leduc.hands import Ends, between, won
from experiments.leduc.style_network import StyleNetwork

__all__ = ["STAGES", "Learner", "Measured", "measure"]

STAGES = (10, 30, 100, 300, 1000)
"""Hands after which the response is computed anew; half of them in each seat."""

ITERATIONS = 300
"""Of a response."""

Counts = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class Learner:
    """A player that recognises styles and responds to them.

    Parameters
    ----------
    ends
        The ends of the game.
    base
        The equilibrium, which it plays before any evidence.
    styles
        The other strategies that it knows, by name; together as probable as the equilibrium.
    """

    ends: Ends
    base: StrategyProfile
    styles: Mapping[str, StrategyProfile]

    @cached_property
    def prior(self) -> NDArray[np.float64]:
        """The probability of each style before the first hand, the equilibrium's last; float64."""
        return np.append(np.full(len(self.styles), 0.5 / len(self.styles)), 0.5)

    @cached_property
    def _logs(self) -> Counts:
        """By seat, the log likelihood of each observation (row) by style."""
        network = StyleNetwork({**self.styles, "equilibrium": self.base})
        first, second = (
            np.log([network.likelihood(hand, player) for hand in self.ends.observed[player]])
            for player in (0, 1)
        )
        return first, second

    @cached_property
    def _plans(self) -> Counts:
        """By seat, the plan of each style (row)."""
        strategies = [*self.styles.values(), self.base]
        first, second = (
            np.array([side.plan(strategy.probabilities[seat]) for strategy in strategies])
            for seat, side in enumerate(self.ends.tree.sides)
        )
        return first, second

    def posterior(self, counts: Counts) -> NDArray[np.float64]:
        """The probability of each style after hands with these counts of observations by seat."""
        logs = np.log(self.prior) + sum(seen @ each for seen, each in zip(counts, self._logs, strict=True))
        weights = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum())

    def model(self, counts: Counts) -> StrategyProfile:
        """The opponent that is expected after these hands: its styles, weighted, and its own frequencies."""
        weights = self.posterior(counts)
        first, second = (
            side.proportions(weights @ plans)
            for side, plans in zip(self.ends.tree.sides, self._plans, strict=True)
        )
        return with_frequencies(StrategyProfile(self.ends.tree, (first, second)), self.ends, counts)

    def response(self, counts: Counts, risk: float) -> StrategyProfile:
        """The restricted Nash response of each seat to the model.

        The model is trusted by the risk times the evidence: 0 as long as the equilibrium is as probable as in
        the prior, 1 where it is excluded.
        """
        evidence = max(0.0, 1 - float(self.posterior(counts)[-1] / self.prior[-1]))
        if evidence == 0:
            return self.base
        return _response(self.model(counts), risk * evidence)


@dataclass(frozen=True, slots=True)
class Measured:
    """What is won from an opponent, in chips a hand; exact for each response, by seed.

    Parameters
    ----------
    gains
        After each stage, what the response wins more than the equilibrium; shape (seeds, stages).
    losses
        After each stage, the exploitability of the response; shape (seeds, stages).
    most, equilibrium
        What a best response wins more than the equilibrium, and what that wins.
    """

    gains: NDArray[np.float64]
    losses: NDArray[np.float64]
    most: float
    equilibrium: float

    @property
    def gain(self) -> float:
        """After the last stage, the mean."""
        return float(self.gains[:, -1].mean())

    @property
    def on_the_way(self) -> float:
        """The gain a hand in all hands up to the last stage, with those of learning."""
        lengths = np.diff((0, *STAGES))
        played = np.column_stack([np.zeros(len(self.gains)), self.gains[:, :-1]])
        return float((played @ lengths).mean() / lengths.sum())

    @property
    def shares(self) -> NDArray[np.float64]:
        """After each stage, the gain as a share of the most."""
        return np.asarray(self.gains.mean(0) / self.most)


def measure(
    learner: Learner,
    opponent: StrategyProfile,
    risk: float,
    seeds: int,
    tick: Callable[[int], None] = lambda done: None,
) -> Measured:
    """Play sessions against an opponent, and value each response.

    Parameters
    ----------
    learner
        The player.
    opponent
        Its opponent, in both seats.
    risk
        The trust in the model at full evidence, 0..1.
    seeds
        Sessions, with seeds 1, 2, ...
    tick
        Called with the sessions played.
    """
    usual = won(learner.base, opponent)
    gains, losses = np.empty((2, seeds, len(STAGES)))
    for row in range(seeds):
        rng = np.random.default_rng(row + 1)
        own = learner.base
        counts = tuple(np.zeros(len(each)) for each in learner.ends.observed)
        for stage, hands in enumerate(np.diff((0, *STAGES)) // 2):
            for player in (0, 1):
                chances = learner.ends.chances(between(own, opponent, player), player)
                counts[player][:] += rng.multinomial(hands, chances)
            own = learner.response((counts[0], counts[1]), risk)
            gains[row, stage] = won(own, opponent) - usual
            losses[row, stage] = exploitability(own)
        tick(row + 1)
    return Measured(gains, losses, exploitability(opponent) - usual, usual)


def _response(model: StrategyProfile, trust: float) -> StrategyProfile:
    seats = []
    for player in (0, 1):
        solver = RestrictedCFR(model, player, trust)
        for _ in range(ITERATIONS):
            solver.step()
        seats.append(solver.average().probabilities[player])
    return StrategyProfile(model.tree, (seats[0], seats[1]))

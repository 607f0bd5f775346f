"""What best responses win: a local one from any agent, by play; an exact one from those that are tables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baycarp.api.exploit import GAME
from baycarp.arena.journal import Journal
from baycarp.arena.measure import Rate, interval
from baycarp.arena.workers import Workers
from baycarp.game import Variant
from baycarp.responses.belief import SAMPLED
from baycarp.responses.flops_run import FlopsPlan
from baycarp.responses.local_run import LocalPlan
from baycarp.responses.luck import less_luck
from experiments.strength.line import Line
from experiments.strength.taught import TaughtPlan

__all__ = ["LossRow", "MostRow"]

SMALL_BET = 1000
"""Thousandths of a big blind, in heads-up fixed limit."""


@dataclass(frozen=True, slots=True)
class LossRow:
    """Hands of a local best response: lower bounds of what an agent can lose, by setting.

    Parameters
    ----------
    name
        Of the row.
    settings
        Specifications, in which AGENT stands for the agent.
    beside
        The player whose loss is compared, on the same deals.
    hands
        Of the responder, against each.
    seed
        Of cards and draws.
    holdings
        Of the responder's belief about an agent that decides for one holding at a time.
    before
        The strategy that the responder played in hands before, from which alone the players learn; "" = none.
    """

    name: str
    settings: tuple[str, ...]
    beside: str
    hands: int
    seed: int
    holdings: int = SAMPLED
    before: str = ""

    def plan(self, agent: str, share: float) -> "LossPlan":
        """The hands of the responder, a share of them."""
        hands = max(40, round(share * self.hands))
        specs = {setting: setting.replace("AGENT", agent) for setting in (*self.settings, self.beside)}
        plan = partial(TaughtPlan, before=self.before) if self.before else LocalPlan
        return LossPlan(
            {name: plan(spec, GAME, hands, self.seed, self.holdings) for name, spec in specs.items()}
        )


@dataclass(frozen=True, slots=True)
class LossPlan:
    """The hands of a local best response against several players, the last of which is beside the others."""

    plans: Mapping[str, LocalPlan]

    @property
    def units(self) -> tuple[str, int]:
        """The hands against all."""
        return "hands", sum(plan.units[1] for plan in self.plans.values())

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> tuple[Line, ...]:
        """Play what the journals in a folder lack; a line a player but the last."""
        won: dict[str, NDArray[np.float64]] = {}
        done = 0
        for number, (name, plan) in enumerate(self.plans.items()):
            with Journal(folder / f"{number}-{plan.journal}", plan.header) as journal:
                hands = plan.results(journal, workers, partial(_further, tick, done))
            won[name] = 1000 / Variant.load(plan.game).big_blind * less_luck(hands).mean(axis=1)
            done += plan.units[1]
        *settings, beside = won
        return tuple(
            Line(
                setting,
                _rate(won[setting]),
                beside,
                _rate(won[beside]),
                _rate(won[setting] - won[beside]),
                0,
            )
            for setting in settings
        )


def _further(tick: Callable[[int], None], before: int, done: int) -> None:
    tick(before + done)


def _rate(won: NDArray[np.float64]) -> Rate:
    """What the responder wins, over deals in both positions."""
    return interval(won, 2, "mbb/h")


@dataclass(frozen=True, slots=True)
class MostRow:
    """The most that any player can win from an opponent: exact best responses on some flops.

    Parameters
    ----------
    name
        Of the row.
    opponent
        It answers as a table.
    flops
        Drawn.
    seed
        Of the flops.
    """

    name: str
    opponent: str
    flops: int
    seed: int

    def plan(self, agent: str, share: float) -> "MostPlan":
        """The flops, a share of them."""
        return MostPlan(FlopsPlan(self.opponent, GAME, max(4, round(share * self.flops)), self.seed))


@dataclass(frozen=True, slots=True)
class MostPlan:
    """Exact best responses on flops, whose estimates are lines."""

    inner: FlopsPlan

    @property
    def units(self) -> tuple[str, int]:
        """The flops."""
        return self.inner.units

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> tuple[Line, ...]:
        """Value what the journal in a folder lacks; a line an estimate, in small bets a hand."""
        found = self.inner.run(folder, workers, tick)
        (flops,) = found.about.values()
        return tuple(
            Line(
                each.name.removesuffix(" of the exact best response"),
                Rate(each.mean / SMALL_BET, (each.margin or 0.0) / SMALL_BET, flops),
            )
            for each in found.bounds
        )

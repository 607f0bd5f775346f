"""The simulation player, called Simbot: it plays the hand out many times and takes the best mean.

Sources: Billings, Peña, Schaeffer and Szafron 1999; Peña 1999, section 5. Before the flop it is the formula
player. After it every trial deals the opponents holdings from their weight tables, and plays on from its call
and from its raise (``csrc/include/baycarp/simulate.h``); a fold is worth 0. The best of the three is taken.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from baycarp.agents.anytime import Answer, Recorder, Tier
from baycarp.agents.factory import Factory
from baycarp.agents.poki.formula import Formula, Style
from baycarp.agents.poki.weights import Frequencies
from baycarp.agents.sampling import generator, legal_policy
from baycarp.agents.trace import OpponentStage, Stage
from baycarp.errors import ArgumentError
from baycarp.game.state import Observation
from baycarp.kernels import simulation
from baycarp.rules.betting.context import LimitSpot, Rules
from baycarp.rules.strength import holding_values

__all__ = ["SIMULATION", "Simulation", "SimulationStage"]

CHUNK = 20
"""Trials between two readings of the clock."""

LEAST, SURE = 100, 3.0
"""The least number of trials, and the distance of call and raise, in standard errors, at which they end
early; our choice."""

TIE = 0.02
"""Small bets within which call and raise count as equal, and the call is taken; our choice."""


@dataclass(frozen=True, slots=True)
class SimulationStage(Stage, name="simulation"):
    """Small bets to be won from here, by action, in simulated hands."""

    worth: Mapping[str, float]
    trials: int
    standard_error: float


class Simulation(Formula):
    """A simulation player.

    Parameters
    ----------
    style
        The player's personality; it also shifts the rules of its actions inside the trials.
    playouts
        Trials a decision, where neither a budget nor the clock sets the number.
    margin
        Small bets that a call or raise must be worth to be better than a fold; the parameter is our choice.
    """

    def __init__(self, style: Style | None = None, playouts: int = 300, margin: float = 0.0) -> None:
        super().__init__(style)
        if playouts < 1:
            raise ArgumentError(f"playouts {playouts}: expected at least 1")
        self.playouts, self.margin = playouts, margin

    def _tiers(self, spot: LimitSpot) -> dict[str, Tier]:
        tiers = super()._tiers(spot)
        return tiers | {"simulation": partial(self._simulate, spot)} if spot.street else tiers

    def _simulate(self, spot: LimitSpot, observation: Observation, recorder: Recorder) -> Answer:
        trials, small_bet = self._trials(observation, spot), observation.variant.small_bet
        recorder.add(OpponentStage(seconds=recorder.lap()))
        done = self._run(trials, recorder)
        worth = {  # a free check is never folded
            "call": trials.call[0] / small_bet,
            **({"raise": trials.raised[0] / small_bet} if trials.can_raise else {}),
            **({"fold": 0.0} if spot.owed else {}),
        }
        error = trials.gap[1] / small_bet
        recorder.add(SimulationStage(worth, trials.trials, error, seconds=recorder.lap(), done=done))
        handicaps = {"fold": self.margin, "raise": -TIE}
        best = max(worth, key=lambda name: worth[name] + handicaps.get(name, 0.0))
        policy = legal_policy(observation, [float(best == name) for name in ("fold", "call", "raise")])
        action = max(policy, key=lambda action: policy[action])
        values = ", ".join(f"{name} {value:+.2f}" for name, value in worth.items())
        return Answer(action, policy, f"small bets to be won from here: {values}", exact=False)

    def _trials(self, observation: Observation, spot: LimitSpot) -> simulation.Simulation:
        known = self._opponents.known(observation)
        tables = self._opponents.weigh(observation)
        _, ppot, npot = holding_values(observation.board)
        rules: list[Rules] = [
            known.get(seat, Frequencies()).rules(observation.street, price=1) for seat in range(len(tables))
        ]
        rules[spot.seat] = self._rules
        seed = int(generator(self._seed, observation).integers(2**63))
        weights = np.where(tables > 0, tables**self.style.model, 0.0) if self.style.model != 1 else tables
        return simulation.Simulation(observation.state, observation.hole, weights, rules, ppot, npot, seed)

    def _run(self, trials: simulation.Simulation, recorder: Recorder) -> bool:
        """Play until the budget is spent or call and raise differ clearly; False if the clock ended it."""
        budget = recorder.meter.budget
        most = budget.playouts or (np.inf if budget.time is not None else self.playouts)

        def chunk() -> bool:
            trials.run(int(min(CHUNK, most - trials.trials)))
            gap, error = trials.gap
            decided = trials.trials >= LEAST and trials.can_raise and abs(gap) > SURE * error
            return decided or trials.trials >= most

        return recorder.repeat(chunk) or budget.playouts is None


SIMULATION = Factory(
    Simulation, "simulates call and raise to the end of the hand (Simbot)", published={}, style=Style
)

"""A trained responder: the best action, one step ahead, against a fitted model of its opponent; heads-up.

The model, ``P(choice | betting situation, bucket of strength)``, gives by Bayes the opponent's range after
its actions, and the frequency of its next fold. Of fold, call and raise the agent takes the one with the
greatest expected winnings, if there is no further bet: an opponent either folds to the bet or calls it, and
the cards are dealt to the end. This is local best response (Lisý and Bowling 2017) with a fitted model for
the true policy.

Its winnings are a lower bound on those of a best response, however good the model is: it is one
response among all. A strategy that it cannot beat may still lose to another.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.base import Decision, Plays, Stateless
from baycarp.agents.factory import Factory
from baycarp.agents.trace import Stage
from baycarp.budget import Budget
from baycarp.errors import EvidenceError
from baycarp.evaluation import equity
from baycarp.game import Action, Observation
from baycarp.opponents.actions.buckets import BLOCKED, buckets
from baycarp.opponents.actions.hand_actions import ActionModel, sensible
from baycarp.opponents.actions.situations import hand_moves, to_move
from baycarp.opponents.actions.styles import Styles, load_styles
from baycarp.rules.income import IncomeGroup

__all__ = ["RESPONDER", "Responder", "ResponseStage"]

INCOME_GROUP = IncomeGroup.IR2
"""Heads-up both players expect one opponent, after any actions."""


@dataclass(frozen=True, slots=True)
class ResponseStage(Stage, name="response"):
    """Chips that each action is worth against the fitted model."""

    chips: Mapping[str, float]


class Responder(Stateless):
    """Local best response to a fitted model.

    Parameters
    ----------
    model
        Of the opponent: a file of one style (``opponents.actions.styles``); None = a sensible player's.

    Raises
    ------
    ModelError
        The file cannot be read.
    """

    plays = Plays(frozenset({"limit"}), 2, 2)

    def __init__(self, model: str | None = None) -> None:
        styles = Styles((sensible(),), (1.0,)) if model is None else load_styles(model)
        self.model: ActionModel = styles.models[0]
        self.loaded_from = [f"model {styles.digest}"]

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose the action with the greatest expected winnings; see ``Agent.decide``."""
        self.plays.verify_turn(observation)
        recorder = Recorder((budget or Budget(time=time_limit)).start())
        range_ = self._range(observation)
        worth = {action: self._worth(observation, action, range_) for action in observation.legal_actions()}
        chips = {action.name: chips for action, chips in worth.items()}
        recorder.add(ResponseStage(chips, seconds=recorder.lap()))
        best = max(worth, key=lambda action: worth[action])
        policy = {action: float(action == best) for action in worth}
        return recorder.decision(Answer(best, policy, f"worth {worth[best]:+.2f} chips"))

    def _range(self, observation: Observation) -> NDArray[np.float64]:
        """The opponent's range after its actions; any holding, where the model excludes those actions."""
        state = observation.state
        (opponent,) = set(state.seats_in) - {state.to_act}
        own_moves = hand_moves(observation.acts, observation.variant).by_seat.get(opponent, ())
        try:
            return self.model.posterior(own_moves, observation.board, INCOME_GROUP, observation.hole)
        except EvidenceError:
            return self.model.posterior((), observation.board, INCOME_GROUP, observation.hole)

    def _worth(self, observation: Observation, action: Action, range_: NDArray[np.float64]) -> float:
        """Chips that an action wins from here on."""
        if action.name == "fold":
            return 0.0
        state = observation.state
        if action.name in ("check", "call"):
            return equity(observation.hole, range_, observation.board) * (state.pot + state.owed) - state.owed
        after = state.copy()
        paid = after.apply(action).paid
        if after.to_act is None:  # no player has chips to act with
            return equity(observation.hole, range_, observation.board) * after.pot - paid
        folds, staying = self._answer(after.observe(after.to_act), range_, observation)
        if not staying.any():
            return float(state.pot)
        share = equity(observation.hole, staying, observation.board)
        return float(folds * state.pot + (1 - folds) * (share * (after.pot + after.owed) - paid))

    def _answer(
        self, answering: Observation, range_: NDArray[np.float64], observation: Observation
    ) -> tuple[float, NDArray[np.float64]]:
        """The probability that the opponent folds to a bet, and its range where it does not."""
        codes = buckets(tuple(observation.board), INCOME_GROUP)
        row = self.model.tables[observation.street][to_move(answering)]
        folding = np.append(row[:, 0], 0.0)[np.where(codes == BLOCKED, len(row), codes)]
        return float(range_ @ folding), range_ * (1 - folding)


RESPONDER = Factory(Responder, "a local best response to a fitted model of one player")

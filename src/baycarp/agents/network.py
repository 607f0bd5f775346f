"""The network alone: a control for BayCaRP that believes as it does, and asks no precedents after the flop.

Before the flop it is BayCaRP2, whose case-base it shares. After it the product of its strengths against the
ranges of all opponents decides: it bets or raises from a threshold on, calls when strength and positive
potential together beat the pot odds, and else checks or folds.
"""

from baycarp.agents.baycarp import TOP_FOUR, BayCaRP
from baycarp.agents.grounds import by_strength
from baycarp.agents.ladder import Answer, Climb
from baycarp.agents.model import Model
from baycarp.cases import Majority
from baycarp.errors import ModelError
from baycarp.opponents.belief import RangeRule
from baycarp.rules.strength import relative_strength

__all__ = ["THRESHOLD", "NetworkAlone"]

THRESHOLD = 0.8
"""Ours: of 0.5, 0.65, 0.7, 0.8 and 0.9 it won most, over 1,200 to 3,200 hands each at the default table, on
other decks; 0.5 was told apart from it, its neighbours were not."""


class NetworkAlone(BayCaRP):
    """The control.

    Parameters
    ----------
    model
        With a network; of its case-bases only the pre-flop one is asked.
    rule
        How hand groups become a range.
    threshold
        The product of strengths, 0..1, from which it bets and raises.
    """

    def __init__(self, model: Model, rule: RangeRule = TOP_FOUR, threshold: float = THRESHOLD) -> None:
        if model.network is None:
            raise ModelError("the network alone: expected a model with a network")
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold {threshold!r}: expected 0..1")
        super().__init__(model, Majority(), rule)
        self.threshold = threshold

    def _reason(self, climb: Climb, look_ahead: int) -> Answer:
        if climb.seen.street == 0:
            return super()._reason(climb, look_ahead)
        seen, beliefs = climb.seen, self._believe(climb, self.reads)
        with climb.stage("strength") as said:
            ranges = [belief.weights for belief in beliefs.values()]
            hs, ppot, _ = relative_strength(seen.hole, seen.board, ranges, look_ahead)
            owed, pot = seen.state.owed, seen.state.pot
            able = {action.name: action for action in seen.legal_actions()}
            said |= {
                "strength": hs,
                "positive potential": ppot,
                "pot odds": owed / (pot + owed),
                "threshold": self.threshold,
                "legal": [str(action) for action in able.values()],
            }
            name = by_strength(said, able)
        hope, odds = hs + (ppot or 0.0), said["pot odds"]
        told = f"strength {hs:.2f}, with potential {hope:.2f}, at pot odds of {odds:.2f}"
        return Answer(able[name], {each: float(each == able[name]) for each in able.values()}, told)

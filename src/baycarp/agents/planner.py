"""BayCaRP with plans: a solution is what to do on the whole street, so that a check may be meant as a raise.

Which action comes first is voted on as ever, all plans that begin with it together. What is to follow, should
the player be asked again on the street, is voted on at once, among those of the precedents that were asked
again; he then keeps to it, unless a condition of ``CONDITIONS`` fails. Seed 000, section 9.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from baycarp.agents.baycarp import BayCaRP
from baycarp.agents.choice import draw, generator
from baycarp.agents.ladder import Answer, Climb
from baycarp.agents.schemas import REPAIR
from baycarp.cases import CaseBase, Distribution, Retrieved
from baycarp.cases import Situation as Query
from baycarp.cases.plans import Plans, steps_of
from baycarp.errors import ModelError
from baycarp.game.action import Action
from baycarp.game.event import Acted, Event
from baycarp.game.observation import Observation

__all__ = ["CONDITIONS", "Intent", "Planner"]

CONDITIONS = ("legal", "price", "belief")
"""What abandons a plan: the rules forbid its next step; more than one bet is to be paid, so that somebody has
raised what the plan reckoned with; strength, against what is believed by now, has moved by more than
``SWAY``. Ours."""

SWAY = 0.15


@dataclass(frozen=True, slots=True)
class Intent:
    """What a player means to do on a street, and how much of it is done.

    Parameters
    ----------
    seen
        The table when the last step was chosen.
    plan
        Its steps.
    done
        How many of them, the last one chosen with them.
    strength
        Of the hand when the plan was made; None before the flop.
    """

    seen: Observation
    plan: tuple[str, ...]
    done: int
    strength: float | None

    def is_for(self, seen: Observation) -> bool:
        """Whether it is of this hand and street, and there is a step left."""
        then = self.seen
        same = (then.hand, then.seat, then.hole, then.street) == (
            seen.hand,
            seen.seat,
            seen.hole,
            seen.street,
        )
        return same and seen.acts[: len(then.acts)] == then.acts and self.done < len(self.plan)

    def fails(self, seen: Observation, legal: Mapping[str, Action], strength: float | None) -> str | None:
        """The first of ``CONDITIONS`` that fails; None = the plan is kept."""
        if self.plan[self.done] not in legal:
            return "legal"
        if seen.state.owed > seen.variant.raise_sizes[seen.street]:
            return "price"
        if self.strength is not None and strength is not None and abs(strength - self.strength) > SWAY:
            return "belief"
        return None


class Planner(BayCaRP):
    """The player of the thesis, with plans; parameters as there, but for experts and exploration."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        if self.experts:
            raise ModelError("plans: expected no experts")
        if self.explore:
            raise ModelError("plans: expected no exploration")
        self._plans = {name: Plans(casebase) for name, casebase in self.casebases.items()}

    def _begin(self) -> None:
        super()._begin()
        self._intent: Intent | None = None
        self._meant: Intent | None = None  # is the intent once its step is done

    def weigh(
        self, query: Query, retrieved: Retrieved, own: CaseBase, legal: Mapping[str, Action]
    ) -> Distribution:
        """What the precedents' plans say of the next action."""
        plans = self._plans[own.schema.name]
        plans.follow(own)
        self._found = (query, retrieved, plans)
        return self.policy(retrieved, plans, legal, lambda plan: _first(plan, legal))

    def _reason(self, climb: Climb, look_ahead: int) -> Answer:
        answer, seen = super()._reason(climb, look_ahead), climb.seen
        query, retrieved, plans = self._found
        names = [feature.name for feature in plans.schema.numbers]
        strength = float(query.numbers[names.index("hand_strength")]) if "hand_strength" in names else None
        legal = {action.name: action for action in seen.legal_actions()}
        with climb.stage("plan") as said:
            intent = self._intent if self._intent and self._intent.is_for(seen) else None
            failed = intent.fails(seen, legal, strength) if intent else None
            if intent and not failed:
                self._meant = replace(intent, seen=seen, done=intent.done + 1)
                step = intent.plan[intent.done]
                said |= {"kept": "-".join(intent.plan), "step": intent.done + 1}
                chances = {name: float(name == step) for name in legal}
                return Answer(legal[step], chances, f"keeps to its plan, {'-'.join(intent.plan)}")
            plan = self._plan(seen, answer.action.name, retrieved, plans)
            self._meant = Intent(seen, steps_of(plan), 1, strength)
            said |= {"meant": plan} | ({"abandoned": "-".join(intent.plan), "for": failed} if intent else {})
        return answer

    def _plan(self, seen: Observation, first: str, retrieved: Retrieved, plans: Plans) -> str:
        """How to go on after the first step, if asked again: as those did who were."""
        longer = [name for name in plans.schema.solutions if steps_of(name)[0] == first != name]
        chosen = self.policy(retrieved, plans, longer)
        if chosen.choice is None:
            return first
        if chosen.probabilities[chosen.choice] == 1:
            return chosen.choice
        lots = generator(self._seed, seen)
        lots.random()  # which chose the first step
        return draw(chosen.probabilities, lots.random())

    def learn(self, event: Event) -> None:
        """As ever; and what was meant is what one keeps to, once its first step is done."""
        super().learn(event)
        if not isinstance(event, Acted) or self._meant is None:
            return
        seen, act = self._meant.seen, event.act
        if (seen.seat, seen.hand, seen.acts) == (act.seat, event.seen.hand, event.seen.acts):
            done = self._meant.plan[self._meant.done - 1] == act.action.name
            self._intent, self._meant = self._meant if done else None, None


def _first(plan: str, legal: Mapping[str, Action]) -> str | None:
    """The first step of a plan, or where it is not legal its neighbour."""
    first = steps_of(plan)[0]
    return next((name for name in (first, *REPAIR[first]) if name in legal), None)

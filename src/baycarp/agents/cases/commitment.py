"""Commitment to plans: a solution is a plan for the whole street, so that a check may begin a raise.

The policy chooses the first step among all plans that begin with it together. At the same time it chooses
the later steps, among those retrieved cases that acted again on the street. The player then keeps to the
plan, unless a condition of ``CONDITIONS`` fails. Source: Unger (2011), section 9.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from baycarp.agents.sampling import draw, generator
from baycarp.agents.trace import Stage
from baycarp.cases import CaseBase, Distribution, Retrieved
from baycarp.cases.plans import JOINT, Plans, steps_of
from baycarp.game import Acted, Action, Observation
from baycarp.strategies.episode import DecisionPoint, answers
from baycarp.strategies.spec import Choices, Strategy

__all__ = ["CONDITIONS", "Commitment", "Intent", "PlanStage"]

CONDITIONS = ("legal", "price", "belief")
"""A plan is abandoned where the rules forbid its next step; where more than one bet is owed, because an
opponent has raised; where the strength, against the present ranges, has moved by more than ``SWAY``. Our
choice."""

SWAY = 0.15


@dataclass(frozen=True, slots=True)
class PlanStage(Stage, name="plan"):
    """A plan for the street: kept to at this step, or made; and the plan that was abandoned, and why."""

    plan: str
    step: int
    kept: bool
    abandoned: str = ""
    condition: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """A plan for a street: its steps, and the number of them done, the last one chosen included.

    ``observation`` is the hand when that step was chosen, ``strength`` that of the hand when the plan was
    made, 0..1; None before the flop.
    """

    observation: Observation
    plan: tuple[str, ...]
    done: int
    strength: float | None

    def is_for(self, observation: Observation) -> bool:
        """Whether it is of this hand and street, and there is a step left."""
        then, now = self.observation, observation
        same = (then.hand, then.seat, then.hole, then.street) == (now.hand, now.seat, now.hole, now.street)
        return same and now.acts[: len(then.acts)] == then.acts and self.done < len(self.plan)

    def fails(
        self, observation: Observation, legal: Mapping[str, Action], strength: float | None
    ) -> str | None:
        """The first of ``CONDITIONS`` that fails; None = the plan is kept."""
        if self.plan[self.done] not in legal:
            return "legal"
        if observation.state.owed > observation.variant.raise_sizes[observation.street]:
            return "price"
        if self.strength is not None and strength is not None and abs(strength - self.strength) > SWAY:
            return "belief"
        return None


class Commitment:
    """The plans behind a player's cases, and the plan that it keeps to.

    Parameters
    ----------
    strategy
        The strategy; its solutions are the steps.
    casebases
        Of single steps; cases added to them are followed.
    """

    def __init__(self, strategy: Strategy, casebases: Mapping[str, CaseBase]) -> None:
        self.strategy = strategy
        self.plans = {name: Plans(casebase, strategy.plans or "sum") for name, casebase in casebases.items()}
        self.begin()

    def begin(self) -> None:
        """Drop all plans."""
        self._intent: Intent | None = None
        self._chosen: Intent | None = None  # becomes the intent once its step is done

    def weigh(self, retrieved: Retrieved, casebase: CaseBase, choices: Choices) -> Distribution:
        """The distribution of the retrieved cases' plans over the next action."""
        plans = self.plans[casebase.schema.name]
        plans.follow(casebase)
        first = {plan: choices.counted.get(steps_of(plan)[0], "") for plan in plans.schema.solutions}
        return self.strategy.policy(retrieved, plans, choices.legal, first)

    def plan(
        self,
        point: DecisionPoint,
        retrieved: Retrieved,
        legal: Mapping[str, Action],
        name: str,
        seed: int,
    ) -> PlanStage:
        """The plan that is kept to, or the one that is made now.

        Parameters
        ----------
        point
            The decision.
        retrieved
            Its cases.
        legal
            The legal solutions.
        name
            The one that was chosen where no plan is kept to.
        seed
            Of mixed strategies.
        """
        observation, strength = point.observation, _strength(point)
        intent = self._intent if self._intent and self._intent.is_for(observation) else None
        failed = intent.fails(observation, legal, strength) if intent else None
        if intent and not failed:
            self._chosen = replace(intent, observation=observation, done=intent.done + 1)
            return PlanStage(JOINT.join(intent.plan), intent.done + 1, kept=True)
        plan = self._whole(point, name, retrieved, seed)
        self._chosen = Intent(observation, steps_of(plan), 1, strength)
        abandoned = JOINT.join(intent.plan) if intent else ""
        return PlanStage(plan, 1, kept=False, abandoned=abandoned, condition=failed or "")

    def _whole(self, point: DecisionPoint, first: str, retrieved: Retrieved, seed: int) -> str:
        """The plan that begins with a step, by those retrieved cases that acted again."""
        plans = self.plans[point.schema.name]
        longer = [name for name in plans.schema.solutions if steps_of(name)[0] == first != name]
        chosen = self.strategy.policy(retrieved, plans, longer)
        if chosen.choice is None:
            return first
        if chosen.probabilities[chosen.choice] == 1:
            return chosen.choice
        rng = generator(seed, point.observation)
        rng.random()  # the number that chose the first step
        return draw(chosen.probabilities, rng.random())

    def act(self, event: Acted) -> None:
        """Keep to the chosen plan from now on, if the action is its step."""
        if self._chosen is None:
            return
        own = self._chosen.observation
        if answers(event, own):
            done = self._chosen.plan[self._chosen.done - 1] == self.strategy.solution(event.act.action, own)
            self._intent, self._chosen = self._chosen if done else None, None


def _strength(point: DecisionPoint) -> float | None:
    """The strength of the hand as its case has it; None where it has none."""
    names = [feature.name for feature in point.schema.numbers]
    return float(point.situation.numbers[names.index("hand_strength")]) if "hand_strength" in names else None

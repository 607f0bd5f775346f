"""A decision before its actions are valued, and the action once they are."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.sampling import draw, generator
from baycarp.agents.trace import Stage
from baycarp.agents.value.pricing import PotShare, price, sharper
from baycarp.agents.value.removal import Apart, holds_best, kept, worse
from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.agents.value.words import first_line
from baycarp.game import Action, Observation
from baycarp.kernels.arguments import seeded
from baycarp.opponents.model import opponents_of

__all__ = ["ValueSpot", "Valued"]

Array = NDArray[np.float64]
Policy = Mapping[Action, float]

PASSIVE = ("fold", "check", "call")


@dataclass(frozen=True, eq=False)
class Valued:
    """The values of the actions: fields of ``ValueStage``, and ``apart`` of ``removal.worse``.

    ``share`` is None where it is that of the equity.
    """

    method: str
    values: tuple[ActionValue, ...]
    apart: Apart | None = None
    safe: bool = False
    share: float | None = None


@dataclass(frozen=True, eq=False)
class ValueSpot:
    """What is known of a decision.

    Parameters
    ----------
    observation
        Of the position to act.
    prior
        The policy that is proposed: the vote of the cases, or the blueprint.
    ranges
        The weights of each opponent's holdings by position; heads-up with a blueprint those of the mixture
        that the opponent is held to play.
    trust
        The weight of the opponents' models.
    solved
        Whether the prior is a blueprint.
    seed
        Of the session.
    priced
        The share of the pot, and the values of the actions by equity and price.
    stages
        Of the prior.
    """

    observation: Observation
    prior: Policy
    ranges: Mapping[int, Array]
    trust: float
    solved: bool
    seed: int
    priced: tuple[PotShare, tuple[ActionValue, ...]]
    stages: tuple[Stage, ...]

    def answer(
        self,
        recorder: Recorder,
        valued: Valued,
        policy: Policy | None = None,
    ) -> Answer:
        """Remove what is worse, record the values, and draw.

        Parameters
        ----------
        recorder
            Takes the stages.
        valued
            The actions.
        policy
            That of a re-solve, which has the trust in it. None = the prior without what these values hold to
            be worse, with the weight of the trust; and without what equity and price do, with the rest. Of a
            blueprint, against other ranges, they judge calls and folds alone.
        """
        parts: list[tuple[float, Policy]] = [(1.0, kept(policy or self.prior, valued.values, valued.apart))]
        if policy is None:
            if self.solved:
                judged = tuple(value for value in self.priced[1] if value.action.name in PASSIVE)
            else:
                judged = sharper(self.observation, self.priced[1], valued.values)
            parts = [(self.trust, parts[0][1]), (1 - self.trust, kept(self.prior, judged))]
        if holds_best(self.observation):
            parts = [(weight, _without_fold(part)) for weight, part in parts]
        mixture = {
            action: sum(weight * part.get(action, 0.0) for weight, part in parts)
            for action in dict.fromkeys(action for _, part in parts for action in part)
        }
        removed = worse(valued.values, valued.apart)
        removed = tuple(action for action in removed if not mixture.get(action))
        stage = replace(self._stage(valued), removed=removed, seconds=recorder.lap())
        recorder.add(stage)
        for each in self.stages:
            recorder.add(each)
        followed = 0
        if len(parts) > 1:  # one of both for a whole hand
            uniform = seeded(self.seed, self.observation.hand).random()
            followed = int(uniform >= self.trust)
        action = draw(parts[followed][1], generator(self.seed, self.observation).random())
        exact = all(value.error == 0 for value in valued.values)
        return Answer(action, mixture, first_line(stage), exact)

    def _stage(self, valued: Valued) -> ValueStage:
        observation = self.observation
        (seat, name), *others = opponents_of(observation).items()
        act = next((act for act in reversed(observation.acts) if act.seat == seat), None)
        faced = not others and act is not None
        return ValueStage(
            valued.method,
            self.priced[0].mean if valued.share is None else valued.share,
            price(observation),
            name if faced else "",
            f"{act.action.name}s" if act and faced else "",
            valued.values,
            valued.safe,
            self.trust,
            opponents=1 + len(others),
            to_come=5 - len(observation.board),
            big_blind=observation.variant.big_blind,
        )


def _without_fold(policy: Policy) -> dict[Action, float]:
    """A policy whose folds are calls."""
    fold = next((action for action in policy if action.name == "fold"), None)
    if fold is None:
        return dict(policy)
    call = next((action for action in policy if action.name == "call"), None)
    if call is None:
        return dict(policy)
    return {**policy, fold: 0.0, call: policy[call] + policy[fold]}

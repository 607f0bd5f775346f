"""What would have to be otherwise for another action, where a decision is by value.

Another holding or belief changes the values, and with their order the likeliest action:

holding     One nearest in strength with which another action is likeliest: strengths in growing steps are
            tried, then those between two steps.
evidence    One act of an opponent left out, or replaced by another that its model holds possible. Where
            the opponent is taken to play the blueprint, and before the flop, no act counts.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Decision
from baycarp.agents.trace import stage_of
from baycarp.agents.value.player import ValuePlayer
from baycarp.agents.value.stages import ValueStage
from baycarp.card import HOLDINGS, blocked_by, holding_index, text
from baycarp.errors import ModelError
from baycarp.evaluation import expected_strength
from baycarp.explain.counterfactual import Evidence
from baycarp.explain.flips import Flip, ValueChange
from baycarp.game import Observation
from baycarp.kernels.sweeps import sweep_expected
from baycarp.opponents.model import opponents_of

__all__ = [
    "ActPiece",
    "ValueCounterfactual",
    "act_pieces",
    "flip_of_evidence",
    "flip_of_holding",
    "likeliest",
]

STEPS = 12
"""Strengths that are tried below, and above, the present holding's: near it more than far from it."""


class ValueCounterfactual:
    """A decision of a seated player by value under other conditions; the player itself stays as it is.

    Parameters
    ----------
    agent, observation, decision
        The player that decided, what it observed, and the decision.

    Raises
    ------
    ModelError
        A decision without values, or of another agent.

    Examples
    --------
    >>> import baycarp
    >>> agent = baycarp.load("baycarp")
    >>> line = "MATCHSTATE:0:7:crfc/crc/crc/cr:7h2d||/Js6c4c/3h/6d"
    >>> observation = baycarp.observe(line, game="holdem.limit.3p")
    >>> counterfactual = ValueCounterfactual(agent, observation, agent.decide(observation))
    >>> likeliest(counterfactual.holding((51, 50)))  # AsAh
    'raise'
    """

    def __init__(self, agent: Agent, observation: Observation, decision: Decision) -> None:
        stage = stage_of(decision.trace, ValueStage)
        if stage is None or not isinstance(agent, ValuePlayer):
            raise ModelError("decision: expected one by value, of a player that values its actions")
        self.agent, self.observation, self.decision, self.stage = agent, observation, decision, stage
        self.players = opponents_of(observation)
        self.beliefs = agent.beliefs(observation)

    def holding(self, hole: tuple[int, ...]) -> Decision:
        """The decision with another holding."""
        state = self.observation.state.copy()
        assert self.observation.seat is not None
        state.deal({self.observation.seat: hole})
        return self.agent.aside().decide(self.observation._replace(state=state))

    def given(self, evidence: Evidence) -> Decision:
        """The decision under other acts of the opponents."""
        model, aside = self.agent.cases.full.opponents, self.agent.aside()
        beliefs = (
            model.suppose(self.observation, position, self.players[position], acts)
            for position, acts in evidence.items()
        )
        aside.suppose({belief.position: belief.weights for belief in beliefs})
        return aside.decide(self.observation)

    @property
    def evidence(self) -> Evidence:
        """The acts of each opponent by which its holding is believed; none where they do not count."""
        by_model = self.stage.trust or self.agent._blueprint(self.observation) is None
        counts = self.observation.street and by_model
        return {position: belief.evidence for position, belief in self.beliefs.items()} if counts else {}


@dataclass(frozen=True, slots=True)
class ActPiece:
    """An act of an opponent, and the decision without it.

    Parameters
    ----------
    player, node, state
        The opponent's name, where it acted, and its choice.
    action
        The likeliest action without the act.
    chips
        By how much more the decided action is ahead of the best other one without the act.
    """

    player: str
    node: str
    state: str
    action: str
    chips: float


def act_pieces(counterfactual: ValueCounterfactual) -> tuple[ActPiece, ...]:
    """All acts of the opponents, those first that move the lead of the decided action most."""
    evidence, found = counterfactual.evidence, list[ActPiece]()
    action = counterfactual.decision.action
    now = _lead(counterfactual.given(evidence), action.name) if evidence else 0.0
    for position, acts in evidence.items():
        for node, state in acts.items():
            rest = {other: done for other, done in acts.items() if other != node}
            without = counterfactual.given({**evidence, position: rest})
            chips = _lead(without, action.name) - now
            player = counterfactual.players[position]
            found.append(ActPiece(player, node, state, likeliest(without), chips))
    return tuple(sorted(found, key=lambda piece: -abs(piece.chips)))


def likeliest(decision: Decision) -> str:
    """The action of the greatest probability, all sizes of a bet together."""
    chances = decision.policy_by_kind()
    return max(chances, key=chances.__getitem__)


def flip_of_evidence(counterfactual: ValueCounterfactual) -> Flip | None:
    """The act of an opponent whose change flips the decision with the least movement of its value."""
    evidence = counterfactual.evidence
    if not evidence:
        return None
    before = counterfactual.given(evidence)
    action = likeliest(before)
    found = []
    for position, node, state in _possible(counterfactual):
        acts = {key: done for key, done in evidence[position].items() if key != node}
        there = counterfactual.given({**evidence, position: acts | ({node: state} if state else {})})
        if likeliest(there) != action:
            player = counterfactual.players[position]
            change = ValueChange(node, evidence[position].get(node), state, player)
            found.append(Flip((change,), abs(_share(there) - _share(before)), likeliest(there)))
    return min(found, key=lambda flip: flip.size, default=None)


def flip_of_holding(counterfactual: ValueCounterfactual) -> Flip | None:
    """The nearest holding in strength with which another action is likeliest."""
    before = likeliest(counterfactual.decision)
    order = _by_strength(counterfactual)
    at = order.index(holding_index(*counterfactual.observation.hole))
    tried: dict[int, Decision] = {}

    def flips(number: int) -> bool:
        if number not in tried:
            tried[number] = counterfactual.holding(tuple(HOLDINGS[order[number]].tolist()))
        return likeliest(tried[number]) != before

    ends = (_nearest(flips, at, steps) for steps in (_steps(at, -1), _steps(at, len(order))))
    found = []
    for number in (end for end in ends if end is not None):
        hole, share = text(HOLDINGS[order[number]].tolist()), _share(tried[number])
        changes = (
            ValueChange("holding", text(counterfactual.observation.hole), hole),
            ValueChange("share of the pot", counterfactual.stage.share, share),
        )
        flip = Flip(changes, abs(share - counterfactual.stage.share), likeliest(tried[number]))
        found.append(flip)
    return min(found, key=lambda flip: flip.size, default=None)


def _steps(at: int, end: int) -> list[int]:
    """Places in growing steps from one place to the last before an end."""
    last = end - 1 if end > at else end + 1
    parts = np.linspace(0, 1, STEPS + 1) ** 2
    return list(dict.fromkeys((at + parts * (last - at)).round().astype(int).tolist()))


def _nearest(flips: Callable[[int], bool], at: int, steps: Sequence[int]) -> int | None:
    """The place nearest to the first one that flips: after the last step that does not."""
    same = at
    for step in steps[1:]:
        if flips(step):
            flipped = step
            while abs(flipped - same) > 1:
                middle = (flipped + same) // 2
                same, flipped = (same, middle) if flips(middle) else (middle, flipped)
            return flipped
        same = step
    return None


def _by_strength(counterfactual: ValueCounterfactual) -> list[int]:
    """The possible own holdings from the weakest to the strongest, against the belief of the decision."""
    board = bytes(counterfactual.observation.board)
    strength: NDArray[np.float64] = np.ones(1326)
    if board:
        for belief in counterfactual.beliefs.values():
            strength = strength * sweep_expected(board, belief.weights)[0]
    else:
        strength = expected_strength(None)[0]
    order = np.argsort(strength, kind="stable")
    free = np.isfinite(strength) & ~blocked_by(counterfactual.observation.board)
    return [holding for holding in order.tolist() if free[holding]]


def _possible(counterfactual: ValueCounterfactual) -> Iterator[tuple[int, str, str | None]]:
    """An opponent's position, its act, and another state of it; None = not observed."""
    model = counterfactual.agent.cases.full.opponents
    for position, acts in counterfactual.evidence.items():
        player = counterfactual.players[position]
        for node, state in model.possible(counterfactual.observation, position, player, acts):
            yield position, node, state


def _lead(decision: Decision, name: str) -> float:
    """The chips by which the best action of a kind is ahead of the best of the others."""
    stage = stage_of(decision.trace, ValueStage)
    assert stage is not None
    own = [each.chips for each in stage.values if each.action.name == name]
    others = [each.chips for each in stage.values if each.action.name != name]
    return max(own, default=0.0) - max(others, default=0.0)


def _share(decision: Decision) -> float:
    stage = stage_of(decision.trace, ValueStage)
    assert stage is not None
    return stage.share

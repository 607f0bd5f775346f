"""The dependence of a decision on each observation of an opponent, by the decision without it.

``experiments.decisions`` measures it: a piece is chosen on one half of the cases, its effect is counted on
the other half. By that measure the movement of the case is as good a criterion.
"""

from dataclasses import dataclass

from baycarp.cases import Situation
from baycarp.explain.counterfactual import Counterfactual, shares, shift
from baycarp.explain.flips import apart

__all__ = ["Piece", "pieces"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One observation of an opponent, and the change of the decision without it.

    Parameters
    ----------
    position, node, state
        The opponent's position, and the observed state of a node.
    action_shift, vote_shift, type_shift
        The total variation between with and without the observation: of the distribution over actions, of the
        shares of the votes, of the belief in the opponent's hand type; 0..1.
    without
        The situation without the observation.
    distance
        Between the two situations, 0..1.
    action
        The action without the observation.
    """

    position: int
    node: str
    state: str
    action_shift: float
    vote_shift: float
    type_shift: float
    without: Situation
    distance: float
    action: str


def pieces(counterfactual: Counterfactual) -> tuple[Piece, ...]:
    """All observations of the opponents, the most important for the decision first; before the flop none.

    If the action is the same without an observation, the votes show its importance.

    Examples
    --------
    >>> import baycarp
    >>> agent = baycarp.load("baycarp2")
    >>> line, game = "MATCHSTATE:0:0:rc/cc/:AhKd|/Qs7d2c/9h", "holdem.limit.2p.reverse_blinds"
    >>> observation = baycarp.observe(line, game=game)
    >>> first = pieces(Counterfactual(agent, observation, agent.decide(observation)))[0]
    >>> first.node, first.state, first.action
    ('Action', 'Raise', 'bet')
    """
    if not counterfactual.observation.street:
        return ()
    found = []
    before = counterfactual.at(counterfactual.situation)
    for position, nodes in counterfactual.evidence.items():
        types = counterfactual.belief(position, nodes).types
        for node, state in nodes.items():
            rest = {other: value for other, value in nodes.items() if other != node}
            without = counterfactual.case({**counterfactual.evidence, position: rest})
            after = counterfactual.at(without)
            found.append(
                Piece(
                    position,
                    node,
                    state,
                    action_shift=shift(before.probabilities, after.probabilities),
                    vote_shift=shift(shares(before.votes), shares(after.votes)),
                    type_shift=shift(types, counterfactual.belief(position, rest).types),
                    without=without,
                    distance=apart(counterfactual.schema, counterfactual.situation, without),
                    action=counterfactual.action(after),
                )
            )
    return tuple(sorted(found, key=lambda piece: -piece.action_shift - piece.vote_shift))

"""The dependence of a decision on each observation of an opponent, by the decision without it.

``experiments.decisions.faithfulness`` measures it: a piece is chosen on one half of the cases, and its effect is counted on
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
    moved, votes, types
        The movement of the distribution over actions, of the shares of the votes, and of the belief in the
        opponent's hand type; 0..1.
    size, there
        The distance between the situations, 0..1; the situation without the observation.
    action
        The action without the observation.
    """

    position: int
    node: str
    state: str
    moved: float
    votes: float
    types: float
    size: float
    there: Situation
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
    found, before = [], counterfactual.at(counterfactual.situation)
    for position, nodes in counterfactual.evidence.items():
        for node, state in nodes.items():
            rest = {other: value for other, value in nodes.items() if other != node}
            there = counterfactual.case({**counterfactual.evidence, position: rest})
            after = counterfactual.at(there)
            with_it, without = (counterfactual.belief(position, some).types for some in (nodes, rest))
            found.append(
                Piece(
                    position,
                    node,
                    state,
                    moved=shift(before.probabilities, after.probabilities),
                    votes=shift(shares(before.votes), shares(after.votes)),
                    types=shift(with_it, without),
                    size=apart(counterfactual.schema, counterfactual.situation, there),
                    there=there,
                    action=counterfactual.action(after),
                )
            )
    return tuple(sorted(found, key=lambda piece: -piece.moved - piece.votes))

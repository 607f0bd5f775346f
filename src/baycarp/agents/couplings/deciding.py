"""The network that decides: over the features that cases have, discretised, learned from the same cases."""

from collections.abc import Mapping
from dataclasses import dataclass

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.couplings.discretised import ActionNetwork, action_network
from baycarp.agents.couplings.player import Coupled, Features
from baycarp.agents.trace import Stage
from baycarp.game import Action
from baycarp.strategies.episode import DecisionPoint

__all__ = ["DiscretisedStage", "NetworkDecides", "by_network"]


@dataclass(frozen=True, slots=True)
class DiscretisedStage(Stage, name="network of actions"):
    """The decision of a network of actions.

    Parameters
    ----------
    states
        Of each feature.
    chances
        The probability of each legal solution.
    legal
        By legal solution, its action.
    rows
        The cases that the network was fitted on.
    """

    states: Mapping[str, str]
    chances: Mapping[str, float]
    legal: Mapping[str, Action]
    rows: int


class NetworkDecides(Features):
    """The network decides; with a network that reads, both tasks are a network's, as in Gambler and BPP.

    No coupling of the framework: the control of those whose last system is the cases. The network takes I and
    the reader's D, discretised, and gives C.
    """

    def answer(self, player: Coupled, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The likeliest legal action by the network of all cases."""
        base = player.model.casebases[point.schema.name]
        return by_network(player, point, action_network(base), len(base), recorder)


def by_network(
    player: Coupled, point: DecisionPoint, network: ActionNetwork, rows: int, recorder: Recorder
) -> Answer:
    """The likeliest legal action by a network; of equals the cheapest. The stage is recorded."""
    choices = player.strategy.choices(point.observation, point.schema)
    legal = choices.legal
    chances = dict.fromkeys(legal, 0.0)
    for solution, chance in network.chances(point.situation).items():
        if solution in choices.counted:
            chances[choices.counted[solution]] += chance
    total = sum(chances.values())
    chances = {name: chance / total for name, chance in chances.items()}
    name = max(chances, key=chances.__getitem__)
    states = network.evidence(point.situation)
    recorder.add(DiscretisedStage(states, chances, legal, rows, seconds=recorder.lap()))
    policy = {action: float(each == name) for each, action in legal.items()}
    reason = f"{chances[name]:.0%} of the players did so, by a network of {rows:,} cases"
    return Answer(legal[name], policy, reason)

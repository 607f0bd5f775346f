"""BN-CBR-1, action first: the network chooses the action, and cases carry it out (Aha and Chang)."""

import numpy as np

from baycarp.agents.anytime import Answer, Recorder
from baycarp.agents.couplings.deciding import NetworkDecides
from baycarp.agents.couplings.player import Coupled
from baycarp.cases import Retrieved, retrieve
from baycarp.strategies.episode import DecisionPoint

__all__ = ["Planned"]


class Planned(NetworkDecides):
    """BN-CBR-1: the network chooses the action; of the cases with this solution plans are made, as CASEY's.

    Loose, horizontal: the network takes I and gives D*, which cases are active: those whose first step is its
    action. They give C, the whole plan for the street: a check may begin a raise. With atomic actions cases
    would have nothing to do (Unger 2011, section 4.2.1; CASEY's plans: section 4.3.2). The player keeps to a
    plan as ``cases.commitment`` has it. Without plans it is the network that decides.
    """

    def answer(self, player: Coupled, point: DecisionPoint, recorder: Recorder) -> Answer:
        """The step of the plan that is kept to, or the network's action, which begins one."""
        chosen = super().answer(player, point, recorder)
        choices = player.strategy.choices(point.observation, point.schema)
        name = next(each for each, action in choices.legal.items() if action == chosen.action)
        base = player.casebases[point.schema.name]
        found = retrieve(base, point.situation)
        now = base.snapshot()
        solutions = now.solutions[now.rows(found.ids)]
        counted = [
            code for code, each in enumerate(base.schema.solutions) if choices.counted.get(each) == name
        ]
        on = np.isin(solutions, counted)
        active = Retrieved(found.ids[on], found.similarities[on], found.fell_back, found.scored, found.stored)
        player.query(point, active, recorder)
        kept = player.reuse.keep(point, active, choices.legal, name, recorder)
        return kept or chosen

r"""Players that answer as tables, for exact comparisons.

    python -m experiments tables --against sartre \
        --players "experiments/players/table_players.py:ByStreet(turn=1.0)"
    python -m experiments tables --players experiments/players/table_players.py:sartre3p

The package does not ship them.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.cases.case_table import CaseTable
from baycarp.agents.solved.equilibrium import Equilibrium, thresholded
from baycarp.game.plays import Plays
from baycarp.game.state import State
from baycarp.strategies.model import shipped_model
from baycarp.strategies.sartre import Strengths
from baycarp.strategies.sartre_three import SARTRE3P

HEADS_UP = Plays(frozenset({"limit"}), 2, 2)


class ByStreet(Equilibrium):
    """The solved strategy of ``equilibrium`` with a threshold for each street."""

    def __init__(
        self, preflop: float = 0.0, flop: float = 0.0, turn: float = 0.0, river: float = 0.0
    ) -> None:
        super().__init__()
        self.thresholds = preflop, flop, turn, river

    def class_policies(self, state: State) -> NDArray[np.float64]:
        """The probabilities of (fold, check or call, bet or raise) by bucket: float64, shape (buckets, 3)."""
        return thresholded(super().class_policies(state), self.thresholds[state.street])


def sartre3p() -> CaseTable:
    """``sartre3p`` at a table of two, where its heads-up cases alone decide."""
    heads_up = replace(SARTRE3P, describe=Strengths(), at_table=None, plays=HEADS_UP)
    return CaseTable(heads_up, shipped_model(SARTRE3P), learning=False)

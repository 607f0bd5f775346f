"""How often an agent folds to bets on turn and river, beside the equilibrium at the same decision points.

The hands are those of the equilibrium against itself. At each of its decisions that faces a bet there, the
agent, to whom all players are unknown, is given the same observation; the probability of a fold is that of
its policy.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from baycarp.agents.base import Agent, Decision
from baycarp.agents.registry import identity, load_for
from baycarp.api.exploit import GAME
from baycarp.arena.decks import PLAYED
from baycarp.arena.hand import play_hand
from baycarp.arena.journal import Journal
from baycarp.arena.measure import Rate, mean_by_hand
from baycarp.arena.rotation import deals
from baycarp.arena.session import agent_seed
from baycarp.arena.workers import Workers
from baycarp.errors import JournalError
from baycarp.game import State, Variant
from baycarp.game.action import STREETS
from baycarp.responses.journalled import complete
from experiments.strength.line import Line

__all__ = ["FoldPlan", "FoldRow"]

EXAMINER = "equilibrium"
UNIT = 25
"""Hands of a unit of work."""

LATE = (2, 3)
"""Turn and river."""


@dataclass(frozen=True, slots=True)
class FoldRow:
    """Decisions of the equilibrium that an agent is given.

    Parameters
    ----------
    name
        Of the row.
    hands
        Of the equilibrium against itself.
    seed
        Of cards and draws.
    """

    name: str
    hands: int
    seed: int

    def plan(self, agent: str, share: float) -> "FoldPlan":
        """A share of the hands."""
        return FoldPlan(agent, max(UNIT, round(share * self.hands)), self.seed)


@dataclass(frozen=True, slots=True)
class FoldPlan:
    """Hands in which the agent is given decisions.

    Parameters
    ----------
    spec
        The agent.
    hands
        At least so many.
    seed
        Of cards and draws.
    """

    spec: str
    hands: int
    seed: int

    @property
    def units(self) -> tuple[str, int]:
        """Parts of the hands."""
        return "parts", -(-self.hands // UNIT)

    @property
    def journal(self) -> str:
        """The name of its journal."""
        return "folds.journal"

    @property
    def header(self) -> dict[str, Any]:
        """The header of the journal."""
        game = Variant.load(GAME)
        players = {"agent": identity(self.spec, game), "examiner": identity(EXAMINER, game)}
        return {"kind": "folds to bets", **players, "game": GAME, "seed": self.seed}

    def run(self, folder: Path, workers: Workers, tick: Callable[[int], None]) -> tuple[Line, ...]:
        """Give what the journal in a folder lacks; a line a street, probabilities in per cent."""
        units = range(self.units[1])
        with Journal(folder / self.journal, self.header) as journal:
            complete(journal, units, _key, partial(compare, self), workers, tick)
            try:
                found = [journal.records[(unit,)]["folds"] for unit in units]
                rows = np.array([row for each in found for row in each], np.float64).reshape(-1, 4)
            except (KeyError, TypeError, ValueError) as error:
                raise JournalError(f"{journal.path}: expected hand, street and two probabilities") from error
        return tuple(_line(STREETS[street], rows[rows[:, 1] == street]) for street in LATE)


def _key(unit: int) -> tuple[int]:
    return (unit,)


def _line(street: str, rows: np.ndarray) -> Line:
    hands = rows[:, 0].astype(np.int64)
    own, other, more = (
        Rate(*mean_by_hand(100 * each, hands), len(rows), "% folds")
        for each in (rows[:, 2], rows[:, 3], rows[:, 2] - rows[:, 3])
    )
    return Line(street, own, EXAMINER, other, more, 1)


def compare(plan: FoldPlan, unit: int) -> dict[str, list[tuple[int, int, float, float]]]:
    """The record of a unit: hand, street, and the probability of a fold of the agent and of the examiner."""
    game = Variant.load(GAME)
    names = ("one", "other")
    session = PLAYED + unit
    examiners = [_seated(EXAMINER, game, plan.seed, session, seat) for seat in (0, 1)]
    found: list[tuple[int, int, float, float]] = []
    for dealt in deals(names, plan.seed, session, UNIT):
        hand = unit * UNIT + dealt.hand

        def watch(state: State, decision: Decision, number: int = hand) -> None:
            if state.street not in LATE or all(each.name != "call" for each in state.legal_actions()):
                return
            seen = state.observe(state.to_act, names, number)
            agent = _seated(plan.spec, game, plan.seed, session, state.to_act or 0)
            found.append((number, state.street, _folds(agent.decide(seen)), _folds(decision)))

        play_hand(State(game, deck=dealt.deck), dealt.by_position(examiners), names, dealt.hand, watch=watch)
    return {"folds": found}


def _seated(spec: str, game: Variant, seed: int, session: int, seat: int) -> Agent:
    agent = load_for(game, spec)
    agent.sit(seat, game, agent_seed(seed, session, seat))
    return agent


def _folds(decision: Decision) -> float:
    return float(sum(chance for action, chance in decision.policy.items() if action.name == "fold"))

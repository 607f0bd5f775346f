"""An agent's answers to spots of PokerBench."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from baycarp.agents.base import Agent
from baycarp.agents.value.lookahead import look_ahead
from baycarp.agents.value.removal import nearest
from baycarp.arena.measure import Rate, Share, interval
from baycarp.errors import BaycarpError
from baycarp.game import Action, Observation
from baycarp.opponents.moves.players import SHIPPED, load_players
from baycarp.opponents.moves.reading import Reader
from experiments.pokerbench.layout import BIG_BLIND, BenchMove, BenchSpot

__all__ = ["BenchScore", "answer", "score"]

WINDOW = 400
"""Last actions that the model of players reads an opponent by."""


@dataclass(frozen=True, slots=True)
class BenchScore:
    """The score of an agent.

    Parameters
    ----------
    kind
        Right by the kind of move: fold, check, call, raise (a bet is one).
    exact
        Right with the size too: of the sizes that the files offer the one nearest to the agent's.
    by_move
        ``exact`` by the correct kind.
    refused
        Rows that the rules forbid, or that the agent cannot play; they count as wrong in neither.
    rounding
        The greatest difference of a pot from the files', big blinds.
    lost
        Big blinds a wrong answer loses beside the correct one by a look-ahead against the models of players,
        with its interval over spots; nan where none was valued.
    """

    kind: Share
    exact: Share
    by_move: dict[str, Share] = field(default_factory=dict)
    refused: int = 0
    rounding: float = 0.0
    lost: Rate = field(default_factory=lambda: interval(np.zeros(0), unit="bb"))


def answer(agent: Agent, spot: BenchSpot) -> tuple[Action, BenchMove]:
    """The agent's action in a spot, and the offered move that it is."""
    agent.sit(spot.observation.seat or 0, spot.observation.variant, 0)
    action = agent.decide(spot.observation).action
    if action.name not in ("bet", "raise"):
        return action, BenchMove(action.name)
    size = action.amount / BIG_BLIND
    sizes = [move.size for move in spot.moves if move.size is not None]
    return action, BenchMove("raise", min(sizes, key=lambda each: abs(each - size)) if sizes else size)


def score(agent: Agent, spots: Iterable[BenchSpot | None], playouts: int | None = None) -> BenchScore:
    """Score an agent.

    Parameters
    ----------
    agent
        That plays six-handed no-limit.
    spots
        Of a file; None for a row that was refused.
    playouts
        Of the look-ahead that values a wrong answer, at least 2; None = they are not valued.
    """
    reader = Reader(load_players(SHIPPED), WINDOW)
    kinds: list[bool] = []
    exact: list[tuple[str, bool]] = []
    lost: list[float] = []
    refused, rounding = 0, 0.0
    for spot in spots:
        try:
            found = None if spot is None else answer(agent, spot)
        except BaycarpError:
            found = None
        if spot is None or found is None:
            refused += 1
            continue
        action, move = found
        rounding = max(rounding, spot.rounding)
        kinds.append(move.kind == spot.correct.kind)
        exact.append((spot.correct.kind, move == spot.correct))
        if playouts is not None and move != spot.correct:
            lost.append(_lost(playouts, reader, spot, action))
    by_move = {
        name: Share(
            sum(right for kind, right in exact if kind == name), sum(kind == name for kind, _ in exact)
        )
        for name in sorted({kind for kind, _ in exact})
    }
    total = Share(sum(right for _, right in exact), len(exact))
    value = interval(np.array(lost), unit="bb")
    return BenchScore(Share(sum(kinds), len(kinds)), total, by_move, refused, rounding, value)


def _lost(playouts: int, reader: Reader, spot: BenchSpot, taken: Action) -> float:
    """What the correct move gains over the taken one, big blinds; of sizes by the nearest valued ones."""
    observation = spot.observation
    values = look_ahead(observation, reader, playouts, 1)
    chips = {value.action: value.chips for value in values}
    right, other = (nearest(each, values) for each in (_legal(observation, spot.correct), taken))
    return (chips[right] - chips[other]) / observation.variant.big_blind if right and other else 0.0


def _legal(observation: Observation, move: BenchMove) -> Action:
    """The legal action that a move means."""
    if move.size is None:
        return observation.state.named(
            move.kind if observation.state.owed or move.kind != "call" else "check"
        )
    *_, most = observation.legal_actions()
    if most.name not in ("bet", "raise"):
        return observation.state.named("call")
    _, least, highest, _ = observation.state.bounds()
    return Action(most.name, min(max(round(move.size * BIG_BLIND), least), highest))

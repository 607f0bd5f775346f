"""An episode: the decisions of one position in one hand, from the question to the settled case."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from baycarp.cases import Case, Schema, Settled, Situation
from baycarp.game import Act, Acted, Observation
from baycarp.game.action import STREETS
from baycarp.rules.outcome import HandResult, Stake
from baycarp.strategies.spec import STREET_RESULTS, Beliefs, Describe, Strategy

__all__ = ["DecisionPoint", "Episode", "answers", "decision_point", "provenance"]


@dataclass(frozen=True, slots=True, eq=False)
class DecisionPoint:
    """A requested decision.

    Parameters
    ----------
    observation
        The hand, as the position to act observes it.
    schema
        Of the case-base that the decision uses.
    values, situation
        The situation, by feature and encoded.
    beliefs
        About every opponent still in, by position.
    """

    observation: Observation
    schema: Schema
    values: Mapping[str, Any]
    situation: Situation
    beliefs: Beliefs

    def is_answered_by(self, event: Acted) -> bool:
        """Whether an action is the answer to this decision."""
        return answers(event, self.observation)


def answers(event: Acted, own: Observation) -> bool:
    """Whether an action is the answer to a decision of the observing player."""
    act, before = event.act, event.observation
    return (own.seat, own.hand, own.acts) == (act.seat, before.hand, before.acts)


def decision_point(
    strategy: Strategy,
    observation: Observation,
    beliefs: Beliefs,
    schema: Schema | None = None,
    describe: Describe | None = None,
) -> DecisionPoint:
    """Describe a decision.

    Parameters
    ----------
    strategy
        The strategy that describes it.
    observation
        The hand, as the position to act observes it.
    beliefs
        About every opponent still in.
    schema
        Of the case-base that the decision uses; None = the strategy's own.
    describe
        None = the strategy's.
    """
    schema = schema or strategy.bases[strategy.key(observation)]
    values = (describe or strategy.describe)(observation, beliefs, schema)
    return DecisionPoint(observation, schema, values, schema.situation(values), beliefs)


class Episode:
    """The decisions of one position in one hand.

    Parameters
    ----------
    strategy
        Names solutions and gives outcomes.
    session
        The number of a watched session, for the cases' provenance; -1 = own play.
    """

    def __init__(self, strategy: Strategy, session: int = -1) -> None:
        self.strategy, self.session = strategy, session
        self._done: list[tuple[str, Case, Stake]] = []

    def act(self, point: DecisionPoint, act: Act) -> None:
        """Record that a decision was carried out."""
        name = self.strategy.solution(act.action, point.observation)
        columns = [column for column, _, _ in point.schema.provenance]
        origin = provenance(point.observation, self.session) if columns else {}
        case = Case(point.situation, name, 0.0, {column: origin[column] for column in columns})
        ranges = {position: belief.weights for position, belief in point.beliefs.items()}
        self._done.append((point.schema.name, case, Stake(point.observation, act, ranges)))

    def settle(self, result: HandResult) -> list[Settled]:
        """End the episode: every decision as a case with its outcome, in order."""
        return [Settled(base, self._settled(case, stake, result)) for base, case, stake in self._done]

    def _settled(self, case: Case, stake: Stake, result: HandResult) -> Case:
        origin = dict(case.provenance)
        if STREET_RESULTS in origin:
            hundredth = stake.observation.variant.small_bet / 100
            origin[STREET_RESULTS] = tuple(round(chips / hundredth) for chips in result.streets)
        return replace(case, outcome=self.strategy.outcome(stake, result), provenance=origin)


def provenance(observation: Observation, session: int = -1) -> dict[str, Any]:
    """The origin of a case: watched session (-1 = own play), hand, position, board and hole (255 = none).

    What each street brought is 0 until the hand is over.
    A hand number beyond 32 bits, as card rooms use them, is stored as 0.
    """
    return {
        "session": session,
        "hand": observation.hand if abs(observation.hand) < 2**31 else 0,
        "player": observation.seat,
        "board": (*observation.board, *(255,) * (5 - len(observation.board))),
        "hole": observation.hole,
        STREET_RESULTS: (0,) * len(STREETS),
    }

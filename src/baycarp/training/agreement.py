"""The agreement of a model with the player that it imitates, in held-out hands."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import astuple, dataclass, field
from math import log
from typing import TypeAlias

from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.cases.stages import ReuseStage
from baycarp.agents.trace import stage_of
from baycarp.cases import CaseBase
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.strategies.model import Model
from baycarp.training.casebases import is_of, positions_with_cases

__all__ = ["Agreement", "HeldOut", "Prediction", "agreement", "frequencies", "shares"]

Agreement: TypeAlias = Counter[tuple[int, bool]]
"""The number of decisions by (street, whether the model's solution was the player's)."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The players' solutions in held-out decisions, predicted by cases and by how often each occurs.

    Parameters
    ----------
    decisions
        Their number.
    loss
        The sum of the log losses in nats, by the retrieved cases' shares of the legal solutions; one more
        vote is divided among them all, so that none is impossible.
    loss_of_frequencies
        The same by the frequencies of the solutions in the whole case-base, of the legal ones.
    hits_of_frequencies
        The decisions in which the most frequent legal solution was chosen.
    """

    decisions: int = 0
    loss: float = 0.0
    loss_of_frequencies: float = 0.0
    hits_of_frequencies: int = 0

    def __add__(self, other: "Prediction") -> "Prediction":
        return Prediction(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What a model does in held-out decisions of the players, and how it predicts them."""

    agreement: Agreement = field(default_factory=Counter)
    prediction: Prediction = Prediction()

    def __add__(self, other: "HeldOut") -> "HeldOut":
        return HeldOut(self.agreement + other.agreement, self.prediction + other.prediction)


def agreement(hands: Iterable[Hand], model: Model, players: Container[str] | None) -> HeldOut:
    """Compare the model's decision, without learning, with every decision of the players.

    A mixed strategy does not always agree with itself. In no-limit the letters of the bets are compared.

    Parameters
    ----------
    hands
        The hands of one session, in order.
    model
        The model; a decision with an empty case-base is left out.
    players
        The players of the decisions; None = all. Decisions without known cards are left out.
    """
    agent = CasePlayer(model.strategy, model, learning=False)
    met = Agreement()
    predicted = Prediction()
    often = {name: frequencies(casebase) for name, casebase in model.casebases.items()}
    for hand in hands:
        final, number = replay(hand), hand.id if isinstance(hand.id, int) else 0
        positions = [at for at in positions_with_cases(hand, final) if is_of(hand, at, players)]
        for state, act in zip(states(hand), final.acts, strict=False):
            if act.seat in positions:
                observation = state.observe(act.seat, hand.players, number)
                own = often[model.strategy.key(observation)]
                if own and len(model.casebases[agent.strategy.key(observation)]):
                    decision = agent.decide(observation)
                    chosen = agent.strategy.solution(decision.action, observation)
                    done = model.strategy.solution(act.action, observation)
                    met[act.street, chosen == done] += 1
                    reuse = stage_of(decision.trace, ReuseStage)
                    assert reuse is not None
                    predicted += _prediction(reuse.memories[0].votes, own, done)
        agent.learn(HandOver(final.observe(None, hand.players), ()))
    return HeldOut(met, predicted)


def frequencies(casebase: CaseBase) -> Counter[str]:
    """How often each solution was chosen, in the whole case-base."""
    names = casebase.schema.solutions
    counts = casebase.snapshot().chosen(len(names)).sum(axis=1)
    return +Counter(dict(zip(names, map(int, counts), strict=True)))


def shares(votes: Mapping[str, float]) -> dict[str, float]:
    """The shares of the legal solutions; one more vote is divided among them, so that none is impossible.

    Examples
    --------
    >>> shares({"fold": 3, "call": 0})
    {'fold': 0.875, 'call': 0.125}
    """
    total = sum(votes.values()) + 1
    return {name: (count + 1 / len(votes)) / total for name, count in votes.items()}


def _prediction(votes: Mapping[str, int], counts: Mapping[str, int], done: str) -> Prediction:
    """Of one decision, by the votes of the legal solutions."""
    legal = {**dict.fromkeys(votes, 0), done: 0}
    often = {name: counts.get(name, 0) for name in legal}
    hit = int(max(often, key=often.__getitem__) == done)
    return Prediction(1, _loss({**legal, **votes}, done), _loss(often, done), hit)


def _loss(votes: Mapping[str, int], done: str) -> float:
    return -log(shares(votes)[done])

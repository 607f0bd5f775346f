"""What stands beside the win rates: how arms decide the same held-out decisions.

Every arm observes the same watched hands as one of their players, and decides in its place; the hand goes on
as it was played. So that a coupling that changes nothing is found, whatever it wins.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from baycarp.agents.base import Agent, Believer, Decision
from baycarp.agents.couplings.filtered import SwitchStage
from baycarp.agents.registry import load
from baycarp.agents.trace import stage_of, trace_record
from baycarp.arena.decks import HELD_OUT, numbers
from baycarp.card import holding_index
from baycarp.explain.replay import replay
from baycarp.game import Acted, HandOver, Observation
from baycarp.game.notation.hand import Hand, states
from baycarp.game.notation.hand import replay as played_out
from baycarp.training.watch import folder_of, hands_of, log_path
from experiments.couplings.study import CouplingStudy

__all__ = ["BASES", "BITES", "Beside", "beside", "changed", "held_out", "observed"]

BITES = 0.01
"""An arm that decides otherwise in fewer decisions than this share is reported as changing nothing."""

BASES: Mapping[str, str] = {
    "network-cases": "none-cases",
    "cases-cases": "none-cases",
    "network-network": "none-network",
    "cases-network": "none-network",
    "filter": "none-cases",
    **dict.fromkeys(
        ("plans", "exemplars", "adapted", "local tables", "retrieved network"), "network-network"
    ),
}
"""The arm that another comes from, and is equal to at the end of its range; of others ``network-cases``."""


@dataclass(slots=True)
class Beside:
    """An arm's decisions on the same observations.

    Parameters
    ----------
    actions
        By decision.
    seconds
        Of each decision.
    losses
        -log of the believed probability of what each opponent held, in nats.
    hands
        The number of the hand of each loss.
    off
        Shares of stored cases that were switched off, on the flop and later; of a filter alone.
    replayed
        Whether the action follows from the recorded trace alone, as an explanation reads it.
    """

    actions: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)
    hands: list[int] = field(default_factory=list)
    off: list[float] = field(default_factory=list)
    replayed: list[bool] = field(default_factory=list)


def changed(one: Beside, other: Beside) -> float:
    """The share of decisions in which two arms act otherwise, 0..1."""
    return float(np.mean([a != b for a, b in zip(one.actions, other.actions, strict=True)]))


def beside(study: CouplingStudy, at_most: int) -> Mapping[str, Beside]:
    """Let each arm decide in the place of a player of the held-out hands.

    Parameters
    ----------
    study
        Its models must exist.
    at_most
        Hands, of the first held-out session.
    """
    hands = held_out(study)[:at_most]
    return {name: observed(load(spec), hands) for name, spec in study.arms().items()}


def held_out(study: CouplingStudy) -> Sequence[Hand]:
    """The hands of the first session that no model has watched."""
    watched = study.hands_watched()
    curriculum = watched.curriculum
    _, session = curriculum.split(watched.hands)
    number = numbers(HELD_OUT, 1)[0]
    assert watched.sessions is not None
    log = log_path(folder_of(watched.sessions, curriculum, session), number)
    return list(hands_of(log, curriculum.table(number)))


def observed(agent: Agent, hands: Sequence[Hand]) -> Beside:
    """One arm in the place of the last player."""
    found, player = Beside(), hands[0].players[-1] if hands else ""
    for number, hand in enumerate(hands):
        position, final = hand.players.index(player), played_out(hand)
        if not number:
            agent.sit(position, hand.variant, 1)
        for state, act in zip(states(hand), final.acts, strict=False):
            observation = state.observe(position, hand.players, number)
            if act.seat == position and len(observation.legal_actions()) > 1:
                decision = agent.decide(observation)
                _take(found, agent, observation, decision, hand)
            agent.learn(Acted(observation, act))
        agent.learn(HandOver(final.observe(position, hand.players, number), tuple(final.payoffs())))
    return found


def _take(found: Beside, agent: Agent, observation: Observation, decision: Decision, hand: Hand) -> None:
    found.actions.append(decision.action.name)
    found.seconds.append(decision.elapsed)
    if (stage := stage_of(decision.trace, SwitchStage)) and observation.street:
        found.off.append(1 - stage.on / stage.stored)
    if isinstance(agent, Believer):
        found.losses += list(_losses(agent, observation, hand))
        found.hands += [observation.hand] * (len(found.losses) - len(found.hands))
    found.replayed.append(replay(trace_record(decision.trace)) == decision.action)


def _losses(agent: Believer, observation: Observation, hand: Hand) -> Iterator[float]:
    for position, belief in agent.beliefs(observation).items():
        held, weights = hand.holes[position], belief.weights
        if held:
            chance = weights[holding_index(*held)] / weights.sum()
            yield float(-np.log(max(chance, 1e-6)))

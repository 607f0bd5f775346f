"""The agreement of a model with the player that it imitates, in held-out hands."""

from collections import Counter
from collections.abc import Container, Iterable
from typing import TypeAlias

from baycarp.agents.case_player import CasePlayer
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.strategies.model import Model
from baycarp.train.casebases import is_of, positions_with_cases

__all__ = ["Agreement", "agreement"]

Agreement: TypeAlias = Counter[tuple[int, bool]]
"""The number of decisions by (street, whether the model's action was the player's)."""


def agreement(hands: Iterable[Hand], model: Model, players: Container[str] | None) -> Agreement:
    """Compare the model's decision, without learning, with every decision of the players.

    A mixed strategy does not always agree with itself.

    Parameters
    ----------
    hands
        The hands of one session, in order.
    model
        The model; a decision with an empty case-base is left out.
    players
        The players of the decisions; None = all. Decisions without known cards are left out.
    """
    agent, met = CasePlayer(model.strategy, model, learning=False), Agreement()
    for hand in hands:
        final = replay(hand)
        positions = [at for at in positions_with_cases(hand, final) if is_of(hand, at, players)]
        for state, act in zip(states(hand), final.acts, strict=False):
            if act.seat in positions:
                observation = state.observe(act.seat, hand.players)
                if len(model.casebases[model.strategy.key(observation)]):
                    met[act.street, agent.decide(observation).action.name == act.action.name] += 1
        agent.learn(HandOver(final.observe(None, hand.players), ()))
    return met

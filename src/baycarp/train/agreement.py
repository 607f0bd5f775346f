"""How often a model does what the player did whom it imitates, in hands that it has not seen."""

from collections import Counter
from collections.abc import Container, Iterable
from typing import TypeAlias

from baycarp.agents.baycarp import BayCaRP
from baycarp.agents.model import Model
from baycarp.agents.schemas import SCHEMAS
from baycarp.cases import Majority
from baycarp.game.event import HandOver
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.opponents.belief import RangeRule
from baycarp.train.casebases import is_of, told_of

__all__ = ["Agreement", "agreement"]

Agreement: TypeAlias = Counter[tuple[int, bool]]
"""How many decisions, by (street, whether the model's was the player's)."""


def agreement(
    hands: Iterable[Hand], model: Model, rule: RangeRule, players: Container[str] | None
) -> Agreement:
    """Ask BayCaRP2 with the model, which does not learn, for every decision that the players made.

    A player who draws lots is not to be met every time, even by himself.

    Parameters
    ----------
    hands
        Of one session, in order.
    model, rule
        As the agent takes them; a street of which the model holds no case is left out.
    players
        Whose decisions; None = everybody's. Those whose cards are not known are left out.
    """
    agent, met = BayCaRP(model, Majority(), rule, learning=False), Agreement()
    able = [bool(len(model.casebases[schema.name])) for schema in SCHEMAS]
    for hand in hands:
        final = replay(hand)
        whose = [who for who in told_of(hand, final) if is_of(hand, who, players)]
        for state, act in zip(states(hand), final.acts, strict=False):
            if act.seat in whose and able[act.street]:
                chosen = agent.decide(state.observe(act.seat, hand.players)).action
                met[act.street, chosen.name == act.action.name] += 1
        agent.learn(HandOver(final.observe(None, hand.players), ()))
    return met

"""The only loop in the package that plays a hand."""

from collections.abc import Callable, Sequence

from baycarp.agents.base import Agent, Decision
from baycarp.budget import Budget
from baycarp.card import Cards
from baycarp.game.event import Acted, HandOver
from baycarp.game.state import State
from baycarp.game.variant import Variant

__all__ = ["Watch", "play_hand"]

Watch = Callable[[State, Decision], None]
"""Called for every decision just before it is carried out, with the whole state: never for agents."""


def play_hand(
    variant: Variant,
    agents: Sequence[Agent],
    deck: Cards,
    players: tuple[str, ...],
    hand: int = 0,
    budget: Budget | None = None,
    watch: Watch | None = None,
    stacks: Sequence[int] | None = None,
) -> State:
    """Play one hand from the blinds to the payoffs.

    Parameters
    ----------
    variant
        The rules.
    agents, players
        Who acts, and his name, by position (0 = first left of the button).
    deck
        Hole cards position by position, two each, then five board cards.
    hand
        Its number, for the record.
    budget
        Given to every decision; None leaves each agent its own.
    watch
        See ``Watch``.
    stacks
        Chips at the start by position; None = the variant's.

    Returns
    -------
    State
        The hand, over; everybody has heard its events.

    Raises
    ------
    IllegalAction
        An agent chose what the rules forbid.
    """
    state = State(variant, stacks, deck)
    while (seat := state.to_act) is not None:
        decision = agents[seat].decide(state.observe(seat, players, hand), budget=budget)
        if watch is not None:
            watch(state, decision)
        before = state.observe(None, players, hand)
        event = Acted(before, state.apply(decision.action))
        for agent in agents:
            agent.learn(event)
    over = HandOver(state.observe(None, players, hand), state.payoffs())
    for agent in agents:
        agent.learn(over)
    return state

"""The only loop in the package that plays a hand."""

from collections.abc import Callable, Sequence

from baycarp.agents.base import Agent, Decision, as_decision
from baycarp.budget import Budget
from baycarp.game import Acted, HandOver, State

__all__ = ["Watch", "play_hand"]

Watch = Callable[[State, Decision], None]
"""Called for every decision just before it is carried out, with the whole state: never for agents."""


def play_hand(
    state: State,
    agents: Sequence[Agent],
    players: tuple[str, ...],
    hand: int = 0,
    budget: Budget | None = None,
    watch: Watch | None = None,
) -> State:
    """Play one hand from the blinds to the payoffs.

    Parameters
    ----------
    state
        The hand before its first action, with its deck: hole cards position by position, two each, then five
        board cards. It is played in place.
    agents, players
        The players and their names, by position (0 = first left of the button).
    hand
        Its number, for the record.
    budget
        Given to every decision; None leaves each agent its own.
    watch
        See ``Watch``.

    Returns
    -------
    State
        The same state, the hand over; every agent has received its events.

    Raises
    ------
    IllegalAction
        An agent chose an illegal action, or returned no decision.
    """
    while (seat := state.to_act) is not None:
        found = agents[seat].decide(state.observe(seat, players, hand), budget=budget)
        decision = as_decision(found, players[seat])
        if watch is not None:
            watch(state, decision)
        state.verify(decision.action)
        event = Acted(state.observe(None, players, hand), state.apply(decision.action))
        for agent in agents:
            agent.learn(event)
    over = HandOver(state.observe(None, players, hand), state.payoffs())
    for agent in agents:
        agent.learn(over)
    return state

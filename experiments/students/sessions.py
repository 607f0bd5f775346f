"""Hands of a student against one opponent: a session to be reviewed, and deals that measure it."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from baycarp.agents.base import Agent, Decision
from baycarp.agents.registry import load_for
from baycarp.api.exploit import GAME
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.arena.session import agent_seed
from baycarp.arena.variance import ESTIMATORS, stream
from baycarp.game import Action, State, Variant
from baycarp.game.notation.hand import Hand
from experiments.strength.seats import ESTIMATOR

__all__ = ["NAMES", "STUDENT", "played", "won"]

STUDENT = "Student"
NAMES = (STUDENT, "Opponent")


def played(
    student: Agent, opponent: str, dealt: tuple[int, int, int], second: bool = False
) -> Iterator[tuple[State, Sequence[Mapping[Action, float]], Hand]]:
    """The hands of a session: the state at the end, the policy of each act, and the record.

    Parameters
    ----------
    student
        It is seated for the session.
    opponent
        A specification.
    dealt
        Seed, session and number of hands.
    second
        Whether the student sits in the other seat, and is dealt the other cards.
    """
    seed, session, hands = dealt
    game = Variant.load(GAME)
    order = (1, 0) if second else (0, 1)
    agents, names = [(student, load_for(game, opponent))[k] for k in order], [NAMES[k] for k in order]
    for seat, agent in enumerate(agents):
        agent.sit(seat, game, agent_seed(seed, session, seat))
    for each in deals(names, seed, session, hands):
        policies: list[Mapping[Action, float]] = []

        def watch(state: State, decision: Decision, kept: list[Mapping[Action, float]] = policies) -> None:
            kept.append(decision.policy)

        state = State(game, deck=each.deck)
        play_hand(state, each.by_position(agents), each.names, each.hand, watch=watch)
        yield state, policies, Hand.of(state, each.names, each.hand)


def won(student: Agent, opponent: str, dealt: tuple[int, int, int]) -> float:
    """Small bets a hand of the student by ``control``, each deal in both positions."""
    seed, session, _ = dealt
    found = []
    for second in (False, True):
        for state, policies, hand in played(student, opponent, dealt, second):
            chips = ESTIMATORS[ESTIMATOR].chips(state, policies, stream(seed, session, int(hand.id)))
            found.append(chips[hand.players.index(STUDENT)])
    return float(np.mean(found)) / Variant.load(GAME).small_bet

"""Spots of a log: decisions of one player that the judging agent would hardly have made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Believer, Decision
from baycarp.agents.cases.stages import RetrievedCase
from baycarp.agents.registry import load_for
from baycarp.errors import NotationError
from baycarp.game import Acted, Action, HandOver, Observation
from baycarp.game.notation.hand import Hand, replay, states
from baycarp.opponents.moves.players import SHIPPED, load_players
from baycarp.opponents.moves.reading import Reader
from baycarp.web.spots.opened import public_ranges

__all__ = ["OpponentRange", "Review", "ReviewSpot", "find_spots", "reviewed_player"]

DOUBT = 0.1
"""Probability of the player's kind of action below which the judging agent disagrees; our choice."""

CASES = 2
"""Nearest cases that a spot carries."""

WINDOW = 400
"""Last actions that the model of players reads an opponent by, where the agent holds no beliefs."""


@dataclass(frozen=True, slots=True, eq=False)
class OpponentRange:
    """The belief about one opponent still in: position, weights (float64, shape (1326,)), evidence."""

    position: int
    weights: NDArray[np.float64]
    evidence: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ReviewSpot:
    """One decision that the judging agent disagrees with.

    Parameters
    ----------
    hand
        The recorded hand.
    number
        Of the hand in the log, from 1.
    turn
        Of the hand among those of the player, from 0.
    act
        The index of the player's action in the hand.
    seat
        The player's position.
    taken, better
        The player's action, and the agent's likeliest of another kind.
    ranges
        The beliefs about the opponents still in.
    cases
        The nearest cases of the agent's memory; empty where it has none.
    believed
        From the flop on, of two players: the ranges of both, no cards known; else empty.
    reason
        The agent's, in one sentence.
    """

    hand: Hand
    number: int
    turn: int
    act: int
    seat: int
    taken: Action
    better: Action
    ranges: tuple[OpponentRange, ...]
    cases: tuple[RetrievedCase, ...] = ()
    believed: tuple[OpponentRange, ...] = ()
    reason: str = ""

    def observation(self) -> Observation:
        """What the player observed."""
        for at, state in enumerate(states(self.hand)):
            if at == self.act:
                return state.observe(self.seat, self.hand.players, self.number - 1)
        raise NotationError(f"hand {self.number}: expected an action {self.act}")


@dataclass(frozen=True, slots=True)
class Review:
    """The spots of a log, with the hands and decisions of the player that were looked at."""

    player: str
    hands: int
    decisions: int
    spots: tuple[ReviewSpot, ...]


def reviewed_player(hands: Sequence[Hand], name: str) -> str:
    """The name of the reviewed player: the given one, or the hero, or ``You``, as our table writes.

    Raises
    ------
    NotationError
        No hand has a player of that name.
    """
    names = {player for hand in hands for player in hand.players}
    wanted = name or _hero(hands)
    if wanted not in names:
        shown = ", ".join(repr(each[:40]) for each in sorted(names)[:10])
        raise NotationError(f"player {wanted[:40]!r}: expected one of {shown or 'no names'}")
    return wanted


def _hero(hands: Sequence[Hand]) -> str:
    """The player that most of the records were made for; ``You`` where no source states one."""
    heroes = Counter(
        hand.players[hand.origin.hero] for hand in hands if hand.origin.hero is not None and hand.players
    )
    return heroes.most_common(1)[0][0] if heroes else "You"


def find_spots(hands: Sequence[Hand], player: str, judge: str) -> Review:
    """Let the judging agent decide in the place of a player, and keep the decisions that it disagrees with.

    The agent observes the hands in the order of the log. Hands without the player or its cards, and hands of
    games that the agent does not play, are passed over. Two sizes of a bet count as the same kind of action.

    Parameters
    ----------
    hands
        Of the log.
    player
        The reviewed player's name.
    judge
        Specification of the agent.

    Raises
    ------
    NotationError
        No hand of the player whose cards are recorded and which the agent plays.
    """
    fitting = [(number, hand) for number, hand in enumerate(hands, 1) if _fits(hand, player)]
    if not fitting:
        raise NotationError(f"player {player[:40]!r}: no hand with recorded cards")
    agent = load_for(fitting[0][1].variant, judge)
    reader = None if isinstance(agent, Believer) else Reader(load_players(SHIPPED), WINDOW)
    public = Reader(load_players(SHIPPED), WINDOW)  # no player's cards are known to it
    agent.sit(fitting[0][1].players.index(player), fitting[0][1].variant, 0)
    spots: list[ReviewSpot] = []
    turn = decisions = 0
    for number, hand in fitting:
        if not agent.plays.fits(hand.variant):
            continue
        seat = hand.players.index(player)
        for act, observation, decision in _decisions(agent, hand, seat, number):
            decisions += 1
            spot = _spot(decision, hand.actions[act])
            if spot is not None:
                ranges = _ranges(agent, reader, observation)
                where = (hand, number, turn, act, seat)
                known = (tuple(decision.retrieved[:CASES]), _believed(agent, public, observation))
                spots.append(
                    ReviewSpot(*where, hand.actions[act], spot, ranges, *known, reason=decision.reason)
                )
        turn += 1
        public.learn(replay(hand).observe(None, hand.players, number - 1))
        if reader is not None:
            reader.learn(replay(hand).observe(seat, hand.players, number - 1))
    return Review(player, turn, decisions, tuple(spots))


def _fits(hand: Hand, player: str) -> bool:
    if player not in hand.players:
        return False
    seat = hand.players.index(player)
    return seat < len(hand.holes) and len(hand.holes[seat]) == 2


def _decisions(
    agent: Agent, hand: Hand, seat: int, number: int
) -> Iterator[tuple[int, Observation, Decision]]:
    """The agent's decisions in the player's place; it learns each recorded action after it."""
    final = replay(hand)
    for at, (state, act) in enumerate(zip(states(hand), final.acts, strict=False)):
        if act.seat == seat:
            observation = state.observe(seat, hand.players, number - 1)
            yield at, observation, agent.decide(observation)
        agent.learn(Acted(state.observe(None, hand.players, number - 1), act))
    if final.is_over and hand.payoffs is None:
        hand = Hand.of(final, hand.players)
    if final.is_over and hand.payoffs is not None:
        payoffs = tuple(round(each) for each in hand.payoffs)
        agent.learn(HandOver(final.observe(None, hand.players, number - 1), payoffs))


def _spot(decision: Decision, taken: Action) -> Action | None:
    """The agent's likeliest action of another kind, if the taken kind is improbable; else None."""
    if decision.policy_by_kind().get(taken.name, 0.0) >= DOUBT:
        return None
    others = [action for action in decision.policy if action.name != taken.name]
    return max(others, key=lambda action: decision.policy[action]) if others else None


def _believed(agent: Agent, public: Reader, observation: Observation) -> tuple[OpponentRange, ...]:
    """The ranges of both players of a spot, as others may believe them."""
    if not observation.street or len(observation.state.seats_in) != 2:
        return ()
    seen = observation.state.observe(None, observation.players, observation.hand)
    return tuple(OpponentRange(*each) for each in public_ranges(agent, public, seen).items())


def _ranges(agent: Agent, reader: Reader | None, observation: Observation) -> tuple[OpponentRange, ...]:
    """The agent's beliefs where it holds any, else those of the shipped models of players."""
    found: dict[int, OpponentRange] = {}
    if isinstance(agent, Believer):
        for position, belief in agent.beliefs(observation).items():
            evidence = "; ".join(f"{node}: {state}" for node, state in belief.evidence.items())
            found[position] = OpponentRange(position, belief.weights, evidence.replace("_", " "))
    others = [seat for seat in observation.state.seats_in if seat != observation.seat]
    if set(others) - set(found):
        joint = (reader or Reader(load_players(SHIPPED), WINDOW)).joint(observation)
        found |= {seat: OpponentRange(seat, joint[seat].sum(axis=0)) for seat in others if seat not in found}
    return tuple(found[seat] for seat in others)

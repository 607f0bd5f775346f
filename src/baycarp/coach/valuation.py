"""The decisions of a player, valued by the default agent in the player's place.

The agent observes the log in its order, as a player at that table would: it learns each action and each hand
that was shown, and knows no other cards. Each decision is made aside, so that a value depends on the hands
before it alone, and any number of processes gives the same values. A second agent, which learns nothing,
decides at the mistakes: are they any against opponents that nobody knows?
"""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from math import hypot

from baycarp.agents.registry import DEFAULT, load_for
from baycarp.agents.trace import stage_of
from baycarp.agents.value.player import ValuePlayer
from baycarp.agents.value.removal import nearest
from baycarp.agents.value.stages import ActionValue, ValueStage
from baycarp.arena.workers import THIS_PROCESS, Workers, in_order
from baycarp.budget import Budget
from baycarp.coach.reads import OpponentRead, belief_read
from baycarp.errors import ArgumentError, NotationError
from baycarp.game import Acted, Action, HandOver, Observation, Variant
from baycarp.game.notation.hand import Hand, replay, states

__all__ = ["MIXED", "Judge", "JudgedDecision", "judged"]

BLOCK = 10
"""Hands that a process values at a time, at least, else a tenth of those before, which it observes first."""

MIXED, CLEAR = 0.05, 2.0
"""An action that the agent takes with this probability is right, unless it is worth less than the best one by
more than so many standard errors; our choice."""

MOSTLY = 0.5
"""An action that the agent takes with at least this probability is right."""


@dataclass(frozen=True, slots=True)
class Judge:
    """The agent that values, and its work.

    Parameters
    ----------
    agent
        Its specification; it values its actions.
    playouts
        Of a look-ahead, for each decision.
    seed
        Of its draws.
    """

    agent: str = DEFAULT
    playouts: int = 1000
    seed: int = 0

    def seated(self, variant: Variant, seat: int) -> ValuePlayer:
        """The agent in the player's seat.

        Raises
        ------
        ArgumentError
            It values no actions.
        """
        agent = load_for(variant, self.agent)
        if not isinstance(agent, ValuePlayer):
            raise ArgumentError(f"agent {self.agent[:60]!r}: expected one that values its actions: {DEFAULT}")
        agent.sit(seat, variant, self.seed)
        return agent


@dataclass(frozen=True, slots=True, eq=False)
class JudgedDecision:
    """One decision with its values.

    Parameters
    ----------
    hand, act
        The indices of the hand in the log and of the action in the hand.
    taken
        The player's action.
    policy
        The agent's probability of each action.
    stage
        The agent's values, in chips, and the share of the pot.
    read
        The agent's belief about the one opponent after the flop; None elsewhere.
    unknown
        Of a wrong action: the agent's probabilities against unknown opponents; empty = not computed.
    """

    hand: int
    act: int
    taken: Action
    policy: Mapping[Action, float]
    stage: ValueStage
    read: OpponentRead | None = None
    unknown: Mapping[Action, float] = field(default_factory=dict)

    @property
    def best(self) -> ActionValue:
        """The action of the greatest value."""
        return max(self.stage.values, key=lambda value: value.chips)

    def value(self, action: Action) -> ActionValue:
        """The value of an action; of another size than those valued, that of the nearest one."""
        found = nearest(action, [*self.stage.values, ActionValue(Action("fold"), 0.0)])
        return next((value for value in self.stage.values if value.action == found), ActionValue(action, 0.0))

    def error(self, action: Action) -> float:
        """The standard error of the difference to the best action, in big blinds."""
        return hypot(self.value(action).error, self.best.error) / self.stage.big_blind

    def behind(self, action: Action) -> float:
        """Big blinds that an action is worth less than the best one."""
        return (self.best.chips - self.value(action).chips) / self.stage.big_blind

    def is_right(self, action: Action) -> bool:
        """Whether it is worth as much as the best within the error, or one that the agent mixes or takes."""
        share, behind, error = self.probability(action), self.behind(action), self.error(action)
        return behind <= error or share >= MOSTLY or (share >= MIXED and behind <= CLEAR * error)

    def probability(self, action: Action) -> float:
        """The agent's probability of an action; of another size than its own, that of the nearest one."""
        return _probability(self.policy, action)

    def is_general(self, right: Collection[str]) -> bool:
        """Whether the action is wrong against unknown opponents too, and kinds of action are mostly right."""
        if not self.unknown:
            return True
        share = sum(chance for action, chance in self.unknown.items() if action.name in right)
        return share >= MOSTLY and _probability(self.unknown, self.taken) < MIXED

    def cost(self, action: Action) -> float:
        """Big blinds that an action loses; 0 where it is right."""
        return 0.0 if self.is_right(action) else self.behind(action)

    def right(self) -> tuple[Action, ...]:
        """The right actions among the valued ones, the best first."""
        ordered = sorted(self.stage.values, key=lambda value: -value.chips)
        return tuple(value.action for value in ordered if self.is_right(value.action))


def _probability(policy: Mapping[Action, float], action: Action) -> float:
    near = nearest(action, [ActionValue(each, 0.0) for each in policy])
    return policy[near] if near else 0.0


@dataclass(frozen=True, slots=True)
class _HandBlock:
    """Hands from the first of a log on; those from ``first`` on are valued but those left out."""

    hands: Sequence[Hand]
    first: int
    left_out: frozenset[int]

    @property
    def numbers(self) -> range:
        """Those that are valued, or left out."""
        return range(self.first, len(self.hands))


def judged(
    hands: Sequence[Hand],
    player: str,
    judge: Judge,
    left_out: Collection[int] = (),
    workers: Workers = THIS_PROCESS,
) -> Generator[tuple[int, list[JudgedDecision]], None, None]:
    """Value every decision of a player, in the order of the log.

    Hands without the player or the player's cards, and hands of games that the agent does not play, have no
    decisions.

    Parameters
    ----------
    hands
        Of the log.
    player
        The reviewed player's name.
    judge
        The agent.
    left_out
        Indices of hands that the agent observes without valuing them.
    workers
        Processes; the values do not depend on their number.

    Yields
    ------
    number, decisions
        How many hands are done, and their decisions since the last.

    Raises
    ------
    NotationError
        No hand of the player whose cards are recorded.
    ArgumentError
        The agent values no actions.
    """
    fitting = [hand for hand in hands if has_cards(hand, player)]
    if not fitting:
        raise NotationError(f"player {player[:40]!r}: no hand with recorded cards")
    judge.seated(fitting[0].variant, 0)  # refused before processes are begun
    skipped = frozenset(left_out)
    if workers.count == 1 and workers.pool is None:
        yield from _through(player, judge, _HandBlock(hands, 0, skipped))
        return
    blocks = [each for each in _blocks(hands, skipped) if not skipped.issuperset(each.numbers)]
    with closing(in_order(partial(_all, player, judge), blocks, workers)) as results:
        for block, found in results:
            yield len(block.hands), found


def _blocks(hands: Sequence[Hand], left_out: frozenset[int]) -> Iterator[_HandBlock]:
    at = 0
    while at < len(hands):
        end = at + max(BLOCK, at // 10)
        yield _HandBlock(hands[:end], at, left_out)
        at = end


def has_cards(hand: Hand, player: str) -> bool:
    """Whether a hand has a player, with two cards."""
    if player not in hand.players:
        return False
    seat = hand.players.index(player)
    return seat < len(hand.holes) and len(hand.holes[seat]) == 2


def _all(player: str, judge: Judge, block: _HandBlock) -> list[JudgedDecision]:
    return [each for _, found in _through(player, judge, block) for each in found]


def _through(player: str, judge: Judge, block: _HandBlock) -> Iterator[tuple[int, list[JudgedDecision]]]:
    """Observe the hands of a block in order, and value from its first hand on."""
    agents: tuple[ValuePlayer, ValuePlayer] | None = None
    for number, hand in enumerate(block.hands):
        found: list[JudgedDecision] = []
        if has_cards(hand, player):
            seat = hand.players.index(player)
            agents = agents or (judge.seated(hand.variant, seat), judge.seated(hand.variant, seat))
            if agents[0].plays.fits(hand.variant):
                values = number >= block.first and number not in block.left_out
                found = _observed(agents, (number, hand), seat if values else None, judge.playouts)
        yield number + 1, found


def _observed(
    agents: tuple[ValuePlayer, ValuePlayer], numbered: tuple[int, Hand], seat: int | None, playouts: int
) -> list[JudgedDecision]:
    """Have the first agent learn a hand; the decisions of a seat are valued before it learns them."""
    agent, _ = agents
    (number, hand), found = numbered, list[JudgedDecision]()
    final = replay(hand)
    for at, (state, act) in enumerate(zip(states(hand), final.acts, strict=False)):
        if act.seat == seat:
            observation = state.observe(seat, hand.players, number)
            found.append(_valued(agents, observation, (at, act.action), playouts))
        agent.learn(Acted(state.observe(None, hand.players, number), act))
    if final.is_over and hand.payoffs is None:
        hand = Hand.of(final, hand.players)
    if final.is_over and hand.payoffs is not None:
        payoffs = tuple(round(each) for each in hand.payoffs)
        agent.learn(HandOver(final.observe(None, hand.players, number), payoffs))
    return found


def _valued(
    agents: tuple[ValuePlayer, ValuePlayer], observation: Observation, made: tuple[int, Action], playouts: int
) -> JudgedDecision:
    aside, memoryless = (agent.aside() for agent in agents)
    read = belief_read(aside, observation)
    decision = aside.decide(observation, budget=Budget(playouts=playouts))
    stage = stage_of(decision.trace, ValueStage)
    if stage is None:
        raise ArgumentError(f"hand {observation.hand + 1}: the agent values no action here")
    at, taken = made
    valued = JudgedDecision(observation.hand, at, taken, decision.policy, stage, read)
    if valued.is_right(taken):
        return valued
    return replace(valued, unknown=memoryless.decide(observation, budget=Budget(playouts=playouts)).policy)

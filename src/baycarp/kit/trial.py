"""An agent on trial: at tables of random games, beside players that act at random."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isclose, isfinite
from random import Random
from time import perf_counter
from typing import Any

from baycarp.agents.base import Agent, Decision
from baycarp.arena.hand import play_hand
from baycarp.budget import Budget
from baycarp.errors import brief
from baycarp.game import Action, Event, Observation, State, Variant
from baycarp.game.plays import Plays
from baycarp.kit.games import game_file, random_action, random_deck

__all__ = [
    "BUDGET",
    "USUAL",
    "BadDecision",
    "FailedCheck",
    "Seen",
    "Trial",
    "Witness",
    "late",
    "moment",
    "verify",
]

BUDGET = Budget(playouts=48)
"""Of a decision: with playouts alone a decision follows from its seed."""

SHARE = 8.0
"""Seconds after which a check begins nothing new."""

PART = 2.0
"""Seconds after which a session of a check begins no new hand."""

BETTING = ("limit", "no-limit")

USUAL = tuple(
    Variant.ring(seats, 10, betting=betting, stacks=(1000,) * seats if betting == "no-limit" else None)
    for betting in BETTING
    for seats in range(2, 11)
)
"""The usual games."""


class FailedCheck(Exception):
    """An agent fails a check; the text is the reason."""


class BadDecision(FailedCheck):
    """A decision that is none, or not legal, or an error in its place: it ends what was tried."""


Seen = tuple[str, tuple[tuple[str, float], ...]]
"""A decision as it is compared: the action, and the policy."""


def moment(observation: Observation) -> str:
    """A situation in one line."""
    state = observation.state
    return f"{observation.variant.name}, hand {observation.hand}, position {observation.seat}: {state}"


@dataclass(slots=True)
class Witness:
    """A seat at the table: lets an agent decide, and verifies each decision.

    Parameters
    ----------
    agent
        That is tried.
    decisions
        All so far.
    faults
        The first fault by the name of its check, other than those that end the hand.
    """

    agent: Agent
    decisions: list[Seen] = field(default_factory=list)
    faults: dict[str, str] = field(default_factory=dict)
    plays: Plays = field(init=False)

    def __post_init__(self) -> None:
        self.plays = self.agent.plays

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Seat the agent."""
        self.agent.sit(seat, variant, seed)

    def learn(self, event: Event) -> None:
        """Give the agent an event, which it must not change."""
        before = event.observation.state.copy()
        try:
            self.agent.learn(event)
        except Exception as error:
            raise FailedCheck(f"learn({type(event).__name__}) raises {brief(error, 200)}") from error
        if event.observation.state != before:
            self.faults.setdefault("observation", f"learn changes {moment(event.observation)}")

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """The agent's decision.

        Raises
        ------
        BadDecision
            It is no decision, or not legal.
        """
        before = observation.state.copy()
        try:
            decision = self.agent.decide(observation, budget=budget)
        except Exception as error:
            raise BadDecision(f"decide raises {brief(error, 200)} in {moment(observation)}") from error
        if observation.state != before:
            self.faults.setdefault("observation", f"decide changes {moment(observation)}")
        verify(decision, before, moment(observation))
        policy = sorted((str(action), float(share)) for action, share in decision.policy.items())
        self.decisions.append((str(decision.action), tuple(policy)))
        return decision


def verify(decision: Any, state: State, where: str) -> None:
    """Raise the fault of a decision: of its form, its action or its policy."""
    if not isinstance(decision, Decision):
        raise BadDecision(f"decide returns {brief(decision, 80)}: expected a Decision in {where}")
    legal = ", ".join(map(str, state.legal_actions()))
    if not state.can(decision.action):
        raise BadDecision(f"{decision.action!s:.60} is not legal: expected one of {legal} in {where}")
    for action, share in decision.policy.items():
        if not isinstance(action, Action) or (share > 0 and not state.can(action)):
            raise BadDecision(f"the policy has {action!s:.60}: expected legal actions ({legal}) in {where}")
        if not (isfinite(share) and 0 <= share <= 1 + 1e-9):
            raise BadDecision(f"the policy gives {action} {share}: expected a probability in {where}")
    total = sum(decision.policy.values())
    if not isclose(total, 1, abs_tol=1e-6):
        raise BadDecision(f"the policy sums to {total:.6g}: expected 1 in {where}")
    if not decision.policy.get(decision.action, 0) > 0:
        raise BadDecision(f"{decision.action} has no probability in the policy, in {where}")
    if not (isfinite(decision.elapsed) and decision.elapsed >= 0):
        raise BadDecision(f"elapsed {decision.elapsed}: expected seconds, at least 0, in {where}")


@dataclass(slots=True)
class _RandomPlayer:
    """Acts at random; its draws depend on the hand and the action alone, not on what others drew."""

    plays: Plays
    seed: int

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Nothing depends on the seat."""

    def learn(self, event: Event) -> None:
        """Nothing is learned."""

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """A random action."""
        draw = Random(f"{self.seed} {observation.hand} {len(observation.acts)}")
        action = random_action(draw, observation.state)
        return Decision(action, {action: 1.0})


@dataclass(frozen=True, slots=True)
class Trial:
    """What the checks are made of: new agents, games that they play, and hands at a table.

    Parameters
    ----------
    make
        Makes the agent anew.
    plays
        Its games.
    seed
        Of all cards, games and draws.
    learns, pickles
        The claims of its author.
    """

    make: Callable[[], Agent]
    plays: Plays
    seed: int
    learns: bool = False
    pickles: bool = False

    def usual(self) -> list[Variant]:
        """The usual games that the agent plays, those of few and of many seats first."""
        fitting = [game for game in USUAL if self.plays.fits(game)]
        return sorted(fitting, key=lambda game: min(game.seats - 2, 10 - game.seats))

    def game(self) -> Variant:
        """A usual game with few seats."""
        return self.usual()[0]

    def games(self) -> list[Variant]:
        """A usual game of each kind of betting, and one with more seats."""
        usual = self.usual()
        found = [next((game for game in usual if game.betting == betting), None) for betting in BETTING]
        more = next((game for game in usual if game.seats in (4, 5)), None)
        return [game for game in (*found, more) if game is not None]

    def unusual(self, count: int) -> Iterator[Variant]:
        """Games of random game files that the agent plays."""
        draw = Random(f"{self.seed} games")
        fitting = (game for game in (game_file(draw) for _ in range(60 * count)) if self.plays.fits(game))
        for game, _ in zip(fitting, range(count), strict=False):
            yield game

    def seated(self, game: Variant, seed: int = 7) -> Witness:
        """A new agent at a table."""
        witness = Witness(self.make())
        witness.sit(0, game, seed)
        return witness

    def play(self, witness: Witness, game: Variant, hands: Sequence[int], seconds: float = PART) -> Witness:
        """Play the numbered hands, the agent in another position in each; the witness has its decisions.

        After ``seconds`` no new hand begins, so that the check of a slow agent ends.
        """
        began = perf_counter()
        others: list[Agent] = [_RandomPlayer(self.plays, self.seed + seat) for seat in range(game.seats - 1)]
        names = ("agent", *(f"player {seat}" for seat in range(1, game.seats)))
        for hand in hands:
            if late(began, seconds):
                break
            turn = hand % game.seats
            players: list[Agent] = [witness, *others]
            around = players[turn:] + players[:turn]
            deck = random_deck(Random(f"{self.seed} {hand}"), game)
            play_hand(State(game, deck=deck), around, names[turn:] + names[:turn], hand, BUDGET)
        return witness

    def spots(self, game: Variant, hands: Sequence[int]) -> Iterator[tuple[State, int, tuple[str, ...], int]]:
        """The states before every decision of random hands, with the position to act, names and hand."""
        names = tuple(f"player {seat}" for seat in range(game.seats))
        for hand in hands:
            draw = Random(f"{self.seed} spots {hand}")
            state = State(game, deck=random_deck(draw, game))
            while (seat := state.to_act) is not None:
                yield state, seat, names, hand
                state.apply(random_action(draw, state))


def late(began: float, seconds: float = SHARE) -> bool:
    """Whether a check has had its time."""
    return perf_counter() - began > seconds

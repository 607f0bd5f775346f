"""The difference in value of two actions, by rollouts on the same deals (common random numbers).

A deal draws the opponents' holdings from the beliefs and the rest of the board at random; cards of folded
players are not excluded. After either action all players go on by the same agent, which observes the cards of
its seat alone. The difference of the two results of a deal is one sample: what both share cancels.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import erfc, inf, sqrt

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent
from baycarp.agents.registry import load_for
from baycarp.arena.measure import Z95
from baycarp.card import HOLDINGS
from baycarp.coach.spots import ReviewSpot
from baycarp.errors import RangeError
from baycarp.game import Action, Observation, State

__all__ = ["Difference", "Rollouts", "compare"]

TRIES = 10_000
"""Draws of all holdings for one deal, before the ranges count as excluding one another."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean gain of the better action over the taken one, big blinds; its standard error; the deals."""

    mean: float
    error: float
    deals: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval, by the normal approximation."""
        return self.mean - Z95 * self.error, self.mean + Z95 * self.error

    @property
    def chance(self) -> float:
        """The one-sided p-value: the chance of at least this mean if the true difference were 0."""
        z = self.mean / self.error if self.error else (inf if self.mean > 0 else -inf)
        return 0.5 * erfc(z / sqrt(2))


@dataclass(frozen=True, slots=True)
class Rollouts:
    """How rollouts are played: the agent of the rest of the hand, the seed, and the number of deals.

    ``stream`` separates deals that choose from deals that value.
    """

    rest: str
    seed: int
    deals: int
    stream: int = 0


def compare(rollouts: Rollouts, spot: ReviewSpot) -> Difference:
    """Estimate the gain of the better action over the taken one.

    Raises
    ------
    RangeError
        Beliefs that leave the opponents no cards of their own.
    TableError
        The agent of the rest does not play the game.
    """
    observation = spot.observation()
    variant = observation.variant
    agent = load_for(variant, rollouts.rest)
    random = np.random.default_rng([rollouts.seed, spot.number, spot.act, rollouts.stream])
    deal = _dealer(spot, observation, random)
    gains = np.empty(rollouts.deals)
    for number in range(rollouts.deals):
        holes, board = deal()
        seed = int(random.integers(2**62))
        better, taken = (
            _play(observation, action, holes, board, (agent, seed)) for action in (spot.better, spot.taken)
        )
        gains[number] = (better - taken) / variant.big_blind
    return Difference(float(gains.mean()), float(gains.std(ddof=1) / sqrt(len(gains))), len(gains))


def _dealer(
    spot: ReviewSpot, observation: Observation, random: np.random.Generator
) -> Callable[[], tuple[dict[int, bytes], bytes]]:
    """Draws holdings by the product of the ranges, given that no card is dealt twice; then the board."""
    ranges = [each.weights.astype(np.float64) for each in spot.ranges]
    if not all(each.sum() > 0 for each in ranges):
        raise RangeError(f"hand {spot.number}: an opponent's range is empty")
    bounds = [np.cumsum(each) / each.sum() for each in ranges]
    known = set(observation.hole) | set(observation.board)
    hole, shown = observation.hole, observation.board

    def holdings() -> NDArray[np.uint8]:
        for _ in range(TRIES):
            drawn = [int(np.searchsorted(bound, random.random(), side="right")) for bound in bounds]
            cards = HOLDINGS[np.minimum(drawn, len(HOLDINGS) - 1)]
            flat = set(cards.ravel().tolist())
            if len(flat) == cards.size and not flat & known:
                return np.asarray(cards)
        raise RangeError(f"hand {spot.number}: the ranges leave the opponents no cards of their own")

    def deal() -> tuple[dict[int, bytes], bytes]:
        cards = holdings()
        used = known | set(cards.ravel().tolist())
        rest = random.permutation([card for card in range(52) if card not in used])[: 5 - len(shown)]
        pairs = zip(spot.ranges, cards, strict=True)
        holes = {each.position: bytes(pair.tolist()) for each, pair in pairs}
        return holes | {spot.seat: bytes(hole)}, bytes(shown) + bytes(rest.tolist())

    return deal


def _play(
    observation: Observation,
    action: Action,
    holes: dict[int, bytes],
    board: bytes,
    rest: tuple[Agent, int],
) -> float:
    """The player's net chips of the hand when it goes on from an action."""
    state, seat = observation.state.copy(), observation.seat
    assert seat is not None
    state.apply(action)
    if seat not in state.seats_in:
        return float(-state.committed[seat])
    state.deal(holes, board)
    agent, seed = rest
    agent.sit(seat, state.variant, seed)
    while not state.is_over and seat in state.seats_in:
        state.apply(_next(agent, state, observation))
    return float(state.payoffs()[seat]) if state.is_over else float(-state.committed[seat])


def _next(agent: Agent, state: State, observation: Observation) -> Action:
    assert state.to_act is not None
    return agent.decide(state.observe(state.to_act, observation.players, observation.hand)).action

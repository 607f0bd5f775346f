"""Hands in which every player plays by Gambler's networks: it draws from the posterior of ``action``."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from baycarp.agents.sampling import draw, legal_policy
from baycarp.card import holding_index
from baycarp.game import State, Variant
from baycarp.opponents.gambler.reading import HandReading, NetworkPlayer, Turn
from baycarp.opponents.gambler.reverse import Networks
from baycarp.rules.betting.context import facing

__all__ = ["Spot", "hands", "spots"]


@dataclass(frozen=True, eq=False)
class Spot:
    """A player to act: the reading of the hand so far, and what each holding would do."""

    state: State
    seat: int
    reading: HandReading
    turn: Turn

    @property
    def holding(self) -> int:
        """The index of the player's holding."""
        return holding_index(*self.state.hole_of(self.seat))


def spots(networks: Networks, variant: Variant, seed: int) -> Iterator[Spot]:
    """The turns of endless hands, one after the other; the reading is that before the action.

    Parameters
    ----------
    networks
        The networks of every player.
    variant
        The game.
    seed
        Fixes cards and actions.
    """
    rng = np.random.default_rng(seed)
    while True:
        yield from _hand(networks, variant, rng)


def hands(networks: Networks, variant: Variant, count: int, seed: int) -> Iterator[tuple[State, HandReading]]:
    """Finished hands, all cards known, and their readings."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        last = list(_hand(networks, variant, rng))[-1]
        last.reading.follow(last.state.acts, tuple(last.state.board))
        yield last.state, last.reading


def _hand(networks: Networks, variant: Variant, rng: np.random.Generator) -> Iterator[Spot]:
    state = State(variant, deck=rng.permutation(52)[: 2 * variant.seats + 5].astype(np.uint8))
    player = NetworkPlayer(networks)
    reading = HandReading(variant, lambda seat: player)
    while (seat := state.to_act) is not None:
        observation = state.observe(seat)
        reading.follow(observation.acts, tuple(observation.board))
        spot = Spot(state, seat, reading, reading.turn(facing(observation)))
        yield spot
        row = spot.turn.choices[spot.turn.cell[spot.holding]]
        state.apply(draw(legal_policy(observation, row.tolist()), rng.random()))

"""The topology of Terry and Mihok, as Unger (2011, section 4.3.1) describes it.

Pot odds, position, number of players and one action of an opponent influence its probable strength and
potential, and these its likely hole cards; all numbers are intervals, and the tables are those of showdowns.
The intervals are not in the text: these are ours, as is the street as a node. Strength is against a random
hand, before the flop all-in; potential is that of getting ahead by the next card. A strength and a potential
are shared evenly by the holdings that have both on the board of the action.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network, Structure
from baycarp.bn.learn import fit
from baycarp.card import CLASS_OF, blocked_by, holding_index
from baycarp.game import Act, Event, Observation
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand, replay
from baycarp.kernels.preflop import class_equities
from baycarp.opponents.acts import ActsModel
from baycarp.opponents.belief import Belief, Chances
from baycarp.rules import READINGS, PlayerView
from baycarp.rules.strength import holding_values

__all__ = ["TERRY_MIHOK", "TerryMihok", "fitted", "last_act", "shares", "situation", "states_of"]

ODDS = (0.0, 0.1, 0.2)
"""Upper ends of the price of the action, as a share of the pot with it; the last interval is open."""

STRENGTH = (0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9)
POTENTIAL = (0.05, 0.1, 0.2)

PLAYERS = 4
"""Players still in from which on their number is one state."""

PSEUDO = 1000.0
"""The equivalent sample size: one row and a half for each setting of the parents."""

ABOVE = ("Street", "Action", "PotOdds", "Position", "Players")

TERRY_MIHOK = Structure(
    {
        "Street": STREETS,
        "Action": ("check", "call", "bet", "raise"),
        "PotOdds": ("free", "to 10 %", "to 20 %", "above"),
        "Position": READINGS["Position"].domain,  # type: ignore[dict-item]
        "Players": ("2", "3", "4"),
        "Strength": tuple(f"above {low}" for low in (0.0, *STRENGTH)),
        "Potential": tuple(f"above {low}" for low in (0.0, *POTENTIAL)),
    },
    {"Strength": ABOVE, "Potential": ABOVE},
)


def last_act(observation: Observation, position: int, street: int = 3) -> Act | None:
    """The last action of a position by the end of a street; a posted blind is none."""
    own = (act for act in reversed(observation.acts) if act.seat == position and act.street <= street)
    return next(own, None)


def situation(observation: Observation, act: Act) -> dict[str, str]:
    """What was observed of an action: node -> state."""
    acts = observation.acts
    folded = sum(other.action.name == "fold" for other in acts[: acts.index(act)])
    inside = min(observation.variant.seats - folded, PLAYERS)
    price = act.owed / (act.pot + act.owed)
    states = TERRY_MIHOK.states
    return {
        "Street": STREETS[act.street],
        "Action": act.action.name,
        "PotOdds": states["PotOdds"][int(np.searchsorted(ODDS, price))],
        "Position": str(READINGS["Position"].read(PlayerView(observation, act.seat))),
        "Players": str(inside),
    }


@lru_cache(maxsize=1024)
def states_of(board: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Strength and potential of every holding, as codes; int64, shape (1326,), 0 where the board blocks."""
    strength, potential = (_before_flop(), np.zeros(1326)) if not board else holding_values(board)[:2]
    codes = np.searchsorted(STRENGTH, strength, "right"), np.searchsorted(POTENTIAL, potential, "right")
    free = ~blocked_by(board)
    return np.where(free, codes[0], 0), np.where(free, codes[1], 0)


@cache
def _before_flop() -> Chances:
    """The share of the pot of every holding, all-in against a random one."""
    return np.asarray(class_equities()[:, CLASS_OF].mean(axis=1)[CLASS_OF])


def fitted(hands: Iterable[Hand]) -> Network:
    """The network of the showdowns of some hands: one row for each street that a shown player acted on."""
    return fit(TERRY_MIHOK, list(_rows(hands)), PSEUDO)


def _rows(hands: Iterable[Hand]) -> Iterator[Mapping[str, str]]:
    for number, hand in enumerate(hands):
        observation = replay(hand).observe(None, hand.players, number)
        inside = observation.state.seats_in
        for position in inside if len(inside) > 1 else ():
            for street, act in enumerate(last_act(observation, position, each) for each in range(4)):
                if act and act.street == street and hand.holes[position]:
                    mine = holding_index(*hand.holes[position])
                    codes = states_of(_board(observation, street))
                    yield situation(observation, act) | {
                        node: TERRY_MIHOK.states[node][int(code[mine])]
                        for node, code in zip(("Strength", "Potential"), codes, strict=True)
                    }


def _board(observation: Observation, street: int) -> tuple[int, ...]:
    return tuple(observation.board[: street + 2]) if street else ()


def shares(network: Network, evidence: Mapping[str, str], board: tuple[int, ...], free: Chances) -> Chances:
    """The probability of each holding; float64, shape (1326,), sums to 1.

    Parameters
    ----------
    network
        Of this topology.
    evidence
        Of an action; empty = none yet, which makes all holdings alike.
    board
        Of the action.
    free
        1 where the holding is possible, else 0.
    """
    held = free / free.sum()
    if evidence:
        states = TERRY_MIHOK.states
        at = tuple(states[node].index(evidence[node]) for node in ABOVE)
        strength, potential = states_of(board)
        dealt = np.zeros((len(states["Strength"]), len(states["Potential"])))
        np.add.at(dealt, (strength, potential), free)
        both = np.outer(network.cpt("Strength")[at], network.cpt("Potential")[at])
        each = np.divide(both, dealt, out=np.zeros_like(both), where=dealt > 0)
        held = free * each[strength, potential]
        held /= held.sum()
    return np.asarray(held)


class TerryMihok(ActsModel):
    """Beliefs by the last action of each opponent.

    Parameters
    ----------
    network
        Of ``fitted``.
    adaptive
        Without effect: nothing is learned at the table.
    """

    def __init__(self, network: Network, adaptive: bool = True) -> None:
        self.network, self.adaptive = network, adaptive

    def believe(self, observation: Observation, position: int, player: str) -> Belief:
        """The belief about the opponent's cards."""
        act = last_act(observation, position)
        evidence = situation(observation, act) if act else {}
        return self.suppose(observation, position, player, evidence)

    def supposed(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Chances:
        """The probability of each holding under other evidence."""
        street = STREETS.index(evidence["Street"]) if evidence else 0
        free = np.where(blocked_by([*observation.hole, *observation.board]), 0.0, 1.0)
        return shares(self.network, evidence, _board(observation, street), free)

    def possible(
        self, observation: Observation, position: int, player: str, evidence: Mapping[str, str]
    ) -> Iterator[tuple[str, str | None]]:
        """The other actions at the same price."""
        if evidence:
            others = ("check", "bet", "raise") if evidence["PotOdds"] == "free" else ("call", "raise")
            yield from (("Action", action) for action in others if action != evidence["Action"])

    def learn(self, event: Event) -> None:
        """Nothing is learned."""

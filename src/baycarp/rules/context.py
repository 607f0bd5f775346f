"""The betting situation of a player, and what the rules of Loki do there with any hand: (fold, call, raise).

The rules themselves are compiled (``csrc/include/baycarp/triple.h``): the formula player acts on them, the
weight tables read others' actions through them, and the simulations play whole hands with them.
Sources: Papp 1998, chapter 6; Billings, Peña, Schaeffer and Szafron 1999.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from baycarp.errors import IllegalAction
from baycarp.game import Act, Observation, Variant

__all__ = ["FOLD_CALL_RAISE", "Rules", "Spot", "actor", "facing", "opening", "spots"]

FOLD_CALL_RAISE = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
"""The column of each action in a triple."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The betting situation of one player, all of it public; amounts are chips.

    Parameters
    ----------
    seat, street
        The position of the player to act, and the street.
    pot, owed
        All chips in, the bet faced included; what a call adds.
    bet, later
        The size of a bet now; the bets still to come after this street, one a street.
    bets
        Bets and raises made this street; pre-flop the big blind is the first.
    opponents, joined, behind, after
        Players still in besides it; of them, those that paid on this street voluntarily, those that have
        not acted on it yet, and those seated between it and the button (pre-flop: its position).
    invested
        The player has paid a bet on this street voluntarily.
    can_raise
        The rules let it bet or raise.
    following
        It semi-bluffed on an earlier street, and no other player has bet or raised since.
    """

    seat: int
    street: int
    pot: int
    owed: int
    bet: int
    later: int
    bets: int
    opponents: int
    joined: int
    behind: int
    after: int
    invested: bool
    can_raise: bool
    following: bool = False

    @property
    def price(self) -> int:
        """Bets to call: 0, 1, or 2 for two and more; half a bet counts as one."""
        return min(2, -(-self.owed // self.bet))

    @property
    def last(self) -> bool:
        """Whether no card is to come."""
        return self.street == 3


@dataclass(frozen=True, slots=True)
class Rules:
    """How a player leans from the published rules; the defaults are the rules as published.

    Parameters
    ----------
    strong, good
        The thresholds of rules 1 and 2 on EHS'.
    bluff
        A factor on the price of a semi-bluff (rule 3).
    odds
        Added to the prices of rules 4 and 5: negative calls more.
    implied
        Bets added to the pot in rule 4.
    defence
        1: a call-down counts no bets to come (rule 5).
    slow
        Probability of a check with a strong hand, when first to act with two or more behind.
    """

    strong: float = 0.85
    good: float = 0.50
    bluff: float = 1.0
    odds: float = 0.0
    implied: float = 0.0
    defence: float = 0.0
    slow: float = 0.0


class _Street:
    """The players still in, and those that have acted and paid on the street, updated act by act."""

    def __init__(self, variant: Variant) -> None:
        self._variant, self._street, self._inside = variant, 0, set(range(variant.seats))
        self._acted, self._paid = set[int](), set[int]()

    def _turn_to(self, street: int) -> None:
        if street != self._street:
            self._street, self._acted, self._paid = street, set(), set()

    def add(self, act: Act) -> None:
        self._turn_to(act.street)
        self._acted.add(act.seat)
        if act.action.name == "fold":
            self._inside.discard(act.seat)
        elif act.paid:
            self._paid.add(act.seat)

    def spot(self, street: int, seat: int, pot: int, owed: int, bets: int) -> Spot:
        self._turn_to(street)
        variant = self._variant
        sizes, most = variant.raise_sizes, variant.max_raises[street]
        others = self._inside - {seat}
        raises = bets - (street == 0)
        return Spot(
            seat=seat,
            street=street,
            pot=pot,
            owed=owed,
            bet=sizes[street],
            later=sum(sizes[street + 1 :]),
            bets=bets,
            opponents=len(others),
            joined=len(others & self._paid),
            behind=len(others - self._acted),
            after=sum(other > seat for other in others),
            invested=seat in self._paid,
            can_raise=most is None or raises < most,
        )


def spots(
    acts: Iterable[Act], variant: Variant, seats: Container[int] | None = None
) -> Iterator[tuple[Act, Spot]]:
    """Every act of a limit hand, or every act of some seats, with the situation of its actor."""
    return (each for each in _followed(tuple(acts), variant) if seats is None or each[0].seat in seats)


@lru_cache(maxsize=16)
def _followed(acts: tuple[Act, ...], variant: Variant) -> tuple[tuple[Act, Spot], ...]:
    """The whole hand: every seat follows the same acts."""
    street, found = _Street(variant), []
    for act in acts:
        found.append((act, street.spot(act.street, act.seat, act.pot, act.owed, act.bets)))
        street.add(act)
    return tuple(found)


def actor(observation: Observation) -> int:
    """The position to act, which must be the observer's.

    Raises
    ------
    IllegalAction
        The hand is over, or another position is to act.
    """
    seat = observation.state.to_act
    if seat is None or seat != observation.seat:
        raise IllegalAction(
            f"position {observation.seat} decides, but {'no position' if seat is None else seat} is to act"
        )
    return seat


def facing(observation: Observation) -> Spot:
    """The context that the observing player, which is to act, faces now."""
    street = _Street(observation.variant)
    for act in observation.acts:
        street.add(act)
    state = observation.state
    return street.spot(state.street, actor(observation), state.pot, state.owed, state.bets_made)


def opening(observation: Observation) -> Spot | None:
    """The context of the acting player's first action before the flop; None when this is that action."""
    return next(
        (spot for _, spot in spots(observation.acts, observation.variant, (actor(observation),))), None
    )

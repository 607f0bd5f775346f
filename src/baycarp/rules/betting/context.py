"""The betting situation of a player, and what the rules of Loki do there with any hand: (fold, call, raise).

The rules themselves are compiled (``csrc/include/baycarp/triple.h``): the formula player acts on them, the
weight tables read others' actions through them, and the simulations play whole hands with them.
Sources: Papp 1998, chapter 6; Billings, Peña, Schaeffer and Szafron 1999.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from baycarp.errors import IllegalAction
from baycarp.game import Act, Observation, Variant

__all__ = ["FOLD_CALL_RAISE", "LimitSpot", "Rules", "actor", "facing", "opening", "spots"]

FOLD_CALL_RAISE = {"fold": 0, "check": 1, "call": 1, "bet": 2, "raise": 2}
"""The column of each action in a triple."""


class LimitSpot(NamedTuple):
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


class _Seen(NamedTuple):
    """The street, and as bits of positions the players still in, and those that acted and paid on it."""

    street: int
    inside: int
    acted: int = 0
    paid: int = 0

    def on(self, street: int) -> "_Seen":
        return self if street == self.street else _Seen(street, self.inside)

    def after(self, act: Act) -> "_Seen":
        """After an act on this street."""
        street, inside, acted, paid = self
        bit = 1 << act.seat
        if act.action.name == "fold":
            inside &= ~bit
        elif act.paid:
            paid |= bit
        return _Seen(street, inside, acted | bit, paid)

    def spot(self, variant: Variant, seat: int, pot: int, owed: int, bets: int) -> LimitSpot:
        """The situation of a position that acts on this street."""
        street, inside, acted, paid = self
        sizes, most = variant.raise_sizes, variant.max_raises[street]
        others = inside & ~(1 << seat)
        return LimitSpot(  # by place: names would cost a third of the time of a new spot
            seat,
            street,
            pot,
            owed,
            sizes[street],
            sum(sizes[street + 1 :]),
            bets,
            others.bit_count(),
            (others & paid).bit_count(),  # joined
            (others & ~acted).bit_count(),  # behind
            (others >> seat).bit_count(),  # after
            bool(paid >> seat & 1),
            most is None or bets - (street == 0) < most,
        )


def spots(
    acts: Iterable[Act], variant: Variant, seats: Container[int] | None = None
) -> Iterator[tuple[Act, LimitSpot]]:
    """Every act of a limit hand, or every act of some seats, with the situation of its actor."""
    found = _followed(tuple(acts), variant).found
    return (each for each in found if seats is None or each[0].seat in seats)


class _FollowedHand(NamedTuple):
    """A hand that was followed: its acts, the situation of each, and what was seen after the last."""

    variant: Variant | None
    acts: tuple[Act, ...]
    found: tuple[tuple[Act, LimitSpot], ...]
    seen: _Seen


class _LatestHand:
    """The hand that was followed last. Every seat follows the same acts, and a hand grows act by act."""

    hand = _FollowedHand(None, (), (), _Seen(0, 0))


def _followed(acts: tuple[Act, ...], variant: Variant) -> _FollowedHand:
    """The whole hand, from where it was followed to; the record is replaced as a whole, for other threads."""
    hand = _LatestHand.hand
    if variant is not hand.variant or acts[: len(hand.acts)] != hand.acts:
        hand = _FollowedHand(variant, (), (), _Seen(0, (1 << variant.seats) - 1))
    if len(acts) > len(hand.acts):
        found, seen = list(hand.found), hand.seen
        for act in acts[len(hand.acts) :]:
            seen = seen.on(act.street)
            found.append((act, seen.spot(variant, act.seat, act.pot, act.owed, act.bets)))
            seen = seen.after(act)
        hand = _LatestHand.hand = _FollowedHand(variant, acts, tuple(found), seen)
    return hand


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


def facing(observation: Observation) -> LimitSpot:
    """The context that the observing player, which is to act, faces now."""
    state, variant = observation.state, observation.variant
    seen = _followed(tuple(observation.acts), variant).seen.on(state.street)
    return seen.spot(variant, actor(observation), state.pot, state.owed, state.bets_made)


def opening(observation: Observation) -> LimitSpot | None:
    """The context of the acting player's first action before the flop; None when this is that action."""
    return next(
        (spot for _, spot in spots(observation.acts, observation.variant, (actor(observation),))), None
    )

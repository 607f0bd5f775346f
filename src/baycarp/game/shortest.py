"""A spot as people describe it, as a hand: the shortest legal history that leads to its pot and its price.

Players that are out folded their first turn before the flop; those that are in limped, or called one raise
(in fixed limit also more); earlier streets were checked; on the last one an opponent bet what there is to
call. Of these hands it is the shortest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from numbers import Rational
from typing import NamedTuple

from baycarp.card import Cards, as_cards
from baycarp.errors import ArgumentError, BaycarpError, IllegalAction, brief
from baycarp.game.action import Action
from baycarp.game.seats import position_of, seat_names
from baycarp.game.state import Observation, State
from baycarp.game.variant import DEEP, Variant
from baycarp.kernels.arguments import instance, whole

__all__ = ["SpotGiven", "SpotMade", "observation_of"]

MOST_SEATS = 9
"""The largest table that is tried."""

FINE = 100
"""Chips of a big blind, at least, where amounts are in big blinds."""


@dataclass(frozen=True, slots=True)
class SpotGiven:
    """A decision as people describe it.

    Parameters
    ----------
    hole, board
        The own two cards; none, three, four or five of the board.
    pot
        Everything in the pot now, bets of this street included; 0 = nothing but the blinds, on a board a big
        blind of each and what there is to call.
    to_call
        What it costs to stay in; None = nothing, before the flop what an unraised pot costs.
    stack
        Of every player at the beginning of the hand.
    opponents
        Still in, those that have not acted included.
    position
        The name of the own seat; "" = the first at which the spot can be.
    blinds
        Small and big blind; amounts are in the same money.

    Raises
    ------
    CardError
        Wrong cards.
    ArgumentError
        A number out of its range.
    """

    hole: Cards
    board: Cards = ""
    pot: Fraction = Fraction(0)
    to_call: Fraction | None = None
    stack: Fraction = Fraction(100)
    opponents: int = 1
    position: str = ""
    blinds: tuple[Fraction, Fraction] = (Fraction(1, 2), Fraction(1))

    def __post_init__(self) -> None:
        as_cards(self.hole, "hole", 2)
        as_cards(self.board, "board", (0, 3, 4, 5))
        as_cards([*as_cards(self.hole), *as_cards(self.board)], "hole and board")
        object.__setattr__(self, "opponents", whole(self.opponents, "opponents", 1, MOST_SEATS - 1))
        instance(self.position, str, "position")
        price = self.to_call or 0
        for name, amount in self.amounts():
            if not isinstance(amount, Rational):
                raise TypeError(f"{name}: expected a Fraction, got {brief(amount)}")
            if abs(amount) > DEEP:
                raise ArgumentError(f"{name} {brief(amount)}: expected at most {DEEP}")
        if min(self.pot, price) < 0 or self.stack <= 0 or not 0 < self.blinds[0] <= self.blinds[1]:
            raise ArgumentError(f"{self}: expected amounts of at least 0, and blinds and a stack above 0")
        if self.pot and price >= self.pot:
            least = _short(Fraction(price))
            raise ArgumentError(f"to call {least}: expected less than the pot, {_short(self.pot)}")

    def amounts(self) -> Iterator[tuple[str, Fraction]]:
        """All amounts, by name."""
        price = Fraction(0) if self.to_call is None else self.to_call
        yield from (("pot", self.pot), ("to call", price), ("stack", self.stack))
        yield from (("blinds", blind) for blind in self.blinds)


class SpotMade(NamedTuple):
    """A spot as an observation, and the chips of one unit of its amounts."""

    observation: Observation
    unit: Fraction


def observation_of(spot: SpotGiven, game: Variant | None = None) -> SpotMade:
    """The shortest legal history that has the pot, the price, the players and the seat of a spot.

    Parameters
    ----------
    spot
        In no-limit, unless a game is given.
    game
        A fixed-limit game: its seats are those of the table, amounts are in its chips.

    Raises
    ------
    ArgumentError
        No such history; the nearest pots that have one are named.
    NotationError
        A seat that no such table has.

    Examples
    --------
    >>> made = observation_of(SpotGiven("AhKd", "Qs7d2c", pot=Fraction(40)))
    >>> made.observation.state.betting, made.observation.state.pot, made.unit
    ('r2000c/', 4000, Fraction(100, 1))
    """
    made = _Maker(spot, game)
    best: list[State] = []
    for state in made.states():
        if state.pot == made.pot or not spot.pot:
            if not best or len(state.acts) < len(best[0].acts):
                best = [state]
        elif not best:
            made.miss(state.pot)
    if not best:
        raise ArgumentError(made.refusal())
    state = best[0]
    seat = state.to_act
    assert seat is not None
    state.deal({seat: as_cards(spot.hole)}, as_cards(spot.board) if len(as_cards(spot.board)) else None)
    return SpotMade(state.observe(seat), made.unit)


class _Maker:
    """The candidate histories of a spot, in whole chips."""

    def __init__(self, spot: SpotGiven, game: Variant | None) -> None:
        self.spot, self.game = spot, game
        self.street = (0, 3, 4, 5).index(len(as_cards(spot.board)))
        price = Fraction(0) if spot.to_call is None else spot.to_call
        self.free = spot.to_call is None and not self.street  # whatever an unraised pot costs
        parts = [*spot.blinds, spot.stack, price, spot.pot / (2 * (spot.opponents + 1))]
        fine = (FINE / spot.blinds[1]).numerator
        self.unit = Fraction(lcm(fine, *(part.denominator for part in parts)))
        if game is not None:
            self.unit = game.big_blind / spot.blinds[1]
        for name, given in spot.amounts():
            if given * self.unit > DEEP:
                raise ArgumentError(
                    f"{name} {_short(given)}: expected at most {DEEP} chips of which every amount is whole"
                )
        for amount in (spot.pot, price):
            if (amount * self.unit).denominator > 1:
                raise ArgumentError(f"{_short(amount)}: expected whole chips of {game and game.name}")
        self.pot, self.owed = (int(amount * self.unit) for amount in (spot.pot, price))
        if self.street and not self.pot:
            self.pot = int((spot.opponents + 1) * spot.blinds[1] * self.unit) + self.owed
        self._missed: list[int] = []

    def miss(self, pot: int) -> None:
        """Note the pot of a history that has another one."""
        self._missed.append(pot)

    def refusal(self) -> str:
        near = sorted({*self._missed}, key=lambda pot: (abs(pot - self.pot), pot))[:3]
        pots = ", ".join(_short(pot / self.unit) for pot in sorted(near))
        spot = self.spot
        seat = f" in {spot.position}" if spot.position else ""
        price = "" if spot.to_call is None else f" with {_short(spot.to_call)} to call"
        expected = f"a pot such as {pots}" if near else "another price, seat or number of opponents"
        what = f"pot {_short(spot.pot)}{price}{seat}, {spot.opponents} opponent{'s' * (spot.opponents > 1)}"
        return f"{what}: no short legal hand leads there; expected {expected}"

    def states(self) -> Iterator[State]:
        """The states at which the own seat has to act for the price, of all tables and seats that fit."""
        for variant in self._tables():
            names = seat_names(variant)
            seats: Sequence[int] = range(variant.seats)
            if self.spot.position:
                try:
                    seats = [position_of(variant, self.spot.position)]
                except BaycarpError:
                    if variant.seats == (self.game.seats if self.game else MOST_SEATS):
                        raise
                    continue
            for own in sorted(seats, key=lambda seat: names[seat] != "BTN"):
                make = self._before_flop if self.street == 0 else self._after_flop
                yield from make(variant, own)

    def _tables(self) -> Iterator[Variant]:
        if self.game is not None:
            yield self.game
            return
        small, big = (int(blind * self.unit) for blind in self.spot.blinds)
        stack = int(self.spot.stack * self.unit)
        most = MOST_SEATS if self.spot.position or self.street == 0 else self.spot.opponents + 3
        for seats in range(self.spot.opponents + 1, min(most, MOST_SEATS) + 1):
            usual = Variant.ring(seats, 2, betting="no-limit")
            blinds = {1: small, 2: big, 0: 0}
            yield replace(
                usual,
                name=f"holdem.nolimit.{seats}p",
                blinds=tuple(blinds[blind] for blind in usual.blinds),
                stacks=(stack,) * seats,
            )

    def _before_flop(self, variant: Variant, own: int) -> Iterator[State]:
        """Those before the own seat fold, call or make the one raise; or the own raise is raised again."""
        state = State(variant)
        order = [(variant.first[0] + turn) % variant.seats for turn in range(variant.seats)]
        before = order[: order.index(own)]
        posted = variant.blinds[own]
        raise_to = self.owed + posted
        out = variant.seats - 1 - self.spot.opponents
        if out <= len(before):
            for choice in product("fcr", repeat=len(before)):
                if choice.count("f") == out and choice.count("r") <= (not self.free):
                    yield from self._tried(state, [(letter, raise_to) for letter in choice], own)
        after = order[order.index(own) + 1 :]
        for other in after:  # they fold but one, which raises the own raise
            folded = [seat for seat in order if seat not in (own, other)]
            if len(folded) != out:
                continue
            dead = sum(variant.blinds[seat] for seat in folded)
            first, odd = divmod(self.pot - dead - self.owed, 2)
            if not odd and first > 0:
                words = [("f", 0)] * len(before) + [("r", first)]
                words += [("r", first + self.owed) if seat == other else ("f", 0) for seat in after]
                yield from self._tried(state, words, own)

    def _after_flop(self, variant: Variant, own: int) -> Iterator[State]:
        others = [seat for seat in range(variant.seats) if seat != own]
        for chosen in combinations(others, self.spot.opponents):
            inside = {own, *chosen}
            order = [(variant.first[self.street] + turn) % variant.seats for turn in range(variant.seats)]
            order = [seat for seat in order if seat in inside]
            turn = order.index(own)
            bettors = [order[turn - back] for back in range(1, len(order))] if self.owed else [own]
            for bets, bettor in enumerate(bettors, 1):
                before = self.pot - bets * self.owed
                yield from self._streets(variant, (own, bettor), order, before)

    def _streets(
        self, variant: Variant, seats: tuple[int, int], order: list[int], before: int
    ) -> Iterator[State]:
        """Before the street the pot had so many chips: the players that are in paid alike."""
        own, bettor = seats
        dead = sum(blind for seat, blind in enumerate(variant.blinds) if seat not in order)
        level, rest = divmod(before - dead, len(order))
        big = variant.big_blind
        levels = [level] if not rest else [big, 2 * big]  # no history has it: those are near
        if big < level < 2 * big:
            levels = [level, big, 2 * big]
        raises: Sequence[Sequence[int]] = [[int(each > big)] for each in levels]
        if variant.betting == "limit":
            most = max(n or 4 for n in variant.max_raises)
            raises = list(product(range(most + 1), repeat=self.street))
            levels = [0] * len(raises)
        for to, by_street in zip(levels, raises, strict=True):
            state = State(variant)
            try:
                for street in range(self.street):
                    self._street(state, order, by_street[street] if street < len(by_street) else 0, to)
                self._last(state, order, own, bettor)
            except (IllegalAction, _Unfit):
                continue
            yield state

    def _street(self, state: State, order: list[int], raises: int, to: int) -> None:
        """A street on which the players in make so many raises, and call them."""
        street, made = state.street, 0
        while not state.is_over and state.street == street:
            if state.to_act not in order:
                state.apply(Action("fold") if state.owed else Action("check"))
            elif made < raises:
                made += 1
                kind = "raise" if state.bets_made else "bet"
                state.apply(Action(kind, to) if to else state.named(kind))
            else:
                state.apply(state.named("call" if state.owed else "check"))
        if state.is_over:
            raise _Unfit

    def _last(self, state: State, order: list[int], own: int, bettor: int) -> None:
        """The last street, up to the own turn for the price."""
        done = False
        if {*state.seats_in} != {*order}:
            raise _Unfit
        while not (state.to_act == own and (done or not self.owed)):
            if state.is_over or state.street != self.street:
                raise _Unfit
            if state.to_act == bettor and self.owed:
                bet = Action("bet", self.owed)
                state.apply(bet)
                done = True
            else:
                state.apply(state.named("call" if state.owed else "check"))
        if state.owed != self.owed:
            raise _Unfit

    def _tried(self, start: State, words: Sequence[tuple[str, int]], own: int) -> Iterator[State]:
        """The state after some actions, if they are legal and lead to the own turn for the price."""
        state = start.copy()
        try:
            for letter, to in words:
                if letter == "f":
                    state.apply(state.named("fold"))
                elif letter == "c":
                    state.apply(state.named("call"))
                else:
                    state.apply(Action("raise", to))
        except IllegalAction:
            return
        if state.to_act == own and state.street == 0 and (self.free or state.owed == self.owed):
            yield state


class _Unfit(Exception):
    """A history that does not lead to the spot."""


def _short(amount: Fraction) -> str:
    """An amount as people write it.

    Examples
    --------
    >>> _short(Fraction(5, 2)), _short(Fraction(40))
    ('2.5', '40')
    """
    return f"{float(amount):.4f}".rstrip("0").rstrip(".")

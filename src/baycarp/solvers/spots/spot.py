"""A spot: two players from a flop, a turn or a river on, each with a range; what is solved."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.card import HOLDINGS, HOLDS, Cards, as_cards, blocked_by, text
from baycarp.errors import ArgumentError, RangeError, VariantError, brief
from baycarp.game.state import Observation
from baycarp.game.variant import DEEP, Variant
from baycarp.ranges import Range
from baycarp.solvers.spots.betting import BettingRules, Kind, Moment, Step
from baycarp.solvers.spots.sizes import PLAYERS, USUAL, Thresholds, parse_menu
from baycarp.solvers.spots.tree import SpotTree

__all__ = ["Spot", "SpotRange"]

SpotRange = str | Range | NDArray[np.floating]
"""A range as text, as a ``Range``, or as its 1,326 weights."""

DEEPEST = 2.0 * DEEP
"""The most chips of a pot or a stack: limit hold'em has stacks as deep as needed."""


@dataclass(frozen=True, kw_only=False, eq=False)
class Spot:
    """A spot; chips are real numbers in any unit.

    Parameters
    ----------
    board
        Three, four or five cards, text or ids.
    pot, stack
        Chips in the pot at the start of the street, and behind each player (the shorter stack).
    oop, ip
        The ranges of the player that acts first, out of position, and of the other, in position; empty = all
        holdings. Holdings that the board blocks do not count.
    sizes, raises
        Of bets and of raises, as ``sizes.parse_menu`` reads them.
    tree
        An own tree (``build_tree``, edited); None = of the sizes.
    rake, cap
        The share of every pot that is taken, and the most chips of it; None = any number.
    donk
        The bets of the first player on a street where the other one bet or raised last on the street before;
        None = as its other bets.
    betting
        ``"no-limit"``, ``"pot-limit"``, or a ``Variant`` of fixed limit: its sizes and caps then.
    thresholds
        For all-in, and for sizes that are near one another.
    line
        What was done on this street, such as ``"check, bet 120"``: the spot begins after it.

    Raises
    ------
    CardError
        An unknown or duplicate card, or a wrong number.
    RangeError
        A range that cannot be read, that has no holding beside the board, or two whose holdings never meet.
    ArgumentError
        Another argument outside its range.

    Examples
    --------
    >>> spot = Spot("Td9d6hQc2s", pot=200, stack=900, oop="66+,A8s+", ip="QQ-22,AQs-A2s")
    >>> spot.build_tree().counts()
    {'decisions': 12, 'folds': 10, 'showdowns': 11, 'deals': 0}
    """

    board: Cards
    pot: float
    stack: float
    oop: SpotRange = ""
    ip: SpotRange = ""
    sizes: str | Mapping[str, str] = "60%, e, a"
    raises: str | Mapping[str, str] = "2.5x, a"
    tree: SpotTree | None = None
    rake: float = 0.0
    cap: float | None = None
    donk: str | Mapping[str, str] | None = None
    betting: str | Variant = "no-limit"
    thresholds: Thresholds = USUAL
    line: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", tuple(as_cards(self.board, "board", (3, 4, 5)).tolist()))
        for name, least in (("pot", "above 0"), ("stack", "above 0"), ("rake", "at least 0")):
            given = _number(getattr(self, name), name)
            if given < 0 or (not given and least == "above 0") or given > DEEPEST:
                raise ArgumentError(f"{name} {brief(given)}: expected {least}, at most {DEEPEST:g}")
            object.__setattr__(self, name, given)
        if self.rake > 1:
            raise ArgumentError(f"rake {brief(self.rake)}: expected a share of the pot, 0 to 1")
        if self.cap is not None:
            cap = _number(self.cap, "cap")
            if cap < 0:
                raise ArgumentError(f"cap {brief(self.cap)}: expected chips, at least 0")
            object.__setattr__(self, "cap", cap)
        if isinstance(self.betting, Variant):
            if self.betting.betting != "limit" or self.betting.seats < 2:
                raise ArgumentError(f"betting {self.betting.name}: expected a game of fixed limit")
        elif self.betting not in ("no-limit", "pot-limit"):
            raise ArgumentError(
                f"betting {brief(self.betting)}: expected 'no-limit', 'pot-limit' or a limit Variant"
            )
        for name in PLAYERS:
            object.__setattr__(self, name, self._range(name))
        _verify_that_they_meet(self.weights(0), self.weights(1))
        self.start()  # verifies the sizes and the line

    def _range(self, name: str) -> Range:
        given: Any = getattr(self, name)
        whole = isinstance(given, str) and not given.strip()
        try:
            found = Range("random") if whole else Range(given)
            found.without(self.cards)
        except RangeError as error:
            raise RangeError(f"{name}: {error}") from None
        return found

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the board, as ids."""
        return tuple(as_cards(self.board).tolist())

    @property
    def root_pot(self) -> float:
        """The chips in the pot where the spot begins, those of ``line`` included."""
        return self.pot + sum(self.start().totals)

    def weights(self, player: int) -> NDArray[np.float64]:
        """The weights of a player's holdings beside the board, float64, shape (1326,)."""
        given = self.ip if player else self.oop
        assert isinstance(given, Range)
        return np.where(blocked_by(self.cards), 0.0, given.weights)

    def holdings(self, player: int) -> NDArray[np.intp]:
        """The holdings of a player that have a weight, by index, ascending."""
        return np.flatnonzero(self.weights(player))

    def rules(self) -> BettingRules:
        """What the betting depends on."""
        return self._rules

    @cached_property
    def _rules(self) -> BettingRules:
        return BettingRules(
            self.pot,
            self.stack,
            parse_menu(self.sizes, "sizes"),
            parse_menu(self.raises, "raises"),
            None if self.donk is None else parse_menu(self.donk, "donk"),
            self.betting,
            self.thresholds,
            self.rake,
            inf if self.cap is None else float(self.cap),
        )

    def start(self) -> Moment:
        """The betting where the spot begins."""
        return self._start

    @cached_property
    def _start(self) -> Moment:
        rules, now = self.rules(), Moment(len(self.cards))
        for word in filter(None, map(str.strip, self.line.split(","))):
            name, _, chips = word.lower().partition(" ")
            if name in ("check", "call") and (name == "call") == (now.owed > 0):
                kind, now = rules.after(now, Step(name))
            elif name in ("bet", "raise", "all-in") and (chips or name == "all-in"):
                total = _number(chips.removeprefix("to "), "line") if chips else self.stack
                kind, now = rules.after(now, rules.verified_step(now, total))
            else:
                kind = Kind.FOLD
            if kind is not Kind.DECISION:
                raise ArgumentError(
                    f"line {self.line[:80]!r}: {word!r}: expected check, bet or raise, with totals in "
                    "chips, before the street is over"
                )
        return now

    def build_tree(self) -> SpotTree:
        """The betting: a copy of the own tree, or a new one of the sizes."""
        return self.tree.copy() if self.tree is not None else SpotTree(self.rules(), self.start())

    @classmethod
    def of(
        cls, observation: Observation, ranges: Mapping[int, SpotRange] | None = None, **settings: Any
    ) -> "Spot":
        """The spot of a hand in which two players are left, from the decision that it is at.

        The chips of players that folded stay in the pot; that they hold no cards of the deck is not counted.
        Chips keep their unit; sizes may be fractions of it.

        Parameters
        ----------
        observation
            The hand, on the flop or later.
        ranges
            By position; a position that is missing has all holdings.
        settings
            Of ``Spot``, such as ``sizes``.

        Raises
        ------
        VariantError
            The hand is before the flop, over, has other than two players in, or one is all-in.
        """
        state, variant = observation.state, observation.variant
        inside = sorted(state.seats_in, key=lambda seat: (seat - variant.first[state.street]) % variant.seats)
        if state.to_act is None or not state.street or len(inside) != 2:
            raise VariantError(
                f"a hand on street {state.street} with {len(inside)} players in: expected one at a decision, "
                "from the flop on, with two players in"
            )
        paid = [state.bets[seat] for seat in inside]
        stack = min(state.stacks[seat] + chips for seat, chips in zip(inside, paid, strict=True))
        if not stack or any(
            not state.stacks[seat] and chips <= min(paid) for seat, chips in zip(inside, paid, strict=True)
        ):
            raise VariantError("a player is all-in: expected chips behind both")
        known = dict(ranges or {})
        if known.keys() - set(inside):
            raise VariantError(f"ranges of positions {sorted(known)}: expected of {inside}")
        given = dict(zip(PLAYERS, (known.get(seat, "") for seat in inside), strict=True))
        if variant.betting != "no-limit":
            settings = {"betting": variant if variant.betting == "limit" else variant.betting, **settings}
        return cls(
            board=state.board,
            pot=state.pot - sum(paid),
            stack=stack,
            line=cls._line(observation, inside, stack),
            **{**given, **settings},
        )

    @staticmethod
    def _line(observation: Observation, inside: list[int], stack: float) -> str:
        """The street so far as a line of the two that are left.

        Where others have acted on it too, it is the shortest one to the same bets.
        """
        acts = [act for act in observation.acts if act.street == observation.street]
        if {act.seat for act in acts} <= {*inside}:
            names = [(act.action.name, min(act.action.amount, stack)) for act in acts]
            return ", ".join(name if name == "check" else f"{name} {total:g}" for name, total in names)
        own, other = (min(observation.state.bets[seat], stack) for seat in inside)
        is_last = observation.state.to_act == inside[1]
        words = [f"bet {own:g}"] if own else ["check"] if other or is_last else []
        if other:
            words.append(f"{'raise' if own else 'bet'} {other:g}" if other > own else "")
        if own > other > 0:
            words = ["check", f"bet {other:g}", f"raise {own:g}"]
        return ", ".join(words)

    def __repr__(self) -> str:
        shown = f"Spot({text(self.cards)!r}, pot={self.pot:g}, stack={self.stack:g}"
        return shown + "".join(f", {name}={str(getattr(self, name))[:60]!r}" for name in PLAYERS) + ")"


def _number(given: Any, name: str) -> float:
    try:
        value = float(given)
    except (TypeError, ValueError, OverflowError):
        value = inf
    if not isfinite(value):
        raise ArgumentError(f"{name} {brief(given, 40)}: expected a finite number")
    return value


def _verify_that_they_meet(one: NDArray[np.float64], other: NDArray[np.float64]) -> None:
    """Raise ``RangeError`` where every holding of one range blocks every holding of the other."""
    cards = HOLDINGS[np.flatnonzero(other)]
    held = HOLDS[:, other > 0].sum(axis=1)
    blocked = held[HOLDINGS[one > 0]].sum(axis=1) - other[one > 0].astype(bool)
    if not (blocked < len(cards)).any():
        raise RangeError("oop, ip: no holding of one is possible beside one of the other")

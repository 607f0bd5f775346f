"""A decision in a spot as people describe it: cards, board, pot, price, and perhaps the opponents' ranges."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, TypedDict, Unpack

from rich.console import RenderableType

from baycarp.agents.base import Agent, Decision, Supposing, as_decision
from baycarp.agents.registry import DEFAULT, load_for
from baycarp.api.result import Record, Result
from baycarp.card import Cards
from baycarp.errors import ArgumentError, brief, one_of
from baycarp.game.action import Action, action_text
from baycarp.game.seats import seat_label, seat_names
from baycarp.game.shortest import MOST_SEATS, SpotGiven, observation_of
from baycarp.game.situation import as_text
from baycarp.game.state import Observation
from baycarp.game.variant import DEEP, Variant
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.ranges import Range

__all__ = ["DecideOptions", "DecideResult", "decide", "drawn_line", "supposed"]

LONGEST = 400
"""The longest text of an amount, in characters."""

_HUGE = re.compile(r"[eE][-+]?[0-9_]{4}")
"""An exponent of which no amount is made."""


class DecideOptions(TypedDict, total=False):
    """How a spot is described; see ``decide``."""

    pot: float | str | Fraction
    to_call: float | str | Fraction | None
    stack: float | str | Fraction
    opponents: int
    position: str
    villain: str | Range | Sequence[str | Range]
    blinds: tuple[float | str | Fraction, float | str | Fraction]
    game: str
    seed: int


@dataclass(frozen=True, slots=True, repr=False)
class DecideResult(Result):
    """A decision in a described spot.

    Parameters
    ----------
    observation
        The spot as a hand: the shortest legal history that leads to it.
    unit
        The chips of one unit of the amounts in which the spot was described.
    decision
        The decision, with its reasons.
    """

    observation: Observation
    unit: Fraction
    decision: Decision

    @property
    def action(self) -> Action:
        """The action, in chips."""
        return self.decision.action

    def amount(self, action: Action | None = None) -> float:
        """The amount of an action in the units of the spot; None = of the one that was decided."""
        return float((action or self.action).amount / self.unit)

    def to_records(self) -> list[Record]:
        """One record an action: its probability, and its amount in the units of the spot."""
        return [
            {"action": action.name, "amount": self.amount(action), "probability": share}
            for action, share in self.decision.policy.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """The decision's record, and the history; amounts in chips, ``unit`` to one of the spot's."""
        state = self.observation.state
        return self.decision.to_dict() | {"unit": float(self.unit), "history": state.betting}

    def title(self) -> str:
        """The result in a line."""
        seat = seat_label(self.observation.variant, self.observation.seat or 0)
        return f"{seat}: {self._words(self.action)}"

    def parts(self) -> Iterable[RenderableType]:
        """The history, the action in the units of the spot, and the reasons."""
        big = self.unit == self.observation.variant.big_blind
        worth = "1 big blind" if big else "1 of the given amounts"
        yield f"the shortest hand that leads there; {float(self.unit):g} chips are {worth}"
        yield f"{as_text(self.observation)}\n"
        chips = self.action.amount  # the reasons are in chips
        yield self.title() + (f" ({chips} chips)" if chips and self.unit != 1 else "")
        policy = sorted(self.decision.policy.items(), key=lambda each: -each[1])
        shares = (f"{self._words(action)} {share:.0%}" for action, share in policy if share >= 0.005)
        yield "policy  " + "  ".join(shares)
        if drawn := drawn_line(self.decision):
            yield drawn
        yield f"\n{self.decision.explain()}"

    def _words(self, action: Action) -> str:
        """An action in the units of the spot."""
        to = " to" if action.name == "raise" else ""
        return f"{action.name}{to} {self.amount(action):.4g}" if action.amount else action.name


def drawn_line(decision: Decision) -> str:
    """That the action was drawn from the policy, which may prefer another one; empty where it is certain."""
    share = decision.policy.get(decision.action, 0.0)
    return f"{action_text(decision.action)} was drawn from the policy, where it has {share:.0%}" * (
        share < 0.995
    )


def decide(
    hole: Cards, board: Cards = "", agent: str | Agent = "", **options: Unpack[DecideOptions]
) -> DecideResult:
    """Decide a spot: the own cards, the board, the pot and the price.

    Parameters
    ----------
    hole, board
        The own two cards; none, three, four or five of the board.
    agent
        That decides, by name or as an object; "" = the default agent.
    **options
        ``pot``, ``to_call``, ``stack``, ``opponents``, ``position`` and ``blinds`` as for
        ``game.shortest.SpotGiven``: numbers or texts, in big blinds unless ``blinds`` are given.
        ``villain``: the range of every opponent, or one for each still in, in the order of the seats, in
        place of the agent's belief. ``game``: a game instead of no-limit with this stack. ``seed``: of the
        agent.

    Raises
    ------
    ArgumentError
        No legal hand leads to the spot; numbers that are none; or the agent has no belief to be replaced.
    CardError, RangeError, NotationError, TableError, ModelError
        Wrong cards, ranges, seats; an agent that does not exist, or that does not play this.

    Examples
    --------
    >>> found = decide("AhKd", "Qs7d2c", agent="sizer", pot=40, to_call=10, villain=())
    >>> found.observation.state.betting, found.observation.state.owed, float(found.unit)
    ('r1500c/r2500', 1000, 100.0)
    """
    if foreign := {*options} - {*DecideOptions.__annotations__}:
        raise ArgumentError(
            f"setting {min(foreign)!r}: {one_of(min(foreign), DecideOptions.__annotations__)}"
        )
    small, big = _pair(options.get("blinds", (Fraction(1, 2), Fraction(1))))
    seed = whole(options.get("seed", 0), "seed", 0, MOST_SEED)
    to_call = options.get("to_call")
    spot = SpotGiven(
        hole,
        board,
        _amount(options.get("pot", 0), "pot"),
        None if to_call is None else _amount(to_call, "to call"),
        _amount(options["stack"], "stack") if "stack" in options else 100 * _amount(big, "blinds"),
        options.get("opponents", 1),
        options.get("position", ""),
        (_amount(small, "blinds"), _amount(big, "blinds")),
    )
    name = options.get("game", "")
    observation, unit = observation_of(spot, Variant.load(name) if name else None)
    variant = observation.variant
    player = load_for(variant, agent or DEFAULT)
    player.sit(observation.seat or 0, variant, seed)
    supposed(player, observation, options.get("villain", ()))
    return DecideResult(observation, unit, as_decision(player.decide(observation), str(agent)))


def supposed(agent: object, observation: Observation, villain: "str | Range | Sequence[str | Range]") -> None:
    """Replace an agent's belief about its opponents by ranges; none = it keeps its own.

    Raises
    ------
    ArgumentError
        Another number of ranges than opponents, or an agent without beliefs.
    RangeError
        Text that is no range, or a range that the known cards block.
    """
    ranges = [villain] if isinstance(villain, str | Range) else [*islice(villain, MOST_SEATS)]
    if not ranges:
        return
    others = [seat for seat in observation.state.seats_in if seat != observation.seat]
    ranges = ranges * len(others) if len(ranges) == 1 else ranges
    if len(ranges) != len(others):
        seats = ", ".join(seat_names(observation.variant)[seat] for seat in others)
        raise ArgumentError(f"{len(ranges)} ranges: expected one, or one for each of {seats}")
    if not isinstance(agent, Supposing):
        raise ArgumentError("a range: expected an agent that has beliefs, such as baycarp, sizer or mcts")
    known = (*observation.hole, *observation.board)
    agent.suppose(
        {seat: Range(each).without(known).weights for seat, each in zip(others, ranges, strict=True)}
    )


def _pair(blinds: object) -> list[Any]:
    if isinstance(blinds, str | bytes) or not isinstance(blinds, Iterable):
        raise TypeError(f"blinds: expected the small and the big one, got {brief(blinds)}")
    both = [*islice(blinds, 3)]
    if len(both) != 2:
        raise ArgumentError(f"blinds {brief(blinds)}: expected the small and the big one")
    return both


def _amount(given: object, name: str) -> Fraction:
    try:
        text = str(given)
        # The size is tested before the conversion, which would write out every nought of 1e999999999.
        if (
            len(text) <= LONGEST
            and text.isascii()
            and not _HUGE.search(text)
            and abs(amount := Fraction(text)) <= DEEP
        ):
            return amount
    except (ValueError, ZeroDivisionError):
        raise ArgumentError(f"{name} {brief(given, 40)}: expected a number") from None
    raise ArgumentError(f"{name} {brief(given, 40)}: expected a number of at most {DEEP} chips")

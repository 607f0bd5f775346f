"""A hand as each of its players played it: the turns by street, the flop, the showdown, what it won."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from baycarp.errors import CardError
from baycarp.game import Act, State

__all__ = ["Line", "OwnTurn", "lines_of", "lines_of_acts"]

KIND = {"fold": "fold", "check": "check", "call": "call", "bet": "raise", "raise": "raise"}
"""A bet is the first raise of its street."""


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A decision of a player.

    Parameters
    ----------
    kind
        ``"fold"``, ``"check"``, ``"call"`` or ``"raise"``, the last of bets, too.
    raises
        Bets and raises of all players on the street before it; blinds and straddles are none.
    raised
        Those of the player itself.
    raiser
        The position that made the last one; None = none yet.
    aggressor
        The position that bet or raised last on the street before; None = none, or before the flop.
    checked
        Whether the player has checked on the street.
    """

    kind: str
    raises: int
    raised: int
    raiser: int | None
    aggressor: int | None
    checked: bool


@dataclass(slots=True)
class Line:
    """How one player played a hand.

    Parameters
    ----------
    position
        Of the player.
    turns
        Its decisions, by street 0..3.
    saw_flop
        Whether it was still in when the flop was dealt; also all-in.
    showdown
        Whether it showed down a hand, or gave one up there.
    won
        Whether it took a part of the pot, a bet that nobody called apart; None = not known.
    """

    position: int
    turns: tuple[list[OwnTurn], ...] = field(default_factory=lambda: ([], [], [], []))
    saw_flop: bool = False
    showdown: bool = False
    won: bool | None = None

    def count(self, street: int, *kinds: str) -> int:
        """The number of its turns of some kinds on a street."""
        return sum(turn.kind in kinds for turn in self.turns[street])


def lines_of_acts(acts: Iterable[Act], seats: int) -> list[Line]:
    """The turns of every player, by position; flop, showdown and winnings are left open.

    Examples
    --------
    >>> from baycarp.game import Variant
    >>> hand = State(Variant.ring(3))
    >>> for word in ("raise", "call", "fold", "check"):
    ...     _ = hand.apply(hand.named(word))
    >>> [[turn.kind for turn in line.turns[0]] for line in lines_of_acts(hand.acts, 3)]
    [['call'], ['fold'], ['raise']]
    """
    lines = [Line(position) for position in range(seats)]
    street, raises = 0, 0
    raiser: int | None = None
    aggressor: int | None = None
    for act in acts:
        if act.street != street:
            aggressor = raiser if act.street == street + 1 else None
            street, raises, raiser = act.street, 0, None
        own = lines[act.seat].turns[street]
        kind = KIND[act.action.name]
        checked, raised = False, 0
        for turn in own:
            checked |= turn.kind == "check"
            raised += turn.kind == "raise"
        own.append(OwnTurn(kind, raises, raised, raiser, aggressor, checked))
        if kind == "raise":
            raises += 1
            raiser = act.seat
    return lines


def lines_of(over: State, payoffs: Sequence[float] | None = None) -> list[Line]:
    """How every player played a hand, by position.

    Parameters
    ----------
    over
        The hand at its end.
    payoffs
        Net chips by position; None = those of the rules, where the cards are known.
    """
    lines = lines_of_acts(over.acts, over.variant.seats)
    if not over.is_over:
        return lines
    if payoffs is None:
        try:
            payoffs = over.payoffs()
        except CardError:
            payoffs = ()
    inside, paid = over.seats_in, over.committed
    called = sorted(paid)[-2]  # more than this, nobody has matched
    for line in lines:
        at = line.position
        line.saw_flop = over.street > 0 and not line.count(0, "fold")
        line.showdown = at in inside and len(inside) > 1
        if payoffs:
            line.won = payoffs[at] + min(paid[at], called) > 0
    return lines

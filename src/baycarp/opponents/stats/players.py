"""The counts of every player of a record of hands, by position and depth of the stacks.

``HandStatistics.add`` takes hand after hand. The same hand of a room in two files counts once. Names of an
anonymous table stand for seats, so that they are counted by session and never merged: such a player is called
``Player 4 (table 123, session 1)``.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from decimal import Decimal
from math import inf

from baycarp.errors import CardError
from baycarp.game import State
from baycarp.game.notation.hand import Hand, replay
from baycarp.game.seats import seat_names
from baycarp.game.showdowns import all_in
from baycarp.game.variant import DEEP
from baycarp.opponents.stats.definitions import STATISTICS, Counted
from baycarp.opponents.stats.turns import Line, lines_of

__all__ = [
    "DEPTHS",
    "Cell",
    "Distinct",
    "HandStatistics",
    "PlayerCounts",
    "Winnings",
    "depth_of",
    "stakes_of",
]

DEPTHS = (0, 20, 40, 70, 130, inf)
"""Edges of the depth of stacks, in big blinds: short, ... , about 100, deep."""

PAUSE = timedelta(hours=2)
"""A session at an anonymous table ends with a pause of this length."""

SEED = 1
"""Of the boards that all-in values of three players before the flop are drawn from."""


@dataclass(slots=True)
class Winnings:
    """Sums over hands, in big blinds: of what each won, and of its square."""

    hands: int = 0
    sum: float = 0.0
    squares: float = 0.0

    def add(self, won: float) -> None:
        """Count a hand."""
        self.hands += 1
        self.sum += won
        self.squares += won * won

    def __add__(self, other: "Winnings") -> "Winnings":
        return Winnings(self.hands + other.hands, self.sum + other.sum, self.squares + other.squares)


@dataclass(slots=True)
class Cell:
    """The hands of a player in one position at one depth.

    Parameters
    ----------
    hands
        Hands dealt to the player.
    counts
        By statistic and street, how often it was done, and how often it could have been.
    won, without_luck
        Net winnings, as far as they are known; and the same with the equity of all-ins in place of their
        boards, where the cards were shown.
    all_ins
        Hands in which the two differ.
    tournaments
        Hands of tournaments among those whose winnings are known: they are in chips.
    """

    hands: int = 0
    counts: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    won: Winnings = field(default_factory=Winnings)
    without_luck: Winnings = field(default_factory=Winnings)
    all_ins: int = 0
    tournaments: int = 0

    def count(self, line: Line) -> None:
        """Count a hand by what the player did."""
        self.hands += 1
        for statistic in STATISTICS:
            for street in statistic.streets:
                made, of = statistic.count(line, street)
                if of or made:
                    sums = self.counts.setdefault((statistic.name, street), [0, 0])
                    sums[0] += made
                    sums[1] += of

    def __add__(self, other: "Cell") -> "Cell":
        counts = {key: [*sums] for key, sums in self.counts.items()}
        for key, (made, of) in other.counts.items():
            sums = counts.setdefault(key, [0, 0])
            sums[0] += made
            sums[1] += of
        return Cell(
            self.hands + other.hands,
            counts,
            self.won + other.won,
            self.without_luck + other.without_luck,
            self.all_ins + other.all_ins,
            self.tournaments + other.tournaments,
        )


@dataclass(slots=True)
class PlayerCounts:
    """The hands of one player.

    Parameters
    ----------
    name
        Of the player.
    cells
        By position and depth: the name of the seat, and the number of the interval of ``DEPTHS``; -1 = as
        deep as needed.
    """

    name: str
    cells: dict[tuple[str, int], Cell] = field(default_factory=dict)

    def cell(self, position: str = "", depth: int | None = None) -> Cell:
        """The hands in a position, at a depth; "" and None = in all."""
        wanted = (
            cell
            for (seat, deep), cell in self.cells.items()
            if position in ("", seat) and depth in (None, deep)
        )
        return sum(wanted, Cell())

    @property
    def hands(self) -> int:
        """Hands dealt to the player."""
        return sum(cell.hands for cell in self.cells.values())

    def counted(
        self, name: str, position: str = "", depth: int | None = None, street: int | None = None
    ) -> Counted:
        """How often it did something, of how many opportunities; ``street`` None = on all."""
        sums = [
            count
            for (statistic, where), count in self.cell(position, depth).counts.items()
            if statistic == name and street in (None, where)
        ]
        return sum(made for made, _ in sums), sum(of for _, of in sums)


class Distinct:
    """The hands of a record, each once, and with names that one player has alone."""

    def __init__(self) -> None:
        self._seen: set[int] = set()
        self._sessions: dict[tuple[str, str], tuple[int, datetime | None]] = {}

    def take(self, hand: Hand) -> Hand | None:
        """The hand, with players of anonymous tables named by their session; None = it was taken before."""
        origin = hand.origin
        if origin.room and hand.id:
            key = hash((origin.room, str(hand.id)))
            if key in self._seen:
                return None
            self._seen.add(key)
        return replace(hand, players=self._names(hand)) if origin.anonymous else hand

    def _names(self, hand: Hand) -> tuple[str, ...]:
        origin = hand.origin
        place = origin.room, origin.table
        session, before = self._sessions.get(place, (1, origin.time))
        if before and origin.time and abs(_naive(origin.time) - _naive(before)) > PAUSE:
            session += 1
        self._sessions[place] = session, origin.time
        label = f" (table {origin.table}, session {session})"
        return tuple(
            name if position == origin.hero or not name else name + label
            for position, name in enumerate(hand.players)
        )


class HandStatistics:
    """The counts of all players of a record.

    Attributes
    ----------
    players : dict[str, PlayerCounts]
        By name, in the order of appearance.
    hands, repeated, unnamed : int
        Hands counted; those left out as counted before; those without names of players.
    anonymous, tournaments : int
        Of the hands counted: those of anonymous tables, and of tournaments.
    """

    def __init__(self) -> None:
        self.players: dict[str, PlayerCounts] = {}
        self.hands = self.repeated = self.unnamed = self.anonymous = self.tournaments = 0
        self._distinct = Distinct()

    def add(self, given: Hand) -> None:
        """Count a hand, unless it was counted before.

        Raises
        ------
        NotationError
            A hand that cannot be replayed.
        """
        hand = self._distinct.take(given)
        if hand is None:
            self.repeated += 1
            return
        if not hand.players:
            self.unnamed += 1
            return
        over = replay(hand)
        self.hands += 1
        self.anonymous += hand.origin.anonymous
        self.tournaments += bool(hand.origin.tournament)
        seats = seat_names(hand.variant)
        won, lucky = winnings(hand, over)
        for line in lines_of(over, hand.payoffs):
            at = line.position
            name = hand.players[at]
            if not name:
                continue
            player = self.players.setdefault(name, PlayerCounts(name))
            cell = player.cells.setdefault((seats[at], depth_of(hand, at)), Cell())
            cell.count(line)
            if won:
                cell.won.add(won[at])
                cell.without_luck.add(lucky[at])
                cell.all_ins += won[at] != lucky[at]
                cell.tournaments += bool(hand.origin.tournament)


def _naive(time: datetime) -> datetime:
    return time.replace(tzinfo=None)


def depth_of(hand: Hand, position: int) -> int:
    """The interval of ``DEPTHS`` of the chips that a player could win or lose; -1 = as deep as needed.

    That is its stack, or the largest other stack, if that is smaller, in big blinds.
    """
    stacks = hand.stacks or hand.variant.stacks
    if stacks is None:
        return -1
    effective = min(stacks[position], max(stack for at, stack in enumerate(stacks) if at != position))
    if effective >= DEEP:
        return -1
    blinds = effective / hand.variant.big_blind
    return next(number for number, edge in enumerate(DEPTHS[1:]) if blinds < edge)


def stakes_of(hand: Hand) -> str:
    """Small and big blind in the source's money: ``0.02/0.05 USD``; in chips of a tournament ``50/100``.

    Examples
    --------
    >>> from baycarp.game import Variant
    >>> stakes_of(Hand(Variant.ring(3, 10), (), ((), (), ())))
    '5/10'
    """
    variant = hand.variant
    posted = [blind for blind in variant.blinds if 0 < blind < variant.big_blind]
    small = max(posted, default=variant.big_blind // 2)
    amounts = "/".join(_plain(chips * hand.unit) for chips in (small, variant.big_blind))
    return f"{amounts} {hand.origin.currency}".strip()


def _plain(amount: Decimal) -> str:
    return f"{amount.normalize():f}"


def winnings(hand: Hand, over: State) -> tuple[list[float], list[float]]:
    """What each player won, in big blinds, and the same without the luck of all-ins; empty = not known.

    As the source states it, where it does: rake is taken off, from the equity of an all-in, too.
    """
    big = hand.variant.big_blind
    try:
        by_rules = over.payoffs() if over.is_over else ()
    except CardError:
        by_rules = ()
    won = hand.payoffs or by_rules
    lucky = list(won)
    called = sum(min(paid, sorted(over.committed)[-2]) for paid in over.committed)
    if won and by_rules and over.seats_in[1:]:
        try:
            worth = all_in(over, SEED, every=False).tolist()
        except CardError:  # not all were shown
            worth = [*by_rules]
        kept = 1 - hand.origin.rake / called if called else 1.0
        lucky = [chips + kept * (mean - paid) for chips, mean, paid in zip(won, worth, by_rules, strict=True)]
    return [chips / big for chips in won], [chips / big for chips in lucky]

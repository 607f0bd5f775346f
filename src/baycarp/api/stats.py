"""The statistics of players: ``baycarp.stats`` counts a record of hands, with an interval for each."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from math import nan, sqrt
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, Unpack

from rich.console import RenderableType
from rich.table import Table as Grid

from baycarp.api.printing import cell_text, counted, grid
from baycarp.api.result import Record, Result
from baycarp.arena.measure import Rate, Share, margin
from baycarp.coach.hands import read
from baycarp.draw import drawable, save_shares
from baycarp.errors import ArgumentError, NotationError, brief, one_of
from baycarp.game.action import STREETS
from baycarp.game.notation.hand import Hand, Refusal, Refused
from baycarp.opponents.known import KnownPlayer
from baycarp.opponents.stats import STATISTICS, HandStatistics, PlayerCounts, Statistic
from baycarp.opponents.stats.players import DEPTHS, Distinct, Winnings, stakes_of

__all__ = ["HandsGiven", "PlayerStatistics", "StatsResult", "read_hands", "stats"]

HandsGiven: TypeAlias = "str | PathLike[str] | Iterable[Hand] | Sequence[str | PathLike[str]]"
"""The path of a file or folder, several of them, or hands."""

SIDE_BY_SIDE = 3
"""Players that are shown where none are named: those with most hands."""

ADJUSTED = "All-in adjusted: equity replaces the board of an all-in; other luck stays in."

SEATS = ("SB", "BB", "UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO", "BTN")
"""The order of positions."""


def read_hands(given: HandsGiven, game: str = "", refusal: Refusal | None = None) -> Iterator[Hand]:
    """The hands of files and folders, or those that are given, in order."""
    if isinstance(given, str | PathLike):
        yield from read(given, refusal, game or None)
        return
    for each in given:
        if isinstance(each, Hand):
            yield each
        else:
            yield from read_hands(each, game, refusal)


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """The statistics of one player.

    Parameters
    ----------
    counts
        The counts by position and depth.
    source
        Gives the hands again.
    """

    counts: PlayerCounts
    source: Callable[[], Iterable[Hand]]

    @property
    def name(self) -> str:
        """Of the player."""
        return self.counts.name

    @property
    def hands(self) -> int:
        """Hands dealt to the player."""
        return self.counts.hands

    @property
    def positions(self) -> tuple[str, ...]:
        """The seats that it had, the blinds first, the button last."""
        return tuple(sorted({seat for seat, _ in self.counts.cells}, key=SEATS.index))

    @property
    def depths(self) -> tuple[int, ...]:
        """The numbers of the depths that it had, shallow first; -1 = as deep as needed."""
        return tuple(sorted({depth for _, depth in self.counts.cells}))

    def share(
        self, name: str, position: str = "", depth: int | None = None, street: str | int | None = None
    ) -> Share:
        """How often it did something, of how many chances; the share, and its 95 % interval (Wilson 1927).

        Parameters
        ----------
        name
            Of ``opponents.stats.STATISTICS``.
        position
            A seat's name; "" = all.
        depth
            A number of ``depths``; None = all.
        street
            A street's name or number; None = all.

        Raises
        ------
        ArgumentError
            No such statistic, or no such street.
        """
        if name not in {each.name for each in STATISTICS}:
            raise ArgumentError(
                f"{brief(name)}: expected one of {', '.join(each.name for each in STATISTICS)}"
            )
        return Share(*self.counts.counted(name, position.upper(), depth, _street(street)))

    def rate(self, luck: bool = True, position: str = "", depth: int | None = None) -> Rate:
        """The win rate in big blinds per 100 hands, with its 95 % interval over hands.

        Parameters
        ----------
        luck
            Whether the boards of all-ins count as they fell; else the equity counts, where cards were shown.
        position, depth
            As for ``share``.
        """
        cell = self.counts.cell(position.upper(), depth)
        return _rate(cell.won if luck else cell.without_luck)

    def model(self) -> KnownPlayer:
        """The model of the player, learned from these hands: it is saved, played against, and introduced."""
        return KnownPlayer.of(self.source(), self.name)


def _rate(won: Winnings) -> Rate:
    """Of sums in big blinds a hand."""
    if not won.hands:
        return Rate(nan, nan, 0, "bb/100")
    mean = won.sum / won.hands
    spread = max(won.squares - won.hands * mean * mean, 0.0)
    deviation = sqrt(spread / (won.hands - 1)) if won.hands > 1 else nan
    return Rate(100 * mean, 100 * margin(deviation, won.hands), won.hands, "bb/100")


@dataclass(frozen=True, slots=True, repr=False)
class StatsResult(Result):
    """The statistics of the players of a record of hands.

    Parameters
    ----------
    counts
        Of all players.
    source
        Gives the hands again.
    shown
        The names of the players that are shown.
    position, street
        Those that are shown: a seat's name, and the number of a street; "" and None = all.
    left_out
        Hands that could not be read, or that a filter left out, by the reason.

    Examples
    --------
    ``pandas.DataFrame(result.to_records())`` is its data frame, and ``result.to_frame("polars")``.
    """

    counts: HandStatistics
    source: Callable[[], Iterable[Hand]]
    shown: tuple[str, ...] = ()
    position: str = ""
    street: int | None = None
    left_out: Counter[str] = field(default_factory=Counter)

    def player(self, name: str) -> PlayerStatistics:
        """The statistics of a player.

        Raises
        ------
        ArgumentError
            No hand of the player; those with most hands are named.
        """
        if name not in self.counts.players:
            known = ", ".join(self._by_hands()[:10]) or "none"
            raise ArgumentError(f"player {brief(name)}: expected one of the hands', such as {known}")
        return PlayerStatistics(self.counts.players[name], self.source)

    @property
    def players(self) -> tuple[PlayerStatistics, ...]:
        """The players that are shown, or else all, those with most hands first."""
        return tuple(self.player(name) for name in self.shown or self._by_hands())

    def _by_hands(self) -> list[str]:
        found = self.counts.players
        return sorted(found, key=lambda name: (-found[name].hands, name))

    def _statistics(self) -> list[Statistic]:
        return [each for each in STATISTICS if self.street is None or self.street in each.streets]

    def to_records(self) -> list[Record]:
        """One record a player, position, depth and statistic; those of all positions or depths are "all".

        Columns: player, position, depth, hands, statistic, made, of, value, low, high; a win rate, in bb/100,
        has its hands as ``of``.
        """
        return [record for player in self.players for record in self._records(player)]

    def _records(self, player: PlayerStatistics) -> Iterator[Record]:
        positions = [self.position] if self.position else ["", *player.positions]
        for position in positions:
            for depth in (None, *player.depths):
                cell = player.counts.cell(position, depth)
                if not cell.hands:
                    continue
                where = {
                    "player": player.name,
                    "position": position or "all",
                    "depth": "all" if depth is None else _depth(depth),
                    "hands": cell.hands,
                }
                for each in self._statistics():
                    share = player.share(each.name, position, depth, self.street)
                    low, high = share.interval if each.share else (nan, nan)
                    value = share.value
                    yield where | {
                        "statistic": each.name, "made": share.count, "of": share.of,
                        "value": value, "low": low, "high": high,
                    }  # fmt: skip
                for name, luck in (("won", True), ("won_all_in_adjusted", False)):
                    rate = player.rate(luck, position, depth)
                    yield where | {
                        "statistic": name, "made": None, "of": rate.n, "value": rate.mean,
                        "low": rate.mean - rate.margin, "high": rate.mean + rate.margin,
                    }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """The records, and the hands that were counted and left out, as JSON values."""
        counts = self.counts
        return {
            "hands": counts.hands,
            "repeated": counts.repeated,
            "left out": dict(self.left_out),
            "notes": [*self.notes()],
            "records": self.to_records(),
        }

    def notes(self) -> Iterator[str]:
        """What a reader of the figures must know."""
        counts = self.counts
        if counts.repeated:
            yield f"repeated hands, which count once: {counts.repeated}"
        if counts.unnamed:
            yield f"hands without names of players, not counted: {counts.unnamed}"
        if counts.anonymous:
            hands = counted(counts.anonymous, "hand")
            yield f"{hands} of anonymous tables: players count by session, not by seat name"
        if counts.tournaments:
            hands = counted(counts.tournaments, "hand")
            yield f"{hands} of tournaments: won chips in big blinds, without ICM"
        for reason, number in self.left_out.most_common():
            yield f"{number} left out: {reason}"

    def title(self) -> str:
        """The result in a line."""
        return f"{counted(self.counts.hands, 'hand')}, {counted(len(self.counts.players), 'player')}"

    def parts(self) -> Iterable[RenderableType]:
        """The players side by side; of a single player its positions and depths beside them."""
        players = self.players[: None if self.shown else SIDE_BY_SIDE]
        known = len(self.counts.players)
        yield f"{self.title()}; share, 95 % interval, made/chances"
        if len(players) == 1 and not self.position:
            yield from self._of_one(players[0])
        else:
            columns = [(each.name, each, self.position, None) for each in players]
            yield self._table(columns)
        if self.street is None:
            yield ADJUSTED
        if rest := known - len(players):
            more = counted(rest, "more player")
            yield more if self.shown else f"{more}, with fewer hands"
        yield from self.notes()

    def _of_one(self, player: PlayerStatistics) -> Iterator[Grid]:
        everywhere = [("all", player, "", None)]
        positions = [(seat, player, seat, None) for seat in player.positions]
        depths = [(_depth(depth), player, "", depth) for depth in player.depths]
        for group in (everywhere + positions, depths if len(depths) > 1 else []):
            for at in range(0, len(group), SIDE_BY_SIDE):
                yield self._table(group[at : at + SIDE_BY_SIDE], player.name)

    def _table(
        self, columns: Sequence[tuple[str, PlayerStatistics, str, int | None]], title: str | None = None
    ) -> Grid:
        table = grid("", *(cell_text(name) for name, *_ in columns), title=title and cell_text(title))
        places = [(player, (position, depth)) for _, player, position, depth in columns]
        table.add_row("hands", *(str(player.counts.cell(*where).hands) for player, where in places))
        for each in self._statistics():
            shares = (player.share(each.name, *where, self.street) for player, where in places)
            table.add_row(each.title, *(_cell(share, each) for share in shares))
        if self.street is None:
            for title, luck in (("bb/100", True), ("all-in adjusted", False)):
                rates = (player.rate(luck, *where) for player, where in places)
                table.add_row(title, *(rate.cell(1) for rate in rates))
        return table

    def draw(self, path: Path | str) -> None:
        """Draw the shares with their intervals, players side by side, as PNG, SVG or PDF (``baycarp[viz]``).

        Errors are those of ``MatchResult.draw``.
        """
        drawn = [each for each in self._statistics() if each.share]
        shares = {
            player.name: [player.share(each.name, self.position, None, self.street) for each in drawn]
            for player in self.players[: None if self.shown else SIDE_BY_SIDE]
        }
        bars = {name: [(share.value, *share.interval) for share in each] for name, each in shares.items()}
        save_shares(bars, [each.title for each in drawn], drawable(Path(path)))


def _cell(share: Share, statistic: Statistic) -> str:
    if not statistic.share:
        return f"{share.value:.2f}  {share}" if share.of else f"-  {share}"
    low, high = share.interval
    return f"{share.value:.0%} {100 * low:.0f}-{100 * high:.0f}  {share}" if share.of else "-"


def _depth(depth: int) -> str:
    if depth < 0:
        return "unlimited"
    low, high = DEPTHS[depth : depth + 2]
    return f"{low}-{high} bb" if high < 1e9 else f"{low}+ bb"


def _street(street: str | int | None) -> int | None:
    if street in (None, ""):
        return None
    if street in STREETS:
        return STREETS.index(str(street))
    if street in range(4):
        return int(street)
    raise ArgumentError(f"street {brief(street, 40)}: expected 0..3 or one of {', '.join(STREETS)}")


def _since(since: "str | date | None") -> datetime | None:
    if not since:
        return None
    try:
        text = since if isinstance(since, str) else since.isoformat()
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        raise ArgumentError(f"since {brief(since, 40)}: expected a date such as '2026-11-01'") from None


def _stakes(wanted: str, hand: Hand) -> bool:
    """Whether a hand has the stakes, given as the big blind or as both, with or without a currency."""
    known, _, currency = stakes_of(hand).partition(" ")
    asked, _, money = wanted.replace("$", "").replace("€", "").partition(" ")
    return asked in (known, known.partition("/")[2]) and money.upper() in ("", currency)


class StatsFilters(TypedDict, total=False):
    """What is shown, and which hands count; see ``stats``."""

    player: str | Sequence[str]
    position: str
    street: str | int | None
    stakes: str
    since: str | date | None


def stats(
    hands: HandsGiven,
    game: str = "",
    tick: Callable[[int], None] = lambda hands: None,
    **filters: Unpack[StatsFilters],
) -> StatsResult:
    """Count the statistics of all players of a record of hands.

    Parameters
    ----------
    hands
        The path of a file, a folder or an archive, several of them, or hands. A hand of a room that is in
        two files counts once; players of anonymous tables count by session.
    game
        Of ACPC logs that do not show theirs: a shipped game or a file.
    tick
        Receives the number of hands counted so far.
    **filters
        ``player``: the name, or names, of the players that are shown; none = those with most hands.
        ``position``, ``street``: those that are shown: the name of a seat (``"BTN"``), and of a street
        (``"flop"``). ``stakes``: only hands of these: ``"0.05"``, ``"0.02/0.05"`` or ``"0.02/0.05 USD"``.
        ``since``: only hands from this date on; those without a date are left out.

    Raises
    ------
    ArgumentError
        A player without a hand, or a filter that is not understood.
    NotationError
        No hand is left.

    Examples
    --------
    >>> from baycarp.game.notation.acpc import parse_state
    >>> from baycarp.game import Variant
    >>> lines = "STATE:0:rc/crf:AhKd|7c2h/Qs7d2c:-20|20:Ann|Bob", "STATE:1:rf:2c7d|AhKd:-10|10:Ann|Bob"
    >>> found = stats([parse_state(line, Variant.load("holdem.limit.2p.reverse_blinds")) for line in lines])
    >>> bob = found.player("Bob")
    >>> print(bob.share("pfr"), [round(bound, 2) for bound in bob.share("pfr").interval])
    2/2 [0.34, 1.0]
    >>> print(found.player("Ann").share("vpip"), bob.rate().mean)
    1/2 150.0
    """
    if foreign := {*filters} - {*StatsFilters.__annotations__}:
        raise ArgumentError(f"setting {min(foreign)!r}: {one_of(min(foreign), StatsFilters.__annotations__)}")
    player, position, stakes = (
        filters.get("player", ()),
        filters.get("position", ""),
        filters.get("stakes", ""),
    )
    names = (player,) if isinstance(player, str) and player else tuple(player)
    number, first, left_out = _street(filters.get("street")), _since(filters.get("since")), Counter[str]()
    if position.upper() not in ("", *SEATS):
        raise ArgumentError(f"position {brief(position, 40)}: expected one of {', '.join(SEATS)}")
    given = hands if isinstance(hands, str | PathLike | Sequence) else [*hands]

    def source() -> Iterator[Hand]:
        distinct = Distinct()
        for hand in read_hands(given, game, lambda refused: None):
            if not _wanted(hand, stakes, first) and (once := distinct.take(hand)):
                yield once

    counts = HandStatistics()

    def refuse(refused: Refused) -> None:
        left_out[refused.reason] += 1

    for hand in read_hands(given, game, refuse):
        if reason := _wanted(hand, stakes, first):
            left_out[reason] += 1
            continue
        try:
            counts.add(hand)
        except Refused as refused:
            refuse(refused)
        tick(counts.hands)
    if not counts.hands:
        reasons = "; ".join(f"{hands} {reason}" for reason, hands in left_out.most_common(3))
        raise NotationError(f"no hand is left to count: {reasons or 'the record has none with players'}")
    found = StatsResult(counts, source, names, position.upper(), number, left_out)
    for name in names:
        found.player(name)
    return found


def _wanted(hand: Hand, stakes: str, first: datetime | None) -> str:
    """Why a filter leaves a hand out; empty = it does not."""
    if stakes and not _stakes(stakes, hand):
        return f"stakes other than {stakes}"
    if first is None:
        return ""
    time = hand.origin.time
    if time is None:
        return "no date"
    return "" if time.replace(tzinfo=None) >= first else f"before {first:%Y-%m-%d}"

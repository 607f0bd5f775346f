"""The betting of a spot by the rules: the steps that a player may take, and where each leads."""

from dataclasses import dataclass
from enum import IntEnum
from math import inf
from typing import NamedTuple

from baycarp.errors import ArgumentError
from baycarp.game.variant import Variant
from baycarp.solvers.spots.sizes import USUAL, BetPlace, Menu, Thresholds

__all__ = ["BettingRules", "Kind", "Moment", "Step"]


class Kind(IntEnum):
    """What a node of a tree is."""

    DECISION = 0
    FOLD = 1
    SHOWDOWN = 2
    DEAL = 3


class Step(NamedTuple):
    """What a player does: fold, check, call, bet, raise or all-in, and its total on the street after it.

    Examples
    --------
    >>> str(Step("raise", 300)), str(Step("check"))
    ('raise 300', 'check')
    """

    name: str
    total: float = 0.0

    def __str__(self) -> str:
        return f"{self.name} {self.total:.10g}" if self.name in ("bet", "raise", "all-in") else self.name


class Moment(NamedTuple):
    """The betting at a node; amounts are chips.

    Parameters
    ----------
    cards
        On the board.
    player
        To act.
    totals, street
        What both players have put in since the start of the spot, and on this street.
    rise
        The last raise beyond what it raised, or the bet.
    bets
        Bets and raises on this street.
    checked
        Whether player 0 has checked.
    leader
        The player that bet or raised last on the street before; -1 = nobody.
    """

    cards: int
    player: int = 0
    totals: tuple[float, float] = (0.0, 0.0)
    street: tuple[float, float] = (0.0, 0.0)
    rise: float = 0.0
    bets: int = 0
    checked: bool = False
    leader: int = -1

    @property
    def owed(self) -> float:
        """What a call adds."""
        return self.street[1 - self.player] - self.street[self.player]

    @property
    def matched(self) -> float:
        """What both players have put in."""
        return min(self.totals)


@dataclass(frozen=True, slots=True)
class BettingRules:
    """What the betting of a spot depends on.

    Parameters
    ----------
    pot, stack
        Chips before the first action, and what each player may still put in.
    bets, raises
        The sizes; ``donks`` those of player 0 where the other one bet last on the street before.
    betting
        ``"no-limit"``, ``"pot-limit"``, or a game of fixed limit, whose sizes and caps count then.
    thresholds
        For all-in and for sizes that are near one another.
    rake, cap
        The share of the pot that is taken, at most so many chips.
    """

    pot: float
    stack: float
    bets: Menu
    raises: Menu
    donks: Menu | None = None
    betting: str | Variant = "no-limit"
    thresholds: Thresholds = USUAL
    rake: float = 0.0
    cap: float = inf

    def place(self, now: Moment) -> BetPlace:
        """Where the player to act bets."""
        level = max(now.street)
        pot = self.pot + 2 * max(now.totals)
        most = self.stack - now.totals[now.player] + now.street[now.player]
        limit = level + pot if self.betting == "pot-limit" else most
        return BetPlace(pot, level, level + now.rise, most, min(limit, most), 6 - now.cards)

    def bet_totals(self, now: Moment) -> tuple[list[float], list[str]]:
        """The totals of the bets or raises, ascending, and why others do not exist."""
        place = self.place(now)
        if place.most <= place.level:
            return [], []
        if isinstance(self.betting, Variant):
            return self._limit_totals(self.betting, now, place), []
        is_donk = not now.bets and not now.player and now.leader == 1 and self.donks is not None
        menu = self.raises if now.bets else self.donks if is_donk else self.bets
        assert menu is not None
        return self.thresholds.totals(menu[now.player, now.cards], place)

    def _limit_totals(self, game: Variant, now: Moment, place: BetPlace) -> list[float]:
        street = now.cards - 2
        most = game.max_raises[street]
        if most is not None and now.bets >= most:
            return []
        return [min(place.level + game.raise_sizes[street], place.most)]

    def bet(self, now: Moment, total: float) -> Step:
        """The bet or raise to a total."""
        name = "raise" if now.bets else "bet"
        return Step("all-in" if total >= self.place(now).most else name, total)

    def steps(self, now: Moment) -> tuple[list[Step], list[str]]:
        """The steps of the player to act, folds first, bets ascending; and why others do not exist."""
        totals, left_out = self.bet_totals(now)
        calls = [Step("fold"), Step("call")] if now.owed > 0 else [Step("check")]
        return [*calls, *(self.bet(now, total) for total in totals)], left_out

    def after(self, now: Moment, step: Step) -> tuple[Kind, Moment]:
        """The node that a step leads to."""
        match step.name:
            case "fold":
                return Kind.FOLD, now
            case "check" if not now.player:
                return Kind.DECISION, now._replace(player=1, checked=True)
            case "check" | "call":
                return self._closed(now)
        added = step.total - now.street[now.player]
        totals, street = list(now.totals), list(now.street)
        totals[now.player] += added
        street[now.player] = step.total
        later = now._replace(
            player=1 - now.player,
            totals=(totals[0], totals[1]),
            street=(street[0], street[1]),
            rise=max(now.rise, step.total - max(now.street)),
            bets=now.bets + 1,
        )
        return Kind.DECISION, later

    def _closed(self, now: Moment) -> tuple[Kind, Moment]:
        """After the last step of a street: the showdown, or the next street's first decision."""
        level = max(now.totals)
        later = Moment(now.cards, totals=(level, level), leader=1 - now.player if now.bets else -1)
        if now.cards == 5 or level >= self.stack:
            return Kind.SHOWDOWN, later
        return Kind.DEAL, later._replace(cards=now.cards + 1)

    def payoff(self, kind: Kind, now: Moment, paid: tuple[float, float]) -> list[list[float]]:
        """What each player has at a leaf when it wins, ties or loses, in chips since the root of the tree.

        Parameters
        ----------
        kind
            ``FOLD`` or ``SHOWDOWN``.
        now
            The betting there; of a fold, that of the player that folds.
        paid
            What both players had put in at the root.
        """
        pot = self.pot + 2 * now.matched
        left = pot - min(self.rake * pot, self.cap)
        if kind is Kind.FOLD:
            won = (left - now.matched if player != now.player else -now.matched for player in (0, 1))
            return [[each + own] * 3 for each, own in zip(won, paid, strict=True)]
        shares = (left - now.matched, left / 2 - now.matched, -now.matched)
        return [[share + own for share in shares] for own in paid]

    def verified_step(self, now: Moment, total: float) -> Step:
        """A bet or raise that was asked for by hand.

        Raises
        ------
        ArgumentError
            It is not legal there.
        """
        place = self.place(now)
        if isinstance(self.betting, Variant) and total not in self.bet_totals(now)[0]:
            raise ArgumentError(f"bet to {total:g}: expected a bet of {self.betting.name}")
        if place.most <= place.level:
            raise ArgumentError(f"bet to {total:g}: the opponent is all-in")
        if not place.level < total <= place.limit or total < min(place.least, place.most):
            least = min(place.least, place.most) or "above 0"
            raise ArgumentError(f"bet to {total:g}: expected {least} to {place.limit:g}")
        return self.bet(now, total)

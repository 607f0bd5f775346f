"""What the lines of a hand do to a stated: the events that the rules of every room name."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms import amounts
from baycarp.game.notation.rooms.grammar import Event
from baycarp.game.notation.rooms.statement import Statement

__all__ = ["Events", "Match"]

Match: TypeAlias = re.Match[str]

_SUMMARY_CARDS = re.compile(r"\b(?:showed|mucked|shows|mucks) \[(?P<cards>[^\[\]]*)\]")
_SUMMARY_WON = re.compile(
    r"\((?P<amount>[^()\d]{0,4}[0-9][0-9.,]*)\)|\bwon (?P<bare>[^()\d\s]{0,4}[0-9][0-9.,]*)"
)
_RAKES = re.compile(r"\b(?:Rake|Jackpot|Bingo|Fortune|Tax|Fee)\b\D{0,5}([0-9][0-9.,]*)")


@dataclass(frozen=True)
class Events:
    """The events of a room, by its way to print amounts."""

    amount: Callable[[str], int] = amounts.plain_amount
    """The text of an amount in whole parts: ``amounts.amount`` or ``amounts.plain_amount``."""

    def seat(self, stated: Statement, player: int, found: Match) -> None:
        """A player at the table, with a stack."""
        stated.seat(found["name"].strip(), int(found["seat"]), self.amount(found["stack"]))

    def hero_seat(self, stated: Statement, player: int, found: Match) -> None:
        """The seat of the player that the text was written for."""
        self.seat(stated, player, found)
        stated.hero = found["name"].strip()

    def absent_seat(self, stated: Statement, player: int, found: Match) -> None:
        """The seat of a player that is out of the hand."""
        self.seat(stated, player, found)
        stated.absent.add(stated.names[found["name"].strip()])

    def button(self, stated: Statement, player: int, found: Match) -> None:
        """The seat that has the button."""
        stated.button = int(found["seat"])

    def table(self, stated: Statement, player: int, found: Match) -> None:
        """The table's name, with the button where the line has it."""
        stated.table = found["text"]
        if found.groupdict().get("seat"):
            stated.button = int(found["seat"])

    def post(self, kind: str) -> Event:
        """Chips before the cards."""

        def event(stated: Statement, player: int, found: Match) -> None:
            stated.posts.append((player, kind, self.amount(found["amount"])))

        return event

    def post_two(self, stated: Statement, player: int, found: Match) -> None:
        """A small blind, which is dead, and a big one, each with its amount."""
        stated.posts.append((player, "dead", self.amount(found["amount"])))
        stated.posts.append((player, "live", self.amount(found["to"])))

    def post_both(self, stated: Statement, player: int, found: Match) -> None:
        """A small and a big blind in one amount; the small one is dead."""
        stated.posts.append((player, "both", self.amount(found["amount"])))

    def act(self, verb: str) -> Event:
        """An action with an amount."""

        def event(stated: Statement, player: int, found: Match) -> None:
            stated.acts.append((player, verb, self.amount(found["amount"]), len(stated.board)))

        return event

    def raise_to(self, stated: Statement, player: int, found: Match) -> None:
        """A raise whose total the line has after its size."""
        stated.acts.append((player, "to", self.amount(found["to"]), len(stated.board)))

    def street(self, count: int) -> Event:
        """Cards of the board; the line repeats earlier ones in other brackets, or does not."""

        def event(stated: Statement, player: int, found: Match) -> None:
            new = found["cards"].replace(",", " ").split()
            if len(new) != (3 if count == 3 else 1) or len(stated.board) + len(new) != count:
                raise Refused("board of another street", f"{found[0][:60]!r} after {len(stated.board)} cards")
            stated.board += tuple(new)

        return event

    def returned(self, stated: Statement, player: int, found: Match) -> None:
        """An uncalled bet goes back."""
        stated.returned.append((_name(stated, player, found), self.amount(found["amount"])))

    def collected(self, stated: Statement, player: int, found: Match) -> None:
        """A pot, or a part of one, is paid out."""
        stated.collected.append((_name(stated, player, found), self.amount(found["amount"])))

    def nameless(self, stated: Statement, player: int, found: Match) -> None:
        """A pot is paid out to a name that no player at the table has."""
        stated.collected.append(("", self.amount(found["amount"])))

    def pot(self, stated: Statement, player: int, found: Match) -> None:
        """The total of the pot, and all that the house takes: rake, and the fees of jackpots."""
        if found["amount"][-1] not in "kKMB":  # a rounded one is of no use
            stated.pot = self.amount(found["amount"])
        rest = found.groupdict().get("text") or ""
        rakes = _RAKES.findall(rest)
        if rakes or "No rake" in rest:
            stated.rake = sum(map(self.amount, rakes))

    def seat_won(self, stated: Statement, player: int, found: Match) -> None:
        """The summary has a seat win: ``Seat 3: Ann (button) collected ($2)``."""
        number = int(found["seat"])
        if number not in stated.numbers:
            return
        index = stated.numbers.index(number)
        rest = found["text"].removeprefix(stated.name_of(index))
        if " folded" in rest:
            return
        if cards := _SUMMARY_CARDS.search(rest):
            self.seat_shown(stated, index, cards)
        if won := _SUMMARY_WON.search(rest):
            stated.seat_won[index] = stated.seat_won.get(index, 0) + self.amount(won["amount"] or won["bare"])

    def added(self, stated: Statement, player: int, found: Match) -> None:
        """The house adds to the pot."""
        stated.added += self.amount(found["amount"])

    @staticmethod
    def fold(stated: Statement, player: int, found: Match) -> None:
        """A fold."""
        stated.acts.append((player, "fold", 0, len(stated.board)))

    @staticmethod
    def check(stated: Statement, player: int, found: Match) -> None:
        """A check."""
        stated.acts.append((player, "check", 0, len(stated.board)))

    @staticmethod
    def dealt(stated: Statement, player: int, found: Match) -> None:
        """The cards of the player that the text was written for."""
        index = stated.names.get(found["name"].strip())
        if index is not None and len(found["cards"].replace(",", " ").split()) == 2:
            stated.holes.setdefault(index, found["cards"])
            if stated.hero is None:
                stated.hero = found["name"].strip()

    @staticmethod
    def shown(stated: Statement, player: int, found: Match) -> None:
        """Two cards are shown."""
        if len(found["cards"].replace(",", " ").split()) == 2:
            stated.holes[player] = found["cards"]

    @staticmethod
    def mucked(stated: Statement, player: int, found: Match) -> None:
        """A hand is given up, unseen."""
        stated.mucked.add(player)

    @staticmethod
    def seat_shown(stated: Statement, player: int, found: Match) -> None:
        """The summary shows cards of a player."""
        if len(found["cards"].replace(",", " ").split()) == 2:
            stated.holes.setdefault(player, found["cards"])

    @staticmethod
    def board(stated: Statement, player: int, found: Match) -> None:
        """The summary prints the board."""
        stated.final_board = tuple(found["cards"].replace(",", " ").split())

    @staticmethod
    def closing(stated: Statement, player: int, found: Match) -> None:
        """The summary begins."""
        stated.closing = True

    @staticmethod
    def absent(stated: Statement, player: int, found: Match) -> None:
        """A player is not in the hand."""
        stated.absent.add(player)

    @staticmethod
    def refuse(reason: str) -> Event:
        """What makes a hand unreadable here."""

        def event(stated: Statement, player: int, found: Match) -> None:
            raise Refused(reason, found[0][:80])

        return event

    @staticmethod
    def passed(stated: Statement, player: int, found: Match) -> None:
        """A line that says nothing about the hand."""


def _name(stated: Statement, player: int, found: Match) -> str:
    if player >= 0:
        return stated.name_of(player)
    return found["name"].strip() if found.groupdict().get("name") else ""

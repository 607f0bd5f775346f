"""What the lines of a hand do to a deal: the events that the rules of every room name."""

import re
from collections.abc import Callable
from typing import TypeAlias

from baycarp.game.notation.hand import Refused
from baycarp.game.notation.rooms import amounts
from baycarp.game.notation.rooms.deal import Deal
from baycarp.game.notation.rooms.grammar import Event

__all__ = [
    "Events",
    "Match",
    "absent",
    "board",
    "check",
    "closing",
    "dealt",
    "fold",
    "mucked",
    "passed",
    "refuse",
    "seat_shown",
    "shown",
]

Match: TypeAlias = re.Match[str]

_SUMMARY_CARDS = re.compile(r"\b(?:showed|mucked|shows|mucks) \[(?P<cards>[^\]]*)\]")
_SUMMARY_WON = re.compile(r"\((?P<amount>[^()\d]{0,4}\d[\d.,]*)\)|\bwon (?P<bare>[^()\d\s]{0,4}\d[\d.,]*)")
_RAKES = re.compile(r"\b(?:Rake|Jackpot|Bingo|Fortune|Tax|Fee)\b\D{0,5}(\d[\d.,]*)")


class Events:
    """The events of a room, by its way to print amounts.

    Parameters
    ----------
    amount
        The text of an amount in whole parts: ``amounts.amount`` or ``amounts.plain_amount``.
    """

    def __init__(self, amount: Callable[[str], int] = amounts.plain_amount) -> None:
        self.amount = amount

    def seat(self, deal: Deal, player: int, found: Match) -> None:
        """A player at the table, with a stack."""
        deal.seat(found["name"].strip(), int(found["seat"]), self.amount(found["stack"]))

    def hero_seat(self, deal: Deal, player: int, found: Match) -> None:
        """The seat of the player that the text was written for."""
        self.seat(deal, player, found)
        deal.hero = found["name"].strip()

    def absent_seat(self, deal: Deal, player: int, found: Match) -> None:
        """The seat of a player that is out of the hand."""
        self.seat(deal, player, found)
        deal.absent.add(deal.names[found["name"].strip()])

    def button(self, deal: Deal, player: int, found: Match) -> None:
        """The seat that has the button."""
        deal.button = int(found["seat"])

    def table(self, deal: Deal, player: int, found: Match) -> None:
        """The table's name, with the button where the line has it."""
        deal.table = found["text"]
        if found.groupdict().get("seat"):
            deal.button = int(found["seat"])

    def post(self, kind: str) -> Event:
        """Chips before the cards."""

        def event(deal: Deal, player: int, found: Match) -> None:
            deal.posts.append((player, kind, self.amount(found["amount"])))

        return event

    def post_two(self, deal: Deal, player: int, found: Match) -> None:
        """A small blind, which is dead, and a big one, each with its amount."""
        deal.posts.append((player, "dead", self.amount(found["amount"])))
        deal.posts.append((player, "live", self.amount(found["to"])))

    def post_both(self, deal: Deal, player: int, found: Match) -> None:
        """A small and a big blind in one amount; the small one is dead."""
        deal.posts.append((player, "both", self.amount(found["amount"])))

    def act(self, verb: str) -> Event:
        """An action with an amount."""

        def event(deal: Deal, player: int, found: Match) -> None:
            deal.acts.append((player, verb, self.amount(found["amount"]), len(deal.board)))

        return event

    def raise_to(self, deal: Deal, player: int, found: Match) -> None:
        """A raise whose total the line has after its size."""
        deal.acts.append((player, "to", self.amount(found["to"]), len(deal.board)))

    def street(self, count: int) -> Event:
        """Cards of the board; the line repeats earlier ones in other brackets, or does not."""

        def event(deal: Deal, player: int, found: Match) -> None:
            new = found["cards"].replace(",", " ").split()
            if len(new) != (3 if count == 3 else 1) or len(deal.board) + len(new) != count:
                raise Refused("board of another street", f"{found[0][:60]!r} after {len(deal.board)} cards")
            deal.board += tuple(new)

        return event

    def returned(self, deal: Deal, player: int, found: Match) -> None:
        """An uncalled bet goes back."""
        deal.returned.append((_name(deal, player, found), self.amount(found["amount"])))

    def collected(self, deal: Deal, player: int, found: Match) -> None:
        """A pot, or a part of one, is paid out."""
        deal.collected.append((_name(deal, player, found), self.amount(found["amount"])))

    def nameless(self, deal: Deal, player: int, found: Match) -> None:
        """A pot is paid out to a name that no player at the table has."""
        deal.collected.append(("", self.amount(found["amount"])))

    def pot(self, deal: Deal, player: int, found: Match) -> None:
        """The total of the pot, and all that the house takes: rake, and the fees of jackpots."""
        if found["amount"][-1] not in "kKMB":  # a rounded one is of no use
            deal.pot = self.amount(found["amount"])
        rest = found.groupdict().get("text") or ""
        rakes = _RAKES.findall(rest)
        if rakes or "No rake" in rest:
            deal.rake = sum(map(self.amount, rakes))

    def seat_won(self, deal: Deal, player: int, found: Match) -> None:
        """The summary has a seat win: ``Seat 3: Ann (button) collected ($2)``."""
        number = int(found["seat"])
        if number not in deal.numbers:
            return
        index = deal.numbers.index(number)
        rest = found["text"].removeprefix(deal.name_of(index))
        if " folded" in rest:
            return
        if cards := _SUMMARY_CARDS.search(rest):
            seat_shown(deal, index, cards)
        if won := _SUMMARY_WON.search(rest):
            deal.seat_won[index] = deal.seat_won.get(index, 0) + self.amount(won["amount"] or won["bare"])

    def added(self, deal: Deal, player: int, found: Match) -> None:
        """The house adds to the pot."""
        deal.added += self.amount(found["amount"])


def _name(deal: Deal, player: int, found: Match) -> str:
    if player >= 0:
        return deal.name_of(player)
    return found["name"].strip() if found.groupdict().get("name") else ""


def fold(deal: Deal, player: int, found: Match) -> None:
    """A fold."""
    deal.acts.append((player, "fold", 0, len(deal.board)))


def check(deal: Deal, player: int, found: Match) -> None:
    """A check."""
    deal.acts.append((player, "check", 0, len(deal.board)))


def dealt(deal: Deal, player: int, found: Match) -> None:
    """The cards of the player that the text was written for."""
    index = deal.names.get(found["name"].strip())
    if index is not None and len(found["cards"].replace(",", " ").split()) == 2:
        deal.holes.setdefault(index, found["cards"])
        if deal.hero is None:
            deal.hero = found["name"].strip()


def shown(deal: Deal, player: int, found: Match) -> None:
    """Two cards are shown."""
    if len(found["cards"].replace(",", " ").split()) == 2:
        deal.holes[player] = found["cards"]


def mucked(deal: Deal, player: int, found: Match) -> None:
    """A hand is given up, unseen."""
    deal.mucked.add(player)


def seat_shown(deal: Deal, player: int, found: Match) -> None:
    """The summary shows cards of a player."""
    if len(found["cards"].replace(",", " ").split()) == 2:
        deal.holes.setdefault(player, found["cards"])


def board(deal: Deal, player: int, found: Match) -> None:
    """The summary prints the board."""
    deal.final_board = tuple(found["cards"].replace(",", " ").split())


def closing(deal: Deal, player: int, found: Match) -> None:
    """The summary begins."""
    deal.closing = True


def absent(deal: Deal, player: int, found: Match) -> None:
    """A player is not in the hand."""
    deal.absent.add(player)


def refuse(reason: str) -> Event:
    """What makes a hand unreadable here."""

    def event(deal: Deal, player: int, found: Match) -> None:
        raise Refused(reason, found[0][:80])

    return event


def passed(deal: Deal, player: int, found: Match) -> None:
    """A line that says nothing about the hand."""

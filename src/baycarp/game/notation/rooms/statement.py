"""One hand as a room's text states it: seats, posts, actions, cards, results; not yet under the rules."""

from copy import copy
from datetime import datetime
from typing import Literal

__all__ = ["Statement"]


class Statement:
    """What the lines of a hand have stated so far. Amounts are whole ten-thousandths of the room's money."""

    def __init__(self) -> None:
        self.id: int | str = 0
        """The room's number of the hand."""
        self.room = ""
        """The room, where the text names another one than its grammar does."""
        self.table = ""
        self.time: datetime | None = None
        self.currency = ""
        self.tournament = ""
        self.betting = "no-limit"
        self.big_blind = 0
        """By the header; 0 where it has none."""
        self.button: int | None = None
        """The number of the button's seat."""
        self.hero: str | None = None
        self.names: dict[str, int] = {}
        """The index of each player, in the order of the text."""
        self.numbers: list[int] = []
        """The seats' numbers, clockwise."""
        self.stacks: list[int | None] = []
        """None = not stated."""
        self.long_names: list[str] = []
        """Names that hold what parts a name from its verb, the longest first."""
        self.absent: set[int] = set()
        """Players that the text calls out of the hand."""
        self.dealer = ""
        """The name of the player with the button, where the text names it before the seats."""
        self.own_cards = ""
        """Cards that the text shows without a player."""
        self.posts: list[tuple[int, str, int]] = []
        """Player, kind, amount; the kind is one of ``small, big, both, ante, dead, live,
        straddle, bomb``."""
        self.acts: list[tuple[int, str, int, int]] = []
        """Player, verb, amount, cards on the board; verbs are ``fold, check, call, call-to, bet, to, by,
        all-in``; amounts of ``to`` and ``call-to`` are totals of the street, the others are added."""
        self.board: tuple[str, ...] = ()
        """The cards dealt, as they are printed."""
        self.final_board: tuple[str, ...] = ()
        """The board that the summary prints."""
        self.holes: dict[int, str] = {}
        self.mucked: set[int] = set()
        self.collected: list[tuple[str, int]] = []
        """Name and amount, as the room pays pots out."""
        self.returned: list[tuple[str, int]] = []
        """Name and amount of uncalled bets."""
        self.seat_won: dict[int, int] = {}
        """What the summary has players win."""
        self.within: Literal["", "showdown", "always"] = ""
        """When what nobody matched is part of what its owner collects, where the text does not show it."""
        self.pot: int | None = None
        self.rake: int | None = None
        self.added = 0
        """Chips that the house put into the pot."""
        self.levels: tuple[int, int, int] | None = None
        """Small blind, big blind and ante, where the text prints them instead of posts."""
        self.places = 0
        """Seats of the table; 0 = not stated."""
        self.ranks: dict[int, int] = {}
        """The order of the players, where it is not that of the seats' numbers."""
        self.are_dealt = False
        """Whether the hole cards have been dealt, where the text says so."""
        self.closing = False
        """Whether the summary has begun."""

    def name_of(self, player: int) -> str:
        """The name of a player."""
        return list(self.names)[player]

    @property
    def is_closed(self) -> bool:
        """Whether the text has come to the end of the hand."""
        return bool(self.closing or self.collected or self.seat_won or self.pot is not None)

    def with_posts(self, posts: list[tuple[int, str, int]]) -> "Statement":
        """The same stated with other posts."""
        other = copy(self)
        other.posts = posts
        return other

    def seat(self, name: str, number: int, stack: int | None) -> None:
        """A player with a stack sits down at the start."""
        if name not in self.names:
            self.names[name] = len(self.numbers)
            self.numbers.append(number)
            self.stacks.append(stack)
            if " " in name:
                self.long_names.append(name)
                self.long_names.sort(key=len, reverse=True)

    def split(self, line: str) -> tuple[int, str] | None:
        """The player that a line begins with, and the rest of the line after it; None = of no player."""
        for name in self.long_names:
            if line.startswith(name) and line[len(name) : len(name) + 1] in (" ", ":"):
                return self.names[name], line[len(name) :]
        word = line.partition(" ")[0]
        player = self.names.get(word)
        if player is not None:
            return player, line[len(word) :]
        if word.endswith(":") and (player := self.names.get(word[:-1])) is not None:
            return player, line[len(word) - 1 :]
        return None

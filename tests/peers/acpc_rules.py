"""The rules of the game, as the ACPC protocol's text states them: game files, betting, hands, pots.

Written in the plainest way at hand; slow, and meant to be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NO_STACK = 2**31 - 1  # a game file without a stack line: more chips than any hand can take


@dataclass(frozen=True)
class Game:
    """What a game file says."""

    limit: bool
    players: int
    rounds: int
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    raise_sizes: tuple[int, ...]  # limit only, per round
    first: tuple[int, ...]  # who is first to act, per round, counted from 0
    max_raises: tuple[int, ...]
    suits: int
    ranks: int
    hole_cards: int
    board_cards: tuple[int, ...]

    def deck(self) -> list[str]:
        """All cards of the game; a smaller deck keeps the highest ranks and the last suits."""
        return [rank + suit for rank in RANKS[-self.ranks :] for suit in SUITS[-self.suits :]]


def parse_game(text: str) -> Game:
    """Read a game file."""
    limit = True
    found: dict[str, tuple[int, ...]] = {}
    inside = False
    for raw in text.splitlines():
        words = raw.split("#")[0].replace("=", " ").lower().split()
        if words[:1] == ["gamedef"]:
            inside = True
        elif words[:2] == ["end", "gamedef"]:
            break
        elif words and inside:
            if words[0] in ("limit", "nolimit"):
                limit = words[0] == "limit"
            else:
                found[words[0]] = tuple(int(word) for word in words[1:])

    def one(keyword: str) -> int:
        if len(found.get(keyword, ())) != 1:
            raise ValueError(f"game file: one number expected for {keyword}")
        return found[keyword][0]

    def row(keyword: str, length: int, default: int | None = None) -> tuple[int, ...]:
        values = found.get(keyword, () if default is None else (default,) * length)
        if len(values) < length:
            raise ValueError(f"game file: {length} numbers expected for {keyword}")
        return values[:length]

    players, rounds = one("numplayers"), one("numrounds")
    game = Game(
        limit=limit,
        players=players,
        rounds=rounds,
        stacks=row("stack", players, NO_STACK),
        blinds=row("blind", players),
        raise_sizes=row("raisesize", rounds) if limit else (),
        first=tuple(seat - 1 for seat in row("firstplayer", rounds, 1)),
        max_raises=row("maxraises", rounds, 255),
        suits=one("numsuits"),
        ranks=one("numranks"),
        hole_cards=one("numholecards"),
        board_cards=row("numboardcards", rounds),
    )
    if not 2 <= players <= 10 or not all(0 <= seat < players for seat in game.first):
        raise ValueError("game file: players or firstPlayer out of range")
    if game.board_cards[0]:
        raise ValueError("game file: board cards in the first round have no place in the protocol")
    if players * game.hole_cards + sum(game.board_cards) > game.suits * game.ranks:
        raise ValueError("game file: more cards than the deck has")
    return game


class Betting:
    """The betting of one hand, from the blinds to its end."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.spent = list(game.blinds)
        self.folded = [False] * game.players
        self.texts = [""]  # the actions of each round so far, as written in a state
        self.finished = False
        self.raises = 0
        self.min_raise_to = 2 * max(game.blinds) or 1  # the least total of a raise, as the dealer asks it
        self.largest_raise = max(*game.blinds, 1)
        self.waiting = self.active()  # those who have yet to act in this round
        self.actor = self._next(game.first[0])
        if not self.waiting:
            self._show_down()

    @property
    def round(self) -> int:
        return len(self.texts) - 1

    @property
    def text(self) -> str:
        return "/".join(self.texts)

    @property
    def price(self) -> int:
        """The total every player must have put in to stay in the hand."""
        return max(self.spent)

    def active(self) -> set[int]:
        """Players who neither folded nor are all-in."""
        return {
            player
            for player in range(self.game.players)
            if not self.folded[player] and self.spent[player] < self.game.stacks[player]
        }

    def unfolded(self) -> list[int]:
        return [player for player in range(self.game.players) if not self.folded[player]]

    def _next(self, start: int) -> int:
        """The first player from start on who has yet to act; -1 if there is none."""
        circle = [(start + step) % self.game.players for step in range(self.game.players)]
        return next((player for player in circle if player in self.waiting), -1)

    def may_fold(self) -> bool:
        return self.spent[self.actor] < self.price

    def raise_range(self) -> tuple[int, int] | None:
        """The least and the greatest total the actor may raise to; None where no raise is legal."""
        if self.raises >= self.game.max_raises[self.round] or len(self.active()) < 2:
            return None
        stack = self.game.stacks[self.actor]
        if stack <= self.price:
            return None
        if self.game.limit:
            total = min(self.price + self.game.raise_sizes[self.round], stack)
            return total, total
        return min(self.min_raise_to, stack), stack

    def careful_minimum(self) -> int:
        """The least no-limit raise that any reading of the rule allows.

        After an all-in for less than a full raise the text asks for the largest raise on top of the new
        price, the original dealer only for the total that was asked before: this is the greater of the two.
        """
        span = self.raise_range()
        assert span is not None
        return min(max(span[0], self.price + self.largest_raise), span[1])

    def legal(self, letter: str, size: int = 0) -> bool:
        if self.finished:
            return False
        if letter == "f":
            return self.may_fold()
        if letter == "r":
            span = self.raise_range()
            return span is not None and (self.game.limit or span[0] <= size <= span[1])
        return letter == "c"

    def play(self, letter: str, size: int = 0) -> None:
        """Carry out the actor's action, legal or not (whoever asks looks that up before)."""
        actor, price, stack = self.actor, self.price, self.game.stacks[self.actor]
        self.texts[-1] += letter
        self.waiting.discard(actor)
        if letter == "f":
            self.folded[actor] = True
        elif letter == "c":
            self.spent[actor] = min(price, stack)
        else:
            if self.game.limit:
                size = price + self.game.raise_sizes[self.round]
            else:
                self.texts[-1] += str(size)
                self.min_raise_to = max(self.min_raise_to, 2 * size - price)
                self.largest_raise = max(self.largest_raise, size - price)
            self.spent[actor] = min(size, stack)
            self.raises += 1
            self.waiting = self.active() - {actor}
        if len(self.unfolded()) == 1:
            self.finished = True
        elif not self.waiting:
            self._next_round()
        self.actor = -1 if self.finished else self._next(actor + 1 if self.texts[-1] else self._opener())

    def _opener(self) -> int:
        return self.game.first[self.round]

    def _next_round(self) -> None:
        if len(self.active()) < 2 or self.round + 1 == self.game.rounds:
            self._show_down()
            return
        self.texts.append("")
        self.raises = 0
        self.largest_raise = max(*self.game.blinds, 1)
        self.min_raise_to = self.price + self.largest_raise
        self.waiting = self.active()

    def _show_down(self) -> None:
        """No more betting: the rounds left over are written with no action in them."""
        self.texts += [""] * (self.game.rounds - len(self.texts))
        self.finished = True
        self.waiting = set()


def replay(game: Game, text: str) -> tuple[Betting, list[str]]:
    """Play a state's betting field through; second, what is wrong with it."""
    betting = Betting(game)
    wrong = []
    action = r"[fcr]" if game.limit else r"[fc]|r\d+"
    if not re.fullmatch(rf"(?:{action}|/)*", text):
        raise ValueError(f"unreadable betting {text!r}")
    for word in re.findall(action, text):
        if betting.finished:
            raise ValueError(f"betting goes on after the end of the hand: {text!r}")
        size = int(word[1:] or 0)
        if not betting.legal(word[0], size):
            wrong.append(f"illegal {word} after {betting.text!r}")
        betting.play(word[0], size)
    if betting.text != text:
        wrong.append(f"betting {text!r} should be written {betting.text!r}")
    return betting, wrong


def five_card_value(cards: tuple[str, ...]) -> tuple[int, ...]:
    """The worth of at most five cards: the class first, then the ranks that break ties."""
    ranks = [RANKS.index(card[0]) for card in cards]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    order = tuple(rank for _, rank in groups)
    counts = [count for count, _ in groups]
    whole = len(cards) == 5
    flush = whole and len({card[1] for card in cards}) == 1
    straight = whole and len(order) == 5 and order[0] - order[4] == 4
    if whole and order == (12, 3, 2, 1, 0):  # ace, five, four, three, deuce: the ace counts low
        straight, order = True, (3, 2, 1, 0, -1)
    if straight and flush:
        return (8, *order)
    if counts[0] == 4:
        return (7, *order)
    if counts[:2] == [3, 2]:
        return (6, *order)
    if flush:
        return (5, *order)
    if straight:
        return (4, *order)
    if counts[0] == 3:
        return (3, *order)
    if counts[:2] == [2, 2]:
        return (2, *order)
    return (1 if counts[0] == 2 else 0, *order)


def best_value(cards: list[str]) -> tuple[int, ...]:
    """The worth of the best five of all cards a player can use."""
    return max(five_card_value(five) for five in combinations(cards, min(5, len(cards))))


def payoffs(betting: Betting, holes: list[list[str]], board: list[str], odd: str) -> list[Fraction]:
    """What each position wins (or, negative, loses) in a finished hand.

    odd: "exact" divides a pot into fractions of a chip as the original dealer does; "first" gives the chips
    that cannot be divided to the winner nearest to the left of the button.
    """
    spent = betting.spent
    won = [Fraction(-chips) for chips in spent]
    unfolded = betting.unfolded()
    if len(unfolded) == 1:
        won[unfolded[0]] += sum(spent)
        return won
    value = {player: best_value(holes[player] + board) for player in unfolded}
    pots: list[tuple[int, list[int]]] = []
    below = 0
    for level in sorted(set(spent) - {0}):
        size = sum(min(chips, level) - min(chips, below) for chips in spent)
        rivals = [player for player in unfolded if spent[player] >= level]
        if pots and (not rivals or rivals == pots[-1][1]):
            pots[-1] = (pots[-1][0] + size, pots[-1][1])
        else:
            pots.append((size, rivals))
        below = level
    for size, rivals in pots:
        best = max(value[player] for player in rivals)
        winners = [player for player in rivals if value[player] == best]
        for place, player in enumerate(winners):
            if odd == "exact":
                won[player] += Fraction(size, len(winners))
            else:
                won[player] += size // len(winners) + (size % len(winners) if place == 0 else 0)
    return won


def plain(value: Fraction) -> int | float:
    """A number for JSON: whole where it is whole."""
    return int(value) if value.denominator == 1 else float(value)


def decimal(value: Fraction) -> str:
    """A number for a log line: at most six decimals, none that say nothing."""
    return str(int(value)) if value.denominator == 1 else f"{float(value):.6f}".rstrip("0")

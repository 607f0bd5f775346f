"""A client that plays a fixed rule and keeps its own account of every hand."""

from __future__ import annotations

import random
import re
import socket
from fractions import Fraction

from acpc_rules import Betting, Game, payoffs, plain, replay


def choose(betting: Betting, rule: str, rng: random.Random) -> str:
    """The rule's action, as it is written in an answer."""
    span = betting.raise_range()
    if rule == "call" or (rule == "raise" and span is None):
        return "c"
    if rule == "raise":
        letter = "r"
    else:
        letters = "ccc" + "f" * betting.may_fold() + "rr" * (span is not None)
        letter = rng.choice(letters)
    if letter != "r" or betting.game.limit or span is None:
        return letter
    low, high = betting.careful_minimum(), span[1]
    if rule == "raise":
        return f"r{low}"
    near = rng.randint(low, min(high, 3 * low))
    return f"r{rng.choice([low, near, near, near, rng.randint(low, high), high])}"


class Client:
    """One seat of a match: reads the dealer's lines, answers, remembers what was wrong."""

    def __init__(self, game: Game, rule: str, seed: int, odd: str) -> None:
        self.game, self.rule, self.odd = game, rule, odd
        self.rng = random.Random(seed)
        self.won: list[Fraction] = []
        self.faults: list[str] = []
        self.line = ""  # the last state
        self.hand = -1  # its hand
        self.position = -1
        self.text = ""  # its betting
        self.cards: list[str] = []  # our own hole cards
        self.board: list[str] = []
        self.over = True  # the last hand is finished
        self.answer = ""  # our last action if the next state should show it

    def fault(self, what: str) -> None:
        if len(self.faults) < 20:
            self.faults.append(f"{what} in {self.line}")

    def read(self, line: str) -> str | None:
        """Take one line of the dealer's; return the answer to send, if the line asks for one."""
        if not line or line[0] in "#;" or line == self.line:
            return None
        self.line = line
        parts = line.split(":")
        if len(parts) != 5 or parts[0] != "MATCHSTATE" or not (parts[1] + parts[2]).isdigit():
            self.fault("unreadable line")
            return None
        position, hand, text = int(parts[1]), int(parts[2]), parts[3]
        betting, wrong = replay(self.game, text)
        for what in wrong:
            self.fault(what)
        holes, board = self.read_cards(parts[4])
        self.check_order(position, hand, text)
        self.check_cards(betting, holes, board, hand != self.hand)
        self.hand, self.position, self.text = hand, position, text
        self.cards, self.board = holes[position], board
        self.over = betting.finished
        self.answer = ""
        if betting.finished:
            self.won.append(payoffs(betting, holes, board, self.odd)[position])
        elif betting.actor == position:
            self.answer = choose(betting, self.rule, self.rng)
            return f"{line}:{self.answer}"
        return None

    def read_cards(self, field: str) -> tuple[list[list[str]], list[str]]:
        """Split the card field into the hole cards by position and the board."""
        first, *rounds = field.split("/")
        seats = first.split("|")
        for text in seats + rounds:
            if not re.fullmatch(r"(?:[2-9TJQKA][cdhs])*", text):
                raise ValueError(f"unreadable cards {field!r}")
        if len(seats) != self.game.players:
            raise ValueError(f"cards of {len(seats)} players in {field!r}")
        dealt = [len(text) // 2 for text in rounds]
        if dealt != list(self.game.board_cards[1 : len(rounds) + 1]):
            self.fault("wrong number of board cards")
        cut = [[text[i : i + 2] for i in range(0, len(text), 2)] for text in [*seats, "".join(rounds)]]
        return cut[:-1], cut[-1]

    def check_order(self, position: int, hand: int, text: str) -> None:
        """Hands follow each other, positions rotate, betting grows by one action at a time."""
        if not 0 <= position < self.game.players:
            raise ValueError(f"position {position} out of range")
        if hand == self.hand:
            old, new = self.text.replace("/", ""), text.replace("/", "")
            grown = new[len(old) :] if new.startswith(old) else ""
            if self.over or position != self.position or not re.fullmatch(r"[fcr]\d*", grown):
                self.fault("does not follow from the state before")
            elif self.answer and grown != self.answer:
                self.fault(f"our {self.answer} became {grown}")
            return
        if hand <= self.hand or not self.over or text.strip("/"):
            self.fault("a hand begins out of order")
        if self.hand >= 0 and position != (self.position - 1) % self.game.players:
            self.fault("positions do not rotate")

    def check_cards(self, betting: Betting, holes: list[list[str]], board: list[str], new_hand: bool) -> None:
        """The right cards are shown, none twice, and none changes within a hand."""
        game, me = self.game, int(self.line.split(":")[1])
        shown = {me}
        if betting.finished and len(betting.unfolded()) > 1:
            shown.update(betting.unfolded())
        expected = [game.hole_cards * (player in shown) for player in range(game.players)]
        if [len(cards) for cards in holes] != expected:
            self.fault("wrong hole cards shown")
        if len(board) != sum(game.board_cards[: betting.round + 1]):
            self.fault("board does not fit the round")
        cards = sum(holes, board)
        if len(set(cards)) != len(cards) or not set(cards) <= set(game.deck()):
            self.fault("a card twice, or not of this deck")
        if not new_hand and (holes[me] != self.cards or board[: len(self.board)] != self.board):
            self.fault("cards changed")

    def report(self, error: str = "") -> dict[str, object]:
        result: dict[str, object] = {
            "hands": len(self.won),
            "total": plain(sum(self.won, Fraction(0))),
            "per_hand": [plain(value) for value in self.won],
            "faults": self.faults,
        }
        if error:
            result["error"] = error
        return result


def run_client(
    host: str, port: int, game: Game, rule: str, seed: int, odd: str, timeout: float
) -> dict[str, object]:
    """Play a match to its end; the report has an "error" if it broke off."""
    client = Client(game, rule, seed, odd)
    try:
        with socket.create_connection((host, port), timeout=timeout) as sock, sock.makefile("rb") as lines:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.sendall(b"VERSION:2.0.0\r\n")
            for raw in lines:
                answer = client.read(raw.decode("ascii").rstrip("\r\n"))
                if answer is not None:
                    sock.sendall(answer.encode("ascii") + b"\r\n")
        if not client.over:
            return client.report("the dealer left in the middle of a hand")
    except (OSError, ValueError) as error:
        return client.report(f"{type(error).__name__}: {error} (last state {client.line!r})")
    return client.report()

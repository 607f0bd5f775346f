"""A dealer: one port per player, every state to every player, a log as the original writes it."""

from __future__ import annotations

import random
import re
import socket
import sys
import time
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import BinaryIO

from acpc_rules import Betting, Game, decimal, payoffs


class MatchError(Exception):
    """The match cannot go on."""


class Seat:
    """The connection of one player."""

    def __init__(self, name: str, sock: socket.socket, lines: BinaryIO, timeout: float) -> None:
        self.name, self.sock, self.lines, self.timeout = name, sock, lines, timeout

    def send(self, line: str) -> None:
        try:
            self.sock.sendall(line.encode("ascii") + b"\r\n")
        except OSError as error:
            raise MatchError(f"{self.name} cannot be reached: {error}") from None

    def read(self) -> str:
        """The next line of the player's that is not a comment."""
        while True:
            try:
                raw = self.lines.readline()
            except OSError as error:
                raise MatchError(f"no line from {self.name}: {error}") from None
            if not raw:
                raise MatchError(f"{self.name} left")
            line = raw.decode("latin-1").rstrip("\r\n")
            if line[:1] not in ("#", ";"):
                return line

    def ask(self, state: str) -> str:
        """The action part of the player's answer to this state; answers to anything else are passed over."""
        end = time.monotonic() + self.timeout
        while time.monotonic() < end:
            line = self.read()
            if line.startswith(state + ":"):
                return line[len(state) + 1 :]
            print(f"warning: ignored from {self.name}: {line}", file=sys.stderr)
        raise MatchError(f"no answer from {self.name}")


def mended(betting: Betting, action: str) -> tuple[str, int]:
    """The legal action an answer stands for: itself, the nearest legal raise, or a call."""
    match = re.match(r"([fcr])(-?\d+)?", action)
    if not match:
        return "c", 0
    letter, number = match.groups()
    if letter != "r":
        return (letter, 0) if betting.legal(letter) else ("c", 0)
    span = betting.raise_range()
    if span is None or (number is None and not betting.game.limit):
        return "c", 0
    return "r", min(max(int(number or 0), span[0]), span[1])


def cards_field(betting: Betting, holes: list[list[str]], board: list[str], visited: set[int]) -> str:
    """The cards as one position (or, with all seen, the log) has them."""
    game = betting.game
    field = "|".join("".join(holes[player]) if player in visited else "" for player in range(game.players))
    start = 0
    for count in game.board_cards[1 : betting.round + 1]:
        field += "/" + "".join(board[start : start + count])
        start += count
    return field


class Table:
    """The match: who sits where, and how much each has won."""

    def __init__(self, game: Game, seats: list[Seat], seed: int, odd: str) -> None:
        self.game, self.seats, self.odd = game, seats, odd
        self.rng = random.Random(seed)
        self.totals = [Fraction(0)] * game.players

    def play_hand(self, number: int) -> str:
        """Deal and play one hand; return its log line."""
        game, players = self.game, self.game.players
        deck = game.deck()
        self.rng.shuffle(deck)
        holes = [[deck.pop() for _ in range(game.hole_cards)] for _ in range(players)]
        board = [deck.pop() for _ in range(sum(game.board_cards))]
        order = [self.seats[(position + number) % players] for position in range(players)]
        betting = Betting(game)
        while True:
            states = []
            for position in range(players):
                observation = {position}
                if betting.finished and len(betting.unfolded()) > 1:
                    observation.update(betting.unfolded())
                cards = cards_field(betting, holes, board, observation)
                states.append(f"MATCHSTATE:{position}:{number}:{betting.text}:{cards}")
            for seat in self.seats:
                seat.send(states[order.index(seat)])
            if betting.finished:
                break
            answer = order[betting.actor].ask(states[betting.actor])
            letter, size = mended(betting, answer)
            written = letter + (str(size) if letter == "r" and not game.limit else "")
            if written != answer:
                name = order[betting.actor].name
                print(f"warning: {answer!r} of {name} taken as {written}", file=sys.stderr)
            betting.play(letter, size)
        won = payoffs(betting, holes, board, self.odd)
        for position, seat in enumerate(order):
            self.totals[self.seats.index(seat)] += won[position]
        cards = cards_field(betting, holes, board, set(range(players)))
        values = "|".join(decimal(value) for value in won)
        return f"STATE:{number}:{betting.text}:{cards}:{values}:{'|'.join(seat.name for seat in order)}"

    def score(self) -> str:
        names = "|".join(seat.name for seat in self.seats)
        return f"SCORE:{'|'.join(decimal(value) for value in self.totals)}:{names}"


def run_dealer(
    game: Game,
    game_name: str,
    hands: int,
    seed: int,
    ports: list[int],
    names: list[str],
    log: Path | None,
    odd: str,
    timeout: float,
) -> None:
    """Serve one match; raises MatchError where a player is lost."""
    with ExitStack() as stack:
        listeners = []
        for port in ports:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", port), backlog=1))
            listener.settimeout(timeout)
            listeners.append(listener)
        print(*(listener.getsockname()[1] for listener in listeners), flush=True)
        file = stack.enter_context(log.open("w")) if log else None

        def note(line: str) -> None:
            if file:
                print(line, file=file, flush=True)

        note(f"# name/game/hands/seed peer {game_name} {hands} {seed}\n#--t_response {timeout * 1000:.0f}")
        seats = []
        for name, listener in zip(names, listeners, strict=True):
            try:
                sock = stack.enter_context(listener.accept()[0])
            except OSError as error:
                raise MatchError(f"{name} did not connect: {error}") from None
            listener.close()
            sock.settimeout(timeout)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            seats.append(Seat(name, sock, stack.enter_context(sock.makefile("rb")), timeout))
        for seat in seats:
            if not re.match(r"VERSION:2\.0\.\d+", line := seat.read()):
                raise MatchError(f"{seat.name} speaks another version: {line!r}")
        table = Table(game, seats, seed, odd)
        for number in range(hands):
            note(table.play_hand(number))
        note(table.score())
        print(table.score(), flush=True)

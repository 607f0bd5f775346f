"""An agent of this package in a seat of an external dealer."""

import time
from collections import Counter
from typing import TypeAlias

from baycarp.agents.base import Agent
from baycarp.arena.acpc.answer import format_answer
from baycarp.arena.acpc.wire import VERSION, Wire, connect
from baycarp.budget import Budget
from baycarp.errors import CardError, TableError
from baycarp.game.action import Action
from baycarp.game.event import Acted, HandOver
from baycarp.game.notation.acpc import parse_matchstate
from baycarp.game.notation.hand import Refused
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant

__all__ = ["Player", "play"]

SILENCE = 3600.0
"""Seconds without a line after which the connection is closed: six players at ten minutes each."""

PAUSE = 0.2
"""Seconds before a new connection to a dealer that closed the last one."""

_Deal: TypeAlias = tuple[int, int | None, tuple[int, ...]]
"""The identity of a hand: its number, our position, our cards."""


class Player:
    """An agent that receives a dealer's lines, one at a time, and answers those that require an action.

    It passes the agent the same events as the hand loop of the arena: all players' actions in order, each
    with the observation before it, and the end of the hand with the cards that were shown.

    A dealer sends positions, and players change positions from hand to hand; but all rotate together, so
    the player k places to the left remains k places to the left. The agent gets the players in that order:
    ``players[0]`` is itself, ``players[1]`` the next to its left, and so on.

    The lines do not contain the game. A line that is no state of ``variant``, or that shows a call or another
    raise where the answer was a raise, means that the dealer deals another game: it ends the match.

    Parameters
    ----------
    agent
        The constructor seats it, for the match.
    variant
        The game that the dealer plays, which its lines do not contain.
    seed
        For the agent's draws.
    budget
        Given to every decision; None leaves the agent its own.
    players
        Names by place, the agent's first, then round to the left; empty = ``us``, ``left 1``, ``left 2``, ...

    Raises
    ------
    TableError
        The agent does not play this game.

    Examples
    --------
    >>> from baycarp.agents.registry import load
    >>> player = Player(load("call"), Variant.load("holdem.limit.2p.reverse_blinds"))
    >>> player.answer_line("MATCHSTATE:1:0::|AhKd")
    'MATCHSTATE:1:0::|AhKd:c'
    >>> player.answer_line("MATCHSTATE:1:0:c:|AhKd")  # the other's turn
    ''
    """

    def __init__(
        self,
        agent: Agent,
        variant: Variant,
        seed: int = 0,
        budget: Budget | None = None,
        players: tuple[str, ...] = (),
    ) -> None:
        agent.plays.verify(variant)
        agent.sit(0, variant, seed)
        self.net: list[int] = []
        """Chips won, hand by hand."""
        self.refused: Counter[str] = Counter()
        """Lines that could not be used, by reason."""
        self._agent, self._variant, self._budget = agent, variant, budget
        self._players = players or ("us", *(f"left {place}" for place in range(1, variant.seats)))
        self._deal: _Deal | None = None
        self._answered: tuple[int, Action] | None = None
        """The last answer: its number among the actions of the hand, and the action."""
        self._table, self._settled = State(variant), False
        self._answers: dict[str, str] = {}

    @property
    def under_way(self) -> int | None:
        """The number of the hand that is being played; None between hands."""
        return None if self._deal is None or self._settled else self._deal[0]

    def answer_line(self, line: str) -> str:
        """Process a line of the dealer, and return the answer; ``""`` where the line requires none.

        A line that comes twice is learned from once, and gets the same answer. With unequal stacks the
        original dealer allows raises that these rules refuse (after an all-in raise of less than a full
        one): such a line is counted in ``refused`` and answered with a call, which is always legal; where it
        requires no answer, a dealer ignores it.

        Raises
        ------
        TableError
            The dealer deals another game; the message names the line or the action that shows it.
        """
        if line in self._answers:
            return self._answers[line]
        if not line.startswith("MATCHSTATE:"):
            if line and not line.startswith(("#", ";")):
                self.refused["not a state"] += 1
            return ""
        try:
            answer = self._take_in(parse_matchstate(line, self._variant))
        except Refused as error:
            if error.reason != "illegal action" or len(set(self._variant.stacks or ())) < 2:
                raise TableError(f"the dealer does not deal {self._variant.name}: {error}") from error
            self.refused[error.reason] += 1
            return f"{line}:c"
        self._answers[line] = answer
        return answer

    def _take_in(self, observation: Observation) -> str:
        seat = observation.seat
        assert seat is not None
        own_view = observation._replace(
            players=tuple(self._players[p - seat] for p in range(self._variant.seats))
        )
        deal = (own_view.hand, seat, own_view.hole)
        if deal != self._deal:
            self._begin(deal)
        known = len(self._table.acts)
        if own_view.acts[:known] != self._table.acts[: len(own_view.acts)]:
            self.refused["another past"] += 1  # as of a dealer that was started anew
            self._begin(deal)
        elif len(own_view.acts) < known or self._settled:
            return ""
        self._verify_answer(own_view)
        self._watch(own_view)
        if own_view.state.to_act != seat:
            return ""
        action = self._agent.decide(own_view, budget=self._budget).action
        self._answered = len(own_view.acts), action
        return format_answer(own_view, action)

    def _begin(self, deal: _Deal) -> None:
        self._deal, self._table, self._settled = deal, State(self._variant), False
        self._answered = None
        self._answers.clear()

    def _verify_answer(self, observation: Observation) -> None:
        """Raise an error where the dealer changed a raise. A fold means that the answer came too late."""
        number, action = self._answered or (len(observation.acts), None)
        done = observation.acts[number].action if number < len(observation.acts) else action
        if action and action.name in ("bet", "raise") and done not in (action, Action("fold")):
            raise TableError(
                f"the dealer does not deal {self._variant.name}: "
                f"hand {observation.hand}: it took the answer '{action}' as '{done}'"
            )

    def _watch(self, observation: Observation) -> None:
        """Pass the agent the events since the last state."""
        table, seat = self._table, observation.seat
        assert seat is not None
        table.deal(board=bytes(observation.board))
        for act in observation.acts[len(table.acts) :]:
            before = table.observe(None, observation.players, observation.hand)
            self._agent.learn(Acted(before, table.apply(act.action)))
        if table.is_over:
            self._settled = True
            table.deal(tuple(map(bytes, observation.state.holes)))
            self._settle(table.observe(None, observation.players, observation.hand), seat)

    def _settle(self, observation: Observation, seat: int) -> None:
        try:
            payoffs = self._table.payoffs()
        except CardError:
            self.refused["cards not shown at a showdown"] += 1
        else:
            self._agent.learn(HandOver(observation, payoffs))
            self.net.append(payoffs[seat])


def play(host: str, port: int, player: Player, patience: float = 0.0) -> None:
    """Play through a dealer until it closes the connection.

    Parameters
    ----------
    host, port
        Address of the dealer.
    player
        The player; ``player.net`` grows by a figure a hand.
    patience
        Seconds to wait for a dealer that does not listen yet, or that closed the connection in a hand.

    Raises
    ------
    OSError
        The connection is refused; the dealer hung up in the middle of a hand, or before the first; or it was
        silent for an hour. Host, port and hand are named.
    TableError
        The dealer deals another game than the player's.
    NotationError
        It sent a line of more than 4 KB.
    """
    while True:
        with connect(host, port, patience) as wire:
            try:
                answered = _converse(wire, player)
            except TimeoutError as error:
                raise TimeoutError(f"{host}:{port}: {error}") from error
        hand = player.under_way
        if hand is None and player.net:
            return
        if not (patience and answered):
            when = "before the first hand" if hand is None else f"in the middle of hand {hand}"
            raise ConnectionError(f"{host}:{port}: the dealer hung up {when}")
        time.sleep(PAUSE)


def _converse(wire: Wire, player: Player) -> bool:
    """Answer until the dealer hangs up; whether it sent anything."""
    received, answered = False, set[str]()
    try:
        wire.send(VERSION)
        while True:
            line = wire.receive(SILENCE)
            received = True
            answer = player.answer_line(line)
            if answer and answer not in answered:  # once: a connection loses nothing
                wire.send(answer)
                answered.add(answer)
    except ConnectionError:
        return received

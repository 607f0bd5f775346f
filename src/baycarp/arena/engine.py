"""The engine: an agent for other programs, in the manner of UCI, by JSON lines on stdin and stdout.

Each message is one JSON object on a line of its own, at most 64 KB, with its kind in ``type``. An ``id`` (a
whole number or a short text) comes back with every answer to its message. The engine reads while it computes,
ignores unknown keys, and continues after every mistake: one line ``error`` describes it.

To the engine::

    ready       A test. Its answer follows those to earlier messages; during a ``go`` it comes at once.
    options     Set ``agent``, ``seed``, ``time``, ``playouts``, ``trace``. The agent is a shipped one with
                plain settings; with trust (``serve engine --trust``) it is what ``baycarp.load`` takes.
    new         A session begins: ``game``, ``seat`` at the table, ``seed``. The agent is seated anew. A game
                that it does not play is an error here and in ``position``, before any ``go``.
    position    The observation of a seat (below). It holds until the next one; nothing is learned from it.
    observe     The public hand, sent any number of times: the agent observes the events that are new to it.
                ``payoffs`` (net chips by position) where the cards sent do not determine them.
    go          Decide in ``time`` seconds, or with ``playouts``; without either by the options, and without
                these by the agent's defaults. With ``playouts`` alone the same every time.
                ``trace`` true: the answer carries the whole reasoning.
    stop        Answer now, with the result at the end of the current stage.
    quit        Stop, answer, end. The end of the input ends the engine after the last answer.

From the engine::

    ready       ``name``, ``version``, ``agent``, ``plays``, ``games``, ``options`` with their values.
    info        Requires no answer. During a ``go``, at the end of each tier: its name as ``step``, the best
                ``action`` and ``amount`` so far, the ``seconds`` since the start. Then the ``stages`` of the
                decision, a tier with its name. Or a ``reason`` why a line was ignored.
    decision    ``action``, ``amount``, ``policy``, ``elapsed`` (s), ``exact``, ``reason``, if set ``trace``.
                ``policy`` holds the probability of each action, by its text as in ``actions`` below, always
                with its amount: ``{"fold": 0.25, "call 5": 0.5, "raise 20": 0.125, "raise 60": 0.125}``.
    error       ``error``: its kind, by its name in ``baycarp.errors``; ``reason``.

A hand is given by ``state``, an ACPC MATCHSTATE line, or by::

    actions     From the first after the blinds: ``fold``, ``check``, ``call 5``, ``bet 10``, ``raise 20``.
                Amounts as in ``baycarp.game.action``; they may be left out where the rules allow only one.
    holes       Hole cards by position, ``""`` where hidden: ``["", "AhKd"]``.
    board       ``"Qs7d2c"``; ``seat``: the observing position; ``hand``: its number in the session, from 0.

and besides by ``players`` (names by position), ``stacks`` (before the blinds; where not the game's) and
``game``, where not the session's: the name of one that ships, the text of an ACPC game file, or an object
with the fields of ``baycarp.Variant``. Position 0 is the first left of the button, heads-up the big blind.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from threading import Event as Flag
from typing import Any

from baycarp.agents.registry import DEFAULT, load
from baycarp.agents.trust import verify_plain
from baycarp.arena.decks import SEED
from baycarp.budget import Budget, Meter
from baycarp.errors import BaycarpError, CardError, NotationError, TableError, brief
from baycarp.game.action import Action
from baycarp.game.event import Acted, HandOver
from baycarp.game.notation.hand import Hand, states
from baycarp.game.notation.wire import (
    Message,
    games,
    identity,
    number,
    parse,
    read_game,
    read_hand,
    string,
    whole,
    wholes,
)
from baycarp.game.state import Observation, State
from baycarp.game.variant import Variant

__all__ = ["Engine", "Options", "Stoppable", "refusal"]

Report = Callable[[Message], None]


@dataclass(frozen=True, slots=True)
class Stoppable(Budget):
    """A budget that is spent when the flag is set: the clock then shows no time left.

    ``progress`` is called after each step: its name, the best action so far, seconds.
    """

    stopped: Flag = field(default_factory=Flag, compare=False)
    progress: Callable[[str, Action, float], None] | None = field(default=None, compare=False)

    def start(self) -> Meter:
        """Start the clock."""
        return _StoppableMeter(self)


class _StoppableMeter(Meter):
    __slots__ = ()
    budget: Stoppable

    def reached(self, step: str, answer: object) -> None:
        if self.budget.progress is not None and isinstance(answer, Action):
            self.budget.progress(step, answer, self.spent())

    def left(self) -> float:
        return min(super().left(), 0.0) if self.budget.stopped.is_set() else super().left()


@dataclass(frozen=True, slots=True)
class Options:
    """What a message ``options`` sets.

    Parameters
    ----------
    agent
        Specification of the deciding agent.
    seed
        Of a session without one.
    time, playouts
        Of a ``go`` with neither; None = the agent's defaults.
    trace
        Whether every decision carries its trace.
    """

    agent: str = DEFAULT
    seed: int = 0
    time: float | None = None
    playouts: int | None = None
    trace: bool = False

    def set(self, message: Message) -> "Options":
        """The options as a message changes them; null is no limit."""
        given: dict[str, Any] = {}
        if "agent" in message:
            given["agent"] = string(message, "agent")
        if "seed" in message:
            given["seed"] = whole(message, "seed", None, most=SEED)
        if "time" in message:
            given["time"] = number(message, "time")
        if "playouts" in message:
            given["playouts"] = _playouts(message)
        if "trace" in message:
            given["trace"] = _traced(message)
        return replace(self, **given)


class Engine:
    """An agent, with its session and position; it uses no streams and no threads.

    Parameters
    ----------
    options
        At the start; they come from the caller, and may name any agent.
    trust
        Whether messages may name any agent: an external program, one with files or a memory, one of another
        package. Without, ``agents.trust.verify_plain`` decides.

    Examples
    --------
    >>> engine = Engine(Options(agent="call"))
    >>> message = b'{"type": "position", "game": "holdem.limit.3p", "seat": 2, "holes": ["", "", "AhKd"]}'
    >>> list(engine.answer_line(message))  # answers follow ready, go and mistakes only
    []
    >>> info, decision = engine.answer_line(b'{"type": "go", "id": 7}')
    >>> decision["id"], decision["action"], decision["amount"]
    (7, 'call', 10)
    >>> [answer["error"] for answer in engine.answer_line(b'{"type": "go", "time": -1}')]
    ['NotationError']
    """

    def __init__(self, options: Options | None = None, trust: bool = False) -> None:
        self.options = options or Options()
        self._trust = trust
        self._agent = load(self.options.agent)
        self._game: Variant | None = None
        self._seated = False
        self._position: Observation | None = None
        self._observed = _ObservedHand()

    def answer_line(
        self, line: bytes | None, stopped: Flag | None = None, report: Report | None = None
    ) -> Iterator[Message]:
        """The answers to a line; see ``answer``. None stands for a line that was too long."""
        try:
            message = parse(line)
        except NotationError as error:
            yield refusal({}, error)
        else:
            yield from self.answer(message, stopped, report)

    def answer(
        self, message: Message, stopped: Flag | None = None, report: Report | None = None
    ) -> Iterator[Message]:
        """The answers to a message; nothing in it raises.

        Parameters
        ----------
        message
            Any JSON object.
        stopped
            The flag that makes a ``go`` answer at once.
        report
            Called during a ``go`` with the results so far; None = no such reports.
        """
        try:
            kind = string(message, "type")
            if kind == "go":
                yield from self._go(message, stopped or Flag(), report)
            elif kind in _KINDS:
                yield from _KINDS[kind](self, message) or ()
            elif kind not in ("stop", "quit"):  # between two decisions there is nothing to stop
                yield {"type": "info", **identity(message), "reason": f"message {kind[:40]!r} ignored"}
        except BaycarpError as error:
            yield refusal(message, error)
        except Exception as error:  # a fault of the agent: it is reported, and the engine continues
            logging.getLogger(__name__).exception("message %.200r", message)
            yield refusal(message, error)

    def ready(self, message: Message) -> list[Message]:
        """Name, version and agent of the engine, and its options."""
        plays = self._agent.plays
        return [
            {
                "type": "ready",
                **identity(message),
                "name": "baycarp",
                "version": version("baycarp"),
                "agent": self.options.agent,
                "plays": {"betting": sorted(plays.betting), "seats": [plays.fewest, plays.most]},
                "games": list(games()),
                "options": {item.name: getattr(self.options, item.name) for item in fields(Options)},
            }
        ]

    def _set_options(self, message: Message) -> None:
        options = self.options.set(message)
        if "agent" in message:
            if not self._trust:
                verify_plain(options.agent)
            self._load(options.agent)
        self.options = options

    def _load(self, spec: str) -> None:
        self._agent, self._seated, self._observed = load(spec), False, _ObservedHand()

    def _new(self, message: Message) -> None:
        game = read_game(message["game"]) if "game" in message else self._game
        if game is None:
            raise NotationError("game: expected one")
        seat = whole(message, "seat", 0, most=game.seats - 1)
        self._sit(game, seat, whole(message, "seed", self.options.seed, most=SEED))

    def _sit(self, game: Variant, seat: int, seed: int) -> None:
        self._verify(game)
        if self._seated:  # like a session of the arena: with the model as it was before anything was learned
            self._load(self.options.agent)
        self._agent.sit(seat, game, seed)
        self._game, self._seated, self._position, self._observed = game, True, None, _ObservedHand()

    def _verify(self, game: Variant) -> None:
        self._agent.plays.verify(game, f"agent {self.options.agent[:200]!r}")

    def _set_position(self, message: Message) -> None:
        self._position = None
        hand, seat = self._hand(message)
        if seat is None:
            raise NotationError("seat: expected the position that decides")
        self._verify(hand.variant)
        observation = hand.observe(seat)
        if not observation.state.is_over and len(observation.board) != (0, 3, 4, 5)[observation.street]:
            raise CardError(
                f"board {brief(message.get('board'))}: expected the cards of street {observation.street}"
            )
        self._position = observation

    def _observe(self, message: Message) -> None:
        hand, _ = self._hand(message)
        payoffs = wholes(message, "payoffs", least=-(2**40))
        if payoffs is not None and (len(payoffs) != hand.variant.seats or sum(payoffs) != 0):
            raise NotationError(f"payoffs {payoffs}: expected {hand.variant.seats} amounts that sum to 0")
        for event in self._observed.fresh(hand, payoffs):
            self._agent.learn(event)

    def _hand(self, message: Message) -> tuple[Hand, int | None]:
        hand, seat = read_hand(message, self._game)
        if not self._seated:
            self._sit(hand.variant, seat or 0, self.options.seed)
        return hand, seat

    def _go(self, message: Message, stopped: Flag, report: Report | None) -> Iterator[Message]:
        time, playouts = number(message, "time"), _playouts(message)
        if time is None and playouts is None:
            time, playouts = self.options.time, self.options.playouts
        traced = _traced(message) or self.options.trace
        if self._position is None:
            raise TableError("go: expected a position before")
        self._agent.plays.verify_turn(self._position)

        def so_far(step: str, action: Action, seconds: float) -> None:
            if report is not None:
                best = {"action": action.name, "amount": action.amount, "seconds": seconds}
                report({"type": "info", **identity(message), "step": step, **best})

        decision = self._agent.decide(self._position, budget=Stoppable(time, playouts, stopped, so_far))
        self._position.state.verify(decision.action)
        record = decision.to_dict()
        trace = record.pop("trace")
        shown = ("stage", "tier", "seconds", "done")
        stages = [{key: stage[key] for key in shown if key in stage} for stage in trace]
        yield {"type": "info", **identity(message), "stages": stages}
        yield {"type": "decision", **identity(message), **record, **({"trace": trace} if traced else {})}


_KINDS: dict[str, Callable[[Engine, Message], list[Message] | None]] = {
    "ready": Engine.ready,
    "options": Engine._set_options,
    "new": Engine._new,
    "position": Engine._set_position,
    "observe": Engine._observe,
}


class _ObservedHand:
    """The part of the current hand that the agent has observed."""

    def __init__(self) -> None:
        self.number: int | str = -1
        self.actions: tuple[Action, ...] = ()
        self.over = False

    def fresh(self, hand: Hand, payoffs: tuple[int, ...] | None) -> Iterator[Acted | HandOver]:
        """The events of a hand that were not observed yet, in order; each then counts as observed."""
        known, actions = self.actions, hand.actions
        if hand.id != self.number or (self.over and actions != known[: len(actions)]):
            self.number, self.actions, self.over, known = hand.id, (), False, ()
        if actions[: len(known)] != known[: len(actions)]:
            raise NotationError(f"hand {hand.id}: other actions than those observed before")
        steps = list(states(hand))
        ended = _ended(steps[-1], payoffs)
        for before, after in zip(steps[len(known) :], steps[len(known) + 1 :], strict=False):
            self.actions += (after.acts[-1].action,)
            yield Acted(_public(before, hand), after.acts[-1])
        if ended is not None and not self.over:
            self.over = True
            yield HandOver(_public(steps[-1], hand), ended)


def _public(state: State, hand: Hand) -> Observation:
    return state.observe(None, hand.players, hand.id if isinstance(hand.id, int) else 0)


def _ended(state: State, payoffs: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """The players' payoffs, where the hand is over and they are given or follow from the cards."""
    if not state.is_over:
        if payoffs is not None:
            raise NotationError(f"payoffs {payoffs}: expected none before the hand is over")
        return None
    try:
        return payoffs or state.payoffs()
    except CardError:
        return None


def refusal(message: Message, error: Exception) -> Message:
    """The line that describes an error; its kind is one of ``baycarp.errors`` where possible."""
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "baycarp.errors"]
    name = kinds[0] if kinds else type(error).__name__
    return {"type": "error", **identity(message), "error": name, "reason": str(error)[:500]}


def _playouts(message: Message) -> int | None:
    return None if message.get("playouts") is None else whole(message, "playouts", None, least=1, most=10**9)


def _traced(message: Message) -> bool:
    traced = message.get("trace", False)
    if not isinstance(traced, bool):
        raise NotationError(f"trace: expected true or false, got {str(traced)[:40]!r}")
    return traced

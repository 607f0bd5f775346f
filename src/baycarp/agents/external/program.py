"""A player that is an external program: a process of its own that uses the engine protocol.

The head of ``baycarp.arena.engine`` describes the protocol; the program reads on its standard input and
answers on its standard output. It receives the observation of its seat, and nothing else. A program that
hangs, floods, sends wrong answers or dies loses the hand, not the match: for the rest of the hand it checks
or folds, it is killed, and for the next hand it is started anew, without what it had learned. Against it,
play with a seed that cannot be guessed: the seed of a match determines its cards.
"""

import json
import shlex
import shutil
import time
import weakref
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from baycarp.agents.anytime import cheapest
from baycarp.agents.base import Decision
from baycarp.agents.external.process import Fault, Limits, Process
from baycarp.agents.trace import FaultStage, ProgramStage
from baycarp.budget import Budget, Meter
from baycarp.errors import IllegalAction, NotationError
from baycarp.game.action import Action, action_text
from baycarp.game.event import Acted, Event, HandOver
from baycarp.game.notation.hand import Hand
from baycarp.game.notation.wire import (
    Message,
    game_message,
    hand_message,
    parse,
    read_action,
    string,
    whole,
)
from baycarp.game.plays import Plays
from baycarp.game.state import Observation
from baycarp.game.variant import Variant

__all__ = ["Program", "ProgramSettings"]

ENOUGH = 10
"""Faults in a row after which a program is not started again in the session."""

SHARE = 0.9
"""Part of the available time that is sent to a program: the rest is for the transfer there and back."""


@dataclass(frozen=True, slots=True)
class ProgramSettings:
    """What a program is started with, and how long it is waited for.

    Parameters
    ----------
    command
        The program and its arguments, quoted as in a shell; no shell reads them.
    time
        Seconds for a decision at most, whatever the budget says.
    start
        Seconds until the program must have answered the first message.
    memory, cpu, files, processes
        MiB of address space and seconds of CPU of each process, open files of each, processes in all.
    log
        The file to which its standard error is added; "" = nowhere.
    environment
        Names of environment variables that it gets besides ``process.ENVIRONMENT``.
    """

    command: str
    time: float = 1.0
    start: float = 10.0
    memory: int = 4096
    cpu: int = 3600
    files: int = 64
    processes: int = 64
    log: str = ""
    environment: Sequence[str] = ()


class Program:
    """A foreign program as an agent.

    Attributes
    ----------
    faults : Counter
        How often it did what wrong: "start", "late", "flood", "deaf", "garbage", "wrong id", "illegal",
        "error", "died". The decisions of a lost hand have a ``FaultStage``, which is ``first`` in the first.
    """

    plays = Plays(frozenset({"limit", "no-limit"}))

    def __init__(self, settings: ProgramSettings) -> None:
        command, time, start = settings.command, settings.time, settings.start
        self._command = shlex.split(command)
        if not self._command or shutil.which(self._command[0]) is None:
            raise ValueError(f"command {command!r}: expected a program that can be run")
        for name, seconds in (("time", time), ("start", start)):
            if not isinstance(seconds, int | float) or not 0 < seconds < 1e6:
                raise ValueError(f"{name} {seconds!r}: expected seconds > 0")
        self.command, self.time, self.start = command, time, start
        self.limits = Limits(settings.cpu, settings.memory, settings.files, settings.processes)
        self.log, self.environment = settings.log, tuple(settings.environment)
        self.faults: Counter[str] = Counter()
        self._process: Process | None = None
        self._new: Message = {}
        self._asked = self._streak = 0
        self._answered = False
        self._lost: int | None = None  # the hand that is lost
        self._why, self._reported = ("", ""), True  # the last fault, and whether a decision has reported it

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the program is started, and receives the game, the seat and a seed of its own."""
        self._end()
        self._new = {"type": "new", "game": game_message(variant), "seat": seat, "seed": seed}
        self._streak, self._lost, self._answered = 0, None, False
        try:
            self._begin()
        except Fault as fault:
            self._count(fault)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Query the program; where it fails, check or fold."""
        limits = budget or Budget(time=time_limit)
        meter = limits.start()
        self.plays.verify_turn(observation)
        try:
            if self._sits(observation):
                decision = self._ask(observation, limits.start())
                self._answered = True
                return decision
        except Fault as fault:
            self._lose(observation, fault)
        return self._give_up(observation, meter)

    def learn(self, event: Event) -> None:
        """Send the program the events; between hands it is started again where it failed."""
        observation = event.observation
        try:
            if self._sits(observation):
                assert self._process is not None
                self._process.send(_event_message(event))
        except Fault as fault:
            self._lose(observation, fault)
        if isinstance(event, HandOver):
            self._hand_over(observation)

    def _hand_over(self, observation: Observation) -> None:
        """Between two hands there is time to start anew what failed."""
        if self._answered and self._lost is None:
            self._streak = 0
        self._answered, self._lost = False, None
        try:
            self._sits(observation)
        except Fault as fault:
            self._count(fault)

    def _sits(self, observation: Observation) -> bool:
        """Whether the program plays this hand; where the last one was lost it is started again."""
        if not self._new:
            self.sit(observation.seat or 0, observation.variant, 0)
        if self._lost is not None and self._lost != observation.hand:
            self._lost = None
        if self._lost is None and self._process is None and self._streak < ENOUGH:
            self._begin()
        return self._process is not None

    def _begin(self) -> None:
        try:
            process = Process(self._command, self.limits, self.log, self.environment)
        except OSError as error:
            raise Fault("start", str(error)) from error
        self._process = process
        self._kept = weakref.finalize(self, process.quit)
        try:
            process.send({"type": "ready", "id": 0})
            process.send(self._new)
            self._hear(process, "ready", 0, time.perf_counter() + self.start)
        except Fault as fault:
            raise Fault("start", str(fault)) from fault

    def _end(self) -> None:
        if self._process is not None:
            self._process = None
            self._kept()

    def _lose(self, observation: Observation, fault: Fault) -> None:
        self._count(fault)
        self._lost = observation.hand

    def _count(self, fault: Fault) -> None:
        self.faults[fault.name] += 1
        self._streak += 1
        self._why, self._reported = (fault.name, fault.detail), False
        if self._process is not None:
            self._process.kill()
            self._kept.detach()
            self._process = None

    def _ask(self, observation: Observation, meter: Meter) -> Decision:
        process = self._process
        assert process is not None
        self._asked += 1
        left = min(self.time, meter.left())
        until = time.perf_counter() + left
        go: Message = {"type": "go", "id": self._asked}
        if meter.budget.playouts is not None:
            go["playouts"] = meter.budget.playouts
        if meter.budget.time is not None or meter.budget.playouts is None:
            go["time"] = max(SHARE * left, 0.0)
        process.listen()
        process.send({"type": "position", "id": self._asked} | _position_message(observation))
        process.send(go)
        answer = self._hear(process, "decision", self._asked, until)
        action = _action(observation, answer)
        legal = dict.fromkeys(observation.legal_actions(), 0.0)
        own = {key: answer[key] for key in ("policy", "reason", "elapsed") if key in answer}
        stage = ProgramStage(json.dumps(own), seconds=meter.spent())
        # A policy in its answer cannot be verified, and the arena computes with policies: the action counts.
        reason = str(answer.get("reason", ""))[:500]
        return Decision(action, legal | {action: 1.0}, meter.spent(), False, (stage,), reason)

    def _hear(self, process: Process, kind: str, number: int, until: float) -> Message:
        """The answer of that kind to the message of that number; other kinds are passed over."""
        while True:
            try:
                message = parse(process.receive(until))
            except NotationError as error:
                raise Fault("garbage", str(error)) from error
            kind_received, about = message.get("type"), message.get("id")
            if kind_received == kind and about == number and about is not True:
                return message
            if kind_received == kind:
                raise Fault("wrong id", f"answered {about!r:.40}, asked {number}")
            if kind_received == "error" and about == number:
                raise Fault("error", str(message.get("reason"))[:200])

    def _give_up(self, observation: Observation, meter: Meter) -> Decision:
        answer = cheapest(observation)
        fault, why = self._why
        stage = FaultStage(fault, why, not self._reported, seconds=meter.spent(), done=False)
        self._reported = True
        reason = f"the program lost the hand: {fault}, {why}"
        if self._streak >= ENOUGH:
            reason = f"the program is out, after {ENOUGH} faults in a row: {fault}, {why}"
        return Decision(answer.action, answer.policy, meter.spent(), False, (stage,), reason)


def _position_message(observation: Observation) -> Message:
    """The observation of the seat, with the legal actions for the program's convenience."""
    message = hand_message(Hand.of(observation.state, observation.players, observation.hand))
    return message | {
        "seat": observation.seat,
        "legal": [action_text(action) for action in observation.legal_actions()],
    }


def _event_message(event: Event) -> Message:
    message = hand_message(
        Hand.of(event.observation.state, event.observation.players, event.observation.hand)
    )
    if isinstance(event, Acted):
        message["actions"].append(action_text(event.act.action))
    else:
        message["payoffs"] = list(event.payoffs)
    return {"type": "observe"} | message


def _action(observation: Observation, answer: Message) -> Action:
    try:
        if answer.get("amount") is None:
            action = read_action(observation.state, string(answer, "action"))
        else:
            action = Action(string(answer, "action"), whole(answer, "amount", None))
        observation.state.verify(action)
    except (NotationError, IllegalAction) as error:
        raise Fault("illegal", str(error)) from error
    return action

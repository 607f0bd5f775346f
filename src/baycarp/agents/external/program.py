"""A player that is an external program: a process of its own that uses the engine protocol.

The head of ``baycarp.arena.engine`` describes the protocol; the program reads on its standard input and
answers on its standard output. It receives the observation of its seat, and nothing else. A program that
hangs, floods, sends wrong answers or dies loses the hand, not the match: it is killed, its seat checks or
folds for the rest of the hand, and for the next hand it is started again, without what it had learned. A
match against it needs a secret seed: the seed determines the cards.
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
from baycarp.agents.external.process import Fault, Process, ProcessLimits
from baycarp.agents.factory import Factory
from baycarp.agents.trace import Stage
from baycarp.budget import Budget, Meter
from baycarp.errors import ArgumentError, IllegalAction, ModelError, NotationError, brief, reason
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

__all__ = ["PROGRAM", "FaultStage", "Program", "ProgramSettings", "ProgramStage"]

ENOUGH = 10
"""Consecutive faults after which a program is not started again in the session."""

SHARE = 0.9
"""Part of the available time that is sent to a program: the rest is for the transfer."""


@dataclass(frozen=True, slots=True)
class ProgramStage(Stage, name="program"):
    """The answer of an external program: its own policy, reason and time as JSON text."""

    answer: str


@dataclass(frozen=True, slots=True)
class FaultStage(Stage, name="fault"):
    """An external program failed: the fault, for the first time or in a hand that was lost by it."""

    fault: str
    detail: str
    first: bool


@dataclass(frozen=True, slots=True)
class ProgramSettings:
    """Command, limits and deadlines of a program.

    Parameters
    ----------
    command
        The program and its arguments, quoted as in a shell; no shell reads them.
    time
        Seconds for a decision at most, under any budget.
    start
        Seconds until the program must have answered the first message.
    memory, cpu, files, processes
        MiB of address space and seconds of CPU of each process, open files of each, processes in all.
    log
        The file to which its standard error is added; "" = nowhere.
    environment
        Names of environment variables that the program gets besides ``process.ENVIRONMENT``.
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
    """An external program as an agent.

    Attributes
    ----------
    faults : Counter
        Number of faults by kind: "start", "late", "flood", "deaf", "garbage", "wrong id", "illegal", "error",
        "died". The decisions of a lost hand have a ``FaultStage``, which is ``first`` in the first.
    """

    plays = Plays(frozenset({"limit", "no-limit"}))

    def __init__(self, settings: ProgramSettings) -> None:
        command, time, start = settings.command, settings.time, settings.start
        self._command = shlex.split(command)
        if not self._command or shutil.which(self._command[0]) is None:
            raise ArgumentError(f"command {command!r}: expected a program that can be run")
        for name, seconds in (("time", time), ("start", start)):
            if not isinstance(seconds, int | float) or not 0 < seconds < 1e6:
                raise ArgumentError(f"{name} {seconds!r}: expected seconds > 0")
        self.command, self.time, self.start = command, time, start
        self.limits = ProcessLimits(settings.cpu, settings.memory, settings.files, settings.processes)
        self.log, self.environment = settings.log, tuple(settings.environment)
        self.faults: Counter[str] = Counter()
        self._process: Process | None = None
        self._new: Message = {}
        self._variant: Variant | None = None
        self._queries = self._streak = 0
        self._answered = False
        self._lost: int | None = None  # the hand that is lost
        self._last_fault, self._reported = (
            ("", ""),
            True,
        )  # the last fault, and whether a decision has reported it

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the program is started, and receives the game, the seat and a seed of its own."""
        self._end()
        self._variant = variant
        self._new = {"type": "new", "game": game_message(variant), "seat": seat, "seed": seed}
        self._streak, self._lost, self._answered = 0, None, False
        try:
            self._begin()
        except Fault as fault:
            self._count(fault)

    def verify_start(self, variant: Variant) -> None:
        """Start the program once, and end it again.

        Raises
        ------
        ModelError
            It did not answer the first message.
        """
        self.sit(0, variant, 0)
        self._end()
        if self.faults["start"]:
            why = f"did not start: {self._last_fault[1]}"
            raise ModelError(f"program {brief(self.command, 200)} {why}; log='FILE' keeps its standard error")

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Query the program; after a fault, check or fold."""
        limits = budget or Budget(time=time_limit)
        meter = limits.start()
        self.plays.verify_turn(observation)
        try:
            if self._is_running(observation):
                decision = self._query(observation, limits.start())
                self._answered = True
                return decision
        except Fault as fault:
            self._lose(observation, fault)
        return self._give_up(observation, meter)

    def learn(self, event: Event) -> None:
        """Send the program the events; between hands a failed program is started again."""
        observation = event.observation
        try:
            if self._is_running(observation):
                assert self._process is not None
                self._process.send(_event_message(event) | self._game_of(observation))
        except Fault as fault:
            self._lose(observation, fault)
        if isinstance(event, HandOver):
            self._hand_over(observation)

    def _hand_over(self, observation: Observation) -> None:
        if self._answered and self._lost is None:
            self._streak = 0
        self._answered, self._lost = False, None
        try:
            self._is_running(observation)
        except Fault as fault:
            self._count(fault)

    def _is_running(self, observation: Observation) -> bool:
        """Whether the program plays this hand; it is started again after a lost one."""
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
            raise Fault("start", reason(error)) from error
        self._process = process
        self._kept = weakref.finalize(self, process.quit)
        try:
            process.send({"type": "ready", "id": 0})
            process.send(self._new)
            self._answer(process, "ready", 0, time.perf_counter() + self.start)
        except Fault as fault:
            raise Fault("start", fault.detail) from fault

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
        self._last_fault, self._reported = (fault.name, fault.detail), False
        if self._process is not None:
            self._process.kill()
            self._kept.detach()
            self._process = None

    def _query(self, observation: Observation, meter: Meter) -> Decision:
        process = self._process
        assert process is not None
        self._queries += 1
        left = min(self.time, meter.left())
        until = time.perf_counter() + left
        go: Message = {"type": "go", "id": self._queries}
        if meter.budget.playouts is not None:
            go["playouts"] = meter.budget.playouts
        if meter.budget.time is not None or meter.budget.playouts is None:
            go["time"] = max(SHARE * left, 0.0)
        process.reset_count()
        position = _position_message(observation) | self._game_of(observation)
        process.send({"type": "position", "id": self._queries} | position)
        process.send(go)
        answer = self._answer(process, "decision", self._queries, until)
        action = _action(observation, answer)
        legal = dict.fromkeys(observation.legal_actions(), 0.0)
        own = {key: answer[key] for key in ("policy", "reason", "elapsed") if key in answer}
        stage = ProgramStage(json.dumps(own), seconds=meter.spent())
        # A policy in its answer cannot be verified, and the arena computes with policies: the action counts.
        reason = str(answer.get("reason", ""))[:500]
        return Decision(action, legal | {action: 1.0}, meter.spent(), False, (stage,), reason)

    def _game_of(self, observation: Observation) -> Message:
        """The game of a hand, where it is not the session's."""
        same = observation.variant == self._variant
        return {} if same else {"game": game_message(observation.variant)}

    def _answer(self, process: Process, kind: str, number: int, until: float) -> Message:
        """The answer of that kind to the message of that number; other kinds are ignored."""
        while True:
            try:
                message = parse(process.receive(until))
            except NotationError as error:
                raise Fault("garbage", str(error)) from error
            kind_received, about = message.get("type"), message.get("id")
            if kind_received == kind and about == number and about is not True:
                return message
            if kind_received == kind:
                raise Fault("wrong id", f"answer to {brief(about, 40)}: expected one to {number}")
            if kind_received == "error" and about == number:
                raise Fault("error", str(message.get("reason"))[:200])

    def _give_up(self, observation: Observation, meter: Meter) -> Decision:
        answer = cheapest(observation)
        fault, why = self._last_fault
        stage = FaultStage(fault, why, not self._reported, seconds=meter.spent(), done=False)
        self._reported = True
        reason = f"the program lost the hand: {why} ({fault})"
        if self._streak >= ENOUGH:
            reason = f"the program is out, after {ENOUGH} faults in a row: {why} ({fault})"
        return Decision(answer.action, answer.policy, meter.spent(), False, (stage,), reason)


PROGRAM = Factory(Program, "an external program: program(command='python bot.py')", settings=ProgramSettings)


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

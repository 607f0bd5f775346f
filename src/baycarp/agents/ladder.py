"""The fall-back ladder: answers in order of worth, the last that is done in time is given."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from baycarp.agents.base import Decision, Stage
from baycarp.agents.choice import Record
from baycarp.budget import Meter
from baycarp.game.action import Action
from baycarp.game.observation import Observation

__all__ = ["Answer", "Climb", "Ladder", "cheapest"]

UNKNOWN = 0.002
"""Seconds an opponent that a step is expected to work before it was ever timed."""

RECENT, SHORT = 5000, 0.001
"""For so many steps, those of 2,000 decisions, a wait is remembered if it was longer than so many seconds."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a rung of the ladder would do, why in one sentence, and whether no sample was drawn for it."""

    action: Action
    policy: Mapping[Action, float]
    reason: str
    exact: bool = True


class Said(dict[str, Any]):
    """What a part of a step says; see ``Stage`` for what it says later."""

    later: Callable[[], dict[str, Any]] | None = None


class Ladder:
    """What each step has cost so far, and how long the machine kept it waiting besides.

    The work of a step, in processor seconds an opponent, is learned by street: the dearest counts, and is
    forgotten. A wait, the processor being somebody else's, may strike any step: all are expected to wait as
    long as one decision in a thousand does.
    """

    def __init__(self) -> None:
        self._costs: dict[tuple[str, int], float] = {}
        self._waits: list[tuple[int, float]] = []  # when, how long; of the last RECENT steps
        self._steps = 0

    def start(self, meter: Meter, seen: Observation) -> "Climb":
        """Begin a decision."""
        return Climb(self, meter, seen)

    def expects(self, name: str, street: int) -> float:
        """Seconds an opponent that a step will work."""
        return self._costs.get((name, street), UNKNOWN)

    @property
    def wait(self) -> float:
        """Seconds that a step may wait: the second longest wait of the last ``RECENT`` steps."""
        longest = sorted(wait for _, wait in self._waits)[-2:]
        return longest[0] if len(longest) == 2 else 0.0

    def record(self, name: str, street: int, cost: float, wait: float = 0.0) -> None:
        """Learn from a step that was timed: the dearest counts, and is forgotten by a fiftieth a time."""
        self._costs[name, street] = max(cost, 0.98 * self._costs.get((name, street), 0.0))
        self.wait_for(wait)

    def leave(self, name: str, street: int) -> None:
        """A step was left: what it cost once is forgotten slowly, or it would never be tried again."""
        self._costs[name, street] = 0.999 * self.expects(name, street)
        self.wait_for(0.0)

    def wait_for(self, wait: float) -> None:
        """Learn how long a step waited."""
        self._steps += 1
        if wait > SHORT:
            self._waits.append((self._steps, wait))
            self._waits = [w for at, w in enumerate(self._waits) if self._maywait_for(at)]
        if self._waits and self._waits[0][0] <= self._steps - RECENT:
            self._waits.pop(0)

    def _maywait_for(self, at: int) -> bool:
        """Whether fewer than two later waits are as long: else it will never be the second longest."""
        return sum(later >= self._waits[at][1] for _, later in self._waits[at + 1 :]) < 2


class Climb:
    """One decision on its way up."""

    def __init__(self, ladder: Ladder, meter: Meter, seen: Observation) -> None:
        self.seen = seen
        self._ladder, self._meter = ladder, meter
        self._rungs: list[Stage] = []
        self._stages: list[Stage] = []
        self._answer: Answer | None = None
        self._settled: tuple[float, float] | None = None  # spent and worked once the step could have ended

    def step(self, name: str, work: Callable[["Climb"], Answer]) -> None:
        """Take a step if the time that is left will do for it; the first one is always taken.

        Only lack of time leaves the answer of the step before: an error of a step is raised.
        """
        street, opponents = self.seen.street, max(len(self.seen.state.seats_in) - 1, 1)
        expected = self._ladder.expects(name, street) * opponents + self._ladder.wait
        left = self._meter.left()
        if self._answer is not None and left < expected:
            self._ladder.leave(name, street)
            why = f"expected {1000 * expected:.1f} ms, {1000 * left:.1f} ms left"
            self._rungs.append(Stage(name, 0.0, False, {"why": why}))
            return
        began, worked = self._meter.spent(), self._meter.worked()
        self._stages, self._settled = [], None
        self._answer = work(self)
        spent, done = self._settled or (self._meter.spent(), self._meter.worked())
        self._ladder.record(name, street, (done - worked) / opponents, spent - began - (done - worked))
        said = {"answer": str(self._answer.action)}
        self._rungs.append(Stage(name, self._meter.spent() - began, True, said))
        self._meter.reached(name, self._answer.action)

    def think(self, work: Callable[[Record], Decision]) -> Answer:
        """A step that an agent records by itself: its decision as the answer, its stages as the parts."""
        decision = work(Record(self._meter, self.repeat))
        self._stages.extend(decision.trace)
        return Answer(decision.action, decision.policy, decision.reason, decision.exact)

    def repeat(self, chunk: Callable[[], bool]) -> bool:
        """Work on, chunk by chunk, while there is time: see ``Record``.

        The step must have the first chunk. Another is begun if time is left for twice the longest and a wait.
        """
        slowest = longest = 0.0
        done = False
        while not done and (self._settled is None or self._meter.left() >= 2 * slowest + self._ladder.wait):
            began, worked = self._meter.spent(), self._meter.worked()
            done = chunk()
            spent, worked = self._meter.spent(), self._meter.worked() - worked
            slowest, longest = max(slowest, worked), max(longest, spent - began - worked)
            self._settled = self._settled or (spent, self._meter.worked())
        self._ladder.wait_for(longest)
        return done

    @contextmanager
    def stage(self, name: str) -> Iterator[Said]:
        """Time a part of a step; what is put into the dict is what the part says for the trace."""
        said = Said()
        began = self._meter.spent()
        yield said
        self._stages.append(Stage(name, self._meter.spent() - began, True, said, said.later))

    def decision(self) -> Decision:
        """The best answer that was done; its trace is every step, then the parts of the one that answered."""
        assert self._answer is not None
        answer = self._answer
        return Decision(
            answer.action,
            answer.policy,
            self._meter.spent(),
            answer.exact and all(rung.done for rung in self._rungs),
            (*self._rungs, *self._stages),
            answer.reason,
        )


def cheapest(climb: Climb) -> Answer:
    """Check where it is free, fold otherwise: what costs nothing to find."""
    legal = climb.seen.legal_actions()
    action = next((action for action in legal if action.name == "check"), legal[0])
    policy = {a: float(a is action) for a in legal}
    return Answer(action, policy, "the cheapest action, before anything was thought")

"""Anytime decisions: tiers in order of worth under a deadline; the last that is done in time is the result.

``Anytime.decide`` makes a ``Run``. For every tier it checks whether the remaining time suffices (``begins``)
and records the answer (``ends``). Errors are not caught: only lack of time leaves an earlier result.

The first tier above the cheapest legal action is begun if its usual work fits: to fold every hand is worse
than to be late now and then. A later one is begun if its dearest work fits beside a wait for the processor.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from baycarp.agents.base import Decision
from baycarp.agents.trace import Stage, TierStage
from baycarp.budget import Meter
from baycarp.game import Action, Observation

__all__ = ["Answer", "Anytime", "Recorder", "Run", "Tier", "cheapest"]

UNKNOWN = 0.002
"""Seconds an opponent that a tier is expected to work before its first run."""

RECENT, SHORT, LONG = 5000, 0.001, 0.2
"""Number of tiers, those of 2,000 decisions, for which a wait is kept; its least length in seconds, and the
longest one that time is kept for: no tier left out makes up for a machine that stands still."""

LATEST = 0.1
"""What the latest run counts for in the usual work of a tier."""

FADES, SHARED = 0.98, 0.05
"""What the tier before counts for in the share of time waited; seconds of work from which a tier waits by
that share: a shorter one waits once, if at all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The action of a tier, the policy it was drawn from, why, and whether no sample was drawn."""

    action: Action
    policy: Mapping[Action, float]
    reason: str
    exact: bool = True


Tier = Callable[[Observation, "Recorder"], Answer | None]
"""From an observation to an answer, or None if time ends it before; its stages are recorded."""


class Anytime:
    """The cost of each tier so far, and its waits for the processor.

    The work of a tier, in processor seconds an opponent, is learned by street: the usual, and the dearest.
    The dearest is forgotten slowly; that of the first run, which may load what it needs, soon. A wait, when
    another process has the processor, may strike any tier: all but the first are expected to wait as long as
    one in a thousand decisions.
    """

    def __init__(self) -> None:
        self._costs: dict[tuple[str, int], float] = {}
        self._usual: dict[tuple[str, int], float] = {}
        self._runs: Counter[tuple[str, int]] = Counter()
        self._waits: list[tuple[int, float]] = []  # when, how long; of the last RECENT tiers
        self._tiers = 0
        self._worked = self._waited = 0.0  # of recent tiers, in seconds
        self.wait = 0.0
        """Seconds that a tier may wait: the second longest wait of the ``RECENT`` last tiers, or ``LONG``."""

    def decide(
        self, meter: Meter, observation: Observation, tiers: Mapping[str, Tier], first: str = ""
    ) -> Decision:
        """Decide by the last tier that is done in time.

        Parameters
        ----------
        meter
            The running budget.
        observation
            Of the position to act.
        tiers
            By name, in order of worth.
        first
            Name of a tier before them: the cheapest legal action; empty = none.
        """
        run = Run(self, meter, observation)
        if first:
            run.begin_with(first, cheapest(observation))
        for name, answer in tiers.items():
            if run.begins(name):
                run.ends(name, answer(observation, run))
        return run.result()

    def expects(self, name: str, street: int) -> float:
        """Seconds an opponent that a tier will work, at most."""
        return self._costs.get((name, street), UNKNOWN)

    def usual(self, name: str, street: int) -> float:
        """Seconds an opponent that a tier works on average."""
        return self._usual.get((name, street), UNKNOWN)

    def expect(self, name: str, street: int, cost: float) -> None:
        """Begin with a known cost, in seconds an opponent; it is forgotten as slowly as a timed one."""
        self._costs[name, street] = self._usual[name, street] = cost
        self._runs[name, street] = 2

    def record(self, name: str, street: int, cost: float, wait: float = 0.0) -> None:
        """Learn from a tier that was timed: the dearest counts, and is forgotten by a fiftieth a time."""
        known = self._runs[name, street] > 1
        kept = 0.98 if known else 0.0
        self._costs[name, street] = max(cost, kept * self._costs.get((name, street), 0.0))
        usual = self.usual(name, street) if known else cost
        self._usual[name, street] = usual + LATEST * (cost - usual)
        self._runs[name, street] += 1
        self.waited(wait)

    def takes(self, work: float) -> float:
        """Seconds until that much work is done beside other processes, by the waits of recent tiers."""
        alone = work < SHARED or not self._worked
        return work * (1.0 if alone else 1 + self._waited / self._worked) + self.wait

    def paced(self, worked: float, waited: float) -> None:
        """Learn how much of its time a tier had the processor."""
        self._worked = FADES * self._worked + worked
        self._waited = FADES * self._waited + waited

    def leave_out(self, name: str, street: int) -> None:
        """A tier was left out: its cost is forgotten slowly, or it would never be tried again."""
        kept = 0.999 if self._runs[name, street] > 1 else 0.5
        self._costs[name, street] = kept * self.expects(name, street)
        self._usual[name, street] = kept * self.usual(name, street)
        self.waited(0.0)

    def waited(self, wait: float) -> None:
        """Record the wait of a tier, in seconds."""
        self._tiers += 1
        oldest = self._waits[0][0] if self._waits else self._tiers
        if wait <= SHORT and oldest > self._tiers - RECENT:
            return
        waits = [*self._waits, (self._tiers, wait)] if wait > SHORT else self._waits
        self._waits = [each for each in _may_count(waits) if each[0] > self._tiers - RECENT]
        longest = sorted(wait for _, wait in self._waits)[-2:]
        self.wait = min(longest[0], LONG) if len(longest) == 2 else 0.0


def _may_count(waits: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """Waits without those that two later ones are as long as: they are never the second longest."""
    kept, longest, second = list[tuple[int, float]](), 0.0, 0.0
    for when, each in reversed(waits):
        if each > second:
            kept.append((when, each))
        longest, second = max(longest, each), max(second, min(longest, each))
    return kept[::-1]


class Recorder:
    """The stages of one answer, timed one after the other.

    Parameters
    ----------
    meter
        The running budget.
    """

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.stages: list[Stage] = []
        self._last = meter.spent()

    def lap(self) -> float:
        """The seconds of the stage that ends now: since the last lap."""
        began, self._last = self._last, self.meter.spent()
        return self._last - began

    def add(self, stage: Stage) -> None:
        """Record a stage, which was made with the seconds of its lap."""
        self.stages.append(stage)

    def repeat(self, chunk: Callable[[], bool], keep: float = 0.0) -> bool:
        """Work chunk by chunk, until one returns True (there is no more to do) or the budget is spent.

        Parameters
        ----------
        chunk
            A part of the work.
        keep
            Seconds of the budget that are left for what follows.

        Returns
        -------
        bool
            Whether all was done.
        """
        while not chunk():
            if self.meter.left() <= keep:
                return False
        return True

    def decision(self, answer: Answer) -> Decision:
        """The decision of an answer."""
        spent = self.meter.spent()
        return Decision(answer.action, answer.policy, spent, answer.exact, tuple(self.stages), answer.reason)


class Run(Recorder):
    """One decision of an anytime agent."""

    def __init__(self, anytime: Anytime, meter: Meter, observation: Observation) -> None:
        super().__init__(meter)
        self._anytime, self._street = anytime, observation.street
        self._opponents = max(len(observation.state.seats_in) - 1, 1)
        self._tiers: list[TierStage] = []
        self._answer: Answer | None = None
        self._is_next_first = False  # of those above the cheapest action
        self._began, self._worked = 0.0, 0.0
        self._before = self.stages  # of the tier that answered
        self._beyond = (0.0, 0.0)  # spent and worked on more than a tier needs

    def begins(self, name: str) -> bool:
        """Whether a tier is begun: the first one always, a later one if the remaining time suffices."""
        if self._is_next_first:
            expected = self._anytime.usual(name, self._street) * self._opponents
        else:
            expected = self._anytime.takes(self._anytime.expects(name, self._street) * self._opponents)
        self._is_next_first = False
        left = self.meter.left()
        if self._answer is not None and left < expected:
            self._anytime.leave_out(name, self._street)
            why = f"expected {1000 * expected:.1f} ms, {1000 * left:.1f} ms left"
            self._tiers.append(TierStage(name, reason=why, done=False))
            return False
        self._began, self._worked = self.meter.spent(), self.meter.worked()
        self._before = self.stages
        self._last, self._beyond, self.stages = self._began, (0.0, 0.0), []
        return True

    def begin_with(self, name: str, answer: Answer) -> None:
        """Record the answer that needs no computation: nothing is to be learned about its cost."""
        self._anytime.waited(0.0)
        self._answer, self._is_next_first = answer, True
        self._tiers.append(TierStage(name, answer.action, seconds=self.meter.spent()))
        self.meter.reached(name, answer.action)

    def ends(self, name: str, answer: Answer | None) -> None:
        """Record the answer of the tier that was begun; without one the answer before it stays."""
        work = self.meter.worked() - self._worked - self._beyond[1]
        waited = max(0.0, self.meter.spent() - self._began - self._beyond[0] - work)
        self._anytime.record(name, self._street, work / self._opponents, waited)
        self._anytime.paced(work, waited)
        seconds = self.meter.spent() - self._began
        if answer is None:
            self.stages = self._before
            self._tiers.append(TierStage(name, reason="not done in time", done=False, seconds=seconds))
            return
        self._answer = answer
        self._tiers.append(TierStage(name, answer.action, seconds=seconds))
        self.meter.reached(name, answer.action)

    def repeat(self, chunk: Callable[[], bool], keep: float = 0.0) -> bool:
        """As ``Recorder.repeat``; another chunk is begun if time is left for twice the longest and a wait."""
        slowest = longest = 0.0
        first: tuple[float, float] | None = None  # spent and worked after the first chunk
        done = False
        while not done and (first is None or self.meter.left() >= 2 * slowest + self._anytime.wait + keep):
            began, worked = self.meter.spent(), self.meter.worked()
            done = chunk()
            spent, worked = self.meter.spent(), self.meter.worked() - worked
            slowest, longest = max(slowest, worked), max(longest, spent - began - worked)
            first = first or (spent, self.meter.worked())
        assert first is not None
        self._beyond = (self.meter.spent() - first[0], self.meter.worked() - first[1])
        self._anytime.waited(longest)
        return done

    def result(self) -> Decision:
        """The last answer; its trace is every tier, then the stages of the one that answered."""
        assert self._answer is not None
        exact = self._answer.exact and all(tier.done for tier in self._tiers)
        self.stages = [*self._tiers, *self.stages]
        same = exact == self._answer.exact
        return self.decision(self._answer if same else replace(self._answer, exact=exact))


def cheapest(observation: Observation) -> Answer:
    """Check where it is free, fold otherwise: the answer that needs no computation."""
    legal = observation.legal_actions()
    action = next((action for action in legal if action.name == "check"), legal[0])
    return Answer(action, {each: float(each is action) for each in legal}, "the cheapest legal action")

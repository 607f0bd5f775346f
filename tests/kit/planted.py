"""Agents with one fault each, by the check that must name it."""

import inspect
import random
import threading
import time
from dataclasses import replace

import numpy as np

from baycarp import Decision, Plays, State
from baycarp.agents.base import Seeded
from baycarp.game import Acted, Action, HandOver

BOTH = Plays(frozenset({"limit", "no-limit"}))


class Sound(Seeded):
    """Draws an action by the seed and the hand: nothing is wrong with it."""

    plays = BOTH

    def decide(self, observation, time_limit=None, budget=None):
        draw = random.Random(f"{self._seed} {observation.hand} {len(observation.acts)} {observation.hole}")
        return self.chosen(observation, draw.random())

    def chosen(self, observation, lot):
        """The legal action at a place between 0 and 1."""
        legal = observation.legal_actions()
        action = legal[int(lot * len(legal))]
        return Decision(action, {action: 1.0})


class Peeks(Sound):
    """Looks for the whole state in the frames of its callers."""

    def decide(self, observation, time_limit=None, budget=None):
        frame, total = inspect.currentframe(), 0
        while frame := frame.f_back:
            for value in frame.f_locals.values():
                if isinstance(value, State):
                    total += sum(value.known)
        return self.chosen(observation, total % 97 / 97)


class Unseeded(Sound):
    """Draws from the system."""

    def decide(self, observation, time_limit=None, budget=None):
        return self.chosen(observation, random.SystemRandom().random())


class DrawsGlobally(Sound):
    """Draws from the global generator."""

    def decide(self, observation, time_limit=None, budget=None):
        return self.chosen(observation, random.random())


class SeedsGlobally(Sound):
    """Seeds the global generator of numpy."""

    def decide(self, observation, time_limit=None, budget=None):
        np.random.seed(self._seed % 2**32)  # noqa: NPY002
        return self.chosen(observation, np.random.random())  # noqa: NPY002


class Mutates(Sound):
    """Tries an action on the observed state itself."""

    def decide(self, observation, time_limit=None, budget=None):
        decision = super().decide(observation)
        observation.state.apply(decision.action)
        return decision


class MutatesEvents(Sound):
    """Applies an action to the state before it."""

    def learn(self, event):
        if isinstance(event, Acted):
            event.observation.state.apply(event.act.action)


class IllegalSize(Sound):
    """Bets a chip more than it may, in no-limit."""

    def decide(self, observation, time_limit=None, budget=None):
        *_, most = observation.legal_actions()
        if most.name in ("bet", "raise") and observation.variant.betting == "no-limit":
            most = Action(most.name, most.amount + 1)
        return Decision(most, {most: 1.0})


class FewSeats(Sound):
    """Fails at tables of more seats than it was tried at."""

    def decide(self, observation, time_limit=None, budget=None):
        assert observation.variant.seats < 8
        return super().decide(observation)


class Unnormalised(Sound):
    """Weights instead of probabilities."""

    def decide(self, observation, time_limit=None, budget=None):
        decision = super().decide(observation)
        return replace(decision, policy={decision.action: 2.0})


class Impossible(Sound):
    """Does what its policy never does."""

    def decide(self, observation, time_limit=None, budget=None):
        first, *_, last = observation.legal_actions()
        return Decision(first, {last: 1.0, first: 0.0})


class Speaks(Sound):
    """Returns a word."""

    def decide(self, observation, time_limit=None, budget=None):
        return observation.legal_actions()[0].name


class Late(Sound):
    """Takes its time, whatever the limit."""

    def decide(self, observation, time_limit=None, budget=None):
        if time_limit or (budget and budget.time):
            time.sleep(0.35)
        return super().decide(observation)


class NoLimitOfTime(Sound):
    """Takes no time limit."""

    def decide(self, observation, budget=None):
        return super().decide(observation)


class Leaks(Sound):
    """Keeps a megabyte of every hand."""

    def __init__(self):
        self.kept = []

    def learn(self, event):
        if isinstance(event, HandOver):
            self.kept.append(np.zeros(1 << 17))


class SharedGlobal(Sound):
    """Counts decisions in its class."""

    counts = {"decisions": 0}  # noqa: RUF012, the fault

    def sit(self, seat, variant, seed):
        self.counts["decisions"] = 0

    def decide(self, observation, time_limit=None, budget=None):
        self.counts["decisions"] += 1
        return self.chosen(observation, self.counts["decisions"] * 37 % 101 / 101)


class OneThread(Sound):
    """Works in the thread that made it alone, as a connection to a data base does."""

    def __init__(self):
        self.thread = threading.get_ident()

    def decide(self, observation, time_limit=None, budget=None):
        assert threading.get_ident() == self.thread, "made in another thread"
        return super().decide(observation)


class DiesForked(Sound):
    """Waits for a thread that a forked process does not have."""

    def __init__(self):
        self.wanted, self.done = threading.Event(), threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while self.wanted.wait():
            self.wanted.clear()
            self.done.set()

    def decide(self, observation, time_limit=None, budget=None):
        self.wanted.set()
        if not self.done.wait(2):
            raise RuntimeError("no answer")
        self.done.clear()
        return super().decide(observation)


class RefusesRecords(Sound):
    """Needs payoffs, which a record may lack."""

    def learn(self, event):
        if isinstance(event, HandOver):
            self.won = event.payoffs[0]


class Unpicklable(Sound):
    """Holds a function without a name."""

    def __init__(self):
        self.mine = lambda: 0


class ForgetsPickled(Sound):
    """Loses its seed when it is pickled."""

    def __getstate__(self):
        return {"_seed": 0}


class LearnsNothing(Sound):
    """Claims to learn, and does not."""


PLANTED = {
    "legal": (IllegalSize, FewSeats, Unnormalised, Impossible, Speaks),
    "observation": (Mutates, MutatesEvents),
    "seed": (Unseeded, DrawsGlobally),
    "generators": (DrawsGlobally, SeedsGlobally),
    "unseen cards": (Peeks,),
    "events": (RefusesRecords,),
    "deadline": (Late, NoLimitOfTime),
    "apart": (SharedGlobal,),
    "threads": (OneThread,),
    "forks": (DiesForked,),
    "memory": (Leaks,),
    "pickles": (Unpicklable, ForgetsPickled),
    "learns": (LearnsNothing,),
}

"""A model student: a habit, and what it remembers of advice. It knows no theme.

It is a regression by a kernel on public features and on its own strength. An advice that it follows is kept:
the spot, what it did there, and what each answer loses. In a decision that resembles kept ones, what another
action would have gained there adds up, less what it would have lost. A wrong answer gains nothing, though it
may lose less than the own action. The probability of what was done moves to the actions that gain, the more
the more they gain. Older advice fades.
"""

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Decision, Plays
from baycarp.agents.sampling import draw, generator, legal_policy
from baycarp.budget import Budget
from baycarp.coach.advice import Advice
from baycarp.game import Action, Event, Observation, Variant
from baycarp.rules.betting.context import FOLD_CALL_RAISE
from experiments.students.mistakes import Mistaken, own_strength

__all__ = ["FOLLOWED", "KEPT", "Student"]

FOLLOWED = 0.7
"""The probability that an advice is followed."""

KEPT = 0.995
"""The part of what is remembered that is left after another advice."""

STEP = 1.0
"""Big blinds that count at most of one advice; and what a wrong answer loses where no values are shown."""

# Fitted on the mistakes for building, by the costs of their decisions.
WIDTH = 0.07
"""Of the kernel on strength: one standard deviation."""

APART = 0.12
"""The factor for each street after the flop, and for each bet of the street, that two spots differ by."""

POSITION = 0.5
"""The factor where the positions differ."""

HABIT = 0.25
"""Big blinds, over all advices of the same spot, that weigh as much as the habit."""


class Student:
    """Plays by its habit and by what it remembers.

    Parameters
    ----------
    habit
        The player that it was before any advice; it is seated with the student.
    seed
        Of the draws which advice is followed.
    """

    plays = Plays(frozenset({"limit"}), 2, 2)

    def __init__(self, habit: Mistaken, seed: int) -> None:
        self._habit = habit
        self._follows = np.random.default_rng(seed)
        self._spots = np.zeros((0, 5))
        self._taken = np.zeros(0, np.int64)
        self._gains = np.zeros((0, 3))
        self._weights = np.zeros(0)
        self._seed = 0

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat; what is remembered stays."""
        self._seed = seed
        self._habit.sit(seat, variant, seed)

    def learn(self, event: Event) -> None:
        """What the habit learns; the student learns from advice alone."""
        self._habit.learn(event)

    def study(self, advice: Advice) -> None:
        """Follow an advice or not: the spot, the own action, the advised ones and the losses are read."""
        self._weights *= KEPT
        if self._follows.random() >= FOLLOWED:
            return
        taken, lost = FOLD_CALL_RAISE[advice.taken.name], _lost(advice)
        gains = (lost[taken] - lost).clip(-STEP, STEP)
        gains[lost > 0] = gains[lost > 0].clip(max=0.0)
        self._spots = np.vstack([self._spots, _features(advice.observation)])
        self._taken = np.append(self._taken, taken)
        self._gains = np.vstack([self._gains, gains])
        self._weights = np.append(self._weights, 1.0)

    def policy(self, observation: Observation) -> dict[Action, float]:
        """The probabilities of its actions."""
        chances = np.zeros(3)
        for action, chance in self._habit.policy(observation).items():
            chances[FOLD_CALL_RAISE[action.name]] += chance
        if self._weights.size:
            chances = chances @ self._moves(observation)
        return legal_policy(observation, chances.tolist())

    def _moves(self, observation: Observation) -> NDArray[np.float64]:
        """Where the probability of each column goes: float64, shape (3, 3), each row sums to 1."""
        near = self._weights * _likeness(self._spots, _features(observation))
        gains = np.zeros((3, 3))
        np.add.at(gains, self._taken, near[:, None] * self._gains)
        most = gains.max(axis=1, keepdims=True)
        to = gains.clip(min=0.0)
        moves = to / to.sum(axis=1, keepdims=True).clip(min=1e-12) * most / (most + HABIT)
        return np.asarray(moves + np.diag(1 - moves.sum(axis=1)))

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw an action."""
        policy = self.policy(observation)
        return Decision(draw(policy, generator(self._seed, observation).random()), policy)


def _lost(advice: Advice) -> NDArray[np.float64]:
    """Big blinds that each answer loses, as the page shows them: float64, shape (3,); right ones lose 0.

    An answer that cannot be given is as bad as the worst. Without values each wrong one loses a step.
    """
    big_blind = advice.observation.variant.big_blind
    top = max((each.chips for each in advice.values), default=STEP * big_blind)
    least = min((each.chips for each in advice.values), default=0.0)
    lost = np.full(3, (top - least) / big_blind)
    for value in advice.values:
        lost[FOLD_CALL_RAISE[value.action.name]] = (top - value.chips) / big_blind
    lost[[FOLD_CALL_RAISE[action.name] for action in advice.best]] = 0.0
    return lost


def _features(observation: Observation) -> NDArray[np.float64]:
    """Street, a bet to call or not, bets of the street, position, own strength: float64, shape (5,)."""
    state, seat = observation.state, -1 if observation.seat is None else observation.seat
    strength = own_strength(observation)
    return np.array([observation.street, state.owed > 0, state.bets_made, seat, strength], np.float64)


def _likeness(spots: NDArray[np.float64], spot: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much each row of features resembles those of one spot, 0..1: float64, shape (rows,)."""
    street, owes, bets, seat, strength = np.abs(spots - spot).T
    alike = (owes == 0) & ((spots[:, 0] > 0) == (spot[0] > 0))
    place = np.where(seat == 0, 1.0, POSITION)
    return np.asarray(alike * place * APART ** (street + bets) * np.exp(-0.5 * (strength / WIDTH) ** 2))

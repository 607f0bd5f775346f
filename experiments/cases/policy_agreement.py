"""The re-used cases beside the policy of the teacher, in held-out hands: ``python -m experiments agreement``.

The teacher plays against itself. At each decision its policy p is compared with the shares q of the actions
of the retrieved cases, over the legal solutions. The cross-entropy, the sum of -p log q, is the expected log
loss of q; less the entropy of p it is the Kullback-Leibler divergence of q from p, which is 0 for equal
distributions. Actions that are drawn are not compared, so that they add nothing to the variance.

One more vote is divided among the legal solutions (``training.agreement.shares``), so that none is
impossible; where no case is retrieved, all are equally likely. Experts of a player are left out. Two base
lines are smoothed alike: the cases with the nearest betting, whatever their cards; and all cases of the
case-base.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Decision
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.registry import load_for
from baycarp.arena.hand import play_hand
from baycarp.arena.measure import Rate, mean_by_hand
from baycarp.arena.rotation import deals
from baycarp.arena.session import agent_seed, split
from baycarp.cases import CaseBase, Situation, retrieve, tally
from baycarp.errors import TableError
from baycarp.game import Observation, State, Variant
from baycarp.training.agreement import frequencies, shares

__all__ = ["PREDICTORS", "PolicyAgreement", "cross_entropy", "policy_agreement"]

PREDICTORS = ("cases", "betting", "frequencies")
"""The re-used cases; those with the nearest betting; all cases."""

BETTING = "sequence"
"""The feature of the betting, a symbol."""


@dataclass(frozen=True, slots=True, eq=False)
class PolicyAgreement:
    """The teacher's policy beside the predictions of players, by decision.

    Parameters
    ----------
    hands, streets
        int64, shape (decisions,): the number of the hand, and the street, 0 to 3.
    entropies
        float64, shape (players, decisions): of the teacher's policy over a player's solutions, nats.
    losses
        float64, shape (players, predictors, decisions): cross-entropies, nats.
    """

    hands: NDArray[np.int64]
    streets: NDArray[np.int64]
    entropies: NDArray[np.float64]
    losses: NDArray[np.float64]

    def divergence(self, player: int, predictor: int, street: int | None = None) -> Rate:
        """The mean Kullback-Leibler divergence, nats a decision; ``n`` decisions, the interval over hands."""
        return self._mean(self.losses[player, predictor] - self.entropies[player], street)

    def loss(self, player: int, predictor: int, street: int | None = None) -> Rate:
        """The mean cross-entropy, likewise."""
        return self._mean(self.losses[player, predictor], street)

    def entropy(self, player: int, street: int | None = None) -> Rate:
        """The mean entropy of the teacher's policy, likewise: no mean loss is less."""
        return self._mean(self.entropies[player], street)

    def _mean(self, values: NDArray[np.float64], street: int | None) -> Rate:
        rows = np.full(len(values), True) if street is None else self.streets == street
        return Rate(*mean_by_hand(values[rows], self.hands[rows]), int(rows.sum()), "nats")


def policy_agreement(
    specs: Sequence[str],
    teacher: str,
    variant: Variant,
    hands: int,
    seed: int,
    tick: Callable[[int], None] = lambda done: None,
) -> PolicyAgreement:
    """Compare case players with the policy of their teacher in hands that it plays against itself.

    Parameters
    ----------
    specs
        Case players with a feature of the betting, whose description needs no beliefs.
    teacher
        The agent in every seat; its decisions carry its policy.
    variant
        The game.
    hands, seed
        Of the teacher: a seed whose hands did not teach the players.
    tick
        Called with the number of hands done.

    Raises
    ------
    TableError
        A player that is none of these, or an agent that does not play the game.

    Examples
    --------
    >>> game = Variant.load("holdem.limit.2p.reverse_blinds")
    >>> found = policy_agreement(["sartre"], "equilibrium", game, hands=2, seed=5)
    >>> found.losses.shape == (1, len(PREDICTORS), len(found.hands))
    True
    """
    compare = _Comparison([_Learner.of(spec, variant) for spec in specs])
    names = tuple(f"T{seat}" for seat in range(variant.seats))
    sessions, each = split(hands)
    for session in range(sessions):
        agents = [load_for(variant, teacher) for _ in names]
        for seat, agent in enumerate(agents):
            agent.sit(seat, variant, agent_seed(seed, session, seat))
        for dealt in deals(names, seed, session, min(each, hands - session * each)):
            state = State(variant, None, dealt.deck)
            play_hand(state, dealt.by_position(agents), dealt.names, dealt.hand, None, compare)
            compare.hand += 1
            tick(compare.hand)
    return compare.result()


def cross_entropy(policy: Mapping[str, float], votes: Mapping[str, float]) -> float:
    """The cross-entropy of a policy and the smoothed shares of cases, nats.

    Parameters
    ----------
    policy
        Probability by solution.
    votes
        Cases by legal solution.

    Examples
    --------
    >>> round(cross_entropy({"fold": 0.5, "call": 0.5}, {"fold": 3, "call": 0}), 6)  # -ln(7/8 x 1/8) / 2
    1.106486
    """
    predicted = shares(votes)
    return -sum(chance * log(predicted[name]) for name, chance in policy.items() if chance)


class _Comparison:
    """Watches a teacher decide (``arena.hand.Watch``), and compares the players' cases with its policy."""

    def __init__(self, learners: Sequence["_Learner"]) -> None:
        self.hand = 0
        self._learners = learners
        self._places = list[tuple[int, int]]()
        self._found = list[list[tuple[float, ...]]]()

    def __call__(self, state: State, decision: Decision) -> None:
        assert state.to_act is not None
        observation = state.observe(state.to_act, hand=self.hand)
        self._places.append((self.hand, state.street))
        self._found.append([learner.compare(observation, decision) for learner in self._learners])

    def result(self) -> PolicyAgreement:
        hands, streets = np.array(self._places, np.int64).reshape(-1, 2).T
        found = np.moveaxis(np.array(self._found), 0, -1)
        return PolicyAgreement(hands, streets, found[:, 0], found[:, 1:])


@dataclass(frozen=True, eq=False)
class _Learner:
    """A case player, and its base lines by case-base."""

    agent: CasePlayer
    betting: Mapping[str, "_Betting"]
    often: Mapping[str, Mapping[str, int]]

    @staticmethod
    def of(spec: str, variant: Variant) -> "_Learner":
        agent = load_for(variant, spec)
        if not isinstance(agent, CasePlayer) or agent.strategy.believed:
            raise TableError(f"agent {spec!r}: expected a case player that needs no beliefs")
        bases = agent.casebases.items()
        betting = {name: _Betting.of(base) for name, base in bases}
        return _Learner(agent, betting, {name: frequencies(base) for name, base in bases})

    def compare(self, observation: Observation, decision: Decision) -> tuple[float, ...]:
        """The entropy of the policy of a decision, and the cross-entropies by predictor."""
        strategy = self.agent.strategy
        point = self.agent.describe(observation, self.agent.full, {})
        name = point.schema.name
        casebase, choices = self.agent.casebases[name], strategy.choices(observation, point.schema)
        policy = dict.fromkeys(choices.legal, 0.0)
        for action, chance in decision.policy.items():
            solution = strategy.solution(action, observation)
            policy[solution] = policy.get(solution, 0.0) + chance
        retrieved = retrieve(casebase, point.situation)
        predictions: tuple[Mapping[str, int], ...] = (
            tally(retrieved, casebase, choices.legal, choices.counted).votes,
            self.betting[name].votes(point.situation),
            self.often[name],
        )
        entropy = -sum(chance * log(chance) for chance in policy.values() if chance)
        votes = ({solution: each.get(solution, 0) for solution in policy} for each in predictions)
        return (entropy, *(cross_entropy(policy, each) for each in votes))


@dataclass(frozen=True, eq=False)
class _Betting:
    """The cases of a case-base by their betting, whatever their cards.

    Parameters
    ----------
    casebase
        Its schema has a feature of the betting.
    place
        The feature among the symbols.
    counts
        int64, shape (solutions, symbols).
    """

    casebase: CaseBase
    place: int
    counts: NDArray[np.int64]

    @staticmethod
    def of(casebase: CaseBase) -> "_Betting":
        schema, now = casebase.schema, casebase.snapshot()
        names = [feature.name for feature in schema.symbols]
        if BETTING not in names or now.symbols is None:
            raise TableError(f"case-base {schema.name!r}: expected a feature {BETTING!r}")
        place = names.index(BETTING)
        counts = np.zeros((len(schema.solutions), len(now.vocabularies[place])), np.int64)
        chosen = now.chosen(len(schema.solutions))
        np.add.at(counts.T, now.symbols[place, : now.count], chosen.T)
        return _Betting(casebase, place, counts)

    def votes(self, situation: Situation) -> dict[str, int]:
        """The cases whose betting is the nearest to that of a situation, by solution."""
        vocabulary = self.casebase.snapshot().vocabularies[self.place]
        alike = vocabulary.similarities(situation.symbols[self.place])[: self.counts.shape[1]]
        nearest = self.counts[:, alike == alike.max(initial=0.0)].sum(axis=1)
        return dict(zip(self.casebase.schema.solutions, nearest.tolist(), strict=True))

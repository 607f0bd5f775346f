"""Gambler (Matthews 2005): two Bayesian networks that play fixed limit and infer the others' cards.

The decision is the most probable state of the node ``action``, given the own cards, the position, the acts of
the others, the stakes and the bias. After the flop the draws of the opponents come from the distributions of
their hole cards, which ``opponents.gambler`` infers from every action. The tables of the paper are
unpublished: ours are in ``opponents/gambler``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.anytime import Answer, Anytime, Recorder
from baycarp.agents.base import Decision
from baycarp.agents.factory import Factory
from baycarp.agents.sampling import generator, legal_policy
from baycarp.agents.trace import OpponentStage, Stage
from baycarp.bn.network import Network
from baycarp.bn.sampling import Sampled, hypercube, weighted
from baycarp.budget import Budget
from baycarp.card import CLASS_OF, CLASSES, holding_index
from baycarp.errors import ModelError, brief
from baycarp.game import Event, Observation, Variant
from baycarp.game.plays import Plays
from baycarp.kernels.arguments import MOST_SEED, whole
from baycarp.opponents.gambler.draws import Scare, scare
from baycarp.opponents.gambler.model import GamblerModel
from baycarp.opponents.gambler.postflop import CATEGORIES
from baycarp.opponents.gambler.preflop import POSITIONS, earlier_actions, position
from baycarp.opponents.gambler.reading import HandReading, decision_key
from baycarp.opponents.gambler.reverse import (
    FORMS,
    Networks,
    by_class,
    evidence_of,
    marginals,
    not_dominated,
    win_evidence,
    with_roots,
)
from baycarp.opponents.gambler.tables import (
    ACTIONS,
    BIASES,
    action_table,
    recommendations,
    wariness,
)
from baycarp.rules.betting.context import LimitSpot, facing

__all__ = ["GAMBLER", "TABLE", "Gambler", "GamblerStage", "Inferring"]

TABLE = "table"
"""The bias that is the likeliest by the actions at the table so far."""

COUNTED = ("preflop", "postflop")
"""The streets up to which the others' acts are evidence of the own decision."""

EXACT, LEAST = "exact", 100

SAMPLERS: Mapping[str, Callable[[Network, Mapping[str, str], int, int], Sampled]] = {
    "weighted": weighted,
    "hypercube": hypercube,
}
"""Ways of sampling of Matthews (2005), section 5, by name; the paper plays by exact inference. Its Markov
blankets are left out: deterministic nodes hold a chain in its start."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GamblerStage(Stage, name="gambler"):
    """A query of one of Gambler's networks.

    Parameters
    ----------
    network
        ``"pre-flop"``, ``"re-raise"`` or ``"post-flop"``.
    evidence
        The observed nodes: node -> state.
    win
        The probability of winning, 0..1; None before the flop.
    recommend, action
        The posteriors of these nodes.
    draws, scares
        After the flop, by category of hand: the probability that the player, that any opponent draws it.
    """

    network: str
    evidence: Mapping[str, str]
    win: float | None
    recommend: Mapping[str, float]
    action: Mapping[str, float]
    draws: Mapping[str, float]
    scares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Query:
    """A query to a network, and its posteriors."""

    network: str
    evidence: dict[str, str]
    found: Mapping[str, NDArray[np.float64]]
    draws: tuple[float, ...] = ()
    pool: Scare | None = None


@dataclass(frozen=True, slots=True)
class Inferring:
    """How P(win) after the flop is inferred.

    Parameters
    ----------
    inference
        ``"exact"``, or a way of sampling: ``"weighted"`` or ``"hypercube"``.
    samples
        Of a way of sampling, at least 100.

    Raises
    ------
    ModelError
        Another inference, or too few samples.
    """

    inference: str = EXACT
    samples: int = 10_000

    def __post_init__(self) -> None:
        if self.inference != EXACT and self.inference not in SAMPLERS:
            raise ModelError(f"inference {brief(self.inference, 40)}: expected one of {(EXACT, *SAMPLERS)}")
        if self.samples < LEAST:
            raise ModelError(f"samples {self.samples}: expected at least {LEAST}")


class Gambler:
    """Plays by its networks.

    Parameters
    ----------
    bias
        ``"normal"``, ``"loose"`` or ``"tight"``; ``"table"`` = that of the table's actions so far.
    form
        Of the post-flop network: ``"joint"`` = one draw of each side, of nine categories that exclude each
        other; ``"independent"`` = the nine draws of the paper, whose P(win) on the river is too high.
    learning
        Whether the biases and the opponents' tables are learned.
    rounded
        Whether the pot odds of the own decision are those of the nearest of twelve states; False = exact.
    actions
        ``"preflop"``: the others' acts are evidence of the own decision before the flop, as in the paper;
        ``"postflop"``: those on the street after it, too, as its section 7 proposes.
    inferring
        The inference of P(win) after the flop.

    Raises
    ------
    ModelError
        Another bias, form or street.
    """

    plays = Plays(frozenset({"limit"}))

    def __init__(
        self,
        bias: str = "normal",
        form: str = "joint",
        learning: bool = True,
        rounded: bool = True,
        actions: str = COUNTED[0],
        inferring: Inferring | None = None,
    ) -> None:
        if bias not in (*BIASES, TABLE):
            raise ModelError(f"bias {brief(bias)}: expected one of {(*BIASES, TABLE)}")
        if form not in FORMS:
            raise ModelError(f"form {brief(form)}: expected one of {FORMS}")
        if actions not in COUNTED:
            raise ModelError(f"actions {brief(actions, 40)}: expected one of {COUNTED}")
        self.bias, self.learning, self.rounded = bias, learning, rounded
        self.inferring, self._seed = inferring or Inferring(), 0
        self.networks = Networks.ours(form, acts=actions == COUNTED[1])
        self._anytime = Anytime()
        self.opponents = GamblerModel(self.networks, learning)

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Take a seat: the opponent models are new."""
        self.plays.verify(variant)
        self._seed = whole(seed, "seed", 0, MOST_SEED)
        self.opponents = GamblerModel(self.networks, self.learning)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Choose the most probable action; see ``Agent.decide``."""
        self.plays.verify_turn(observation)
        meter = (budget or Budget(time=time_limit)).start()
        return self._anytime.decide(meter, observation, {"networks": self._answer}, first="rules")

    def learn(self, event: Event) -> None:
        """Read every action, learn from every hand."""
        self.opponents.learn(event)

    def _answer(self, observation: Observation, recorder: Recorder) -> Answer:
        reading = self.opponents.reading(observation)
        recorder.add(OpponentStage(seconds=recorder.lap()))
        bias = self.opponents.table.bias if self.bias == TABLE else BIASES.index(self.bias)
        query = (
            self._after(observation, reading, bias)
            if observation.street
            else self._before(observation, reading, bias)
        )
        action = int(np.argmax(query.found["action"]))
        policy = legal_policy(observation, np.eye(3)[action].tolist())
        chosen = max(policy, key=lambda each: policy[each])
        recorder.add(_stage(query, recorder.lap()))
        return Answer(chosen, policy, _reason(query, action))

    def _before(self, observation: Observation, reading: HandReading, bias: int) -> _Query:
        """The pre-flop network, or that of a re-raise once a bet was paid."""
        spot = facing(observation)
        hole = int(CLASS_OF[holding_index(*observation.hole)])
        if spot.invested and spot.owed:
            others = sorted(reading.inside - {spot.seat})
            held = np.array([by_class(reading.weights(seat, observation.hole)) for seat in others])
            win = float(not_dominated(held)[hole])
            key = decision_key(self.networks, spot, observation.acts, observation.variant.seats)
            evidence = evidence_of(key, bias)
            found = marginals(self.networks.play_reraise.posterior(evidence, {"win": [1 - win, win]}))
            found, evidence = self._priced(found, evidence, (key, spot))
            return _Query("re-raise", evidence | {"hole": CLASSES[hole]}, found)
        early, mid = earlier_actions(observation.acts, spot.seat, observation.variant.seats)
        place = POSITIONS[position(spot.seat, observation.variant.seats)]
        evidence = {
            "hole": CLASSES[hole],
            "position": place,
            "early-action": ACTIONS[early],
            "mid-action": ACTIONS[mid],
            "bias": BIASES[bias],
        }
        return _Query("pre-flop", evidence, marginals(self.networks.play_preflop.posterior(evidence)))

    def _after(self, observation: Observation, reading: HandReading, bias: int) -> _Query:
        """The post-flop network against the scare pool of all opponents."""
        spot, draws = facing(observation), reading.draws
        cell = int(draws.cell[holding_index(*observation.hole)])
        others = sorted(reading.inside - {spot.seat})
        pool = scare([draws.entry(reading.weights(seat, observation.hole)).of(cell) for seat in others])
        key = decision_key(self.networks, spot, observation.acts, observation.variant.seats)
        evidence = evidence_of(key, bias)
        if (won := self._won(draws.shares[cell], pool, observation)) is None:
            asked = self.networks.decide_postflop(draws.shares[cell], pool, evidence)
        else:
            asked = marginals(self.networks.play_reraise.posterior(evidence, {"win": won}))
        found, evidence = self._priced(asked, evidence, (key, spot))
        return _Query("post-flop", evidence, found, tuple(draws.shares[cell].tolist()), pool)

    def _won(self, shares: Array, pool: Scare, observation: Observation) -> Array | None:
        """The sampled posterior of ``win``, shape (2,); None = it is not sampled."""
        if self.inferring.inference == EXACT:
            return None
        rows, shared = win_evidence(self.networks.form, shares[None], pool)
        roots = {node: likely[0] for node, likely in rows.items()} | dict(shared)
        drawn = with_roots(self.networks.postflop, roots)
        seed = int(generator(self._seed, observation).integers(2**31))
        sampler = SAMPLERS[self.inferring.inference]
        return sampler(drawn, {}, self.inferring.samples, seed).marginals["win"]

    def _priced(
        self, found: Mapping[str, Array], evidence: dict[str, str], at: tuple[tuple[int, ...], LimitSpot]
    ) -> tuple[dict[str, Array], dict[str, str]]:
        """The posteriors at exact pot odds, and the evidence of them; as they are if these are rounded."""
        (_, place, *acts), spot = at
        if self.rounded or not spot.owed:
            return dict(found), evidence
        odds = spot.owed / (spot.pot + spot.owed)
        recommend = found["win"] @ recommendations(min(odds, 0.5), place, wariness(odds, acts))
        action = recommend @ action_table()[:, BIASES.index(evidence["bias"])]
        priced = {**found, "recommend": recommend, "action": action}
        return priced, evidence | {"stakes": f"{odds:.4f}"}


GAMBLER = Factory(
    Gambler,
    "two Bayesian networks, reversed to infer the others' cards (Matthews 2005)",
    published={"form": "independent", "bias": TABLE, "rounded": False},
    inferring=Inferring,
)


def _stage(query: _Query, seconds: float) -> GamblerStage:
    draws = dict(zip(CATEGORIES, query.draws, strict=bool(query.draws)))
    scares = dict(zip(CATEGORIES, query.pool.any_draws.tolist(), strict=True)) if query.pool else {}
    found = {node: values.tolist() for node, values in query.found.items()}
    return GamblerStage(
        query.network,
        query.evidence,
        found["win"][1] if "win" in found else None,
        dict(zip(ACTIONS, found["recommend"], strict=True)),
        dict(zip(ACTIONS, found["action"], strict=True)),
        draws,
        scares,
        seconds=seconds,
    )


def _reason(query: _Query, action: int) -> str:
    chance = f"{ACTIONS[action]} has {query.found['action'][action]:.0%}"
    if "win" in query.found:
        return f"{chance}: it wins with {query.found['win'][1]:.0%}, stakes {query.evidence['stakes']}"
    likeliest = int(np.argmax(query.found["strategy"])) + 1
    return f"{chance} with {query.evidence['hole']}, {query.evidence['position']}: strategy S{likeliest}"

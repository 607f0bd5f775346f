"""The behaviour of agents as digests: the decisions and figures of each in the same fixed situations.

An agent sits at tables of two to ten seats and decides at each of its turns. The others act by a script. In
two hands of three the script acts for the agent as well, so that every agent meets the same situations up to
the river; in the third its decisions are carried out, so that it keeps to its plans and retains its own
actions. It receives all events and learns. The digest is of content: the action, the policy summed by kind,
and ``figures``; floats exactly.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from baycarp.agents.base import Agent, Decision
from baycarp.agents.cases.system import Learning, ModelSource, Opponents, System
from baycarp.agents.cases.systems import SYSTEMS
from baycarp.agents.registry import load
from baycarp.agents.table import PLAYERS
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.arena.workers import processes
from baycarp.budget import Budget
from baycarp.cases import BestOutcome
from baycarp.game import ACTIONS, Event, Observation, State, Variant
from baycarp.game.plays import Plays
from baycarp.opponents.network.ranges import GroupsTo, Pruned, Weighted
from baycarp.rules.outcome import OUTCOMES
from baycarp.strategies.baycarp import BAYCARP2
from experiments.signature.figures import by_kind, figures
from experiments.systems import STYLED

__all__ = ["GAMES", "HANDS", "SPECS", "Line", "decisions", "digest", "line", "lines", "number", "workbench"]

CHANGED: Mapping[str, System] = {
    **{
        f"baycarp1(empty=True, revise={outcome!r})": replace(
            SYSTEMS["baycarp1"],
            model=ModelSource(empty=True),
            learning=Learning(outcome=OUTCOMES[outcome]),
        )
        for outcome in ("net", "hindsight")
    },
    "baycarp2(empty=True, revise='g-bucks', explore=0.2, share=0.6, types=0.02)": replace(
        SYSTEMS["baycarp2"],
        model=ModelSource(empty=True),
        opponents=Opponents(rule=Pruned(GroupsTo(0.6), 0.02)),
        learning=Learning(explore=0.2, outcome=OUTCOMES["g-bucks"]),
    ),
    "baycarp2(plans=True)": replace(SYSTEMS["baycarp2"], strategy=replace(BAYCARP2, plans="sum")),
    "baycarp2(weighted=True)": replace(SYSTEMS["baycarp2"], opponents=Opponents(rule=Weighted())),
    "baycarp2(opponents='styles', policy='best mean outcome', plans=True)": replace(
        STYLED, strategy=replace(BAYCARP2, policy=BestOutcome("mean"), plans="sum")
    ),
}
"""Systems that no specification makes, by the names of their lines."""

SPECS = (
    "random",
    "call",
    "raise",
    "frequency",
    "rule",
    "jag",
    "maniac",
    "station",
    "folder",
    "formula",
    "simulation",
    "baycarp",
    "baycarp1",
    "baycarp2",
    "network",
    "casper01",
    "casper02",
    "casey",
    "sartre",
    "sartre2009",
    "sartre2010",
    "sartrenl",
    "sartrenl2010",
    "sartre3p",
    "responder",
    "equilibrium",
    "equilibriumnl",
    "sizer",
    "gambler",
    "bpp",
    "mcts",
    *PLAYERS,
    "formula(mixing=200, deception=0.4, implied=2, defence=True)",
    "gambler(form='independent', bias='table')",
    "bpp(combinatorial=True)",
    "baycarp2(opponents='gambler')",
    "baycarp2(opponents='styles', policy='proportional', weights='tuned')",
    *CHANGED,
    "baycarp2(opponents='styles', policy='most similar', explore=0.1, learning=False)",
)
"""The agents of the registry that need neither an external program nor a user's file, and settings that take
other branches: every policy, every outcome rule, exploration, plans, no learning."""

GAMES = (
    *(Variant.ring(seats) for seats in range(2, 11)),
    Variant.ring(2, 100, betting="no-limit", stacks=(2_000, 20_000)),
    Variant.ring(3, 100, betting="no-limit", stacks=(900, 20_000, 5_000)),
    Variant.ring(6, 100, betting="no-limit", stacks=(150, 900, 20_000, 333, 5_000, 1_000), ante=10),
)
"""The games; an agent decides in each that it plays."""

ALSO = {
    "equilibriumnl": (
        Variant.load("holdem.nolimit.2p.100bb"),
        Variant.load("holdem.nolimit.2p.reverse_blinds"),
    )
}
"""More games: those that were solved."""

HANDS = 6
"""Hands of each game, in one session."""

MORE = {"rule": 40, "jag": 40, "responder": 40}
"""Hands of agents that decide quickly: thresholds that are not among the figures need near situations."""

BUDGET = Budget(playouts=120)
"""Without a clock, so that every decision is deterministic."""

PORTABLE = {
    "OPENBLAS_CORETYPE": "Nehalem",
    "OPENBLAS_NUM_THREADS": "1",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL "
    "AVX512_SPR",
}
"""OpenBLAS multiplies numpy's matrices and sums in an order of its own on each kind of processor, unless it
is set to one that all x86-64 processors support; and numpy has other powers, exponentials and logarithms for
AVX-512 (its names before and since version 2.4). Otherwise the last bits of beliefs and weights differ."""

SEED = 14
WEIGHTS = {"fold": 0.5, "check": 1.0, "call": 1.0, "bet": 0.8, "raise": 0.6}
"""The weight of each action in the script."""

STAYS = 0.05
"""The weight of a fold of the deciding seat, so that most hands are played to the river."""

OWN = 3
"""In one of three hands the agent's own decisions are carried out."""


@dataclass(frozen=True, slots=True)
class Line:
    """The digest of one agent, or of another piece of behaviour.

    Parameters
    ----------
    name
        An agent's specification.
    decisions
        The number of decisions in the digest.
    digest
        Sixteen hexadecimal digits.
    """

    name: str
    decisions: int
    digest: str

    def __str__(self) -> str:
        return f"{self.digest} {self.decisions:6} {self.name}"


class _Script:
    """A player whose actions depend only on the hand's number and the actions so far."""

    plays = Plays(frozenset({"limit", "no-limit"}))

    def __init__(self, fold: float = WEIGHTS["fold"]) -> None:
        self._weights = WEIGHTS | {"fold": fold}

    def sit(self, seat: int, variant: Variant, seed: int) -> None:
        """Nothing is stored."""

    def learn(self, event: Event) -> None:
        """Nothing is learned."""

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Draw a legal action; an all-in bet has a fourth of the weight of the least bet."""
        legal = observation.legal_actions()
        weights = np.array([self._weights[action.name] for action in legal])
        if len(legal) > 1 and legal[-1].name == legal[-2].name:
            weights[-1] /= 4
        uniform = np.random.default_rng((SEED, len(legal), observation.hand, len(observation.acts))).random()
        action = legal[int(np.searchsorted(np.cumsum(weights)[:-1], uniform * weights.sum(), side="right"))]
        return Decision(action, {action: 1.0})


class _Asked(_Script):
    """Records an agent's decision at each turn; the script acts in most hands, the agent learns from all."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(STAYS)
        self.agent = agent
        self.decisions: list[Decision] = []

    def learn(self, event: Event) -> None:
        """Pass every event to the agent."""
        self.agent.learn(event)

    def decide(
        self, observation: Observation, time_limit: float | None = None, budget: Budget | None = None
    ) -> Decision:
        """Record the agent's decision, and return it or the script's: see ``OWN``."""
        own = self.agent.decide(observation, budget=budget)
        self.decisions.append(own)
        return own if observation.hand % OWN == OWN - 1 else super().decide(observation)


def decisions(spec: str, hands: int = HANDS, games: Sequence[Variant] = ()) -> Iterator[Decision]:
    """An agent's decisions in the fixed situations; it sits down afresh in each game.

    Parameters
    ----------
    spec
        The agent, as for ``load``, or a name of ``CHANGED``.
    hands
        Hands of each game.
    games
        The games, by default ``GAMES`` and ``ALSO``; those that the agent does not play are left out.
    """
    for number, game in enumerate(games or (*GAMES, *ALSO.get(spec, ()))):
        agent = load(CHANGED.get(spec, spec))
        if not agent.plays.fits(game):
            continue
        agent.sit(0, game, SEED)
        asked = _Asked(agent)
        table: list[Agent] = [asked, *(_Script() for _ in range(game.seats - 1))]
        for dealt in deals([f"p{seat}" for seat in range(game.seats)], SEED, number, hands):
            play_hand(State(game, deck=dealt.deck), dealt.by_position(table), dealt.names, dealt.hand, BUDGET)
        yield from asked.decisions


def line(spec: str, hands: int | None = None) -> Line:
    """The digest of an agent's decisions in some hands of each game; by default ``MORE`` or ``HANDS``."""
    written = [_written(decision) for decision in decisions(spec, hands or MORE.get(spec, HANDS))]
    return Line(spec, len(written), digest(written))


def lines(specs: Sequence[str], hands: int, workers: int = 1) -> list[Line]:
    """The digests of several agents, the same for any number of worker processes."""
    with workbench(workers) as pool:
        return list(pool.map(line, specs, [hands] * len(specs)))


@contextmanager
def workbench(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Processes in which floats have the same last bits on every x86-64 processor: see ``PORTABLE``."""
    before = os.environ.copy()
    os.environ.update(PORTABLE)  # inherited when a process begins, which is when the first work is submitted
    try:
        with processes(workers) as pool:
            yield pool
    finally:
        for name in PORTABLE:
            del os.environ[name]
        os.environ.update(before)


def number(lines: Iterable[Line]) -> str:
    """One digest of several lines; their names do not count."""
    return digest(f"{line.digest} {line.decisions}" for line in lines)


def digest(parts: Iterable[str]) -> str:
    """Sixteen hexadecimal digits of SHA-256 over lines of text."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _written(decision: Decision) -> str:
    numbers = (*by_kind(decision.policy), *figures(decision))
    words = (float(value + 0.0).hex() for value in numbers)  # no negative zero
    return f"{ACTIONS.index(decision.action.name)} {decision.action.amount} {' '.join(words)}"

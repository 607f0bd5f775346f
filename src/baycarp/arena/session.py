"""Sessions: the unit of parallel work, because agents learn within one and start afresh with the next."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Decision
from baycarp.agents.cases.stages import RetrievalStage
from baycarp.agents.external.program import FaultStage
from baycarp.agents.registry import has_memory, load, load_for
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import deals
from baycarp.arena.tally import Tally
from baycarp.arena.variance import ESTIMATORS, stream
from baycarp.budget import Budget
from baycarp.errors import TableError, brief, one_of
from baycarp.game import Action, State, Variant
from baycarp.game.notation.acpc import format_state
from baycarp.game.notation.hand import Hand
from baycarp.opponents.stats.turns import lines_of

__all__ = ["HANDS", "Played", "Stacks", "Table", "agent_seed", "play_session", "split"]

HANDS = 500
"""Hands of a session, at most."""

Stacks = Literal["reset", "carried"]
"""Every hand begins with the game's stacks; or with those that the last one left, and a player that cannot
pay a big blind and its ante buys in anew. (A log line does not record stacks.)"""


@dataclass(frozen=True, slots=True)
class Table:
    """Players by seat, rules and seed.

    Parameters
    ----------
    variant
        The rules; ``variant.seats`` players sit down.
    players
        Names by seat at the table; the button moves one seat a hand.
    specs
        The specification of each seat's agent (``baycarp.load``).
    seed
        With the session's and the hand's number it fixes every card and every draw.
    budget
        Given to every decision; None leaves each agent its own.
    stacks
        ``"reset"`` or ``"carried"``: what a hand begins with.
    estimators
        Names of ``arena.variance.ESTIMATORS``: estimates of every hand, beside the chips won.

    Raises
    ------
    TableError
        Seats, names, stacks or estimators that do not fit the game; or an agent with a lasting memory.
    """

    variant: Variant
    players: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int = 0
    budget: Budget | None = None
    stacks: Stacks = "reset"
    estimators: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        seats = self.variant.seats
        if not len(self.players) == len(self.specs) == seats:
            raise TableError(
                f"{self.variant.name} seats {seats}: got {len(self.players)} names, {len(self.specs)} agents"
            )
        if len(set(self.players)) != seats:
            raise TableError(f"players: expected different names, got {self.players}")
        if self.stacks == "carried" and self.variant.stacks is None:
            raise TableError(f"stacks 'carried': {self.variant.name} names no stacks to begin with")
        if spec := next(filter(has_memory, self.specs), None):
            raise TableError(f"{spec}: expected no memory, for sessions must not depend on one another")
        for name in self.estimators:
            if name not in ESTIMATORS:
                raise TableError(f"estimator {brief(name)}: {one_of(name, ESTIMATORS)}")
            ESTIMATORS[name].plays.verify(self.variant, f"estimator {name!r}")

    def verify_players(self) -> None:
        """Load every player, so that one that cannot play is found before the first hand.

        Raises
        ------
        ModelError
            No such agent.
        TableError
            An agent that does not play the game.
        """
        for spec in dict.fromkeys(self.specs):
            load_for(self.variant, spec)


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a session: chips won by hand and seat, counts by seat, and its log.

    Parameters
    ----------
    net
        int64, shape (hands, seats): chips won, by seat at the table.
    tallies
        By seat at the table.
    estimates
        By estimator: float64, shape (hands, seats), chips with some of the luck taken out.
    log
        One ACPC ``STATE`` line a hand, every hole card included.
    """

    net: NDArray[np.int64]
    tallies: tuple[Tally, ...]
    estimates: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    log: tuple[str, ...] = field(default=(), repr=False)

    def by_player(self, seating: Sequence[int]) -> Self:
        """The same with players for columns, where ``seating[seat]`` is the player in that seat."""
        seats = np.argsort(seating)
        return replace(
            self,
            net=self.net[:, seats],
            tallies=tuple(self.tallies[seat] for seat in seats),
            estimates={name: chips[:, seats] for name, chips in self.estimates.items()},
        )

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values; floats are exact."""
        return {
            "net": self.net.tolist(),
            "tallies": [tally.to_dict() for tally in self.tallies],
            "estimates": {name: chips.tolist() for name, chips in self.estimates.items()},
            "log": list(self.log),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """From the record that ``to_dict`` made.

        Raises
        ------
        TableError
            Another record, or one that contradicts itself: chips that do not sum to 0, counts of other hands.
        """
        try:
            net = np.array(record["net"])
            if net.dtype.kind == "b" or not isinstance(record["log"], list | tuple):
                raise TypeError(
                    f"net of {net.dtype}, log {brief(record['log'])}: expected whole numbers, a list"
                )
            played = cls(
                net.astype(np.int64, casting="safe"),
                tuple(Tally.from_dict(tally) for tally in record["tallies"]),
                {
                    name: np.array(chips).astype(np.float64, casting="same_kind")
                    for name, chips in record["estimates"].items()
                },
                tuple(record["log"]),
            )
            wrong = _contradiction(played)
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise TableError(f"not the record of a session: {type(error).__name__}: {error}") from error
        if wrong:
            raise TableError(f"record of a session: {wrong}")
        return played


def _contradiction(played: Played) -> str:
    """What is inconsistent in the record of a session; "" = nothing."""
    net = played.net
    if net.ndim != 2 or net.shape[1] != len(played.tallies):
        return f"chips of shape {net.shape}: expected hands and {len(played.tallies)} players"
    if net.shape[1] > 1 and net.sum(axis=1).any():  # a record may hold one player of a table alone
        return f"chips of hand {int(net.sum(axis=1).nonzero()[0][0])} do not sum to 0"
    counted = [(tally.hands, tally.net) for tally in played.tallies]
    if counted != [(len(net), int(chips)) for chips in net.sum(axis=0)]:
        return f"hands and chips counted {counted}: expected those of {len(net)} hands"
    for name, chips in played.estimates.items():
        if chips.shape != net.shape or not np.isfinite(chips).all():
            return f"estimate {brief(name)}: expected finite numbers of shape {net.shape}"
    if len(played.log) not in (0, len(net)) or not all(isinstance(line, str) for line in played.log):
        return f"log of {len(played.log)} lines: expected {len(net)} texts"
    return ""


def split(hands: int) -> tuple[int, int]:
    """The number of sessions, and of hands in each: as few sessions as possible, all of one length.

    Examples
    --------
    >>> split(40), split(1000), split(1200), split(1001)
    ((1, 40), (2, 500), (3, 400), (3, 334))
    """
    count = -(-hands // HANDS)
    return count, -(-hands // count)


def play_session(
    table: Table, number: int, hands: int = HANDS, tick: Callable[[int], None] = lambda hand: None
) -> Played:
    """Play one session: agents are seated with fresh statistics, the button rotates, hand after hand."""
    variant, seats = table.variant, table.variant.seats
    agents = [_seated(table, number, seat) for seat in range(seats)]
    net = np.zeros((hands, seats), np.int64)
    estimates = {name: np.zeros((hands, seats)) for name in table.estimators}
    tallies = tuple(Tally() for _ in range(seats))
    held, log = list(variant.stacks or ()), []
    for dealt in deals(table.players, table.seed, number, hands):
        hand, names, id = dealt.hand, dealt.names, number * hands + dealt.hand
        records = _DecisionRecords(dealt.by_position(tallies))
        stacks = dealt.by_position(held) if table.stacks == "carried" else None
        state = State(variant, stacks, dealt.deck)
        play_hand(state, dealt.by_position(agents), names, id, table.budget, records)
        payoffs = state.payoffs()
        net[hand, dealt.seats] = payoffs
        for name, chips in estimates.items():
            seed = stream(table.seed, number, hand)
            chips[hand, dealt.seats] = ESTIMATORS[name].chips(state, records.policies, seed)
        lines = lines_of(state, payoffs)
        for position, seat in enumerate(dealt.seats):
            tallies[seat].count(state, lines[position], payoffs[position])
            if held:
                held[seat] = _left(variant, held[seat] + payoffs[position], position)
        log.append(format_state(Hand.of(state, names, id)))
        tick(hand + 1)
    return Played(net, tallies, estimates, tuple(log))


def _seated(table: Table, number: int, seat: int) -> Agent:
    agent = load(table.specs[seat])
    agent.plays.verify(table.variant, f"agent {table.specs[seat]!r}")
    agent.sit(seat, table.variant, agent_seed(table.seed, number, seat))
    return agent


def agent_seed(seed: int, number: int, seat: int) -> int:
    """The seed of an agent in a session, from the table's seed, the session's number and the seat."""
    return int(np.random.SeedSequence((seed, number, seat)).generate_state(1)[0])


def _left(variant: Variant, chips: int, position: int) -> int:
    """A player's stack in the next hand: its chips, or a new buy-in."""
    if variant.stacks is None or chips >= variant.big_blind + max(variant.antes):
        return chips
    return variant.stacks[position]


class _DecisionRecords:
    """The decisions of a hand: their policies, statistics of retrieval, faults of programs."""

    def __init__(self, tallies: Sequence[Tally]) -> None:
        self.policies: list[Mapping[Action, float]] = []
        self._tallies = tallies

    def __call__(self, state: State, decision: Decision) -> None:
        self.policies.append(decision.policy)
        assert state.to_act is not None
        tally = self._tallies[state.to_act]
        for stage in decision.trace:
            if isinstance(stage, RetrievalStage):
                tally.consult(state.street, stage.fell_back)
            elif isinstance(stage, FaultStage) and stage.first:
                tally.faults[stage.fault] += 1

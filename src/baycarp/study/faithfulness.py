"""Are explanations true: does a decision move further without what is cited than without something like it.

Five cases are taken away, as if they had never been stored, or one piece of evidence about an opponent. The
decision moves by the total variation between its distributions over actions, and it flips where its most
probable action changes. Each removal stands beside a control of the same size:

- the cited cases beside as many of all other retrieved cases, and beside as many other *supporters* of the
  action, drawn at random. Cited cases are supporters by definition, so that the first control shows only that
  supporters matter; the second shows the effect of the order among them.
- the first piece of evidence beside the others. It is chosen by a criterion other than the movement that is
  counted: by the belief, by the case, or by the decision on one half of the cases, counted on the other half.

Where the rest is too small for a control (one piece, say, or six cases) the decision is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Decision
from baycarp.agents.case_player import CasePlayer
from baycarp.agents.registry import load
from baycarp.agents.sampling import draw
from baycarp.arena.decks import HELD_OUT
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import Deal, deals
from baycarp.arena.session import Table
from baycarp.cases import Distribution, Retrieved, Weighing, influences, retrieve, tally
from baycarp.errors import TableError
from baycarp.explain.counterfactual import Counterfactual, is_explained, shares, shift
from baycarp.explain.evidence import pieces
from baycarp.game.state import State

__all__ = [
    "CITED",
    "Estimate",
    "Factor",
    "Moved",
    "factor",
    "moved_by_cases",
    "moved_by_evidence",
    "situations",
]

CITED = 5
"""Cases that an explanation cites."""

BLOCK = 100
"""Neighbouring cases that fall into the same half: those of one hand share their luck."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moved:
    """How far one decision moved, 0..1, without something and without its control.

    Parameters
    ----------
    what
        What was taken away: ``cited``, ``nearest``; ``by belief``, ``by case``, ``by decision``.
    control
        What was taken away for comparison: ``others``, ``supporters``; ``pieces``.
    policy, street, hand
        Of the decision.
    chosen, random
        How far it moved without what was named, and on average without its control.
    flipped, flipped_at_random
        Whether the most probable action changed, 0 or 1, and how often without the control. A policy that
        does not mix moves as far as it flips.
    """

    what: str
    control: str
    policy: str
    street: int
    hand: int
    chosen: float
    random: float
    flipped: float
    flipped_at_random: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its 95 % interval over hands."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.1f} ({self.low:.1f} .. {self.high:.1f})"

    def percent(self) -> str:
        """As a share, in percent."""
        return f"{100 * self.value:.1f} ({100 * self.low:.1f} .. {100 * self.high:.1f})"


@dataclass(frozen=True, slots=True)
class Factor:
    """Means over decisions.

    Parameters
    ----------
    situations
        Decisions.
    chosen, random
        Mean movements.
    times
        The first over the second.
    flipped, flipped_at_random
        Shares of the decisions.
    """

    situations: int
    chosen: float
    random: float
    times: Estimate
    flipped: Estimate
    flipped_at_random: Estimate


def situations(table: Table, hands: int) -> Iterator[tuple[int, Counterfactual]]:
    """Play, and give every decision of the table's case players with the number of its hand.

    Parameters
    ----------
    table
        Some seats must be case players that do not learn (``baycarp2(learning=False)``): they decide
        again when the hand is over.
    hands
        How many.

    Raises
    ------
    TableError
        A case player at the table that learns.
    """
    agents = [load(spec) for spec in table.specs]
    for seat, agent in enumerate(agents):
        if isinstance(agent, CasePlayer) and agent.learning:
            raise TableError(f"{table.specs[seat]}: expected learning=False")
        agent.sit(seat, table.variant, table.seed + seat)
    for dealt in deals(table.players, table.seed, HELD_OUT, hands):
        seated, found = dealt.by_position(agents), list[Counterfactual]()

        def watch(
            state: State,
            decision: Decision,
            dealt: Deal = dealt,
            seated: Sequence[Agent] = seated,
            found: list[Counterfactual] = found,
        ) -> None:
            assert state.to_act is not None
            agent = seated[state.to_act]
            if is_explained(agent, decision):
                observation = state.observe(state.to_act, dealt.names, dealt.hand)
                found.append(Counterfactual(agent, observation, decision))

        play_hand(State(table.variant, deck=dealt.deck), seated, dealt.names, dealt.hand, watch=watch)
        for counterfactual in found:
            yield dealt.hand, counterfactual


def moved_by_cases(
    counterfactual: Counterfactual,
    hand: int,
    policies: Mapping[str, Weighing],
    draws: int = 20,
    seed: int = 0,
) -> Iterator[Moved]:
    """Take away the cited cases, the nearest, and as many of a control; policy by policy.

    Parameters
    ----------
    counterfactual
        The decision: its situation is decided by each policy.
    hand
        Its number.
    policies
        By name; of the agent's own memory alone.
    draws, seed
        How often cases are picked at random; fixes them, and the random draws of mixed strategies.
    """
    rng = np.random.default_rng(
        (seed, hand, counterfactual.observation.street, len(counterfactual.observation.acts))
    )
    ids = counterfactual.retrieved.ids
    sums = counterfactual.sums_without(ids[:0])
    for name, policy in policies.items():
        before = policy.choose(sums).probabilities
        decided = _Decided(name, counterfactual.observation.street, hand, before)
        action = draw(before, float(rng.random()))
        speaks = influences(
            policy,
            counterfactual.retrieved,
            counterfactual.casebase,
            sums,
            action,
            counterfactual.choices.counted,
        )
        first = np.argsort(-speaks, kind="stable")[:CITED]
        cited, supporters = first[speaks[first] > 0], np.flatnonzero(speaks > 0)
        every, nearest = np.arange(len(ids)), np.arange(min(CITED, len(ids)))
        for what, places, control, among in (
            ("cited", cited, "others", every),
            ("cited", cited, "supporters", supporters),
            ("nearest", nearest, "others", every),
        ):
            rest, size = ids[np.setdiff1d(among, places)], len(places)
            if not 0 < size <= len(rest):
                continue
            picked = [ids[places], *(rng.choice(rest, size, replace=False) for _ in range(draws))]
            after = [policy.choose(counterfactual.sums_without(some)).probabilities for some in picked]
            yield decided.moved(what, control, after)


def moved_by_evidence(
    counterfactual: Counterfactual, hand: int, policies: Mapping[str, Weighing]
) -> Iterator[Moved]:
    """Take away the first piece of evidence, and, on average, another; policy by policy.

    First is the piece whose absence moves most the belief in that opponent's hand type, or the case (how
    unlike itself it becomes), or the decision and then its votes, which is the order of explanations. The
    last criterion is the movement itself, so that even pure noise would have a first piece that moves further
    than the rest: there the piece is chosen with one half of the cases, and its movement is counted with the
    other half; both ways round.

    Parameters
    ----------
    counterfactual, hand, policies
        As in ``moved_by_cases``.
    """
    each = pieces(counterfactual)
    if len(each) < 2:
        return
    found = [
        retrieve(counterfactual.casebase, query)
        for query in (counterfactual.situation, *(piece.there for piece in each))
    ]
    whole, *halves = [
        [_tally(counterfactual, retrieved, half) for retrieved in found] for half in (None, 0, 1)
    ]
    criteria = {"by belief": [piece.types for piece in each], "by case": [piece.size for piece in each]}
    for name, policy in policies.items():
        before, *after = [policy.choose(sums).probabilities for sums in whole]
        decided = _Decided(name, counterfactual.observation.street, hand, before)
        for what, by in criteria.items():
            yield decided.moved(what, "pieces", _first(after, by))
        for one, other in (halves, halves[::-1]):
            if not all(any(sums.votes.values()) for sums in (*one, *other)):
                continue
            by = _by_decision(policy, one)
            before, *after = [policy.choose(sums).probabilities for sums in other]
            yield replace(decided, before=before).moved("by decision", "pieces", _first(after, by))


Choice = dict[str, float]
"""The probability of each action."""


def _tally(counterfactual: Counterfactual, retrieved: Retrieved, half: int | None) -> Distribution:
    """The distribution of the agent's own memory, or of one half of it."""
    if half is not None:
        kept = np.flatnonzero(retrieved.ids // BLOCK % 2 == half)
        retrieved = replace(retrieved, ids=retrieved.ids[kept], similarities=retrieved.similarities[kept])
    return tally(
        retrieved, counterfactual.casebase, counterfactual.choices.legal, counterfactual.choices.counted
    )


def _by_decision(policy: Weighing, sums: Sequence[Distribution]) -> list[float]:
    """How far the choice moves and the votes, from the first of these sums to each of the others."""
    before, *after = [policy.choose(each).probabilities for each in sums]
    votes, *left = [shares(each.votes) for each in sums]
    return [shift(before, choice) + shift(votes, share) for choice, share in zip(after, left, strict=True)]


def _first(after: list[Choice], by: Sequence[float]) -> list[Choice]:
    """The choice without the piece that is first by a criterion, then those without another."""
    top = int(np.argmax(by))
    return [after[top], *after[:top], *after[top + 1 :]]


@dataclass(frozen=True, slots=True)
class _Decided:
    """What a policy chose in a decision, before anything was taken away."""

    policy: str
    street: int
    hand: int
    before: Choice

    def moved(self, what: str, control: str, after: Sequence[Choice]) -> Moved:
        """From the choices after: without what was named first, then without the controls."""
        moved = [shift(self.before, choice) for choice in after]
        flipped = [float(_likeliest(choice) != _likeliest(self.before)) for choice in after]
        return Moved(
            what,
            control,
            self.policy,
            self.street,
            self.hand,
            moved[0],
            float(np.mean(moved[1:])),
            flipped[0],
            float(np.mean(flipped[1:])),
        )


def _likeliest(choice: Choice) -> str | None:
    return max(choice, key=choice.__getitem__) if choice else None


def factor(moved: Sequence[Moved], seed: int = 0, rounds: int = 2000) -> Factor:
    """How many times further decisions moved, with an interval from hands drawn anew with replacement.

    Parameters
    ----------
    moved
        Of one kind.
    seed, rounds
        Of the draws.

    Examples
    --------
    >>> rows = [Moved("cited", "others", "majority", 1, hand, 0.9, 0.1 + 0.1 * (hand % 3), 1.0, 0.5)
    ...         for hand in range(30)]
    >>> result = factor(rows)
    >>> print(result.times)
    4.5 (3.9 .. 5.3)
    >>> result.flipped
    Estimate(value=1.0, low=1.0, high=1.0)
    """
    hands = np.unique([m.hand for m in moved], return_inverse=True)[1].ravel()
    figures = [(m.chosen, m.random, m.flipped, m.flipped_at_random) for m in moved]
    sums = np.stack([np.bincount(hands, column) for column in np.array(figures).T], axis=1)
    rows = np.bincount(hands).astype(float)
    drawn = np.random.default_rng(seed).multinomial(len(rows), np.full(len(rows), 1 / len(rows)), rounds)
    totals, sizes = (drawn @ sums).astype(float), drawn @ rows
    mean, times = sums.sum(axis=0) / len(moved), _times(sums[:, 0].sum(), sums[:, 1].sum())
    return Factor(
        len(moved),
        float(mean[0]),
        float(mean[1]),
        _estimate(float(times), _times(totals[:, 0], totals[:, 1])),
        _estimate(float(mean[2]), totals[:, 2] / sizes),
        _estimate(float(mean[3]), totals[:, 3] / sizes),
    )


def _estimate(value: float, drawn: Array) -> Estimate:
    low, high = np.percentile(drawn, (2.5, 97.5), method="inverted_cdf")
    return Estimate(value, float(low), float(high))


def _times(chosen: Array | float, random: Array | float) -> Array:
    """Their ratio; where nothing moved at all, 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.asarray(chosen) / np.asarray(random)
    return np.asarray(np.nan_to_num(times, nan=1.0, posinf=np.inf))

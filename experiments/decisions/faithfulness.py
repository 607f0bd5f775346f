"""The faithfulness of explanations: the effect of what they cite, compared with a control of the same size.

Five cases are removed, as if they had never been stored, or one piece of evidence about an opponent. The
decision moves by the total variation between its distributions over actions, and it flips where its most
probable action changes. Each removal has a control of the same size:

- the cited cases beside as many of all other retrieved cases, and beside as many other *supporters* of the
  action, drawn at random. Cited cases are supporters by definition, so that the first control shows only that
  supporters matter; the second shows the effect of the order among them.
- the first piece of evidence beside the others. It is chosen by a criterion other than the movement that is
  counted: by the belief, by the case, or by the decision on one half of the cases, counted on the other half.

A decision whose rest is too small for a control (one piece, or six cases) is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Agent, Decision
from baycarp.agents.cases.case_player import CasePlayer
from baycarp.agents.registry import load
from baycarp.agents.sampling import draw
from baycarp.arena.decks import HELD_OUT
from baycarp.arena.hand import play_hand
from baycarp.arena.rotation import Deal, deals
from baycarp.arena.session import Table
from baycarp.cases import Distribution, Retrieved, Weighing, influences, retrieve, tally, without
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
    "sums_without",
]

CITED = 5
"""Cases that an explanation cites."""

BLOCK = 100
"""Neighbouring cases in the same half: those of one hand are not independent."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The movement of one decision, 0..1, by a removal and by its control.

    Parameters
    ----------
    what
        The removal: ``cited``, ``nearest``; ``by belief``, ``by case``, ``by decision``.
    control
        The control: ``others``, ``supporters``; ``pieces``.
    policy, street, hand
        The policy, street and hand number of the decision.
    chosen, random
        The movement by the removal, and the mean movement by the control.
    flipped, flipped_at_random
        Whether the most probable action changed, 0 or 1, and its share over the controls. A policy without
        mixing has the same movements.
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
        The number of decisions.
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
    """Play, and yield every decision of the table's case players with the number of its hand.

    Parameters
    ----------
    table
        The players; case players among them do not learn (``baycarp2(learning=False)``), since they decide
        again after the hand.
    hands
        The number of hands.

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
    """Remove the cited cases, the nearest, and as many of a control; policy by policy.

    Parameters
    ----------
    counterfactual
        The decision: each policy decides in its situation.
    hand
        The number of its hand.
    policies
        By name; they use the agent's own memory only.
    draws, seed
        The number of random controls; the seed of them and of the random draws of mixed strategies.
    """
    street, ids = counterfactual.observation.street, counterfactual.retrieved.ids
    rng = np.random.default_rng((seed, hand, street, len(counterfactual.observation.acts)))
    sums = sums_without(counterfactual, ids[:0])
    for name, policy in policies.items():
        before = policy.choose(sums).probabilities
        influence = influences(
            policy,
            counterfactual.retrieved,
            counterfactual.casebase,
            sums,
            draw(before, float(rng.random())),
            counterfactual.choices.counted,
        )
        first = np.argsort(-influence, kind="stable")[:CITED]
        cited, supporters = first[influence[first] > 0], np.flatnonzero(influence > 0)
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
            after = [policy.choose(sums_without(counterfactual, some)).probabilities for some in picked]
            yield _moved(what, control, (name, street, hand), before, after)


def sums_without(counterfactual: Counterfactual, ids: NDArray[np.int64]) -> Distribution:
    """The sums of the player's own memory without these cases, as input of any policy."""
    casebase, choices = counterfactual.casebase, counterfactual.choices
    rest = without(casebase, counterfactual.situation, counterfactual.retrieved, ids)
    return tally(rest, casebase, choices.legal, choices.counted)


def moved_by_evidence(
    counterfactual: Counterfactual, hand: int, policies: Mapping[str, Weighing]
) -> Iterator[Moved]:
    """Remove the first piece of evidence, and, on average, another; policy by policy.

    The first piece is the one whose absence moves most the belief in that opponent's hand type, or the case
    (its distance from itself), or the decision and then its votes, which is the order of explanations. The
    last criterion is the movement itself, so that even pure noise would have a first piece that moves further
    than the rest: there the piece is chosen with one half of the cases, and its movement is counted with the
    other half; then the halves are exchanged.

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
        for query in (counterfactual.situation, *(piece.without for piece in each))
    ]
    whole, *halves = [
        [_tally(counterfactual, retrieved, half) for retrieved in found] for half in (None, 0, 1)
    ]
    criteria = {
        "by belief": [piece.type_shift for piece in each],
        "by case": [piece.distance for piece in each],
    }
    voted = all(any(sums.votes.values()) for half in halves for sums in half)
    for name, policy in policies.items():
        rows = [(what, by, whole) for what, by in criteria.items()]
        if voted:
            rows += [("by decision", _by_decision(policy, halves[i]), halves[1 - i]) for i in (0, 1)]
        for what, by, counted in rows:
            before, *after = [policy.choose(sums).probabilities for sums in counted]
            after.insert(0, after.pop(int(np.argmax(by))))
            yield _moved(what, "pieces", (name, counterfactual.observation.street, hand), before, after)


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
    """The movement of the choice and of the votes, from the first of these sums to each of the others."""
    before, *after = [policy.choose(each).probabilities for each in sums]
    votes, *left = [shares(each.votes) for each in sums]
    return [shift(before, choice) + shift(votes, share) for choice, share in zip(after, left, strict=True)]


def _moved(
    what: str, control: str, decision: tuple[str, int, int], before: Choice, after: Sequence[Choice]
) -> Moved:
    """From the choice before and the choices after: by the removal first, then by the controls."""
    moves = [(shift(before, choice), float(_likeliest(choice) != _likeliest(before))) for choice in after]
    (chosen, flipped), (random, flipped_at_random) = moves[0], np.mean(moves[1:], axis=0).tolist()
    return Moved(what, control, *decision, chosen, random, flipped, flipped_at_random)


def _likeliest(choice: Choice) -> str | None:
    return max(choice, key=choice.__getitem__) if choice else None


def factor(moved: Sequence[Moved], seed: int = 0, rounds: int = 2000) -> Factor:
    """The ratio of movements, with an interval by the bootstrap over hands.

    Parameters
    ----------
    moved
        Movements of one kind.
    seed, rounds
        Of the bootstrap.

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
    figures = np.array([(m.chosen, m.random, m.flipped, m.flipped_at_random, 1.0) for m in moved])
    hands = np.unique([m.hand for m in moved], return_inverse=True)[1]
    sums = np.stack([np.bincount(hands, column) for column in figures.T], axis=1)
    drawn = np.random.default_rng(seed).multinomial(len(sums), np.full(len(sums), 1 / len(sums)), rounds)
    totals = np.vstack([sums.sum(axis=0), drawn @ sums]).T  # the data first, then each draw
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.nan_to_num(totals[0] / totals[1], nan=1.0, posinf=np.inf)  # 1 where nothing moved
    estimates = [
        Estimate(float(values[0]), *np.percentile(values[1:], (2.5, 97.5), method="inverted_cdf").tolist())
        for values in (times, totals[2] / totals[4], totals[3] / totals[4])
    ]
    return Factor(len(moved), *(totals[:2, 0] / len(moved)).tolist(), *estimates)

"""Are explanations true: does a decision move further without what is cited than without anything else.

Taken away are five cases, as if they had never been stored, or one piece of what was seen of an opponent, as
if it had not been. The decision moves by the total variation between its distributions over actions; the
factor is the mean movement without what is cited over the mean movement without as much of the rest, picked
at random: the other cases that were retrieved, the other pieces that were seen. Where the rest is not as much
(one piece, say, or six cases) there is nothing to compare with, and the decision is left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.base import Decision
from baycarp.agents.baycarp import BayCaRP
from baycarp.agents.choice import draw
from baycarp.agents.evidence import pieces
from baycarp.agents.grounds import cite
from baycarp.agents.registry import load
from baycarp.agents.whatif import WhatIf, shares, shift
from baycarp.arena.decks import HELD_OUT
from baycarp.arena.hand import play_hand
from baycarp.arena.session import Table
from baycarp.cases import Weighing
from baycarp.errors import TableError
from baycarp.game.state import State
from baycarp.kernels.game import deal

__all__ = ["CITED", "Factor", "Moved", "factor", "moved_by_cases", "moved_by_evidence", "situations"]

CITED = 5
"""Cases that an explanation cites."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Moved:
    """How far one decision moved, 0..1.

    Parameters
    ----------
    what
        What was taken away: ``cited``, ``nearest``; ``by belief``, ``by case``, ``by decision``.
    policy, street, hand
        Of the decision.
    chosen, random
        Without what was named, and on average without as much of the rest.
    """

    what: str
    policy: str
    street: int
    hand: int
    chosen: float
    random: float


@dataclass(frozen=True, slots=True)
class Factor:
    """Mean movements, and how many times the one the other is, with its 95 % interval over hands."""

    situations: int
    chosen: float
    random: float
    times: float
    low: float
    high: float


def situations(table: Table, hands: int) -> Iterator[tuple[int, WhatIf]]:
    """Play, and give every decision of the table's BayCaRPs with the number of its hand.

    Parameters
    ----------
    table
        Some seats must be BayCaRP's, who do not learn (``baycarp2(learning=False)``): they are asked again
        when the hand is over.
    hands
        How many.

    Raises
    ------
    TableError
        A BayCaRP at the table who learns.
    """
    variant, seats = table.variant, table.variant.seats
    agents = [load(spec) for spec in table.specs]
    for seat, agent in enumerate(agents):
        if isinstance(agent, BayCaRP) and agent.learning:
            raise TableError(f"{table.specs[seat]}: expected learning=False")
        agent.sit(seat, variant, table.seed + seat)
    for hand in range(hands):
        order = [(hand + 1 + position) % seats for position in range(seats)]
        names = tuple(table.players[seat] for seat in order)
        found: list[WhatIf] = []

        def watch(
            state: State,
            decision: Decision,
            order: Sequence[int] = order,
            names: tuple[str, ...] = names,
            hand: int = hand,
            found: list[WhatIf] = found,
        ) -> None:
            assert state.to_act is not None
            agent = agents[order[state.to_act]]
            stages = {stage.name: stage.said for stage in decision.trace}
            if isinstance(agent, BayCaRP) and "reuse" in stages and "kept" not in stages.get("plan", {}):
                found.append(WhatIf(agent, state.observe(state.to_act, names, hand), decision))

        seated = [agents[seat] for seat in order]
        play_hand(variant, seated, deal(table.seed, HELD_OUT, hand, 2 * seats + 5), names, hand, watch=watch)
        for if_not in found:
            yield hand, if_not


def moved_by_cases(
    if_not: WhatIf, hand: int, policies: Mapping[str, Weighing], draws: int = 20, seed: int = 0
) -> Iterator[Moved]:
    """Take away the cited cases, the nearest, and as many of the other retrieved; policy by policy.

    Parameters
    ----------
    if_not
        The decision: its situation is decided by each policy.
    hand
        Its number.
    policies
        By name; of the agent's own memory alone.
    draws, seed
        How often cases are picked at random; fixes them, and the lots of mixed strategies.
    """
    rng = np.random.default_rng((seed, hand, if_not.seen.street, len(if_not.seen.acts)))
    ids, street = if_not.retrieved.ids, if_not.seen.street
    told = if_not.sums_without(ids[:0])
    for name, policy in policies.items():
        before = policy.choose(told).probabilities
        done = draw(before, float(rng.random()))
        cited = cite(policy, if_not.retrieved, if_not.casebase, told, done, CITED)
        for what, places in (("cited", cited), ("nearest", np.arange(min(CITED, len(ids))))):
            rest, size = np.delete(ids, places), len(places)
            if not 0 < size <= len(rest):
                continue
            picked = [ids[places], *(rng.choice(rest, size, replace=False) for _ in range(draws))]
            left = (policy.choose(if_not.sums_without(some)).probabilities for some in picked)
            moved, *at_random = [shift(before, after) for after in left]
            yield Moved(what, name, street, hand, moved, float(np.mean(at_random)))


def moved_by_evidence(if_not: WhatIf, hand: int, policies: Mapping[str, Weighing]) -> Iterator[Moved]:
    """Take away the top piece of evidence, and, on average, another; policy by policy.

    Top is the piece whose absence moves most: the belief in that opponent's hand type, the case (how unlike
    itself it becomes), or, which is what explanations say, the decision and its votes. The last is found by
    what it is measured by: its factor tells how much the decision hangs on one thing, and no choice of one
    could have a greater one.

    Parameters
    ----------
    if_not, hand, policies
        As in ``moved_by_cases``.
    """
    told, street = pieces(if_not), if_not.seen.street
    if len(told) < 2:
        return
    now, left = if_not.sums_at(if_not.query), [if_not.sums_at(piece.there) for piece in told]
    votes = [shift(shares(now.votes), shares(sums.votes)) for sums in left]
    for name, policy in policies.items():
        before = policy.choose(now).probabilities
        after = [shift(before, policy.choose(sums).probabilities) for sums in left]
        for what, by in (
            ("by belief", [piece.types for piece in told]),
            ("by case", [piece.size for piece in told]),
            ("by decision", np.add(after, votes)),
        ):
            top = int(np.argmax(by))
            yield Moved(what, name, street, hand, after[top], float(np.mean(np.delete(after, top))))


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
    >>> told = [Moved("cited", "majority", 1, hand, 0.9, 0.1 + 0.1 * (hand % 3)) for hand in range(30)]
    >>> found = factor(told)
    >>> round(found.times, 1), round(found.low), round(found.high)
    (4.5, 4, 5)
    """
    hands = np.unique([m.hand for m in moved], return_inverse=True)[1].ravel()
    chosen = np.bincount(hands, [m.chosen for m in moved])
    random = np.bincount(hands, [m.random for m in moved])
    drawn = np.random.default_rng(seed).multinomial(
        len(chosen), np.full(len(chosen), 1 / len(chosen)), rounds
    )
    drawn_times = _times((drawn @ chosen).astype(float), (drawn @ random).astype(float))
    low, high = np.percentile(drawn_times, (2.5, 97.5), method="inverted_cdf")
    n, times = len(moved), float(_times(chosen.sum(), random.sum()))
    return Factor(n, float(chosen.sum() / n), float(random.sum() / n), times, float(low), float(high))


def _times(chosen: Array | float, random: Array | float) -> Array:
    """Their ratio; where nothing moved at all, 1."""
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.asarray(chosen) / np.asarray(random)
    return np.asarray(np.nan_to_num(times, nan=1.0, posinf=np.inf))

"""The smallest change that flips a decision: of the case's features, or of the observed evidence.

One thing is changed, and where no single one flips the action, two are. A change is as large as it makes the
situation unlike itself: 1 less the similarity by which cases are compared. Only possible changes are tried:

features    The features that the table shows stand together in some stored case, and a bet is to be called
            as before, so that the same actions are legal; what is measured (strength, potentials, the rank
            of the hand) lies where stored cases do, in steps; and the changed situation has a case at or
            above the threshold. Hand types are what the evidence makes them, and stay.
evidence    What the model of the opponents holds possible (1 % or more, given all else), of habits and acts:
            the cards on the table and positions stay; no player raises in more hands than it plays.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import Schema, Situation, retrieve
from baycarp.explain.counterfactual import Counterfactual, Evidence
from baycarp.kernels.similarity import STATES
from baycarp.opponents.model import HABITS

__all__ = ["OVER", "Change", "Flip", "apart", "flip"]

Over: TypeAlias = Literal["features", "evidence"]
"""What may change."""

OVER: tuple[Over, ...] = get_args(Over)

STEPS = (0.01, 0.05)
"""Between the values of a strength or potential that are tried: alone, and in pairs."""


@dataclass(frozen=True, slots=True)
class Change:
    """One thing as it is, and as it would be; ``None`` = nothing known."""

    what: str
    now: float | str | None
    then: float | str | None

    def __str__(self) -> str:
        now, then = (
            "unknown" if x is None else f"{x:.3g}" if isinstance(x, float) else x
            for x in (self.now, self.then)
        )
        return f"{self.what} {then} rather than {now}"


@dataclass(frozen=True, slots=True)
class Flip:
    """Changes, how unlike itself they make the situation (0..1), and the action that is then done."""

    changes: tuple[Change, ...]
    size: float
    action: str

    def __str__(self) -> str:
        return f"{self.action}, were {' and '.join(map(str, self.changes))}"


def flip(counterfactual: Counterfactual, over: Over) -> Flip | None:
    """Find the smallest change that flips the action: one thing, or where that is not enough two.

    Parameters
    ----------
    counterfactual
        The decision.
    over
        What may change; see the module.

    Returns
    -------
    Flip or None
        None where no change of two things does, or there is nothing to change: before the flop, no evidence
        is used.

    Examples
    --------
    >>> import baycarp
    >>> agent = baycarp.load("baycarp2")
    >>> line, game = "MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", "holdem.limit.2p.reverse_blinds"
    >>> observation = baycarp.observe(line, game=game)
    >>> print(flip(Counterfactual(agent, observation, agent.decide(observation)), "features"))
    check, were hand_strength 0.812 rather than 0.932
    """
    if over == "features":
        return _first(counterfactual, _features(counterfactual, 1)) or _first(
            counterfactual, _features(counterfactual, 2)
        )
    if not counterfactual.observation.street:
        return None
    return _least(counterfactual, 1) or _least(counterfactual, 2)


def apart(schema: Schema, one: Situation, other: Situation) -> float:
    """How unlike one situation another is: 1 less the weighted mean of the local similarities."""
    numbers = one.numbers.tolist(), other.numbers.tolist()
    alike = [scale(x, y) for scale, x, y in zip(schema.scales, *numbers, strict=True)]
    tables = schema.tables(one)
    alike += [float(tables[slot, code % STATES]) for slot, code in enumerate(other.codes.tolist())]
    return 1.0 - float(np.dot(schema.weights, alike)) / sum(schema.weights)


# Features


def _first(
    counterfactual: Counterfactual, options: Iterable[tuple[float, NDArray[np.float32]]]
) -> Flip | None:
    """The first situation that flips the action, in descending order of similarity to the present one."""
    before, query = counterfactual.decision.action.name, counterfactual.situation
    for size, numbers in options:
        there = replace(query, numbers=numbers)
        if not retrieve(counterfactual.casebase, there, at_most=1, fallback=0).ids.size:
            continue
        action = counterfactual.action(counterfactual.at(there))
        if action != before:
            names = [feature.name for feature in counterfactual.schema.numbers]
            changes = tuple(
                Change(names[i], float(query.numbers[i]), float(numbers[i]))
                for i in np.flatnonzero(numbers != query.numbers)
            )
            return Flip(changes, size, action)
    return None


def _features(counterfactual: Counterfactual, changed: int) -> Iterator[tuple[float, NDArray[np.float32]]]:
    """All feasible situations with so many features changed, the most alike first."""
    schema, query = counterfactual.schema, counterfactual.situation
    shown, measured = _kinds(schema, counterfactual.agent.strategy.measured)
    tables = _tables(counterfactual, shown)
    grids = {i: _grid(counterfactual, i, STEPS[changed - 1]) for i in measured}
    options = []
    for table in tables:
        differ = int((table != query.numbers[shown]).sum())
        if differ > changed:
            continue
        base = query.numbers.copy()
        base[shown] = table
        for chosen in combinations(measured, changed - differ):
            for values in product(*(grids[i] for i in chosen)):
                numbers = base.copy()
                numbers[list(chosen)] = values
                options.append(numbers)
    sizes = [apart(schema, query, replace(query, numbers=numbers)) for numbers in options]
    for i in np.argsort(sizes, kind="stable"):
        yield sizes[i], options[i]


def _kinds(schema: Schema, computed: frozenset[str]) -> tuple[list[int], list[int]]:
    """The columns that are read off the table, and those that are measured."""
    names = [feature.name for feature in schema.numbers]
    shown = [i for i, name in enumerate(names) if name not in computed]
    return shown, [i for i in range(len(names)) if i not in shown]


def _tables(counterfactual: Counterfactual, shown: list[int]) -> NDArray[np.float32]:
    """The present situation, and the tables of stored cases, with a bet to be called where one is here."""
    ours = counterfactual.situation.numbers[shown]
    stored = counterfactual.casebase.columns()["numbers"][shown].T
    to_call = [counterfactual.schema.numbers[i].name for i in shown].index(
        counterfactual.agent.strategy.price
    )
    fits = (stored[:, to_call] > 0) == (ours[to_call] > 0)
    return np.unique(np.vstack([stored[fits], ours]), axis=0)


def _grid(counterfactual: Counterfactual, column: int, step: float) -> NDArray[np.float32]:
    """The values of a measured feature that are tried: those stored of a rank, steps within their bounds."""
    stored, now = (
        counterfactual.casebase.columns()["numbers"][column],
        counterfactual.situation.numbers[column],
    )
    if counterfactual.schema.numbers[column].name == "hand_rank":
        values = np.unique(stored)
    else:
        low, high = np.ceil((stored.min() - now) / step), np.floor((stored.max() - now) / step)
        values = (now + step * np.arange(low, high + 1)).astype(np.float32)
    return np.asarray(values[values != now], np.float32)


# Evidence

Piece = tuple[int, str, str | None]
"""Of an opponent's position and a node: the state that it would have; ``None`` = nothing known."""


def _least(counterfactual: Counterfactual, changed: int) -> Flip | None:
    """The least that flips the action, of all changes of so many pieces of evidence."""
    found: list[Flip] = []
    for pieces in combinations(_possible(counterfactual), changed):
        if len({piece[:2] for piece in pieces}) < changed:
            continue
        evidence = _changed(counterfactual.evidence, pieces)
        if not all(_thinkable(nodes) for nodes in evidence.values()):
            continue
        there = counterfactual.case(evidence)
        action = counterfactual.action(counterfactual.at(there))
        if action != counterfactual.decision.action.name:
            changes = tuple(
                Change(
                    f"{counterfactual.players[position]}'s {node}",
                    counterfactual.evidence[position].get(node),
                    state,
                )
                for position, node, state in pieces
            )
            found.append(Flip(changes, apart(counterfactual.schema, counterfactual.situation, there), action))
    return min(found, key=lambda flip: flip.size, default=None)


def _possible(counterfactual: Counterfactual) -> list[Piece]:
    """The pieces of evidence that could be others, each with all else as it is."""
    pieces = [
        (position, node, state)
        for position, nodes in counterfactual.evidence.items()
        for node, state in counterfactual.tier.opponents.possible(
            counterfactual.observation, position, counterfactual.players[position], nodes
        )
    ]
    return [p for p in pieces if _thinkable(_changed(counterfactual.evidence, (p,))[p[0]])]


def _changed(evidence: Evidence, pieces: Iterable[Piece]) -> dict[int, dict[str, str]]:
    """The evidence with some pieces put in, or taken out."""
    other = {position: dict(nodes) for position, nodes in evidence.items()}
    for position, node, state in pieces:
        if state is None:
            other[position].pop(node, None)
        else:
            other[position][node] = state
    return other


def _thinkable(nodes: Mapping[str, str]) -> bool:
    """Whether a frequency of raising is possible at a frequency of playing."""
    if not all(node in nodes for node in HABITS):
        return True
    (_, most_played), (least_raised, _) = (map(int, nodes[node][1:].split("_")) for node in HABITS)
    return least_raised < most_played

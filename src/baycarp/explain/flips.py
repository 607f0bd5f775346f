"""The smallest change that flips a decision: of the case's features, or of the observed evidence.

One feature or observation is changed; if no single change flips the action, two are. The size of a change is
the distance between the two situations: 1 less the similarity of cases. Only possible changes are tried:

features    The public features occur together in a stored case, and there is a bet to call as before, so that
            the same actions are legal; the measured features (strength, potentials, the rank of the hand)
            are in the range of stored cases, in steps; and the changed situation has a case at or above the
            threshold. Hand types follow from the evidence and are not changed.
evidence    States with a probability of 1 % or more by the opponent model, given all else, of statistics and
            actions: board and positions are not changed; no player raises in more hands than it plays.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from operator import itemgetter
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from baycarp.agents.terms import act_words, feature_words, node_words, state_words, value_words
from baycarp.cases import Schema, Situation, retrieve
from baycarp.explain.counterfactual import Counterfactual, Evidence
from baycarp.kernels.similarity import STATES
from baycarp.opponents.network.earned import HABITS

__all__ = ["OVER", "Flip", "ValueChange", "apart", "flip"]

Over: TypeAlias = Literal["features", "evidence"]
"""The kind of change."""

OVER: tuple[Over, ...] = get_args(Over)

STEPS = (0.01, 0.05)
"""Steps between the tried values of a strength or potential: for one change, and for two."""


@dataclass(frozen=True, slots=True)
class ValueChange:
    """The present and the changed value of a feature, or of an observation; ``None`` = not observed.

    Parameters
    ----------
    what
        The feature, or the node of the observation.
    now, then
        Its values.
    player
        The observed opponent's name; "" = a feature.
    """

    what: str
    now: float | str | None
    then: float | str | None
    player: str = ""

    def __str__(self) -> str:
        return self._of_player() if self.player else self._of_feature()

    def _of_feature(self) -> str:
        now, then = (value_words(self.what, value) for value in (self.now, self.then))
        return f"with {feature_words(self.what)} {then} rather than {now}"

    def _of_player(self) -> str:
        """An act or a habit of an opponent, which may not have been observed."""
        now, then = ("" if value is None else str(value) for value in (self.now, self.then))
        is_act = act_words(self.what, now or then)
        if is_act and not then:
            return f"if it were not known that {self.player} {act_words(self.what, now)}"
        if is_act:
            instead = f" rather than {state_words(self.what, now)}" if now else ""
            return f"if {self.player} {act_words(self.what, then)}{instead}"
        now, then = (state_words(self.what, state) or "unknown" for state in (now, then))
        return f"with {self.player}'s {node_words(self.what)} {then} rather than {now}"


@dataclass(frozen=True, slots=True)
class Flip:
    """The changes, the distance between the situations (0..1), and the action after the changes."""

    changes: tuple[ValueChange, ...]
    size: float
    action: str

    def __str__(self) -> str:
        return f"{self.action}, {' and '.join(map(str, self.changes))}"


def flip(counterfactual: Counterfactual, over: Over) -> Flip | None:
    """Find the smallest change that flips the action: of one value, or else of two.

    Parameters
    ----------
    counterfactual
        The decision.
    over
        The kind of change; see the module.

    Returns
    -------
    Flip or None
        None if no change of two values flips the action, or there is nothing to change: before the flop, no
        evidence is used.

    Examples
    --------
    >>> import baycarp
    >>> agent = baycarp.load("baycarp2")
    >>> line, game = "MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", "holdem.limit.2p.reverse_blinds"
    >>> observation = baycarp.observe(line, game=game)
    >>> print(flip(Counterfactual(agent, observation, agent.decide(observation)), "features"))
    check, with hand strength 81 % rather than 93 %
    """
    if over == "evidence" and not counterfactual.observation.street:
        return None
    smallest = _first if over == "features" else _least
    return smallest(counterfactual, 1) or smallest(counterfactual, 2)


def apart(schema: Schema, one: Situation, other: Situation) -> float:
    """The distance between two situations: 1 less the weighted mean of the local similarities."""
    numbers = one.numbers.tolist(), other.numbers.tolist()
    alike = [scale(x, y) for scale, x, y in zip(schema.scales, *numbers, strict=True)]
    tables = schema.tables(one)
    alike += [float(tables[slot, code % STATES]) for slot, code in enumerate(other.codes.tolist())]
    return 1.0 - float(np.dot(schema.weights, alike)) / sum(schema.weights)


# Features


def _first(counterfactual: Counterfactual, changed: int) -> Flip | None:
    """The first feasible situation that flips the action, in descending order of similarity."""
    before, query = counterfactual.decision.action.name, counterfactual.situation
    for size, there in _features(counterfactual, changed):
        if not retrieve(counterfactual.casebase, there, at_most=1, fallback=0).ids.size:
            continue
        action = counterfactual.action(counterfactual.at(there))
        if action != before:
            now_and_then = zip(query.numbers.tolist(), there.numbers.tolist(), strict=True)
            named = zip(counterfactual.schema.numbers, now_and_then, strict=True)
            return Flip(
                tuple(ValueChange(feature.name, now, then) for feature, (now, then) in named if now != then),
                size,
                action,
            )
    return None


def _features(counterfactual: Counterfactual, changed: int) -> list[tuple[float, Situation]]:
    """All feasible situations with one or two features changed and their distances, ascending."""
    schema, query = counterfactual.schema, counterfactual.situation
    names = [feature.name for feature in schema.numbers]
    measured = [i for i, name in enumerate(names) if name in counterfactual.agent.strategy.measured]
    public = [i for i in range(len(names)) if i not in measured]
    grids = {i: _grid(counterfactual, i, STEPS[changed - 1]) for i in measured}
    options = []
    for stored in _public_features(counterfactual, public):
        differ = int((stored != query.numbers[public]).sum())
        for chosen in combinations(measured, changed - differ) if differ <= changed else ():
            for values in product(*(grids[i] for i in chosen)):
                numbers = query.numbers.copy()
                numbers[[*public, *chosen]] = *stored, *values
                options.append(replace(query, numbers=numbers))
    return sorted(((apart(schema, query, option), option) for option in options), key=itemgetter(0))


def _public_features(counterfactual: Counterfactual, public: list[int]) -> NDArray[np.float32]:
    """Their values now and in the stored cases that, like the present one, have or lack a bet to call."""
    ours = counterfactual.situation.numbers[public]
    stored = counterfactual.casebase.columns()["numbers"][public].T
    names = [counterfactual.schema.numbers[i].name for i in public]
    to_call = names.index(counterfactual.agent.strategy.price)
    fits = (stored[:, to_call] > 0) == (ours[to_call] > 0)
    return np.unique(np.vstack([stored[fits], ours]), axis=0)


def _grid(counterfactual: Counterfactual, column: int, step: float) -> NDArray[np.float32]:
    """The tried values of a measured feature: the stored ones of a rank, else steps within their bounds."""
    stored = counterfactual.casebase.columns()["numbers"][column]
    now = counterfactual.situation.numbers[column]
    values = np.unique(stored)
    if counterfactual.schema.numbers[column].name != "hand_rank":
        low, high = np.ceil((values[0] - now) / step), np.floor((values[-1] - now) / step)
        values = (now + step * np.arange(low, high + 1)).astype(np.float32)
    return np.asarray(values[values != now], np.float32)


# Evidence

Replaced = tuple[int, str, str | None]
"""An opponent's position, a node, and its changed state; ``None`` = not observed."""


def _least(counterfactual: Counterfactual, changed: int) -> Flip | None:
    """The smallest change that flips the action, of one or two pieces of evidence."""
    found: list[Flip] = []
    for pieces in combinations(_possible(counterfactual), changed):
        evidence = _changed(counterfactual.evidence, pieces)
        if len({piece[:2] for piece in pieces}) < changed or not all(
            map(_possible_habits, evidence.values())
        ):
            continue
        there = counterfactual.case(evidence)
        action = counterfactual.action(counterfactual.at(there))
        if action != counterfactual.decision.action.name:
            changes = tuple(
                ValueChange(
                    node, counterfactual.evidence[position].get(node), state, counterfactual.players[position]
                )
                for position, node, state in pieces
            )
            found.append(Flip(changes, apart(counterfactual.schema, counterfactual.situation, there), action))
    return min(found, key=lambda flip: flip.size, default=None)


def _possible(counterfactual: Counterfactual) -> list[Replaced]:
    """The possible changes of one piece of evidence, with all else unchanged."""
    evidence = counterfactual.evidence
    return [
        (position, node, state)
        for position, nodes in evidence.items()
        for node, state in counterfactual.tier.opponents.possible(
            counterfactual.observation, position, counterfactual.players[position], nodes
        )
        if _possible_habits(_changed(evidence, ((position, node, state),))[position])
    ]


def _changed(evidence: Evidence, pieces: Iterable[Replaced]) -> dict[int, dict[str, str]]:
    """The evidence with some pieces replaced, added or removed."""
    other: dict[int, dict[str, str | None]] = {position: {**nodes} for position, nodes in evidence.items()}
    for position, node, state in pieces:
        other[position][node] = state
    return {
        position: {node: state for node, state in nodes.items() if state is not None}
        for position, nodes in other.items()
    }


def _possible_habits(nodes: Mapping[str, str]) -> bool:
    """Whether a frequency of raising is possible with a frequency of playing."""
    if not all(node in nodes for node in HABITS):
        return True
    (_, most_played), (least_raised, _) = (map(int, nodes[node][1:].split("_")) for node in HABITS)
    return least_raised < most_played

"""Gambler's tables from observed hands (Matthews 2005, section 7): of all, one table, or one opponent.

Shown holdings enter as they are. Those of other players are hidden: before the flop all 169 classes are
possible; in later decisions P(win) is its mean over the inferred distribution. Expectation maximisation fills
in strategy, recommendation and the rest; the present tables are pseudo-counts, so that few observations move
them little.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from baycarp.bn import Network, Sample, em
from baycarp.card import CLASS_OF
from baycarp.opponents.gambler.reading import ReadAct
from baycarp.opponents.gambler.reverse import Networks

__all__ = ["Experience", "learned"]

Array = NDArray[np.float64]

STRENGTH: Mapping[str, float] = {"strategy": 20.0, "recommend": 50.0, "action": 200.0}
"""Pseudo-counts of a row of each table that is learned (our choice); the others stay as they are."""

FIXED = 1e9
"""Pseudo-counts of the rows of all other tables."""

ITERATIONS, TOLERANCE = 20, 1e-4

WIN_LEVELS = 50
"""Levels of P(win) by which equal decisions are counted together."""

_Key = tuple[int, tuple[int, ...], int, tuple[float, ...]]
"""Class or level; the evidence; the bias; the likelihood of each action."""


@dataclass
class Experience:
    """Counted observations; before the flop by the class, -1 = hidden, later by the level of P(win)."""

    preflop: Counter[_Key] = field(default_factory=Counter)
    later: Counter[_Key] = field(default_factory=Counter)

    def add(self, move: ReadAct, bias: int, holding: int = -1) -> None:
        """Count a move.

        Parameters
        ----------
        move
            The move.
        bias
            The code of the player's bias.
        holding
            The holding that it showed; -1 = none.
        """
        turn, action = move.turn, tuple(move.evidence.tolist())
        if turn.win is None:
            hole = int(CLASS_OF[holding]) if holding >= 0 else -1
            self.preflop[hole, turn.key, bias, action] += 1
            return
        free = turn.cell >= 0
        held = move.held[free] / move.held[free].sum()
        chance = turn.win[turn.cell[holding]] if holding >= 0 else turn.win[turn.cell[free]] @ held
        self.later[round(WIN_LEVELS * float(chance)), turn.key, bias, action] += 1


def learned(networks: Networks, experience: Experience) -> Networks:
    """The networks with tables moved by observations.

    Parameters
    ----------
    networks
        The prior.
    experience
        The observations.

    Examples
    --------
    >>> networks = Networks.ours()
    >>> learned(networks, Experience()) == networks
    True
    """
    preflop, decision = networks.preflop, networks.decision
    if experience.preflop:
        preflop = _fitted(preflop, _preflop_sample(experience))
    if experience.later:
        decision = _fitted(decision, _later_sample(experience, networks.acting))
    return Networks(preflop, decision, networks.form)


def _fitted(network: Network, sample: Sample) -> Network:
    prior = {
        node: STRENGTH[node] * network.cpt(node) if node in STRENGTH else FIXED * network.cpt(node)
        for node in network.structure.nodes
    }
    return em(sample, network, iterations=ITERATIONS, tolerance=TOLERANCE, prior=prior).network


def _preflop_sample(experience: Experience) -> Sample:
    keys = list(experience.preflop)
    holes = {"hole": np.array([hole for hole, _, _, _ in keys])}
    columns = holes | _columns(keys, ("position", "early-action", "mid-action"))
    return _sample(columns, keys, experience.preflop, {})


def _later_sample(experience: Experience, acts: tuple[str, ...]) -> Sample:
    keys = list(experience.later)
    columns = _columns(keys, ("stakes", "position", *acts))
    chance = np.clip(np.array([level for level, _, _, _ in keys]) / WIN_LEVELS, 0.001, 0.999)
    columns["win"] = np.full(len(keys), -1)
    return _sample(columns, keys, experience.later, {"win": np.stack([1 - chance, chance], axis=1)})


def _columns(keys: list[_Key], nodes: tuple[str, ...]) -> dict[str, NDArray[np.int64]]:
    return {node: np.array([evidence[k] for _, evidence, _, _ in keys]) for k, node in enumerate(nodes)}


def _sample(
    columns: dict[str, NDArray[np.int64]],
    keys: list[_Key],
    counts: Mapping[_Key, int],
    soft: dict[str, Array],
) -> Sample:
    """Rows with the bias, and the action as it was observed."""
    actions = np.array([action for _, _, _, action in keys])
    sure = actions.sum(axis=1) == 1
    columns["bias"] = np.array([bias for _, _, bias, _ in keys])
    columns["action"] = np.where(sure, actions.argmax(axis=1), -1)
    hidden = {node: np.full(len(keys), -1) for node in ("group", "strategy", "recommend")}
    if soft:
        hidden = {"recommend": hidden["recommend"]}
    weights = np.array([counts[key] for key in keys], np.float64)
    return Sample(hidden | columns, soft | {"action": actions}, weights)

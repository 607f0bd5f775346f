"""The shift of a belief by each observation."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from baycarp.bn.inference import Inference

__all__ = ["Shift", "shifts"]


class Shift(NamedTuple):
    """The effect of one observed node.

    Parameters
    ----------
    node, state
        The observed state.
    moved
        The share of the belief that lies elsewhere without it (total variation), 0..1.
    towards
        The state of the belief that it made most likelier, by difference of probability.
    """

    node: str
    state: str
    moved: float
    towards: str


def shifts(inference: Inference, evidence: Mapping[str, str], wanted: str) -> tuple[Shift, ...]:
    """Rank the evidence by how much the belief in a node depends on it, the most first.

    Parameters
    ----------
    inference
        The network.
    evidence
        The evidence: node -> state.
    wanted
        The node of the belief.

    Raises
    ------
    EvidenceError
        Evidence that is not of the network, or has probability 0.

    Examples
    --------
    >>> from baycarp.bn import Network, Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> [(s.node, round(s.moved, 3), s.towards) for s in shifts(Inference(network), {"Grass": "wet"}, "Rain")]
    [('Grass', 0.504, 'yes')]
    """
    states = inference.network.structure.states[wanted]
    belief = inference.posterior(evidence, (wanted,))[wanted]
    found = []
    for node, state in evidence.items():
        rest = {other: value for other, value in evidence.items() if other != node}
        gained = belief - inference.posterior(rest, (wanted,))[wanted]
        found.append(Shift(node, state, float(np.abs(gained).sum() / 2), states[int(np.argmax(gained))]))
    return tuple(sorted(found, key=lambda shift: -shift.moved))

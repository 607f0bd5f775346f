"""The most probable explanation: the most probable joint states of all hidden nodes given the evidence."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.elimination import Compiler
from baycarp.bn.likelihood import Likelihoods
from baycarp.bn.network import Network
from baycarp.bn.plan import verify_nodes
from baycarp.errors import EvidenceError, brief
from baycarp.kernels import explanation
from baycarp.kernels.arguments import array

__all__ = ["Explainer", "Explanation"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The most probable joint states of the hidden nodes.

    Parameters
    ----------
    states
        By node.
    log_probability
        Log-probability of these states and the evidence, nats.
    """

    states: dict[str, str]
    log_probability: float


class Explainer:
    """Compiled search for explanations, from evidence on some nodes.

    Parameters
    ----------
    network
        The network.
    observed
        The nodes with hard evidence, in the order of a row of codes.
    soft
        The nodes with soft evidence, none of them observed.

    Raises
    ------
    EvidenceError
        An unknown or repeated node.

    Notes
    -----
    Dechter (1999), "Bucket elimination: a unifying framework for reasoning", section 5.

    Examples
    --------
    >>> from baycarp.bn import Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> found = Explainer(network, ("Grass",)).explain({"Grass": "wet"})
    >>> found.states, round(float(np.exp(found.log_probability)), 3)
    ({'Rain': 'yes'}, 0.19)
    """

    def __init__(self, network: Network, observed: tuple[str, ...], soft: tuple[str, ...] = ()) -> None:
        structure = network.structure
        verify_nodes(network, (*observed, *soft), observed, (), soft)
        self.network, self.observed = network, observed
        shown = set(observed)
        self.hidden = tuple(node for node in structure.nodes if node not in shown)
        self._likelihoods = Likelihoods(structure, soft)
        with np.errstate(divide="ignore"):
            logs = np.log(network.tables)
        program, loops = Compiler(network, observed, soft).explanation(logs)
        number = {"": -1} | {node: i for i, node in enumerate(self.hidden)}
        variables = [[number[node] for node in step] for step in loops]
        lengths = [structure.cardinality(node) for node in self.hidden]
        self._kernel = explanation.Explanation(program, variables, lengths)

    def explain(
        self, evidence: Mapping[str, str], soft: Mapping[str, ArrayLike] | None = None
    ) -> Explanation:
        """The most probable states; of equally probable ones the first.

        Raises
        ------
        EvidenceError
            Evidence that does not fit, or of probability 0.
        """
        states = self.network.structure.states
        if set(evidence) != set(self.observed):
            raise EvidenceError(f"evidence on {tuple(evidence)}: expected exactly {self.observed}")
        for node in self.observed:
            if evidence[node] not in states[node]:
                raise EvidenceError(
                    f"evidence {brief(node)} = {brief(evidence[node])}: expected one of {states[node]}"
                )
        row = [[states[node].index(evidence[node]) for node in self.observed]]
        given = {node: array(values, f"likelihoods of {node}")[None] for node, values in (soft or {}).items()}
        found, probability = self.explain_rows(np.array(row, dtype=np.int64).reshape(1, -1), given)
        return Explanation(
            {node: states[node][codes[0]] for node, codes in found.items()}, float(probability[0])
        )

    def explain_rows(
        self, codes: ArrayLike, soft: Mapping[str, ArrayLike] | None = None
    ) -> tuple[dict[str, NDArray[np.int32]], NDArray[np.float64]]:
        """Explain many rows of codes: codes of each hidden node, shape (n,), and log-probabilities.

        Raises
        ------
        EvidenceError
            Codes or likelihoods that do not fit, or a row of probability 0.
        """
        codes = array(codes, "codes")
        with np.errstate(divide="ignore"):
            likelihoods = np.log(self._likelihoods.rows(soft or {}, len(np.atleast_1d(codes))))
        found, probability = self._kernel.run_batch(codes, likelihoods)
        if not np.all(probability > -np.inf):
            row = int(np.argmin(probability > -np.inf))
            raise EvidenceError(f"row {row}: impossible evidence: its probability is 0")
        return {node: found[:, number] for number, node in enumerate(self.hidden)}, probability

"""Approximate inference by sampling (Matthews 2005, section 5).

`gibbs` samples each variable given its Markov blanket; `weighted` samples every variable given its parents
and weights the sample by the evidence (Fung and Chang 1990; Shachter and Peot 1990); `hypercube` stratifies
the uniform numbers of each variable (Cheng and Druzdzel 2000); `stratified` the configurations as a whole
(Bouckaert 1994); `importance` samples roots by their estimated posteriors. The same seed gives the same
result.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.network import Network
from baycarp.bn.wide import Wide, times, underflows, wide
from baycarp.errors import EvidenceError, brief
from baycarp.kernels.arguments import instance, seeded, whole

__all__ = ["Sampled", "gibbs", "hypercube", "importance", "sample", "stratified", "weighted"]

MOST_SAMPLES = 2**28
"""Samples at once: 2 GiB a node."""

CHAINS = 100
"""Parallel chains with random start states; their spread gives the standard error of their mean."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """Sampled marginals.

    Parameters
    ----------
    marginals
        By hidden node, the probabilities of its states.
    errors
        Their standard errors, from the spread of the chains or of the weights.
    """

    marginals: dict[str, NDArray[np.float64]]
    errors: dict[str, NDArray[np.float64]]


def sample(network: Network, n: int, seed: int) -> dict[str, NDArray[np.int64]]:
    """Sample rows from a network, as columns of codes of shape (n,).

    Raises
    ------
    ArgumentError
        A number of rows or a seed out of range.

    Examples
    --------
    >>> from baycarp.bn import Structure
    >>> network = Network(Structure({"Rain": ["no", "yes"]}), {"Rain": [0.8, 0.2]})
    >>> float(sample(network, 10_000, seed=1)["Rain"].mean().round(2))
    0.2
    """
    rng = _begun(network, n, seed, at_least=0)
    return _forward(network, {}, {node: rng.random(n) for node in network.structure.order}, n)[0]


def gibbs(network: Network, evidence: Mapping[str, str], samples: int, seed: int) -> Sampled:
    """Sample by Markov blankets ("logic sampling" in Matthews (2005)): each hidden variable given all others.

    Parameters
    ----------
    network
        The network; with probabilities of 0 a chain may not reach every state.
    evidence
        States by node.
    samples
        Number of samples in all ``CHAINS`` chains; each chain first discards a tenth of its share as burn-in.
    seed
        Seed of the random generator.

    Raises
    ------
    EvidenceError
        An unknown node or state, or a chain at a variable without a possible state.
    ArgumentError
        A number of samples or a seed out of range.
    """
    rng, structure = _begun(network, samples, seed), network.structure
    fixed = _fixed(network, evidence)
    hidden = [node for node in structure.order if node not in fixed]
    state = {
        node: np.full(CHAINS, fixed[node])
        if node in fixed
        else rng.integers(0, structure.cardinality(node), CHAINS)
        for node in structure.nodes
    }
    visits = {node: np.zeros((CHAINS, structure.cardinality(node))) for node in hidden}
    tables = {node: [network.cpt(each) for each in (node, *structure.children[node])] for node in hidden}
    small = {node for node in hidden if underflows(tables[node])}
    steps = -(-samples // CHAINS)
    for step in range(-(-steps // 10) * -1, steps):
        for node in hidden:
            state[node] = _draw(_blanket(network, node, state, node in small), rng.random(CHAINS))
            if step >= 0:
                visits[node][np.arange(CHAINS), state[node]] += 1
    shares = {node: counts / steps for node, counts in visits.items()}
    errors = {node: share.std(0, ddof=1) / np.sqrt(CHAINS) for node, share in shares.items()}
    return Sampled({node: share.mean(0) for node, share in shares.items()}, errors)


def weighted(network: Network, evidence: Mapping[str, str], samples: int, seed: int) -> Sampled:
    """Sample by likelihood weighting; `hypercube` and `stratified` raise the same errors.

    Raises
    ------
    EvidenceError
        An unknown node or state, or weight 0 of every sample.
    ArgumentError
        A number of samples or a seed out of range.

    Examples
    --------
    >>> from baycarp.bn import Structure
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> network = Network(rain, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})
    >>> weighted(network, {"Grass": "wet"}, 40_000, seed=1).marginals["Rain"].round(2)
    array([0.3, 0.7])
    """
    rng = _begun(network, samples, seed)
    return _weigh(network, evidence, {node: rng.random(samples) for node in network.structure.order}, samples)


def hypercube(network: Network, evidence: Mapping[str, str], samples: int, seed: int) -> Sampled:
    """Sample by likelihood weighting on a Latin hypercube: one number in each n-th of a variable's range.

    The standard errors are computed as for `weighted`, the true ones are smaller.
    """
    rng = _begun(network, samples, seed)
    draws = {
        node: (rng.permutation(samples) + rng.random(samples)) / samples for node in network.structure.order
    }
    return _weigh(network, evidence, draws, samples)


def stratified(network: Network, evidence: Mapping[str, str], samples: int, seed: int) -> Sampled:
    """Sample by likelihood weighting with one number in each n-th of the range of all configurations.

    The number of a sample chooses the state of the first variable; its place within that state's share
    chooses the second, and so on (Bouckaert 1994). Once its digits are used up, new ones are drawn. The
    standard errors are computed as for `weighted`; the true ones are smaller.
    """
    rng = _begun(network, samples, seed)
    return _weigh(
        network, evidence, _Nested((np.arange(samples) + rng.random(samples)) / samples, rng), samples
    )


def importance(network: Network, evidence: Mapping[str, str], samples: int, seed: int) -> Sampled:
    """Sample by self-importance: hidden roots by their posteriors, as a tenth of the samples estimates them.

    Each estimate is mixed with a tenth of the prior, so that every state stays possible; the weights contain
    the ratio of the two (Shachter and Peot 1990). All samples count, the first ones by likelihood weighting.

    Raises
    ------
    EvidenceError
        An unknown node or state, or weight 0 of every sample of a part.
    ArgumentError
        A number of samples or a seed out of range.
    """
    _begun(network, samples, seed)
    first = max(samples // 10, 1)
    pilot = weighted(network, evidence, first, seed)
    if first == samples:
        return pilot
    structure = network.structure
    roots = {node: network.cpt(node) for node in pilot.marginals if not structure.parents[node]}
    proposed = {node: 0.9 * pilot.marginals[node] + 0.1 * prior for node, prior in roots.items()}
    tables = {node: network.cpt(node) for node in structure.nodes} | proposed
    ratios = {node: prior / np.where(prior > 0, proposed[node], 1) for node, prior in roots.items()}
    rng, rest = seeded(seed, 1), samples - first
    draws = {node: rng.random(rest) for node in structure.order}
    later = _weigh(Network(structure, tables), evidence, draws, rest, ratios)
    share = first / samples
    mix = {node: share * mean + (1 - share) * later.marginals[node] for node, mean in pilot.marginals.items()}
    errors = {
        node: np.hypot(share * pilot.errors[node], (1 - share) * later.errors[node]) for node in pilot.errors
    }
    return Sampled(mix, errors)


class _Nested:
    """The numbers of a stratified sample; ``used`` narrows them to the shares of the chosen states."""

    LEAST = 2.0**-26
    """A configuration's probability from which on the digits of its number are used up."""

    def __init__(self, numbers: NDArray[np.float64], rng: np.random.Generator) -> None:
        self._numbers, self._rng, self._left = numbers, rng, np.ones(len(numbers))

    def __getitem__(self, node: str) -> NDArray[np.float64]:
        return self._numbers

    def used(self, chances: NDArray[np.float64], codes: NDArray[np.int64]) -> None:
        """The place of each number within the share of the state that it chose."""
        rows = np.arange(len(codes))
        shares = chances[rows, codes]
        below = np.cumsum(chances, axis=1)[rows, codes] - shares
        self._numbers = np.clip((self._numbers - below) / shares, 0, 1 - 2**-53)
        self._left = self._left * shares
        spent = self._left < self.LEAST
        self._numbers = np.where(spent, self._rng.random(len(codes)), self._numbers)


def _weigh(
    network: Network,
    evidence: Mapping[str, str],
    draws: "Mapping[str, NDArray[np.float64]] | _Nested",
    n: int,
    ratios: Mapping[str, NDArray[np.float64]] | None = None,
) -> Sampled:
    """Likelihood weighting; ``ratios``: by node, a factor of the weight by state."""
    fixed = _fixed(network, evidence)
    columns, weights = _forward(network, fixed, draws, n)
    for node, ratio in (ratios or {}).items():
        weights = times(weights, wide(ratio[columns[node]]))
    shares, _ = weights.scaled()
    if not shares.any():
        raise EvidenceError(f"evidence {dict(evidence)}: possible in none of {n} samples")
    shares /= shares.sum()
    marginals: dict[str, NDArray[np.float64]] = {}
    errors: dict[str, NDArray[np.float64]] = {}
    for node in network.structure.nodes:
        if node not in fixed:
            states = network.structure.cardinality(node)
            mean = marginals[node] = np.bincount(columns[node], shares, states).astype(np.float64)
            hit = np.bincount(columns[node], shares**2, states)
            missed = hit @ (1 - np.eye(states))  # a subtraction could give a negative number
            errors[node] = np.sqrt(hit * (1 - mean) ** 2 + missed * mean**2)
    return Sampled(marginals, errors)


def _forward(
    network: Network,
    fixed: Mapping[str, int],
    draws: "Mapping[str, NDArray[np.float64]] | _Nested",
    n: int,
) -> tuple[dict[str, NDArray[np.int64]], Wide]:
    """Sample every variable given its parents; return columns and the probability of fixed variables."""
    columns: dict[str, NDArray[np.int64]] = {}
    weights = wide(np.ones(n))
    for node in network.structure.order:
        table = network.cpt(node)
        chances = np.broadcast_to(
            table[tuple(columns[parent] for parent in network.structure.parents[node])], (n, table.shape[-1])
        )
        if node in fixed:
            columns[node] = np.full(n, fixed[node])
            weights = times(weights, wide(chances[:, fixed[node]]))
        else:
            columns[node] = _draw(chances, draws[node])
            if isinstance(draws, _Nested):
                draws.used(chances, columns[node])
    return columns, weights


def _blanket(
    network: Network, node: str, state: Mapping[str, NDArray[np.int64]], small: bool
) -> NDArray[np.float64]:
    """P(node | all other nodes), up to a factor: its row times the cells of its children.

    ``small``: the product may underflow.
    """
    structure = network.structure
    own = network.cpt(node)[tuple(state[parent] for parent in structure.parents[node])]
    factors = [np.broadcast_to(own, (CHAINS, structure.cardinality(node)))]
    for child in structure.children[node]:
        family = structure.family(child)
        at = tuple(np.arange(structure.cardinality(node)) if m == node else state[m][:, None] for m in family)
        factors.append(network.cpt(child)[at])
    if small:
        return reduce(times, map(wide, factors)).scaled()[0]
    return reduce(np.multiply, factors)


def _draw(chances: NDArray[np.float64], draws: NDArray[np.float64]) -> NDArray[np.int64]:
    """Sample a state for each row from unnormalised probabilities."""
    below = np.cumsum(chances, axis=1)
    if not np.all(below[:, -1] > 0):
        raise EvidenceError(
            "a walk met a variable with no possible state: tables with zeros need exact inference"
        )
    codes = (draws[:, None] * below[:, -1:] >= below).sum(axis=1, dtype=np.int64)
    return np.asarray(np.minimum(codes, chances.shape[1] - 1))


def _begun(network: Network, samples: int, seed: int, at_least: int = 1) -> np.random.Generator:
    """The generator of the samples, once all arguments but the evidence are checked."""
    instance(network, Network, "network")
    whole(samples, "samples", at_least, MOST_SAMPLES)
    return seeded(seed)


def _fixed(network: Network, evidence: Mapping[str, str]) -> dict[str, int]:
    states = network.structure.states
    if not isinstance(evidence, Mapping):
        raise TypeError(f"evidence: expected states by node, got {brief(evidence)}")
    for node, state in evidence.items():
        if node not in states or state not in states[node]:
            known = states.get(node, network.structure.nodes)
            raise EvidenceError(f"evidence {brief(node)} = {brief(state)}: expected one of {known}")
    return {node: states[node].index(state) for node, state in evidence.items()}

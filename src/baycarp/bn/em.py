"""CPTs from rows with missing values: expectation maximisation.

The E-step counts each completion of a row by its probability given the observed nodes of the row. The M-step
fits the tables to these counts; the likelihood of the rows never falls. A node is barren in a row that
observes neither the node nor a descendant: such a row is not counted for the table of the node.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from baycarp.bn.em_rows import Data, Sample, count_complete, log_sum, parts, table_of
from baycarp.bn.network import Network, Structure, reals
from baycarp.errors import EvidenceError, SchemaError, brief
from baycarp.kernels.arguments import MOST_INT64, instance, real, seeded, whole

__all__ = ["FittedNetwork", "Prior", "Sample", "em", "random_network"]

Prior: TypeAlias = float | Mapping[str, ArrayLike]
"""An equivalent sample size (BDeu), or the pseudo-counts of each node's table."""


@dataclass(frozen=True, slots=True)
class FittedNetwork:
    """The result of expectation maximisation.

    Parameters
    ----------
    network
        The network with the tables of the last M-step.
    log_likelihoods
        Log-likelihoods of the rows, nats: of the start, then after each M-step.
    """

    network: Network
    log_likelihoods: tuple[float, ...]


def em(
    sample: Sample,
    start: Network,
    *,
    iterations: int,
    tolerance: float,
    prior: Prior,
) -> FittedNetwork:
    """Fit every table by expectation maximisation.

    Parameters
    ----------
    sample
        The rows.
    start
        The network with the initial tables. A probability of 0 stays 0; equal hidden states stay equal.
    iterations
        The largest number of M-steps.
    tolerance
        EM stops after an iteration that gains less, in nats per row; 0 = until an iteration gains nothing.
    prior
        Pseudo-counts added to the expected counts: an equivalent sample size per table as for `fit`, or an
        array for each node, of the table's shape. 0 = maximum likelihood; a configuration of the parents
        without counts then keeps its row.

    Raises
    ------
    SchemaError
        Rows, weights or prior that do not fit the network; a tolerance that is not a number below infinity.
    ArgumentError
        A negative number of iterations.
    EvidenceError
        Likelihoods that do not fit, or a row of probability 0 under the start.

    Notes
    -----
    Dempster, Laird and Rubin (1977); Lauritzen (1995), "The EM algorithm for graphical association models
    with missing data". With a prior the posterior density never falls; the likelihood alone may.

    Examples
    --------
    >>> rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    >>> start = Network(rain, {"Rain": [0.5, 0.5], "Grass": [[0.9, 0.1], [0.2, 0.8]]})
    >>> observation = {"Rain": [-1, -1, 0, 1], "Grass": [1, 0, 0, 1]}
    >>> fitted = em(Sample(observation), start, iterations=50, tolerance=1e-9, prior=0)
    >>> fitted.network.cpt("Rain").round(3), [round(x, 3) for x in fitted.log_likelihoods[:2]]
    (array([0.5, 0.5]), [-3.111, -2.925])
    """
    most = whole(iterations, "iterations", 0, MOST_INT64)
    if not real(tolerance, "tolerance") < np.inf:
        raise SchemaError(f"tolerance {brief(tolerance)}: expected a gain in nats a row")
    data = Data(start.structure, sample)
    tables = start.tables.copy()
    prior_counts = _prior_counts(start, prior)
    rows, incomplete = parts(start, tables, data)
    complete_counts = np.zeros_like(tables)
    count_complete(start, data, rows, complete_counts)
    fixed_counts = prior_counts.copy()  # of every iteration: nodes that are observed with their parents
    for part in incomplete:
        part.count(fixed_counts)
    fixed_counts += complete_counts
    layout = _Tables(start.structure)
    complete_data = _Density(complete_counts)
    log_prior = _Density(prior_counts)
    expected_counts = np.empty_like(fixed_counts)
    likelihoods: list[float] = []
    best = -np.inf
    while True:
        expected_counts[:] = fixed_counts
        likelihood = data.scale + complete_data.log(tables)
        likelihood += sum(part.expect(expected_counts) for part in incomplete)
        if likelihood == -np.inf:
            raise EvidenceError("rows that show every node: some are impossible under the start")
        likelihoods.append(float(likelihood))
        posterior = likelihood + log_prior.log(tables)
        if len(likelihoods) > most or posterior - best <= tolerance * data.total:
            return FittedNetwork(_network(start, tables), tuple(likelihoods))
        best = posterior
        layout.maximise(tables, expected_counts)


def _prior_counts(start: Network, prior: Prior) -> NDArray[np.float64]:
    """The counts of the prior, in the layout of the tables."""
    out, structure = np.zeros_like(start.tables), start.structure
    if isinstance(prior, Mapping) and set(prior) != set(structure.nodes):
        raise SchemaError(f"prior for {tuple(prior)}: expected one a node of {structure.nodes}")
    if not isinstance(prior, Mapping):
        prior = real(prior, "prior")
    for node in structure.nodes:
        shape = structure.shape(node)
        given = prior[node] if isinstance(prior, Mapping) else np.full(shape, prior / np.prod(shape))
        given = reals(given)
        if given.shape != shape or not np.all((given >= 0) & np.isfinite(given)):
            raise SchemaError(f"prior of {brief(node)}: expected counts of at least 0 and shape {shape}")
        table_of(start, node, out)[...] = given
    return out


class _Tables:
    """The layout of all tables: their rows, one distribution each."""

    def __init__(self, structure: Structure) -> None:
        shapes = [structure.shape(node) for node in structure.nodes]
        self._lengths = np.concatenate([np.full(math.prod(shape[:-1]), shape[-1]) for shape in shapes])
        self._starts = np.cumsum(self._lengths) - self._lengths

    def maximise(self, tables: NDArray[np.float64], counts: NDArray[np.float64]) -> None:
        """The M-step, in place: a row without counts stays."""
        sums = np.repeat(np.add.reduceat(counts, self._starts), self._lengths)
        np.divide(counts, sums, out=tables, where=sums > 0)


class _Density:
    """The sum of counts times log-probabilities."""

    def __init__(self, counts: NDArray[np.float64]) -> None:
        self._places = slice(None) if np.all(counts > 0) else np.flatnonzero(counts > 0)
        self._counts = counts[self._places]

    def log(self, tables: NDArray[np.float64]) -> float:
        with np.errstate(divide="ignore"):
            return log_sum(self._counts, tables[self._places])


def _network(start: Network, tables: NDArray[np.float64]) -> Network:
    return Network(start.structure, {node: table_of(start, node, tables) for node in start.structure.nodes})


def random_network(structure: Structure, seed: int, concentration: float = 1.0) -> Network:
    """A network with every row sampled from a symmetric Dirichlet distribution: a start for `em`.

    Parameters
    ----------
    structure
        The nodes.
    seed
        Seed of the random generator.
    concentration
        Above 0; 1 = uniform over all distributions, larger = closer to the uniform distribution.

    Examples
    --------
    >>> float(random_network(Structure({"Rain": ["no", "yes"]}), seed=1).cpt("Rain").sum())
    1.0
    """
    rng, states = seeded(seed), instance(structure, Structure, "structure").cardinality
    if not 0 < real(concentration, "concentration") < np.inf:
        raise SchemaError(f"concentration {brief(concentration)}: expected a finite number above 0")
    return Network(
        structure,
        {
            node: rng.dirichlet(np.full(states(node), concentration), size=structure.shape(node)[:-1])
            for node in structure.nodes
        },
    )

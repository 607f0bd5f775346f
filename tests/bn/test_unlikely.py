"""Evidence too unlikely for float64: every result against exact fractions, or against logarithms."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from baycarp.bn import Inference, Network, Structure, compile, wide
from baycarp.bn.em import Sample, em
from baycarp.bn.rows import RowPlan
from baycarp.bn.sampling import gibbs, importance, weighted
from baycarp.errors import EvidenceError

SHARP = {"A": ["x", "y"], "N0": ["a", "b"], "N1": ["a", "b"]}


def sharp():
    """The product of both tables at x and a underflows, that at y and a nearly."""
    rows = [[1.6e-162, 1], [4e-162, 1]]
    return Network(Structure(SHARP, {"N0": ["A"], "N1": ["A"]}), {"A": [0.5, 0.5], "N0": rows, "N1": rows})


def extreme_row(rng, states, zeros):
    row = 2.0 ** -rng.integers(1, 1000, states).astype(float)
    row[rng.random(states) < zeros] = 0
    row[rng.integers(states)] = 0
    row[np.argmin(row)] = 1 - row.sum()
    return row


def extreme_network(rng, nodes, zeros):
    names = [f"N{i}" for i in range(nodes)]
    states = {name: [f"s{i}" for i in range(rng.integers(1, 4))] for name in names}
    parents = {
        name: [str(n) for n in rng.permutation(names[:i])[: rng.integers(0, 4)]]
        for i, name in enumerate(names)
    }
    structure = Structure(states, parents)
    cpts = {}
    for name in names:
        shape = structure.shape(name)
        rows = [extreme_row(rng, shape[-1], zeros) for _ in range(math.prod(shape[:-1]))]
        cpts[name] = np.array(rows).reshape(shape)
    return Network(structure, cpts)


def exact(network, codes, target, soft=None):
    """The weight of each state of the target, as fractions, from the joint distribution."""
    structure = network.structure
    weights = [Fraction(0)] * structure.cardinality(target)
    free = [[codes[n]] if n in codes else range(structure.cardinality(n)) for n in structure.nodes]
    for cell in itertools.product(*free):
        at = dict(zip(structure.nodes, cell, strict=True))
        weight = Fraction(1)
        for node in structure.nodes:
            weight *= Fraction(float(network.cpt(node)[tuple(at[m] for m in structure.family(node))]))
            if soft and node in soft:
                weight *= Fraction(float(soft[node][at[node]]))
        weights[at[target]] += weight
    return weights


def log(fraction):
    return math.log(fraction.numerator) - math.log(fraction.denominator)


def shares(weights):
    return [float(weight / sum(weights)) for weight in weights]


def test_a_weight_that_underflows_counts():
    x, y = exact(sharp(), {"N0": 0, "N1": 0}, "A")
    found = Inference(sharp()).posterior({"N0": "a", "N1": "a"}, ["A"])
    assert found["A"] == pytest.approx(shares([x, y]), rel=1e-15)
    assert found.probability == float(x + y)


@pytest.mark.parametrize(("zeros", "cells"), [(0.0, wide.CELLS), (0.3, 5)])
def test_random_extreme_networks_equal_fractions(zeros, cells, monkeypatch):
    monkeypatch.setattr(wide, "CELLS", cells)
    rng = np.random.default_rng(6)
    beyond = impossible = 0
    for _ in range(60):
        network = extreme_network(rng, int(rng.integers(2, 7)), zeros)
        structure = network.structure
        seen = [node for node in structure.nodes if rng.random() < 0.6]
        soft_nodes = [n for n in structure.nodes if n not in seen and rng.random() < 0.2]
        soft = {n: 2.0 ** -rng.integers(0, 1000, structure.cardinality(n)).astype(float) for n in soft_nodes}
        wanted = [node for node in structure.nodes if node not in seen]
        codes = np.array([[rng.integers(structure.cardinality(n)) for n in seen] for _ in range(3)], np.int64)
        codes = codes.reshape(3, len(seen))
        plan = compile(network, seen, wanted, soft_nodes)
        relevant = compile(network, seen, wanted, soft_nodes, relevant_only=True)
        for row in codes:
            known = dict(zip(seen, row.tolist(), strict=True))
            evidence = {node: structure.states[node][code] for node, code in known.items()}
            total = sum(exact(network, known, structure.nodes[0], soft))
            beyond += 0 < total < Fraction(2) ** -1022
            impossible += not total
            many = {node: np.tile(values, (1, 1)) for node, values in soft.items()}
            if not total:
                with pytest.raises(EvidenceError, match="impossible"):
                    plan.posterior(evidence, soft)
                assert plan.log_likelihood(row[None], many) == -math.inf
                continue
            assert plan.log_likelihood(row[None], many) == pytest.approx(log(total), rel=1e-13, abs=1e-13)
            assert plan.probability(evidence, soft) == pytest.approx(float(total), rel=1e-12, abs=1e-323)
            for each in (plan, relevant):
                found, rows = each.posterior(evidence, soft), each.posteriors(row[None], many)
                for node in wanted:
                    expected = shares(exact(network, known, node, soft))
                    np.testing.assert_allclose(found[node], expected, rtol=0, atol=1e-12)
                    assert np.array_equal(rows[node][0], found[node])
    assert beyond > 20
    assert (impossible > 10) == (zeros > 0)


def naive_bayes(features, rng, states=3):
    nodes = {"C": [f"c{i}" for i in range(states)]} | {f"F{i}": ["a", "b"] for i in range(features)}
    structure = Structure(nodes, {f"F{i}": ["C"] for i in range(features)})
    chances = 10.0 ** -rng.uniform(2, 4, (features, 1)) * rng.uniform(0.99, 1.01, (features, states))
    cpts = {f"F{i}": np.stack([row, 1 - row], axis=1) for i, row in enumerate(chances)}
    return Network(structure, {"C": np.full(states, 1 / states), **cpts}), chances


@pytest.mark.parametrize("features", [107, 3000])
def test_naive_bayes_equals_logarithms(features):
    network, chances = naive_bayes(features, np.random.default_rng(features))
    logs = [math.fsum(map(math.log, column)) for column in chances.T]
    expected = np.exp(np.array(logs) - max(logs))
    evidence = {f"F{i}": "a" for i in range(features)}
    plan = compile(network, evidence, ["C"])
    found = plan.posterior(evidence)
    np.testing.assert_allclose(found["C"], expected / expected.sum(), rtol=0, atol=1e-11)
    everything = plan.log_likelihood(np.zeros((1, features), np.int64))
    assert everything == pytest.approx(max(logs) + math.log(expected.mean()), rel=1e-13)


def test_each_factor_may_favour_another_state():
    """Every partial product is tiny for one state, whatever the order: only exponents help."""
    rows = [[[1.0, 0.0], [2.0**-800, 1 - 2.0**-800]], [[2.0**-800, 1 - 2.0**-800], [1.0, 0.0]]]
    nodes = {"C": ["x", "y"]} | {f"F{i}": ["a", "b"] for i in range(8)}
    structure = Structure(nodes, {f"F{i}": ["C"] for i in range(8)})
    network = Network(structure, {"C": [0.25, 0.75], **{f"F{i}": rows[i % 2] for i in range(8)}})
    found = Inference(network).posterior({f"F{i}": "a" for i in range(8)}, ["C"])
    assert found["C"].tolist() == [0.25, 0.75]


def test_relevant_nodes_alone_may_be_unlikely():
    """The evidence of one target is ordinary, that of the other underflows, or is impossible."""
    states = {"B": ["x", "y"], "M": ["a", "b"]} | SHARP
    structure = Structure(states, {"N0": ["A"], "N1": ["A"], "M": ["B"]})
    tables = {node: sharp().cpt(node) for node in SHARP} | {"B": [0.5, 0.5], "M": [[0.5, 0.5], [0.25, 0.75]]}
    evidence = {"M": "a", "N0": "a", "N1": "a"}
    found = compile(Network(structure, tables), evidence, ["B", "A"], relevant_only=True).posterior(evidence)
    assert found["A"] == pytest.approx([0.13793103448275862, 0.8620689655172413], rel=1e-15)
    assert found["B"] == pytest.approx([2 / 3, 1 / 3])
    tables["N0"] = [[0, 1], [0, 1]]
    with pytest.raises(EvidenceError, match="impossible"):
        compile(Network(structure, tables), evidence, ["B", "A"], relevant_only=True).posterior(evidence)


def test_likely_and_unlikely_rows_together():
    plan = compile(sharp(), ["N0", "N1"], ["A"])
    rows = [[1, 1], [0, 0], [0, 1]]
    found = plan.posteriors(rows)["A"]
    for row, values in zip(rows, found, strict=True):
        expected = shares(exact(sharp(), dict(zip(["N0", "N1"], row, strict=True)), "A"))
        np.testing.assert_allclose(values, expected, rtol=1e-14)


def test_expected_counts_of_unlikely_rows():
    """One M-step from the fractions' posteriors."""
    rows = {"A": [-1, -1, -1], "N0": [0, 1, 0], "N1": [0, 1, 1]}
    fitted = em(Sample(rows), sharp(), iterations=1, tolerance=0, prior=0)
    seen = [{"N0": 0, "N1": 0}, {"N0": 1, "N1": 1}, {"N0": 0, "N1": 1}]
    weights = [exact(sharp(), each, "A") for each in seen]
    posteriors = np.array([shares(each) for each in weights])
    assert fitted.log_likelihoods[0] == pytest.approx(sum(log(sum(each)) for each in weights), rel=1e-14)
    np.testing.assert_allclose(fitted.network.cpt("A"), posteriors.mean(axis=0), rtol=1e-14)
    by_state = posteriors[[0, 2]].sum(axis=0) / posteriors.sum(axis=0)
    np.testing.assert_allclose(fitted.network.cpt("N0")[:, 0], by_state, rtol=1e-14)


def test_rows_that_are_still_impossible_are_refused():
    start = Network(sharp().structure, {"A": [0.5, 0.5], "N0": [[0, 1], [0, 1]], "N1": sharp().cpt("N1")})
    with pytest.raises(EvidenceError, match="row 1: impossible under the start"):
        em(Sample({"A": [-1, -1], "N0": [1, 0], "N1": [0, 0]}), start, iterations=1, tolerance=0, prior=0)


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_rows_of_likelihoods_of_any_scale(scale):
    """The product of two likelihoods of a row underflows, or overflows."""
    structure = Structure({"A": ["x", "y"], "B": ["x", "y"], "C": ["x", "y"]}, {"C": ["A", "B"]})
    cpts = {"A": [0.5, 0.5], "B": [0.5, 0.5], "C": [[[0.1, 0.9], [0.4, 0.6]], [[0.7, 0.3], [0.8, 0.2]]]}
    network = Network(structure, cpts)
    plan = RowPlan(network, ["A", "B"], [], "C", [["A", "B"]])
    some = np.array([[1.0, 3.0], [2.0, 5.0]])
    expected = plan.posteriors({"A": some, "B": some}, {})
    likely = np.array([scale, 1.0])[:, None] * some
    np.testing.assert_allclose(plan.posteriors({"A": likely, "B": likely}, {}), expected, rtol=1e-14)


@pytest.mark.parametrize("method", [gibbs, weighted, importance])
def test_samples_of_tiny_weight(method):
    """Two features more, and every weight is 0."""
    features = 120
    network, _ = naive_bayes(features, np.random.default_rng(1), states=2)
    evidence = {f"F{i}": "a" for i in range(features)}
    found = method(network, evidence, 20_000, seed=1)
    expected = Inference(network).posterior(evidence, ["C"])["C"]
    np.testing.assert_allclose(found.marginals["C"], expected, atol=0.02)

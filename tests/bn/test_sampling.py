"""Sampled posteriors differ from the exact ones by their standard errors; so do those of Matthews (2005)."""

import numpy as np
import pytest
from reference.joint import poker_network, random_network

from baycarp.bn import Inference, Network, Structure
from baycarp.bn.sampling import CHAINS, gibbs, hypercube, importance, sample, stratified, weighted
from baycarp.errors import ArgumentError, EvidenceError
from experiments.papers.gambler import COMA

WALKS = {
    "": {"a": 19.76, "b": 31.509, "c": 7.944, "d": 31.653, "e": 61.665},
    "a=T": {"d": 67.909, "e": 64.178},
    "a=F": {"d": 22.563, "e": 61.04},
    "d=T e=T": {"a": 42.852},
    "d=T e=F": {"a": 41.656},
    "d=F e=T": {"a": 9.761},
    "d=F e=F": {"a": 8.916},
    "b=T c=T": {"a": 80.061, "d": 80.044, "e": 79.842},
    "b=T c=F": {"a": 45.505, "d": 80.116, "e": 59.748},
    "b=F c=T": {"a": 20.051, "d": 80.071, "e": 79.81},
    "b=F c=F": {"a": 4.953, "d": 5.123, "e": 60.02},
    "a=T d=T e=T": {"b": 93.031, "c": 29.27},
    "a=T d=T e=F": {"b": 96.03, "c": 13.297},
    "a=T d=F e=T": {"b": 51.223, "c": 15.984},
    "a=T d=F e=F": {"b": 48.148, "c": 6.595},
    "a=F d=T e=T": {"b": 67.007, "c": 21.963},
    "a=F d=T e=F": {"b": 74.549, "c": 9.38},
    "a=F d=F e=T": {"b": 5.346, "c": 1.703},
    "a=F d=F e=F": {"b": 5.035, "c": 0.613},
}
"""Matthews (2005), section 6: percent of T after 100,000 iterations of its chain, last block of each test."""


def evidence_of(text):
    return dict(fact.split("=") for fact in text.split())


def exact(network, evidence):
    hidden = [node for node in network.structure.nodes if node not in evidence]
    return Inference(network).posterior(evidence, hidden)


@pytest.mark.parametrize("method", [weighted, hypercube, stratified, importance])
@pytest.mark.parametrize("n", [100, 1000, 40_000])
def test_a_certain_state_has_no_error(method, n):
    states = {"Rain": ["no", "yes"], "Wet": ["no", "yes"], "Sky": ["there", "gone"]}
    structure = Structure(states, {"Wet": ["Rain"]})
    network = Network(structure, {"Rain": [0.7, 0.3], "Wet": [[0.9, 0.1], [0.2, 0.8]], "Sky": [1.0, 0.0]})
    for evidence in ({}, {"Wet": "yes"}):
        found = method(network, evidence, n, seed=1)
        assert found.marginals["Sky"] == pytest.approx([1, 0], abs=1e-10)
        assert found.errors["Sky"] == pytest.approx([0, 0], abs=1e-10)
        assert 0 < found.errors["Rain"][0] == pytest.approx(found.errors["Rain"][1])


@pytest.mark.parametrize("method", [gibbs, weighted, hypercube, stratified, importance])
def test_marginals_are_within_their_standard_errors(method):
    scores = []
    for text in WALKS:
        evidence = evidence_of(text)
        found, true = method(COMA, evidence, 10_000, seed=3), exact(COMA, evidence)
        for node, values in found.marginals.items():
            assert values.sum() == pytest.approx(1)
            scores.append((values[0] - true[node][0]) / found.errors[node][0])
    if method in (hypercube, stratified):
        assert np.sqrt(np.mean(np.square(scores))) < 1
    else:
        assert 0.7 < np.sqrt(np.mean(np.square(scores))) < 1.4
        assert np.abs(scores).max() < 4


def test_the_errors_of_matthews_equal_ours():
    scores = []
    for text, printed in WALKS.items():
        evidence = evidence_of(text)
        errors, true = gibbs(COMA, evidence, 10_000, seed=1).errors, exact(COMA, evidence)
        spread = {node: error[0] / np.sqrt(10) for node, error in errors.items()}  # ten times as many there
        scores += [(percent / 100 - true[node][0]) / spread[node] for node, percent in printed.items()]
    assert 0.7 < np.sqrt(np.mean(np.square(scores))) < 1.4
    assert np.abs(scores).max() < 4


def test_the_error_is_at_most_one_percent_after_10_000_iterations():
    """Section 5 of Matthews (2005)."""
    worst = 0.0
    for text in WALKS:
        evidence = evidence_of(text)
        found, true = gibbs(COMA, evidence, 10_000, seed=5), exact(COMA, evidence)
        worst = max(worst, *(abs(found.marginals[node][0] - true[node][0]) for node in found.marginals))
    assert 0.004 < worst < 0.02


def test_a_hypercube_has_smaller_errors_without_evidence():
    true, errors = exact(COMA, {}), {weighted: [], hypercube: []}
    for method, found in errors.items():
        for seed in range(20):
            marginals = method(COMA, {}, 2_000, seed).marginals
            found.append([marginals[node][0] - true[node][0] for node in "abcde"])
    by_lot, by_cube = (np.sqrt(np.mean(np.square(found), axis=0)) for found in errors.values())
    assert by_cube[0] < by_lot[0] / 10  # a root: its numbers are stratified
    assert np.all(by_cube < by_lot)


def test_sampled_rows_have_the_networks_frequencies():
    network = poker_network()
    rows = sample(network, 40_000, seed=2)
    prior = exact(network, {})
    for node in network.structure.nodes:
        shares = np.bincount(rows[node], minlength=network.structure.cardinality(node)) / 40_000
        spread = np.sqrt(prior[node] * (1 - prior[node]) / 40_000) + 1e-4
        assert np.all(np.abs(shares - prior[node]) < 5 * spread)


@pytest.mark.parametrize("method", [gibbs, weighted, hypercube, stratified, importance])
def test_a_seed_repeats_the_result(method):
    network = random_network(np.random.default_rng(6), 6, states=(2, 3))
    evidence = {"n0": network.structure.states["n0"][0]}
    one, same, other = (method(network, evidence, 1_000, seed) for seed in (1, 1, 2))
    for node in one.marginals:
        np.testing.assert_array_equal(one.marginals[node], same.marginals[node])
    assert any(not np.array_equal(one.marginals[node], other.marginals[node]) for node in one.marginals)


def test_impossible_evidence_is_refused():
    network = Network(
        Structure({"A": ["no", "yes"], "B": ["no", "yes"]}, {"B": ["A"]}), {"A": [1, 0], "B": np.eye(2)}
    )
    for method in (weighted, hypercube, stratified):
        with pytest.raises(EvidenceError, match="none of 50 samples"):
            method(network, {"B": "yes"}, 50, 1)
    with pytest.raises(EvidenceError, match="no possible state"):
        gibbs(network, {"B": "yes"}, 50, 1)
    for evidence in ({"B": "maybe"}, {"C": "yes"}):
        with pytest.raises(EvidenceError, match="expected one of"):
            weighted(network, evidence, 50, 1)


@pytest.mark.parametrize("samples", [0, -1, -5])
@pytest.mark.parametrize("method", [gibbs, weighted, hypercube, stratified, importance])
def test_fewer_than_one_sample_is_refused(method, samples):
    with pytest.raises(ArgumentError, match=f"samples: expected 1.*got {samples}"):
        method(COMA, {}, samples, 1)


@pytest.mark.parametrize("method", [sample, gibbs, weighted, hypercube, stratified, importance])
def test_numbers_of_samples_and_seeds_have_a_range(method):
    evidence, nested = ((), []) if method is sample else (({},), [])
    for _ in range(100_000):  # which ends the process where NumPy reads it
        nested = [nested]
    for samples, seed, error in (
        (10**400, 1, ArgumentError),
        (2**50, 1, ArgumentError),
        (2**63, 1, ArgumentError),
        (float("nan"), 1, TypeError),
        (10, -1, ArgumentError),
        (10, 2**64, ArgumentError),
        (10, nested, TypeError),
        (10, None, TypeError),
    ):
        with pytest.raises(error, match="expected"):
            method(COMA, *evidence, samples, seed)
    if evidence:
        with pytest.raises(TypeError, match="evidence: expected"):
            method(COMA, None, 10, 1)


def test_zero_rows_can_be_sampled():
    assert {node: len(column) for node, column in sample(COMA, 0, 1).items()} == dict.fromkeys("abcde", 0)
    with pytest.raises(ArgumentError, match=r"samples: expected 0\.\..*got -1"):
        sample(COMA, -1, 1)


def test_burn_in_is_discarded():
    """One state per chain after one of burn-in: the distribution of the second step from a uniform start."""
    copy = Structure({"A": ["no", "yes"], "B": ["no", "yes"]}, {"B": ["A"]})
    network = Network(copy, {"A": [0.9, 0.1], "B": [[0.95, 0.05], [0.05, 0.95]]})
    joint = np.array([[0.9 * 0.95, 0.9 * 0.05], [0.1 * 0.05, 0.1 * 0.95]])
    b, after = np.array([0.5, 0.5]), []
    for _ in range(3):
        a = joint / joint.sum(0) @ b  # A given B, then B given A
        b = a @ (joint / joint.sum(1, keepdims=True))
        after.append(a[0])
    first, second, third = after
    drawn = [gibbs(network, {}, CHAINS, seed).marginals["A"][0] for seed in range(100)]
    error = np.sqrt(second * (1 - second) / (100 * CHAINS))
    assert abs(np.mean(drawn) - second) < 4 * error < min(second - first, third - second) / 2

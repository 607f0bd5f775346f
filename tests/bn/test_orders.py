"""Elimination orders: their cost against a simulation, and the gain of the search."""

import math

import numpy as np
import pytest

from baycarp.bn import Inference, Network, Structure, compile, cost
from baycarp.bn.orders import EASY, elimination_order
from baycarp.errors import CostError, EvidenceError


def simulated(scopes, states, order):
    """Cells joined by an order, by merging scopes."""
    scopes, cells, largest = [set(scope) for scope in scopes], 0, 0
    for node in order:
        joined = set().union(*(scope for scope in scopes if node in scope))
        scopes = [scope for scope in scopes if node not in scope] + [joined - {node}]
        size = math.prod(states[member] for member in joined)
        cells, largest = cells + size, max(largest, size)
    return cells, largest


def grid(side, states=2):
    """The arcs of a square lattice, and the number of states of its nodes."""
    scopes = [
        ((i, j), (i + di, j + dj)) for i in range(side) for j in range(side) for di, dj in ((0, 1), (1, 0))
    ]
    scopes = [tuple(map(str, scope)) for scope in scopes if max(scope[1]) < side]
    return scopes, {node: states for scope in scopes for node in scope}


@pytest.mark.parametrize("side", [3, 6, 14])
def test_the_cost_of_an_order_is_that_of_its_tables(side):
    scopes, states = grid(side, 3 if side < 10 else 2)
    nodes = sorted(states)[1:]
    found = elimination_order(scopes, states, nodes)
    assert sorted(found.nodes) == nodes
    assert (found.cells, found.largest) == simulated(scopes, states, found.nodes)


def test_the_search_lowers_the_cost_and_is_seeded(monkeypatch):
    scopes, states = grid(16)
    nodes = sorted(states, key=lambda node: hash(node) * 0 + len(node))
    searched = elimination_order(scopes, states, nodes, seed=1)
    assert searched == elimination_order(scopes, states, nodes, seed=1)
    monkeypatch.setattr("baycarp.bn.orders.EASY", 2**200)
    lightest = elimination_order(scopes, states, nodes)
    assert lightest.cells > EASY
    assert searched.cells < lightest.cells


def lattice_network(side):
    """A lattice of binary nodes: every node depends on those above and to the left."""
    names = [f"n{i}_{j}" for i in range(side) for j in range(side)]
    parents = {
        f"n{i}_{j}": [f"n{i - 1}_{j}"] * (i > 0) + [f"n{i}_{j - 1}"] * (j > 0)
        for i in range(side)
        for j in range(side)
    }
    structure = Structure({name: ["a", "b"] for name in names}, parents)
    rng = np.random.default_rng(0)
    return Network(structure, {n: rng.dirichlet([1, 1], structure.shape(n)[:-1]) for n in names})


def test_a_plan_above_the_bound_is_refused_with_its_cost():
    network = lattice_network(40)
    wanted = ["n39_39"]
    cells = cost(network, [], wanted)
    assert cells > 2**30
    with pytest.raises(CostError, match="cells, expected at most") as caught:
        compile(network, [], wanted)
    assert caught.value.cells > 2**30


def test_the_relevant_part_gives_the_same_posteriors():
    network, rng = lattice_network(6), np.random.default_rng(3)
    for _ in range(30):
        nodes = [str(node) for node in rng.permutation(network.structure.nodes)]
        observed, soft = nodes[2:12], nodes[12:14]
        evidence = dict.fromkeys(observed, "b")
        likelihoods = {node: rng.random(2) for node in soft}
        plan = compile(network, observed, nodes[:2], soft, relevant_only=True)
        whole = Inference(network).posterior(evidence, nodes[:2], likelihoods)
        found = plan.posterior(evidence, likelihoods)
        for node in nodes[:2]:
            np.testing.assert_allclose(found[node], whole[node], rtol=1e-12)
        assert math.isnan(found.probability)
        with pytest.raises(EvidenceError, match="relevant_only"):
            plan.probability(evidence, likelihoods)


def test_what_the_evidence_does_not_reach_is_joined_first():
    """The root is in no table with evidence: summed first, its 16,000 cells are joined once."""
    states = {"root": 20, "a": 20, "b": 40}
    scopes = [("root",), ("root", "a", "b"), ("a",)]
    found = elimination_order(scopes, states, ["a", "root"], evident=["a"])
    assert found.nodes == ("root", "a")
    assert (found.cells, found.per_query) == (16_800, 800)

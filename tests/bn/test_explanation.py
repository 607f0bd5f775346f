"""The most probable explanation against the largest cell of the joint table, pgmpy and pyAgrum."""

import numpy as np
import pytest
from reference.joint import joint, random_evidence, random_network

from baycarp.bn import Explainer, Inference, Network, Structure
from baycarp.bn.pgmpy import to_pgmpy
from baycarp.errors import ArgumentError, EvidenceError


def largest(network, evidence, soft):
    """The states of the largest cell, and its logarithm."""
    nodes, states = network.structure.nodes, network.structure.states
    table = joint(network)
    for node, values in soft.items():
        table = table * np.expand_dims(values, [i for i, other in enumerate(nodes) if other != node])
    at = tuple(states[n].index(evidence[n]) if n in evidence else slice(None) for n in nodes)
    left = [node for node in nodes if node not in evidence]
    part = table[at]
    best = np.unravel_index(np.argmax(part), part.shape)
    return {node: states[node][code] for node, code in zip(left, best, strict=True)}, np.log(part.max())


@pytest.mark.parametrize("zeros", [0.0, 0.4])
def test_random_networks_equal_the_joint_table(zeros):
    rng = np.random.default_rng(1)
    for number in range(80):
        network = random_network(rng, int(rng.integers(1, 8)), zeros=zeros)
        evidence = random_evidence(rng, network, share=rng.random())
        left = [node for node in network.structure.nodes if node not in evidence]
        soft = {n: rng.random(network.structure.cardinality(n)) + 0.01 for n in left[: number % 3]}
        states, value = largest(network, evidence, soft)
        found = Inference(network).explain(evidence, soft or None)
        assert found.states == states
        assert found.log_probability == pytest.approx(value, abs=1e-10)


def test_a_batch_has_the_explanations_of_its_rows():
    rng = np.random.default_rng(2)
    network = random_network(rng, 7, states=(2, 3))
    states, observed = network.structure.states, network.structure.nodes[::3]
    explainer = Explainer(network, observed)
    codes = np.stack([rng.integers(0, len(states[node]), 30) for node in observed], axis=1)
    found, values = explainer.explain_rows(codes)
    for row in range(30):
        evidence = {node: states[node][code] for node, code in zip(observed, codes[row], strict=True)}
        one = explainer.explain(evidence)
        assert one.log_probability == values[row]
        assert {node: states[node][column[row]] for node, column in found.items()} == one.states


def test_tiny_probabilities_do_not_underflow():
    rng = np.random.default_rng(4)
    network = random_network(rng, 6, states=(2, 3))
    soft = {node: rng.random(network.structure.cardinality(node)) + 0.1 for node in network.structure.nodes}
    tiny = {node: values * 1e-200 for node, values in soft.items()}
    found, same = Inference(network).explain({}, soft), Inference(network).explain({}, tiny)
    assert same.states == found.states
    assert same.log_probability == pytest.approx(found.log_probability + 6 * np.log(1e-200))


def test_explanations_equal_those_of_pgmpy():
    from pgmpy.inference import VariableElimination

    rng = np.random.default_rng(3)
    for _ in range(15):
        network = random_network(rng, 6, states=(2, 4))
        evidence = random_evidence(rng, network, share=0.4)
        left = [node for node in network.structure.nodes if node not in evidence]
        if not left:
            continue
        theirs = VariableElimination(to_pgmpy(network)).map_query(
            left, evidence=evidence, show_progress=False, elimination_order="MinWeight"
        )
        assert Inference(network).explain(evidence).states == theirs


def test_invalid_or_impossible_evidence_is_refused():
    network = Network(
        Structure({"A": ["no", "yes"], "B": ["no", "yes"]}, {"B": ["A"]}), {"A": [1, 0], "B": np.eye(2)}
    )
    with pytest.raises(EvidenceError, match="row 0: impossible"):
        Inference(network).explain({"B": "yes"})
    with pytest.raises(EvidenceError, match="row 0: impossible"):
        Inference(network).explain({}, {"B": [0, 1]})
    with pytest.raises(EvidenceError, match="'B' = 'maybe'"):
        Inference(network).explain({"B": "maybe"})
    with pytest.raises(EvidenceError, match="expected once"):
        Inference(network).explain({"B": "no"}, {"B": [0, 1]})
    with pytest.raises(EvidenceError, match="expected exactly"):
        Explainer(network, ("A",)).explain({"B": "no"})
    for call in (
        lambda: Explainer(network, ("A",)).explain_rows([[1], [1, 2]]),
        lambda: Inference(network).explain({}, {"B": [[1], [1, 2]]}),
    ):
        with pytest.raises(ArgumentError, match="expected an array"):
            call()

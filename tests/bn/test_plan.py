"""Compiled inference against the joint table and pgmpy for any evidence; impossible evidence is an error."""

import itertools
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from reference.joint import joint, poker_network, posterior, random_evidence, random_network

from baycarp.bn import Inference, Network, Structure, compile
from baycarp.bn.pgmpy import to_pgmpy
from baycarp.bn.plan import cost
from baycarp.errors import EvidenceError, SchemaError


def hidden(network, evidence):
    return tuple(node for node in network.structure.nodes if node not in evidence)


def check_by_joint(network, evidence):
    wanted = hidden(network, evidence)
    found = compile(network, evidence, wanted).posterior(evidence)
    for node in wanted:
        weights = posterior(network, evidence, node)
        np.testing.assert_allclose(found[node], weights / weights.sum(), rtol=0, atol=1e-12)
        assert found.probability == pytest.approx(weights.sum(), rel=1e-12)
        assert found[node].sum() == pytest.approx(1, abs=1e-14)


def test_every_subset_of_evidence_equals_the_joint_table():
    rng = np.random.default_rng(3)
    for _ in range(4):
        network = random_network(rng, 6)
        full = random_evidence(rng, network, share=1)
        for size in range(len(full)):
            for nodes in itertools.combinations(full, size):
                check_by_joint(network, {node: full[node] for node in nodes})


@pytest.mark.parametrize("zeros", [0.0, 0.5])
def test_random_networks_equal_the_joint_table(zeros):
    rng = np.random.default_rng(4)
    for _ in range(100):
        network = random_network(rng, int(rng.integers(1, 9)), zeros=zeros)
        check_by_joint(network, random_evidence(rng, network, share=rng.random()))


def check_by_pgmpy(network, inference, oracle, evidence, rng):
    wanted = hidden(network, evidence)
    if not wanted:
        return 0
    wanted = [str(node) for node in rng.permutation(wanted)[: rng.integers(1, 4)]]
    found = inference.posterior(evidence, wanted)
    expected = oracle.query(
        wanted, evidence=evidence, joint=False, show_progress=False, elimination_order="greedy"
    )
    for node in wanted:
        assert expected[node].state_names[node] == list(network.structure.states[node])
        np.testing.assert_allclose(found[node], expected[node].values, rtol=0, atol=1e-9)
    return 1


def equals_pgmpy(queries, seed):
    from pgmpy.inference import VariableElimination

    rng, asked = np.random.default_rng(seed), 0
    while asked < queries:
        network = poker_network(asked) if asked % 100 == 0 else random_network(rng, int(rng.integers(2, 13)))
        inference, oracle = Inference(network), VariableElimination(to_pgmpy(network))
        for _ in range(20):
            asked += check_by_pgmpy(
                network, inference, oracle, random_evidence(rng, network, rng.random()), rng
            )


def test_random_queries_equal_pgmpy():
    equals_pgmpy(300, seed=5)


@pytest.mark.slow
def test_ten_thousand_random_queries_equal_pgmpy():
    equals_pgmpy(10_000, seed=6)


def to_agrum(gum, network):
    structure, model = network.structure, gum.BayesNet()
    for node in structure.nodes:
        model.add(gum.LabelizedVariable(node, node, list(structure.states[node])))
    for node in structure.nodes:
        for parent in structure.parents[node]:
            model.addArc(parent, node)
    for node in structure.nodes:
        family = structure.family(node)
        axes = [family.index(name) for name in reversed(model.cpt(node).names)]
        model.cpt(node)[:] = np.ascontiguousarray(network.cpt(node).transpose(axes))
    return model


def equals_agrum(queries, seed):
    """Hard and soft evidence, two marginals and their joint distribution."""
    gum, rng, asked = pytest.importorskip("pyagrum"), np.random.default_rng(seed), 0
    while asked < queries:
        network = (
            poker_network(asked)
            if asked % 100 == 0
            else random_network(rng, int(rng.integers(2, 13)), (2, 4))
        )
        inference, model = Inference(network), to_agrum(gum, network)
        for _ in range(20):
            evidence = random_evidence(rng, network, rng.random())
            left = [str(node) for node in rng.permutation(hidden(network, evidence))]
            soft = {n: rng.random(network.structure.cardinality(n)) for n in left[: rng.integers(0, 3)]}
            wanted = [*left[:2], tuple(left[:2])] if len(left) > 1 else left
            oracle = gum.LazyPropagation(model)
            oracle.setEvidence({**evidence, **{node: values.tolist() for node, values in soft.items()}})
            oracle.addJointTarget(set(left[:2])) if len(left) > 1 else None
            found = inference.posterior(evidence, wanted, soft)
            for target in wanted:
                if isinstance(target, str):
                    expected = oracle.posterior(target).toarray()
                else:
                    joint = oracle.jointPosterior(set(target))
                    expected = joint.toarray()
                    expected = expected if tuple(reversed(joint.names)) == target else expected.T
                np.testing.assert_allclose(found[target], expected, rtol=0, atol=1e-9)
            asked += 1


def test_random_queries_equal_pyagrum():
    equals_agrum(100, seed=16)


@pytest.mark.slow
def test_ten_thousand_random_queries_equal_pyagrum():
    equals_agrum(10_000, seed=17)


def test_a_batch_has_the_posteriors_of_its_rows():
    rng = np.random.default_rng(7)
    network = poker_network()
    states = network.structure.states
    observed = ["ActionTurn", "VPIP", "HandTypeFinal", "Board"]
    plan = compile(network, observed, ["HandGroup", "HandTypeTurn"])
    codes = np.stack([rng.integers(0, len(states[node]), 50) for node in observed], axis=1)
    many = plan.posteriors(codes)
    assert many["HandGroup"].shape == (50, 10)
    for row, probability in zip(range(50), plan.probabilities(codes), strict=True):
        evidence = {node: states[node][code] for node, code in zip(observed, codes[row], strict=True)}
        one = plan.posterior(evidence)
        assert probability == one.probability == plan.probability(evidence)
        for node in plan.wanted:
            np.testing.assert_array_equal(many[node][row], one[node])
    assert plan.posteriors(codes[:0].astype(np.uint8))["HandGroup"].shape == (0, 10)


def test_rows_may_have_different_patterns_of_evidence():
    rng = np.random.default_rng(8)
    network = random_network(rng, 6, states=(2, 3))
    inference, states = Inference(network), network.structure.states
    nodes = network.structure.nodes[:4]
    rows = {node: rng.integers(-1, len(states[node]), 40) for node in nodes}
    wanted = network.structure.nodes[4:]
    found = inference.posteriors(rows, wanted)
    for row in range(40):
        evidence = {node: states[node][rows[node][row]] for node in nodes if rows[node][row] >= 0}
        for node in wanted:
            np.testing.assert_array_equal(found[node][row], inference.posterior(evidence, wanted)[node])
    with pytest.raises(EvidenceError, match="lengths"):
        inference.posteriors({nodes[0]: [0, 1], nodes[1]: [0]}, wanted)
    with pytest.raises(EvidenceError, match=f"column '{nodes[0]}'"):
        inference.posteriors({nodes[0]: [-2]}, wanted)


def test_an_invalid_row_is_named_by_its_number():
    rain = Structure({"A": ["no", "yes"], "B": ["no", "yes"]}, {"B": ["A"]})
    inference = Inference(Network(rain, {"A": [1, 0], "B": np.eye(2)}))
    with pytest.raises(EvidenceError, match=r"row 2: impossible evidence {'A': 'yes'}"):
        inference.posteriors({"A": [-1, -1, 1, 0]}, ["B"])
    with pytest.raises(EvidenceError, match=r"column 'A', row 3: 2, expected integer codes below 2"):
        inference.posteriors({"A": [-1, -1, 0, 2]}, ["B"])
    with pytest.raises(EvidenceError, match=r"column 'A' of float64"):
        inference.posteriors({"A": [0.0]}, ["B"])


def test_the_probability_of_evidence_needs_no_wanted_nodes():
    network = random_network(np.random.default_rng(9), 5, states=(2, 3))
    table, states = joint(network), network.structure.states
    for codes in np.ndindex(table.shape):
        evidence = {node: states[node][code] for node, code in zip(states, codes, strict=True)}
        assert compile(network, states, ()).probability(evidence) == pytest.approx(table[codes], rel=1e-12)
    assert compile(network, (), ()).probability({}) == 1


def weighed(network, evidence, soft, nodes):
    """P(nodes, evidence) times the likelihoods, from the joint table, axes in the order of the nodes."""
    structure, table = network.structure, joint(network)
    order = structure.nodes
    for node, values in soft.items():
        table = table * np.expand_dims(values, [i for i, other in enumerate(order) if other != node])
    at = tuple(structure.states[n].index(evidence[n]) if n in evidence else slice(None) for n in order)
    left = [node for node in order if node not in evidence]
    part = table[at].sum(axis=tuple(i for i, node in enumerate(left) if node not in nodes))
    kept = [node for node in left if node in nodes]
    return part.transpose([kept.index(node) for node in nodes])


def test_soft_evidence_and_joint_distributions_equal_the_joint_table():
    rng = np.random.default_rng(14)
    for number in range(120):
        network = random_network(rng, int(rng.integers(2, 8)), zeros=0.3 * (number % 2))
        evidence = random_evidence(rng, network, share=0.4)
        left = [str(node) for node in rng.permutation(hidden(network, evidence))]
        soft = {n: 5 * rng.random(network.structure.cardinality(n)) for n in left[: number % 4]}
        targets = [*left[:2], tuple(left[-3:]), tuple(left[:2])][: 4 if len(left) > 1 else 2 * len(left)]
        found = Inference(network).posterior(evidence, dict.fromkeys(targets), soft)
        for target in found:
            expected = weighed(network, evidence, soft, (target,) if isinstance(target, str) else target)
            np.testing.assert_allclose(found[target], expected / expected.sum(), rtol=0, atol=1e-12)
            assert found.probability == pytest.approx(expected.sum(), rel=1e-12)


def test_a_batch_with_soft_evidence_has_the_posteriors_of_its_rows():
    rng, network = np.random.default_rng(15), poker_network()
    observed, soft, wanted = (
        ["ActionTurn", "Board"],
        ["HandTypeFinal", "VPIP"],
        ["HandGroup", ("VPIP", "PFR")],
    )
    plan = compile(network, observed, wanted, soft)
    codes = np.stack([rng.integers(0, network.structure.cardinality(n), 25) for n in observed], axis=1)
    given = {node: rng.random((25, network.structure.cardinality(node))) for node in soft}
    many, states = plan.posteriors(codes, given), network.structure.states
    assert many["VPIP", "PFR"].shape == (25, 10, 8)
    for row in range(25):
        evidence = {node: states[node][code] for node, code in zip(observed, codes[row], strict=True)}
        one = plan.posterior(evidence, {node: values[row] for node, values in given.items()})
        for target in wanted:
            np.testing.assert_array_equal(many[target][row], one[target])
        assert plan.probability(evidence, {n: v[row] for n, v in given.items()}) == one.probability
    logs = np.log(plan.probabilities(codes, given))
    assert plan.log_likelihood(codes, given) == pytest.approx(logs.sum(), rel=1e-12)


def test_a_certain_likelihood_equals_hard_evidence():
    network = poker_network()
    inference, states = Inference(network), network.structure.states["ActionTurn"]
    certain = inference.posterior({"Board": "s3"}, ["HandTypeTurn"], {"ActionTurn": np.eye(len(states))[2]})
    hard = inference.posterior({"Board": "s3", "ActionTurn": states[2]}, ["HandTypeTurn"])
    np.testing.assert_allclose(certain["HandTypeTurn"], hard["HandTypeTurn"], rtol=0, atol=1e-14)
    assert certain.probability == pytest.approx(hard.probability, rel=1e-12)


@pytest.mark.parametrize(
    ("soft", "message"),
    [
        ({"B": [1, 1]}, "unknown node 'B'"),
        ({"A": [1, 1, 1]}, r"likelihoods of 'A': expected shape \(1, 2\)"),
        ({"A": [1, -1]}, "at least 0"),
        ({"A": [1, np.inf]}, "finite"),
        ({"A": [0, 0]}, "impossible"),
        ({"C": [1, 1]}, "'C': expected once"),
    ],
)
def test_invalid_likelihoods_are_refused(soft, message):
    network = Network(Structure({"A": ["no", "yes"], "C": ["no", "yes"]}), {"A": [0.5, 0.5], "C": [0.5, 0.5]})
    with pytest.raises(EvidenceError, match=message):
        Inference(network).posterior({"C": "no"}, ["A"], soft)
    with pytest.raises(EvidenceError, match=r"expected exactly \('A',\)"):
        compile(network, ["C"], ["A"], ["A"]).posterior({"C": "no"})
    with pytest.raises(EvidenceError, match="likelihoods"):
        compile(network, ["C"], ["A"]).posterior({"C": "no"}, {"A": [1, 1]})


def test_more_factors_than_a_step_allows_are_split():
    rng, children = np.random.default_rng(10), [f"c{i}" for i in range(150)]
    structure = Structure(
        dict.fromkeys(["class", *children], ("a", "b", "c")), dict.fromkeys(children, ("class",))
    )
    cpts = {node: rng.dirichlet(np.ones(3), structure.shape(node)[:-1]) for node in structure.nodes}
    network = Network(structure, cpts)
    expected = np.log(cpts["class"]) + sum(np.log(cpts[node][:, 1]) for node in children)
    expected = np.exp(expected - expected.max())
    found = compile(network, children, ["class"]).posterior(dict.fromkeys(children, "b"))
    np.testing.assert_allclose(found["class"], expected / expected.sum(), rtol=1e-10)


def test_a_table_may_have_many_axes():
    rng, parents = np.random.default_rng(13), [f"p{i}" for i in range(14)]
    structure = Structure(dict.fromkeys([*parents, "child"], ("x", "y")), {"child": parents})
    cpts = {node: rng.dirichlet(np.ones(2), structure.shape(node)[:-1]) for node in structure.nodes}
    expected = cpts["child"]
    for parent in parents:
        expected = np.tensordot(cpts[parent], expected, axes=(0, 0))
    found = compile(Network(structure, cpts), [], ["child"]).posterior({})
    np.testing.assert_allclose(found["child"], expected, rtol=1e-12)


def test_impossible_evidence_is_an_error_and_never_nan():
    network = Network(
        Structure({"A": ["no", "yes"], "B": ["no", "yes"], "C": ["no", "yes"]}, {"B": ["A"]}),
        {"A": [1, 0], "B": [[0.5, 0.5], [0.5, 0.5]], "C": [0.3, 0.7]},
    )
    inference = Inference(network)
    for wanted in (["B"], ["C"], ["B", "C"]):  # C is independent of A, but no posterior exists
        with pytest.raises(EvidenceError, match=r"impossible.*'A': 'yes'"):
            inference.posterior({"A": "yes"}, wanted)
    plan = inference.plan(["A"], ["B"])
    assert plan.probability({"A": "yes"}) == 0
    assert plan.probabilities([[0], [1]]).tolist() == [1, 0]
    with pytest.raises(EvidenceError, match=r"row 1.*'A': 'yes'"):
        plan.posteriors([[0], [1]])


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({"A": "maybe"}, r"'A' = 'maybe': expected one of \('no', 'yes'\)"),
        ({"A": 1}, "'A' = 1"),
        ({"A": ["no"]}, r"'A' = \['no'\]"),
        ({"B": "no"}, "'B': expected exactly .'A'"),
        ({"A": "no", "B": "no"}, "'B': expected exactly"),
        ({}, "lacks 'A'"),
    ],
)
def test_invalid_evidence_is_refused(evidence, message):
    network = Network(Structure({"A": ["no", "yes"], "B": ["no"]}), {"A": [0.5, 0.5], "B": [1]})
    with pytest.raises(EvidenceError, match=message):
        compile(network, ["A"], ["B"]).posterior(evidence)


@pytest.mark.parametrize(
    ("observed", "wanted", "message"),
    [
        (["X"], ["A"], "unknown node 'X'"),
        (["A"], ["X"], "unknown node 'X'"),
        (["A"], ["A"], "'A': expected once"),
        (["A", "A"], [], "'A': expected once"),
        ("A", ["B"], "not one text"),
    ],
)
def test_invalid_nodes_are_refused(observed, wanted, message):
    network = Network(Structure({"A": ["no", "yes"], "B": ["no"]}), {"A": [0.5, 0.5], "B": [1]})
    with pytest.raises(EvidenceError, match=message):
        compile(network, observed, wanted)


def test_top_states_are_in_descending_order_and_ties_in_state_order():
    network = Network(Structure({"A": list("abcd")}), {"A": [0.2, 0.3, 0.3, 0.2]})
    found = compile(network, (), ["A"]).posterior({})
    assert found.top("A", 3) == (("b", 0.3), ("c", 0.3), ("a", 0.2))
    assert [state for state, _ in found.top("A")] == ["b", "c", "a", "d"]
    assert dict(found).keys() == {"A"}


def test_the_cache_of_plans_is_bounded():
    network = random_network(np.random.default_rng(11), 8, states=(2, 2))
    inference = Inference(network, keep=3)
    first = inference.plan(["n0"], ["n1"])
    assert inference.plan(("n0",), ("n1",)) is first
    for node in ("n2", "n3", "n4"):
        inference.plan([node], ["n1"])
    assert inference.plan(["n0"], ["n1"]) is not first


def test_threads_can_share_a_plan():
    rng, network = np.random.default_rng(12), poker_network()
    states = network.structure.states
    observed = ["Action", "ActionFlop", "Board"]
    plan = compile(network, observed, ["HandType", "HandGroup"])
    rows = [{n: states[n][rng.integers(len(states[n]))] for n in observed} for _ in range(200)]
    expected = [plan.posterior(row)["HandType"] for row in rows]

    def work(_):
        return [plan.posterior(row)["HandType"] for row in rows]

    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(work, range(8)):
            np.testing.assert_array_equal(found, expected)


def test_a_table_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("baycarp.bn.elimination.LARGEST", 16)
    with pytest.raises(SchemaError, match=r"expected at most 16"):
        compile(poker_network(), [], ["HandTypeFinal"])


def test_a_decision_loads_no_heavy_library():
    code = """
import sys, numpy as np
from baycarp.bn import Inference, Network, Structure
structure = Structure({"A": ["n", "y"], "B": ["n", "y"]}, {"B": ["A"]})
network = Network(structure, {"A": [0.5, 0.5], "B": np.eye(2)})
assert Inference(network).posterior({"B": "y"}, ["A"])["A"][1] == 1
print(sorted({"pgmpy", "pandas", "scipy", "sklearn", "faiss"} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_more_names_are_read_than_there_are_nodes():
    network = poker_network()
    for names in (range(10**12), itertools.repeat(network.structure.nodes[0])):
        for call in (compile, cost):
            with pytest.raises(EvidenceError):
                call(network, names, ())
    with pytest.raises(TypeError, match="got <int>"):
        Structure(10**5000)

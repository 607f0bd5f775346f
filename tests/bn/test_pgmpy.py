"""The drop-in for pgmpy against pgmpy itself, on the networks that pgmpy ships."""

import gzip
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from baycarp.bn import Network, Structure
from baycarp.bn.bif import parse_bif
from baycarp.bn.pgmpy import VariableElimination, fit, from_pgmpy, to_pgmpy
from baycarp.bn.sampling import sample
from baycarp.errors import CostError, EvidenceError

EASY = ("asia", "child", "insurance", "alarm", "hailfinder", "win95pts", "hepar2", "andes", "pigs")
HARD = ("mildew", "barley", "water", "munin1")
RAIN = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
NETWORK = Network(RAIN, {"Rain": [0.8, 0.2], "Grass": [[0.9, 0.1], [0.05, 0.95]]})


def shipped(name):
    import pgmpy

    path = Path(pgmpy.__file__).parent / "utils" / "example_models" / f"{name}.bif.gz"
    return parse_bif(gzip.open(path, "rt").read())


def theirs(network):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pgmpy.inference

        return pgmpy.inference.VariableElimination(to_pgmpy(network))


def assert_random_queries_equal(name, queries, seed):
    """Any node or two from a random part of the others, in states that occur together."""
    network = shipped(name)
    ours, oracle = VariableElimination(network), theirs(network)
    rows, rng = sample(network, queries, seed=seed), np.random.default_rng(seed)
    for number in range(queries):
        nodes = [str(node) for node in rng.permutation(network.structure.nodes)]
        wanted = nodes[: 1 + number % 2]
        observed = nodes[2 : 2 + int(rng.integers(len(nodes) // 8, len(nodes) // 2))]
        evidence = {node: network.structure.states[node][rows[node][number]] for node in observed}
        found = ours.query(wanted, evidence)
        expected = oracle.query(wanted, evidence, show_progress=False)
        assert found.variables == wanted == expected.variables
        assert found.state_names == {node: list(expected.state_names[node]) for node in wanted}
        np.testing.assert_allclose(found.values, expected.values, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["asia", "alarm", "water", "pigs"])
def test_random_queries_equal_pgmpy(name):
    assert_random_queries_equal(name, 12, seed=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*EASY, *HARD])
def test_ten_thousand_random_queries_equal_pgmpy(name):
    assert_random_queries_equal(name, 800 if name in EASY else 700, seed=11)


def test_virtual_evidence_and_separate_posteriors_equal_pgmpy():
    from pgmpy.factors.discrete import TabularCPD

    network = shipped("child")
    likelihoods = {"XrayReport": [[0.1], [0.6], [0.2], [0.05], [0.05]], "Age": [[0.3], [0.5], [0.2]]}
    virtual = [
        TabularCPD(node, len(values), values, state_names={node: list(network.structure.states[node])})
        for node, values in likelihoods.items()
    ]
    evidence = {"Sick": "yes", "LVHreport": "no"}
    wanted = ["Disease", "Grunting", "CO2"]
    found = VariableElimination(network).query(wanted, evidence, virtual, joint=False)
    expected = theirs(network).query(wanted, evidence, virtual, joint=False, show_progress=False)
    assert set(found) == set(expected)
    for node in wanted:
        np.testing.assert_allclose(found[node].values, expected[node].values, rtol=0, atol=1e-12)


def test_states_of_any_type_are_those_of_the_model():
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.models import DiscreteBayesianNetwork

    model = DiscreteBayesianNetwork([("A", 7)])
    model.add_cpds(
        TabularCPD("A", 2, [[0.25], [0.75]], state_names={"A": [1, 2.5]}),
        TabularCPD(7, 2, [[0.5, 0.9], [0.5, 0.1]], ["A"], [2], {7: [True, "x"], "A": [1, 2.5]}),
    )
    ours = VariableElimination(model)
    np.testing.assert_allclose(ours.query(["A"], {7: "x"}).values, [0.625, 0.375])
    assert ours.map_query(evidence={7: True}) == {"A": 2.5}
    frame = pd.DataFrame({7: ["x", None, True]})
    assert ours.predict(frame)["A"].tolist() == [1, 2.5, 2.5]
    assert list(ours.predict_probability(frame)) == ["A_1", "A_2.5", "7_True", "7_x"]


def brute_force(network, evidence):
    """The joint probability of each completion of the evidence, by enumeration."""
    structure = network.structure
    for states in product(*(range(structure.cardinality(node)) for node in structure.nodes)):
        codes = dict(zip(structure.nodes, states, strict=True))
        named = {node: structure.states[node][code] for node, code in codes.items()}
        if all(named[node] == state for node, state in evidence.items()):
            families = (tuple(codes[m] for m in structure.family(node)) for node in structure.nodes)
            pairs = zip(structure.nodes, families, strict=True)
            yield named, np.prod([network.cpt(node)[at] for node, at in pairs])


def test_map_queries_are_the_most_probable_states():
    network = shipped("asia")
    ours = VariableElimination(network)
    evidence = {"xray": "yes", "smoke": "no"}
    joint = list(brute_force(network, evidence))
    best = max(joint, key=lambda pair: pair[1])[0]
    found = ours.map_query(evidence=evidence)
    assert {**found, **evidence} == best
    totals = {}
    for named, probability in joint:
        key = named["tub"], named["bronc"]
        totals[key] = totals.get(key, 0) + probability
    found = ours.map_query(["tub", "bronc"], evidence)
    assert (found["tub"], found["bronc"]) == max(totals, key=totals.__getitem__)


def frame_of(network, n, missing, seed, drop=()):
    """Rows sampled from a network as a data frame of state names, a share of the values missing."""
    rng, states = np.random.default_rng(seed), network.structure.states
    columns = {}
    for node, codes in sample(network, n, seed=seed).items():
        if node not in drop:
            column = np.array(states[node], dtype=object)[codes]
            column[rng.random(n) < missing] = None
            columns[node] = column
    return pd.DataFrame(columns, index=pd.RangeIndex(100, 100 + n))


@pytest.mark.parametrize("missing", [0.0, 0.02, 0.5])
def test_rows_with_missing_values_are_answered_as_one_query_each(missing):
    network = shipped("child")
    ours = VariableElimination(network)
    frame = frame_of(network, 150, missing, seed=4, drop=("Disease", "CO2"))
    found = ours.predict_probability(frame)
    assert list(found.index) == list(frame.index)
    for label, row in list(frame.iterrows())[::5]:
        evidence = row.dropna().to_dict()
        for node in ("Disease", "CO2", "Age"):
            states = network.structure.states[node]
            names = [f"{node}_{state}" for state in states]
            if node in evidence:
                assert names[0] not in found or found.loc[label, f"{node}_{evidence[node]}"] == 1
            else:
                expected = ours.query([node], evidence).values
                np.testing.assert_allclose(found.loc[label, names], expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_predictions_are_the_most_probable_completions(missing):
    network = shipped("asia")
    frame = frame_of(network, 120, missing, seed=6, drop=("lung",))
    found = VariableElimination(network).predict(frame)
    assert list(found) == [*frame, "lung"]
    for label, row in list(frame.iterrows())[::4]:
        joint = list(brute_force(network, row.dropna().to_dict()))
        most = max(probability for _, probability in joint)
        named = found.loc[label].to_dict()
        assert next(p for states, p in joint if states == named) == pytest.approx(most, rel=1e-12)


def test_the_batch_equals_pgmpys():
    network = shipped("asia")
    frame = frame_of(network, 6, 0.0, seed=9, drop=("lung", "xray"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = to_pgmpy(network).predict_probability(frame)
    found = VariableElimination(network).predict_probability(frame)
    assert set(found) == set(expected)
    np.testing.assert_allclose(found[list(expected)], expected, rtol=0, atol=1e-12)


def test_a_fit_of_complete_rows_is_pgmpys():
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteBayesianEstimator

    frame = frame_of(shipped("asia"), 300, 0.0, seed=1)
    structure = shipped("asia").structure
    arcs = [(parent, node) for node in structure.nodes for parent in structure.parents[node]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = DiscreteBayesianNetwork(arcs)
        estimator = DiscreteBayesianEstimator(prior_type="BDeu", equivalent_sample_size=3)
        expected = from_pgmpy(DiscreteBayesianNetwork(arcs).fit(frame, estimator=estimator))
    found = from_pgmpy(fit(model, frame, prior=3))
    for node in structure.nodes:
        axes = [expected.structure.family(node).index(m) for m in found.structure.family(node)]
        table = expected.cpt(node).transpose(axes)
        np.testing.assert_allclose(found.cpt(node), table, rtol=0, atol=1e-12)


def test_weights_count_rows_and_missing_values_are_those_of_em():
    frame = pd.DataFrame({"Rain": ["no", "yes", None], "Grass": ["dry", "wet", "wet"]})
    twice = pd.concat([frame, frame.iloc[[1, 2]]], ignore_index=True)
    weighed = from_pgmpy(fit(to_pgmpy(NETWORK), frame, sample_weight=[1, 2, 2], prior=1))
    repeated = from_pgmpy(fit(to_pgmpy(NETWORK), twice, prior=1))
    np.testing.assert_allclose(weighed.tables, repeated.tables, rtol=0, atol=1e-12)
    assert weighed.cpt("Rain")[1] > 0.6


def test_the_cost_is_reported_and_refused():
    network = shipped("alarm")
    ours = VariableElimination(network, most_cells=2_000)
    nodes = list(network.structure.nodes[:12])
    assert ours.cost(["HYPOVOLEMIA"], {"HR": "LOW"}) < 2_000 < ours.cost(nodes)
    with pytest.raises(CostError, match="expected at most") as caught:
        ours.query(nodes)
    assert caught.value.cells > 2_000
    ours.query(["HYPOVOLEMIA"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda v: v.query(["Snow"]), "unknown node 'Snow'"),
        (lambda v: v.query("Rain"), "expected a list"),
        (lambda v: v.query([]), "expected a list"),
        (lambda v: v.query(["Rain"], {"Grass": "blue"}), "'Grass' = 'blue'"),
        (lambda v: v.query(["Rain"], {"Rain": "no"}), "expected once"),
        (lambda v: v.query(["Rain", "Rain"]), "expected once"),
        (lambda v: v.predict(pd.DataFrame({"Snow": ["no"]})), "unknown node 'Snow'"),
        (lambda v: v.predict(pd.DataFrame({"Grass": ["blue"]})), "column 'Grass': 'blue'"),
        (lambda v: v.query([["Rain"]]), "unknown node"),
        (
            lambda v: v.query(["Rain"], virtual_evidence=np.ones(2)),
            "virtual evidence .*expected a TabularCPD",
        ),
    ],
)
def test_errors_name_the_value(call, message):
    with pytest.raises(EvidenceError, match=message):
        call(VariableElimination(NETWORK))


def test_virtual_evidence_is_by_the_names_of_its_states():
    from pgmpy.factors.discrete import TabularCPD

    inference = VariableElimination(to_pgmpy(NETWORK))
    values = {"dry": 0.2, "wet": 0.7}
    found = [
        inference.query(
            ["Rain"],
            virtual_evidence=[
                TabularCPD("Grass", 2, [[values[name] / 0.9] for name in names], state_names={"Grass": names})
            ],
        ).values
        for names in (["dry", "wet"], ["wet", "dry"])
    ]
    np.testing.assert_allclose(found[0], found[1], rtol=1e-12)
    assert abs(found[0] - [0.8, 0.2]).max() > 0.05
    with pytest.raises(EvidenceError, match="expected those of"):
        inference.query(["Rain"], virtual_evidence=[TabularCPD("Grass", 2, [[0.2], [0.8]])])


def test_a_row_is_answered_alike_whatever_rows_are_beside_it():
    """Grass is impossible where it rains; it is of no interest to Sky, given Rain."""
    structure = Structure(
        {"Rain": ["no", "yes"], "Grass": ["dry", "wet"], "Sky": ["blue", "grey"]},
        {"Grass": ["Rain"], "Sky": ["Rain"]},
    )
    rows = {"Grass": [[1.0, 0.0], [0.5, 0.5]], "Sky": [[0.9, 0.1], [0.2, 0.8]]}
    inference = VariableElimination(Network(structure, {"Rain": [0.8, 0.2], **rows}))
    alone = pd.DataFrame([{"Rain": "no", "Grass": "wet"}])
    both = pd.DataFrame([{"Rain": "no", "Grass": "wet"}, {"Rain": None, "Grass": "wet"}])
    expected = inference.predict_probability(alone)[["Sky_blue", "Sky_grey"]].to_numpy()
    found = inference.predict_probability(both)[["Sky_blue", "Sky_grey"]].to_numpy()
    np.testing.assert_allclose(found, [expected[0], [0.2, 0.8]], rtol=1e-12)

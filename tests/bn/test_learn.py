"""Fitting against the formula and pgmpy; conversions to foreign formats and back."""

import numpy as np
import pytest
from reference.joint import poker_network, random_evidence, random_network

from baycarp.bn import Structure, counts, fit
from baycarp.bn.bif import read_bif, write_bif
from baycarp.bn.learn import encode
from baycarp.bn.pgmpy import from_pgmpy, to_pgmpy
from baycarp.errors import BaycarpError, ModelError, SchemaError


def sampled(network, n, seed, missing=0.0):
    """Columns of codes sampled from a network."""
    rng = np.random.default_rng(seed)
    rows = [random_evidence(rng, network, share=1 - missing) for _ in range(n)]
    return encode(network.structure, rows)


def by_formula(structure, rows, equivalent_sample_size):
    """BDeu counted row by row."""
    cpts = {}
    for node in structure.nodes:
        family, shape = structure.family(node), structure.shape(node)
        table = np.full(shape, equivalent_sample_size / np.prod(shape))
        for row in zip(*(rows[member] for member in family), strict=True):
            if -1 not in row:
                table[row] += 1
        cpts[node] = table / table.sum(-1, keepdims=True)
    return cpts


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("size", [0.5, 10])
def test_fit_is_the_bdeu_formula(missing, size):
    for seed in range(2):
        structure = random_network(np.random.default_rng(seed), 6).structure
        rows = sampled(random_network(np.random.default_rng(seed), 6), 300, seed, missing)
        expected = by_formula(structure, rows, size)
        fitted = fit(structure, rows, size)
        for node in structure.nodes:
            np.testing.assert_allclose(fitted.cpt(node), expected[node], rtol=0, atol=1e-12)


def test_fit_equals_pgmpy_for_the_whole_model():
    import pandas as pd
    from pgmpy.models import DiscreteBayesianNetwork
    from pgmpy.parameter_estimator import DiscreteBayesianEstimator

    network = poker_network()
    structure, rows = network.structure, sampled(network, 1500, seed=1)
    model = DiscreteBayesianNetwork([(p, node) for node in structure.nodes for p in structure.parents[node]])
    model.add_nodes_from(structure.nodes)
    names = {node: list(range(structure.cardinality(node))) for node in structure.nodes}
    estimator = DiscreteBayesianEstimator(state_names=names, prior_type="BDeu", equivalent_sample_size=10)
    model.fit(pd.DataFrame(rows), estimator=estimator)
    fitted, expected = fit(structure, rows, 10), from_pgmpy(model)
    for node in structure.nodes:
        theirs = expected.structure.family(node)
        ours = structure.family(node)
        table = expected.cpt(node).transpose([theirs.index(member) for member in ours])
        np.testing.assert_allclose(fitted.cpt(node), table, rtol=0, atol=1e-12)


RAIN = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet", "snow"]}, {"Grass": ["Rain"]})


def test_unobserved_configurations_keep_the_prior():
    rows = {"Rain": [0, 0, 1], "Grass": [0, 1, -1]}
    fitted = fit(RAIN, rows, 6)
    np.testing.assert_allclose(fitted.cpt("Rain"), [5 / 9, 4 / 9])
    np.testing.assert_allclose(fitted.cpt("Grass"), [[2 / 5, 2 / 5, 1 / 5], [1 / 3, 1 / 3, 1 / 3]])
    assert (counts(RAIN, rows)["Grass"].sum(-1) == 0).tolist() == [False, True]
    for nothing in ({}, [], {"Rain": []}, {"Rain": np.full(4, -1)}):
        if isinstance(nothing, dict) and "Rain" in nothing:
            nothing = {"Rain": np.asarray(nothing["Rain"], int)}
        np.testing.assert_allclose(fit(RAIN, nothing, 1).cpt("Grass"), 1 / 3)


def test_counts_use_each_row_that_observes_the_family():
    rows = [
        {"Rain": "no", "Grass": "wet"},
        {"Grass": "wet"},
        {"Rain": "yes"},
        {"Rain": "no", "Grass": "snow"},
    ]
    found = counts(RAIN, rows)
    assert found["Rain"].tolist() == [2, 1]
    assert found["Grass"].tolist() == [[0, 1, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"Rain": "yes"}, {"Rain": "hail"}], r"row 1: 'Rain' = 'hail', expected one of \('no', 'yes'\)"),
        ([{"Snow": "yes"}], "unknown node 'Snow'"),
        ({"Snow": [0]}, "unknown node 'Snow'"),
        ({"Rain": [0, 2]}, r"row 1: 'Rain' = 2, expected -1..1"),
        ({"Rain": [0, -2]}, r"row 1: 'Rain' = -2"),
        ({"Rain": [0, 1], "Grass": [0]}, r"column 'Grass': expected shape \(2,\)"),
        ({"Rain": [0.0, 1.0]}, "'Rain': expected integer codes, got float64"),
        ({"Rain": [[1], [1, 0]]}, "column 'Rain': expected an array"),
    ],
)
def test_invalid_rows_are_refused(rows, message):
    with pytest.raises(BaycarpError, match=message):
        counts(RAIN, rows)


@pytest.mark.parametrize("size", [0, -1, float("nan")])
def test_a_sample_size_of_0_or_less_is_refused(size):
    with pytest.raises(SchemaError, match="equivalent sample size"):
        fit(RAIN, {}, size)


def test_a_network_survives_the_conversion_to_pgmpy():
    rng = np.random.default_rng(2)
    for _ in range(20):
        network = random_network(rng, int(rng.integers(1, 8)))
        model = to_pgmpy(network)
        assert model.check_model()
        assert_same(from_pgmpy(model), network)


def assert_same(found, network):
    """Equal up to the order of the nodes and the last bit."""
    assert dict(found.structure.states) == dict(network.structure.states)
    assert dict(found.structure.parents) == dict(network.structure.parents)
    for node in network.structure.nodes:
        np.testing.assert_allclose(found.cpt(node), network.cpt(node), rtol=0, atol=1e-15)


def test_a_network_survives_the_conversion_to_bif(tmp_path):
    rng, path = np.random.default_rng(3), tmp_path / "network.bif"
    for _ in range(2):
        network = random_network(rng, 4, states=(1, 4))
        write_bif(network, path)
        assert_same(read_bif(path), network)


def test_bif_takes_names_of_several_words(tmp_path):
    network = fit(Structure({"Rain": ["not at all", "yes"]}), {}, 1)
    write_bif(network, tmp_path / "network.bif")
    assert_same(read_bif(tmp_path / "network.bif"), network)


@pytest.mark.parametrize("text", [None, "", "network x {", "variable A { type discrete [ 2 ] { a, b }; }"])
def test_invalid_bif_is_refused(tmp_path, text):
    path = tmp_path / "network.bif"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ModelError, match=r"network\.bif"):
        read_bif(path)


def test_rounded_rows_are_normalised(tmp_path):
    path = tmp_path / "network.bif"
    write_bif(fit(Structure({"A": ["x", "y", "z"]}), {}, 1), path)
    text = path.read_text()
    third = next(word for word in text.replace(",", " ").split() if word.startswith("0.33"))
    path.write_text(text.replace(third, "0.3333"))
    np.testing.assert_allclose(read_bif(path).cpt("A"), 1 / 3, rtol=0, atol=1e-15)
    path.write_text(text.replace(third, "0.3"))
    with pytest.raises(ModelError, match="'A'"):
        read_bif(path)

"""Structures and networks name invalid input, and are equal if every bit is."""

import copy
import math

import numpy as np
import pytest
from reference.joint import random_network

from baycarp.bn import Inference, Network, Structure, fit
from baycarp.errors import EvidenceError, SchemaError

RAIN = Structure(
    {"Grass": ["dry", "wet"], "Rain": ["no", "yes"], "Sprinkler": ["off", "on", "broken"]},
    {"Grass": ["Sprinkler", "Rain"], "Sprinkler": ["Rain"]},
)
CPTS = {
    "Rain": [0.8, 0.2],
    "Sprinkler": [[0.5, 0.4, 0.1], [0.9, 0.05, 0.05]],
    "Grass": [[[0.9, 0.1], [0.1, 0.9]]] * 3,
}


def test_structure_has_order_families_and_ancestors():
    assert RAIN.nodes == ("Grass", "Rain", "Sprinkler")
    assert RAIN.order == ("Rain", "Sprinkler", "Grass")
    assert RAIN.family("Grass") == ("Sprinkler", "Rain", "Grass")
    assert RAIN.shape("Grass") == (3, 2, 2)
    assert RAIN.ancestors(["Sprinkler"]) == ("Rain", "Sprinkler")
    assert RAIN.ancestors([]) == ()


def test_order_puts_parents_first():
    rng = np.random.default_rng(1)
    for _ in range(50):
        structure = random_network(rng, 12).structure
        place = {node: i for i, node in enumerate(structure.order)}
        assert sorted(place) == sorted(structure.nodes)
        assert all(place[p] < place[node] for node in place for p in structure.parents[node])


@pytest.mark.parametrize(
    ("states", "parents", "message"),
    [
        ({}, {}, "at least one"),
        ({"A": ["x"]}, {"B": ["A"]}, "'B'"),
        ({"A": ["x"]}, {"A": ["B"]}, "parent 'B' of 'A'"),
        ({"A": ["x"], "B": ["x"]}, {"A": ["B", "B"]}, "parent 'B' of 'A'"),
        ({"A": ["x"]}, {"A": ["A"]}, "circle through .*'A'"),
        ({"A": ["x"], "B": ["x"], "C": ["x"]}, {"A": ["B"], "B": ["A"]}, r"circle through \('A', 'B'\)"),
        ({"A": ["x", "x"]}, {}, "states of 'A'.*'x', 'x'"),
        ({"A": []}, {}, "states of 'A'"),
        ({"A": [1]}, {}, "1 is no name"),
        ({"": ["x"]}, {}, "'' is no name"),
    ],
)
def test_an_invalid_structure_is_refused(states, parents, message):
    with pytest.raises(SchemaError, match=message):
        Structure(states, parents)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"Rain": [0.8, 0.1]}, "table of 'Rain' at {}: sums to 0.9"),
        ({"Sprinkler": [[0.5, 0.4, 0.1], [0.9, 0.05, 0.06]]}, "'Sprinkler' at {'Rain': 'yes'}: sums to 1.01"),
        ({"Rain": [1.2, -0.2]}, "'Rain': 1.2 is no probability"),
        ({"Rain": [0.5, np.nan]}, "'Rain': nan is no probability"),
        ({"Rain": [0.5, np.inf]}, "'Rain': inf is no probability"),
        ({"Rain": [[0.8, 0.2]]}, r"'Rain': expected shape \(2,\).*got \(1, 2\)"),
        ({"Snow": [1.0]}, "unknown node 'Snow'"),
    ],
)
def test_an_invalid_network_is_refused(change, message):
    with pytest.raises(SchemaError, match=message):
        Network(RAIN, CPTS | change)


def test_a_missing_table_is_refused():
    with pytest.raises(SchemaError, match=r"no table for .'Grass'"):
        Network(RAIN, {node: table for node, table in CPTS.items() if node != "Grass"})


def test_tables_are_copied_and_read_only():
    network = Network(RAIN, CPTS)
    for node, table in CPTS.items():
        np.testing.assert_array_equal(network.cpt(node), table)
        assert network.tables[network.offset(node)] == np.ravel(table)[0]
    with pytest.raises(ValueError, match="read-only"):
        network.cpt("Rain")[0] = 1
    given = np.array([0.8, 0.2])
    network = Network(RAIN, CPTS | {"Rain": given})
    given[0] = 0
    assert network.cpt("Rain")[0] == 0.8


def test_every_difference_changes_equality_and_digest():
    network = Network(RAIN, CPTS)
    assert network == Network(RAIN, CPTS) == copy.deepcopy(network)
    assert network.digest() == copy.deepcopy(network).digest()
    named = dict(RAIN.states) | {"Rain": ("no", "Yes")}
    swapped = dict(RAIN.parents) | {"Grass": ("Rain", "Sprinkler")}
    others = [
        Network(RAIN, CPTS | {"Rain": [np.nextafter(0.8, 1), 0.2]}),
        Network(Structure(named, RAIN.parents), CPTS),
        Network(Structure(RAIN.states, swapped), CPTS | {"Grass": np.swapaxes(CPTS["Grass"], 0, 1)}),
        Network(Structure(dict(reversed(RAIN.states.items())), RAIN.parents), CPTS),
    ]
    for other in others:
        assert other != network
    assert len({other.digest() for other in [network, *others]}) == 1 + len(others)


def test_repr_is_readable():
    assert eval(repr(RAIN)) == RAIN
    assert "3 nodes, 3 arcs, 20 probabilities" in repr(Network(RAIN, CPTS))


def test_complex_numbers_are_refused():
    """NumPy would drop their imaginary parts with a warning."""
    structure = Structure({"Rain": ["no", "yes"]})
    with pytest.raises(SchemaError, match="complex"):
        Network(structure, {"Rain": [0.5 + 1j, 0.5]})
    inference = Inference(Network(structure, {"Rain": [0.5, 0.5]}))
    with pytest.raises(EvidenceError, match="complex"):
        inference.posterior({}, ["Rain"], {"Rain": [1 + 2j, 3]})


@pytest.mark.parametrize("size", [0, -1, math.inf, math.nan])
def test_an_equivalent_sample_size_out_of_range_is_refused(size):
    with pytest.raises(SchemaError, match="expected a finite number above 0"):
        fit(Structure({"Rain": ["no", "yes"]}), {"Rain": [0, 1]}, equivalent_sample_size=size)

"""Likelihoods of any scale against rational arithmetic; networks of thousands of nodes."""

from fractions import Fraction
from itertools import pairwise, product
from math import log

import numpy as np
import pytest

from baycarp.bn import Explainer, Inference, Network, Structure, compile
from baycarp.bn.network import MOST_NODES
from baycarp.errors import SchemaError

SCALES = (5e-324, 1e-310, 1e-300, 1e-200, 1e-155, 1.0, 1e155, 1e200, 1e300)
STRUCTURE = Structure({"A": ["x", "y"], "B": ["u", "v", "w"], "C": ["p", "q"]}, {"B": ["A"], "C": ["B"]})
NETWORK = Network(
    STRUCTURE,
    {
        "A": [0.375, 0.625],
        "B": [[0.5, 0.25, 0.25], [0.125, 0.5, 0.375]],
        "C": [[0.25, 0.75], [0.5, 0.5], [0.875, 0.125]],
    },
)


def soft(scale):
    """Likelihoods of two nodes, scaled to a largest value of ``scale``."""
    return {
        "A": np.array([1.0, 0.5]) * scale if scale > 5e-324 else np.array([scale, scale]),
        "C": np.array([0.25, 1.0]) * scale if scale > 5e-324 else np.array([scale, 0.0]),
    }


def joint(likelihoods):
    """The weight of every (a, b, c), in rational numbers."""
    cpts = [NETWORK.cpt(node) for node in "ABC"]
    return {
        (a, b, c): Fraction(cpts[0][a])
        * Fraction(cpts[1][a, b])
        * Fraction(cpts[2][b, c])
        * Fraction(likelihoods["A"][a])
        * Fraction(likelihoods["C"][c])
        for a, b, c in product(range(2), range(3), range(2))
    }


@pytest.mark.parametrize("scale", SCALES)
def test_posteriors_equal_rational_arithmetic(scale):
    given = soft(scale)
    weights = joint(given)
    total = sum(weights.values())
    expected = [float(sum(w for (_, b, _), w in weights.items() if b == s) / total) for s in range(3)]
    plan = Inference(NETWORK).plan([], ["B"], ["A", "C"])
    found = plan.posterior({}, given)
    np.testing.assert_allclose(found["B"], expected, rtol=1e-14)
    rows = {node: np.stack([values, values]) for node, values in given.items()}
    batch = plan.posteriors(np.empty((2, 0), np.int64), rows)["B"]
    np.testing.assert_array_equal(batch, [found["B"], found["B"]])
    exact = log(total.numerator) - log(total.denominator)
    assert plan.log_likelihood(np.empty((2, 0), np.int64), rows) == pytest.approx(2 * exact, rel=1e-12)
    assert found.probability == pytest.approx(float(total) if exact < 709 else np.inf, rel=1e-12)
    assert not np.isnan(plan.probabilities(np.empty((2, 0), np.int64), rows)).any()


@pytest.mark.parametrize("scale", SCALES)
def test_explanations_are_independent_of_scale(scale):
    given = soft(scale)
    weights = joint(given)
    best = max(weights, key=weights.__getitem__)
    found = Inference(NETWORK).explain({}, given)
    assert tuple(STRUCTURE.states[node].index(found.states[node]) for node in "ABC") == best
    exact = log(weights[best].numerator) - log(weights[best].denominator)
    assert found.log_probability == pytest.approx(exact, rel=1e-12)


def test_a_power_of_two_changes_no_bit_of_a_posterior():
    plan = Inference(NETWORK).plan([], ["B"], ["A", "C"])
    given = {"A": np.array([0.3, 0.9]), "C": np.array([0.7, 0.1])}
    expected = plan.posterior({}, given)
    for exponent in (-900, -20, 3, 900):
        other = {node: np.ldexp(values, exponent) for node, values in given.items()}
        np.testing.assert_array_equal(plan.posterior({}, other)["B"], expected["B"])


def chain(nodes, states=1):
    """A chain with its nodes in reverse order."""
    names = [f"n{number:05}" for number in range(nodes)]
    given = {name: [str(s) for s in range(states)] for name in reversed(names)}
    return names, Structure(given, {b: [a] for a, b in pairwise(names)})


class Counting(dict):
    """Parents by node, with a count of reads."""

    reads = 0

    def __getitem__(self, key):
        self.reads += 1
        return super().__getitem__(key)

    def items(self):
        self.reads += len(self)
        return super().items()


@pytest.mark.parametrize("nodes", [500, 8000])
def test_the_order_reads_each_node_a_bounded_number_of_times(nodes):
    names, structure = chain(nodes)
    assert structure.order == tuple(names)
    structure.parents = counting = Counting(structure.parents)
    del structure.__dict__["order"], structure.__dict__["children"]
    assert structure.order == tuple(names)
    assert counting.reads <= 4 * nodes


def test_nodes_of_one_depth_keep_the_order_given():
    states = {name: ["s"] for name in "hgfedcba"}
    structure = Structure(states, {"h": ["a"], "g": ["h", "b"], "f": ["c"], "d": ["a", "c"]})
    assert structure.order == ("e", "c", "b", "a", "h", "f", "d", "g")


@pytest.mark.parametrize("nodes", [250, 1000])
def test_elimination_weighs_each_node_a_bounded_number_of_times(nodes, monkeypatch):
    from baycarp.bn import elimination

    products = []
    prod = elimination.math.prod
    monkeypatch.setattr(elimination.math, "prod", lambda numbers: products.append(1) or prod(numbers))
    names, structure = chain(nodes, states=2)
    network = Network(structure, {name: np.full(structure.shape(name), 0.5) for name in names})
    Explainer(network, ())
    compile(network, [], [names[-1]])
    assert len(products) <= 40 * nodes


def test_a_long_chain_of_one_state_is_inferred():
    names, structure = chain(8000)
    network = Network(structure, {name: np.ones(structure.shape(name)) for name in names})
    assert (
        compile(network, names[:-1], [names[-1]]).posterior(dict.fromkeys(names[:-1], "0")).probability == 1
    )
    assert compile(network, [], [names[-1]]).posterior({}).probability == 1


def test_a_node_with_thousands_of_children_is_explained():
    names = [f"n{number}" for number in range(3000)]
    structure = Structure({name: ["a", "b"] for name in names}, {name: ["n0"] for name in names[1:]})
    tables = {name: np.array([[0.75, 0.25], [0.5, 0.5]]) for name in names[1:]}
    network = Network(structure, {"n0": np.array([0.5, 0.5]), **tables})
    found = Explainer(network, ()).explain({})
    assert set(found.states.values()) == {"a"}
    assert found.log_probability == pytest.approx(log(0.5) + 2999 * log(0.75))


def test_the_number_of_nodes_is_bounded():
    with pytest.raises(SchemaError, match=f"{MOST_NODES + 1} nodes: expected at most {MOST_NODES}"):
        Structure({str(number): ["s"] for number in range(MOST_NODES + 1)})

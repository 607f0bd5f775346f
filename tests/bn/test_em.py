"""Expectation maximisation against the enumeration of all completions; the likelihood never falls."""

import numpy as np
import pytest
from reference.joint import joint, poker_network, random_network

from baycarp.bn import Network, Sample, Structure, em, em_rows, fit
from baycarp.bn.em import random_network as random_start
from baycarp.errors import EvidenceError, SchemaError


def draw(network, rng, n, missing):
    """Columns sampled from a network, each cell missing with the given probability."""
    columns = {}
    for node in network.structure.order:
        table = network.cpt(node)
        rows = table[tuple(columns[parent] for parent in network.structure.parents[node])]
        cumulated = np.broadcast_to(rows, (n, table.shape[-1])).cumsum(-1)
        columns[node] = np.minimum((rng.random((n, 1)) > cumulated).sum(1), table.shape[-1] - 1)
    return {node: np.where(rng.random(n) < missing, -1, column) for node, column in columns.items()}


def enumerated(network, rows, soft, weights):
    """Expected counts and log-likelihood from the joint table; a row counts for ancestors of evidence."""
    structure, table = network.structure, joint(network)
    nodes = structure.nodes
    counts = {node: np.zeros(structure.shape(node)) for node in nodes}
    total = 0.0
    for row, weight in enumerate(weights):
        shown = {node: int(rows[node][row]) for node in nodes if rows[node][row] >= 0}
        likely = {node: values[row] for node, values in soft.items() if node not in shown}
        cells = table.copy()
        for axis, node in enumerate(nodes):
            states = structure.cardinality(node)
            factor = np.eye(states)[shown[node]] if node in shown else likely.get(node, np.ones(states))
            cells = cells * np.expand_dims(factor, [i for i in range(len(nodes)) if i != axis])
        total += weight * np.log(cells.sum())
        cells /= cells.sum()
        for node in structure.ancestors((*shown, *likely)):
            family = structure.family(node)
            axes = tuple(i for i, other in enumerate(nodes) if other not in family)
            left = [other for other in nodes if other in family]
            counts[node] += weight * cells.sum(axis=axes).transpose([left.index(m) for m in family])
    return counts, total


def maximised(network, counts):
    cpts = {}
    for node, case_counts in counts.items():
        sums = case_counts.sum(-1, keepdims=True)
        cpts[node] = np.where(sums > 0, case_counts / np.where(sums > 0, sums, 1), network.cpt(node))
    return Network(network.structure, cpts)


def soft_rows(network, rng, n, nodes=2):
    chosen = rng.permutation(network.structure.nodes)[:nodes]
    return {str(node): rng.random((n, network.structure.cardinality(node))) ** 3 * 7 for node in chosen}


@pytest.mark.parametrize("missing", [0.0, 0.3, 0.8])
def test_each_step_equals_enumeration(missing):
    rng = np.random.default_rng(1)
    for number in range(8):
        truth = random_network(rng, 5, states=(1, 3))
        structure, n = truth.structure, 40
        rows = draw(truth, rng, n, missing)
        soft = soft_rows(truth, rng, n) if number % 2 else {}
        weights = rng.random(n) + 0.1
        network, likelihoods = random_start(structure, seed=number), []
        for _ in range(3):
            counts, likelihood = enumerated(network, rows, soft, weights)
            likelihoods.append(likelihood)
            network = maximised(network, counts)
        fitted = em(
            Sample(rows, soft=soft, weights=weights),
            random_start(structure, seed=number),
            iterations=3,
            tolerance=-np.inf,
            prior=0,
        )
        np.testing.assert_allclose(fitted.log_likelihoods[:3], likelihoods, rtol=1e-10)
        for node in structure.nodes:
            np.testing.assert_allclose(fitted.network.cpt(node), network.cpt(node), rtol=0, atol=1e-10)


@pytest.mark.parametrize("cheap", [0, em_rows.CHEAP])
def test_rare_patterns_together_equal_plans_of_their_own(monkeypatch, cheap):
    """A pattern of many rows has a plan of its own, and so has each where the shared one would be costly."""
    monkeypatch.setattr(em_rows, "CHEAP", cheap)
    rng = np.random.default_rng(11)
    network = random_network(rng, 6)
    rows, soft = draw(network, rng, 40, 0.4), soft_rows(network, rng, 40)
    often = {node: np.repeat(column, em_rows.MANY) for node, column in rows.items()}
    likely = {node: np.repeat(values, em_rows.MANY, axis=0) for node, values in soft.items()}
    weights = np.full(40 * em_rows.MANY, 1 / em_rows.MANY)
    settings = {"iterations": 5, "tolerance": 0, "prior": 1}
    start = random_start(network.structure, seed=2)
    few = em(Sample(rows, soft), start, **settings)
    many = em(Sample(often, likely, weights), start, **settings)
    np.testing.assert_allclose(few.network.tables, many.network.tables, rtol=1e-9)
    np.testing.assert_allclose(few.log_likelihoods, many.log_likelihoods, rtol=1e-12)


def test_the_likelihood_never_falls():
    rng = np.random.default_rng(2)
    for number in range(4):
        truth = random_network(rng, 6, states=(2, 3))
        rows = draw(truth, rng, 100, 0.4)
        start = random_start(truth.structure, seed=number)
        soft = soft_rows(truth, rng, 100)
        fitted = em(Sample(rows, soft=soft), start, iterations=40, tolerance=0, prior=0)
        assert np.all(np.diff(fitted.log_likelihoods) >= -1e-9)
        assert fitted.log_likelihoods[-1] > fitted.log_likelihoods[0]


def test_with_a_prior_the_posterior_density_never_falls():
    rng = np.random.default_rng(3)
    truth = random_network(rng, 6, states=(2, 3))
    rows, start = draw(truth, rng, 60, 0.5), random_start(truth.structure, seed=3)
    values = []
    for iterations in range(12):
        fitted = em(Sample(rows), start, iterations=iterations, tolerance=-np.inf, prior=6)
        density = sum(
            6 / fitted.network.cpt(node).size * np.log(fitted.network.cpt(node)).sum()
            for node in truth.structure.nodes
        )
        values.append(fitted.log_likelihoods[-1] + density)
    assert np.all(np.diff(values) >= -1e-9)


@pytest.mark.parametrize("prior", [0.5, 10])
def test_complete_rows_are_fitted_in_one_step(prior):
    truth = poker_network()
    rows = draw(truth, np.random.default_rng(4), 500, 0)
    fitted = em(Sample(rows), truth, iterations=20, tolerance=0, prior=prior)
    expected = fit(truth.structure, rows, prior)
    for node in truth.structure.nodes:
        np.testing.assert_allclose(fitted.network.cpt(node), expected.cpt(node), rtol=0, atol=1e-12)
    assert len(fitted.log_likelihoods) == 3  # the start, the fit, and a step without gain


def test_incomplete_rows_are_used():
    """A cause that is mostly missing: its frequency follows from rows without it."""
    rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    start = Network(rain, {"Rain": [0.5, 0.5], "Grass": [[0.9, 0.1], [0.1, 0.9]]})
    complete = {"Rain": [0] * 9 + [1] * 9 + [0, 1], "Grass": [0] * 9 + [1] * 9 + [1, 0]}
    rows = {"Rain": [*complete["Rain"], *[-1] * 980], "Grass": [*complete["Grass"], *[1] * 980]}
    alone = em(Sample(complete), start, iterations=500, tolerance=0, prior=0).network
    fitted = em(Sample(rows), start, iterations=500, tolerance=0, prior=0).network
    np.testing.assert_allclose(alone.cpt("Rain"), [0.5, 0.5])
    assert fitted.cpt("Rain")[1] == pytest.approx((10 + 0.9 * 980) / 1000)  # nine of ten wet days had rain


def test_barren_rows_change_no_table():
    """Hidden nodes without observed descendants keep their tables: Unger's (2011) network, no showdown."""
    truth = poker_network()
    rows = draw(truth, np.random.default_rng(5), 300, 0)
    for node in ("HandGroup", "HandType", "HandTypeTurn", "HandTypeFinal"):
        rows[node][:] = -1
    fitted = em(Sample(rows), truth, iterations=5, tolerance=0, prior=0).network
    for node in ("HandGroup", "HandType", "HandTypeTurn", "HandTypeFinal"):
        np.testing.assert_array_equal(fitted.cpt(node), truth.cpt(node))
    assert not np.array_equal(fitted.cpt("ActionFlop"), truth.cpt("ActionFlop"))


def test_a_certain_likelihood_equals_a_state_and_a_uniform_one_changes_nothing():
    rng = np.random.default_rng(6)
    truth = random_network(rng, 6, states=(2, 3))
    structure = truth.structure
    start = random_start(structure, seed=6)
    node = next(node for node in structure.order if any(node in p for p in structure.parents.values()))
    rows = draw(truth, rng, 50, 0)
    states = np.eye(structure.cardinality(node))[rows[node]]
    rows[node][::3] = -1  # its child is always observed, so no row is barren
    states[::3] = 3.0
    without = {**rows, node: np.full(50, -1)}
    settings = {"iterations": 4, "tolerance": -np.inf, "prior": 1.0}
    by_states = em(Sample(rows), start, **settings)
    by_likelihoods = em(Sample(without, soft={node: states}), start, **settings)
    ignored = em(Sample(rows, soft={node: states}), start, **settings)  # if the state is observed
    for fitted in (by_likelihoods, ignored):
        np.testing.assert_allclose(
            np.array(fitted.log_likelihoods) - 17 * np.log(3), by_states.log_likelihoods, rtol=1e-10
        )
        for other in structure.nodes:
            np.testing.assert_allclose(
                fitted.network.cpt(other), by_states.network.cpt(other), rtol=0, atol=1e-12
            )


def test_pseudo_counts_can_be_given_for_each_node():
    rain = Structure({"Rain": ["no", "yes"]})
    start = Network(rain, {"Rain": [0.5, 0.5]})
    fitted = em(Sample({"Rain": [1, 1]}), start, iterations=2, tolerance=0, prior={"Rain": [6, 2]})
    np.testing.assert_allclose(fitted.network.cpt("Rain"), [0.6, 0.4])
    weighted = em(Sample({"Rain": [1, 0]}, weights=[3, 1]), start, iterations=2, tolerance=0, prior=0)
    np.testing.assert_allclose(weighted.network.cpt("Rain"), [0.25, 0.75])


RAIN = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
START = Network(RAIN, {"Rain": [0.5, 0.5], "Grass": [[1, 0], [0.2, 0.8]]})


@pytest.mark.parametrize(
    ("rows", "soft", "error", "message"),
    [
        ({"Rain": [0, -1], "Grass": [0, 2]}, None, SchemaError, "row 1: 'Grass' = 2"),
        (
            {"Rain": [0, -1]},
            {"Grass": [[1, 0]]},
            EvidenceError,
            r"'Grass': expected shape \(2, 2\), got \(1, 2\)",
        ),
        ({"Rain": [0]}, {"Grass": [[1, 0, 0]]}, EvidenceError, r"expected shape \(1, 2\)"),
        ({"Rain": [0]}, {"Grass": [[-1, 0]]}, EvidenceError, "at least 0"),
        ({"Rain": [0]}, {"Grass": [[np.nan, 0]]}, EvidenceError, "finite"),
        (
            {"Rain": [0, 1]},
            {"Grass": [[1, 1], [0, 0]]},
            EvidenceError,
            "row 1: likelihoods of 'Grass' are all 0",
        ),
        (
            {"Rain": [1, 0], "Grass": [-1, -1]},
            {"Grass": [[1, 1], [0, 2]]},
            EvidenceError,
            "row 1: impossible",
        ),
        ({"Rain": [1, 0], "Grass": [1, 1]}, None, EvidenceError, "impossible under the start"),
    ],
)
def test_invalid_samples_are_refused(rows, soft, error, message):
    with pytest.raises(error, match=message):
        em(Sample(rows, soft=soft), START, iterations=3, tolerance=0, prior=0)


@pytest.mark.parametrize("prior", [-1, np.nan, {"Rain": [1, 1]}, {"Rain": [1, 1], "Grass": [1, 1]}])
def test_an_invalid_prior_is_refused(prior):
    with pytest.raises(SchemaError, match="prior"):
        em(Sample({"Rain": [0]}), START, iterations=1, tolerance=0, prior=prior)


def test_without_rows_the_tables_do_not_change():
    for rows in ({}, [], {"Rain": np.empty(0, int)}):
        fitted = em(Sample(rows), START, iterations=3, tolerance=0, prior=0)
        assert fitted.network == START
        assert fitted.log_likelihoods[0] == 0


def test_random_starts_depend_on_seed_and_concentration():
    assert random_start(RAIN, seed=1) == random_start(RAIN, seed=1) != random_start(RAIN, seed=2)
    many = [random_start(RAIN, seed=seed, concentration=1e4).cpt("Rain")[0] for seed in range(20)]
    assert np.ptp(many) < 0.1 < np.ptp([random_start(RAIN, seed=seed).cpt("Rain")[0] for seed in range(20)])

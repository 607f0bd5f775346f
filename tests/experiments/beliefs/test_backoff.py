"""CPTs that back off, against Dirichlet shrinkage row by row and leaving rows out by counting again."""

import numpy as np
import pytest
from reference.joint import random_network

from baycarp.bn import Network, Structure, counts
from baycarp.errors import SchemaError
from experiments.beliefs.backoff import backed_off, fit_backed_off
from experiments.beliefs.backoff_levels import BackoffLevel, Chain, learn_levels, learn_strengths

LEVELS = (BackoffLevel((), 2.0), BackoffLevel((1,), 3.0), BackoffLevel((0, 1), 5.0))


def shrunk(count, base, levels):
    """The posterior mean of each row, by nested loops over configurations; the base is one row."""
    table = np.broadcast_to(base, count.shape).copy()
    for level in levels:
        before = table.copy()
        for config in np.ndindex(count.shape[:-1]):
            alike = [
                other
                for other in np.ndindex(count.shape[:-1])
                if all(other[axis] == config[axis] for axis in level.kept)
            ]
            met = sum(count[other] for other in alike)
            table[config] = (met + level.strength * before[config]) / (met.sum() + level.strength)
    return table


def test_a_table_is_nested_dirichlet_shrinkage():
    rng = np.random.default_rng(1)
    count, base = rng.poisson(1.0, (3, 4, 5)), rng.dirichlet(np.ones(5))
    np.testing.assert_allclose(backed_off(count, base, LEVELS), shrunk(count, base, LEVELS))


def test_a_family_that_was_never_observed_has_the_next_marginal():
    rng = np.random.default_rng(2)
    count, base = rng.poisson(3.0, (3, 4, 5)), rng.dirichlet(np.ones(5), (3, 1))
    count[1, 2] = 0
    np.testing.assert_allclose(
        backed_off(count, base, LEVELS)[1, 2], backed_off(count, base, LEVELS[:2])[1, 2]
    )
    count[:, 2] = 0
    np.testing.assert_allclose(
        backed_off(count, base, LEVELS)[1, 2], backed_off(count, base, LEVELS[:1])[1, 2]
    )
    np.testing.assert_allclose(backed_off(0 * count, base, LEVELS), np.broadcast_to(base, count.shape))


def test_with_many_rows_a_table_is_the_maximum_likelihood_estimate():
    rng = np.random.default_rng(3)
    count, base = rng.poisson(3.0, (3, 4, 5)) + 1, rng.dirichlet(np.ones(5), (3, 1))
    exact = count / count.sum(axis=-1, keepdims=True)
    assert abs(backed_off(count, base, LEVELS) - exact).max() > 0.05
    np.testing.assert_allclose(backed_off(count * 10**9, base, LEVELS), exact, rtol=1e-6)


def test_a_level_scales_a_base_that_varies_over_dropped_parents():
    """Twice as many of state 0 as the base expects: odds of state 0 rise at every configuration."""
    base = np.array([[0.2, 0.8], [0.6, 0.4]])
    count = np.array([[4_000_000, 6_000_000], [8_000_000, 2_000_000]])
    found = backed_off(count, base, (BackoffLevel((), 1e-9),))
    factor = (12 / 20) / 0.4, (8 / 20) / 0.6
    expected = base * factor
    np.testing.assert_allclose(found, expected / expected.sum(axis=-1, keepdims=True))


def family(rng, rows):
    codes = np.column_stack([rng.integers(0, k, rows) for k in (3, 4)])
    truth = rng.dirichlet(np.ones(5), (3, 4))[tuple(codes.T)]
    state = (truth.cumsum(axis=1) < rng.random(rows)[:, None]).sum(axis=1)
    return np.column_stack([codes, state])


def counted(codes):
    count = np.zeros((3, 4, 5), np.int64)
    np.add.at(count, tuple(codes.T), 1)
    return count


@pytest.mark.parametrize("blocked", [False, True])
def test_left_out_probabilities_are_those_of_a_table_without_the_row_or_block(blocked):
    rng = np.random.default_rng(4)
    codes, base = family(rng, 60), rng.dirichlet(np.ones(5))
    blocks = rng.integers(0, 4, 60) if blocked else np.arange(60)
    chain = Chain(codes, np.broadcast_to(base, (60, 5)), blocks if blocked else None)
    total, left = 0.0, chain.left(LEVELS)
    for row in range(60):
        table = backed_off(counted(codes[blocks != blocks[row]]), base, LEVELS)
        total += np.log(table[tuple(codes[row])])
        np.testing.assert_allclose(left[row], table[tuple(codes[row, :-1])])
    assert chain.score(LEVELS) == pytest.approx(total)


@pytest.mark.parametrize("seed", range(5))
def test_levels_raise_the_score_of_left_out_rows(seed):
    codes = family(np.random.default_rng(seed), 200)
    chain = Chain(codes, np.full((200, 5), 0.2))
    levels = learn_levels(chain)
    assert chain.score(levels) > chain.score()
    for level in levels:
        rest = [other for other in levels if other != level]
        assert chain.score(levels) > chain.score(rest)
        for factor in (0.5, 2.0):
            other = [
                BackoffLevel(each.kept, each.strength * factor) if each == level else each for each in levels
            ]
            assert chain.score(levels) > chain.score(other) - 1.0


def test_strengths_of_levels_that_follow_others():
    codes = family(np.random.default_rng(1), 2000)
    chain = Chain(codes, np.full((2000, 5), 0.2))
    before = learn_strengths(chain, [()])
    after = learn_strengths(chain, [(0,), (0, 1)], before)
    assert {level.kept for level in after} <= {(0,), (0, 1)}
    assert chain.score((*before, *after)) > chain.score(before)
    noise = np.column_stack([np.random.default_rng(2).integers(0, 9, 2000), codes])
    also = Chain(noise, np.full((2000, 5), 0.2))
    shifted = [
        BackoffLevel(tuple(axis + 1 for axis in level.kept), level.strength) for level in (*before, *after)
    ]
    assert learn_strengths(also, [(0,), (0, 1), (0, 1, 2)], shifted) == ()


def test_the_informative_parent_is_kept_longest():
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 4, (500, 4))
    codes[:, 3] = np.where(rng.random(500) < 0.8, codes[:, 1], codes[:, 3])
    levels = learn_levels(Chain(codes, np.full((500, 4), 0.25)))
    assert next(level.kept for level in levels if level.kept) == (1,)


def sampled(network, n, rng):
    columns = {}
    for node in network.structure.order:
        table = network.cpt(node)[tuple(columns[p] for p in network.structure.parents[node])]
        table = np.broadcast_to(table, (n, table.shape[-1]))
        columns[node] = np.minimum(
            (table.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1), table.shape[1] - 1
        )
    return columns


def log_loss(network, columns):
    structure = network.structure
    return -sum(
        np.log(network.cpt(node)[tuple(columns[member] for member in structure.family(node))]).mean()
        for node in structure.nodes
    )


def related(network, rng):
    """The network with tables whose rows are alike: effects of the parents that add up, and little else."""
    cpts = {}
    for node in network.structure.nodes:
        *parents, states = network.structure.shape(node)
        table = np.log(rng.dirichlet(np.ones(states))) + rng.normal(0, 0.2, (*parents, states))
        for axis, number in enumerate(parents):
            table += rng.normal(0, 0.3 if axis else 1.0, (number, *(1,) * (len(parents) - axis - 1), states))
        cpts[node] = np.exp(table) / np.exp(table).sum(axis=-1, keepdims=True)
    return Network(network.structure, cpts)


def without_back_off(structure, rows):
    """Shrinkage of each row to the uniform distribution, with a strength that is learned likewise."""
    cpts = {}
    for node, count in counts(structure, rows).items():
        codes = np.column_stack([rows[member] for member in structure.family(node)])
        states = structure.cardinality(node)
        chain = Chain(codes, np.full((len(codes), states), 1 / states))
        levels = learn_strengths(chain, [tuple(range(count.ndim - 1))])
        cpts[node] = backed_off(count, np.full(states, 1 / states), levels)
    return Network(structure, cpts)


@pytest.mark.parametrize("n", [300, 3000])
@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.slow
def test_the_log_loss_of_held_out_rows_is_not_above_that_without_back_off(n, alike):
    """On independent random rows there is nothing to gain; nats of a network of seven nodes."""
    gains = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        network = random_network(rng, 7)
        network = related(network, rng) if alike else network
        structure, rows, held_out = network.structure, sampled(network, n, rng), sampled(network, 4000, rng)
        found = log_loss(fit_backed_off(structure, rows), held_out)
        gains.append(log_loss(without_back_off(structure, rows), held_out) - found)
    assert np.mean(gains) > (0.0 if alike and n == 300 else -0.005)
    assert min(gains) > -0.02


def test_blocks_trust_the_rows_of_players_who_differ_less():
    """From players that each have one state of their own nothing is learned about another player."""
    structure, players = Structure({"State": list("abcd")}), np.repeat(np.arange(3), 50)
    assert fit_backed_off(structure, {"State": players}).cpt("State")[3] < 0.02
    of_others = fit_backed_off(structure, {"State": players}, blocks=players)
    np.testing.assert_allclose(of_others.cpt("State"), 0.25)


@pytest.mark.parametrize(
    ("bases", "blocks", "message"),
    [
        ({"Grass": [0.5, 0.6]}, None, "sum 1"),
        ({"Grass": [0.0, 1.0]}, None, "above 0"),
        ({"Grass": [0.2, 0.3, 0.5]}, None, "broadcasts"),
        (None, [1], "expected 3 integers"),
        (None, [0.5, 1.0, 2.0], "expected 3 integers"),
    ],
)
def test_wrong_bases_and_blocks_are_refused(bases, blocks, message):
    structure = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    rows = {"Rain": [0, 0, 1], "Grass": [0, 1, 1]}
    with pytest.raises(SchemaError, match=message):
        fit_backed_off(structure, rows, bases, blocks)


def test_nodes_that_no_row_observes_have_their_base():
    structure = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
    network = fit_backed_off(structure, [], {"Grass": [[0.9, 0.1], [0.2, 0.8]]})
    np.testing.assert_allclose(network.cpt("Grass"), [[0.9, 0.1], [0.2, 0.8]])
    np.testing.assert_allclose(network.cpt("Rain"), 0.5)
    assert counts(structure, [])["Grass"].sum() == 0

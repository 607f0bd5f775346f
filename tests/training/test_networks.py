"""The network's numbers: fitted on showdowns only, and measured against a plain count."""

from collections import Counter

import numpy as np
import pytest
from reference.players import system

import baycarp
from baycarp.agents.registry import load
from baycarp.bn.inference import Inference
from baycarp.bn.learn import counts
from baycarp.bn.network import Network
from baycarp.opponents.network.model import ByNetwork
from baycarp.opponents.network.ranges import Weighted
from baycarp.opponents.network.topology import OBSERVED, STRUCTURE, TYPE_NODES, topology
from baycarp.strategies.baycarp import BAYCARP2, believing
from baycarp.strategies.model import load_model
from baycarp.training.model import NetworkConfig, Training, Watched, train
from baycarp.training.networks import EQUIVALENT_SAMPLE_SIZE, fit_network, measure
from baycarp.training.rows import NetworkRow, rows_of_session
from baycarp.training.watch import hands_of

NODES = ("HandGroup", *TYPE_NODES[1:])


@pytest.fixture(scope="module")
def rows(small_model, watched_table):
    logs = sorted((small_model / "sessions").glob("*.log"))
    return [list(rows_of_session(hands_of(log, watched_table))) for log in logs]


@pytest.fixture(scope="module")
def network(small_model):
    return load_model(small_model).network


def test_the_model_was_fitted_on_the_showdowns_of_its_sessions(rows, network):
    trained, _ = rows
    assert 0 < sum(row.showdown for row in trained) < len(trained)
    assert fit_network([row for row in trained if row.showdown]) == network
    assert fit_network(trained) == network
    assert fit_network(trained, showdowns_only=False) != network


def test_a_table_is_the_count_with_the_prior(rows, network):
    shown = [row.states for row in rows[0] if row.showdown]
    for node, parent in (("ActionFlop", "Action"), ("Board", None)):
        states = STRUCTURE.states[node]
        groups = STRUCTURE.states[parent] if parent else (None,)
        prior = EQUIVALENT_SAMPLE_SIZE / (len(states) * len(groups))
        for row, group in enumerate(groups):
            met = Counter(states[node] for states in shown if parent is None or states[parent] == group)
            total = sum(met.values()) + prior * len(states)
            table = network.cpt(node)[row] if parent else network.cpt(node)
            np.testing.assert_allclose(table, [(met[state] + prior) / total for state in states])


def shown(rows):
    return counts(STRUCTURE, [row.states for row in rows if row.showdown])


def place(inference, row, street, node):
    """The rank of the true state, most probable first, in stable order."""
    observed = {name for nodes in OBSERVED[: street + 1] for name in nodes}
    evidence = {name: state for name, state in row.states.items() if name in observed}
    chances = inference.posterior(evidence, (node,))[node].tolist()
    states = STRUCTURE.states[node]
    ranked = sorted(states, key=lambda state: (-chances[states.index(state)], states.index(state)))
    return ranked.index(row.states[node])


def test_accuracies_are_a_plain_count(rows, network):
    trained, held_out = rows
    measured, inference = measure(network, shown(trained), held_out), Inference(network)
    lines = {(line.node, line.players): line for line in measured.accuracies}
    assert list(lines) == [(node, players) for node in NODES for players in ("active", "showdown")]
    for street, node in enumerate(NODES):
        active = [row for row in held_out if row.streets > street]
        for players, asked in (("active", active), ("showdown", [row for row in active if row.showdown])):
            line = lines[node, players]
            places = [place(inference, row, street, node) for row in asked]
            assert line.rows == len(asked) > 0
            assert line.top == pytest.approx([sum(p < k for p in places) / len(asked) for k in (1, 2, 3, 4)])
            parents = [name for name in STRUCTURE.parents[node] if name not in NODES]
            met = {tuple(row.states.get(name) for name in parents) for row in trained if row.showdown}
            complete = [row for row in asked if all(name in row.states for name in parents)]
            unseen = [tuple(row.states[name] for name in parents) not in met for row in complete]
            assert line.unseen == pytest.approx(sum(unseen) / len(complete))


def test_faults_are_counted_by_action_and_position(rows, network):
    trained, held_out = rows
    measured, inference = measure(network, shown(trained), held_out), Inference(network)
    faults, asked = Counter(), Counter()
    for row in held_out:
        key = (row.states["Action"], row.states["Position"])
        asked[key] += 1
        faults[key] += place(inference, row, 0, "HandGroup") >= 4
    assert measured.totals == asked
    assert +measured.faults == +faults
    assert sum(faults.values()) > 0


def test_first_types_of_faults_are_counted(rows, network):
    trained, held_out = rows
    measured, inference = measure(network, shown(trained), held_out), Inference(network)
    firsts = Counter()
    for street, node in enumerate(TYPE_NODES):
        for row in held_out if street else ():
            if row.streets > street and place(inference, row, street, node) >= 3:
                observed = {name for nodes in OBSERVED[: street + 1] for name in nodes}
                evidence = {name: state for name, state in row.states.items() if name in observed}
                ((first, _),) = inference.posterior(evidence, (node,)).top(node, 1)
                firsts[node, first] += 1
    assert measured.firsts == firsts
    assert len(firsts) > 3


def test_a_uniform_network_has_no_hits():
    even = {node: np.ones(STRUCTURE.shape(node)) / STRUCTURE.cardinality(node) for node in STRUCTURE.nodes}
    states = {"Position": "Early", "Action": "Call", "HandGroup": "HandGroup10"}
    measured = measure(Network(STRUCTURE, even), shown([]), [NetworkRow(states, 1, False)])
    assert measured.accuracies[0].top == (0.0, 0.0, 0.0, 0.0)
    assert measured.faults == {("Call", "Early"): 1}


def test_without_held_out_rows_there_is_no_share():
    even = {node: np.ones(STRUCTURE.shape(node)) / STRUCTURE.cardinality(node) for node in STRUCTURE.nodes}
    measured = measure(Network(STRUCTURE, even), shown([]), [])
    assert all(np.isnan(line.top).all() and line.rows == 0 for line in measured.accuracies)


def test_a_network_of_another_kind_is_trained_and_played(watched_table, tmp_path):
    structure = topology("priced", classes=True)
    network_config = NetworkConfig(structure, "dealt", active=True)
    training = Training(believing(BAYCARP2, ByNetwork(Weighted())), network_config)
    trained = train(training, Watched(watched_table, 60), tmp_path, "a test")
    agent = load(system("baycarp2", model={"folder": tmp_path}, opponents={"rule": Weighted()}))
    assert agent.model.network.structure == structure == trained.model.network.structure
    observation = baycarp.observe("MATCHSTATE:0:0:rc/:AhKd|/Qs7d2c", game="holdem.limit.2p.reverse_blinds")
    assert "PricedAction" in str(agent.decide(observation).to_dict())
    assert {line.node for line in trained.measured.accuracies} >= {"HandGroup", "HandTypeFinal"}

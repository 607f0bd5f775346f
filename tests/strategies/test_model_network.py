"""The network of a model: its opponent model can read it, or the file is named."""

import hashlib
import json
import shutil

import numpy as np
import pytest

from baycarp.bn import Network, Structure, io
from baycarp.errors import ModelError
from baycarp.opponents.network.topology import STRUCTURE, topology
from baycarp.strategies.model import digest, load_model


@pytest.fixture
def folder(small_model, tmp_path):
    """A copy whose network may be exchanged."""
    return shutil.copytree(small_model, tmp_path / "model", ignore=shutil.ignore_patterns("sessions"))


def exchange(folder, network):
    """Put another network into a model, and sign it again."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["digest"]
    io.save(network, folder / "network.npz")
    content = (folder / "network.npz").read_bytes()
    manifest["files"]["network.npz"] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    path.write_text(json.dumps(manifest | {"digest": digest(manifest)}))


def tables(structure):
    return {node: np.full(structure.shape(node), 1 / structure.cardinality(node)) for node in structure.nodes}


def without(structure, left_out):
    """The structure without a node."""
    parents = {n: [p for p in above if p != left_out] for n, above in structure.parents.items()}
    states = {node: states for node, states in structure.states.items() if node != left_out}
    return Structure(states, {node: parents[node] for node in states})


def swapped(structure, change):
    """A copy whose first node has its states changed."""
    states = dict(structure.states)
    states["Position"] = change(states["Position"])
    return Structure(states, dict(structure.parents))


@pytest.mark.parametrize(
    ("structure", "reason"),
    [
        (Structure({"A": ["x", "y"]}), r"nodes \('A',\): expected 'HandGroup' among them"),
        (without(STRUCTURE, "HandTypeTurn"), "expected 'HandTypeTurn' among them"),
        (swapped(STRUCTURE, lambda own: [f"{each}?" for each in own]), "'Position' .*expected the states"),
        (swapped(STRUCTURE, lambda own: own[::-1]), "'Position' .*expected the states"),
        (
            Structure({**STRUCTURE.states, "Mood": ["x"]}, STRUCTURE.parents),
            "'Mood' .*expected nodes of read",
        ),
        (
            Structure(
                STRUCTURE.states, {**STRUCTURE.parents, "HandType": ("HandTypeFinal",), "HandTypeFinal": ()}
            ),
            "'HandType': expected no arc from 'HandTypeFinal'",
        ),
    ],
)
def test_a_network_that_nothing_is_believed_by_is_refused(folder, structure, reason):
    exchange(folder, Network(structure, tables(structure)))
    with pytest.raises(ModelError, match=rf"network\.npz: .*{reason}"):
        load_model(folder)


def test_a_network_that_holds_acts_to_be_impossible_is_refused(folder):
    sure = np.eye(1, STRUCTURE.cardinality("Board"))[0]
    exchange(folder, Network(STRUCTURE, tables(STRUCTURE) | {"Board": sure}))
    with pytest.raises(ModelError, match=r"network\.npz: table of 'Board': expected probabilities above 0"):
        load_model(folder)


@pytest.mark.parametrize(
    "structure",
    [
        topology("odds", classes=True),
        without(STRUCTURE, "Board"),
        Structure(STRUCTURE.states),
    ],
)
def test_other_networks_of_readings_are_loaded(folder, structure):
    network = Network(structure, tables(structure))
    exchange(folder, network)
    assert load_model(folder).network == network

"""Inference by sums over the joint table of a network; and random networks."""

import numpy as np

from baycarp.bn import Network, Structure


def joint(network):
    """The product of all tables: an axis for each node, in the order of the nodes."""
    structure = network.structure
    axes = {node: axis for axis, node in enumerate(structure.nodes)}
    table = np.ones([structure.cardinality(node) for node in structure.nodes])
    for node in structure.nodes:
        family = structure.family(node)
        shape = [
            structure.cardinality(other) if other in family else 1 for other in structure.nodes
        ]  # the family's axes in the order of the nodes
        order = sorted(range(len(family)), key=lambda i: axes[family[i]])
        table = table * network.cpt(node).transpose(order).reshape(shape)
    return table


def posterior(network, evidence, node):
    """P(node, evidence) as an array over the node's states: divide by its sum for the posterior."""
    structure = network.structure
    at = tuple(
        structure.states[other].index(evidence[other]) if other in evidence else slice(None)
        for other in structure.nodes
    )
    left = [other for other in structure.nodes if other not in evidence]
    return joint(network)[at].sum(axis=tuple(i for i, other in enumerate(left) if other != node))


def random_network(rng, nodes, states=(1, 4), parents=3, zeros=0.0):
    """A network of random shape and tables, its nodes in no particular order; ``zeros`` = share of zeros."""
    names = [f"n{i}" for i in rng.permutation(nodes)]
    cards = {node: int(rng.integers(states[0], states[1] + 1)) for node in names}
    above = {
        node: [str(p) for p in rng.permutation(names[:i])[: rng.integers(0, min(i, parents) + 1)]]
        for i, node in enumerate(names)
    }
    structure = Structure(
        {node: [f"{node}_{i}" for i in range(cards[node])] for node in sorted(names)}, above
    )
    cpts = {}
    for node in names:
        weights = rng.gamma(0.5, size=structure.shape(node)) + 1e-6
        weights *= rng.random(weights.shape) >= zeros
        weights[..., 0] += weights.sum(-1) == 0
        cpts[node] = weights / weights.sum(-1, keepdims=True)
    return Network(structure, cpts)


def random_evidence(rng, network, share=0.5):
    """States of a random subset of the nodes, sampled from the network, so that they are possible."""
    structure, codes = network.structure, {}
    for node in structure.order:
        row = network.cpt(node)[tuple(codes[parent] for parent in structure.parents[node])]
        codes[node] = int(rng.choice(len(row), p=row / row.sum()))
    return {node: structure.states[node][codes[node]] for node in structure.nodes if rng.random() < share}


POKER = {
    "VPIP": (10, ()),
    "PFR": (8, ()),
    "Position": (4, ()),
    "Action": (5, ()),
    "HandGroup": (10, ("VPIP", "PFR", "Position", "Action")),
    "ActionFlop": (8, ("Action",)),
    "Board": (10, ()),
    "HandType": (17, ("HandGroup", "ActionFlop", "Board")),
    "ActionTurn": (8, ("ActionFlop",)),
    "BoardChangeTurn": (12, ()),
    "HandTypeTurn": (17, ("ActionTurn", "BoardChangeTurn", "HandType")),
    "ActionRiver": (8, ("ActionTurn",)),
    "BoardChangeRiver": (12, ()),
    "HandTypeFinal": (17, ("ActionRiver", "BoardChangeRiver", "HandTypeTurn")),
}
"""The shape of the network that this package is for (Unger 2011, section 5.3.2): node -> states, parents."""


def poker_network(seed=7):
    """Random tables in that shape."""
    rng = np.random.default_rng(seed)
    structure = Structure(
        {node: [f"s{i}" for i in range(states)] for node, (states, _) in POKER.items()},
        {node: parents for node, (_, parents) in POKER.items()},
    )
    cpts = {}
    for node, (states, _) in POKER.items():
        table = np.maximum(rng.dirichlet(np.full(states, 0.4), size=structure.shape(node)[:-1]), 1e-9)
        cpts[node] = table / table.sum(-1, keepdims=True)
    return Network(structure, cpts)

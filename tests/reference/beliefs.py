"""A posterior as one sum over all unobserved nodes."""

import numpy as np


def posterior(network, evidence, node):
    """P(node | evidence), by Einstein summation over every table of the network at once."""
    structure = network.structure
    axis = {name: number for number, name in enumerate(structure.nodes) if name not in evidence}
    terms = []
    for name in structure.nodes:
        family = structure.family(name)
        at = tuple(
            structure.states[member].index(evidence[member]) if member in evidence else slice(None)
            for member in family
        )
        terms += [network.cpt(name)[at], [axis[member] for member in family if member not in evidence]]
    table = np.einsum(*terms, [axis[node]], optimize="greedy")
    return table / table.sum()

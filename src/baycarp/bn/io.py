"""Networks on disk: one ``.npz`` with the structure as JSON and the tables as arrays; no pickle.

The JSON names the format, its version, the nodes with their states and parents, and a digest of all.
Sizes are checked before memory is allocated: a corrupt file raises an error and costs no memory.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from baycarp.bn.network import Network, Structure
from baycarp.errors import ModelError, SchemaError
from baycarp.files import (
    ArrayForm,
    FileForm,
    ListForm,
    MapForm,
    NumberForm,
    RecordForm,
    TextForm,
    read_headed_arrays,
    write_arrays,
)

__all__ = ["load", "save"]

FORMAT = "baycarp.network"
VERSION = 1
STRUCTURE, TABLES = "structure", "tables"
MOST_NODES = 1000
"""The largest number of nodes in a file."""

_NAMES = ListForm(TextForm(), most=1 << 16)
FORM = FileForm(
    {TABLES: ArrayForm("float64", ("cells",), 0, 1)},
    limit=1 << 24,
    head=RecordForm(
        {
            "format": TextForm(one_of=(FORMAT,)),
            "version": NumberForm(VERSION, VERSION, whole=True),
            "digest": TextForm(),
            "nodes": MapForm(RecordForm({"states": _NAMES, "parents": _NAMES}), 1, MOST_NODES),
        }
    ),
    head_in=STRUCTURE,
)


def save(network: Network, path: Path | str) -> None:
    """Write a network atomically.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> network = Network(Structure({"Rain": ["no", "yes"]}), {"Rain": [0.8, 0.2]})
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rain.npz")
    >>> save(network, path)
    >>> load(path) == network
    True
    """
    states, parents = network.structure.states, network.structure.parents
    text = json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "digest": network.digest(),
            "nodes": {node: {"states": states[node], "parents": parents[node]} for node in states},
        }
    )
    write_arrays(path, {STRUCTURE: np.frombuffer(text.encode(), np.uint8), TABLES: network.tables})


def load(path: Path | str) -> Network:
    """Read a network.

    Raises
    ------
    ModelError
        The file is missing, corrupt, or of another format or version.
    """
    try:
        return _read(Path(path))
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    except Exception as error:  # readers of corrupt files raise errors of any type
        raise ModelError(f"{path}: no network: {error}") from error


def _read(path: Path) -> Network:
    head, arrays = read_headed_arrays(path, FORM)
    nodes, flat = head["nodes"], arrays[TABLES]
    structure = Structure(
        {node: given["states"] for node, given in nodes.items()},
        {node: given["parents"] for node, given in nodes.items()},
    )
    size = sum(math.prod(structure.shape(node)) for node in structure.nodes)
    if flat.shape != (size,):
        raise ModelError(f"tables of shape {flat.shape}: expected ({size},)")
    network = _network(structure, flat)
    if network.digest() != head["digest"]:
        raise ModelError(f"its digest is {network.digest()}, expected {head['digest']}")
    return network


def _network(structure: Structure, flat: np.ndarray[Any, Any]) -> Network:
    cpts, at = {}, 0
    for node in structure.nodes:
        shape = structure.shape(node)
        cpts[node] = flat[at : at + math.prod(shape)].reshape(shape)
        at += math.prod(shape)
    try:
        return Network(structure, cpts)
    except SchemaError as error:
        raise ModelError(str(error)) from error

"""Networks in the Bayesian interchange format (BIF 0.15), without loss of digits or other libraries."""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.bif_text import ESCAPED, KEYWORDS, Block, read_blocks
from baycarp.bn.network import TOLERANCE, Network, Structure
from baycarp.errors import ModelError, reason
from baycarp.files import read_text, write_whole

__all__ = ["ROUNDING", "parse_bif", "read_bif", "rounded", "write_bif"]

ROUNDING = 1e-3
"""Largest difference from 1 of the sum of an imported row, which is then normalised; others are rejected."""

LARGEST = 1 << 28
"""Bytes of a file, at most."""

MOST_CELLS = 2**24
"""The largest table of a file."""

_Table: TypeAlias = NDArray[np.float64]


def write_bif(network: Network, path: Path | str) -> None:
    """Write a network in the Bayesian interchange format, without loss of digits.

    Names other than words are quoted; those with characters that are not printable, quotation marks or
    backslashes are escaped as in JSON, and the file says so in a property. `read_bif` gives the same network.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> network = Network(Structure({"Rain": ["no", "yes"]}), {"Rain": [0.8, 0.2]})
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rain.bif")
    >>> write_bif(network, path)
    >>> read_bif(path) == network
    True
    """
    write_whole(path, "".join(_written(network)))


def _written(network: Network) -> Iterator[str]:
    structure = network.structure
    names = {name: _name(name) for node, own in structure.states.items() for name in (node, *own)}
    states = {node: [names[state] for state in own] for node, own in structure.states.items()}
    yield "network unknown {\n"
    yield f"    {ESCAPED}\n" if any("\\" in each for each in names.values()) else ""
    yield "}\n"
    for node, own in states.items():
        yield f"variable {names[node]} {{\n    type discrete [ {len(own)} ] {{ {', '.join(own)} }};\n}}\n"
    for node, parents in structure.parents.items():
        given = f" | {', '.join(names[parent] for parent in parents)}" if parents else ""
        yield f"probability ( {names[node]}{given} ) {{\n"
        table = network.cpt(node)
        for at in np.ndindex(table.shape[:-1]):
            config = [states[parent][code] for parent, code in zip(parents, at, strict=True)]
            head = f"( {', '.join(config)} )" if parents else "table"
            yield f"    {head} {', '.join(map(repr, table[at].tolist()))};\n"
        yield "}\n"


def _name(name: str) -> str:
    """A name as it is written: a word, or in quotation marks."""
    if re.fullmatch(r"[\w-]+", name) and name not in KEYWORDS:
        return name
    return f'"{name}"' if name.isprintable() and not set(name) & {'"', "\\"} else json.dumps(name)


def read_bif(path: Path | str) -> Network:
    """Read a network in the Bayesian interchange format.

    Rows whose sum differs from 1 by at most 0.001 are divided by their sum.

    Raises
    ------
    ModelError
        The file is missing or not in this format.
    """
    try:
        return parse_bif(read_text(path, LARGEST))
    except UnicodeDecodeError as error:
        detail = f"byte {error.start}: expected UTF-8; a text of another encoding is to be saved as UTF-8"
        raise ModelError(f"{path}: no network in BIF: {detail}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: no network in BIF: {reason(error)}") from error


def parse_bif(text: str) -> Network:
    """The network of a text in the Bayesian interchange format; see `read_bif`.

    Raises
    ------
    ModelError, SchemaError
        The text is not in this format; its tables are not those of a network.

    Examples
    --------
    >>> network = parse_bif("variable A { type discrete [2] {no, yes}; } probability (A) {table .8 .2;}")
    >>> network.structure.states["A"], network.cpt("A")
    (('no', 'yes'), array([0.8, 0.2]))
    """
    states, blocks = read_blocks(text)
    structure = Structure(states, {node: block.parents for node, block in blocks.items()})
    return rounded(structure, {node: _table(structure, node, block) for node, block in blocks.items()})


def rounded(structure: Structure, tables: dict[str, _Table]) -> Network:
    """A network of imported tables: rows whose sum differs from 1 by at most `ROUNDING` are normalised."""
    for node, table in tables.items():
        with np.errstate(over="ignore", invalid="ignore"):
            sums = table.sum(-1, keepdims=True)
            near = np.all(np.abs(sums - 1) <= ROUNDING)
        if near:
            tables[node] = np.where(np.abs(sums - 1) <= TOLERANCE, table, table / sums)
    return Network(structure, tables)


def _table(structure: Structure, node: str, block: Block) -> _Table:
    shape = structure.shape(node)
    if math.prod(shape) > MOST_CELLS:
        raise ModelError(f"table of {node!r}: {math.prod(shape)} cells, expected at most {MOST_CELLS}")
    if block.table:
        if len(block.table) != math.prod(shape):
            raise ModelError(f"table of {node!r}: {len(block.table)} numbers, expected {math.prod(shape)}")
        table = np.moveaxis(np.array(block.table).reshape(shape[-1], *shape[:-1]), 0, -1)
        given = np.full(shape[:-1], True)
    else:
        table, given = _of_rows(structure, node, block)
    for at in np.argwhere(~given | np.isnan(table).any(axis=-1))[:1]:
        config = ", ".join(structure.states[p][code] for p, code in zip(block.parents, at, strict=True))
        why = "NaN, as of a row that was never observed" if given[tuple(at)] else "no such row"
        raise ModelError(f"table of {node!r} at ({config[:60]}): {why}: expected {shape[-1]} probabilities")
    return table


def _of_rows(structure: Structure, node: str, block: Block) -> tuple[_Table, NDArray[np.bool_]]:
    """A table by its rows, and whether each row is there."""
    shape = structure.shape(node)
    table, given = np.full(shape, np.nan), np.full(shape[:-1], False)
    codes = [{state: code for code, state in enumerate(structure.states[p])} for p in block.parents]
    for at, numbers in [*([((), block.default)] if block.default else []), *block.rows]:
        if len(numbers) != shape[-1] or len(at) not in (0, len(codes)):
            raise ModelError(f"table of {node!r} at {at}: {len(numbers)} numbers, expected {shape[-1]}")
        try:
            row = tuple(code[state] for code, state in zip(codes, at, strict=False))
        except KeyError as error:
            raise ModelError(f"table of {node!r} at {at}: {error} is no state of a parent") from None
        table[row], given[row] = numbers, True
    return table, given

"""Networks in the Bayesian interchange format (BIF 0.15), without loss of digits or other libraries."""

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.bn.network import Network, Structure
from baycarp.errors import ModelError, SchemaError
from baycarp.files import write_whole

__all__ = ["ROUNDING", "parse_bif", "read_bif", "rounded", "write_bif"]

ROUNDING = 1e-3
"""Largest difference from 1 of the sum of an imported row, which is then normalised; others are rejected."""

MOST_CELLS = 2**24
"""The largest table of a file."""

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|property\b[^;]*;", re.S)
_TOKEN = re.compile(r'"[^"]*"|[{}()\[\],;|]|[^\s{}()\[\],;|"]+')

_Table: TypeAlias = NDArray[np.float64]


class _Block(NamedTuple):
    """The table of a node before its shape is known: its parents, and the numbers at each parents' states."""

    parents: list[str]
    rows: list[tuple[tuple[str, ...], list[float]]]
    default: list[float]
    table: list[float]


def write_bif(network: Network, path: Path | str) -> None:
    """Write a network in the Bayesian interchange format, without loss of digits.

    Raises
    ------
    SchemaError
        A name with characters other than letters, digits, ``_`` and ``-``.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> network = Network(Structure({"Rain": ["no", "yes"]}), {"Rain": [0.8, 0.2]})
    >>> path = pathlib.Path(tempfile.mkdtemp(), "rain.bif")
    >>> write_bif(network, path)
    >>> read_bif(path) == network
    True
    """
    for node, states in network.structure.states.items():
        for name in (node, *states):
            if not name.replace("_", "").replace("-", "").isalnum():
                raise SchemaError(
                    f"name {name!r} of node {node!r}: BIF holds letters, digits, '_' and '-' alone"
                )
    write_whole(path, "".join(_written(network)))


def _written(network: Network) -> Iterator[str]:
    structure = network.structure
    yield "network unknown {\n}\n"
    for node, states in structure.states.items():
        yield f"variable {node} {{\n    type discrete [ {len(states)} ] {{ {', '.join(states)} }};\n}}\n"
    for node, parents in structure.parents.items():
        given = f" | {', '.join(parents)}" if parents else ""
        yield f"probability ( {node}{given} ) {{\n"
        table = network.cpt(node)
        for at in np.ndindex(table.shape[:-1]):
            config = [structure.states[parent][code] for parent, code in zip(parents, at, strict=True)]
            head = f"( {', '.join(config)} )" if parents else "table"
            yield f"    {head} {', '.join(map(repr, table[at].tolist()))};\n"
        yield "}\n"


def read_bif(path: Path | str) -> Network:
    """Read a network in the Bayesian interchange format.

    Rows whose sum differs from 1 by at most 0.001 are divided by their sum.

    Raises
    ------
    ModelError
        The file is missing or not in this format.
    """
    try:
        return parse_bif(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: no network in BIF: {error}") from error


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
    tokens = _TOKEN.findall(_COMMENT.sub(" ", text))
    states: dict[str, list[str]] = {}
    blocks: dict[str, _Block] = {}
    for head, body in _sections(tokens):
        if head[0] == "variable":
            node = _only(head[1:])
            if node in states:
                raise ModelError(f"{node!r:.60}: expected one block of its states")
            states[node] = _states(body)
        elif head[0] == "probability":
            node, block = _block(head[1:], body)
            if node in blocks:
                raise ModelError(f"{node!r:.60}: expected one block of its probabilities")
            blocks[node] = block
    structure = Structure(states, {node: block.parents for node, block in blocks.items()})
    return rounded(structure, {node: _table(structure, node, block) for node, block in blocks.items()})


def rounded(structure: Structure, tables: dict[str, _Table]) -> Network:
    """A network of imported tables: rows whose sum differs from 1 by at most `ROUNDING` are normalised."""
    for node, table in tables.items():
        with np.errstate(over="ignore", invalid="ignore"):
            sums = table.sum(-1, keepdims=True)
            near = np.all(np.abs(sums - 1) <= ROUNDING)
        if near:
            tables[node] = table / sums
    return Network(structure, tables)


def _sections(tokens: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The head and the body of each ``head { body }``."""
    at = 0
    while at < len(tokens):
        try:
            opened = tokens.index("{", at)
            closed, depth = opened + 1, 1
            while depth:
                depth += {"{": 1, "}": -1}.get(tokens[closed], 0)
                closed += 1
        except (ValueError, IndexError):
            raise ModelError(f"{' '.join(tokens[at : at + 3])!r:.60}: a block without '{{' or '}}'") from None
        if opened == at or tokens[at] not in ("network", "variable", "probability"):
            raise ModelError(f"{tokens[at]!r:.60}: expected 'network', 'variable' or 'probability'")
        yield [token.strip('"') for token in tokens[at:opened]], list(tokens[opened + 1 : closed - 1])
        at = closed


def _only(names: Sequence[str]) -> str:
    if len(names) != 1:
        raise ModelError(f"{' '.join(names)!r:.60}: expected one name")
    return names[0]


def _states(body: Sequence[str]) -> list[str]:
    if "{" not in body or "}" not in body:
        raise ModelError(f"{' '.join(body)!r:.60}: expected the states of a variable in braces")
    found = [token.strip('"') for token in body[body.index("{") + 1 : body.index("}")] if token != ","]
    if "[" in body[:-1] and body[body.index("[") + 1] != str(len(found)):
        raise ModelError(f"{' '.join(body)!r:.60}: expected as many states as the number in brackets")
    return found


def _block(head: Sequence[str], body: Sequence[str]) -> tuple[str, _Block]:
    names = [token for token in head if token not in "(),|"]
    if not names:
        raise ModelError("a table without a node")
    block = _Block(names[1:], [], [], [])
    entry: list[str] = []
    for token in body:
        if token != ";":
            entry.append(token)
        else:
            _entry(block, entry)
            entry = []
    if entry:
        raise ModelError(f"{' '.join(entry[:3])!r:.60}: expected ';' at the end")
    return names[0], block


def _entry(block: _Block, tokens: Sequence[str]) -> None:
    """Add ``( states ) numbers``, ``table numbers`` or ``default numbers`` to a block."""
    if not tokens or tokens[0] not in ("(", "table", "default") or (tokens[0] == "(" and ")" not in tokens):
        raise ModelError(f"{' '.join(tokens)!r:.60}: expected '( states ) numbers', 'table' or 'default'")
    start = tokens.index(")") + 1 if tokens[0] == "(" else 1
    try:
        numbers = [float(token) for token in tokens[start:] if token != ","]
    except ValueError as error:
        raise ModelError(f"{' '.join(tokens)!r:.60}: {error}") from None
    if tokens[0] == "(":
        at = tuple(token.strip('"') for token in tokens[1 : start - 1] if token != ",")
        block.rows.append((at, numbers))
    else:
        (block.table if tokens[0] == "table" else block.default).extend(numbers)


def _table(structure: Structure, node: str, block: _Block) -> _Table:
    shape = structure.shape(node)
    if math.prod(shape) > MOST_CELLS:
        raise ModelError(f"table of {node!r}: {math.prod(shape)} cells, expected at most {MOST_CELLS}")
    if block.table:
        if len(block.table) != math.prod(shape):
            raise ModelError(f"table of {node!r}: {len(block.table)} numbers, expected {math.prod(shape)}")
        return np.moveaxis(np.array(block.table).reshape(shape[-1], *shape[:-1]), 0, -1)
    table = np.full(shape, np.nan)
    codes = [{state: code for code, state in enumerate(structure.states[p])} for p in block.parents]
    for at, numbers in [*([((), block.default)] if block.default else []), *block.rows]:
        if len(numbers) != shape[-1] or len(at) not in (0, len(codes)):
            raise ModelError(f"table of {node!r} at {at}: {len(numbers)} numbers, expected {shape[-1]}")
        try:
            table[tuple(code[state] for code, state in zip(codes, at, strict=False))] = numbers
        except KeyError as error:
            raise ModelError(f"table of {node!r} at {at}: {error} is no state of a parent") from None
    return table

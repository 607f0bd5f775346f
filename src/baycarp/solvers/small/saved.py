"""Strategies on disk: one ``.npz`` with the probabilities as arrays and all else as JSON; no pickle.

The JSON names the format, its version, the game with its information sets and actions, what made the
strategy, and a digest of all of this and of every bit of the probabilities.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError
from baycarp.files import parse_json, read_arrays, write_arrays
from baycarp.solvers.small.strategy import Strategy
from baycarp.solvers.small.tree import Tree

__all__ = ["Origin", "Saved", "load_strategy", "save_strategy"]

FORMAT, VERSION = "baycarp.small-game-strategy", 1
HEAD, PLAYERS = "head", ("first", "second")
"""Names of the arrays: the JSON, and the probabilities of each player."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What made a strategy: algorithm, iterations and seed, and the exploitability that was reached."""

    algorithm: str
    iterations: int
    seed: int
    exploitability: float


@dataclass(frozen=True, slots=True, eq=False)
class Saved:
    """A strategy from a file, its origin, and the digest of the file's content (SHA-256, as hex)."""

    strategy: Strategy
    origin: Origin
    digest: str


def save_strategy(strategy: Strategy, origin: Origin, path: Path | str) -> str:
    """Write a strategy atomically; its digest, as ``Saved`` has it.

    Examples
    --------
    >>> import tempfile
    >>> from baycarp.solvers import Kuhn, flatten
    >>> tree, path = flatten(Kuhn()), Path(tempfile.mkdtemp(), "kuhn.npz")
    >>> digest = save_strategy(Strategy.uniform(tree), Origin("cfr+", 0, 1, 0.4583), path)
    >>> load_strategy(path, tree).digest == digest
    True
    """
    head = _described(strategy.tree) | {"origin": asdict(origin)}
    digest = _digest(head, strategy.probabilities)
    text = json.dumps(head | {"digest": digest}).encode()
    arrays = dict(zip(PLAYERS, strategy.probabilities, strict=True))
    write_arrays(path, {HEAD: np.frombuffer(text, np.uint8), **arrays})
    return digest


def load_strategy(path: Path | str, tree: Tree) -> Saved:
    """Read a strategy of a game.

    Parameters
    ----------
    path
        A file of ``save_strategy``.
    tree
        The game that it must be of.

    Raises
    ------
    ModelError
        The file is missing, damaged, of another format or version, or of another game.
    """
    try:
        return _read(Path(path), tree)
    except ModelError as error:
        raise ModelError(f"{path}: {error}") from error
    except Exception as error:  # readers of corrupt files raise errors of any type
        raise ModelError(f"{path}: no strategy: {error}") from error


def _read(path: Path, tree: Tree) -> Saved:
    arrays = read_arrays(path)
    if set(arrays) != {HEAD, *PLAYERS}:
        raise ModelError(f"holds {sorted(arrays)}, expected {[HEAD, *PLAYERS]}")
    head = parse_json(arrays[HEAD].tobytes())
    if not isinstance(head, dict) or (head.get("format"), head.get("version")) != (FORMAT, VERSION):
        raise ModelError(f"expected the format {FORMAT!r}, version {VERSION}")
    signed = head.pop("digest", None)
    for key, wanted in _described(tree).items():
        if head.get(key) != wanted:
            raise ModelError(f"{key} {head.get(key)!r:.80}, expected {wanted!r:.80}")
    probabilities = arrays[PLAYERS[0]], arrays[PLAYERS[1]]
    strategy = Strategy(tree, probabilities)
    if signed != _digest(head, probabilities):
        raise ModelError(f"its digest is {_digest(head, probabilities)}, expected {signed}")
    return Saved(strategy, Origin(**head["origin"]), signed)


def _described(tree: Tree) -> dict[str, Any]:
    """What a file must agree with."""
    players = [
        [[key, list(actions)] for key, actions in zip(side.informations, side.actions, strict=True)]
        for side in tree.sides
    ]
    return {"format": FORMAT, "version": VERSION, "game": tree.game.name, "players": players}


def _digest(head: dict[str, Any], probabilities: tuple[NDArray[np.float64], ...]) -> str:
    hashed = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for array in probabilities:
        hashed.update(array.astype("<f8").tobytes())
    return hashed.hexdigest()

"""Strategies of small games on disk: one ``.npz`` with the probabilities, and all else in its head.

The head names the game with its information sets and actions, what made the strategy, and a digest of all of
this and of every bit of the probabilities.
"""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import ModelError, brief
from baycarp.files import AnyForm, ArrayForm, FileForm, Form, NumberForm, RecordForm, TextForm
from baycarp.solvers.headed import headed, read_headed, reading, write_headed
from baycarp.solvers.small.strategy import StrategyProfile
from baycarp.solvers.small.tree import GameTree

__all__ = ["Saved", "SolvedBy", "load_strategy", "save_strategy"]

FORMAT = "baycarp.small-game-strategy"
_PROBABILITIES = {
    "first": ArrayForm("float64", ("sequences of the first",), 0, 1),
    "second": ArrayForm("float64", ("sequences of the second",), 0, 1),
}
_ORIGIN: dict[str, Form] = {
    "algorithm": TextForm(),
    "iterations": NumberForm(0, 1 << 53, whole=True),
    "seed": NumberForm(whole=True),
    "exploitability": NumberForm(),
}
FORM = headed(
    FORMAT,
    {"game": TextForm(), "players": AnyForm(), "origin": RecordForm(_ORIGIN), "digest": TextForm()},
    FileForm(_PROBABILITIES, limit=1 << 30),
)


@dataclass(frozen=True, slots=True)
class SolvedBy:
    """What made a strategy: algorithm, iterations and seed, and the exploitability that was reached."""

    algorithm: str
    iterations: int
    seed: int
    exploitability: float


@dataclass(frozen=True, slots=True, eq=False)
class Saved:
    """A strategy from a file, its origin, and the digest of the file's content (SHA-256, as hex)."""

    strategy: StrategyProfile
    origin: SolvedBy
    digest: str


def save_strategy(strategy: StrategyProfile, origin: SolvedBy, path: Path | str) -> str:
    """Write a strategy atomically; its digest, as ``Saved`` has it.

    Examples
    --------
    >>> import tempfile
    >>> from baycarp.solvers import Kuhn, flatten
    >>> tree, path = flatten(Kuhn()), Path(tempfile.mkdtemp(), "kuhn.npz")
    >>> digest = save_strategy(StrategyProfile.uniform(tree), SolvedBy("cfr+", 0, 1, 0.4583), path)
    >>> load_strategy(path, tree).digest == digest
    True
    """
    head = _described(strategy.tree) | {"origin": asdict(origin)}
    head["digest"] = _digest(head, strategy.probabilities)
    first, second = strategy.probabilities
    write_headed(Path(path), FORMAT, head, {"first": first, "second": second})
    return str(head["digest"])


def load_strategy(path: Path | str, tree: GameTree) -> Saved:
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
    with reading(path, "strategy"):
        head, arrays = read_headed(path, FORM)
        signed = head.pop("digest")
        for key, wanted in _described(tree).items():
            if head[key] != wanted:
                raise ModelError(f"{path}: {key} {brief(head[key], 80)}, expected {brief(wanted, 80)}")
        strategy = StrategyProfile(tree, (arrays["first"], arrays["second"]))
        if signed != _digest(head, strategy.probabilities):
            raise ModelError(f"{path}: damaged strategy: expected the digest {signed}")
        return Saved(strategy, SolvedBy(**head["origin"]), signed)


def _described(tree: GameTree) -> dict[str, Any]:
    """What a file must agree with."""
    players = [
        [[key, list(actions)] for key, actions in zip(side.informations, side.actions, strict=True)]
        for side in tree.sides
    ]
    return {"game": tree.game.name, "players": players}


def _digest(head: dict[str, Any], probabilities: tuple[NDArray[np.float64], ...]) -> str:
    signed = {name: head[name] for name in ("game", "players", "origin")}
    hashed = sha256(json.dumps(signed, sort_keys=True).encode())
    for array in probabilities:
        hashed.update(array.astype("<f8").tobytes())
    return hashed.hexdigest()

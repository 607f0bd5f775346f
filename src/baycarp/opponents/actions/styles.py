"""The player styles, and their file.

STYLES.npz   ``head``: JSON, as bytes: format, version, the command that made it, how common each style is
             ``street0`` .. ``street3``: float16 tables, shape (styles, situations, buckets, 3)
"""

import hashlib
import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from baycarp.errors import ModelError, SchemaError
from baycarp.files import parse_json, read_arrays, write_arrays
from baycarp.opponents.actions.hand_actions import SHAPES, ActionModel

__all__ = ["SHIPPED", "Styles", "load_styles", "save_styles"]

FORMAT, VERSION = "baycarp.styles", 3

READABLE = (2, 3)
"""Version 2 has float32 tables, and a number for each style that is not read any more."""

SHIPPED = Path(__file__).parents[2] / "data" / "models" / "styles.npz"
"""The styles that come with the package."""

MOST = 256
"""Styles in a file, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Styles:
    """The player styles.

    Parameters
    ----------
    models
        The action model of each style.
    shares
        The share of each style among players; sums to 1.

    Raises
    ------
    SchemaError
        Not one share for each, or shares that are no probabilities.
    """

    models: tuple[ActionModel, ...]
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        good = all(0 < share <= 1 for share in self.shares) and math.isclose(sum(self.shares), 1.0)
        if len(self.models) != len(self.shares) or not good:
            raise SchemaError(
                f"shares {self.shares}: expected one for each of {len(self.models)} styles, sum 1"
            )

    @property
    def digest(self) -> str:
        """SHA-256 of everything in it, as hexadecimal digits."""
        digest = hashlib.sha256(json.dumps(self.shares).encode())
        for model in self.models:
            for table in model.tables:
                digest.update(table.tobytes())
        return digest.hexdigest()


def save_styles(styles: Styles, path: Path | str, command: str) -> None:
    """Write styles; the file is there whole or not at all.

    Raises
    ------
    SchemaError
        More styles than a file has.

    Examples
    --------
    >>> import tempfile
    >>> from baycarp.opponents.actions.hand_actions import sensible
    >>> path = Path(tempfile.mkdtemp(), "styles.npz")
    >>> save_styles(Styles((sensible(),), (1.0,)), path, "an example")
    >>> load_styles(path).shares
    (1.0,)
    """
    if len(styles.models) > MOST:
        raise SchemaError(f"{len(styles.models)} styles: expected at most {MOST} in a file")
    head = {
        "format": FORMAT,
        "version": VERSION,
        "command": command,
        "shares": styles.shares,
    }
    tables = {
        f"street{street}": np.stack([model.tables[street] for model in styles.models]).astype(np.float16)
        for street in range(4)
    }
    write_arrays(path, {"head": np.frombuffer(json.dumps(head).encode(), np.uint8), **tables})


def load_styles(path: Path | str = SHIPPED) -> Styles:
    """Read styles; a process reads a file once.

    Raises
    ------
    ModelError
        A file that is missing, corrupt, or of another format or version.
    """
    try:
        return _load(Path(path), Path(path).stat().st_mtime_ns)
    except Exception as error:  # what a corrupt file makes its readers raise has no bound
        raise ModelError(f"{path}: no styles: {error}") from error


@lru_cache(maxsize=4)
def _load(path: Path, _stamp: int) -> Styles:
    arrays, names = read_arrays(path, 1 << 24), [f"street{street}" for street in range(4)]
    if set(arrays) != {"head", *names} or arrays["head"].nbytes > 2**16:
        raise ModelError(f"holds {sorted(arrays)}: expected head and {', '.join(names)}")
    head = parse_json(arrays["head"].tobytes())
    if head.get("format") != FORMAT or head.get("version") not in READABLE:
        raise ModelError(f"expected format {FORMAT!r}, version {' or '.join(map(str, READABLE))}")
    for name, shape in zip(names, SHAPES, strict=True):
        if arrays[name].shape[1:] != shape or not 1 <= len(arrays[name]) <= MOST:
            raise ModelError(f"{name} of shape {arrays[name].shape}: expected 1 to {MOST} styles of {shape}")
    streets = [arrays[name].astype(np.float64) for name in names]
    streets = [street / street.sum(axis=-1, keepdims=True) for street in streets]
    models = tuple(ActionModel(tables) for tables in zip(*streets, strict=True))
    return Styles(models, tuple(head["shares"]))

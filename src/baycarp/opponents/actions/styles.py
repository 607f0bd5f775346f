"""The player styles, and their file.

STYLES.npz   ``head``: JSON, as bytes: format, version, the command that made it, how common each style is
             ``street0`` .. ``street3``: float16 tables, shape (styles, situations, buckets, 3)
"""

import hashlib
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from baycarp.errors import ModelError, SchemaError
from baycarp.files import ArrayForm
from baycarp.opponents.actions.hand_actions import SHAPES, ActionModel
from baycarp.opponents.model_file import MODELS, MOST, Arrays, model_form, read_model, write_model

__all__ = ["SHIPPED", "Styles", "load_styles", "save_styles"]

FORMAT, VERSION = "baycarp.styles", 3

READABLE = (2, 3)
"""Version 2 has float32 tables, and a number for each style that is not read any more."""

SHIPPED = MODELS / "styles.npz"
"""The styles that come with the package."""

FORM = model_form(
    FORMAT,
    READABLE,
    {
        f"street{street}": ArrayForm("float16 float32", ("styles", *shape), 0, 1)
        for street, shape in enumerate(SHAPES)
    },
    limit=1 << 24,
)


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
    write_model(path, head, tables)


def load_styles(path: Path | str = SHIPPED) -> Styles:
    """Read styles; a process reads a file once.

    Raises
    ------
    ModelError
        A file that is missing, corrupt, or of another format or version.
    """
    return read_model(path, "styles", FORM, _parsed)


def _parsed(head: dict[str, Any], arrays: Arrays) -> Styles:
    streets = [arrays[name].astype(np.float64) for name in sorted(arrays)]
    if any(len(street) != len(head["shares"]) or not street.sum(axis=-1).all() for street in streets):
        raise ModelError(f"tables of {len(streets[0])} styles: expected one for each share, none empty")
    streets = [street / street.sum(axis=-1, keepdims=True) for street in streets]
    models = tuple(ActionModel(tables) for tables in zip(*streets, strict=True))
    return Styles(models, tuple(head["shares"]))

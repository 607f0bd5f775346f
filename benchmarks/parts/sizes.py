"""Case-bases of any size to measure with: real cases, and further cases drawn from them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.cases import CaseBase, Columns, Schema
from baycarp.errors import ModelError

__all__ = ["BY", "MOVED", "resampled", "sized"]

MOVED = ("hand_strength", "positive_potential", "negative_potential")
BY = 0.01
"""A case that is drawn again has its strength and potentials moved by a normal error of this deviation."""


def resampled(columns: Columns, schema: Schema, n: int, seed: int = 0) -> dict[str, NDArray[Any]]:
    """Draw n cases with replacement, and move strength and potentials a little (``MOVED``, ``BY``)."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(columns["solutions"]), n)
    new = {name: column[..., drawn] for name, column in columns.items() if name != "ids"}
    for row, feature in enumerate(schema.numbers):
        if feature.name in MOVED:
            new["numbers"][row] += rng.normal(0, BY, n).astype(np.float32)
            np.clip(new["numbers"][row], 0, 1, out=new["numbers"][row])
    return {name: np.ascontiguousarray(column) for name, column in new.items()}


def sized(met: CaseBase, size: int) -> tuple[CaseBase, str]:
    """The first cases, and if there are fewer than ``size``, others drawn from them.

    Returns
    -------
    case-base, str
        Folded in; and a description of its cases.

    Raises
    ------
    ModelError
        There is no case.
    """
    if not len(met):
        raise ModelError(f"no case of {met.schema.name}: expected some, to draw {size:,} from")
    columns, casebase = met.columns(), CaseBase(met.schema)
    real = min(size, len(met))
    casebase.extend_columns({name: column[..., :real] for name, column in columns.items() if name != "ids"})
    label = f"{size:,}"
    if real < 0.99 * size:
        casebase.extend_columns(resampled(columns, met.schema, size - real))
        label += f" ({real:,} met, the others drawn from them)"
    casebase.fold_in()
    return casebase, label

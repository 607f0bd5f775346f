"""What own later moves win on average, learned beforehand: look-aheads begin with it.

A look-ahead learns the own later decisions on the way. At no-limit one decision has too few playouts for
that: the own later decisions are then poor, and all values too low. Its two coarsest kinds of situations are
alike in all hands (``csrc/include/baycarp/lookahead.h``). They are learned once, at two to nine seats.

CONTINUATIONS.npz   ``head``: JSON, as bytes: format, version, the command that made it
                    by betting: ``limit_keys``, ``limit_means``, ``limit_visits``, ``no_limit_keys``, ...
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baycarp.files import ArrayForm, FileForm, NumberForm, RecordForm, TextForm
from baycarp.kernels.lookahead import Continuations, Learned
from baycarp.opponents.model_file import MODELS, Arrays, read_model, write_model

__all__ = ["MOVES", "SHIPPED", "continuations_digest", "load_continuations", "save_continuations"]

FORMAT, VERSION = "baycarp.continuations", 1

SHIPPED = MODELS / "continuations.npz"
"""Those that come with the package."""

WORTH = 100
"""Results that a mean counts for at most when a look-ahead begins: its own then prevail."""

BETTINGS = ("limit", "no-limit")

MOVES = 12
"""Of a situation at most; the array has as many columns."""

FORM = FileForm(
    {
        f"{betting.replace('-', '_')}_{name}": form
        for betting in BETTINGS
        for name, form in {
            "keys": ArrayForm("int64", (f"{betting} situations",), 1, 65535),
            "means": ArrayForm("float32", (f"{betting} situations", MOVES), -1e6, 1e6),
            "visits": ArrayForm("uint32", (f"{betting} situations", MOVES), 0, WORTH),
        }.items()
    },
    1 << 22,
    RecordForm(
        {
            "format": TextForm(one_of=(FORMAT,)),
            "version": NumberForm(VERSION, VERSION, whole=True),
            "command": TextForm(),
        }
    ),
)


def save_continuations(learned: Mapping[str, Learned], path: Path | str, command: str) -> None:
    """Write what was learned, by betting; the file is there whole or not at all."""
    arrays: dict[str, NDArray[Any]] = {}
    for betting in BETTINGS:
        name, each = betting.replace("-", "_"), learned[betting]
        arrays[f"{name}_keys"], arrays[f"{name}_means"] = each.keys, each.means
        arrays[f"{name}_visits"] = np.minimum(each.visits, WORTH)
    write_model(path, {"format": FORMAT, "version": VERSION, "command": command}, arrays)


def load_continuations(path: Path | str = SHIPPED) -> Mapping[str, Continuations]:
    """Read what look-aheads begin with, by betting; a process reads a file once.

    Raises
    ------
    ModelError
        A file that is missing, corrupt, or of another format or version.
    """
    return read_model(path, "continuations", FORM, _parsed)


def continuations_digest() -> str:
    """SHA-256 of everything in those that ship, as hexadecimal digits."""
    digest = hashlib.sha256()
    for each in load_continuations().values():
        for part in each.learned():
            digest.update(part.tobytes())
    return digest.hexdigest()


def _parsed(head: dict[str, Any], arrays: Arrays) -> Mapping[str, Continuations]:
    return {
        betting: Continuations(*(arrays[f"{betting.replace('-', '_')}_{name}"] for name in Learned._fields))
        for betting in BETTINGS
    }

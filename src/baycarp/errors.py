"""Every error of the package: small kinds of ValueError that name the value and what was expected."""

import errno
from collections.abc import Iterable

__all__ = [
    "ArgumentError",
    "BaycarpError",
    "CardError",
    "CostError",
    "EvidenceError",
    "IllegalAction",
    "JournalError",
    "ModelError",
    "NotationError",
    "PictureError",
    "RangeError",
    "SchemaError",
    "SimdError",
    "StoreError",
    "TableError",
    "VariantError",
    "WorkerError",
    "brief",
    "nearest",
    "one_of",
    "reason",
]


class BaycarpError(ValueError):
    """The root of them all."""


class ArgumentError(BaycarpError):
    """An argument outside the range that a function expects, or an array of another shape or type."""


class CardError(BaycarpError):
    """A card that does not exist, stands twice, or stands in the wrong number."""


class RangeError(BaycarpError):
    """A range that cannot be read, or that holds nothing once the known cards are removed."""


class VariantError(BaycarpError):
    """Rules of a game that contradict themselves."""


class IllegalAction(BaycarpError):
    """An action that the rules do not allow now."""


class NotationError(BaycarpError):
    """A line or file of a foreign notation (ACPC, PHH, IRC) that cannot be read."""


class EvidenceError(BaycarpError):
    """Evidence that names no node or state, or that the network holds impossible."""


class SchemaError(BaycarpError):
    """A case or a query that does not fit its schema."""


class CostError(SchemaError):
    """Inference that costs more than is allowed.

    Parameters
    ----------
    message
        The cost, and what was expected.
    cells
        The cost in cells of joined tables, or in numbers of a message.
    """

    def __init__(self, message: str, cells: int = 0) -> None:
        super().__init__(message)
        self.cells = cells


class StoreError(BaycarpError):
    """A case store that is corrupt, of another schema, or cannot be written."""


class SimdError(BaycarpError):
    """An instruction set that is unknown, or that this processor lacks."""


class JournalError(BaycarpError):
    """A journal that is damaged, in use, or another match's."""


class TableError(BaycarpError):
    """Seats, names and agents that do not fit the game or one another."""


class ModelError(BaycarpError):
    """A model folder that is missing, corrupt, or of another schema."""


class PictureError(BaycarpError):
    """A picture whose file's ending names no format that is drawn."""


class WorkerError(BaycarpError):
    """A worker process that was killed before its work was done."""


def brief(value: object, most: int = 60) -> str:
    """A value in an error's message: so many characters of its repr, or its type if the repr fails.

    Examples
    --------
    >>> brief("AhKd"), brief(range(10**9), 5), brief(10**5000)
    ("'AhKd'", 'range', '<int>')
    """
    try:
        return repr(value)[:most]
    except Exception:  # of integers of more than 4,300 digits, of deep lists, of a caller's own types
        return f"<{type(value).__name__}>"


FEW = 12
"""Names that are listed beside the one that was probably meant; of more, that one stands alone."""


def one_of(given: str, names: Iterable[str]) -> str:
    """What was expected in place of a name: one of these, and the one that was probably meant.

    Examples
    --------
    >>> one_of("sed", ["seed", "workers"])
    'expected one of seed, workers; did you mean seed?'
    """
    known = [*names]
    meant = nearest(given, known)
    if meant and len(known) > FEW:
        return meant
    listed = f"expected one of {', '.join(known)}"
    return f"{listed}; {meant}" if meant else listed


def nearest(given: str, names: Iterable[str]) -> str:
    """The names that look like one, or else contain it, as a question; empty = none does.

    Examples
    --------
    >>> nearest("mtach", ["match", "table"]), nearest("nolimit", ["holdem.nolimit.3p"]), nearest("x", ["y"])
    ('did you mean match?', 'did you mean holdem.nolimit.3p?', '')
    """
    from difflib import get_close_matches  # slow to import, and of errors alone

    word, plain = given[:80].casefold(), {name.casefold(): name for name in names}
    near = get_close_matches(word, plain, cutoff=0.7)
    if not near and len(word) > 2:
        near = [name for name in plain if word in name][:3]
    return f"did you mean {' or '.join(plain[name] for name in near)}?" if near else ""


REASONS = {
    errno.EEXIST: "exists, and is no folder",
    errno.ENOTDIR: "a part of the path is no folder",
    errno.EISDIR: "a folder; expected a file",
    errno.ENOENT: "no such file or folder",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.ENOSPC: "no space left on the disk",
}
"""What is printed for a number of the system's errors; for others its own words."""


def reason(error: BaseException) -> str:
    """Why something failed, in words: an error of the system without its number and its file.

    Examples
    --------
    >>> reason(FileNotFoundError(2, "No such file or directory", "x")), reason(ValueError("x: cut"))
    ('no such file or folder', 'x: cut')
    """
    if isinstance(error, MemoryError):
        return "not enough memory" + (f": {error}" if str(error) else "")
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return REASONS.get(error.errno or 0, error.strerror[:1].lower() + error.strerror[1:])

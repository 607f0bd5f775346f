"""Records as data frames of any library (``baycarp[frames]``)."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, cast

from baycarp.errors import ArgumentError, brief

__all__ = ["as_frame"]

LIBRARIES = ("pandas", "polars", "pyarrow")
"""Of which the first that is installed makes a frame, where none is named."""


def as_frame(records: Sequence[Mapping[str, Any]], backend: str | None = None) -> Any:
    """Return records as a data frame.

    Parameters
    ----------
    records
        A row each; a column that a record lacks is None there.
    backend
        ``"pandas"``, ``"polars"``, ``"pyarrow"``, or another library of data frames that narwhals knows;
        None = the first of the three that is installed.

    Raises
    ------
    ArgumentError
        No such library.
    ImportError
        narwhals is not installed, or no library of data frames; the message explains its installation.
    """
    chosen = backend or next(filter(find_spec, LIBRARIES), "")
    try:
        import narwhals

        if not chosen:
            raise ModuleNotFoundError
        columns = dict.fromkeys(column for record in records for column in record)
        data = {column: [record.get(column) for record in records] for column in columns}
        return narwhals.from_dict(data, backend=cast(Any, chosen)).to_native()
    except ModuleNotFoundError as error:
        which = chosen or "pandas"
        raise ImportError(
            f"data frames need narwhals and a library such as {which}: pip install 'baycarp[frames]' {which} "
            "(in a clone '.[frames]')"
        ) from error
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"backend {brief(backend)}: expected one of {', '.join(LIBRARIES)}") from error

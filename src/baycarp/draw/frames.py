"""Records as data frames of any library (``baycarp[frames]``)."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

__all__ = ["as_frame"]


def as_frame(records: Sequence[Mapping[str, Any]], maker: str = "pandas") -> Any:
    """Return records as a data frame.

    Parameters
    ----------
    records
        A row each; a column that a record lacks is None there.
    maker
        ``"pandas"``, ``"polars"``, ``"pyarrow"``, or another library of data frames that narwhals knows.

    Raises
    ------
    ImportError
        narwhals is not installed, or the library; the message explains its installation.
    """
    try:
        import narwhals
    except ImportError as error:
        raise ImportError(
            "data frames need narwhals: pip install 'baycarp[frames]' (in a clone '.[frames]')"
        ) from error
    columns = dict.fromkeys(column for record in records for column in record)
    data = {column: [record.get(column) for record in records] for column in columns}
    return narwhals.from_dict(data, backend=cast(Any, maker)).to_native()

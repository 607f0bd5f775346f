"""What the functions of the package return."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from baycarp.api.printing import Console, as_json, as_text, show
from baycarp.draw import as_frame
from baycarp.errors import ArgumentError
from baycarp.files import as_csv, plain_text, write_whole

__all__ = ["Record", "Result", "write_in"]

Record = dict[str, Any]
"""A row of a data frame: numbers and texts by column."""


class Result(ABC):
    """A result that prints its tables, gives records, and is saved.

    Examples
    --------
    ``result.to_frame()`` is its data frame.
    """

    __slots__ = ()

    @abstractmethod
    def title(self) -> str:
        """The result in a line."""

    @abstractmethod
    def parts(self) -> Iterable[RenderableType]:
        """The tables and lines that are printed, in order."""

    @abstractmethod
    def to_records(self) -> list[Record]:
        """One record a row of the main table."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON values; a number may be nan."""

    def show(self, console: Console | None = None) -> None:
        """Print on a console, by default as wide as the terminal."""
        show(console or Console(), self.parts())

    def save(self, path: Path | str, spreadsheet: bool = False) -> None:
        """Write ``.json``, everything (null for nan), or ``.csv``, the records; a missing folder is created.

        Parameters
        ----------
        path
            The file.
        spreadsheet
            Whether a program that runs formulas opens the CSV: see ``files.as_csv``.

        Raises
        ------
        ArgumentError
            Another ending.
        OSError
            A file that cannot be written.
        """
        path = Path(path)
        if path.suffix not in {".json", ".csv"}:
            raise ArgumentError(f"{path}: expected a file .json or .csv")
        whole = path.suffix == ".json"
        write_in(
            path,
            as_json(self.to_dict(), indent=1) + "\n" if whole else as_csv(self.to_records(), spreadsheet),
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """The records as a data frame; None = of the first library that is installed (``draw.as_frame``)."""
        return as_frame(self.to_records(), backend)

    def __str__(self) -> str:
        return as_text(self.parts())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.title()}>"

    def _repr_html_(self) -> str:
        """The printed tables, in a notebook."""
        return plain_text(f"<pre>{escape(str(self))}</pre>")


def write_in(path: Path, text: str) -> None:
    """Write a whole file; a missing folder is created."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)

"""CSV: rows of texts, read within bounds."""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from baycarp.files.regular import open_regular

__all__ = ["parse_csv", "read_csv"]


def parse_csv(lines: Iterable[str], spreadsheet: bool = False) -> Iterator[list[str]]:
    """The rows of lines of CSV.

    Parameters
    ----------
    lines
        Of a text.
    spreadsheet
        Whether it was written for one: the apostrophe that a text begins with is taken away.

    Raises
    ------
    ValueError
        A field longer than 131,072 characters, or an unclosed quotation.
    """
    try:
        for row in csv.reader(lines):
            yield [each.removeprefix("'") for each in row] if spreadsheet else row
    except csv.Error as error:
        raise ValueError(str(error)) from error


def read_csv(path: Path | str, spreadsheet: bool = False) -> list[list[str]]:
    """The rows of a file in UTF-8; see ``parse_csv``.

    Raises
    ------
    OSError, ValueError
        As ``open_regular`` and ``parse_csv``; or bytes that are no UTF-8.
    """
    with io.TextIOWrapper(open_regular(path), "utf-8-sig", newline="") as file:
        return list(parse_csv(file, spreadsheet))

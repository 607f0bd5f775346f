"""The texts with hands in a file, a folder, an archive or standard input."""

from collections.abc import Iterator
from pathlib import Path

from baycarp.errors import NotationError
from baycarp.files import archives
from baycarp.game.notation.hand import LONGEST_HAND, Refusal, Refused

__all__ = ["text_files", "texts"]


def text_files(path: Path) -> list[Path]:
    """The file, or all regular files of a folder by name, without hidden ones and links out of it.

    Raises
    ------
    NotationError
        No such file or folder.
    """
    try:
        return archives.text_files(path)
    except FileNotFoundError as error:
        raise NotationError(str(error)) from None


def texts(path: Path, refusal: Refusal) -> Iterator[archives.Text]:
    """The texts of a path, ``-`` for standard input; folders and archives are opened.

    Parameters
    ----------
    path
        A file, packed or not, or a folder.
    refusal
        Called with each file or part of an archive that is not opened.

    Raises
    ------
    NotationError
        No such file or folder.
    """
    try:
        yield from archives.texts(path, lambda fault: refusal(Refused(*fault)), LONGEST_HAND)
    except FileNotFoundError as error:
        raise NotationError(str(error)) from None

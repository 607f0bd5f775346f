"""Damaged files of every kind: refused with a typed error, or harmless; never other content."""

from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

from baycarp.errors import BaycarpError
from baycarp.study.robustness.accidents import damaged_bytes
from baycarp.study.robustness.files import KINDS, Kind
from baycarp.study.robustness.gate import Result, Share

__all__ = ["damaged_files"]


def damaged_files(name: str, share: Share) -> Result:
    """A share of the files of one kind; each is read from a folder of its own."""
    kind, result = KINDS[name], Result()
    with TemporaryDirectory() as folder:
        good = Path(folder, "good")
        good.mkdir()
        path = kind.make(good)
        content = kind.read(path)
        data = path.read_bytes()
        for number in share:
            copy = Path(folder, str(number))
            copytree(good, copy)
            damaged = copy / path.name
            damaged.write_bytes(damaged_bytes(data, f"{share.seed} {name} {number}"))
            result.done += 1
            _read(kind, damaged, content, f"file {number}", result)
    return result


def _read(kind: Kind, path: Path, content: object, which: str, result: Result) -> None:
    with result.errors(which, lambda error: isinstance(error, (BaycarpError, OSError))):
        if kind.same(content, kind.read(path)):
            result.counts["harmless"] += 1
        elif kind.checked:
            result.find("other", f"{which}: read as other content")
        else:
            result.counts["another text"] += 1

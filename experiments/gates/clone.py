"""Tests and C harness, which only a clone of the repository has, and the environment of child processes."""

import importlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

__all__ = ["NEEDS_CLONE", "clone", "commit", "environment", "from_tests", "missing"]

NEEDS_CLONE = "needs a clone of the repository"


def clone() -> Path | None:
    """The root of the clone that this package is in, or that is the current folder."""
    here = Path(__file__).resolve().parents[2]
    for folder in (here, Path.cwd()):
        if (folder / "csrc" / "fuzz").is_dir() and (folder / "tests" / "reference").is_dir():
            return folder
    return None


def commit() -> str:
    """The last commit that touches more than ``docs``, and a digest of what is not committed there.

    Results of two of them are of two programs. Without a clone of Git it is the version of the package.
    """
    root, rest = clone(), ("--", ".", ":!docs")
    words = (("log", "-1", "--format=%H", *rest), ("diff", "HEAD", *rest))
    found = [subprocess.run(["git", *each], cwd=root, capture_output=True) for each in words]
    if root is None or any(each.returncode for each in found):
        return version("baycarp")
    last, changed = (each.stdout for each in found)
    return last.decode().strip()[:12] + (f"+{sha256(changed).hexdigest()[:8]}" if changed else "")


def missing(*modules: str) -> str:
    """What is not there, in one line: the clone, or modules that it takes; empty = nothing."""
    if clone() is None:
        return NEEDS_CLONE
    absent = [name for name in modules if importlib.util.find_spec(name) is None]
    return f"needs {', '.join(absent)}: pip install 'baycarp[test]' (in a clone '.[test]')" if absent else ""


def from_tests(name: str, folders: Sequence[str] = ()) -> ModuleType:
    """A module of the test tree.

    Raises
    ------
    ImportError
        There is no clone.
    """
    root = clone()
    if root is None:
        raise ImportError(f"{name}: {NEEDS_CLONE}")
    for folder in ("", *folders):
        path = str(root / "tests" / folder)
        if path not in sys.path:
            sys.path.insert(0, path)
    return importlib.import_module(name)


def environment(*first: str, **more: str) -> dict[str, str]:
    """Variables of a child process that imports what this one imports, and folders before that."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*first, *filter(None, sys.path)]), **more}

"""Modules: the one place that executes code which a user names, by a module's name or its file."""

import sys
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from types import ModuleType

from baycarp.files.regular import read_bytes

__all__ = ["module_digest", "named_module", "run_module"]

LONGEST = 1 << 24
"""Bytes of a module's file, at most."""


def named_module(name: str) -> ModuleType:
    """The installed module of a name.

    Raises
    ------
    ImportError
        There is none, or what it needs is missing.
    """
    return import_module(name)


def module_digest(name: str) -> str:
    """The SHA-256 of a module's file, 16 hexadecimal digits; empty = it has none.

    Parameters
    ----------
    name
        Of an installed module, or the path of a ``.py`` file.
    """
    file = name if name.endswith(".py") else import_module(name).__file__
    return sha256(read_bytes(file, LONGEST)).hexdigest()[:16] if file else ""


def run_module(path: Path) -> ModuleType:
    """A module that is executed from a file, each version of it once in a process.

    Raises
    ------
    OSError, ValueError
        As ``read_bytes``; otherwise what the module raises.
    """
    source = read_bytes(path, LONGEST)
    name = f"baycarp_agents_{sha256(bytes(path.resolve()) + source).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    sys.modules[name] = module = ModuleType(name)  # dataclasses look their module up
    module.__file__ = str(path)
    try:
        exec(compile(source, path, "exec"), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module

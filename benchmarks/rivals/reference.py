"""The definitions in plain C, built by ``pip install -C cmake.define.BAYCARP_REFERENCE=ON .``."""

from importlib import import_module
from typing import Any


def reference() -> Any:
    """The module; None where it was not built."""
    try:
        return import_module("baycarp_reference")
    except ImportError:
        return None

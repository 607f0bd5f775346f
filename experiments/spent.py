"""Processor time of a row: what is recorded beside its journal, so that interrupted runs count."""

import os
from pathlib import Path
from time import process_time

from baycarp.files import read_json, write_whole

__all__ = ["spent", "worked"]


def worked() -> float:
    """Seconds of processor time of this process and of its workers that have ended."""
    children = os.times()[2:4]
    return process_time() + sum(children)


def spent(folder: Path, hours: float) -> float:
    """Add hours to those that a folder records; the sum."""
    path = folder / "hours.json"
    if path.exists():
        hours += read_json(path, 1000)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, f"{hours}\n")
    return hours

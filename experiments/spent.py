"""Processor time of a row: what is recorded beside its journal, so that interrupted runs count."""

import os
from pathlib import Path
from time import process_time

from baycarp.files import read_json, write_whole

__all__ = ["recorded", "spent", "worked"]

HOURS = "hours.json"


def worked() -> float:
    """Seconds of processor time of this process and of its workers that have ended."""
    children = os.times()[2:4]
    return process_time() + sum(children)


def spent(folder: Path, hours: float) -> float:
    """Add hours to those that a folder records; the sum."""
    hours += recorded(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / HOURS, f"{hours}\n")
    return hours


def recorded(folder: Path) -> float:
    """The hours that a folder records."""
    path = folder / HOURS
    return float(read_json(path, 1000)) if path.exists() else 0.0

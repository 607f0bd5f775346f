"""Processor time of a row: what is recorded beside its journal, so that interrupted runs count."""

import os
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from time import process_time

from baycarp.files import read_json, read_text, write_whole

__all__ = ["recorded", "spent", "worked"]

HOURS = "hours.json"
PAGE = 1 << 12


def worked() -> float:
    """Seconds of processor time of this process and its workers; of those at work on Linux alone."""
    ended = sum(os.times()[2:4])
    return process_time() + ended + sum(_of(process) for process in active_children())


def _of(process: BaseProcess) -> float:
    try:
        status = read_text(f"/proc/{process.pid}/stat", PAGE)
    except OSError:  # it has ended just now, or this is no Linux
        return 0.0
    user, system = status.rpartition(")")[2].split()[11:13]  # the name before may hold anything
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


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

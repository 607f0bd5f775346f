"""The memory that a process may use, before it is allocated."""

import re
from math import inf
from pathlib import Path

from baycarp.errors import ArgumentError, brief
from baycarp.files import read_text

__all__ = ["SHARE", "available_bytes", "in_units", "memory_limit"]

SHARE = 0.7
"""The share of the available memory that a solve may take by default."""

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def available_bytes() -> float:
    """What this process may still allocate: of the machine, of its control group and of its own limit.

    Infinite where nothing of it is known, as outside Linux.
    """
    return min(_of_the_machine(), _of_the_group(), _of_the_process())


def memory_limit(memory: "int | float | str | None") -> float:
    """The limit in bytes: a number, a text such as ``"4 GB"``; None = 70 % of what is available.

    Raises
    ------
    ArgumentError
        Another value, or nothing above 0.

    Examples
    --------
    >>> memory_limit("1.5GB")
    1500000000.0
    """
    if memory is None:
        return SHARE * available_bytes()
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*+([KMGT]?)I?B?\s*", str(memory).upper())
    limit = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not limit > 0:
        raise ArgumentError(f"memory {brief(memory, 40)}: expected bytes, such as 4_000_000_000 or '4 GB'")
    return limit


LONGEST = 1 << 20
"""Bytes of a text of the system, at most."""


def in_units(size: float) -> str:
    """A number of bytes for a reader.

    Examples
    --------
    >>> in_units(12_300_000), in_units(40e9)
    ('12.3 MB', '40.0 GB')
    """
    for unit, limit in (("kB", 1e6), ("MB", 1e9), ("GB", 1e12)):
        if size < limit:
            return f"{size / limit * 1000:.1f} {unit}"
    return f"{size / 1e12:.1f} TB"


def _number(path: Path) -> float:
    try:
        return float(read_text(path, LONGEST))
    except (OSError, ValueError):  # absent, or "max"
        return inf


def _of_the_machine() -> float:
    try:
        lines = read_text("/proc/meminfo", LONGEST)
    except OSError:
        return inf
    found = re.search(r"^MemAvailable:\s+([0-9]+) kB", lines, re.MULTILINE)
    return 1024.0 * int(found[1]) if found else inf


def _of_the_group(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> float:
    """Of the control group of the process and of those above it; version 2, or version 1 of memory."""
    try:
        lines = read_text(own, LONGEST).splitlines()
    except OSError:
        return inf
    left = inf
    for line in lines:
        _, controllers, name = line.split(":", 2)
        version_1 = "memory" in controllers.split(",")
        if controllers and not version_1:
            continue
        top = root / "memory" if version_1 else root
        names = (
            ("memory.limit_in_bytes", "memory.usage_in_bytes")
            if version_1
            else ("memory.max", "memory.current")
        )
        group = top / name.lstrip("/")
        for folder in (group, *group.parents):
            limit, used = (_number(folder / each) for each in names)
            if limit < inf:
                left = min(left, limit - (min(used, limit) - _reclaimable(folder) if used < inf else 0.0))
            if folder == top:
                break
    return left


def _reclaimable(folder: Path) -> float:
    """Pages of files that the group gives up when it needs memory."""
    try:
        found = re.search(
            r"^(?:total_)?inactive_file ([0-9]+)", read_text(folder / "memory.stat", LONGEST), re.MULTILINE
        )
    except OSError:
        return 0.0
    return float(found[1]) if found else 0.0


def _of_the_process() -> float:
    try:
        import resource
    except ImportError:  # not on this platform
        return inf
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return inf
    pages = int(read_text("/proc/self/statm", LONGEST).split()[0]) if Path("/proc/self/statm").exists() else 0
    return float(limit - pages * resource.getpagesize())

"""What Linux says of processes: a reader that stands alone, for the launcher of programs.

The launcher runs without the package, so that nothing is loaded between a fork and the limits; it takes this
file by its path.
"""

import os
from contextlib import suppress

__all__ = ["descendants_of", "process_numbers", "stat_of"]


def stat_of(number: str) -> list[bytes]:
    """The fields of ``/proc/NUMBER/stat`` after the name: the state, the parent, ...

    Raises
    ------
    OSError
        No such process, any more.
    """
    with open(f"/proc/{number}/stat", "rb") as stat:
        return stat.read(1 << 16).rpartition(b")")[2].split()


def process_numbers() -> set[str]:
    """The numbers of all processes; empty where there is no ``/proc``."""
    try:
        return {name for name in os.listdir("/proc") if "0" < name[0] <= "9"}
    except OSError:
        return set()


def descendants_of(process: int) -> set[int]:
    """The numbers of all processes below one that have not ended."""
    below: dict[int, list[int]] = {}
    for name in process_numbers():
        with suppress(OSError):
            state, parent, *_ = stat_of(name)
            if state != b"Z":
                below.setdefault(int(parent), []).append(int(name))
    found, waiting = set[int](), [process]
    while waiting:
        waiting += (children := below.get(waiting.pop(), []))
        found.update(children)
    return found

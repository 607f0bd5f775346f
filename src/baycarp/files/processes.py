"""What Linux says of a process: a reader that stands alone, for the launcher of programs.

The launcher runs without the package, so that nothing is loaded between a fork and the limits; it takes this
file by its path.
"""

__all__ = ["stat_of"]


def stat_of(number: str) -> list[bytes]:
    """The fields of ``/proc/NUMBER/stat`` after the name: the state, the parent, ...

    Raises
    ------
    OSError
        No such process, any more.
    """
    with open(f"/proc/{number}/stat", "rb") as stat:
        return stat.read(1 << 16).rpartition(b")")[2].split()

"""Run a program under limits: ``python launch.py CPU MEMORY FILES command ...``; it becomes that program.

A file that stands alone and is run by its path, so that nothing is imported between the fork and the limits.
CPU is in seconds, MEMORY (address space) in bytes, FILES a number of descriptors.
"""

import ctypes
import os
import resource
import signal
import sys

DISK = 64 << 20
"""Bytes of any file that the program writes."""

PR_SET_PDEATHSIG = 1
"""Of Linux' ``prctl``: the signal that comes when the thread that started this process ends."""


def main(cpu: int, memory: int, files: int, command: list[str]) -> None:
    """Set the limits for good and become the program; Python's own signal settings are undone."""
    for name in ("SIGPIPE", "SIGXFSZ", "SIGINT"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    if sys.platform == "linux":  # an arena that is killed cannot kill
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    limits = {"CORE": 0, "FSIZE": DISK, "NOFILE": files, "CPU": cpu, "AS": memory}
    for name, limit in limits.items():
        which = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(which)[1]
        least = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(which, (least, least))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])

"""A program with two workers, each of which opens a named pipe and keeps it; then it waits to be killed.

python orphans.py PIPE
"""

import os
import sys
import time

from baycarp.arena.workers import processes


def hold(path):
    """Open the pipe in a worker: whoever reads it sees its end when no worker is left."""
    os.write(os.open(path, os.O_WRONLY), b"x")


if __name__ == "__main__":
    with processes(2, hold, sys.argv[1]) as pool:
        list(pool.map(time.sleep, [0.2, 0.2]))  # idle from now on
        print("idle", flush=True)
        time.sleep(600)

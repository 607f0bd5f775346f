"""A program with two workers that receives a signal while it holds the locks of its futures.

python interrupted.py play_units|in_order SIGINT|SIGTERM|SIGHUP
"""

import os
import signal
import sys
import time
from concurrent.futures import _base
from contextlib import closing

from baycarp.arena.run import play_units
from baycarp.arena.workers import Workers, in_order

FUNCTIONS = {"play_units": play_units, "in_order": in_order}
HOLD = _base._AcquireFutures.__enter__


def work(*_):
    """Take long."""
    time.sleep(600)


def interrupted(futures):
    """Acquire the locks of the futures, as ``wait`` does, and receive the signal."""
    HOLD(futures)
    os.kill(os.getpid(), sent)


if __name__ == "__main__":
    function, sent = FUNCTIONS[sys.argv[1]], signal.Signals[sys.argv[2]]
    signal.signal(sent, signal.default_int_handler)
    _base._AcquireFutures.__enter__ = interrupted
    try:
        with closing(function(work, [(number, 0) for number in range(4)], Workers(2))) as found:
            next(found)
    except KeyboardInterrupt:
        print("interrupted")

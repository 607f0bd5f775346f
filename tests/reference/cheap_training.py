"""``baycarp train`` with eight fast players in short sessions; also as a program, to be interrupted.

python cheap_training.py FOLDER --hands 60 --workers 2
"""

import signal
import sys

from baycarp.api import train
from baycarp.arena import session
from baycarp.cli import main

SPECS = ("rule", "jag", "random", "call", "raise", "formula", "formula(aggression=0.9)", "rule()")
HANDS = 20
"""Hands of a session."""


def run(*arguments):
    """Train, and return the exit status."""
    return cheaply(main, ["train", *map(str, arguments)])


def cheaply(training, *arguments, **settings):
    """Call a function that trains."""
    kept = (train.TABLE, train.EIGHTH, session.HANDS)
    train.TABLE, train.EIGHTH, session.HANDS = SPECS[:-1], SPECS[-1], HANDS
    try:
        return training(*arguments, **settings)
    finally:
        train.TABLE, train.EIGHTH, session.HANDS = kept


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the parent process may ignore it
    sys.exit(run(*sys.argv[1:]))

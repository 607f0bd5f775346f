"""Malformed messages for every parser.

A message is a good one that was damaged; message ``n`` of a parser depends on (seed, parser, n) alone.
A parser may accept any input or refuse it with a typed error (``BaycarpError``), within 100 ms.
"""

import time

from experiments.gates.damage import damaged
from experiments.gates.gate import Result, Share
from experiments.gates.parsers import PARSERS

__all__ = ["messages"]

SLOW = 0.1
"""Seconds of processor time that no message may take."""


def messages(parser: str, share: Share) -> Result:
    """A share of the messages to a parser of ``PARSERS``."""
    make, read = PARSERS[parser]
    good, result, clock = make(), Result(), time.process_time
    for number in share:
        message = damaged(good, f"{share.seed} {parser} {number}")
        which, began = f"{number}: {message[:120]!r}", clock()
        with result.errors(which):
            read(message)
            result.counts["accepted"] += 1
        took = clock() - began
        if took > SLOW:
            result.find("slow", f"{which}: {1000 * took:.0f} ms")
        result.done += 1
    return result

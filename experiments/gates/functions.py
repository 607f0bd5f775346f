"""Every public function with hostile arguments, from the registry ``experiments.gates.hostile``."""

from random import Random
from time import process_time

from experiments.gates import hostile
from experiments.gates.gate import Result, Share

__all__ = ["CALLS", "PARTS", "hostile_calls"]

CALLS, PARTS, SECONDS = 100_000, 10, 120.0
"""Of a function: calls, the parts that they are made in, and seconds of processor time that end them."""

BLOCK = 50
"""Calls of one seed."""


def hostile_calls(name: str, share: Share) -> Result:
    """A share of the calls of one function; it ends early where its part of the seconds is over.

    A call may return, or refuse its arguments with a typed error.
    """
    result, began = Result(), process_time()
    for number, count in share.blocks(BLOCK):
        if process_time() - began > SECONDS / PARTS:
            break
        seed = Random(f"{share.seed} {number}").getrandbits(32)
        for at, call in enumerate(hostile.calls(name, seed, count)):
            result.done += 1
            with result.errors(f"calls({name!r}, {seed}), {at}", hostile.is_typed):
                call()
                result.counts["answered"] += 1
    return result

"""Every public function with hostile arguments, from the registry ``baycarp.study.hostile``."""

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import process_time

from baycarp.study.robustness.gate import Result, Share

__all__ = ["CALLS", "PARTS", "hostile_calls", "public"]

HOSTILE = "baycarp.study.hostile"
CALLS, PARTS, SECONDS = 100_000, 10, 120.0
"""Of a function: calls, the parts that they are made in, and seconds of processor time that end them."""

BLOCK = 50
"""Calls of one seed."""


def public() -> Iterable[str]:
    """The names of the functions that are called; none where the registry is not there."""
    return tuple(import_module(HOSTILE).FUNCTIONS) if find_spec(HOSTILE) else ()


def hostile_calls(name: str, share: Share) -> Result:
    """A share of the calls of one function; it ends early where its part of the seconds is over.

    A call may return, or refuse its arguments with a typed error.
    """
    hostile, result, began = import_module(HOSTILE), Result(), process_time()
    for number, count in share.blocks(BLOCK):
        if process_time() - began > SECONDS / PARTS:
            break
        seed = Random(f"{share.seed} {number}").getrandbits(32)
        for at, call in enumerate(hostile.calls(name, seed, count)):
            result.done += 1
            try:
                call()
            except Exception as error:
                if hostile.is_typed(error):
                    result.counts["refused"] += 1
                else:
                    what = f"{type(error).__name__}: {error}"
                    result.find("untyped", f"calls({name!r}, {seed}), {at}: {what}")
            else:
                result.counts["answered"] += 1
    return result

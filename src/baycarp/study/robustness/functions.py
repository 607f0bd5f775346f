"""Every public function with hostile arguments, from the registry ``baycarp.study.hostile``."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from baycarp.errors import BaycarpError
from baycarp.study.robustness.gate import Result, Share

__all__ = ["hostile_calls", "public"]

HOSTILE = "baycarp.study.hostile"


def public() -> Mapping[str, Callable[..., Any]]:
    """The functions that are called, by name; none where the registry is not there."""
    if find_spec(HOSTILE) is None:
        return {}
    functions: Mapping[str, Callable[..., Any]] = import_module(HOSTILE).FUNCTIONS
    return functions


def hostile_calls(name: str, share: Share) -> Result:
    """A share of the calls of one function, each of ``calls(name, seed, number)``: positional arguments.

    A call may answer, or refuse its arguments with a typed error.
    """
    calls, function, result = import_module(HOSTILE).calls, public()[name], Result()
    for number in share:
        arguments = calls(name, share.seed, number)
        result.done += 1
        try:
            function(*arguments)
        except BaycarpError:
            result.counts["refused"] += 1
        except Exception as error:
            result.find("untyped", f"call {number}: {type(error).__name__}: {error}")
        else:
            result.counts["answered"] += 1
    return result

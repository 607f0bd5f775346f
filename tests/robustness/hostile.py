"""Random calls of every public function with hostile arguments: each returns, or raises a typed error.

A call is a valid one (`valid_calls`) in which some arguments are replaced: by values of any kind,
or by the same array misaligned, strided, byte-swapped, read-only, of another type or shape, or with a number
that is NaN, negative or huge.
"""

import importlib
import pkgutil
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import partial
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from robustness.valid_calls import ENTRIES, Amount, Fixed

import baycarp.kernels
from baycarp.card import DECK
from baycarp.errors import BaycarpError

__all__ = ["FUNCTIONS", "TYPED", "call", "calls", "is_typed", "public"]

TYPED = (BaycarpError, TypeError, OSError)
"""The errors that a caller expects: of a value, of another type than the annotated one, of the system."""

OF_TYPES = (
    *(
        "Buffer ",
        "Big-endian buffer",
        "Does not understand character buffer",
        "ndarray is not",
        "cannot include dtype",
    ),
    *("setting an array element with a sequence", "The truth value of an", "could not convert string"),
    *("too many values to unpack", "not enough values to unpack", "need more than"),
)
"""Beginnings of a ``ValueError`` by which Cython and NumPy refuse an object of another type, such as an array
in place of a number; any other bare one is a finding."""

CARDS = re.compile("([2-9TJQKA][cdhs])+")

PACKAGES = (
    "baycarp",
    "baycarp.bn",
    "baycarp.cases",
    "baycarp.game",
    "baycarp.game.notation",
    "baycarp.rules",
    "baycarp.solvers",
)
"""The packages whose ``__all__`` is tried, besides every module of ``baycarp.kernels``. Pictures
(``baycarp.draw``) and the command line (``baycarp.cli``) read what these return."""


def public() -> dict[str, Callable[..., Any]]:
    """The public functions and classes by full name.

    Without errors, protocols, type aliases, and records: dataclasses that only store what they are given.
    """
    modules = (module.name for module in pkgutil.iter_modules(baycarp.kernels.__path__))
    kernels = (f"baycarp.kernels.{name}" for name in modules if not name.startswith("_"))
    found = {}
    for name in (*PACKAGES, *kernels):
        module = importlib.import_module(name)
        for member in module.__all__:
            value = getattr(module, member)
            if _is_tried(value):
                found[f"{name}.{member}"] = value
    return found


def _is_tried(value: Any) -> bool:
    if not isinstance(value, type):
        return callable(value) and not hasattr(value, "__origin__")
    init = getattr(vars(value).get("__init__"), "__code__", None)
    generated = init is not None and init.co_filename == "<string>"
    record = is_dataclass(value) and generated and not hasattr(value, "__post_init__")
    return not (record or issubclass(value, BaseException) or getattr(value, "_is_protocol", False))


def _functions() -> dict[str, Callable[..., Any]]:
    named = public()
    for name in sorted(ENTRIES.keys() - named.keys()):  # methods
        owner, _, method = name.rpartition(".")
        if owner in named:
            named[name] = getattr(named[owner], method)
    return {name: function for name, function in named.items() if name in ENTRIES}


FUNCTIONS: Mapping[str, Callable[..., Any]] = _functions()
"""The functions that `calls` knows, by full name: those of `public`, and methods that take arrays."""


def is_typed(error: BaseException) -> bool:
    """Whether an error is one that a caller expects."""
    return isinstance(error, TYPED) or (type(error) is ValueError and str(error).startswith(OF_TYPES))


def calls(name: str) -> st.SearchStrategy[Callable[[], Any]]:
    """Calls of one function with their arguments bound: a strategy."""
    return st.randoms(use_true_random=True).map(partial(call, name))


def call(name: str, rng: random.Random) -> Callable[[], Any]:
    """A call of one function with its arguments bound."""
    args, keywords = ENTRIES[name]()
    places: list[Any] = [*range(len(args)), *keywords]
    free = [at for at in places if not isinstance(_at(args, keywords, at), Fixed)]
    chosen = set(rng.sample(free, min(len(free), rng.choice((1, 1, 2))))) if free else set()
    given = {at: _value(_at(args, keywords, at), at in chosen, rng) for at in places}
    positional = (given[at] for at in range(len(args)))
    return partial(FUNCTIONS[name], *positional, **{key: given[key] for key in keywords})


def _at(args: tuple[Any, ...], keywords: dict[str, Any], at: Any) -> Any:
    return args[at] if isinstance(at, int) else keywords[at]


def _value(valid: Any, hostile: bool, rng: random.Random) -> Any:
    if isinstance(valid, Fixed):
        return valid.value
    if hostile and rng.random() < 0.3:
        return _other(getattr(valid, "value", valid), rng)
    if isinstance(valid, Amount):
        return rng.choice([*NUMBERS_OUTSIDE, *OBJECTS]) if hostile else valid.value
    if not hostile:
        return valid
    if isinstance(valid, np.ndarray) and valid.dtype.kind in "iufb" and rng.random() < 0.7:
        return _damaged(valid, rng)
    if isinstance(valid, (list, tuple)) and valid and rng.random() < 0.5:
        return _one_changed(valid, rng)
    if isinstance(valid, dict) and valid and rng.random() < 0.6:
        key = rng.choice(list(valid))
        return {**valid, key: _value(valid[key], True, rng)}
    if isinstance(valid, str) and valid and rng.random() < 0.5:
        at = rng.randrange(len(valid))
        return valid[:at] + rng.choice(["", "\0", "é", valid, "1", "-", "🂡"]) + valid[at + rng.randrange(2) :]
    return rng.choice([*NUMBERS, *NUMBERS_OUTSIDE, *OBJECTS, *_arrays()])


def _other(valid: Any, rng: random.Random) -> Any:
    """An argument as valid as the one given: of a call of which the work itself is tried."""
    if type(valid) is int:
        return valid + rng.choice((0, 1))
    if isinstance(valid, str) and CARDS.fullmatch(valid):
        return "".join(DECK[card] for card in rng.sample(range(52), len(valid) // 2))
    if isinstance(valid, dict):
        return dict(rng.sample(list(valid.items()), len(valid)))
    return np.asfortranarray(valid) if isinstance(valid, np.ndarray) else valid


def _one_changed(valid: Any, rng: random.Random) -> Any:
    changed = list(valid)
    at = rng.randrange(len(changed))
    action = rng.randrange(4)
    if action == 0:
        del changed[at]
    elif action == 1:
        changed.append(changed[at])
    else:
        changed[at] = _value(changed[at], True, rng)
    return changed if rng.random() < 0.5 else tuple(changed)


def _damaged(valid: NDArray[Any], rng: random.Random) -> Any:
    """An array that differs from a valid one in its memory, its type, its shape or one of its numbers."""
    return rng.choice((_elsewhere, _elsewhere, _retyped, _reshaped, _scaled, _one_number))(valid, rng)


def _elsewhere(valid: NDArray[Any], rng: random.Random) -> Any:
    """The same numbers: misaligned, strided, byte-swapped, read-only, in Fortran order, backwards."""
    kind = rng.randrange(6)
    if kind == 0:
        memory = np.zeros(valid.nbytes + valid.itemsize, np.uint8)
        moved = memory[1 : 1 + valid.nbytes].view(valid.dtype).reshape(valid.shape)
        moved[...] = valid
        return moved
    if kind == 1:
        return np.repeat(valid, 2, axis=-1)[..., ::2]
    if kind == 2:
        return valid.astype(valid.dtype.newbyteorder())
    if kind == 3:
        copy = valid.copy()
        copy.flags.writeable = False
        return copy
    return np.asfortranarray(valid) if kind == 4 else valid[::-1]


def _retyped(valid: NDArray[Any], rng: random.Random) -> Any:
    kind = rng.choice(["f4", "f2", "i1", "u1", "i8", "u8", "c16", "O", "S8", "U8", "M8[s]", "?", "list"])
    with np.errstate(all="ignore"):
        return valid.tolist() if kind == "list" else valid.astype("f8").astype(kind)


def _reshaped(valid: NDArray[Any], rng: random.Random) -> Any:
    return rng.choice([valid[:-1], valid[:0], valid[None], valid.ravel(), np.stack([valid] * 2), valid.T, 0])


def _scaled(valid: NDArray[Any], rng: random.Random) -> Any:
    with np.errstate(all="ignore"):
        return valid * rng.choice([1e300, 1e155, 1e-155, 1e-300, 0.0, -1.0])


def _one_number(valid: NDArray[Any], rng: random.Random) -> Any:
    changed = valid.astype(np.float64 if valid.dtype.kind == "f" else valid.dtype)
    if changed.size:
        at = rng.randrange(changed.size)
        wrong = [np.nan, np.inf, -np.inf, -1.0, -0.0, 1e308, 5e-324]
        whole = np.iinfo(changed.dtype).max if changed.dtype.kind in "iu" else 1
        changed.flat[at] = rng.choice(wrong) if changed.dtype.kind == "f" else whole
    return changed


NUMBERS = (0, 1, -1, 2, 255, 256, 2**31, 2**40, 0.5, 1e-200, 1e30, True)
NUMBERS_OUTSIDE = (
    -1,
    -(2**31),
    -(2**70),
    2**64,
    2**70,
    2**200,
    10**400,
    float("nan"),
    float("inf"),
    -float("inf"),
)
"""Outside the range of every amount: neither runs long nor takes memory."""

OBJECTS: tuple[Any, ...] = (
    None, "", "x", "\0", "AhKd", "a" * 3000, "é", b"\xff", [], {}, (), set(), object(), [[1], [1, 2]],
    [None], ["AhKd", 3], {"x": 1}, {1.0: 1}, len, range(3), 1j, [float("nan")], [2**70], [-1],
)  # fmt: skip


def _arrays() -> list[NDArray[Any]]:
    return [
        np.empty(0), np.empty((0, 5)), np.array(3), np.full(1326, np.nan), np.ones((2, 3, 4)), np.ones(1325),
        np.array([None, 1]), np.array(["a"]), np.zeros(3, "V4"), np.arange(7), np.full((3, 5), 255, np.uint8),
    ]  # fmt: skip

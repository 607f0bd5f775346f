"""Forms: what a format declares of its content, as data beside the format; the readers verify it.

A digest shows that a file is not damaged; it is no reason to believe its content, since anybody can compute
it. So every format declares types, lengths, ranges and depth here, and ``verify`` refuses anything else.

    NumberForm    a finite number in a range, whole or not
    TextForm      a text of bounded length, or one of some
    ListForm      a list of values of one form
    TupleForm     a list of values of a form each
    RecordForm    an object with fields of a form each
    MapForm       an object with any names and values of one form
    NullForm      a value of another form, or null
    AnyForm       any JSON value of bounded depth
    ArrayForm     an array of some types, shape and range
    FileForm      the arrays of a file, with a head, and rules between them
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import brief

__all__ = [
    "AnyForm",
    "ArrayForm",
    "Arrays",
    "FileForm",
    "Form",
    "ListForm",
    "MapForm",
    "NullForm",
    "NumberForm",
    "RecordForm",
    "TextForm",
    "TupleForm",
    "verify",
    "verify_arrays",
    "verify_as_written",
]

Arrays: TypeAlias = Mapping[str, NDArray[Any]]

DEPTH = 16
"""Values within one another where a format does not say."""

MANY = 1 << 20
"""Values of a list or an object where a format does not say."""


class Form(Protocol):
    """What a JSON value must be."""

    def fault(self, value: Any) -> str:
        """What is wrong with a value, with its place in it; empty = nothing."""


@dataclass(frozen=True, slots=True)
class NumberForm:
    """A finite number, ``least`` to ``most``; no truth value."""

    least: float = -inf
    most: float = inf
    whole: bool = False

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        kind = "whole number" if self.whole else "number"
        if type(value) is not int and (self.whole or type(value) is not float):
            return f"{_short(value)}: expected a {kind}"
        if type(value) is float and not isfinite(value):
            return f"{value}: expected a finite {kind}"
        return "" if self.least <= value <= self.most else f"{_short(value)}: expected {_range(self)}"


@dataclass(frozen=True, slots=True)
class TextForm:
    """A text of at most ``most`` characters; or one of some."""

    most: int = 1 << 16
    one_of: tuple[str, ...] = ()

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        if type(value) is not str or len(value) > self.most:
            return f"{_short(value)}: expected a text of at most {self.most} characters"
        if self.one_of and value not in self.one_of:
            return f"{_short(value)}: expected {' or '.join(map(repr, self.one_of))}"
        return ""


@dataclass(frozen=True, slots=True)
class ListForm:
    """A list of ``least`` to ``most`` values of one form."""

    each: Form
    least: int = 0
    most: int = MANY

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        if type(value) is not list:
            return f"{_short(value)}: expected a list"
        if not self.least <= len(value) <= self.most:
            return f"{len(value)} values: expected {self.least} to {self.most}"
        faults = (_at(f"[{place}]", self.each.fault(each)) for place, each in enumerate(value))
        return next(filter(None, faults), "")


@dataclass(frozen=True, slots=True)
class TupleForm:
    """A list with one value of each form, in order."""

    forms: tuple[Form, ...]

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        if type(value) is not list or len(value) != len(self.forms):
            return f"{_short(value)}: expected a list of {len(self.forms)}"
        faults = (
            _at(f"[{n}]", f.fault(each)) for n, (f, each) in enumerate(zip(self.forms, value, strict=True))
        )
        return next(filter(None, faults), "")


@dataclass(frozen=True, slots=True)
class RecordForm:
    """An object with these fields, and perhaps some of the optional ones."""

    fields: Mapping[str, Form]
    optional: Mapping[str, Form] = field(default_factory=dict)

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        if type(value) is not dict:
            return f"{_short(value)}: expected an object"
        for name in self.fields:
            if name not in value:
                return f"no {name!r}"
        for name in value:
            if name not in self.fields and name not in self.optional:
                return f"{_short(name)}: expected {', '.join([*self.fields, *self.optional])}"
        own = {**self.optional, **self.fields}
        return next(filter(None, (_at(name, own[name].fault(each)) for name, each in value.items())), "")


@dataclass(frozen=True, slots=True)
class MapForm:
    """An object of ``least`` to ``most`` values of one form, under any names."""

    each: Form
    least: int = 0
    most: int = MANY

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        if type(value) is not dict:
            return f"{_short(value)}: expected an object"
        if not self.least <= len(value) <= self.most:
            return f"{len(value)} names: expected {self.least} to {self.most}"
        return next(filter(None, (_at(_short(n), self.each.fault(v)) for n, v in value.items())), "")


@dataclass(frozen=True, slots=True)
class NullForm:
    """A value of another form, or null."""

    form: Form

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        return "" if value is None else self.form.fault(value)


@dataclass(frozen=True, slots=True)
class AnyForm:
    """Any JSON value of finite numbers, at most ``depth`` lists and objects within one another."""

    depth: int = DEPTH

    def fault(self, value: Any) -> str:
        """As of ``Form``."""
        level = [value]
        for _ in range(self.depth + 1):
            for each in level:
                if type(each) is float and not isfinite(each):
                    return f"{each}: expected a finite number"
            level = [
                part
                for each in level
                if type(each) in (list, dict)
                for part in (each.values() if type(each) is dict else each)
            ]
            if not level:
                return ""
        return f"expected at most {self.depth} lists and objects within one another"


@dataclass(frozen=True, slots=True)
class ArrayForm:
    """An array.

    Parameters
    ----------
    types
        The types that it may have, as NumPy writes them, parted by blanks; ``U`` is text, ``V`` are records.
    shape
        The length of each axis: a number, or a letter, which stands for one length in all arrays of a file.
        None = any shape.
    least, most
        The range of the numbers; they are finite in any case.
    gaps
        Whether NaN stands for no number.
    """

    types: str
    shape: tuple[int | str, ...] | None = None
    least: float = -inf
    most: float = inf
    gaps: bool = False

    def fault(self, array: NDArray[Any], lengths: dict[str, int]) -> str:
        """What is wrong with an array; lengths of letters are added to ``lengths``."""
        kind = array.dtype.kind if array.dtype.kind in "UV" else array.dtype.name
        if kind not in self.types.split() or not array.dtype.isnative:
            return f"{array.dtype}: expected {self.types.replace(' ', ' or ')}"
        if self.shape is not None:
            wanted = tuple(
                lengths.setdefault(each, length) if isinstance(each, str) else each
                for each, length in zip(self.shape, array.shape, strict=False)
            )
            if len(array.shape) != len(self.shape) or array.shape != wanted:
                return f"shape {array.shape}: expected {self.shape}"
        if self.gaps:
            array = array[~np.isnan(array)]
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            return "expected finite numbers"
        if array.dtype.kind in "iuf" and array.size:
            low, high = array.min(), array.max()
            if not (self.least <= low and high <= self.most):
                return f"{low} to {high}: expected {_range(self)}"
        return ""


Rule: TypeAlias = tuple[str, Callable[[Arrays, Any], Any]]
"""What is expected, in words; and whether (arrays, head) are so."""


@dataclass(frozen=True, slots=True, eq=False)
class FileForm:
    """The arrays of a file.

    Parameters
    ----------
    arrays
        By name.
    limit
        Bytes that they may take together; or the usual multiple of the file's bytes, if that is more.
    head
        Of the JSON in one array, a text or bytes of UTF-8; None = there is none.
    head_in
        The name of that array.
    optional
        Names of arrays that may be missing.
    families
        Arrays that are numbered or named by the file, by the beginning of their names.
    rules
        Between arrays, and with the head; verified in order, when all else fits.
    """

    arrays: Mapping[str, ArrayForm]
    limit: int = 1 << 26
    head: Form | None = None
    head_in: str = "head"
    optional: frozenset[str] = frozenset()
    families: Mapping[str, ArrayForm] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()

    def form(self, name: str) -> ArrayForm | None:
        """The form of an array; None = it must not be there."""
        families = (form for start, form in self.families.items() if name.startswith(start))
        return self.arrays.get(name) or next(families, None)


def verify(form: Form, value: Any, where: str = "") -> None:
    """Refuse a value that has not this form.

    Raises
    ------
    ValueError
        It names the place in the value, and what was expected.
    """
    if fault := form.fault(value):
        raise ValueError(_at(where, fault))


def verify_arrays(form: FileForm, arrays: Arrays, head: Any = None) -> None:
    """Refuse arrays, or a head, that have not this form.

    Raises
    ------
    ValueError
        It names the array, and what was expected.
    """
    missing = [name for name in form.arrays if name not in arrays and name not in form.optional]
    if missing:
        raise ValueError(f"holds {', '.join(sorted(arrays))[:200]}: expected {', '.join(missing)}")
    if form.head is not None:
        verify(form.head, head, "head")
    lengths: dict[str, int] = {}
    for name, array in arrays.items():
        own = form.form(name)
        fault = f"expected {', '.join(form.arrays)}" if own is None else own.fault(array, lengths)
        if fault:
            raise ValueError(f"{name[:60]!r}: {fault}")
    for expected, holds in form.rules:
        if not holds(arrays, head):
            raise ValueError(f"expected {expected}")


def _at(place: str, fault: str) -> str:
    return f"{place}: {fault}" if place and fault else fault


def _short(value: Any) -> str:
    if type(value) is int and value.bit_length() > 200:
        return f"a number of {value.bit_length()} bits"
    return f"{value if not isinstance(value, list | dict) else type(value).__name__!s}"[:60]


def _range(form: NumberForm | ArrayForm) -> str:
    if form.most == form.least:
        return f"{form.least:g}"
    if form.most == inf:
        return f"at least {form.least:g}"
    return f"{form.least:g} to {form.most:g}"


def verify_as_written(given: Any, again: Any, what: str) -> None:
    """Refuse a JSON value that is not as it is written of what was read from it.

    Python takes a text or a list for a number or a truth value in many places; no format does.

    Parameters
    ----------
    given
        From the file; it may lack fields.
    again
        What is written of the object that was made of it.
    what
        Its name, for errors.

    Raises
    ------
    ValueError
        Another value, such as ``"1"`` or 1.5 for 1; its place is named.
    """
    if isinstance(given, dict) and isinstance(again, dict) and given.keys() <= again.keys():
        for name, value in given.items():
            verify_as_written(value, again[name], f"{what}: {_short(name)}")
    elif isinstance(given, list) and isinstance(again, list | tuple) and len(given) == len(again):
        for place, (value, other) in enumerate(zip(given, again, strict=True)):
            verify_as_written(value, other, f"{what} [{place}]")
    elif isinstance(given, bool) is not isinstance(again, bool) or given != again:
        raise ValueError(f"{what} {brief(given)}: expected {brief(again)}")

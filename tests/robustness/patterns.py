"""Every regular expression of the package, attacked with long texts made of its own parts.

A pattern that takes the square of a text takes seconds where one in proportion to it takes milliseconds. As a
program, this prints the patterns that do; their time is counted on the processor, so a busy machine adds
nothing to it.
"""

import ast
import importlib
import pkgutil
import re
import signal
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import baycarp
from baycarp.game.notation import door
from baycarp.game.notation.rooms.grammar import LONGEST_LINE

__all__ = ["Known", "finding"]

METHODS = {"match", "search", "fullmatch", "finditer", "findall", "sub", "split"}
SHORT, LONG = 2000, 40_000
"""Characters: all texts are tried short, and those that took more than ``QUICK`` seconds long."""
QUICK, MOST = 0.002, 1.0
"""Seconds: one of 2,000 characters takes less, in proportion; one of 40,000 that takes more is a finding."""
SINGLE = {ops.LITERAL, ops.NOT_LITERAL, ops.ANY, ops.IN}
REPEATS = {ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT}
SIGNS = " \t1a_-.,'\"\\()[]{}/*;:=<>#\u00a0"

LINES = {"header", "loose[][]"}
"""Patterns of rooms for lines of at most ``LONGEST_LINE`` characters: the square of that is little."""


MADE = {
    "baycarp.game.notation.door: re.match(pattern, beginning)",
    "baycarp.game.notation.rooms.grammar: re.compile(pattern)",
}
"""Calls with a pattern that a variable holds; these are found where they are stored."""


class Known(NamedTuple):
    """A pattern, where it stands, and the methods that are called on it."""

    place: str
    pattern: "re.Pattern[str]"
    methods: frozenset[str]

    @property
    def longest(self) -> int:
        """Characters of the longest text that it is given."""
        module, _, name = self.place.partition(":")
        bounded = ".rooms" in module and not module.endswith((".ipoker", ".pokernow"))
        return LONGEST_LINE if bounded and name.rpartition(".")[2] in LINES else LONG


def modules() -> Iterator[ModuleType]:
    """The modules of the package, but for those that need what is not installed."""
    yield baycarp
    for found in pkgutil.walk_packages(baycarp.__path__, "baycarp."):
        if not found.name.endswith("__main__"):
            try:
                yield importlib.import_module(found.name)
            except ImportError:
                continue


def known_patterns() -> tuple[list[Known], list[str]]:
    """The patterns of the package; and the places of calls with one that a variable holds."""
    found: dict[tuple[Any, int], Known] = {}
    unknown: list[str] = []
    loaded = list(modules())
    sources = {module.__name__: _source(module) for module in loaded}
    trees = {name: ast.parse(text if "import re\n" in text else "") for name, text in sources.items()}
    called: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    every: defaultdict[str, set[str]] = defaultdict(lambda: {"match"})
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS:
                every[module].add(node.attr)
                if isinstance(node.value, ast.Name):
                    called[module, node.value.id].add(node.attr)
                elif isinstance(node.value, ast.Attribute):
                    called["", node.value.attr].add(node.attr)

    def add(place: str, pattern: "re.Pattern[Any]", methods: set[str]) -> None:
        key = pattern.pattern, pattern.flags
        before = found[key].methods if key in found else frozenset()
        found[key] = Known(place if key not in found else found[key].place, pattern, before | methods)

    for module in loaded:
        for name, value in vars(module).items():
            for where, pattern in _within(name, value, set()):
                record, _, last = where.rpartition(".")
                is_rule = ".rooms" in module.__name__ and "[" in where and name != "_DAYS"
                is_rule |= where == "_LOG.header"  # of entries: no line is searched for their first
                own = {"match"} if is_rule else called["" if record else module.__name__, last]
                add(f"{module.__name__}:{where}", pattern, own)
        for node in ast.walk(trees[module.__name__]):
            function = _of_re(node)
            if function:
                try:
                    text = eval(compile(ast.Expression(node.args[0]), "", "eval"), vars(module))  # type: ignore[attr-defined]
                    pattern = re.compile(text, _flags(node, module))
                except (NameError, TypeError):
                    unknown.append(f"{module.__name__}: {ast.unparse(node)[:60]}")
                    continue
                if function != "compile":
                    add(f"{module.__name__}:line {node.lineno}", pattern, {function})  # type: ignore[attr-defined]
    for _, text in door.NOT_READ:
        add("baycarp.game.notation.door:NOT_READ", re.compile(text), {"match"})
    known = (
        each if each.methods else each._replace(methods=frozenset(every[each.place.partition(":")[0]]))
        for each in found.values()
    )
    return list(known), unknown


def _source(module: ModuleType) -> str:
    with open(module.__file__ or "", encoding="utf-8") as file:
        return file.read() if str(module.__file__).endswith(".py") else ""


def _of_re(node: ast.AST) -> str:
    """The function of ``re`` that a node calls; "" = none."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        of = node.func.value
        if isinstance(of, ast.Name) and of.id == "re" and node.func.attr in METHODS | {"compile"}:
            return node.func.attr
    return ""


def _flags(node: Any, module: ModuleType) -> int:
    given = [each.value for each in node.keywords if each.arg == "flags"]
    given += node.args[{"compile": 1, "sub": 4, "split": 3}.get(node.func.attr, 2) :]
    return int(eval(compile(ast.Expression(given[0]), "", "eval"), vars(module))) if given else 0


def _within(name: str, value: Any, seen: set[int]) -> Iterator[tuple[str, "re.Pattern[Any]"]]:
    """The patterns in a value, through containers and records."""
    if isinstance(value, re.Pattern):
        yield name, value
    elif id(value) not in seen and not isinstance(value, type):
        seen.add(id(value))
        if isinstance(value, dict):
            for each in value.values():
                yield from _within(f"{name}[]", each, seen)
        elif isinstance(value, tuple | list | set | frozenset):
            for each in value:
                yield from _within(f"{name}[]", each, seen)
        elif is_dataclass(value) and type(value).__module__.startswith("baycarp."):
            for field in fields(value):
                yield from _within(f"{name}.{field.name}", getattr(value, field.name, None), seen)
    elif isinstance(value, type) and value.__module__.startswith("baycarp.") and id(value) not in seen:
        seen.add(id(value))
        for key, each in vars(value).items():
            if isinstance(each, re.Pattern | tuple | dict):
                yield from _within(f"{name}.{key}", each, seen)


def texts(pattern: "re.Pattern[str]") -> Iterator[tuple[str, str, str]]:
    """Attacks: what comes first, what is repeated, what comes last."""
    flags = pattern.flags
    tree = parser.parse(pattern.pattern, flags & ~re.UNICODE)
    signs = sorted({each for each in _literals(tree) if not each.isalnum()} - {"\n"})[:10]
    pairs = {one + other for one, other in product(signs[:6], signs[:6])}
    whole = _sample(tree)
    found: set[tuple[str, str]] = {("", each) for each in (*pairs, *signs, " ", "1", "a", whole) if each}
    for before, items, at in _places(tree, ""):
        operation, given = items[at]
        if operation in REPEATS and given[1] > 16:
            follows = {_sample(items[at + 1 : at + k]) for k in (2, 3, 4, 5, 99)}
            follows |= {"a" + each for each in follows} | {each + "a" for each in follows} | {*signs}
            one = list(given[2])
            if len(one) == 1 and one[0][0] in SINGLE:
                follows |= {each for each in SIGNS if _takes(*one[0], each)}
            else:
                follows |= {_sample(each) for each in [one, *_inner(operation, given)]}
            found |= {(before, each) for each in follows if each}
            found |= {("", before + each) for each in ("", "a", " ") if before + each}
    for before, pump in sorted(found):
        yield before, pump, "\0"
        yield before, pump, "a\0"


def _places(tree: Any, before: str) -> Iterator[tuple[str, list[Any], int]]:
    """Each item of a pattern: a text that leads to it, the items that it stands among, its number."""
    items = list(tree)
    for at, (operation, given) in enumerate(items):
        yield before, items, at
        for inner in _inner(operation, given):
            yield from _places(inner, before)
        before += _sample(items[at : at + 1])


def _inner(operation: Any, given: Any) -> list[Any]:
    if operation in REPEATS:
        return [given[2]]
    if operation is ops.SUBPATTERN:
        return [given[3]]
    if operation is ops.BRANCH:
        return list(given[1])
    if operation is ops.ATOMIC_GROUP:
        return [given]
    return [given[1]] if operation in (ops.ASSERT, ops.ASSERT_NOT) else []


def _literals(tree: Any) -> Iterator[str]:
    for operation, given in tree:
        if operation in (ops.LITERAL, ops.NOT_LITERAL):
            yield chr(given)
        elif operation is ops.IN:
            yield from (chr(each[1]) for each in given if each[0] is ops.LITERAL)
        for inner in _inner(operation, given):
            yield from _literals(inner)


def _sample(tree: Any) -> str:
    """A short text that items match, but for what surrounds it."""
    text = ""
    for operation, given in tree:
        if operation is ops.LITERAL:
            text += chr(given)
        elif operation in (ops.ANY, ops.IN, ops.NOT_LITERAL):
            text += next((each for each in "a1 " + SIGNS if _takes(operation, given, each)), "a")
        elif operation in REPEATS:
            text += _sample(given[2]) * max(given[0], 1 if given[1] > 1 else 0)
        elif operation not in (ops.ASSERT, ops.ASSERT_NOT):
            text += next((_sample(each) for each in _inner(operation, given)), "")
    return text


def _takes(operation: Any, given: Any, sign: str) -> bool:
    if operation is ops.ANY:
        return True
    if operation is ops.LITERAL:
        return ord(sign) == given
    if operation is ops.NOT_LITERAL:
        return ord(sign) != given
    negated = given[0][0] is ops.NEGATE
    classes = {
        ops.CATEGORY_DIGIT: sign.isdigit(),
        ops.CATEGORY_NOT_DIGIT: not sign.isdigit(),
        ops.CATEGORY_SPACE: sign.isspace(),
        ops.CATEGORY_NOT_SPACE: not sign.isspace(),
        ops.CATEGORY_WORD: sign.isalnum() or sign == "_",
        ops.CATEGORY_NOT_WORD: not (sign.isalnum() or sign == "_"),
    }
    inside = False
    for kind, what in given[negated:]:
        if kind is ops.LITERAL:
            inside |= ord(sign) == what
        elif kind is ops.RANGE:
            inside |= what[0] <= ord(sign) <= what[1]
        elif kind is ops.CATEGORY:
            inside |= classes[what]
    return inside != negated


class _Late(BaseException):
    pass


def _late(*_: object) -> None:
    raise _Late


def is_slow(pattern: "re.Pattern[Any]", method: str, text: Any) -> bool:
    """Whether a pattern takes more than ``MOST`` seconds of the processor for a text."""
    before = signal.signal(signal.SIGVTALRM, _late)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST)
    try:
        _call(pattern, method, text)
    except _Late:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return False


def _call(pattern: "re.Pattern[Any]", method: str, text: Any) -> None:
    if method == "sub":
        pattern.sub(text[:0], text)
    elif method in ("finditer", "findall", "split"):
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, method)(text)


def finding(known: Known) -> str:
    """An attack that the pattern takes long for; "" = none was found."""
    pattern = known.pattern
    binary = isinstance(pattern.pattern, bytes)
    plain = re.compile(pattern.pattern.decode("latin-1"), pattern.flags) if binary else pattern  # type: ignore[union-attr]
    searched = known.methods - {"match", "fullmatch"}
    methods = [*({"match", "fullmatch"} & known.methods), *sorted(searched)[:1]]
    for before, pump, last in texts(plain):
        for method in methods:
            text: Any = before + pump * (SHORT // len(pump)) + last
            text = text.encode("latin-1", "replace") if binary else text
            start = time.process_time()
            if is_slow(pattern, method, text):
                return f"{known.place}: {method}: {before!r} + {pump!r} * {SHORT} + {last!r}"
            if time.process_time() - start > QUICK:
                text = before + pump * (known.longest // len(pump)) + last
                text = text.encode("latin-1", "replace") if binary else text
                if is_slow(pattern, method, text):
                    return f"{known.place}: {method}: {before!r} + {pump!r} * {known.longest} + {last!r}"
    return ""


def main() -> None:
    """Print the findings."""
    found, made = known_patterns()
    for place in {*made} - MADE:
        print(f"{place}: a pattern that is not found where it is stored")
    for known in found:
        if text := finding(known):
            print(text, flush=True)


if __name__ == "__main__":
    main()

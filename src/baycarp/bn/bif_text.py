"""The text of the Bayesian interchange format, as programs write it: its variables, and their tables.

R's bnlearn writes the states of a discretised variable as intervals, ``(0,5]``; JavaBayes quotes names, parts
states and numbers by blanks, and has the places of its window as properties; others have blanks in names
without quotation marks. A property begins where a statement does, and quoted text holds no comment.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from baycarp.errors import ModelError, brief
from baycarp.files import decimal_text, parse_json

__all__ = ["ESCAPED", "KEYWORDS", "Block", "read_blocks"]

KEYWORDS = frozenset(
    {"network", "variable", "probability", "property", "type", "discrete", "table", "default"}
)

ESCAPED = "property names_in_quotes escaped_as_in_JSON;"
"""Of a file whose quoted names are escaped."""

_NUMBER = r"(?:[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?[Ii]nf(?:inity)?)"
_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.S)
_SPACE_AT_LAST = re.compile(r"(?:\s|//[^\n]*)*")
"""After the last end of a comment: from there on ``/*`` begins none, and nothing is searched for its end."""
_WORD = re.compile(r"(?:(?!//|/\*)[^\s{}()\[\],;|\"])+")
_INTERVAL = re.compile(rf"[(\[]\s*{_NUMBER}\s*,\s*{_NUMBER}\s*[)\]]")
_QUOTED = re.compile(r'"[^"]*"')
_ESCAPED = re.compile(r'"(?:[^"\\]|\\.)*"', re.S)
_UNOBSERVED = {"nan", "na"}


class Block(NamedTuple):
    """The table of a node before its shape is known: its parents, and the numbers at each parents' states."""

    parents: list[str]
    rows: list[tuple[tuple[str, ...], list[float]]]
    default: list[float]
    table: list[float]


def read_blocks(text: str) -> tuple[dict[str, list[str]], dict[str, Block]]:
    """The states of each variable, and the table of each, by name.

    Raises
    ------
    ModelError
        The text is not in this format.
    """
    scan, states, blocks = _Scan(text), dict[str, list[str]](), dict[str, Block]()
    while scan.more():
        kind = scan.word()
        if kind == "network":
            scan.until("{")
            scan.statements(scan.network_property)
        elif kind == "variable":
            node = scan.name()
            if node in states:
                raise ModelError(f"{brief(node)}: expected one block of its states")
            states[node] = scan.states()
        elif kind == "probability":
            node, *parents = scan.names("(", ")")
            if node in blocks:
                raise ModelError(f"{brief(node)}: expected one block of its probabilities")
            blocks[node] = scan.table(node, parents)
        else:
            raise ModelError(f"{brief(kind)}: expected 'network', 'variable' or 'probability'")
    return states, blocks


class _Scan:
    """A place in a text, which goes on as parts are read."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._last = text.rfind("*/")
        self._quoted = _QUOTED

    def more(self) -> bool:
        """Whether anything follows."""
        pattern = _SPACE if self._at < self._last else _SPACE_AT_LAST
        space = pattern.match(self._text, self._at)
        self._at = space.end() if space else self._at
        return self._at < len(self._text)

    def peek(self) -> str:
        """The next character; empty at the end."""
        return self._text[self._at] if self.more() else ""

    def takes(self, sign: str) -> bool:
        """Whether the next character is this one, which is passed then."""
        if found := self.peek() == sign:
            self._at += 1
        return found

    def expect(self, sign: str) -> None:
        """Pass a character that must be next."""
        if not self.takes(sign):
            raise self.fault(f"expected {sign!r}")

    def fault(self, expected: str) -> ModelError:
        """An error at this place."""
        line = self._text.count("\n", 0, self._at) + 1
        return ModelError(f"line {line}, {self._text[self._at : self._at + 40]!r}: {expected}")

    def word(self) -> str:
        """A word without quotation marks; empty = none is next."""
        found = _WORD.match(self._text, self._at) if self.more() else None
        self._at = found.end() if found else self._at
        return found[0] if found else ""

    def name(self, intervals: bool = False) -> str:
        """A word, or a text in quotation marks, or an interval where such a name may stand."""
        if self.peek() == '"':
            if not (quoted := self._quoted.match(self._text, self._at)):
                raise self.fault("expected a closing quotation mark")
            self._at = quoted.end()
            return str(parse_json(quoted[0])) if self._quoted is _ESCAPED else quoted[0][1:-1]
        if intervals and (interval := _INTERVAL.match(self._text, self._at)):
            self._at = interval.end()
            return interval[0]
        if not (word := self.word()):
            raise self.fault("expected a name")
        return word

    def names(self, opening: str, closing: str) -> list[str]:
        """Names in brackets, parted by commas, bars or blanks: at least one."""
        self.expect(opening)
        found = [self.name()]
        while not self.takes(closing):
            if self.peek() and self.peek() in ",|":
                self._at += 1
            else:
                found.append(self.name())
        return found

    def values(self, closing: str) -> list[list[str]]:
        """States up to a closing bracket, each as its words; without commas, one has all."""
        found: list[list[str]] = [[]]
        while not self.takes(closing):
            if self.takes(","):
                found.append([])
            else:
                found[-1].append(self.name(intervals=True))
        return [each for each in found if each]

    def states(self) -> list[str]:
        """The states in the block of a variable."""
        found: list[str] = []

        def statement() -> None:
            if self.word() != "type":
                self.until(";")
                return
            if self.word() != "discrete":
                raise self.fault("expected 'discrete'")
            count = None
            if self.takes("["):
                count = self.word()
                self.expect("]")
            self.expect("{")
            values = self.values("}")
            self.expect(";")
            if found:
                raise self.fault("expected the states of a variable once")
            found.extend(_fitting(values, count))

        self.expect("{")
        self.statements(statement)
        if not found:
            raise self.fault("expected the states of a variable in braces")
        return found

    def table(self, node: str, parents: list[str]) -> Block:
        """The block of a table."""
        block, seen = Block(parents, [], [], []), set[str | tuple[str, ...]]()

        def once(part: str | tuple[str, ...]) -> None:
            seen_before = part in seen
            seen.add(part)
            if seen_before or ("table" in seen and len(seen) > 1):
                expected = "expected once, and no row beside a whole table, nor a default"
                raise ModelError(f"{brief(node)}: {brief(part)}: {expected}")

        def statement() -> None:
            if self.takes("("):
                at = tuple(_fitting(self.values(")"), str(len(parents))))
                block.rows.append((at, self.numbers()))
                once(at)
            elif (kind := self.word()) == "property":
                self.until(";")
            elif kind in ("table", "default"):
                once(kind)
                (block.table if kind == "table" else block.default).extend(self.numbers())
            else:
                raise self.fault("expected '( states ) numbers', 'table' or 'default'")

        self.expect("{")
        self.statements(statement)
        return block

    def numbers(self) -> list[float]:
        """Numbers up to a semicolon; NaN where a row was never observed."""
        found: list[float] = []
        while not self.takes(";"):
            if self.takes(","):
                continue
            word = self.word()
            try:
                found.append(float("nan") if word.lower() in _UNOBSERVED else float(decimal_text(word)))
            except ValueError:
                raise self.fault(f"{word[:40]!r}: expected a number, or ';' at the end") from None
        if not found:
            raise self.fault("expected numbers before ';'")
        return found

    def quoted(self) -> None:
        """Pass a text in quotation marks, or one mark, as in ``5" wide``.

        A mark begins no text after a letter or digit, nor one that ends at a name or in another block.
        """
        at, text = self._at, _QUOTED.match(self._text, self._at)
        self._at = text.end() if text else at + 1
        beside = self._text[at - 1 : at] + self._text[self._at : self._at + 1]
        if any(map(str.isalnum, beside)) or (text and {"\n", "}"} <= {*text[0]}):
            self._at = at + 1

    def statements(self, statement: Callable[[], None]) -> None:
        """Read statements up to the closing brace."""
        while not self.takes("}"):
            if not self.more():
                raise self.fault("expected '}'")
            statement()

    def network_property(self) -> None:
        """Pass a property of the network; from `ESCAPED` on, quoted names are escaped."""
        if self.more() and self._text.startswith(ESCAPED, self._at):
            self._quoted = _ESCAPED
        self.until(";")

    def until(self, sign: str) -> None:
        """Pass everything up to a character, and it; what is in quotation marks does not count."""
        while not self.takes(sign):
            if self.peek() == '"':
                self.quoted()
            elif self.more():
                self._at += 1
            else:
                raise self.fault(f"expected {sign!r}")


def _fitting(values: list[list[str]], count: str | None) -> list[str]:
    """States by their number: parted by commas, a state may have blanks; or parted by blanks."""
    parted, words = [" ".join(each) for each in values], [word for each in values for word in each]
    if count is None:
        return parted if len(values) > 1 else words
    for found in (parted, words):
        if str(len(found)) == count:
            return found
    raise ModelError(f"{', '.join(parted)[:60]!r}: expected as many states as the number {count[:20]}")

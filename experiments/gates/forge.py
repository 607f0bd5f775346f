"""Forged files: hostile content under a digest that is right, and files that are cut.

A digest shows that a file is whole; anybody can compute it. So the content of a good file is made hostile and
written by the writer of this gate, with its digest computed anew, by formulas of this gate. A reader must
refuse the file by its name, or give the content that the good file has.

Half of the items at least pass ``trusts``, a reader of this gate that believes a right digest; and with the
package's forms removed, hostile files are accepted (``without_forms``): both show that the gate would find a
reader that does not verify.
"""

import gzip
import io
import json
import math
import random
import re
import sqlite3
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from unittest.mock import patch
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from baycarp.errors import BaycarpError, ModelError
from baycarp.game.notation.door import read
from experiments.gates.clone import from_tests
from experiments.gates.gate import Result, Share

__all__ = ["COSTS", "FORGED", "believed", "forged", "made", "trusts", "without_forms"]

DEEP = 200_000
"""Lists within one another."""

HEADS = {"head", "structure", "schema"}

NUMBERS = (math.nan, math.inf, -math.inf, 3e38, -3e38)

NONNEGATIVE = {
    *("average", "first", "second", "tables", "ids", "counts", "oop", "ip", "totals", "values"),
    *(f"{betting}_{name}" for betting in ("limit", "no_limit") for name in ("keys", "visits")),
    *(f"street{street}" for street in range(4)),
}
"""Arrays of which a negative number is hostile."""


NUMBER = r"(?<![\w.'])-?\d+(\.\d+)?(?![\w.'])"
PLACES = {"PHH": r"(?<= )-?\d+(?=[,\]])"}
"""The numbers of a plain text that are replaced; in a PHH those of lists, since a hand has any name."""

ANY_TYPE = ("digest", "origin")
"""Fields that are computed anew, or hold what the maker of a file notes."""

GAPS = "fixed."
"""The beginning of arrays that may have NaN."""


@dataclass
class Content:
    """The content of an ``.npz``: its arrays, and its head as text, if it has one."""

    arrays: dict[str, NDArray[Any]]
    head: dict[str, Any]
    head_in: str
    head_is_text: bool


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _read(path: Path) -> Content:
    arrays = _arrays(path)
    name = next(iter(HEADS & set(arrays)), "")
    if not name:
        return Content(arrays, {}, name, False)
    head = arrays.pop(name)
    is_text = head.dtype.kind == "U"
    return Content(arrays, json.loads(str(head) if is_text else head.tobytes()), name, is_text)


# The digests, by formulas of their own.


def _of_checkpoint(content: Content) -> None:
    signed = {name: value for name, value in content.head.items() if name != "digest"}
    signed = {"format": signed["format"], "version": signed["version"], **signed}
    made = sha256(json.dumps(signed, sort_keys=True).encode())
    for name in ("regret", "average"):
        made.update(content.arrays[name].tobytes())
    content.head["digest"] = made.hexdigest()


def _of_network(content: Content) -> None:
    nodes = [[node, given["states"], given["parents"]] for node, given in content.head["nodes"].items()]
    text = json.dumps(nodes, separators=(",", ":")).encode()
    numbers = content.arrays["tables"]
    with np.errstate(all="ignore"):
        doubles = numbers.real.astype("<f8") if numbers.dtype.kind in "biufc" else numbers
    content.head["digest"] = sha256(text + b"\0" + doubles.tobytes()).hexdigest()


def _of_strategy(content: Content) -> None:
    signed = {name: content.head[name] for name in ("game", "players", "origin")}
    made = sha256(json.dumps(signed, sort_keys=True).encode())
    for name in ("first", "second"):
        numbers = content.arrays[name]
        made.update((numbers.real.astype("<f8") if numbers.dtype.kind in "biufc" else numbers).tobytes())
    content.head["digest"] = made.hexdigest()


def _unsigned(content: Content) -> None:
    """A format without a digest, or one whose digest the reader compares with all that it made."""


DIGESTS: Mapping[str, Callable[[Content], None]] = {
    "solve, checkpoint": _of_checkpoint,
    "no-limit solve, checkpoint": _of_checkpoint,
    "network": _of_network,
    "strategy of a small game": _of_strategy,
}


# The writer of arrays.


def npy(array: NDArray[Any], header: str = "") -> bytes:
    """An array as an ``.npy`` file of version 1, with another header where one is given."""
    descr = array.dtype.descr if array.dtype.names else array.dtype.str
    named = header or f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {array.shape!r}, }}"
    text = named.encode("latin-1").ljust(118 + 64 * (len(named) // 64)) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + array.tobytes()


def npz(members: list[tuple[str, bytes]]) -> bytes:
    """A zip archive of members, which may have any names."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, member in members:
            archive.writestr(zipfile.ZipInfo(name), member, zipfile.ZIP_DEFLATED)
    return data.getvalue()


def written(content: Content, head: str | None = None) -> bytes:
    """An ``.npz`` of the content; ``head`` in place of its JSON."""
    arrays = dict(content.arrays)
    if content.head_in:
        text = json.dumps(content.head) if head is None else head
        array = np.array(text) if content.head_is_text else np.frombuffer(text.encode(), np.uint8)
        arrays = {content.head_in: array, **arrays}
    return npz([(f"{name}.npy", npy(each)) for name, each in arrays.items()])


# What is hostile.


def hostile_array(array: NDArray[Any], name: str, draw: random.Random) -> NDArray[Any]:
    """An array that no format has in the place of this one."""
    kinds: list[Callable[[], NDArray[Any]]] = [
        lambda: array.astype(np.complex128) if array.dtype.kind in "iuf" else array.astype("S8"),
        lambda: array[..., None],
        lambda: array.reshape(-1)[:-1],
        lambda: array.reshape(-1)[:0],
        lambda: np.full(array.shape, "1"),
        lambda: np.full(array.shape, -1, np.int64 if array.dtype != np.int64 else np.int16),
        lambda: np.full(array.shape, 2**63 - 1, np.uint64),
        lambda: np.full(array.shape, True),
    ]
    if array.dtype.kind == "f" and array.size:
        kinds += [lambda: _with(array, draw, draw.choice(NUMBERS[:3]))] * 12
        if name in NONNEGATIVE:
            kinds += [lambda: _with(array, draw, -0.5)] * 6
        if name.removeprefix("state.") in ("regret", "average", "sums"):
            kinds += [lambda: _with(array, draw, draw.choice(NUMBERS[3:]))] * 6
    if array.dtype.kind == "i" and array.size and name in NONNEGATIVE:
        kinds += [lambda: _with(array, draw, -1)] * 6
    made = draw.choice(kinds)()
    same = (made.dtype, made.shape) == (array.dtype, array.shape) and made.tobytes() == array.tobytes()
    return hostile_array(array, name, draw) if same else made


def _with(array: NDArray[Any], draw: random.Random, number: float) -> NDArray[Any]:
    """A copy with another number at a few places."""
    made = array.copy()
    with np.errstate(all="ignore"):
        made.reshape(-1)[[draw.randrange(array.size) for _ in range(3)]] = number
    return made


def hostile_json(text: str, draw: random.Random) -> str:
    """A JSON text of which one value is none that any format has."""
    places = [at + 1 for at, letter in enumerate(text) if letter in ":," and text[at + 1 : at + 2] == " "]
    at = draw.choice(places or [0])
    hostile = ("NaN", "-Infinity", "1e999", "[" * DEEP + "]" * DEEP, '{"a":' * DEEP, "[" * DEEP, "9" * 5000)
    return text[:at] + draw.choice(hostile) + ("," if text[at - 1 : at] == "," else ", ") + text[at:]


def of_another_type(head: Any, draw: random.Random) -> None:
    """Put a value of another type in the place of a text, a number or a truth value, at any depth.

    Formats let a field be null, or a list or an object in the place of another one; these stay.
    """
    places: list[tuple[Any, Any]] = []
    levels = [head]
    for level in levels:
        for key, value in level.items() if isinstance(level, dict) else enumerate(level):
            if key not in ANY_TYPE and isinstance(value, dict | list):
                levels.append(value)
            elif key not in ANY_TYPE and value is not None:
                places.append((level, key))
    level, key = draw.choice(places)
    before = level[key]
    kinds: tuple[Any, ...] = (
        (5, 1.5, [[1]], [None]) if isinstance(before, str) else ("x", "1", [], {}, [None])
    )
    level[key] = draw.choice((*kinds, 1.5) if type(before) is int else kinds)


def cut(data: bytes, header: int, draw: random.Random) -> bytes:
    """The beginning of a file."""
    return data[: draw.choice((0, 1, header - 1, header, draw.randrange(header, len(data) - 1)))]


def forged_arrays(kind: str, path: Path, draw: random.Random) -> bytes:
    """An ``.npz`` with hostile content."""
    content, chance = _read(path), draw.random()
    if chance < 0.1:
        return cut(path.read_bytes(), 30, draw)
    if chance < 0.15 and content.head_in:
        return written(content, hostile_json(json.dumps(content.head), draw))
    if chance < 0.2 and content.head_in:
        of_another_type(content.head, draw)
        with suppress(Exception):  # a head without what is signed keeps its digest
            DIGESTS.get(kind, _unsigned)(content)
        return written(content)
    if chance < 0.25:
        members = [(f"{name}.npy", npy(each)) for name, each in content.arrays.items()]
        name = draw.choice(("../x.npy", "/x.npy", "more.npy", members[0][0]))
        return npz([*members, ("head.npy", npy(np.array("{}"))), (name, npy(np.zeros(3)))])
    numeric = [name for name, each in content.arrays.items() if each.size and each.dtype.kind in "iufb"]
    name = draw.choice([name for name in numeric if not name.startswith(GAPS)])
    if chance < 0.3:
        lie = "{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
        pickle = "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }"
        members = [(f"{each}.npy", npy(array)) for each, array in content.arrays.items() if each != name]
        return npz([*members, (f"{name}.npy", npy(content.arrays[name], draw.choice((lie, pickle))))])
    content.arrays[name] = hostile_array(content.arrays[name], name, draw)
    DIGESTS.get(kind, _unsigned)(content)
    return written(content)


def forged_buckets(kind: str, path: Path, draw: random.Random) -> bytes:
    """Tables of buckets: hostile ones, and buckets that there are not, with their digest."""
    if draw.random() < 0.1:
        return cut(path.read_bytes(), 30, draw)
    arrays, name = _arrays(path), draw.choice(("flops", "turns"))
    beyond = draw.random() < 0.3
    arrays[name] = _with(arrays[name], draw, 65535) if beyond else hostile_array(arrays[name], name, draw)
    arrays["digest"] = np.array(_of_tables(arrays))
    return npz([(f"{name}.npy", npy(each)) for name, each in arrays.items()])


def _of_tables(arrays: Mapping[str, NDArray[Any]]) -> str:
    return sha256(arrays["flops"].tobytes() + arrays["turns"].tobytes()).hexdigest()


def forged_text(kind: str, path: Path, draw: random.Random) -> bytes:
    """A plain text with a number that no format has, brackets without end, or bytes that are no text."""
    text, chance = path.read_text("utf-8"), draw.random()
    if chance < 0.1:
        return text.encode()[: draw.choice((0, 1))]
    at = draw.choice([found.span() for found in re.finditer(PLACES.get(kind, NUMBER), text)])
    if chance < 0.2:
        return text[: at[0]].encode() + draw.choice((b"\xff\xfe", b"\0", b"\x80")) + text[at[1] :].encode()
    hostile = ("nan", "-inf", "1e999", "9" * 5000, "[" * DEEP, "{" * DEEP, "(" * DEEP, "-" * DEEP, "٣_0")
    return (text[: at[0]] + draw.choice(hostile) + text[at[1] :]).encode()


def forged_manifest(kind: str, path: Path, draw: random.Random) -> bytes:
    """A manifest, or weights, with hostile values and their digest."""
    if draw.random() < 0.1:
        return cut(path.read_bytes(), 12, draw)
    held = json.loads(path.read_text("utf-8"))
    if draw.random() < 0.1:
        return hostile_json(json.dumps(held), draw).encode()
    if draw.random() < 0.1:
        of_another_type(held, draw)
        if kind != "weights":
            held["digest"] = sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()[:16]
        return json.dumps(held).encode()
    if kind == "weights":
        street = draw.choice(list(held["streets"].values()))
        feature = draw.choice(list(street["features"].values()))
        hostile = draw.choice((-1, 1e300, "1", None, True, [1], 2**63, 10**400))
        feature[draw.choice(list(feature))] = hostile if hostile != 2**63 else -(2**63)
        del held["digest"]  # an edited file has none
        return json.dumps(held).encode()
    name = draw.choice(("version", "format", "files", "casebases", "strategy", "two", "beliefs"))
    held[name] = draw.choice(
        (-1, 2**63, "../../x", ["../x"], {"../x.npz": {"bytes": 1}}, {"a": None}, [None], 1.5, True)
    )
    held.pop("digest")
    held["digest"] = sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()[:16]
    return json.dumps(held).encode()


def forged_journal(kind: str, path: Path, draw: random.Random) -> bytes:
    """A journal with a hostile line and its check-sum, in a place where no torn line can be."""
    lines = path.read_bytes().splitlines(keepends=True)
    at = draw.randrange(3, len(lines) - 1)
    texts = (
        *("[" * DEEP, '[["a"],NaN]', "[[1.5,0],{}]", "[[],{}]", '[[1,0],{"net":1e999}]', "null"),
        *("[[true,0],{}]", '[[1,0],{"net":[[9]]}]', "[1,{}]", "{}"),
        '[[1,0],{"net":' + "[" * DEEP + "]" * DEEP + "}]",
    )
    text = draw.choice(texts).encode()
    lines[at] = blake2b(text, digest_size=8).hexdigest().encode() + b" " + text + b"\n"
    return b"".join(lines)


def forged_store(kind: str, path: Path, draw: random.Random) -> bytes:
    """A case store with hostile rows and their digests."""
    if draw.random() < 0.15:
        return cut(path.read_bytes(), 100, draw)
    with TemporaryDirectory() as folder:
        copy = Path(folder, "forged.sqlite")
        copy.write_bytes(path.read_bytes())
        with closing(sqlite3.connect(copy)) as connection, connection:
            _forge_row(connection, draw)
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return copy.read_bytes()


def _forge_row(connection: sqlite3.Connection, draw: random.Random) -> None:
    names = "id, numbers, codes, symbols, solution, outcome, provenance, merged"
    (base,) = connection.execute("SELECT name FROM bases").fetchone()
    rows = connection.execute(f"SELECT {names}, digest FROM cases").fetchall()
    *row, before = draw.choice(rows)
    key, place = row[0], draw.choice((0, 1, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6))
    floats, few = struct.pack("<ff", draw.choice(NUMBERS), 1.0), row[1][:-1]
    hostile: dict[int, tuple[Any, ...]] = {
        0: (-1, 2**62),
        1: (floats, few, b"", row[1] * 2),
        2: (b"\xfe\xfe", b"", row[2] * 3),
        3: (b"\xff\xff\xff\xff", b"", row[3] * 2),
        4: (-1, 255, 2**62, 3),
        5: (math.inf, -math.inf, 1e300),
        6: (b"", row[6] * 2),
    }
    row[place] = draw.choice(hostile[place])
    id, numbers, codes, symbols, solution, outcome, provenance, merged = row
    values = struct.pack("<qqdq", id, solution, outcome, merged)
    digest = crc32(b"".join((base.encode(), values, numbers, codes, symbols, provenance)))
    setting = ", ".join(f"{name} = ?" for name in names.split(", "))
    connection.execute(f"UPDATE cases SET {setting}, digest = ? WHERE id = ?", (*row, digest, key))
    connection.execute("UPDATE bases SET digests = digests + ?", (digest - before,))


def forged_csv(kind: str, path: Path, draw: random.Random) -> bytes:
    """A table of which one cell is no value of its column."""
    header, *rows = path.read_text("utf-8").splitlines()
    at = draw.randrange(len(rows))
    hostile = ("nan", "inf", "-inf", "1_0", "٣", "1e999", "=1+1", str(2**63), "x" * 200_000)
    cells = rows[at].split(",")
    cells[draw.choice((0, 1, 2, 3, 6, 7))] = draw.choice(hostile)
    rows[at] = ",".join(cells) if draw.random() < 0.9 else rows[at] + ",more"
    return "\n".join([header, *rows, ""]).encode()


def forged_archive(kind: str, path: Path, draw: random.Random) -> bytes:
    """An archive of hands with a member that leaves it, a link, too many bytes, or one archive too deep."""
    text, chance = gzip.decompress(path.read_bytes()), draw.random()
    if chance < 0.2:
        return cut(path.read_bytes(), 10, draw)
    name = draw.choice(("../out.log", "/out.log", "C:/out.log", "a/../../out.log", "..\\out.log"))
    if chance < 0.5:
        return npz([(name, text)])
    data = io.BytesIO()
    if chance < 0.9:
        with tarfile.open(fileobj=data, mode=draw.choice(("w:gz", "w:bz2", "w:xz", "w"))) as archive:
            member = tarfile.TarInfo(name if chance < 0.7 else "out.log")
            member.type = tarfile.REGTYPE if chance < 0.7 else draw.choice((tarfile.SYMTYPE, tarfile.LNKTYPE))
            member.linkname = draw.choice(("/etc/passwd", "../../out.log"))
            member.size = len(text) if chance < 0.7 else 0
            archive.addfile(member, io.BytesIO(text))
        return data.getvalue()
    for _ in range(6):
        text = gzip.compress(text)
    return text


FORGED: Mapping[str, Callable[[str, Path, random.Random], bytes]] = {
    "case-base": forged_arrays,
    "network": forged_arrays,
    "strategy of a small game": forged_arrays,
    "players": forged_arrays,
    "styles": forged_arrays,
    "continuations": forged_arrays,
    "policy by holdings": forged_arrays,
    "judged session": forged_arrays,
    "solve, buckets": forged_buckets,
    "solve, checkpoint": forged_arrays,
    "solve, strategy": forged_arrays,
    "no-limit solve, checkpoint": forged_arrays,
    "no-limit solve, strategy": forged_arrays,
    "solution of a spot": forged_arrays,
    "model, manifest": forged_manifest,
    "weights": forged_manifest,
    "journal": forged_journal,
    "case store": forged_store,
    "cases as CSV": forged_csv,
    "ACPC log, packed": forged_archive,
    "PHH, packed": forged_archive,
    "ACPC log": forged_text,
    "PHH": forged_text,
    "game file": forged_text,
    "network as BIF": forged_text,
}
"""By kind of file, of ``tests/robustness/file_kinds.py``."""


OF_HANDS = ("ACPC log, packed", "PHH, packed", "ACPC log", "PHH")
"""Kinds that are read as a person's file of hands is; its beginning is no other content."""

COSTS = {
    "solve, buckets": 0.6,
    "solve, strategy": 1.0,
    "no-limit solve, strategy": 0.4,
    "case store": 0.1,
    "cases as CSV": 0.1,
}
"""Expected seconds of a file of kinds that take long."""


@cache
def made(kind: str) -> tuple[Path, Any]:
    """A good file of a kind, made once in a process, and its content."""
    own = from_tests("robustness.file_kinds").KINDS[kind]
    path: Path = own.make(Path(mkdtemp()))
    return path, own.read(path)


def trusts(kind: str, path: Path) -> bool:
    """Whether a reader that believes a right digest accepts a file: it only takes it apart."""
    try:
        if FORGED[kind] is forged_archive:
            return (
                tarfile.is_tarfile(path)
                or zipfile.is_zipfile(path)
                or bool(gzip.decompress(path.read_bytes()))
            )
        if FORGED[kind] is forged_arrays:
            content = _read(path)
            given = content.head.get("digest")
            DIGESTS.get(kind, _unsigned)(content)
            return bool(content.head.get("digest") == given)
        if FORGED[kind] is forged_buckets:
            arrays = _arrays(path)
            return str(arrays["digest"]) == _of_tables(arrays)
        if FORGED[kind] is forged_text:
            return bool(path.read_text("utf-8"))
        if FORGED[kind] is forged_store:
            with closing(sqlite3.connect(path)) as connection:
                (sums,) = connection.execute("SELECT digests FROM bases").fetchone()
                (own,) = connection.execute("SELECT sum(digest) FROM cases").fetchone()
                (more,) = connection.execute("SELECT coalesce(sum(digest), 0) FROM symbols").fetchone()
                return bool(sums == own + more)
        for line in path.read_text("utf-8").splitlines()[: None if kind == "journal" else 0]:
            json.loads(line.partition(" ")[2])
        if FORGED[kind] is forged_manifest:
            json.loads(path.read_text("utf-8"))
    except Exception:  # it takes apart what it can
        return False
    return True


@contextmanager
def without_forms() -> Iterator[None]:
    """The readers of the package without what the formats declare."""
    with (
        patch("baycarp.files.arrays.verify_arrays", lambda *_: None),
        patch("baycarp.files.data.verify", lambda *_: None),
        patch("baycarp.cases.columns._verify_shapes", lambda *_: None),
    ):
        yield


def _hands(path: Path) -> list[str]:
    """The hands of an archive; the first part that cannot be read is raised."""
    return [str(hand) for hand in read(path, game=from_tests("robustness.parsers").LIMIT)]


def forged(kind: str, share: Share) -> Result:
    """Forge a share of the files of a kind, and read each."""
    own = from_tests("robustness.file_kinds").KINDS[kind]
    return _tried(kind, share, _hands if kind in OF_HANDS else own.read)


def believed(kind: str, share: Share) -> Result:
    """The same with the planted fault: a reader that verifies nothing beyond the digest."""

    def believing(path: Path) -> None:
        if not trusts(kind, path):
            raise ModelError(f"{path}: damaged")

    return _tried(kind, share, believing)


def _tried(kind: str, share: Share, reader: Callable[[Path], Any]) -> Result:
    result, own = Result(), from_tests("robustness.file_kinds").KINDS[kind]
    good, content = made(kind)
    with TemporaryDirectory() as folder:
        for number in share:
            result.done += 1
            draw = random.Random(f"{share.seed} {kind} {number}")
            place = Path(folder, str(number))
            copytree(good.parent, place)
            path = place / good.name
            path.write_bytes(FORGED[kind](kind, good, draw))
            result.counts["a digest is right"] += trusts(kind, path)
            try:
                found = reader(path)
            except BaycarpError as error:
                named = path.name in str(error) or str(place) in str(error)
                result.counts["refused"] += 1
                if not named:
                    result.find("other", f"{kind} {number}: refused without its name: {str(error)[:160]!r}")
            except Exception as error:
                result.find("untyped", f"{kind} {number}: {type(error).__name__}: {str(error)[:160]!r}")
            else:
                begun = kind in OF_HANDS and found is not None and found == content[: len(found)]
                same = begun or (path.read_bytes() == good.read_bytes() and own.same(content, found))
                result.counts["harmless"] += same
                if not same:
                    result.find("other", f"{kind} {number}: believed")
    return result

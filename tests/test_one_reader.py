"""Every file is opened to be read by ``baycarp.files``: held over the syntax trees, and over a run.

There is no list of exceptions: whatever is named ``open`` counts, of a library or of a value. A name is
resolved through imports and assignments, and its mere mention counts, so that a reader under another name, or
passed to another function, is found as well.
"""

import ast
import re
import subprocess
import sys
from itertools import accumulate
from pathlib import Path
from shutil import copytree

import pytest
from robustness.parsers import random_played

import baycarp
from baycarp.cli import COMMANDS
from baycarp.game.notation.acpc import write_log
from baycarp.game.notation.phh import write_phhs
from baycarp.game.variant import Variant, shipped
from baycarp.strategies.model import SHIPPED

ROOT = Path(baycarp.__file__).parent
READERS = ROOT / "files"


def words(text):
    """The words of a text."""
    return tuple(text.split())


WHOLE = words(
    """
    _csv _io _json _pickle _pyio _sqlite3 aifc bz2 cgi configparser dbm dill email fileinput gzip
    h5py joblib linecache lxml lzma mailbox marshal mmap netrc pandas.io pickle pickletools plistlib
    polars pyarrow py7zr ruamel shelve simplejson sqlite3 tarfile tomli tomllib ujson wave xml
    xmlrpc yaml zipapp zipfile zipimport zstandard orjson msgpack cloudpickle defusedxml openpyxl
    rarfile
    """
)
"""Modules that read files or parse texts: no name of them is mentioned outside the readers."""

NAMES = words(
    """
    zlib.decompress zlib.decompressobj csv.reader csv.DictReader csv.Sniffer io.open io.open_code
    io.FileIO os.fdopen os.popen codecs.open codecs.EncodedFile json.load json.loads
    json.JSONDecoder json.decoder json.scanner tokenize.open runpy.run_path numpy.load
    numpy.fromfile numpy.memmap numpy.loadtxt numpy.genfromtxt numpy.fromregex numpy.DataSource
    numpy.lib.format numpy.lib.npyio numpy.lib.DataSource numpy.core.records.fromfile
    numpy.rec.fromfile urllib.request imghdr shutil.unpack_archive importlib.resources
    importlib.util.spec_from_file_location importlib.machinery.SourceFileLoader pkgutil.get_data
    ctypes.CDLL.read logging.config matplotlib.image.imread matplotlib.pyplot.imread PIL.Image.open
    pgmpy.readwrite pgmpy.utils pokerkit.notation pokerkit.HandHistory pyspiel.load_game_from_file
    faiss.read_index faiss.read_VectorTransform sklearn.datasets scipy.io pandas.read_csv
    pandas.read_json pandas.read_pickle pandas.read_table pandas.read_parquet pandas.read_excel
    pandas.read_fwf pandas.read_hdf pandas.read_sql pandas.read_xml distributed.protocol cma.load
    multiprocessing.shared_memory
    """
)
"""Other functions and modules that read files or parse texts."""

PLACES = frozenset((*WHOLE, *NAMES))

METHODS = {"read_text", "read_bytes", "fromfile", "memmap", "joinpath_read"}
"""Methods of a path or an array that read a file, of whatever they are a method."""

OPENERS = {"open", "builtins.open", "io.open", "os.open"}
"""Openers that may write as well: only with a constant mode, or flags, of writing alone."""

IMPORTERS = {"__import__", "importlib.import_module", "import_module"}


def walked(tree):
    """The nodes of a tree, each with the one above it."""
    nodes = [tree]
    for node in nodes:
        for child in ast.iter_child_nodes(node):
            child.above = node
            nodes.append(child)
    return nodes


def names_of(nodes):
    """Name -> what it stands for, by the imports and the plain assignments of a module."""
    known = {}
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    renamed = [each for each in nodes if isinstance(each, ast.Assign)]
    renamed = [each for each in renamed if isinstance(each.value, ast.Name | ast.Attribute)]
    for _ in range(3):  # a name of a name of a name
        for node in renamed:
            for target in node.targets:
                if isinstance(target, ast.Name) and (place := dotted(node.value, known)):
                    known.setdefault(target.id, place)
    return known


def dotted(node, known):
    """What a name stands for, as ``module.name``; empty where it begins with a value."""
    if isinstance(node, ast.Name):
        return known.get(node.id, node.id)
    if isinstance(node, ast.Attribute) and (before := dotted(node.value, known)):
        return f"{before}.{node.attr}"
    if isinstance(node, ast.Call) and dotted(node.func, known) in (
        "__import__",
        "importlib.import_module",
        "import_module",
    ):
        match node.args:
            case [ast.Constant(value=str(name)), *_]:
                return name
    return ""


def is_reader(place):
    """Whether a place, or one that it is below, reads files or parses texts."""
    return any(each in PLACES for each in accumulate(place.split("."), "{}.{}".format))


def writes(call, place):
    """Whether a call of an opener has a constant mode that only writes, or such flags."""
    first = 0 if place not in OPENERS else 1
    named = [each.value for each in call.keywords if each.arg in ("mode", "flags")]
    given = named + call.args[first : first + 1]
    if not given:
        return False
    if place == "os.open":
        flags = {node.attr for node in ast.walk(given[0]) if isinstance(node, ast.Attribute)}
        return bool(flags & {"O_WRONLY"})
    mode = given[0].value if isinstance(given[0], ast.Constant) else None
    return isinstance(mode, str) and mode[:1] in ("w", "a", "x") and "+" not in mode


def openings(source):
    """The places in a module where a file may be read, or a format of files be parsed."""
    nodes = walked(ast.parse(source))
    known = names_of(nodes)
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
            start = "" if isinstance(node, ast.Import) else f"{node.module}."
            for place in (start + alias.name for alias in node.names):
                if is_reader(place):
                    yield f"line {node.lineno}: import of {place}"
        if isinstance(node, ast.Call):
            if dotted(node.func, known) in IMPORTERS and is_reader(dotted(node, known)):
                yield f"line {node.lineno}: import of {dotted(node, known)}"
            match node.args:
                case [_, ast.Constant(value=str(name)), *_] if dotted(node.func, known) == "getattr":
                    if name in {"open", "load", "loads", *METHODS}:
                        yield f"line {node.lineno}: getattr(..., {name!r})"
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield from (f"line {node.lineno}: {found}" for found in mentions(node, known))


def mentions(node, known):
    """The opening that a name or an attribute is, if it is one."""
    place = dotted(node, known)
    called = getattr(node.above, "func", None) is node
    if isinstance(node, ast.Attribute) and node.attr in METHODS:
        if not place.startswith("baycarp."):
            yield f".{node.attr}"
    elif place in OPENERS or (isinstance(node, ast.Attribute) and node.attr == "open"):
        if not (called and writes(node.above, place)):
            yield place or ".open"
    elif is_reader(place) and not isinstance(node.above, ast.Attribute):
        yield place


def test_files_are_read_by_the_readers_alone():
    found = {
        f"{path.relative_to(ROOT)}, {place}"
        for path in ROOT.rglob("*.py")
        if READERS not in path.parents
        for place in openings(path.read_text("utf-8"))
    }
    assert not found


def test_the_readers_themselves_are_found():
    assert all(
        list(openings((READERS / f"{name}.py").read_text("utf-8")))
        for name in ("regular", "data", "table", "arrays", "archives", "database")
    )


PLANTED = r"""
open(p)
open(p, "rb")
open(p, mode="r+")
open(p, "w+")
open(p, mode)
f = open
map(open, paths)
import builtins; builtins.open(p)
import io; io.open(p)
import io as i; i.FileIO(p)
from io import open as o; o(p)
import os; os.open(p, os.O_RDONLY)
import os; os.open(p, os.O_RDWR)
import os; os.open(p, flags)
import os; os.fdopen(3)
import codecs; codecs.open(p, "r")
path.open()
path.open("rb")
Path(p).read_text()
path.read_bytes()
reader = path.read_bytes
getattr(path, "read_text")()
files("baycarp").joinpath("a").read_text()
from importlib.resources import files
import numpy as np; np.load(p)
from numpy import load as l; l(p)
import numpy; numpy.fromfile(p)
import numpy as np; n = np; n.memmap(p)
import numpy as np; np.loadtxt(p)
import numpy as np; np.lib.format.read_array(f)
from numpy.lib import format
import json; json.load(f)
import json; json.loads(t)
from json import loads as parse; parse(t)
import json; read = json.loads
import json; json.JSONDecoder().decode(t)
import tomllib; tomllib.load(f)
from tomllib import loads
import csv; csv.reader(f)
from csv import DictReader
import xml.etree.ElementTree as ET
from xml.dom import minidom
from lxml import etree
import gzip; gzip.open(p)
import bz2
import lzma
import zlib; zlib.decompress(b)
import zipfile; zipfile.ZipFile(p)
from tarfile import open as untar
import py7zr
import sqlite3; sqlite3.connect(p)
from sqlite3 import connect
import pickle
import marshal
import shelve
import mmap
import configparser
import yaml
import pandas as pd; pd.read_csv(p)
from pgmpy.readwrite import BIFReader
from pokerkit.notation import HandHistory
import faiss; faiss.read_index(p)
import linecache
import urllib.request
import shutil; shutil.unpack_archive(p)
__import__("sqlite3").connect(p)
from importlib import import_module; import_module("gzip").open(p)
import importlib; importlib.import_module("pickle")
class C:\n    def f(self):\n        import json as j\n        return j.loads(t)
"""


@pytest.mark.parametrize("line", PLANTED.strip().splitlines())
def test_an_opening_elsewhere_is_found(line):
    assert list(openings(line.replace("\\n", "\n")))


@pytest.mark.parametrize(
    "line",
    [
        'open(p, "w")',
        'open(p, "ab")',
        'path.open("x", encoding="utf-8")',
        "import os; os.open(os.devnull, os.O_WRONLY)",
        "import webbrowser; webbrowser.open_new_tab(page)",
        "import json; json.dumps(v)",
        "from baycarp.files import read_bytes; read_bytes(p, 9)",
        "from baycarp.game.notation import door; door.read_text(t)",
        "import numpy as np; np.save(p, a)",
    ],
)
def test_what_reads_no_file_is_not_found(line):
    assert not list(openings(line))


WATCHED = """
import io, os, sys
from pathlib import Path

import baycarp
from baycarp.cli import main

folder = sys.argv[1]
root = Path(baycarp.__file__).parent
readers, seen, elsewhere = str(root / "files"), [], []


def watch(event, arguments):
    if event not in ("open", "sqlite3.connect"):
        return
    place = os.path.abspath(os.fsdecode(arguments[0])) if not isinstance(arguments[0], int) else ""
    if folder not in place:
        return
    if event == "open" and ((arguments[2] or 0) & 3 == os.O_WRONLY or arguments[2] & os.O_TRUNC):
        return
    frame = sys._getframe()
    while frame and not frame.f_code.co_filename.startswith(str(root)):
        frame = frame.f_back
    own = frame.f_code.co_filename if frame else "-"
    (seen if own.startswith(readers) else elsewhere).append(f"{event} of {arguments[0]} in {own}")


sys.addaudithook(watch)
os.environ["BAYCARP_HOME"] = folder
for words in filter(None, sys.stdin.read().splitlines()):
    before, sys.stdin = len(seen), io.StringIO()
    try:
        status = main(words.split())
    except SystemExit as ending:
        status = ending.code
    except Exception as error:
        status = type(error).__name__
    print(f"{words.split()[0]}: {status}, {len(seen) - before} files", flush=True)
print("elsewhere:", elsewhere)
"""

RUN = """
stats hands.log
review hands.log --player Nobody
decide hands.phhs --hand 1 --street preflop --agent rule
play call --terminal --again hands.log --adviser rule
convert hands.log hands.phhs.gz
equity AA KK
inspect bn --model model
match call call --deals 1 --out m --workers 1
match call call --deals 1 --out m --workers 1
table call call --hands 1 --out t --game one.game --workers 1
tournament call --game one.game
watch call call --hands 1 --out w --workers 1
watch call call --hands 1 --out w --workers 1
train again --from hands.log --strategy sartre --workers 1
solve kuhn --iterations 2 --out k.npz
solve --spots spots.json
exploit equilibrium(strategy='k.npz')
memory import new model
memory export new out
agents call
serve dealer --game one.game
study none.html
doctor
"""
"""A line of every command, most with files of the user; not all succeed, none starts a long work."""


def test_a_run_of_the_commands_opens_files_in_the_readers_alone(tmp_path):
    hands = random_played(Variant.load("holdem.limit.2p.reverse_blinds"), 3)
    write_log(tmp_path / "hands.log", hands)
    write_phhs(tmp_path / "hands.phhs", hands)
    (tmp_path / "spots.json").write_text("[]")
    (tmp_path / "one.game").write_text(shipped()["holdem.limit.2p.reverse_blinds"])
    copytree(SHIPPED, tmp_path / "model")
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(tmp_path)],
        input=RUN,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "elsewhere: []"
    assert "Error" not in done.stdout
    opened = re.findall(r"^(\w+): \w+, (\d+) files$", done.stdout, re.MULTILINE)
    assert {name for name, _ in opened} == set(COMMANDS)
    assert sum(int(files) > 0 for _, files in opened) >= 10, done.stdout

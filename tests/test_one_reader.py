"""Every file is opened to be read by ``baycarp.files``: held over the syntax trees, and over a run.

There is no list of exceptions. Outside the readers a module imports what is known to read nothing, and
no more (``WHOLE``; of modules that can read, ``PARTS``). A module of ``PARTS`` stands before a name alone, so
that no other name of it is reached through a value; so does a class of ``PARTS``, whose methods are named
there. Whatever is named ``open`` counts, of a library or not. Of a program that is started, only its command
is seen: one that the source names is found; what a program of the user reads cannot be known from a text.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import copytree
from types import ModuleType
from zoneinfo import ZoneInfoNotFoundError

import pytest
from robustness.parsers import random_played

import baycarp
from baycarp.cli import COMMANDS
from baycarp.files import library
from baycarp.files.library import zone
from baycarp.game.notation.acpc import write_log
from baycarp.game.notation.phh import write_phhs
from baycarp.game.variant import Variant, shipped
from baycarp.strategies.model import SHIPPED

ROOT = Path(baycarp.__file__).parent
READERS = ROOT / "files"


def words(text):
    """The words of a text."""
    return frozenset(text.split())


WHOLE = words(
    """
    __future__ abc base64 binascii collections collections.abc concurrent.futures concurrent.futures.process
    contextlib copy dataclasses datetime decimal difflib enum errno fractions functools gc graphlib hashlib
    heapq itertools math numbers numpy.linalg numpy.random numpy.typing platform queue random re secrets
    select selectors shlex signal socket statistics string struct textwrap threading time traceback
    types typing unicodedata urllib.parse warnings weakref webbrowser
    """
)
"""Modules that read no file: all of their own names may be used."""

PARTS = {
    module: words(names)
    for module, names in {
        "argparse": "ArgumentParser ArgumentTypeError ArgumentError Action Namespace _ActionsContainer "
        "_ArgumentGroup _SubParsersAction",
        "ast": "parse literal_eval Call Name",
        "asyncio": "CancelledError Event Handle Lock TimerHandle Transport create_task get_running_loop "
        "AbstractEventLoop sleep to_thread wait_for wrap_future",
        "cma": "CMAEvolutionStrategy",
        "codecs": "register_error",
        "csv": "writer",
        "ctypes": "CDLL",
        "distributed": "Client Future KilledWorker",
        "faiss": "IndexFlatL2 IndexIVFFlat omp_get_max_threads omp_set_num_threads rev_swig_ptr",
        "gymnasium": "Env register spaces",
        "gymnasium.vector": "AutoresetMode VectorEnv",
        "gymnasium.vector.utils": "batch_space",
        "h11": "IDLE Request SEND_BODY",
        "html": "escape",
        "importlib": "import_module",
        "importlib.metadata": "EntryPoint PackageNotFoundError entry_points version",
        "importlib.util": "find_spec",
        "inspect": "Parameter formatannotation getdoc signature",
        "io": "StringIO TextIOWrapper",
        "json": "dumps",
        "logging": "CRITICAL ERROR Handler LogRecord getLogger",
        "matplotlib": "rc_context",
        "matplotlib.backends.backend_agg": "FigureCanvasAgg",
        "matplotlib.figure": "Figure",
        "matplotlib.text": "Text",
        "matplotlib.ticker": "FuncFormatter",
        "mcp": "",
        "mcp.server": "MCPServer",
        "mcp.server.mcpserver.exceptions": "ToolError",
        "mcp.types": "ToolAnnotations",
        "multiprocessing": "active_children parent_process resource_tracker",
        "multiprocessing.connection": "Connection wait",
        "multiprocessing.context": "SpawnContext SpawnProcess",
        "multiprocessing.reduction": "ForkingPickler",
        "multiprocessing.reduction.ForkingPickler": "dumps",
        "narwhals": "from_dict",
        "numpy": "",
        "operator": "index itemgetter",
        "os": "O_WRONLY PathLike WNOHANG _exit close cpu_count devnull dup dup2 environ execvp fork fsdecode "
        "fstat fsync geteuid getpid getppid kill listdir nice open pipe read sep set_blocking setsid stat "
        "sysconf waitpid write",
        "pathlib": "Path",
        "pettingzoo": "AECEnv",
        "pgmpy.factors.discrete": "DiscreteFactor TabularCPD",
        "pgmpy.models": "DiscreteBayesianNetwork",
        "processes": "descendants_of process_numbers",
        "pydantic": "BaseModel ConfigDict Field",
        "pyspiel": "Bot load_game",
        "resource": "RLIMIT_AS RLIMIT_CORE RLIMIT_CPU RLIMIT_FSIZE RLIMIT_NOFILE RLIMIT_NPROC RLIM_INFINITY "
        "getpagesize getrlimit setrlimit",
        "rich": "console",
        "rich.box": "SIMPLE",
        "rich.console": "Console ConsoleOptions RenderableType",
        "rich.markup": "escape",
        "rich.measure": "Measurement",
        "rich.padding": "Padding",
        "rich.progress": "BarColumn MofNCompleteColumn Progress ProgressColumn Task TaskID TextColumn",
        "rich.segment": "Segment",
        "rich.table": "Table",
        "rich.text": "Text",
        "shtab": "complete",
        "shutil": "which",
        "sklearn.base": "BaseEstimator ClassifierMixin RegressorMixin",
        "sklearn.utils.multiclass": "check_classification_targets",
        "sklearn.utils.validation": "_num_samples check_array check_is_fitted column_or_1d validate_data",
        "starlette.applications": "Starlette",
        "starlette.datastructures": "Headers",
        "starlette.middleware": "Middleware",
        "starlette.requests": "HTTPConnection Request",
        "starlette.responses": "PlainTextResponse RedirectResponse Response",
        "starlette.routing": "Route WebSocketRoute",
        "starlette.types": "ASGIApp Receive Scope Send",
        "starlette.websockets": "WebSocket WebSocketClose WebSocketDisconnect",
        "subprocess": "PIPE Popen TimeoutExpired",
        "sys": "argv executable exit path platform stderr stdin stdout",
        "tempfile": "TemporaryDirectory",
        "tracemalloc": "get_traced_memory is_tracing start stop",
        "uvicorn": "Config Server",
        "uvicorn.protocols.http.h11_impl": "H11Protocol",
        "uvicorn.protocols.websockets.websockets_sansio_impl": "WebSocketsSansIOProtocol",
        "websockets.frames": "Frame",
        "websockets.protocol": "State",
        "zlib": "crc32",
        "zoneinfo": "ZoneInfoNotFoundError",
    }.items()
}
"""Modules that can read a file or parse its text, or have such in them: by module the names that do not.

A class of a module may be one, too: then its methods are listed.
"""

NUMPY = words(
    """
    DataSource core ctypeslib distutils f2py fromfile fromregex fromstring genfromtxt lib load loadtxt ma
    memmap rec testing
    """
)
"""Of numpy, whose names are many, those that read."""

METHODS = words("read_text read_bytes fromfile memmap fopen open_text open_binary")
"""Methods that read a file, of whatever they are a method."""

OPENERS = words("open builtins.open io.open os.open")
"""Openers that may write as well: only with a constant mode, or flags, of writing alone."""

HARMLESS = words("mode flags encoding newline errors buffering")
"""Keywords of an opener that do not change what is opened."""

LOOKED_UP = words("open load loads")
"""Names of readers that are too common to be found in every text: where they are looked up."""

BUILTINS = words("eval exec compile __import__ __builtins__ __loader__ __spec__ breakpoint")
"""Names of Python that reach every other."""


@cache
def is_module(place):
    """Whether a dotted name is a module."""
    try:
        import_module(place)
    except ImportError:
        return False
    return True


def may_be_used(place):
    """Whether a name of a library reads nothing, by what its modules may be used for."""
    parts = place.split(".")
    if parts[0] == "baycarp":
        return True
    for end in range(len(parts), 0, -1):
        module, names = ".".join(parts[:end]), parts[end:]
        if module == "numpy" and names:
            return names[0] not in NUMPY and not (is_module(f"numpy.{names[0]}"))
        if module in PARTS:
            return not names or names[0] in PARTS[module]
        if module in WHOLE:
            return not names or not (names[0].startswith("_") or is_a_module_of(module, names[0]))
    return False


@cache
def is_a_module_of(module, name):
    """Whether a name of a module is another module, which it imports, now or within a function."""
    found = getattr(import_module(module), name, None)
    if found is None and name in sys.stdlib_module_names:
        return True
    return isinstance(found, ModuleType) or is_module(f"{module}.{name}")


def walked(tree):
    """The nodes of a tree, each with the one above it."""
    nodes = [tree]
    for node in nodes:
        for child in ast.iter_child_nodes(node):
            child.above = node
            nodes.append(child)
    return nodes


def imported(nodes):
    """Pairs of (name, place) that a module's imports bind, with their line."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                yield node.lineno, alias.asname or first, alias.name if alias.asname else first, alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                place = f"{node.module}.{alias.name}"
                yield node.lineno, alias.asname or alias.name, place, place


def dotted(node, known):
    """What a chain of names stands for; empty where it begins with a value."""
    if isinstance(node, ast.Name):
        return known.get(node.id, node.id if node.id in OPENERS | BUILTINS else "")
    before = dotted(node.value, known) if isinstance(node, ast.Attribute) else ""
    return f"{before}.{node.attr}" if before else ""


def writes(call, place):
    """Whether a call of an opener has a constant mode that only writes, or such flags."""
    if any(isinstance(each, ast.Starred) for each in call.args):
        return False
    if any(
        each.arg not in ("mode", "flags", "encoding", "newline", "errors", "buffering")
        for each in call.keywords
    ):
        return False
    first = 1 if place in OPENERS else 0
    given = [each.value for each in call.keywords if each.arg in ("mode", "flags")]
    given += call.args[first : first + 1]
    if len(given) != 1:
        return False
    if place == "os.open":
        return isinstance(given[0], ast.Attribute) and given[0].attr == "O_WRONLY"
    mode = given[0].value if isinstance(given[0], ast.Constant) else None
    return isinstance(mode, str) and mode[:1] in ("w", "a", "x") and "+" not in mode


def openings(source):
    """The places in a module where a file may be read, or a format of files be parsed."""
    nodes = walked(ast.parse(source))
    known = {}
    for line, name, place, whole in imported(nodes):
        if whole.endswith(".*") or not may_be_used(whole):
            yield f"line {line}: import of {whole}"
        if known.setdefault(name, place) != place:
            yield f"line {line}: {name} is two things"
    for node in nodes:
        for found in (*mentions(node, known), *texts(node), *dynamic(node, known)):
            yield f"line {getattr(node, 'lineno', 0)}: {found}"


def mentions(node, known):
    """What a name or a chain of names reads."""
    if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return
    place, above = dotted(node, known), node.above
    of_a_chain = isinstance(above, ast.Attribute)
    if isinstance(node, ast.Attribute) and node.attr in METHODS and not place.startswith("baycarp."):
        yield f".{node.attr}"
    elif place in OPENERS or (isinstance(node, ast.Attribute) and node.attr == "open"):
        if not (getattr(above, "func", None) is node and writes(above, place)):
            yield place or ".open"
    elif isinstance(node, ast.Name) and place in BUILTINS:
        yield place
    elif place and not of_a_chain:
        if not may_be_used(place):
            yield place
        elif place in PARTS:
            yield f"{place} as a value"


def texts(node):
    """A reader's name in a text, which ``getattr`` and the like take, or in a pattern."""
    if isinstance(node, ast.MatchClass):
        yield from METHODS.union(("open",)).intersection(node.kwd_attrs)
    if isinstance(node, ast.Constant) and str(node.value) in METHODS and not is_listed(node):
        yield repr(node.value)


def is_listed(node):
    """Whether a text is one of ``__all__``."""
    above = getattr(node.above, "above", None)
    return isinstance(above, ast.Assign) and ast.unparse(above.targets[0]) == "__all__"


def dynamic(node, known):
    """A name that is looked up: a module that is no part of the package, or one by its text."""
    match node:
        case ast.Call(func=func) if dotted(func, known) == "importlib.import_module":
            match node:
                case ast.Call(args=[ast.Constant(value=str(name))], keywords=[]) if may_be_used(name):
                    pass
                case ast.Call(args=[ast.JoinedStr(values=[ast.Constant(value=str(start)), *_])], keywords=[]):
                    if not start.startswith("baycarp."):
                        yield f"import of {start}"
                case _:
                    yield "import of a name"
        case ast.Subscript(value=value, ctx=ast.Load()) if is_namespace(value):
            yield ast.unparse(node)
        case ast.Call(func=ast.Attribute(value=value), args=[ast.Constant(value=str(name)), *_]):
            if is_namespace(value) and name in LOOKED_UP:
                yield ast.unparse(node)
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            if name in LOOKED_UP:
                yield ast.unparse(node)
        case ast.Call(func=func) if dotted(func, known) == "subprocess.Popen" and not starts_what_is_given(
            node
        ):
            yield ast.unparse(node)


def is_namespace(node):
    """Whether an expression is the names of a module or a value, by their texts."""
    match node:
        case ast.Call(func=ast.Name(id="vars" | "globals" | "locals")) | ast.Attribute(attr="__dict__"):
            return True
    return False


def starts_what_is_given(call):
    """Whether the command of a new process is a list that does not begin with a program's name."""
    match call:
        case ast.Call(args=[ast.List(elts=[ast.Starred() | ast.Name() | ast.Attribute(), *_])]):
            return all(each.arg not in (None, "args", "executable", "shell") for each in call.keywords)
    return False


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
def f():\n    import json\n    json.dumps(0)\ndef g():\n    from baycarp.files import parse_json as json
import numpy as np; np.load(p)\nimport math as np
from io import *; FileIO(p)
from numpy import *; load(p)
from os import *; fdopen(3)
import json; a, b = json, 1; a.loads(t)
import json; (x := json).loads(t)
x: object = __import__("json")
import json\ndef f(j=json): return j.loads(t)
import json; {"j": json}["j"].loads(t)
import json; getattr(json, name)(t)
match p:\n    case Path(read_text=r): r()
match p:\n    case Path(open=o): o()
import io; getattr(io, "FileIO")(p)
getattr(path, f"read_text")()
path.__getattribute__("read_text")()
from operator import methodcaller
from operator import attrgetter
from importlib import import_module; import_module(name="pickle")
from importlib import import_module; import_module(name)
from importlib import import_module; import_module(f"js{on}")
import importlib; importlib.__import__("pickle")
__import__(name="pickle").loads(t)
import sys; sys.modules["pickle"].loads(t)
import pkgutil; pkgutil.resolve_name("json:loads")
import pydoc; pydoc.locate("json.loads")
__builtins__["open"](p)
import builtins; vars(builtins)["open"](p)
eval("open")(p)
exec("open(p)")
open(p, "w", opener=lambda a, b: 3)
open(mode="w", file=p, **more)
path.open(*["rb"])
path.open("w", mode="r")
import os; os.open(p, ~os.O_WRONLY)
import os; os.open(p, os.O_WRONLY & 0)
import os; os.open(p, 2 if os.O_WRONLY else 0)
from posix import open as o; o(p, 0)
import os; os.pread(3, 10, 0)
import os; os.sendfile(1, f, 0, 9)
import os; os.system("cat x")
import subprocess; subprocess.check_output(["cat", p])
import shutil; shutil.copyfile(p, q)
import ctypes; ctypes.CDLL(None).fopen(p, b"r")
import numpy as np; np.fromstring(t)
import numpy as np; np.ma.load(p)
import numpy as np; np._core.multiarray.fromfile(p)
import scipy.sparse; scipy.sparse.load_npz(p)
import torch; torch.load(p)
import networkx
from pgmpy.utils import get_example_model
from matplotlib import rc_file
import matplotlib.pyplot as plt; plt.style.use(p)
import codecs; codecs.getreader("utf-8")(f)
import tokenize; tokenize.tokenize(f.readline)
import inspect; inspect.getsource(f)
__loader__.get_data(p)
import argparse; argparse.FileType("r")(p)
import runpy; runpy.run_module("x")
import html.parser
import anyio
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles
import duckdb
import toml
import brotli
import queue; queue.threading.os.open(p, 0)
import threading; threading._os
import logging.config
import asyncio; asyncio.create_subprocess_exec("cat", p)
from multiprocessing.reduction import ForkingPickler; ForkingPickler.loads(b)
from multiprocessing.reduction import ForkingPickler as F; f = F; f.loads(b)
import multiprocessing.reduction as r; f = r.ForkingPickler; f.loads(b)
from multiprocessing.reduction import ForkingPickler\nclass P(ForkingPickler): pass
from subprocess import PIPE, Popen; Popen(["cat", p], stdout=PIPE).stdout.read()
import subprocess; subprocess.Popen(f"cat {p}", shell=True)
import subprocess; subprocess.Popen(command)
import subprocess; subprocess.Popen([*command], executable="cat")
from zoneinfo import ZoneInfo; ZoneInfo(name)
import zoneinfo; zoneinfo.ZoneInfo.from_file(f)
import zoneinfo; zoneinfo.available_timezones()
import warnings; warnings.linecache.getlines(p)
from warnings import linecache
import tracemalloc; tracemalloc.Snapshot.load(p)
vars(path)["open"]
vars(path).get("open")
path.__dict__["open"]
type(path).__dict__[name]
globals()[name](p)
import sys; sys.modules[name].loads(t)
import sys; sys.modules.get(name).loads(t)
from sys import modules; modules[name].loads(t)
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
        "from multiprocessing.reduction import ForkingPickler; ForkingPickler.dumps(v)",
        "from baycarp.files.library import zone; zone(name)",
        "import subprocess; subprocess.Popen([*command], stdout=subprocess.PIPE)",
    ],
)
def test_what_reads_no_file_is_not_found(line):
    assert not list(openings(line))


@pytest.mark.parametrize(
    "name", ["tzdata.zi", "leapseconds", "../zoneinfo/UTC", "Europe", "", "\0", "right/UTC"]
)
def test_a_name_that_is_no_zone_opens_no_file(name, monkeypatch):
    assert str(zone("Europe/Vienna")) == "Europe/Vienna"
    monkeypatch.setattr(library, "ZoneInfo", None)
    with pytest.raises(ZoneInfoNotFoundError, match="no time zone"):
        zone(name)


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

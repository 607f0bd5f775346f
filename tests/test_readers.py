"""The ten steps of each reader: what a machine can do of ``docs/readers.md`` prints what is expected."""

import doctest
import io
import os
import re
import shutil
import subprocess
import sys
from contextlib import redirect_stdout
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "readers.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.M | re.S)
STEP = re.compile(r"^\| (\d+) \| (\d+ (?:s|min|h)) \| (.+?) \| (.*?) ?\|$", flags=re.M)
SHELL = re.compile(r"`((?:baycarp|python)(?: [^`]+)?)`(?:, type (`[^`]+`(?:, `[^`]+`)*))?")
PYTHON = re.compile(r"`>>> (.+)`")


def readers():
    """By reader the cells of each step: its number, time, what is done, what is expected."""
    _, *parts = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.M)
    return {part.partition("\n")[0]: steps for part in parts if (steps := STEP.findall(part))}


def block(page, language):
    """The first block of a language on a page."""
    return next(text for name, text in FENCE.findall((ROOT / page).read_text("utf-8")) if name == language)


@pytest.fixture
def walk(tmp_path, monkeypatch):
    """Take the steps in a folder with the files of the bot author; a wrong output is an assertion."""
    monkeypatch.chdir(tmp_path)
    folders = [tmp_path / "bin", tmp_path / "bots"]
    for folder in folders:
        folder.mkdir()
    for name, module in (("baycarp", "-m baycarp"), ("python", "")):
        (folders[0] / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        (folders[0] / name).chmod(0o755)
    (folders[1] / "mine.py").write_text(block("README.md", "python"))
    (folders[1] / "pairs.js").write_text(block("docs/tutorials/own-bot.md", "js"))
    monkeypatch.setenv("PATH", os.pathsep.join([str(folders[0]), os.environ["PATH"]]))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("BAYCARP_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "100")
    names = {}

    def take(do):
        if line := SHELL.fullmatch(do):
            typed = "".join(f"{each}\n" for each in re.findall(r"`(.+?)`", line[2] or ""))
            done = subprocess.run(
                line[1], shell=True, input=typed, capture_output=True, text=True, timeout=300, check=False
            )
            assert "Traceback" not in done.stderr
            return done.stderr if done.returncode else done.stdout
        (line,) = PYTHON.fullmatch(do).groups()
        with redirect_stdout(io.StringIO()) as printed:
            exec(compile(line, "readers.md", "single"), names)
        return printed.getvalue()

    return take


QUICK = "Newcomer"
"""The reader whose steps the default run takes; the others are slow."""


@pytest.mark.parametrize(
    "reader", [pytest.param(name, marks=[] if name == QUICK else pytest.mark.slow) for name in readers()]
)
def test_what_a_step_prints_is_what_is_expected(reader, walk):
    for number, _, do, expected in readers()[reader]:
        if not (SHELL.fullmatch(do) or PYTHON.fullmatch(do)):
            continue  # for a person, or pip
        if "node " in do and not shutil.which("node"):
            continue
        printed = " ".join(walk(do).split())
        wanted = " ".join(expected.strip("`").split())
        assert doctest.OutputChecker().check_output(wanted, printed, doctest.ELLIPSIS), (number, printed)
    ignored = {*(ROOT / ".gitignore").read_text("utf-8").split()}
    made = {f"/{path.name}{'/' * path.is_dir()}" for path in Path.cwd().iterdir()} - {"/bin/", "/home/"}
    assert not [name for name in made if not any(fnmatch(name, pattern) for pattern in ignored)]


def test_there_are_five_readers_with_ten_steps_each():
    found = readers()
    assert [*found] == ["Newcomer", "Player", "Teacher", "Researcher", "Bot author"]
    assert all([int(number) for number, *_ in steps] == [*range(1, 11)] for steps in found.values())


def test_most_steps_are_executed():
    """A step that is written so that no pattern fits it would be left out in silence."""
    steps = [do for rows in readers().values() for _, _, do, _ in rows]
    taken = [do for do in steps if SHELL.fullmatch(do) or PYTHON.fullmatch(do)]
    assert len(steps) == 50
    assert len(taken) >= 32
    assert sum(", type " in do for do in taken) == 3


def test_cells_read_alike_in_the_source_and_on_the_page():
    """A bar in a cell would have to be escaped."""
    assert r"\|" not in PAGE.read_text("utf-8")

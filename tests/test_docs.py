"""The README and the pages of docs/: examples print what is shown; commands, names and links exist."""

import argparse
import doctest
import importlib
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import dropwhile, groupby
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

import baycarp
from baycarp.agents.registry import parse
from baycarp.arena.names import named
from baycarp.arena.session import Table, play_session
from baycarp.cli import COMMANDS, main
from baycarp.game.variant import Variant
from baycarp.strategies.registry import STRATEGIES

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
FENCE = re.compile(r"^```(\S*)[^\n]*\n(.*?)^```$", flags=re.M | re.S)
_ONE_WORD = re.compile(r"baycarp (\w+)(?: (?:engine|dealer|acpc))?")
"""A command that the running text only names."""

SETTINGS_FROM_FILES = ("model", "memory", "experts", "together", "strategy")
"""Settings of an agent that name files which a page's other commands make; ``together`` needs experts."""


def _named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _blocks(page: Path, *languages: str) -> list[str]:
    return [text for language, text in FENCE.findall(page.read_text("utf-8")) if language in languages]


def _inline(page: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", FENCE.sub("", page.read_text("utf-8")))


def _commands(script: str) -> Iterator[list[str]]:
    """The commands of a shell script as lists of words, split at pipes and ``&&``, without comments."""
    for line in script.replace("\\\n", " ").splitlines():
        words = shlex.shlex(line, posix=True, punctuation_chars="|&;")
        words.whitespace_split = True
        for mark, command in groupby(words, lambda word: word in {"|", "&&", ";"}):
            if not mark:
                yield [*dropwhile(re.compile(r"[A-Z]+=").match, command)]


def _shown(page: Path) -> Iterator[list[str]]:
    """Every command of a page: of its ``sh`` blocks, and each in the running text."""
    for script in _blocks(page, "sh"):
        yield from _commands(script)
    for text in _inline(page):
        if text.startswith(("baycarp ", "python -m ", "pip install ")) and not _ONE_WORD.fullmatch(text):
            yield from _commands(text)


class _Parsed(Exception):
    """The arguments were accepted."""


@pytest.fixture
def parsed(monkeypatch):
    """Parse the arguments of a command as it would itself, and do nothing of what it does: its namespace."""
    whole = argparse.ArgumentParser.parse_args

    def parse_args(self, args=None, namespace=None):
        raise _Parsed(whole(self, args, namespace))

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_args)

    def parse(run):
        try:
            run()
        except _Parsed as done:
            return vars(done.args[0])
        raise AssertionError("no arguments were parsed")

    return parse


def _verify_agents(given: dict[str, Any]) -> None:
    """Load every agent that the arguments of a command name, without the models that other commands make."""
    one = [given[option] for option in ("agent", "decider") if isinstance(given.get(option), str)]
    many = [given[option] for option in ("agents", "table") if isinstance(given.get(option), list)]
    if given.get("part") == "dealer":
        many.append([text for text in given["name"] if "=" in text])  # the others are names of clients
    for text in [*one, *(spec for texts in many for spec in named(texts)[1])]:
        spec = re.sub(r"^[^()=]+=", "", text)
        if "/" in spec and "(" not in spec:
            continue  # a folder that another command makes
        name, settings = parse(spec)
        kept = [f"{key}={value!r}" for key, value in settings.items() if key not in SETTINGS_FROM_FILES]
        baycarp.load(f"{name}({', '.join(kept)})")


@pytest.fixture(autouse=True)
def registries():
    """What the examples of a page register is gone after its test."""
    with patch.dict(STRATEGIES):
        yield


def _run_examples(page: Path) -> None:
    """Run the ``pycon`` blocks of a page in order, with names in common; each must print what is shown."""
    names: dict[str, object] = {}
    for number, block in enumerate(_blocks(page, "pycon")):
        example = doctest.DocTestParser().get_doctest(block, names, f"example {number}", str(page), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
        assert runner.run(example, clear_globs=False).failed == 0
        names = example.globs


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_the_examples_print_what_is_shown(page):
    if "import pyspiel" in page.read_text("utf-8"):
        pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel for this Python")
    _run_examples(page)


def _verify_module(name: str, arguments: list[str], parsed: Callable[..., object]) -> None:
    """A module that takes arguments accepts these, and is there in any case."""
    if name == "build":  # in the extra dev, not in test
        assert arguments[0] == "--outdir"
    elif name == "pytest":
        assert all(word[0] == "-" or word == "slow" or (ROOT / word).exists() for word in arguments)
    elif name in ("experiments", "benchmarks"):
        program = importlib.import_module(f"{name}.__main__").main
        parsed(lambda: program(arguments))
    elif hasattr(module := importlib.import_module(name), "main"):
        takes = inspect.signature(module.main).parameters
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", [name, *arguments])
            parsed(partial(module.main, *([arguments] if takes else [])))


def _verify_install(arguments: list[str]) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for word in (word for word in arguments if word[0] != "-" and not word.startswith("cmake.")):
        wanted = re.fullmatch(r"(?:\.|baycarp(?=\[))(?:\[([\w,]+)\])?", word)  # this clone, or extras of it
        assert wanted, f"{word}: expected this clone, for no release is on an index"
        assert set((wanted[1] or "").split(",")) <= {"", *extras}


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_the_commands_are_accepted(page, parsed):
    assert {word[1] for text in _inline(page) if (word := _ONE_WORD.fullmatch(text))} <= {*COMMANDS}
    if any(">>> register(" in block for block in _blocks(page, "pycon")):
        _run_examples(page)  # its commands name what its examples registered
    for words in _shown(page):
        match words:
            case ["baycarp", *arguments]:
                given = parsed(lambda arguments=arguments: main(arguments))
                _verify_agents(given)
                if given.get("game"):
                    Variant.load(given["game"])
            case ["python", "-m", name, *arguments]:
                _verify_module(name, arguments, parsed)
            case ["pip", "install", *arguments]:
                _verify_install(arguments)
            case ["sphinx-build", "-W", source, _]:
                assert (ROOT / source / "conf.py").is_file()
            case ["auditwheel", "repair", *arguments]:
                assert arguments[0] == "--wheel-dir"
            case ["nox", "-s", session]:
                assert f"def {session}(session" in (ROOT / "noxfile.py").read_text("utf-8")
            case _:
                raise AssertionError(f"{words}: expected a command that this test knows")


@pytest.fixture
def shell(tmp_path):
    """Run a line in a shell with ``baycarp`` and ``python``, in a folder of its own: what it printed."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, module in (("baycarp", "-m baycarp"), ("python", "")):
        command = commands / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {module} "$@"\n')
        command.chmod(0o755)
    paths = os.pathsep.join([str(commands), os.environ["PATH"]])
    around = os.environ | {"PATH": paths, "COLUMNS": "100", "BAYCARP_HOME": str(tmp_path / "home")}
    around["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])

    def run(line):
        done = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env=around,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def _squeezed(text: str) -> str:
    """Words alone, so that neither the width of a screen nor blanks at ends of lines matter."""
    return " ".join(text.split())


@pytest.mark.parametrize("page", [page for page in PAGES if _blocks(page, "console")], ids=_named)
def test_what_a_command_prints_is_what_is_shown(page, shell):
    for block in _blocks(page, "console"):
        for step in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.M)[1:]:
            line, _, shown = step.partition("\n")
            printed = _squeezed(shell(line))
            assert doctest.OutputChecker().check_output(_squeezed(shown), printed, doctest.ELLIPSIS), printed


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_names_of_the_package_exist(page):
    for text in _inline(page):
        match = re.fullmatch(r"(baycarp(?:\.\w+)+)(?:\(.*\))?", text)
        if match is None:
            continue
        home, *rest = match[1].split(".")
        found = importlib.import_module(home)
        for name in rest:
            home = f"{home}.{name}"
            found = getattr(found, name) if hasattr(found, name) else importlib.import_module(home)


def _anchors(page: Path) -> set[str]:
    """The headings of a page as the ends of links name them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page.read_text("utf-8")), flags=re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=_named)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text("utf-8"))):
        if not target.startswith(("https://", "http://")):
            file, _, anchor = target.partition("#")
            there = page.parent / file if file else page
            assert there.exists(), target
            assert not anchor or anchor in _anchors(there), target


def test_the_readme_is_short_and_begins_with_an_example():
    text = (ROOT / "README.md").read_text("utf-8")
    assert len(text.splitlines()) <= 150
    assert len(text.split()) <= 1200
    assert max(map(len, text.splitlines())) <= 100
    assert _blocks(ROOT / "README.md", "pycon")


def test_the_documentation_is_short():
    assert sum(len(page.read_text("utf-8").split()) for page in (ROOT / "docs").rglob("*.md")) <= 35_000


def test_the_cheat_sheet_names_every_command():
    shown = _inline(ROOT / "docs" / "reference" / "cheat-sheet.md")
    assert {*COMMANDS} == {text.split()[1] for text in shown if text.startswith("baycarp ")}


def test_the_agent_of_the_readme_plays(tmp_path):
    """It never invests: heads-up it loses its blind in every hand with a raise, and in no hand more."""
    (source,) = _blocks(ROOT / "README.md", "python")
    assert len([line for line in source.splitlines() if line]) <= 12
    mine = tmp_path / "mine.py"
    mine.write_text(source)
    game = Variant.load("holdem.limit.2p.reverse_blinds")
    played = play_session(Table(game, ("mine", "raise"), (f"{mine}:Cautious", "raise"), seed=1), 0, 20)
    assert set(played.net[:, 0].tolist()) == {-5, -10}


def test_the_example_program_plays(tmp_path):
    """It checks or calls, as the agent ``call`` does; a program that fails folds where there is a bet."""
    (source,) = _blocks(ROOT / "docs" / "guides" / "programs.md", "python")
    bot = tmp_path / "my_bot.py"
    bot.write_text(source)
    spec = f"program(command='{sys.executable} {bot}')"
    game = Variant.load("holdem.limit.2p.reverse_blinds")
    played, expected = (
        play_session(Table(game, ("karma", "mine"), ("karma", agent), seed=1), 0, 20)
        for agent in (spec, "call")
    )
    assert any("r" in state for state in expected.log)
    assert played.log == expected.log


def test_the_bots_of_the_tutorial_play_the_same(tmp_path):
    """In Python and in JavaScript, in limit and in no-limit."""
    page = ROOT / "docs" / "tutorials" / "own-bot.md"
    (python, _), (script,) = _blocks(page, "python"), _blocks(page, "js")
    (tmp_path / "pairs.py").write_text(python)
    (tmp_path / "pairs.js").write_text(script)
    agent = f"{tmp_path / 'pairs.py'}:Pairs"
    for game in ("holdem.limit.2p.reverse_blinds", "holdem.nolimit.2p.100bb"):
        game = Variant.load(game)
        played = play_session(Table(game, ("mine", "call"), (agent, "call"), seed=1), 0, 60)
        assert {"r", "f"} <= set("".join(state.split(":")[2] for state in played.log))
        if not shutil.which("node"):
            pytest.skip("no Node: the program in JavaScript was not run")
        spec = f"program(command='node {tmp_path / 'pairs.js'}')"
        assert play_session(Table(game, ("mine", "call"), (spec, "call"), seed=1), 0, 60).log == played.log


def test_the_bot_of_the_tutorial_passes_the_check(tmp_path, shell):
    python, check = _blocks(ROOT / "docs" / "tutorials" / "own-bot.md", "python")
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "pairs.py").write_text(python)
    (tmp_path / "check.py").write_text(check)
    first, *_ = shell("python check.py").splitlines()
    assert first.startswith("bots/pairs.py:Pairs (limit and no-limit, 2 to 10 seats): passed")


@pytest.mark.slow
def test_the_client_of_the_tools_gets_its_answer(tmp_path, shell):
    pytest.importorskip("mcp")
    (client,) = _blocks(ROOT / "docs" / "howto" / "language-models.md", "python")
    (tmp_path / "client.py").write_text(client)
    assert "top pair, kings, ace kicker" in shell(f"PATH={tmp_path / 'bin'}:$PATH python client.py")

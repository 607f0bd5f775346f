"""Agents of other packages: small packages are laid on the path as pip would install them."""

import pytest

from baycarp.agents.registry import identity, load
from baycarp.agents.static.simple import AlwaysCall
from baycarp.agents.trust import verify_plain
from baycarp.arena.session import Table, play_session
from baycarp.errors import ModelError
from baycarp.game.variant import Variant

SHARK = """
from baycarp.agents.static.simple import AlwaysCall

class Shark(AlwaysCall):
    def __init__(self, bites=1):
        if bites < 0:
            raise ValueError("bites: expected at least 0")
        self.bites = bites

def crash():
    raise RuntimeError("no teeth")

nobody = object
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Lays a package there: install("sharks", "shark = sharks:Shark", source)."""
    monkeypatch.syspath_prepend(tmp_path)

    def put(package, entries, source=SHARK):
        (tmp_path / f"{package}.py").write_text(source)
        info = tmp_path / f"{package}-1.5.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.5\n")
        (info / "entry_points.txt").write_text(f"[baycarp.agents]\n{entries}\n")

    return put


def test_an_installed_agent_is_known_by_its_name(install):
    install("sharks", "shark = sharks:Shark")
    agent = load("shark(bites=3)")
    assert (type(agent).__name__, agent.bites) == ("Shark", 3)
    assert load("shark").bites == 1
    table = Table(Variant.ring(2), ("one", "two"), ("shark", "call"))
    assert len(play_session(table, 0, 3).log) == 3


def test_unknown_names_are_answered_with_those_that_are_installed(install):
    install("sharks2", "hammerhead = sharks2:Shark")
    with pytest.raises(ModelError, match=r"did you mean hammerhead\?"):
        load("hammerhed")


def test_names_of_this_package_take_precedence(install):
    install("pirates", "call = pirates:crash\nkarma = pirates:crash")
    assert type(load("call")) is AlwaysCall
    assert load("karma").plays


def test_a_setting_may_have_any_name(install):
    install(
        "labelled", "tagged = labelled:tagged", SHARK + "def tagged(name, package, entry): return Shark(name)"
    )
    assert load("tagged(name=4, package=0, entry=0)").bites == 4


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("broken:missing", "AttributeError"),
        ("nowhere_to_be_found:Shark", "ModuleNotFoundError"),
        ("broken:crash", "RuntimeError: no teeth"),
        ("broken:nobody", "has no plays, sit, decide, learn"),
    ],
)
def test_the_error_of_a_broken_agent_names_its_package(install, entry, reason):
    install("broken", f"shark = {entry}")
    with pytest.raises(ModelError, match=rf"'shark' of package broken 1\.5: .*{reason}"):
        load("shark")


def test_a_module_that_fails_as_it_is_imported(install):
    install("fails", "shark = fails:Shark", "1 / 0")
    with pytest.raises(ModelError, match=r"fails 1\.5: ZeroDivisionError"):
        load("shark")


def test_wrong_settings_are_reported(install):
    install("sharks3", "shark = sharks3:Shark")
    with pytest.raises(ModelError, match=r"sharks3 1\.5: ValueError: bites"):
        load("shark(bites=-1)")
    with pytest.raises(ModelError, match=r"sharks3 1\.5: TypeError: .*fins"):
        load("shark(fins=2)")


def test_two_packages_with_one_name(install):
    install("left", "shark = left:Shark")
    install("right", "shark = right:Shark")
    with pytest.raises(ModelError, match=r"left 1\.5 and right 1\.5 offer it|right 1\.5 and left 1\.5"):
        load("shark")


MINE = """
from dataclasses import dataclass
from baycarp.agents.static.simple import AlwaysCall

@dataclass
class Mine(AlwaysCall):
    bites: int = 1
"""


def test_an_agent_of_a_file(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(MINE)
    agent = load(f"{tmp_path}/mine.py:Mine(bites=3)")
    assert (type(agent).__name__, agent.bites) == ("Mine", 3)
    monkeypatch.chdir(tmp_path)
    assert type(load("mine.py:Mine")) is type(load("./mine.py:Mine"))
    table = Table(Variant.ring(2), ("one", "two"), ("mine.py:Mine(bites=2)", "call"))
    assert len(play_session(table, 0, 3).log) == 3


def test_an_agent_of_a_module(install):
    install("sharks5", "other = sharks5:Shark")
    assert load("sharks5:Shark(bites=4)").bites == 4


def test_the_identity_of_an_agent_of_a_file_has_the_digest_of_its_source(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    before = identity(f"{path}:Mine(bites=3)")
    path.write_text(MINE + "# another version\n")
    assert before.startswith(f"{path}:Mine(bites=3) with source ")
    assert identity(f"{path}:Mine(bites=3)") != before


@pytest.mark.parametrize(
    ("name", "source", "reason"),
    [
        ("mine.py:Mine", "", "FileNotFoundError"),
        ("mine.py:Yours", MINE, "no Yours in it: expected one of Mine"),
        ("mine.py:Mine(fins=2)", MINE, "unexpected keyword argument 'fins'"),
        ("mine.py:Mine", "Mine = object", "has no plays"),
        ("mine.py:Mine", "this is no Python", "SyntaxError"),
        ("nobodys.module:Mine", "", "No module named 'nobodys'"),
    ],
)
def test_places_without_an_agent_are_refused(tmp_path, monkeypatch, name, source, reason):
    monkeypatch.chdir(tmp_path)
    if source:
        (tmp_path / "mine.py").write_text(source)
    with pytest.raises(ModelError, match=reason):
        load(name)


def test_a_place_is_not_trusted(tmp_path):
    (tmp_path / "mine.py").write_text("raise SystemExit('executed')")
    for spec in (f"{tmp_path}/mine.py:Mine", "antigravity:Mine", f"{tmp_path}/mine.py:Mine(bites=1)"):
        with pytest.raises(ModelError, match="not without trust"):
            verify_plain(spec)


def test_another_version_of_a_file_is_loaded_anew(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    first = load(f"{path}:Mine")
    path.write_text(MINE.replace("bites: int = 1", "bites: int = 22"))
    assert (first.bites, load(f"{path}:Mine").bites) == (1, 22)


def test_a_file_that_ends_the_program_is_refused(tmp_path):
    (tmp_path / "mine.py").write_text("import sys\nsys.exit(3)")
    with pytest.raises(ModelError, match="SystemExit"):
        load(f"{tmp_path}/mine.py:Mine")

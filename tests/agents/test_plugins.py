"""Agents of other packages: small packages are laid on the path as pip would install them."""

import pytest

from baycarp.agents.registry import load
from baycarp.agents.simple import AlwaysCall
from baycarp.arena.session import Table, play_session
from baycarp.errors import ModelError
from baycarp.game.variant import Variant

SHARK = """
from baycarp.agents.simple import AlwaysCall

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
    with pytest.raises(ModelError, match=r"expected one of .*call.* hammerhead"):
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

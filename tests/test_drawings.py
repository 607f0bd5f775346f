"""The diagrams of docs/ are what their command draws; the package's docstring lists its rooms in order."""

import importlib.util
from pathlib import Path

import pytest

import baycarp

DOCS = Path(__file__).resolve().parents[1] / "docs"
SPEC = importlib.util.spec_from_file_location("draw_diagrams", DOCS / "draw.py")
draw = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(draw)


@pytest.mark.parametrize("name", draw.DRAWINGS)
def test_the_committed_diagram_is_the_drawn_one(name):
    assert (draw.PICTURES / name).read_text("utf-8") == draw.DRAWINGS[name](), "run: python docs/draw.py"


def test_every_room_is_in_the_list_of_the_package():
    package = Path(baycarp.__file__).parent
    modules = {path.stem for path in package.glob("*.py")} - {"__init__", "__main__"}
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert {*draw.purposes()} == modules | folders


def test_every_room_imports_only_rooms_above_it_in_the_list():
    above = set()
    for room, imported in draw.imports().items():
        assert imported <= above, room
        above.add(room)


def test_floors_and_direct_imports_of_a_small_house():
    rooms = {"ground": set(), "middle": {"ground"}, "beside": {"ground"}, "top": {"ground", "middle"}}
    assert draw.floors(rooms) == [["ground"], ["middle", "beside"], ["top"]]
    assert draw.direct(rooms) == {**rooms, "top": {"middle"}}

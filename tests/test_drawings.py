"""The drawings of docs/ are what their commands draw; the package's docstring lists its rooms in order."""

import importlib.util
from pathlib import Path

import pytest

import baycarp

DOCS = Path(__file__).resolve().parents[1] / "docs"


def script(name):
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


draw, gallery = script("draw"), script("gallery")


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


def test_the_gallery_shows_a_picture_for_every_block_that_draws():
    page = gallery.PAGE.read_text("utf-8")
    shown = [name for _, _, name in gallery.SHOWN.findall(page)]
    assert len(shown) == page.count("```py\n") + page.count("```sh\n") == page.count("](pictures/gallery/")
    assert sorted(f"{name}.png" for name in shown) == sorted(path.name for path in gallery.PICTURES.iterdir())


@pytest.mark.slow
def test_every_block_of_the_gallery_makes_its_picture(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    made = dict(gallery.made(tmp_path))
    assert {file.stem for file in made.values()} == {*made}
    assert all(file.stat().st_size > 1000 for file in made.values())

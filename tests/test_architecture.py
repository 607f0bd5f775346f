"""The shape of the house: imports run down the floors, heavy libraries live behind one door each."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1] / "src" / "baycarp"

FLOORS = (
    {"errors", "budget", "files"},
    {"card"},
    {"ranges", "kernels"},
    {"evaluation"},
    {"estimation"},
    {"game", "bn", "cases"},
    {"rules"},
    {"opponents"},
    {"strategies"},
    {"agents"},
    {"arena", "explain"},
    {"train", "draw"},
    {"study"},
    {"papers"},
    {"cli"},
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
FACE = {"__init__", "__main__"}
"""The package's face may name any floor."""


def room(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py").removesuffix(".pyi")


def imported(path):
    package = ["baycarp", *path.relative_to(ROOT).parent.parts]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            yield from ([*base, alias.name] for alias in node.names)


def test_every_module_stands_on_a_floor():
    rooms = {room(path) for path in ROOT.rglob("*.py")} - FACE
    assert rooms - set(FLOOR) == set()


def test_imports_only_run_down():
    up = set()
    for path in ROOT.rglob("*.py"):
        here = room(path)
        for name in imported(path):
            there = name[1] if name[0] == "baycarp" and len(name) > 1 else None
            if here in FLOOR and there in FLOOR and here != there and FLOOR[there] >= FLOOR[here]:
                up.add(f"{path.relative_to(ROOT)} -> {there}")
    assert not up


def importers(library):
    return {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(name[0] == library for name in imported(path))
    }


def test_heavy_libraries_have_one_door_each():
    assert importers("pgmpy") <= {"bn/learn.py"}
    assert importers("faiss") <= {"cases/index.py"}
    assert importers("pokerkit") <= {"game/notation/phh.py"}
    assert importers("matplotlib") <= {"draw/picture.py"}
    assert importers("cma") <= {"train/evolve.py"}
    assert importers("sklearn") <= {"study/predict.py"}
    assert importers("distributed") <= {"arena/cluster.py"}
    assert importers("pickle") | importers("joblib") | importers("shelve") == set()


def test_import_is_light():
    heavy = [
        "pgmpy",
        "faiss",
        "pandas",
        "scipy",
        "sklearn",
        "matplotlib",
        "rich",
        "pokerkit",
        "distributed",
        "cma",
    ]
    code = f"import sys, baycarp; print(sorted(set({heavy}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

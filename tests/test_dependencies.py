"""What the package imports is declared in pyproject.toml, and what is large is not needed to play."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
OWN = {"baycarp", "baycarp_reference", "processes"}
"""The last is ``baycarp.files.processes``, which the launcher of programs takes by its folder."""
DISTRIBUTIONS = {"faiss": "faiss-cpu", "pyspiel": "open_spiel", "sklearn": "scikit-learn"}
"""Distributions by module, where the names differ."""

ALWAYS = {re.match(r"[\w-]+", entry)[0] for entry in PROJECT["dependencies"]}
EXTRAS = {
    re.match(r"[\w-]+", entry)[0]
    for extra in ("viz", "archives", "cluster", "tune", "completion", "train", "web", "mcp", "rl", "frames")
    for entry in PROJECT["optional-dependencies"][extra]
}


def imports(text):
    """The distributions that a module imports: pairs of a name, and whether importing the module needs it."""

    def walk(nodes, needed):
        for node in nodes:
            if isinstance(node, ast.Import):
                yield from ((alias.name, needed) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield node.module, needed
            else:
                late = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Try)
                typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
                yield from walk(ast.iter_child_nodes(node), needed and not late and not typing)

    for name, needed in walk(ast.parse(text).body, True):
        top = name.partition(".")[0]
        if top not in sys.stdlib_module_names and top not in OWN:
            yield DISTRIBUTIONS.get(top, top), needed


def test_every_import_is_declared():
    found = {each for path in (ROOT / "src").rglob("*.py") for each in imports(path.read_text("utf-8"))}
    assert {name for name, _ in found} <= ALWAYS | EXTRAS
    # Of web, tools/parameters.py and env, imported late.
    late = {"h11", "starlette", "uvicorn", "websockets", "pydantic", "gymnasium", "open_spiel", "pettingzoo"}
    assert {name for name, needed in found if needed} <= ALWAYS | late
    assert {name for name, _ in found} >= {"numpy", "faiss-cpu", "pgmpy", "scikit-learn"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import os, a.b", {("a", True)}),
        ("from sklearn.x import y", {("scikit-learn", True)}),
        ("def f():\n    import a", {("a", False)}),
        ("try:\n    import a\nexcept ImportError:\n    pass", {("a", False)}),
        ("if TYPE_CHECKING:\n    import a\nimport b", {("a", False), ("b", True)}),
        ("class C:\n    from a import b", {("a", True)}),
        ("from . import a\nfrom baycarp import b", set()),
    ],
)
def test_imports_are_found(text, found):
    assert set(imports(text)) == found


WITHOUT_PGMPY = """
import sys
for name in ("pgmpy", "scipy", "pandas", "sklearn", "statsmodels", "networkx", "torch"):
    sys.modules[name] = None
import baycarp
from baycarp.bn import Inference, Structure, fit, load, save
from baycarp.bn.bif import read_bif, write_bif
rain = Structure({"Rain": ["no", "yes"], "Grass": ["dry", "wet"]}, {"Grass": ["Rain"]})
network = fit(rain, [{"Rain": "yes", "Grass": "wet"}, {"Rain": "no", "Grass": "dry"}], 2)
save(network, sys.argv[1])
assert load(sys.argv[1]) == network
assert Inference(network).posterior({"Grass": "wet"}, ["Rain"])["Rain"].tolist() == [0.25, 0.75]
observation = baycarp.observe("MATCHSTATE:0:0:rc/:AhKd|/Ks7d2c", game="holdem.limit.2p.reverse_blinds")
for name in ("baycarp", "karma", "absinthe"):
    print(baycarp.load(name).decide(observation).action)
write_bif(network, sys.argv[1])
assert read_bif(sys.argv[1]) == network
"""


def test_networks_are_fitted_and_read_and_hands_are_decided_without_pgmpy(tmp_path):
    command = [sys.executable, "-c", WITHOUT_PGMPY, str(tmp_path / "rain.npz")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert all(action.startswith(("bet", "check")) for action in done.stdout.splitlines())

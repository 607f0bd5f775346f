"""Architecture: imports run down the floors, and each heavy library is imported by one module."""

import ast
import subprocess
import sys
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "src" / "baycarp"
CLONE = ROOT.parents[1]

FLOORS = (
    {"errors"},
    {"budget", "files"},
    {"card"},
    {"kernels"},
    {"ranges"},
    {"evaluation", "hand_names", "trees"},
    {"estimation", "draw"},
    {"game", "bn", "cases"},
    {"rules"},
    {"opponents", "solvers"},
    {"strategies"},
    {"agents"},
    {"arena", "explain"},
    {"training", "responses", "kit", "env"},
    {"web"},
    {"coach"},
    {"api"},
    {"tools"},
    {"cli"},
)
FLOOR = {name: number for number, names in enumerate(FLOORS) for name in names}
FACE = {"__init__", "__main__"}
"""The package's top module may import any floor."""


def room(path):
    return path.relative_to(ROOT).parts[0].removesuffix(".py").removesuffix(".pyi")


def imported(path):
    return imports(path.read_text("utf-8"), ["baycarp", *path.relative_to(ROOT).parent.parts])


def imports(source, package):
    """Names that a module of a package imports anywhere, as parts; of f-strings the constant start."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from (alias.name.split(".") for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package[: len(package) - level + 1] if level else []
                base = base + (module.split(".") if module else [])
                yield from ([*base, alias.name] for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module") | ast.Attribute(attr="import_module"),
                args=[
                    ast.Constant(value=str(start)) | ast.JoinedStr(values=[ast.Constant(value=start), *_]),
                    *_,
                ],
            ):
                yield start.split(".")


def test_every_module_is_on_a_floor():
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


def at_import(body):
    """The import statements that run, or a type checker reads, when a module is imported."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for block in ("body", "orelse", "handlers", "finalbody"):
                yield from at_import(getattr(node, block, ()))


def module_graph(sources):
    """Module -> modules of the package that it imports; ``sources`` maps names to (text, is a package)."""
    graph = {}
    for module, (text, is_package) in sources.items():
        package = module.split(".") if is_package else module.split(".")[:-1]
        graph[module] = set()
        for node in at_import(ast.parse(text).body):
            if isinstance(node, ast.Import):
                graph[module] |= {alias.name for alias in node.names} & set(sources)
                continue
            base = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join([*base, node.module] if node.module else base)
            names = {f"{name}.{alias.name}" for alias in node.names}
            graph[module] |= {each if each in sources else name for each in names} & set(sources)
    return graph


def circle(graph):
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return None


def sources_of(folder):
    """Module -> (text, is a package) of a folder."""
    sources = {}
    for path in folder.rglob("*.py"):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        sources[".".join(parts[: len(parts) - is_package])] = path.read_text("utf-8"), is_package
    return sources


@pytest.mark.parametrize("folder", ["experiments", "benchmarks"])
def test_imports_beside_the_package_have_no_cycles(folder):
    assert circle(module_graph(sources_of(CLONE / folder))) is None


def test_imports_have_no_cycles():
    sources = sources_of(ROOT)
    graph = module_graph(sources)
    assert sum(map(len, graph.values())) > 4 * len(sources)
    assert circle(graph) is None


@pytest.mark.parametrize(
    "second",
    [
        "from a.one import x",
        "from a import one",
        "from . import one",
        "from .one import x",
        "import a.one",
        "if TYPE_CHECKING:\n    from a.one import x",
        "try:\n    import z\nexcept ImportError:\n    from a.one import x",
        "class C:\n    from a.one import x",
    ],
)
def test_cycles_are_detected(second):
    graph = module_graph({"a": ("", True), "a.one": ("from a.two import y", False), "a.two": (second, False)})
    assert set(circle(graph)) == {"a.one", "a.two"}


def test_an_import_inside_a_function_is_not_a_cycle():
    later = "def f():\n    from a.one import x"
    assert circle(module_graph({"a.one": ("import a.two", False), "a.two": (later, False)})) is None


@cache
def libraries():
    """Library -> the modules that import it."""
    found = defaultdict(set)
    for path in ROOT.rglob("*.py"):
        for name in imported(path):
            found[name[0]].add(path.relative_to(ROOT).as_posix())
    return found


def importers(library):
    return libraries()[library]


def test_each_heavy_library_is_imported_by_one_module():
    assert importers("pgmpy") <= {"bn/pgmpy.py"}
    assert importers("faiss") <= {"cases/index.py"}
    assert importers("pokerkit") == set()
    assert importers("py7zr") == {"files/archives.py"}
    assert importers("matplotlib") <= {"draw/picture.py"}
    assert importers("cma") <= {"training/evolve.py"}
    assert importers("sklearn") <= {"cases/neighbors.py"}
    assert importers("gymnasium") <= {"env/single.py", "env/table_env.py", "env/vector.py"}
    assert importers("pettingzoo") <= {"env/table_env.py"}
    assert importers("pyspiel") <= {"env/spiel_agent.py", "env/spiel_bot.py"}
    assert importers("distributed") <= {"arena/cluster.py"}
    assert importers("mcp") <= {"tools/server.py", "cli/serve/mcp.py"}
    assert importers("pydantic") <= {"tools/parameters.py"}
    assert importers("pickle") | importers("joblib") | importers("shelve") == set()


def test_the_import_of_the_package_loads_no_heavy_library():
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
        "mcp",
        "pydantic",
        "gymnasium",
        "pettingzoo",
        "pyspiel",
    ]
    code = f"import sys, baycarp; print(sorted(set({heavy}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_seeds_are_checked_in_one_place():
    """NumPy ends the process for some of what it is given as a seed."""
    found = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if "default_rng(" in path.read_text("utf-8").replace("default_rng()", "")
    }
    own = {"agents/static/sizer_style.py", "opponents/gambler/draws.py", "solvers/limit/pooling.py"}
    assert found == {"kernels/arguments.py", "training/log_writer.py"} | own


MOST_PARAMETERS = 6


def parameter_counts(text):
    """Name -> parameters of every function in a text; the object or class that a method is of is not one."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            given = node.args
            names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
            yield node.name, len(names) - (names[:1] in (["self"], ["cls"]))


def test_functions_have_few_parameters():
    """Further parameters are fields of a settings value."""
    too_many = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in ROOT.rglob("*.py")
        for name, count in parameter_counts(path.read_text("utf-8"))
        if count > MOST_PARAMETERS
    }
    assert not too_many


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("def f(a, /, b, c=1, *d, e, **g): pass", 4),
        ("class C:\n    async def f(self, a, *, b): pass", 2),
        ("class C:\n    @classmethod\n    def f(cls, a): pass", 1),
    ],
)
def test_parameters_are_counted(text, count):
    assert dict(parameter_counts(text)) == {"f": count}


def test_the_wheel_uses_nothing_that_examines_it():
    """Neither by an import nor by a name that ``import_module`` takes."""
    used = {
        f"{path.relative_to(ROOT)} -> {name[0]}"
        for path in ROOT.rglob("*.py")
        for name in imported(path)
        if name[0] in ("experiments", "benchmarks", "tests")
    }
    assert used == set()


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import experiments.gates", ["experiments", "gates"]),
        ("def f():\n    from experiments import gates", ["experiments", "gates"]),
        ("import_module('experiments.gates')", ["experiments", "gates"]),
        ("importlib.import_module(f'experiments.{name}')", ["experiments", ""]),
    ],
)
def test_every_way_to_import_is_found(tmp_path, source, name):
    assert name in list(imports(source, []))


LABORATORY = (
    {
        "options",
        "markdown",
        "pictures",
        "spent",
        "systems",
        "populations",
        "signature",
        "reasons",
        "pokerbench",
        "leduc",
    },
    {"beliefs", "cases", "players", "people", "decisions"},
    {"gambler", "papers", "gates", "solvers", "strength", "students", "couplings", "field"},
    {"recipes"},
    {"commands"},
    {"__main__", "__init__"},
)
"""The floors of ``experiments``; rooms of one floor may use one another, without a circle."""


def laboratory():
    """Room -> rooms of ``experiments`` that it imports."""
    graph = {}
    for path in (CLONE / "experiments").rglob("*.py"):
        parts = path.relative_to(CLONE).with_suffix("").parts
        used = {name[1] for name in imports(path.read_text("utf-8"), list(parts[:-1])) if is_inside(name)}
        graph.setdefault(parts[1], set()).update(used - {parts[1]})
    return graph


def is_inside(name):
    return name[0] == "experiments" and len(name) > 1


def test_rooms_of_experiments_stand_on_floors_without_circles():
    graph = laboratory()
    floor = {name: number for number, names in enumerate(LABORATORY) for name in names}
    assert set(graph) <= set(floor)
    up = {(room, used) for room, names in graph.items() for used in names if floor[used] > floor[room]}
    assert not up
    assert circle(graph) is None


def test_benchmarks_use_nothing_of_experiments():
    used = {
        f"{path.relative_to(CLONE)} -> {'.'.join(name)}"
        for path in (CLONE / "benchmarks").rglob("*.py")
        for name in imports(path.read_text("utf-8"), list(path.relative_to(CLONE).parent.parts))
        if name[0] == "experiments"
    }
    assert not used


def test_a_value_in_an_error_is_cut_by_the_one_function_whose_repr_cannot_fail():
    found = [path for ending in ("py", "pyx") for path in ROOT.rglob(f"*.{ending}")]
    assert not [path.name for path in found if "!r:." in path.read_text("utf-8")]
